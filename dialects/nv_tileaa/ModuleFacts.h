// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of modules and functions about the target and the launch.

#ifndef DIALECTS_NV_TILEAA_MODULEFACTS_H
#define DIALECTS_NV_TILEAA_MODULEFACTS_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Returns the target of the module around `op`; none without one.
std::optional<Target> getTarget(mlir::Operation *op);

/// Unit, on a gpu.module: some instruction in it needs a chip name with a
/// suffix.
inline constexpr llvm::StringLiteral kNeedsAcceleratedArchAttr =
    "nv_tileas.needs_accelerated_arch";

/// Marks the gpu.module at or around `op` as a user of `feature`, where the
/// plain name of `target` lacks the feature. All code that emits an instruction
/// of such a feature calls it.
void noteFeature(mlir::Operation *op, const Target &target, Feature feature);

/// Returns the warps of `func`: of its kernel_spec, else of the module, else
/// `fallback`.
unsigned getNumWarps(mlir::nv_tileaa::FuncOp func, unsigned fallback = 4);

} // namespace tileir

#endif // DIALECTS_NV_TILEAA_MODULEFACTS_H
