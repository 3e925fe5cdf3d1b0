// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/ScaledFactors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Elements of K to a scale that is a power of two.
static constexpr int64_t kBlock = 32;

/// Returns what makes `value`, its layout aside.
template <typename OpTy> static OpTy getMaker(Value value) {
  while (auto convert = value.getDefiningOp<as::ConvertLayoutOp>())
    value = convert.getSource();
  return value.getDefiningOp<OpTy>();
}

/// Returns what `value` was before it became bf16, if its type was one of
/// `Types`; null otherwise.
template <typename... Types> static Value getNarrow(Value value) {
  auto convert = getMaker<as::FpToFpOp>(value);
  if (!convert || !getElementTypeOrSelf(convert.getType()).isBF16())
    return {};
  Value source = convert.getSource();
  return isa<Types...>(getElementTypeOrSelf(source.getType())) ? source
                                                               : Value();
}

/// The scales that are repeated along `kDim` of a tile as `value`; null when it
/// is nothing of the kind.
static Value getRepeated(Value value, unsigned kDim) {
  auto view = getMaker<as::ViewOp>(value);
  auto broadcast = view && !view.getStage()
                       ? getMaker<as::BroadcastOp>(view.getSource())
                       : as::BroadcastOp();
  auto expand = broadcast ? getMaker<as::ExpandDimsOp>(broadcast.getSource())
                          : as::ExpandDimsOp();
  if (!expand || int64_t(expand.getAxis()) != int64_t(kDim) + 1)
    return {};
  auto from = cast<RankedTensorType>(expand.getSource().getType()),
       to = cast<RankedTensorType>(value.getType()),
       between = cast<RankedTensorType>(broadcast.getType());
  if (to.getRank() != 2 || between.getRank() != 3 || from.getRank() != 2 ||
      between.getDimSize(kDim + 1) != kBlock ||
      from.getDimSize(kDim) * kBlock != to.getDimSize(kDim) ||
      from.getDimSize(1 - kDim) != to.getDimSize(1 - kDim))
    return {};
  return getNarrow<Float8E8M0FNUType>(expand.getSource());
}

/// Fills in `tile` and `scale` of what `factor` is the product of; returns
/// whether it is one.
static bool match(Value factor, unsigned kDim, Value &tile, Value &scale) {
  auto product = getMaker<arith::MulFOp>(factor);
  if (!product)
    return false;
  Value sides[] = {product.getLhs(), product.getRhs()};
  for (unsigned i : {0, 1}) {
    tile = getNarrow<Float8E4M3FNType, Float8E5M2Type>(sides[i]);
    scale = getRepeated(sides[1 - i], kDim);
    if (tile && scale)
      return true;
  }
  return false;
}

ProductFactors getFactors(as::DotOp dot) {
  ProductFactors scaled;
  if (!dot.hasBuffers() && dot.getAtom().getAType().isBF16() &&
      match(dot.getA(), /*kDim=*/1, scaled.a, scaled.scaleA) &&
      match(dot.getB(), /*kDim=*/0, scaled.b, scaled.scaleB))
    return scaled;
  return {dot.getA(), dot.getB(), Value(), Value()};
}

} // namespace tileir
