// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of passes whose schedule constraints no longer hold.
#ifndef PASSES_TILEAS_SCHEDULE_SCHEDULECONTRACT_H
#define PASSES_TILEAS_SCHEDULE_SCHEDULECONTRACT_H

#include "passes/tileas_schedule/ScheduleAnalysis.h"

namespace tileir {

/// Emits the error at each marked function of `root`, else at the first
/// function, else at `root`.
inline mlir::InFlightDiagnostic reportInvalidated(mlir::Operation *root) {
  mlir::Operation *at = root;
  for (mlir::FunctionOpInterface func : getFunctions(root)) {
    if (at == root || !hasStamps(at))
      at = func;
  }
  return mlir::emitError(at->getLoc())
         << "cleanup pass invalidated ScheduleAnalysis; rerun constraint "
            "generation or remove the pass";
}

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_SCHEDULECONTRACT_H
