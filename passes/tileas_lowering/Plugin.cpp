// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Passes.h"

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Plugin.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<mlir::nv_tileaa::TileAADialect, mlir::nv_tileas::TileASDialect>();
}

TILEIR_PLUGIN("TileASLoweringPasses", registerDialects,
              tileir::registerTileASLoweringPasses)
