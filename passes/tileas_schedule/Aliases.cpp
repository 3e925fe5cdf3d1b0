// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_schedule/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace tileir {

using namespace mlir;

using Create = std::unique_ptr<Pass> (*)();

/// Registers `alias` as another name of the pass that `create` returns, with
/// the same options.
static void registerAlias(StringRef alias, StringRef description,
                          Create create) {
  registerPassPipeline(
      alias, description,
      [create](OpPassManager &manager, StringRef options,
               llvm::function_ref<LogicalResult(const Twine &)> report) {
        std::unique_ptr<Pass> pass = create();
        if (failed(pass->initializeOptions(options, report)))
          return failure();
        manager.addPass(std::move(pass));
        return success();
      },
      [](llvm::function_ref<void(const detail::PassOptions &)>) {});
}

static std::unique_ptr<Pass> createGenerate() {
  return createTileASGenerateScheduleConstraints();
}

void registerTileASScheduleAliases() {
  registerAlias("tileas-generate-schedule",
                "Another name of tileas-generate-schedule-constraints",
                createGenerate);
  registerAlias("tileas-schedule-canonicalize", "Another name of canonicalize",
                [] { return createCanonicalizerPass(); });
  registerAlias("tileas-schedule-cse", "Another name of cse",
                [] { return createCSEPass(); });
}

} // namespace tileir
