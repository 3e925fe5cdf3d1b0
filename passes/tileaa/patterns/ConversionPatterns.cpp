// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for conversions between element types and of bits.

#include "passes/tileaa/patterns/Lowering.h"
#include "passes/tileaa/patterns/UnsignedFloat.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

/// Returns whether `type` is tf32, f8 or f4: upstream converts integers only to
/// and from the other floats.
bool isNarrowFloat(Type type) {
  return isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType>(getElementTypeOrSelf(type));
}

bool saturates(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(
      getElementTypeOrSelf(type));
}

/// Returns whether the second type holds every value of the first.
bool isExact(Type from, Type to) {
  const llvm::fltSemantics &source =
      cast<FloatType>(getElementTypeOrSelf(from)).getFloatSemantics();
  const llvm::fltSemantics &target =
      cast<FloatType>(getElementTypeOrSelf(to)).getFloatSemantics();
  return APFloat::isRepresentableBy(source, target);
}

/// `value` in f32 where its type is narrower and unknown upstream, else
/// unchanged.
Value toF32(ConversionPatternRewriter &rewriter, Location loc, Value value) {
  if (!isNarrowFloat(value.getType()))
    return value;
  return aa::FpToFpOp::create(
      rewriter, loc,
      aa::withElementType(value.getType(), rewriter.getF32Type()), value,
      aa::RoundingMode::NearestEven, /*saturate=*/false);
}

/// The operand of the conversion `op`, in the numbers of the later levels.
template <typename SourceOp>
Value readFloat(ConversionPatternRewriter &rewriter, SourceOp op,
                Value carried) {
  if (isUnsignedFloat(op.getFrom().getType()))
    return decodeUnsignedFloat(rewriter, op.getLoc(), carried);
  return carried;
}

Value createFloat(ConversionPatternRewriter &rewriter, Location loc, Type type,
                  const APFloat &number) {
  return createSplat(rewriter, loc, type,
                     FloatAttr::get(getElementTypeOrSelf(type), number));
}

Value createInteger(ConversionPatternRewriter &rewriter, Location loc,
                    Type type, const APInt &number) {
  return createSplat(rewriter, loc, type,
                     IntegerAttr::get(getElementTypeOrSelf(type), number));
}

/// The significant bits of a tf32 in its four bytes: memory ignores the low
/// ones, and no operation may see them.
constexpr uint32_t kTF32Bits = 0xffffe000;

/// Rounds the f32 `source` to tf32, ties away from zero: adds half a unit to
/// the bits, for either sign, and truncates. Values out of range become
/// infinite, and infinities stay.
Value roundAwayToTF32(ConversionPatternRewriter &rewriter, Location loc,
                      Value source) {
  Type type = source.getType();
  Type bitsType = aa::withElementType(type, rewriter.getI32Type());
  auto constant = [&](uint64_t bits) {
    return createInteger(rewriter, loc, bitsType, APInt(32, bits));
  };
  Value bits = arith::BitcastOp::create(rewriter, loc, bitsType, source);
  bits = arith::AddIOp::create(rewriter, loc, bits, constant(0x1000));
  bits = arith::AndIOp::create(rewriter, loc, bits, constant(kTF32Bits));
  Value rounded = arith::BitcastOp::create(rewriter, loc, type, bits);
  // The payload of a NaN may be all ones.
  Value isNan = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::UNO,
                                      source, source);
  return arith::SelectOp::create(rewriter, loc, isNan, source, rounded);
}

struct FToFLowering final : Lowering<cuda_tile::FToFOp> {
  LogicalResult lower() {
    Type type = getResultType();
    Value source = readFloat(rewriter, op, adaptor.getFrom());
    if (isUnsignedFloat(op.getType())) {
      Type f32 = aa::withElementType(type, rewriter.getF32Type());
      if (!getElementTypeOrSelf(source.getType()).isF64() &&
          source.getType() != f32)
        source = aa::FpToFpOp::create(rewriter, loc, f32, source,
                                      aa::RoundingMode::NearestEven,
                                      /*saturate=*/false);
      return replace(encodeUnsignedFloat(rewriter, loc, source));
    }
    aa::RoundingMode mode = toTileAA(op.getRoundingMode());
    // A conversion without loss ignores the rounding mode.
    if (source.getType() == type) {
      rewriter.replaceOp(op, source);
      return success();
    }
    if (isExact(source.getType(), type) &&
        !isa<Float8E8M0FNUType>(getElementTypeOrSelf(type))) {
      mode = aa::RoundingMode::NearestEven;
    } else if (op.getRoundingMode() == cuda_tile::RoundingMode::NEAREST_AWAY) {
      // Only a conversion from f32 to tf32 supports this mode.
      if (!isa<FloatTF32Type>(getElementTypeOrSelf(type)) ||
          !getElementTypeOrSelf(source.getType()).isF32())
        return rewriter.notifyMatchFailure(
            op, "only f32 to tf32 rounds to nearest away");
      source = roundAwayToTF32(rewriter, loc, source);
      mode = aa::RoundingMode::Zero;
    }
    return replace(aa::FpToFpOp::create(rewriter, loc, type, source, mode,
                                        saturates(type)));
  }
};

