// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_PASSES_H
#define PASSES_TILEAS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/tileas/Passes.h.inc"

/// The name of before of `tileas-stage-operands`, `tileas-materialize-mma` and
/// `tileas-place-accumulators`, which were one pass.
void registerTileASAliases();

/// Every name that the family registers.
inline void registerTileASFamily() {
  registerTileASPasses();
  registerTileASAliases();
}

} // namespace tileir

#endif // PASSES_TILEAS_PASSES_H
