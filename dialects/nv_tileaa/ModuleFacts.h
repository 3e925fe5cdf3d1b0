// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that modules and functions state about the target and the launch.

#ifndef DIALECTS_NV_TILEAA_MODULEFACTS_H
#define DIALECTS_NV_TILEAA_MODULEFACTS_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Returns the target that the module around `op` names; none without one.
std::optional<Target> getTarget(mlir::Operation *op);

/// Unit, on a gpu.module: some instruction in it needs a chip name with a
/// suffix.
inline constexpr llvm::StringLiteral kNeedsAcceleratedArchAttr =
    "nv_tileas.needs_accelerated_arch";

/// Notes on the gpu.module at or around `op` that its code uses `feature`,
/// where the plain name of `target` does not offer it. Each place that emits an
/// instruction of such a feature calls this.
void noteFeature(mlir::Operation *op, const Target &target, Feature feature);

/// Returns the warps of `func`: its kernel_spec's, else the module's, else
/// `fallback`.
unsigned getNumWarps(mlir::nv_tileaa::FuncOp func, unsigned fallback = 4);

} // namespace tileir

#endif // DIALECTS_NV_TILEAA_MODULEFACTS_H
