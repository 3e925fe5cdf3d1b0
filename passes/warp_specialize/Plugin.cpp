// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "passes/warp_specialize/Passes.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry
      .insert<mlir::nv_tileaa::TileAADialect, mlir::nv_tileas::TileASDialect>();
}

TILEIR_PLUGIN("WarpSpecializePasses", registerDialects,
              tileir::registerWarpSpecializeFamily)
