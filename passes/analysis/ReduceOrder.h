// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_REDUCEORDER_H
#define PASSES_ANALYSIS_REDUCEORDER_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Returns whether `op` is one of the kinds that `ReduceKind` names, on one
/// operand. All of them commute.
bool isKnownReduction(mlir::nv_tileas::ReduceOp op);

/// Returns whether `op` is a known reduction of this `kind`.
bool isReductionBy(mlir::nv_tileas::ReduceOp op,
                   mlir::nv_tileas::ReduceKind kind);

/// Returns whether elements may meet in any order: `op` is known, or its
/// combiner chooses one of its two sides by comparing them, and the choice is
/// the same when they change places. The largest element with its first index
/// is such a combiner.
bool isCommutative(mlir::nv_tileas::ReduceOp op);

/// Unit attribute of reductions that `isCommutative` told of.
inline constexpr llvm::StringLiteral kCommutesAttr = "nv_tileas.commutes";
/// Marks the commutative reductions under `root`: what operands are made of
/// cannot be asked any more while a conversion replaces it.
void noteCommutative(mlir::Operation *root);

} // namespace tileir

#endif // PASSES_ANALYSIS_REDUCEORDER_H
