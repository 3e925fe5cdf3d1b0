// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/PassAlias.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace tileir {

using namespace mlir;

void registerPassAlias(StringRef alias, StringRef description,
                       std::unique_ptr<Pass> (*create)()) {
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

} // namespace tileir
