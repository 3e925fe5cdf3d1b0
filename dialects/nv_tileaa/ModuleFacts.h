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

/// Returns the registers that a thread of `func`, launched with `threads`
/// threads, may have by its `occupancy` and `max_regs`; none when they say
/// nothing.
std::optional<int64_t> getRegisterCap(mlir::nv_tileaa::FuncOp func,
                                      int64_t threads);

/// Returns the registers that a thread of a CTA of `threads` threads can have:
/// those that instructions can name, its share of an SM's, and what
/// `getRegisterCap` says of `func`, which may be null.
int64_t getRegisterLimit(mlir::nv_tileaa::FuncOp func, int64_t threads);

} // namespace tileir

#endif // DIALECTS_NV_TILEAA_MODULEFACTS_H
