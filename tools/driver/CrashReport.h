// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_CRASHREPORT_H
#define TOOLS_DRIVER_CRASHREPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tileir::driver {

/// Report that lets others see a failed compilation again: kernel, options,
/// versions, passes, and the command that replays it. It goes to a folder, as
/// `report.txt` and `kernel.tileirbc`; without one to standard error, where the
/// compiler is at fault. While an object lives, signals of a crash and fatal
/// errors of LLVM are reported, too.
class CrashReport {
public:
  /// `arguments` begin with the program; `input` is the one of them that
  /// `bytes` were read from.
  CrashReport(std::string folder, llvm::ArrayRef<const char *> arguments,
              llvm::StringRef input, llvm::StringRef bytes);
  ~CrashReport();
  CrashReport(const CrashReport &) = delete;

  /// The passes that are about to run, on this thread.
  void begin(llvm::StringRef pipeline);
  /// Notes what works from now on.
  void enter(llvm::StringRef pass);
  /// Reports that the compilation has failed. An explained failure is one that
  /// an error message is about; only a folder gets it.
  void fail(bool isExplained);

private:
  static void onSignal(int signal);
  /// Writes all of it without memory of its own: after a crash the heap may be
  /// broken.
  void write() const;

  std::string folder, reportFile, kernelFile;
  llvm::StringRef bytes;
  /// The texts around the name of the pass.
  std::string before, after;
  char pass[128] = "nothing yet";
  bool isDone = false;
};

/// Reports a fatal error of LLVM during a compilation.
void reportFatalError();

} // namespace tileir::driver

#endif // TOOLS_DRIVER_CRASHREPORT_H
