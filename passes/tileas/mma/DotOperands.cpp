// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/DotOperands.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "passes/analysis/Remarks.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Returns the defining operation of `value`, past layout conversions.
template <typename OpTy> static OpTy getProducer(Value value) {
  while (auto convert = value.getDefiningOp<as::ConvertLayoutOp>())
    value = convert.getSource();
  return value.getDefiningOp<OpTy>();
}

/// `tile` before it was reshaped.
static Value getUnshaped(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    auto view = dyn_cast<as::ViewOp>(op);
    if (!isa<as::ConvertLayoutOp>(op) &&
        !(view && isa<RankedTensorType>(view.getSource().getType())))
      break;
    tile = op->getOperand(0);
  }
  return tile;
}

Value getPackedBytes(Value tile, unsigned kDim) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (kDim == 0) {
    auto permute = getProducer<as::PermuteOp>(tile);
    if (!permute || permute.getPermutation() != ArrayRef<int32_t>{1, 0})
      return {};
    tile = permute.getSource();
  }
  auto unpacked = getUnshaped(tile).getDefiningOp<as::BitcastOp>();
  if (!unpacked ||
      !getElementTypeOrSelf(unpacked.getSource().getType()).isInteger(8))
    return {};
  Value bytes = getUnshaped(unpacked.getSource());
  ArrayRef<int64_t> shape = cast<RankedTensorType>(bytes.getType()).getShape();
  int64_t rows = type.getDimSize(1 - kDim), pairs = type.getDimSize(kDim) / 2;
  // Others have the same order: reshapes keep it.
  return isa_and_present<as::TiledLoadOp, as::LoadOp>(bytes.getDefiningOp()) &&
                 shape != ArrayRef<int64_t>{rows, pairs}
             ? Value()
             : bytes;
}

void reportScaledByThreads(Operation *scaled, StringRef reason) {
  remark::missed(scaled->getLoc(),
                 remarkAbout(scaled, "ScaledProduct", "tileas"))
      << StringRef("threads multiply blocks by their scales")
      << remark::metric("Reason", reason);
}

DotOperands getDotOperands(as::DotOp dot) {
  DotOperands operands = {dot.getA(),
                          dot.getB(),
                          Value(),
                          Value(),
                          getElementTypeOrSelf(dot.getA().getType()),
                          getElementTypeOrSelf(dot.getB().getType())};
  if (!dot.needsDecomposition())
    return operands;
  operands.scaleA = dot.getScaleA();
  operands.scaleB = dot.getScaleB();
  if (operands.isPacked()) {
    operands.a = getPackedBytes(dot.getA(), /*kDim=*/1);
    operands.b = getPackedBytes(dot.getB(), /*kDim=*/0);
  }
  return operands;
}

} // namespace tileir
