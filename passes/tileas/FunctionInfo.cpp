// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/FunctionInfo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

/// Calls `check` with each operation of `func` and each type of its results and
/// of the arguments of its regions, until it fails.
static LogicalResult
checkTypes(aa::FuncOp func,
           function_ref<LogicalResult(Operation *, Type)> check) {
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

/// Most elements of a tile: layouts number them with 32 bits.
static constexpr int64_t kMaxElements = int64_t(1) << 31;

static LogicalResult checkShape(Operation *op, Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return success();
  int64_t left = kMaxElements;
  for (int64_t extent : tile.getShape()) {
    if (ShapedType::isDynamic(extent) || !llvm::isPowerOf2_64(extent))
      return op->emitError("tile of type ")
             << type
             << " has an extent that is not a power of two; pad it to one";
    left /= extent;
  }
  if (left == 0)
    return op->emitError("tile of type ")
           << type << " has more than " << kMaxElements
           << " elements; use smaller tiles";
  return success();
}

LogicalResult verifyTiles(aa::FuncOp func) {
  return checkTypes(func, [](Operation *op, Type type) -> LogicalResult {
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (isa<RankedTensorType>(type) &&
          !isa<DenseElementsAttr>(constant.getValue()))
        return op->emitError("constant of type ")
               << type << " does not list its elements; write them as dense";
    return checkShape(op, type);
  });
}

LogicalResult verifyLayouts(aa::FuncOp func, unsigned numWarps) {
  if (failed(verifyTiles(func)))
    return failure();
  return checkTypes(func, [&](Operation *op, Type type) -> LogicalResult {
    if (!isa<RankedTensorType>(type))
      return success();
    nv_tileas::LayoutAttr layout = nv_tileas::getTileLayout(type);
    if (!layout)
      return op->emitError("tile of type ")
             << type << " has no layout; run convert-tileaa-to-tileas";
    if ((1u << layout.getNumWarpBits()) != numWarps)
      return op->emitError("layout has ")
             << layout.getNumWarpBits()
             << " warp bases but the enclosing agent has " << numWarps
             << " warps";
    return success();
  });
}

} // namespace tileir
