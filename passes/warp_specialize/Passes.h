// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_WARP_SPECIALIZE_PASSES_H
#define PASSES_WARP_SPECIALIZE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/warp_specialize/Passes.h.inc"

/// Registers the former name `tileas-split-issuers` of
/// `tileas-split-copy-and-mma-warps`.
void registerWarpSpecializeAliases();

/// Registers all names of the family.
inline void registerWarpSpecializeFamily() {
  registerWarpSpecializePasses();
  registerWarpSpecializeAliases();
}

} // namespace tileir

#endif // PASSES_WARP_SPECIALIZE_PASSES_H
