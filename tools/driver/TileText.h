// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_TILETEXT_H
#define TOOLS_DRIVER_TILETEXT_H

#include "dialects/cuda_tile/CudaTile.h"
#include "serialize/ptx/DeviceModule.h"

namespace tileir::driver {

/// Prints `kernels` as text, and sets the location of each operation to its
/// line in the text, for debuggers that show the tile program. Returns an empty
/// text, and changes nothing, if the module has no debug information.
TileText noteTileText(mlir::cuda_tile::ModuleOp kernels);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_TILETEXT_H
