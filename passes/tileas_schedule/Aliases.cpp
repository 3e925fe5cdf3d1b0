// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/PassAlias.h"
#include "passes/tileas_schedule/Passes.h"

#include "mlir/Transforms/Passes.h"

namespace tileir {

using namespace mlir;

static std::unique_ptr<Pass> createGenerate() {
  return createTileASGenerateScheduleConstraints();
}

void registerTileASScheduleAliases() {
  registerPassAlias("tileas-generate-schedule",
                    "Another name of tileas-generate-schedule-constraints",
                    createGenerate);
  registerPassAlias("tileas-schedule-canonicalize",
                    "Another name of canonicalize",
                    [] { return createCanonicalizerPass(); });
  registerPassAlias("tileas-schedule-cse", "Another name of cse",
                    [] { return createCSEPass(); });
}

} // namespace tileir
