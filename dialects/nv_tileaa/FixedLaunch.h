// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef DIALECTS_NV_TILEAA_FIXEDLAUNCH_H
#define DIALECTS_NV_TILEAA_FIXEDLAUNCH_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::nv_tileaa {

/// Unit attributes of a kernel whose number of warps or CTAs comes from a hint
/// or an option: `tileas-plan-cta` keeps it where possible.
inline constexpr StringLiteral kFixedWarpsAttr = "nv_tileaa.fixed_warps";
inline constexpr StringLiteral kFixedCtasAttr = "nv_tileaa.fixed_ctas";

} // namespace mlir::nv_tileaa

#endif // DIALECTS_NV_TILEAA_FIXEDLAUNCH_H
