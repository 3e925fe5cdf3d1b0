// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/cluster/ClusterRank.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace tileir {

using namespace mlir;

Value ClusterRank::getRank() {
  if (rank)
    return rank;
  OpBuilder builder = OpBuilder::atBlockBegin(&entry);
  // Clusters extend along x, and a tile block is a whole one.
  Value id = gpu::ClusterBlockIdOp::create(
      builder, loc, builder.getIndexType(), gpu::Dimension::x,
      builder.getIndexAttr(int64_t(1) << numAxes));
  return rank =
             arith::IndexCastOp::create(builder, loc, builder.getI32Type(), id);
}

Value ClusterRank::getPiece(unsigned axes) {
  Value &piece = pieces[axes];
  if (piece)
    return piece;
  Value all = getRank();
  if (axes + 1 == 1u << numAxes)
    return piece = all;
  OpBuilder builder(all.getContext());
  builder.setInsertionPointAfterValue(all);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, all.getType(), value);
  };
  unsigned next = 0;
  for (unsigned axis = 0; axis < numAxes; ++axis) {
    if (!(axes >> axis & 1))
      continue;
    Value bit = all;
    if (axis)
      bit = arith::ShRUIOp::create(builder, loc, bit, constant(axis));
    if (axis + 1 < numAxes)
      bit = arith::AndIOp::create(builder, loc, bit, constant(1));
    if (next)
      bit = arith::ShLIOp::create(builder, loc, bit, constant(next));
    piece = piece ? arith::OrIOp::create(builder, loc, piece, bit).getResult()
                  : bit;
    ++next;
  }
  return piece;
}

} // namespace tileir
