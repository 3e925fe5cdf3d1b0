// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_CRASHREPORT_H
#define TOOLS_DRIVER_CRASHREPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tileir::driver {

/// Report that reproduces a failed compilation: kernel, options, versions,
/// passes, and the command that replays it. It goes to a folder, as
/// `report.txt` and `kernel.tileirbc`; without a folder, to standard error if
/// the compiler is at fault. While an object exists, crash signals and fatal
/// errors of LLVM are reported, too.
class CrashReport {
public:
  /// `arguments` begin with the program; `input` is the argument from which
  /// `bytes` were read.
  CrashReport(std::string folder, llvm::ArrayRef<const char *> arguments,
              llvm::StringRef input, llvm::StringRef bytes);
  ~CrashReport();
  CrashReport(const CrashReport &) = delete;

  /// Records the passes that are about to run, on this thread.
  void begin(llvm::StringRef pipeline);
  /// Records the pass that runs from now on.
  void enter(llvm::StringRef pass);
  /// Reports that the compilation has failed. An explained failure has an error
  /// message; it is reported only to a folder.
  void fail(bool isExplained);

private:
  static void onSignal(int signal);
  /// Writes the report without allocating: the heap may be corrupt after a
  /// crash.
  void write() const;

  std::string folder, reportFile, kernelFile;
  llvm::StringRef bytes;
  /// Texts around the name of the pass.
  std::string before, after;
  char pass[128] = "nothing yet";
  bool isDone = false;
};

/// Reports a fatal error of LLVM during a compilation.
void reportFatalError();

} // namespace tileir::driver

#endif // TOOLS_DRIVER_CRASHREPORT_H
