// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dots that the two CTAs of a pair compute together: `tcgen05.mma` with
// `.cta_group::2`.

#ifndef PASSES_TILEAS_MMA_CTAPAIRS_H
#define PASSES_TILEAS_MMA_CTAPAIRS_H

#include "passes/tileas/mma/MmaKind.h"

namespace tileir {

/// The load of operand B of a dot, and the dimension of its tile along the
/// columns of B: each CTA of a pair copies one half along it.
struct HalvedLoad {
  mlir::nv_tileas::TiledLoadOp load;
  unsigned dim;
};

/// Returns the load of operand B of `dot` if `dot` is its only reader.
std::optional<HalvedLoad> getHalvedLoad(mlir::nv_tileas::DotOp dot);

/// Returns whether `dot` is assigned an MMA of a pair.
bool isPaired(mlir::nv_tileas::DotOp dot);

/// Assigns MMAs of pairs of CTAs to the dots of `func` that `tcgen05.mma`
/// computes: to all of them or to none, since all `tcgen05` instructions of a
/// kernel have one CTA group (PTX ISA, "tcgen05"). A remark tells users of
/// clusters the result.
void assignPairs(mlir::nv_tileaa::FuncOp func, const MmaFacts &facts);

/// Lets each CTA of `func` multiply alone, for `reason`.
void dropPairs(mlir::nv_tileaa::FuncOp func, llvm::StringRef reason);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_CTAPAIRS_H
