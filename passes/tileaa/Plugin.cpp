// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/tileaa/Passes.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::cuda_tile::CudaTileDialect,
                  mlir::nv_tileaa::TileAADialect>();
}

TILEIR_PLUGIN("TileAAPasses", registerDialects, tileir::registerTileAAPasses)
