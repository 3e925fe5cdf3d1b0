// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work of operations of a loop body on an SM.
#ifndef PASSES_TILEAS_SCHEDULE_OPWORK_H
#define PASSES_TILEAS_SCHEDULE_OPWORK_H

#include "passes/tileas_schedule/solver/Machine.h"

#include "mlir/IR/Operation.h"

namespace tileir {

/// Returns whether a schedule places `op`: it uses a slot of the SM, or its
/// effects order it. Everything else goes where its users are.
bool isAnchor(mlir::Operation *op);

/// Class and work of `op`, executed by `numWarps` warps. A region counts as the
/// sum of its operations, of the two arms of a branch the larger one.
schedule::OpWork describeWork(mlir::Operation *op, unsigned numWarps);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_OPWORK_H
