// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_BRANCHREDUCTIONS_H
#define PASSES_ANALYSIS_BRANCHREDUCTIONS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Unit attribute of reductions in the backward slice of a branch condition or
/// of a loop bound.
inline constexpr llvm::StringLiteral kDecidesBranchAttr =
    "nv_tileas.decides_branch";

/// Marks the reductions under `root` that decide branches, in time linear in
/// the number of operations. A dialect conversion calls it first: uses cannot
/// be queried while the conversion replaces them.
void noteBranchReductions(mlir::Operation *root);

} // namespace tileir

#endif // PASSES_ANALYSIS_BRANCHREDUCTIONS_H
