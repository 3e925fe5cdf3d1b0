// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TOOLS_DRIVER_TILETEXT_H
#define TOOLS_DRIVER_TILETEXT_H

#include "dialects/cuda_tile/CudaTile.h"
#include "serialize/ptx/DeviceModule.h"

namespace tileir::driver {

/// The contents of `kernels` as text, and in the location of each operation the
/// line that it is on, for debuggers that show the tile program. Empty, and
/// nothing noted, when the module has no debug information.
TileText noteTileText(mlir::cuda_tile::ModuleOp kernels);

} // namespace tileir::driver

#endif // TOOLS_DRIVER_TILETEXT_H
