// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_TILEIRVERIFYLOWERED
#include "passes/nvvm_finalize/TileIRVerifyLowered.h.inc"

namespace {

using namespace mlir;

struct TileIRVerifyLowered final
    : impl::TileIRVerifyLoweredBase<TileIRVerifyLowered> {
  void runOnOperation() override;
};

} // namespace

static bool isTileDialect(StringRef name) {
  return name == "cuda_tile" || name == "nv_tileaa" || name == "nv_tileas";
}

/// Returns whether `type` is or contains a type that the LLVM conversions do
/// not support.
static bool isTileType(Type type) {
  return type
      .walk([](Type nested) {
        return isa<TensorType>(nested) ||
                       isTileDialect(nested.getDialect().getNamespace())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The type of the first value of `op` (results, then arguments of its regions)
/// that no conversion supports; null if there is none.
static Type firstTileType(Operation *op) {
  for (Type type : op->getResultTypes())
    if (isTileType(type))
      return type;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (isTileType(type))
          return type;
  return {};
}

void TileIRVerifyLowered::runOnOperation() {
  WalkResult result = getOperation()->walk<WalkOrder::PreOrder>(
      [&](Operation *op) -> WalkResult {
        if (isTileDialect(op->getName().getDialectNamespace()) ||
            isa<UnrealizedConversionCastOp>(op)) {
          op->emitError() << "'" << op->getName()
                          << "' survived the tile lowering";
          return WalkResult::interrupt();
        }
        if (Type type = firstTileType(op)) {
          op->emitError() << "'" << op->getName() << "' has a value of type "
                          << type << " that no later pass converts";
          return WalkResult::interrupt();
        }
        return WalkResult::advance();
      });
  if (result.wasInterrupted())
    return signalPassFailure();
  markAllAnalysesPreserved();
}

} // namespace tileir
