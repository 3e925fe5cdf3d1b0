// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/mma/DotOperands.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/nv_tileas/ScaledBlocks.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Returns the defining operation of `value`, past layout conversions.
template <typename OpTy> static OpTy getProducer(Value value) {
  while (auto convert = value.getDefiningOp<as::ConvertLayoutOp>())
    value = convert.getSource();
  return value.getDefiningOp<OpTy>();
}

/// Returns the source of the conversion of `value` to bf16, if its type was one
/// of `Types`; null otherwise.
template <typename... Types> static Value getNarrow(Value value) {
  auto convert = getProducer<as::FpToFpOp>(value);
  if (!convert || !getElementTypeOrSelf(convert.getType()).isBF16())
    return {};
  Value source = convert.getSource();
  return isa<Types...>(getElementTypeOrSelf(source.getType())) ? source
                                                               : Value();
}

/// The scales that are repeated for `block` elements along `kDim` of the tile
/// `value`; null if it does not repeat scales.
static Value getRepeated(Value value, unsigned kDim, int64_t block) {
  auto view = getProducer<as::ViewOp>(value);
  auto broadcast = view && !view.getStage()
                       ? getProducer<as::BroadcastOp>(view.getSource())
                       : as::BroadcastOp();
  auto expand = broadcast ? getProducer<as::ExpandDimsOp>(broadcast.getSource())
                          : as::ExpandDimsOp();
  if (!expand || int64_t(expand.getAxis()) != int64_t(kDim) + 1)
    return {};
  auto from = cast<RankedTensorType>(expand.getSource().getType()),
       to = cast<RankedTensorType>(value.getType()),
       between = cast<RankedTensorType>(broadcast.getType());
  if (to.getRank() != 2 || between.getRank() != 3 || from.getRank() != 2 ||
      between.getDimSize(kDim + 1) != block ||
      from.getDimSize(kDim) * block != to.getDimSize(kDim) ||
      from.getDimSize(1 - kDim) != to.getDimSize(1 - kDim))
    return {};
  return expand.getSource();
}

/// The scales of elements of type `element` in the tile `value`, if the
/// instruction takes them.
static Value getScales(Value value, unsigned kDim, Type element) {
  for (int64_t block : {32, 16}) {
    Value repeated = getRepeated(value, kDim, block);
    // The unit reads f8E4M3FN without its sign: values of negative scales are
    // undefined in `mmaf_scaled`, to which the product belongs.
    Value scales =
        repeated ? getNarrow<Float8E8M0FNUType, Float8E4M3FNType>(repeated)
                 : Value();
    if (scales && as::takesScaledBlock(
                      element, getElementTypeOrSelf(scales.getType()), block))
      return scales;
  }
  return {};
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

/// If `operand` is a multiplication by scales, fills in `tile`, the type of its
/// elements and `scale`; returns whether it is one.
static bool match(Value operand, unsigned kDim, Value &tile, Type &element,
                  Value &scale) {
  auto scaled = getProducer<arith::MulFOp>(operand);
  if (!scaled || !scaled->hasAttr(as::kScalesBlocksAttr))
    return false;
  Value sides[] = {scaled.getLhs(), scaled.getRhs()};
  for (unsigned i : {0, 1}) {
    tile =
        getNarrow<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(sides[i]);
    if (!tile)
      continue;
    element = getElementTypeOrSelf(tile.getType());
    scale = getScales(sides[1 - i], kDim, element);
    if (isa<Float4E2M1FNType>(element))
      tile = getPackedBytes(tile, kDim);
    if (tile && scale)
      return true;
  }
  return false;
}

void reportScaledByThreads(Operation *scaled, StringRef reason) {
  remark::missed(scaled->getLoc(),
                 remarkAbout(scaled, "ScaledProduct", "tileas"))
      << StringRef("threads multiply blocks by their scales")
      << remark::metric("Reason", reason);
}

DotOperands getDotOperands(as::DotOp dot) {
  DotOperands scaled;
  if (!dot.hasBuffers() && dot.getAtom().getAType().isBF16() &&
      match(dot.getA(), /*kDim=*/1, scaled.a, scaled.elementA, scaled.scaleA) &&
      match(dot.getB(), /*kDim=*/0, scaled.b, scaled.elementB, scaled.scaleB))
    return scaled;
  return {dot.getA(),
          dot.getB(),
          Value(),
          Value(),
          getElementTypeOrSelf(dot.getA().getType()),
          getElementTypeOrSelf(dot.getB().getType())};
}

} // namespace tileir
