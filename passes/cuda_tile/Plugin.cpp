// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"
#include "dialects/cuda_tile/CudaTile.h"
#include "passes/cuda_tile/Passes.h"

TILEIR_PLUGIN("CudaTilePasses", mlir::cuda_tile::registerDialectWithFlags,
              tileir::registerCudaTilePasses)
