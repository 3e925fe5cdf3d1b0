// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/cluster/ClusterExchange.h"

#include "dialects/nv_tileaa/ClusterOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

Value gatherFromCtas(OpBuilder &builder, Location loc, Value value,
                     unsigned dim, unsigned axes) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  if (tile)
    llvm::append_range(shape, tile.getShape());
  shape.insert(shape.begin() + dim, 1);
  auto type =
      RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()));
  if (tile)
    value = aa::ExpandDimsOp::create(builder, loc, type, value,
                                     ArrayRef<int32_t>{int32_t(dim)});
  else
    value = aa::SplatOp::create(builder, loc, type, value);
  shape[dim] = int64_t(1) << llvm::popcount(axes);
  return aa::ClusterGatherOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      dim, axes);
}

Value passFromFirst(OpBuilder &builder, Location loc, Value value,
                    unsigned axes) {
  Value all = gatherFromCtas(builder, loc, value, 0, axes);
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  Value zero =
      arith::ConstantIntOp::create(builder, loc, builder.getI32Type(), 0);
  if (!tile)
    return aa::ExtractOp::create(builder, loc, value.getType(), all, zero);
  SmallVector<int64_t> shape(tile.getShape());
  shape.insert(shape.begin(), 1);
  Value first = aa::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get(shape, tile.getElementType()), all,
      SmallVector<Value>(shape.size(), zero));
  return aa::ViewOp::create(builder, loc, tile, first);
}

} // namespace tileir
