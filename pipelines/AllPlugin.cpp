// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "pipelines/Segments.h"

static void registerEverything() {
  tileir::registerTileIRPasses();
  tileir::registerTileIRPipelines();
}

TILEIR_PLUGIN("TileIR", tileir::registerTileIRDialects, registerEverything)