struct FToILowering final : Lowering<cuda_tile::FToIOp> {
  /// Saturates a conversion: values out of range become the nearest number of
  /// the type, NaN becomes zero. Selects come after the conversion, whose own
  /// result is undefined for such values.
  static Value saturate(ConversionPatternRewriter &rewriter, Location loc,
                        Value source, Value converted, bool isSignedOp) {
    Type type = converted.getType();
    unsigned bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
    const llvm::fltSemantics &semantics =
        cast<FloatType>(getElementTypeOrSelf(source.getType()))
            .getFloatSemantics();
    // The first powers of two beyond the range are exact, or infinite; no
    // finite value is beyond an infinite one.
    auto power = [&](unsigned exponent, bool isNegative) {
      APFloat number =
          scalbn(APFloat(semantics, 1), exponent, APFloat::rmNearestTiesToEven);
      if (isNegative)
        number.changeSign();
      return createFloat(rewriter, loc, source.getType(), number);
    };
    auto choose = [&](arith::CmpFPredicate predicate, Value bound,
                      const APInt &limit) {
      Value isBeyond =
          arith::CmpFOp::create(rewriter, loc, predicate, source, bound);
      converted = arith::SelectOp::create(
          rewriter, loc, isBeyond, createInteger(rewriter, loc, type, limit),
          converted);
    };
    if (isSignedOp) {
      choose(arith::CmpFPredicate::OGE, power(bits - 1, false),
             APInt::getSignedMaxValue(bits));
      choose(arith::CmpFPredicate::OLE, power(bits - 1, true),
             APInt::getSignedMinValue(bits));
    } else {
      choose(arith::CmpFPredicate::OGE, power(bits, false),
             APInt::getMaxValue(bits));
      choose(arith::CmpFPredicate::OLE,
             createFloat(rewriter, loc, source.getType(),
                         APFloat::getZero(semantics)),
             APInt::getZero(bits));
    }
    choose(arith::CmpFPredicate::UNO, source, APInt::getZero(bits));
    return converted;
  }

  LogicalResult lower() {
    Value source =
        toF32(rewriter, loc, readFloat(rewriter, op, adaptor.getFrom()));
    Type type = getResultType();
    // A conversion to i1 without saturation compares with zero.
    if (getElementTypeOrSelf(type).isInteger(1) && !op.getSaturating()) {
      Value zero = createFloat(
          rewriter, loc, source.getType(),
          APFloat::getZero(cast<FloatType>(getElementTypeOrSelf(source))
                               .getFloatSemantics()));
      return replace(arith::CmpFOp::create(
          rewriter, loc, arith::CmpFPredicate::UNE, source, zero));
    }
    Value result =
        isSigned(op.getSignedness())
            ? Value(arith::FPToSIOp::create(rewriter, loc, type, source))
            : Value(arith::FPToUIOp::create(rewriter, loc, type, source));
    if (op.getSaturating())
      result =
          saturate(rewriter, loc, source, result, isSigned(op.getSignedness()));
    return replace(result);
  }
};

struct IToFLowering final : Lowering<cuda_tile::IToFOp> {
  LogicalResult lower() {
    Type type = getResultType();
    Value source = adaptor.getFrom();
    // A long integer would be rounded twice by way of f32; such integers are
    // out of range for f8 and f4.
    bool isLong =
        getElementTypeOrSelf(source.getType()).getIntOrFloatBitWidth() >
        APFloat::semanticsPrecision(APFloat::IEEEsingle());
    bool roundsTwice = isLong && isa<FloatTF32Type>(getElementTypeOrSelf(type));
    Type direct = isNarrowFloat(type) && !roundsTwice
                      ? aa::withElementType(type, rewriter.getF32Type())
                      : type;
    Value result =
        isSigned(op.getSignedness())
            ? Value(arith::SIToFPOp::create(rewriter, loc, direct, source))
            : Value(arith::UIToFPOp::create(rewriter, loc, direct, source));
    if (isUnsignedFloat(op.getType()))
      result = encodeUnsignedFloat(rewriter, loc, result);
    else if (direct != type)
      result =
          aa::FpToFpOp::create(rewriter, loc, type, result,
                               aa::RoundingMode::NearestEven, saturates(type));
    return replace(result);
  }
};

struct ExtILowering final : Lowering<cuda_tile::ExtIOp> {
  LogicalResult lower() {
    Type type = getResultType();
    Value result = isSigned(op.getSignedness())
                       ? Value(arith::ExtSIOp::create(rewriter, loc, type,
                                                      adaptor.getFrom()))
                       : Value(arith::ExtUIOp::create(rewriter, loc, type,
                                                      adaptor.getFrom()));
    return replace(result);
  }
};

