// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What modules and functions say about the target and the launch.

#ifndef DIALECTS_NV_TILEAA_MODULEFACTS_H
#define DIALECTS_NV_TILEAA_MODULEFACTS_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Returns the target that the module around `op` names; none without one.
std::optional<Target> getTarget(mlir::Operation *op);

/// Returns the warps of `func`: its kernel_spec's, else the module's, else
/// `fallback`.
unsigned getNumWarps(mlir::nv_tileaa::FuncOp func, unsigned fallback = 4);

} // namespace tileir

#endif // DIALECTS_NV_TILEAA_MODULEFACTS_H
