// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/mma/WarpgroupDots.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_TILEASPLACEACCUMULATORS
#include "passes/tileas/accumulators/TileASPlaceAccumulators.h.inc"

namespace {

struct TileASPlaceAccumulators final
    : impl::TileASPlaceAccumulatorsBase<TileASPlaceAccumulators> {
  using TileASPlaceAccumulatorsBase::TileASPlaceAccumulatorsBase;

  void runOnOperation() override {
    mlir::nv_tileaa::FuncOp func = getOperation();
    std::optional<Target> target = getTarget(func);
    if (func.isExternal() || !target)
      return markAllAnalysesPreserved();
    multiplyInTensorMemory(func, *target);
    carryWarpgroupDots(func);
  }
};

} // namespace

} // namespace tileir