/// The bit number, in its byte, of each of `rows` x 8 booleans.
Value bitNumbers(ConversionPatternRewriter &rewriter, Location loc,
                 RankedTensorType type) {
  auto row = RankedTensorType::get({8}, type.getElementType());
  Value range = aa::MakeRangeOp::create(rewriter, loc, row, 0, 8);
  auto unit = RankedTensorType::get({1, 8}, type.getElementType());
  Value expanded = aa::ExpandDimsOp::create(rewriter, loc, unit, range,
                                            ArrayRef<int32_t>{0});
  if (unit == type)
    return expanded;
  return aa::BroadcastOp::create(rewriter, loc, type, expanded);
}

/// Packs eight booleans into a byte, the first one lowest; a boolean in a tile
/// of `nv_tileaa` takes a whole byte.
struct PackBooleans final : Lowering<cuda_tile::PackOp> {
  LogicalResult lower() {
    Value source = adaptor.getSource();
    if (!getElementTypeOrSelf(source.getType()).isInteger(1))
      return rewriter.notifyMatchFailure(op, "the source is not of i1");
    auto type = cast<RankedTensorType>(getResultType());
    Type byte = type.getElementType();
    auto rows = RankedTensorType::get({type.getDimSize(0), 8}, byte);
    Value bits = arith::ExtUIOp::create(
        rewriter, loc, RankedTensorType::get({type.getDimSize(0) * 8}, byte),
        source);
    bits = aa::ViewOp::create(rewriter, loc, rows, bits);
    bits = arith::ShLIOp::create(rewriter, loc, bits,
                                 bitNumbers(rewriter, loc, rows));
    auto reduce = aa::ReduceOp::create(
        rewriter, loc, TypeRange(type), bits, /*axis=*/1,
        rewriter.getArrayAttr(rewriter.getIntegerAttr(byte, 0)));
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&reduce.getBody(), {},
                                       TypeRange{byte, byte}, {loc, loc});
    Value both = arith::OrIOp::create(rewriter, loc, body->getArgument(0),
                                      body->getArgument(1));
    aa::YieldOp::create(rewriter, loc, both);
    return replace(reduce.getResult(0));
  }
};

struct UnpackBooleans final : Lowering<cuda_tile::UnpackOp> {
  LogicalResult lower() {
    auto type = cast<RankedTensorType>(getResultType());
    if (!type.getElementType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "the result is not of i1");
    Value source = adaptor.getSource();
    Type byte = getElementTypeOrSelf(source.getType());
    int64_t count = type.getDimSize(0) / 8;
    auto rows = RankedTensorType::get({count, 8}, byte);
    Value bits = aa::ExpandDimsOp::create(
        rewriter, loc, RankedTensorType::get({count, 1}, byte), source,
        ArrayRef<int32_t>{1});
    bits = aa::BroadcastOp::create(rewriter, loc, rows, bits);
    bits = arith::ShRUIOp::create(rewriter, loc, bits,
                                  bitNumbers(rewriter, loc, rows));
    bits = aa::ViewOp::create(rewriter, loc,
                              RankedTensorType::get({count * 8}, byte), bits);
    return replace(arith::TruncIOp::create(rewriter, loc, type, bits));
  }
};

/// Reinterprets a rank-1 tile, `type` elements of the result, by way of the
/// four bytes of tf32 with the insignificant bits cleared.
template <typename SourceOp> struct TF32Bytes final : Lowering<SourceOp> {
  LogicalResult lower() {
    auto type = cast<RankedTensorType>(this->getResultType());
    auto sourceType =
        cast<RankedTensorType>(this->adaptor.getSource().getType());
    bool isToTF32 = isa<FloatTF32Type>(type.getElementType());
    if (!isToTF32 && !isa<FloatTF32Type>(sourceType.getElementType()))
      return this->rewriter.notifyMatchFailure(this->op,
                                               "no element is a tf32");
    Type words = aa::withElementType(isToTF32 ? type : sourceType,
                                     this->rewriter.getI32Type());
    Value bits = aa::BitcastOp::create(this->rewriter, this->loc, words,
                                       this->adaptor.getSource());
    bits = arith::AndIOp::create(
        this->rewriter, this->loc, bits,
        createInteger(this->rewriter, this->loc, words, APInt(32, kTF32Bits)));
    return this->replace(
        aa::BitcastOp::create(this->rewriter, this->loc, type, bits));
  }
};

} // namespace

void populateConversionPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns,
                                CudaTileConversion &conversion) {
  using namespace cuda_tile;
  addLowerings<PackBooleans, UnpackBooleans, TF32Bytes<PackOp>,
               TF32Bytes<UnpackOp>>(converter, patterns, conversion,
                                    /*benefit=*/2);
  addLowerings<ExtILowering, FToFLowering, FToILowering, IToFLowering,
               RetypeLowering<BitcastOp, arith::BitcastOp>,
               RetypeLowering<PackOp, aa::BitcastOp>,
               RetypeLowering<UnpackOp, aa::BitcastOp>,
               RetypeLowering<PtrToPtrOp, aa::BitcastOp>>(converter, patterns,
                                                          conversion);
}

} // namespace tileir
