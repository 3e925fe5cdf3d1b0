// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/PassAlias.h"
#include "passes/warp_specialize/Passes.h"

namespace tileir {

void registerWarpSpecializeAliases() {
  registerPassAlias("tileas-split-issuers",
                    "Another name of tileas-split-copy-and-mma-warps",
                    [] { return createTileASSplitCopyAndMmaWarps(); });
}

} // namespace tileir
