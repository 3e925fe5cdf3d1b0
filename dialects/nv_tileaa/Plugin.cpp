// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/nv_tileaa/NVTileAA.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::nv_tileaa::TileAADialect>();
}

TILEIR_PLUGIN("NVTileAADialect", registerDialects, tileir::registerNoPasses)
