// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/FunctionInfo.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

LogicalResult verifyLayouts(aa::FuncOp func, unsigned numWarps) {
  auto check = [&](Operation *op, Type type) -> LogicalResult {
    if (!isa<RankedTensorType>(type))
      return success();
    nv_tileas::LayoutAttr layout = nv_tileas::getTileLayout(type);
    if (!layout)
      return op->emitError("tile of type ") << type << " has no layout";
    if ((1u << layout.getNumWarpBits()) != numWarps)
      return op->emitError("layout has ")
             << layout.getNumWarpBits()
             << " warp bases but the enclosing agent has " << numWarps
             << " warps";
    return success();
  };
  WalkResult result = func->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (failed(check(op, type)))
        return WalkResult::interrupt();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Type type : block.getArgumentTypes())
          if (failed(check(op, type)))
            return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

} // namespace tileir
