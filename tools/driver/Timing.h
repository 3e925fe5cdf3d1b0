// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_TIMING_H
#define TOOLS_DRIVER_TIMING_H

#include "serialize/Phase.h"
#include "serialize/Report.h"

#include "mlir/Support/Timing.h"

#include <string>
#include <vector>

namespace tileir::driver {

/// Times the phases of one run, for `--mlir-timing` and `--time-trace`.
class PhaseTimer {
public:
  PhaseTimer(bool timing, std::string traceFile);
  ~PhaseTimer();

  /// The trace belongs to a thread: the worker thread brackets its work with
  /// these calls.
  void enterThread();
  void leaveThread();

  /// Returns the callback for phases; valid as long as the timer.
  PhaseCallback callback();
  /// Returns the scope of the innermost open phase, for a pass manager;
  /// inactive without `--mlir-timing`.
  mlir::TimingScope &scope() { return scopes.back(); }

  /// Prints the table and writes the trace.
  Status finish(const Reporter &reporter);

private:
  std::string traceFile;
  mlir::DefaultTimingManager manager;
  std::vector<mlir::TimingScope> scopes;
};

} // namespace tileir::driver

#endif // TOOLS_DRIVER_TIMING_H
