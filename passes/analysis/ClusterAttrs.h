// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Discardable attributes of operations that the CTAs of a cluster do together.

#ifndef PASSES_ANALYSIS_CLUSTERATTRS_H
#define PASSES_ANALYSIS_CLUSTERATTRS_H

#include "llvm/ADT/StringRef.h"

namespace tileir {

/// On a load or tensor copy, an i32: the bits of the rank in which CTAs differ
/// that need the same tile. Each may copy a piece of it for all.
inline constexpr llvm::StringLiteral kSharedAxesAttr = "tileir.shared_axes";

/// On an arrival at an mbarrier, or a wait for it, an i32 array: the
/// differences of the ranks of CTAs that copy for each other or multiply
/// together, zero among them.
inline constexpr llvm::StringLiteral kPeersAttr = "tileir.peers";

/// On a `grid_dependency wait`, unit: it is the other CTAs of the tile block
/// that it waits for. What the token of any CTA orders before comes before what
/// the result orders after, in all CTAs; they execute it equally often.
inline constexpr llvm::StringLiteral kClusterWaitAttr = "tileir.cluster_wait";

} // namespace tileir

#endif // PASSES_ANALYSIS_CLUSTERATTRS_H
