// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Order of the work of threads between two chained dots.

#ifndef PASSES_TILEAS_PIPELINE_CHAINORDER_H
#define PASSES_TILEAS_PIPELINE_CHAINORDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Operations, the last of the block first: moved one by one to directly after
/// one place, they keep their order.
using DeferredOps = llvm::SmallSetVector<mlir::Operation *, 16>;

/// Returns the operations of `ops`, which precede `start` in its block and are
/// in order, without a user before `start`: each user follows `start` or is
/// deferred, too.
DeferredOps findDeferred(llvm::ArrayRef<mlir::Operation *> ops,
                         mlir::Operation *start);

/// Lets the second of two chained `wgmma` dots in `loop` start as early as
/// possible. Work that it does not need, row sums for instance, moves after its
/// start if a thread has registers for it. The few rescale factors of its
/// accumulator are computed before the many values that need the same
/// functional units. `isAhead`: the first dot of the next iteration is in
/// flight, too. Returns whether an operation moved.
bool orderChain(mlir::scf::ForOp loop, bool isAhead);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_CHAINORDER_H
