// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of one call of `vprintf`.

#ifndef DIALECTS_NV_TILEAS_PRINTING_H
#define DIALECTS_NV_TILEAS_PRINTING_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Maximum number of values of a call (CUDA C++ Programming Guide, formatted
/// output), and the bytes of each on its way to the printing thread.
inline constexpr int64_t kPrintValues = 32, kPrintValueBytes = 8;

/// Returns the number of values that `op` prints: 1 for a scalar, all elements
/// for a tile.
int64_t getNumPrintedValues(mlir::nv_tileas::PrintOp op);

} // namespace tileir

#endif // DIALECTS_NV_TILEAS_PRINTING_H
