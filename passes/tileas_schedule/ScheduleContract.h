// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that passes give when constraints do not hold any more.
#ifndef PASSES_TILEAS_SCHEDULE_SCHEDULECONTRACT_H
#define PASSES_TILEAS_SCHEDULE_SCHEDULECONTRACT_H

#include "passes/tileas_schedule/ScheduleAnalysis.h"

namespace tileir {

/// At each function of `root` that has marks, else at the first one, else at
/// `root`.
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
