// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/cuda_tile/CudaTile.h"
#include "passes/cuda_tile/Passes.h"

static void registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::cuda_tile::CudaTileDialect>();
}

TILEIR_PLUGIN("CudaTilePasses", registerDialects,
              tileir::registerCudaTilePasses)
