// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views whose positions fit 32 bits.

#ifndef PASSES_TILEAS_LOWERING_MEMORY_NARROWVIEWS_H
#define PASSES_TILEAS_LOWERING_MEMORY_NARROWVIEWS_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir::lowering {

/// Sizes below this leave room for a tile in unsigned 32 bits.
inline constexpr int64_t kNarrowLimit = int64_t(1) << 31;

/// Marks the accesses below `module` whose positions fit in 32 bits.
void markNarrowViews(mlir::Operation *module);
/// Returns whether `op` accesses a view all of whose sizes are below
/// `kNarrowLimit`.
bool hasNarrowView(mlir::Operation *op);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MEMORY_NARROWVIEWS_H
