// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/support/Plugin.h"
#include "pipelines/Segments.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  tileir::registerTileIRDialects(registry);
  mlir::cuda_tile::registerDialectWithFlags(registry);
}

static void registerEverything() {
  tileir::registerTileIRPasses();
  tileir::registerTileIRPipelines();
}

TILEIR_PLUGIN("TileIR", registerDialects, registerEverything)
