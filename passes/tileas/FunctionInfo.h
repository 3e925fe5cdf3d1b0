// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_FUNCTIONINFO_H
#define PASSES_TILEAS_FUNCTIONINFO_H

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"

namespace tileir {

/// Reports the first tile that no layout can distribute over threads: its
/// extents are no powers of two, or it is a constant whose elements are not
/// available.
mlir::LogicalResult verifyTiles(mlir::nv_tileaa::FuncOp func);

/// Reports the first tile without a register layout, or one that `verifyTiles`
/// reports, or with another number of warps than the function has.
mlir::LogicalResult verifyLayouts(mlir::nv_tileaa::FuncOp func,
                                  unsigned numWarps);

} // namespace tileir

#endif // PASSES_TILEAS_FUNCTIONINFO_H
