// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_FUNCTIONINFO_H
#define PASSES_TILEAS_FUNCTIONINFO_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

namespace tileir {

/// The target that the module around `op` names; none without one.
std::optional<Target> getTarget(mlir::Operation *op);

/// Warps of `func`: its kernel_spec's, else the module's, else `fallback`.
unsigned getNumWarps(mlir::nv_tileaa::FuncOp func, unsigned fallback = 4);

/// Reports the first tile without a register layout, or with another number of
/// warps than the function has.
mlir::LogicalResult verifyLayouts(mlir::nv_tileaa::FuncOp func,
                                  unsigned numWarps);

} // namespace tileir

#endif // PASSES_TILEAS_FUNCTIONINFO_H
