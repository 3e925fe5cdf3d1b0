// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/PassAlias.h"
#include "passes/tileas/Passes.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

namespace tileir {

using namespace mlir;

namespace {

struct MaterializeAsyncOptions : PassPipelineOptions<MaterializeAsyncOptions> {
  Option<unsigned> numStages{*this, "num-stages",
                             llvm::cl::desc("As of tileas-stage-operands"),
                             llvm::cl::init(0)};
};

} // namespace

void registerTileASAliases() {
  PassPipelineRegistration<MaterializeAsyncOptions>(
      "tileas-materialize-async",
      "Another name of tileas-stage-operands, tileas-materialize-mma and "
      "tileas-place-accumulators",
      [](OpPassManager &manager, const MaterializeAsyncOptions &options) {
        TileASStageOperandsOptions stage;
        stage.numStages = options.numStages;
        manager.addPass(createTileASStageOperands(stage));
        manager.addPass(createTileASMaterializeMma());
        manager.addPass(createTileASPlaceAccumulators());
      });
  registerPassAlias("tileas-skew-products",
                    "Another name of tileas-shift-chained-dots",
                    [] { return createTileASShiftChainedDots(); });
  registerPassAlias("tileas-stage-products",
                    "Another name of tileas-stage-register-operands",
                    [] { return createTileASStageRegisterOperands(); });
}

} // namespace tileir
