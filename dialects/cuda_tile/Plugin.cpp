// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/support/Plugin.h"

#include "dialects/cuda_tile/CudaTile.h"

TILEIR_PLUGIN("CudaTileDialect", mlir::cuda_tile::registerDialectWithFlags,
              tileir::registerNoPasses)
