// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/nv_tileas/NVTileAS.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  // Types of nv_tileaa may occur before the first operation that loads the
  // dialect.
  registry
      .insert<mlir::nv_tileaa::TileAADialect, mlir::nv_tileas::TileASDialect>();
}

TILEIR_PLUGIN("NVTileASDialect", registerDialects, tileir::registerNoPasses)
