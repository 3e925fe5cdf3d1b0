// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"

#include "dialects/cuda_tile/CudaTile.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::cuda_tile::CudaTileDialect>();
}

TILEIR_PLUGIN("CudaTileDialect", registerDialects, tileir::registerNoPasses)
