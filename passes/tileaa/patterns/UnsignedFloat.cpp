// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/patterns/UnsignedFloat.h"
#include "passes/tileaa/patterns/Lowering.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

bool isUnsignedFloat(Type type) {
  if (auto tile = dyn_cast<cuda_tile::TileType>(type))
    type = tile.getElementType();
  return isa<cuda_tile::FloatNV8E5M3FNUType>(getElementTypeOrSelf(type));
}

Type carryUnsignedFloat(Type type) {
  if (isa<cuda_tile::FloatNV8E5M3FNUType>(type))
    return Float8E8M0FNUType::get(type.getContext());
  return type;
}

DenseElementsAttr carryUnsignedFloat(DenseElementsAttr elements,
                                     ShapedType type) {
  return DenseElementsAttr::getFromRawBuffer(type, elements.getRawData());
}

namespace {

/// Builder of operations on values of one shape.
class Shaped {
public:
  Shaped(OpBuilder &builder, Location loc, Value like)
      : builder(builder), loc(loc), like(like.getType()) {}

  Type withElement(Type element) const {
    return aa::withElementType(like, element);
  }
  Type integers(unsigned bits) const {
    return withElement(builder.getIntegerType(bits));
  }
  Value constant(const APInt &bits) const {
    return constant(builder.getIntegerAttr(
        builder.getIntegerType(bits.getBitWidth()), bits));
  }
  Value constant(const APFloat &number, Type element) const {
    return constant(FloatAttr::get(element, number));
  }

private:
  Value constant(TypedAttr attr) const {
    return createSplat(builder, loc, withElement(attr.getType()), attr);
  }

  OpBuilder &builder;
  Location loc;
  Type like;
};

constexpr unsigned kMantissa = 3, kBias = 15;
constexpr unsigned kNaN = 0xFF, kLargest = 0xFE;

} // namespace

Value decodeUnsignedFloat(OpBuilder &builder, Location loc, Value value) {
  Shaped shaped(builder, loc, value);
  Type f32 = builder.getF32Type();
  const llvm::fltSemantics &semantics = APFloat::IEEEsingle();
  Value byte =
      arith::BitcastOp::create(builder, loc, shaped.integers(8), value);
  Value bits = arith::ExtUIOp::create(builder, loc, shaped.integers(32), byte);
  // Exponent and mantissa, shifted to their places in f32, are the number (or
  // the subnormal) divided by 2 to the difference of the biases.
  unsigned mantissa = APFloat::semanticsPrecision(semantics) - 1;
  bits = arith::ShLIOp::create(
      builder, loc, bits, shaped.constant(APInt(32, mantissa - kMantissa)));
  Value scaled =
      arith::BitcastOp::create(builder, loc, shaped.withElement(f32), bits);
  int bias = APFloat::semanticsMaxExponent(semantics);
  APFloat power = scalbn(APFloat(semantics, 1), bias - int(kBias),
                         APFloat::rmNearestTiesToEven);
  Value number =
      arith::MulFOp::create(builder, loc, scaled, shaped.constant(power, f32));
  Value isNaN = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      byte, shaped.constant(APInt(8, kNaN)));
  return arith::SelectOp::create(
      builder, loc, isNaN, shaped.constant(APFloat::getQNaN(semantics), f32),
      number);
}

Value encodeUnsignedFloat(OpBuilder &builder, Location loc, Value value) {
  Shaped shaped(builder, loc, value);
  auto type = cast<FloatType>(getElementTypeOrSelf(value.getType()));
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  unsigned width = type.getWidth();
  unsigned mantissa = APFloat::semanticsPrecision(semantics) - 1;
  unsigned shift = mantissa - kMantissa;
  int bias = APFloat::semanticsMaxExponent(semantics);
  auto power = [&](int exponent) {
    return scalbn(APFloat(semantics, 1), exponent,
                  APFloat::rmNearestTiesToEven);
  };
  auto toBits = [&](Value number) -> Value {
    return arith::BitcastOp::create(builder, loc, shaped.integers(width),
                                    number);
  };
  auto integer = [&](uint64_t bits) {
    return shaped.constant(APInt(width, bits));
  };
  auto number = [&](const APFloat &constant) {
    return shaped.constant(constant, type);
  };
  auto select = [&](arith::CmpFPredicate predicate, const APFloat &bound,
                    Value inside, Value outside) -> Value {
    Value is =
        arith::CmpFOp::create(builder, loc, predicate, value, number(bound));
    return arith::SelectOp::create(builder, loc, is, inside, outside);
  };

  // A normal number: the code adds half a unit of the last kept place, less one
  // where this place is even, so that the carry rounds. It subtracts the
  // difference of the biases in the same step.
  Value bits = toBits(value);
  Value last = arith::ShRUIOp::create(builder, loc, bits, integer(shift));
  Value isOdd = arith::AndIOp::create(builder, loc, last, integer(1));
  uint64_t half = (uint64_t(1) << (shift - 1)) - 1;
  uint64_t rebias = uint64_t(bias - int(kBias)) << mantissa;
  Value normal = arith::AddIOp::create(
      builder, loc, bits,
      shaped.constant(APInt(width, half) - APInt(width, rebias)));
  normal = arith::AddIOp::create(builder, loc, normal, isOdd);
  normal = arith::ShRUIOp::create(builder, loc, normal, integer(shift));

  // A subnormal: the code adds a number whose last place is one unit of the
  // subnormal.
  constexpr int kSmallestNormal = 1 - int(kBias);
  APFloat counter = power(kSmallestNormal - int(kMantissa) + int(mantissa));
  Value counted =
      toBits(arith::AddFOp::create(builder, loc, value, number(counter)));
  Value subnormal = arith::SubIOp::create(
      builder, loc, counted, shaped.constant(counter.bitcastToAPInt()));

  Value result = select(arith::CmpFPredicate::OLT, power(kSmallestNormal),
                        subnormal, normal);
  // The largest mantissa encodes NaN, so a value that rounds to it, or is above
  // it, is too large.
  APFloat largest = power(int(kBias) + 1);
  APFloat factor(semantics, 7);
  factor.divide(APFloat(semantics, 4), APFloat::rmNearestTiesToEven);
  largest.multiply(factor, APFloat::rmNearestTiesToEven);
  result =
      select(arith::CmpFPredicate::OGE, largest, integer(kLargest), result);
  result = select(arith::CmpFPredicate::OLE, APFloat::getZero(semantics),
                  integer(0), result);
  Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                      value, value);
  result = arith::SelectOp::create(builder, loc, isNaN, integer(kNaN), result);
  Value byte =
      arith::TruncIOp::create(builder, loc, shaped.integers(8), result);
  return arith::BitcastOp::create(
      builder, loc,
      shaped.withElement(Float8E8M0FNUType::get(builder.getContext())), byte);
}

} // namespace tileir
