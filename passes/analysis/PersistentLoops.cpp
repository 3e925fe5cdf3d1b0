// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/PersistentLoops.h"

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

using namespace mlir;

bool isPersistentLoop(Operation *op) {
  auto loop = dyn_cast<scf::WhileOp>(op);
  return loop && loop.getConditionOp()
                     .getCondition()
                     .getDefiningOp<nv_tileas::IsValidProgramIdOp>();
}

} // namespace tileir
