// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes of one call of `vprintf`.

#ifndef DIALECTS_NV_TILEAS_PRINTING_H
#define DIALECTS_NV_TILEAS_PRINTING_H

#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Values that a call prints at most (CUDA C++ Programming Guide, formatted
/// output), and the bytes that each has on its way to the thread that prints.
inline constexpr int64_t kPrintValues = 32, kPrintValueBytes = 8;

/// Returns the number of values that `op` prints: 1 of a scalar, all of a tile.
int64_t getNumPrintedValues(mlir::nv_tileas::PrintOp op);

} // namespace tileir

#endif // DIALECTS_NV_TILEAS_PRINTING_H
