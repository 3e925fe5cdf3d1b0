// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of what threads compute between two chained products.

#ifndef PASSES_TILEAS_CHAINORDER_H
#define PASSES_TILEAS_CHAINORDER_H

#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Operations, the last of the block first: moved directly behind one place in
/// turn they keep their order.
using DeferredOps = llvm::SmallSetVector<mlir::Operation *, 16>;

/// Returns those of `ops`, which stand in front of `start` in its block and in
/// order, that nobody needs before `start`: their users stand behind it or can
/// wait, too.
DeferredOps findDeferred(llvm::ArrayRef<mlir::Operation *> ops,
                         mlir::Operation *start);

/// Lets the second of two chained products of warpgroups in `loop` start as
/// early as it can. What it does not need, sums of rows for instance, comes
/// behind its start where a thread has registers for that; the few numbers by
/// which its sum is multiplied come before the many that the same units
/// compute. `isAhead`: the first product of the next iteration is under way,
/// too. Returns whether an operation moved.
bool orderChain(mlir::scf::ForOp loop, bool isAhead);

} // namespace tileir

#endif // PASSES_TILEAS_CHAINORDER_H
