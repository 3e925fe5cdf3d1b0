// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/MmaChoice.h"

#include "dialects/nv_tileaa/ModuleFacts.h"

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_TILEASASSIGNMMA
#include "passes/tileas/mma/TileASAssignMma.h.inc"

namespace {

struct TileASAssignMma final : impl::TileASAssignMmaBase<TileASAssignMma> {
  using TileASAssignMmaBase::TileASAssignMmaBase;

  void runOnOperation() override {
    mlir::nv_tileaa::FuncOp func = getOperation();
    std::optional<Target> target = getTarget(func);
    if (!func.isExternal() && target)
      assignMma(func, {getNumWarps(func), *target});
  }
};

} // namespace

} // namespace tileir
