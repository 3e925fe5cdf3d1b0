// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_STAGE_RESTAGEDOPERANDS_H
#define PASSES_TILEAS_STAGE_RESTAGEDOPERANDS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"
#include "passes/analysis/budgets/TensorMemoryBudget.h"

namespace tileir {

/// The `tcgen05.mma` of the types and extents of `dot`, which has scales; null
/// when there is none.
mlir::nv_tileas::MmaAtomAttr getScaledAtom(mlir::nv_tileas::DotOp dot,
                                           const Target &target);

/// The `tcgen05.mma` for `dot` with register-staged operands: threads store the
/// operands and scales that no copy delivers in a legal layout. Outside of
/// loops these are computed operands, operands that no copy can address, scales
/// across K, and tiles with fewer rows than the instruction. Null if there is
/// none. `isStaged`: the remaining loads are not copies.
mlir::nv_tileas::MmaAttr chooseRestaged(mlir::nv_tileas::DotOp dot,
                                        const Target &target,
                                        bool isStaged = false);

/// Returns whether threads feed `mma`, the `tcgen05.mma` of `dot`: they store
/// an operand before it, or read its result in each iteration.
bool isFedByThreads(mlir::nv_tileas::DotOp dot, mlir::nv_tileas::MmaAttr mma);
/// Returns the same for the MMA assigned to `dot`.
bool isFedByThreads(mlir::nv_tileas::DotOp dot);

/// Bytes of shared memory that threads store for the restaged operands of
/// `dot`.
int64_t getBytesRestagedFor(mlir::nv_tileas::DotOp dot);

/// Lets threads store operands of `func` that were to be copied and are not.
void restageOperands(mlir::nv_tileaa::FuncOp func, const Target &target);

/// Operations before `dot` without readers once threads store its operands.
llvm::DenseSet<mlir::Operation *> getNotRestaged(mlir::nv_tileas::DotOp dot);

/// Assigns the MMA of warps, with a remark that has the reason, to the dots of
/// `func` for which the columns in `budget` or the `freeBytes` of shared memory
/// do not suffice. Takes the needs of the other dots from both.
void settleRestaged(mlir::nv_tileaa::FuncOp func, TensorMemoryBudget &budget,
                    int64_t &freeBytes);

/// Replaces the dots of `func` with restaged operands by `tcgen05.mma`. Threads
/// wait for each of them; a loop-carried accumulator stays in tensor memory.
void multiplyRestaged(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_STAGE_RESTAGEDOPERANDS_H
