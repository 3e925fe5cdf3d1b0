// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_PASSES_H
#define PASSES_TILEAS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/tileas/Passes.h.inc"

/// Registers former names of passes: `tileas-skew-products`,
/// `tileas-stage-products`, and `tileas-materialize-async` of three passes that
/// were one.
void registerTileASAliases();

/// Every name that the family registers.
inline void registerTileASFamily() {
  registerTileASPasses();
  registerTileASAliases();
}

} // namespace tileir

#endif // PASSES_TILEAS_PASSES_H
