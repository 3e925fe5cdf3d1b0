// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LAYOUT_STAGINGLAYOUT_H
#define PASSES_TILEAS_LAYOUT_STAGINGLAYOUT_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// The dimension of `tile` (the last or the one before) that is contiguous in
/// the memory from which it was loaded; the last where that is not known.
unsigned getContiguousDim(mlir::Value tile);

/// An unstaged buffer in shared memory for `tile` with dimension `major`
/// contiguous, in the widest swizzle whose span the tile fills.
mlir::nv_tileas::BufferType getStagingType(mlir::RankedTensorType tile,
                                           unsigned major);

} // namespace tileir

#endif // PASSES_TILEAS_LAYOUT_STAGINGLAYOUT_H
