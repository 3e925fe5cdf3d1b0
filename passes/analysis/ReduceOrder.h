// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_REDUCEORDER_H
#define PASSES_ANALYSIS_REDUCEORDER_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Returns whether `op` has one operand and is one of the kinds of
/// `ReduceKind`. All of them commute.
bool isKnownReduction(mlir::nv_tileas::ReduceOp op);

/// Returns whether `op` is a known reduction of this `kind`.
bool isReductionBy(mlir::nv_tileas::ReduceOp op,
                   mlir::nv_tileas::ReduceKind kind);

/// Returns whether `op` may combine its elements in any order: `op` is a known
/// reduction, or its combiner compares its two sides, yields one of them, and
/// yields the same one when they change places. An example is the largest
/// element with its first index.
bool isCommutative(mlir::nv_tileas::ReduceOp op);

/// Unit attribute of reductions for which `isCommutative` holds.
inline constexpr llvm::StringLiteral kCommutesAttr = "nv_tileas.commutes";
/// Marks the commutative reductions under `root`. A dialect conversion calls it
/// first: defining ops cannot be queried while the conversion replaces them.
void noteCommutative(mlir::Operation *root);

} // namespace tileir

#endif // PASSES_ANALYSIS_REDUCEORDER_H
