// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Splits dots into steps so that a schedule can interleave other operations.
#ifndef PASSES_TILEAS_SCHEDULE_SLICEDOTS_H
#define PASSES_TILEAS_SCHEDULE_SLICEDOTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Splits the dots of `loop` whose operands single warps read from shared
/// memory along K, into the steps that the instructions have anyway. The
/// fragments of the next step are read before the MMA of the current one. Only
/// loops with asynchronous copies by threads are changed: the schedule places
/// the copies between the steps. Returns the number of split dots.
unsigned sliceDots(mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_SLICEDOTS_H
