// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/BlockScales.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_TILEASDECOMPOSEDOTSCALED
#include "passes/tileas/mma/TileASDecomposeDotScaled.h.inc"

namespace {

struct TileASDecomposeDotScaled final
    : impl::TileASDecomposeDotScaledBase<TileASDecomposeDotScaled> {
  using TileASDecomposeDotScaledBase::TileASDecomposeDotScaledBase;

  void runOnOperation() override { decomposeRefused(getOperation()); }
};

} // namespace

} // namespace tileir
