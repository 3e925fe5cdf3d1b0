// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_CUDA_TILE_PASSES_H
#define PASSES_CUDA_TILE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/cuda_tile/Passes.h.inc"

} // namespace tileir

#endif // PASSES_CUDA_TILE_PASSES_H
