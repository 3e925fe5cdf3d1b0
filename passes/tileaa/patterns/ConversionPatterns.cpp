// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for conversions between element types and of bits.

#include "passes/tileaa/patterns/ComputePatterns.h"
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

struct FToFLowering final : ComputePattern<cuda_tile::FToFOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::FToFOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
    Value source = readFloat(rewriter, op, adaptor.getFrom());
    if (isUnsignedFloat(op.getType())) {
      Type f32 = aa::withElementType(type, rewriter.getF32Type());
      if (!getElementTypeOrSelf(source.getType()).isF64() &&
          source.getType() != f32)
        source = aa::FpToFpOp::create(rewriter, op.getLoc(), f32, source,
                                      aa::RoundingMode::NearestEven,
                                      /*saturate=*/false);
      replace(rewriter, op, encodeUnsignedFloat(rewriter, op.getLoc(), source));
      return success();
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
      source = roundAwayToTF32(rewriter, op.getLoc(), source);
      mode = aa::RoundingMode::Zero;
    }
    replace(rewriter, op,
            aa::FpToFpOp::create(rewriter, op.getLoc(), type, source, mode,
                                 saturates(type)));
    return success();
  }
};

struct FToILowering final : ComputePattern<cuda_tile::FToIOp> {
  using ComputePattern::ComputePattern;

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

  LogicalResult
  matchAndRewrite(cuda_tile::FToIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = toF32(rewriter, op.getLoc(),
                         readFloat(rewriter, op, adaptor.getFrom()));
    Type type = getResultType(op);
    // A conversion to i1 without saturation compares with zero.
    if (getElementTypeOrSelf(type).isInteger(1) && !op.getSaturating()) {
      Value zero = createFloat(
          rewriter, op.getLoc(), source.getType(),
          APFloat::getZero(cast<FloatType>(getElementTypeOrSelf(source))
                               .getFloatSemantics()));
      replace(rewriter, op,
              arith::CmpFOp::create(rewriter, op.getLoc(),
                                    arith::CmpFPredicate::UNE, source, zero));
      return success();
    }
    Value result = isSigned(op.getSignedness())
                       ? Value(arith::FPToSIOp::create(rewriter, op.getLoc(),
                                                       type, source))
                       : Value(arith::FPToUIOp::create(rewriter, op.getLoc(),
                                                       type, source));
    if (op.getSaturating())
      result = saturate(rewriter, op.getLoc(), source, result,
                        isSigned(op.getSignedness()));
    replace(rewriter, op, result);
    return success();
  }
};

struct IToFLowering final : ComputePattern<cuda_tile::IToFOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::IToFOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
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
    Value result = isSigned(op.getSignedness())
                       ? Value(arith::SIToFPOp::create(rewriter, op.getLoc(),
                                                       direct, source))
                       : Value(arith::UIToFPOp::create(rewriter, op.getLoc(),
                                                       direct, source));
    if (isUnsignedFloat(op.getType()))
      result = encodeUnsignedFloat(rewriter, op.getLoc(), result);
    else if (direct != type)
      result =
          aa::FpToFpOp::create(rewriter, op.getLoc(), type, result,
                               aa::RoundingMode::NearestEven, saturates(type));
    replace(rewriter, op, result);
    return success();
  }
};

struct ExtILowering final : ComputePattern<cuda_tile::ExtIOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::ExtIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
    Value result = isSigned(op.getSignedness())
                       ? Value(arith::ExtSIOp::create(rewriter, op.getLoc(),
                                                      type, adaptor.getFrom()))
                       : Value(arith::ExtUIOp::create(rewriter, op.getLoc(),
                                                      type, adaptor.getFrom()));
    replace(rewriter, op, result);
    return success();
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
struct PackBooleans final : ComputePattern<cuda_tile::PackOp> {
  PackBooleans(const TypeConverter &converter, MLIRContext *context)
      : ComputePattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(cuda_tile::PackOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    if (!getElementTypeOrSelf(source.getType()).isInteger(1))
      return rewriter.notifyMatchFailure(op, "the source is not of i1");
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(getResultType(op));
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
    replace(rewriter, op, reduce.getResult(0));
    return success();
  }
};

struct UnpackBooleans final : ComputePattern<cuda_tile::UnpackOp> {
  UnpackBooleans(const TypeConverter &converter, MLIRContext *context)
      : ComputePattern(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(cuda_tile::UnpackOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(getResultType(op));
    if (!type.getElementType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "the result is not of i1");
    Location loc = op.getLoc();
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
    replace(rewriter, op, arith::TruncIOp::create(rewriter, loc, type, bits));
    return success();
  }
};

/// Reinterprets a rank-1 tile, `type` elements of the result, by way of the
/// four bytes of tf32 with the insignificant bits cleared.
template <typename SourceOp> struct TF32Bytes final : ComputePattern<SourceOp> {
  using Adaptor = typename ComputePattern<SourceOp>::Adaptor;

  TF32Bytes(const TypeConverter &converter, MLIRContext *context)
      : ComputePattern<SourceOp>(converter, context, /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(SourceOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(this->getResultType(op));
    auto sourceType = cast<RankedTensorType>(adaptor.getSource().getType());
    bool isToTF32 = isa<FloatTF32Type>(type.getElementType());
    if (!isToTF32 && !isa<FloatTF32Type>(sourceType.getElementType()))
      return rewriter.notifyMatchFailure(op, "no element is a tf32");
    Location loc = op.getLoc();
    Type words = aa::withElementType(isToTF32 ? type : sourceType,
                                     rewriter.getI32Type());
    Value bits =
        aa::BitcastOp::create(rewriter, loc, words, adaptor.getSource());
    bits = arith::AndIOp::create(
        rewriter, loc, bits,
        createInteger(rewriter, loc, words, APInt(32, kTF32Bits)));
    this->replace(rewriter, op,
                  aa::BitcastOp::create(rewriter, loc, type, bits));
    return success();
  }
};

} // namespace

void populateConversionPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  using namespace cuda_tile;
  patterns.add<ExtILowering, FToFLowering, FToILowering, IToFLowering,
               PackBooleans, UnpackBooleans, TF32Bytes<PackOp>,
               TF32Bytes<UnpackOp>, RetypeLowering<BitcastOp, arith::BitcastOp>,
               RetypeLowering<PackOp, aa::BitcastOp>,
               RetypeLowering<UnpackOp, aa::BitcastOp>,
               RetypeLowering<PtrToPtrOp, aa::BitcastOp>>(
      converter, patterns.getContext());
}

} // namespace tileir
