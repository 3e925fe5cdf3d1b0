// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_STOREDPRODUCTS_H
#define PASSES_TILEAS_STOREDPRODUCTS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"
#include "passes/analysis/TensorMemoryBudget.h"

namespace tileir {

/// The `tcgen05.mma` for `dot` where threads store those operands and scales
/// that no copy brings in a form for it: outside of loops, factors that threads
/// compute or whose addresses suit no copy, scales that lie across K, and fewer
/// rows than the unit has. Null where there is none. `isStaged`: loads that are
/// left are no copies.
mlir::nv_tileas::MmaAttr chooseRestaged(mlir::nv_tileas::DotOp dot,
                                        const Target &target,
                                        bool isStaged = false);

/// Returns whether threads feed `mma`, the `tcgen05.mma` of `dot`: they store
/// an operand in front of it, or read its result in each iteration.
bool isFedByThreads(mlir::nv_tileas::DotOp dot, mlir::nv_tileas::MmaAttr mma);
/// The same of what is assigned to `dot`.
bool isFedByThreads(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory that threads store for `dot`, such a product.
int64_t getBytesStoredFor(mlir::nv_tileas::DotOp dot);

/// Lets threads store operands of `func` that were to be copied and are not.
void restageOperands(mlir::nv_tileaa::FuncOp func, const Target &target);

/// Operations in front of `dot`, such a product, that nothing needs any more
/// once threads store its factors.
llvm::DenseSet<mlir::Operation *> getUnstored(mlir::nv_tileas::DotOp dot);

/// Leaves to warps, with a remark that says why, those dots of `func` for which
/// the columns in `budget` or the `freeBytes` of shared memory are too few.
/// Takes what the others need.
void settleStored(mlir::nv_tileaa::FuncOp func, TensorMemoryBudget &budget,
                  int64_t &freeBytes);

/// Replaces those dots of `func` by `tcgen05.mma`. Threads wait for each of
/// them; an accumulator that goes round a loop stays in tensor memory.
void multiplyStored(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_STOREDPRODUCTS_H
