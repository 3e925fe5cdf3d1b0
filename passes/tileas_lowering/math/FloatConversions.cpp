// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/Lowering.h"
#include "passes/tileas_lowering/Print.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tileir::lowering {

namespace {

/// Widths of exponent and mantissa of a signed float of 8 or 4 bits.
struct ByteFloat {
  unsigned bits, mantissaBits;
  int bias;
  /// Largest finite value, as f32.
  float maximum;
  /// Code of NaN. 4-bit floats have none; the code is given without the sign.
  uint8_t nan;

  static std::optional<ByteFloat> get(Type type) {
    if (isa<Float8E4M3FNType>(type))
      return ByteFloat{8, 3, 7, 448.0f, 0x7f};
    if (isa<Float8E5M2Type>(type))
      return ByteFloat{8, 2, 15, 57344.0f, 0x7f};
    if (isa<Float4E2M1FNType>(type))
      return ByteFloat{4, 1, 1, 6.0f, 0x7};
    return std::nullopt;
  }
};

/// Converts lists of scalars between float types.
class FloatConverter {
public:
  FloatConverter(Emitter &emitter, Type from, Type to,
                 nv_tileaa::RoundingMode rounding, bool saturate)
      : emitter(emitter), builder(emitter.builder), loc(emitter.loc),
        from(from), to(to), rounding(rounding), saturate(saturate) {}

  SmallVector<Value> run(ArrayRef<Value> values);

private:
  Value f32(float value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getF32Type(),
                                    builder.getF32FloatAttr(value));
  }
  /// Converts any float type to f32: exact up to 32 bits, rounded to odd from
  /// f64, so that a second rounding to fewer bits is correct.
  Value widen(Value value);
  Value roundToOdd(Value value);
  Value widenByte(Value value, const ByteFloat &format);
  /// Converts 8-bit floats to f16 with the hardware conversion, two at a time.
  SmallVector<Value> widenPairs(ArrayRef<Value> values);
  SmallVector<Value> narrowBytes(ArrayRef<Value> values,
                                 const ByteFloat &format);
  Value narrowByte(Value value, const ByteFloat &format);
  /// Converts to the power of two of f8E8M0FNU, rounded down or up.
  Value narrowScale(Value value);
  Value narrowTF32(Value value);
  Value narrow(Value value);

  Emitter &emitter;
  OpBuilder &builder;
  Location loc;
  Type from, to;
  nv_tileaa::RoundingMode rounding;
  bool saturate;
};

} // namespace

Value FloatConverter::widenByte(Value value, const ByteFloat &format) {
  Type half = builder.getF16Type();
  Value wide = emitter.resize(value, 16);
  if (format.mantissaBits == 2) // the upper byte of an f16
    return emitter.bitcast(emitter.shlConst(wide, 8), half);
  // The exponent bias of f16 is larger; a power of two corrects it, for
  // subnormals too.
  int64_t signBit = int64_t(1) << (format.bits - 1);
  Value sign =
      emitter.shlConst(emitter.andConst(wide, signBit), 16 - format.bits);
  Value magnitude = emitter.andConst(wide, signBit - 1);
  Value bits =
      LLVM::OrOp::create(builder, loc, sign,
                         emitter.shlConst(magnitude, 10 - format.mantissaBits));
  Value scale = LLVM::ConstantOp::create(
      builder, loc, half,
      builder.getF16FloatAttr(std::ldexp(1.0f, 15 - format.bias)));
  Value number =
      LLVM::FMulOp::create(builder, loc, emitter.bitcast(bits, half), scale);
  if (format.bits == 4)
    return number;
  Value nan = emitter.bitcast(emitter.constant(16, 0x7e00), half);
  Value isNan = emitter.icmp(LLVM::ICmpPredicate::eq, magnitude,
                             emitter.constant(16, 0x7f));
  return emitter.select(isNan, nan, number);
}

SmallVector<Value> FloatConverter::widenPairs(ArrayRef<Value> values) {
  SmallVector<Value> results;
  Type pairType = VectorType::get({2}, builder.getF16Type());
  for (size_t i = 0; i < values.size(); i += 2) {
    bool hasHigh = i + 1 < values.size();
    Value bytes = emitter.packVector(
        {values[i], hasHigh ? values[i + 1] : emitter.constant(8, 0)});
    Value pair = NVVM::ConvertF8x2ToF16x2Op::create(
        builder, loc, pairType, bytes, /*relu=*/false, from);
    results.push_back(emitter.extract(pair, 0));
    if (hasHigh)
      results.push_back(emitter.extract(pair, 1));
  }
  return results;
}

Value FloatConverter::widen(Value value) {
  Type wide = builder.getF32Type();
  if (from.isF32())
    return value;
  if (isa<FloatTF32Type>(from)) {
    // Four bytes from memory may hold more bits than the number.
    Value bits = LLVM::AndOp::create(
        builder, loc, emitter.bitcast(value, emitter.intType(32)),
        emitter.constant(32, 0xffffe000));
    return emitter.bitcast(bits, wide);
  }
  if (isa<Float8E8M0FNUType>(from)) {
    // 2^(x - 127); x = 0 is a subnormal f32, 255 is NaN.
    Value bits = emitter.shlConst(emitter.resize(value, 32), 23);
    bits = emitter.select(
        emitter.icmp(LLVM::ICmpPredicate::eq, value, emitter.constant(8, 0)),
        emitter.i32(0x00400000), bits);
    bits = emitter.select(
        emitter.icmp(LLVM::ICmpPredicate::eq, value, emitter.constant(8, 0xff)),
        emitter.i32(0x7fc00000), bits);
    return emitter.bitcast(bits, wide);
  }
  if (std::optional<ByteFloat> format = ByteFloat::get(from))
    return LLVM::FPExtOp::create(builder, loc, wide, widenByte(value, *format));
  if (from.isF64())
    return roundToOdd(value);
  return LLVM::FPExtOp::create(builder, loc, wide, value);
}

Value FloatConverter::roundToOdd(Value value) {
  Type wide = builder.getF32Type(), bitsType = emitter.intType(32);
  PtxBuilder ptx = emitter.ptx(PtxEffects::None);
  std::string result = ptx.out(wide), operand = ptx.in(value);
  Value cut =
      ptx.emit("cvt.rz.f32.f64 " + result + ", " + operand + ";").front();
  Value back = LLVM::FPExtOp::create(builder, loc, value.getType(), cut);
  Value isInexact =
      LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::one, back, value);
  Value sticky = LLVM::ZExtOp::create(builder, loc, bitsType, isInexact);
  Value bits =
      LLVM::OrOp::create(builder, loc, emitter.bitcast(cut, bitsType), sticky);
  return emitter.bitcast(bits, wide);
}

Value FloatConverter::narrowScale(Value value) {
  Value bits = emitter.bitcast(value, emitter.intType(32));
  Value exponent = emitter.shrConst(bits, 23);
  Value mantissa = emitter.andConst(bits, 0x7fffff);
  Value result = exponent;
  if (rounding == nv_tileaa::RoundingMode::PositiveInf) {
    // A subnormal number exceeds 2^-127 if it has more bits than that one.
    Value isSmall =
        emitter.icmp(LLVM::ICmpPredicate::eq, exponent, emitter.i32(0));
    Value least =
        emitter.select(isSmall, emitter.i32(0x400000), emitter.i32(0));
    Value isAbove = emitter.icmp(LLVM::ICmpPredicate::ugt, mantissa, least);
    result = emitter.add(
        exponent,
        LLVM::ZExtOp::create(builder, loc, emitter.intType(32), isAbove));
  }
  result = LLVM::UMinOp::create(builder, loc, result, emitter.i32(254));
  // The sign bit is part of `exponent`: negative numbers give the smallest
  // value.
  Value isNegative =
      emitter.icmp(LLVM::ICmpPredicate::slt, bits, emitter.i32(0));
  result = emitter.select(isNegative, emitter.i32(0), result);
  Value isNan = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno,
                                     value, value);
  result = emitter.select(isNan, emitter.i32(0xff), result);
  return emitter.resize(result, 8);
}

/// Rounds in the bits: `cvt.rn.tf32` and `cvt.rz.tf32` came after tf32.
Value FloatConverter::narrowTF32(Value value) {
  Value bits = emitter.bitcast(value, emitter.intType(32));
  Value rounded = bits;
  if (rounding == nv_tileaa::RoundingMode::NearestEven)
    rounded = emitter.add(emitter.add(bits, emitter.i32(0xfff)),
                          emitter.andConst(emitter.shrConst(bits, 13), 1));
  rounded = emitter.andConst(rounded, 0xffffe000);
  Value isNan = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::uno,
                                     value, value);
  rounded = emitter.select(isNan, emitter.i32(0x7fffe000), rounded);
  return emitter.bitcast(rounded, builder.getF32Type());
}

/// Rounds to nearest even and saturates to the largest finite number, like the
/// hardware conversion.
Value FloatConverter::narrowByte(Value value, const ByteFloat &format) {
  unsigned shift = 23 - format.mantissaBits;
  int minExponent = 1 - format.bias;
  Type wide = builder.getF32Type();
  Value bits = emitter.bitcast(value, emitter.intType(32));
  Value sign = emitter.andConst(emitter.shrConst(bits, 32 - format.bits),
                                int64_t(1) << (format.bits - 1));
  Value magnitudeBits = emitter.andConst(bits, 0x7fffffff);
  Value isNan = emitter.icmp(LLVM::ICmpPredicate::ugt, magnitudeBits,
                             emitter.i32(0x7f800000));
  Value limit = emitter.bitcast(f32(format.maximum), emitter.intType(32));
  Value clamped = LLVM::UMinOp::create(builder, loc, magnitudeBits, limit);
  // Normal numbers: round in the bits.
  Value odd = emitter.andConst(emitter.shrConst(clamped, shift), 1);
  Value rounded = emitter.add(
      emitter.add(clamped, emitter.i32((1 << (shift - 1)) - 1)), odd);
  Value normal = emitter.add(
      emitter.shrConst(rounded, shift),
      emitter.i32(-int64_t(127 - format.bias) << format.mantissaBits));
  // Subnormal numbers: adding a power of two rounds at the right bit.
  float magic = std::ldexp(1.0f, 23 + minExponent - int(format.mantissaBits));
  Value magnitude = emitter.bitcast(clamped, wide);
  Value sum = LLVM::FAddOp::create(builder, loc, magnitude, f32(magic));
  Value subnormal =
      emitter.andConst(emitter.bitcast(sum, emitter.intType(32)), 0xff);
  Value isSmall = emitter.icmp(LLVM::ICmpPredicate::ult, clamped,
                               emitter.i32(int64_t(127 + minExponent) << 23));
  Value result = emitter.select(isSmall, subnormal, normal);
  if (format.bits == 8)
    result = emitter.select(isNan, emitter.i32(format.nan), result);
  result = LLVM::OrOp::create(builder, loc, result, sign);
  if (format.bits == 4)
    result = emitter.select(isNan, emitter.i32(format.nan), result);
  return emitter.resize(result, 8);
}

SmallVector<Value> FloatConverter::narrowBytes(ArrayRef<Value> values,
                                               const ByteFloat &format) {
  SmallVector<Value> results;
  if (format.bits == 4 || !emitter.state.target.has(Feature::CvtFp8)) {
    for (Value value : values)
      results.push_back(narrowByte(widen(value), format));
    return results;
  }
  for (size_t i = 0; i < values.size(); i += 2) {
    Value low = widen(values[i]);
    Value high = i + 1 < values.size() ? widen(values[i + 1]) : f32(0.0f);
    Value pair = NVVM::ConvertF32x2ToF8x2Op::create(
        builder, loc, VectorType::get({2}, builder.getI8Type()), high, low,
        NVVM::FPRoundingMode::RN, NVVM::SaturationMode::SATFINITE,
        /*relu=*/false, to);
    results.push_back(emitter.extract(pair, 0));
    if (i + 1 < values.size())
      results.push_back(emitter.extract(pair, 1));
  }
  return results;
}

/// Returns the PTX name of a float type that `cvt` accepts.
static StringRef getPtxType(Type type) {
  return type.isF64()   ? "f64"
         : type.isF32() ? "f32"
         : type.isF16() ? "f16"
                        : "bf16";
}

Value FloatConverter::narrow(Value value) {
  if (isa<FloatTF32Type>(to))
    return narrowTF32(widen(value));
  if (isa<Float8E8M0FNUType>(to))
    return narrowScale(widen(value));
  Type source = value.getType();
  if (isa<IntegerType>(source) ||
      (source.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth() &&
       source != to)) {
    value = widen(value);
    source = value.getType();
  }
  if (saturate) {
    // Finite numbers stay finite; NaN passes through the comparisons.
    auto limits = [&](bool negative) -> Value {
      auto type = cast<FloatType>(to);
      APFloat largest = APFloat::getLargest(type.getFloatSemantics(), negative);
      bool lossy;
      largest.convert(cast<FloatType>(source).getFloatSemantics(),
                      APFloat::rmNearestTiesToEven, &lossy);
      return LLVM::ConstantOp::create(builder, loc, source,
                                      FloatAttr::get(source, largest));
    };
    Value high = limits(false), low = limits(true);
    Value above = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::ogt,
                                       value, high);
    value = emitter.select(above, high, value);
    Value below = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::olt,
                                       value, low);
    value = emitter.select(below, low, value);
  }
  if (source == to)
    return value;
  if (source.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth())
    return LLVM::FPExtOp::create(builder, loc, to, value);
  // Older GPUs have no `cvt.bf16.f64`; truncating twice equals truncating once.
  if (to.isBF16() && source.isF64() &&
      rounding != nv_tileaa::RoundingMode::NearestEven) {
    value = FloatConverter(emitter, source, builder.getF32Type(), rounding,
                           /*saturate=*/false)
                .narrow(value);
    source = value.getType();
  }
  StringRef mode;
  switch (rounding) {
  case nv_tileaa::RoundingMode::Zero:
    mode = "rz";
    break;
  case nv_tileaa::RoundingMode::NegativeInf:
    mode = "rm";
    break;
  case nv_tileaa::RoundingMode::PositiveInf:
    mode = "rp";
    break;
  default:
    return LLVM::FPTruncOp::create(builder, loc, to, value);
  }
  bool isHalf = to.getIntOrFloatBitWidth() == 16;
  PtxBuilder ptx = emitter.ptx(PtxEffects::None);
  std::string result = ptx.out(isHalf ? builder.getI16Type() : to),
              operand = ptx.in(value);
  Value converted =
      ptx.emit("cvt." + mode + "." + getPtxType(to) + "." + getPtxType(source) +
               " " + result + ", " + operand + ";")
          .front();
  return isHalf ? emitter.bitcast(converted, to) : converted;
}

SmallVector<Value> FloatConverter::run(ArrayRef<Value> values) {
  if (from != to && isa<Float8E4M3FNType, Float8E5M2Type>(from) &&
      emitter.state.target.has(Feature::CvtFp8)) {
    Type half = builder.getF16Type();
    return FloatConverter(emitter, half, to, rounding, saturate)
        .run(widenPairs(values));
  }
  if (std::optional<ByteFloat> format = ByteFloat::get(to))
    return from == to ? llvm::to_vector(values) : narrowBytes(values, *format);
  SmallVector<Value> results;
  for (Value value : values) {
    if (from == to)
      results.push_back(value);
    else if (to.isF32() && !from.isF64())
      results.push_back(widen(value));
    else
      results.push_back(narrow(value));
  }
  return results;
}

SmallVector<Value> widenToF64(Emitter &emitter, ArrayRef<Value> values,
                              Type from) {
  return FloatConverter(emitter, from, emitter.builder.getF64Type(),
                        nv_tileaa::RoundingMode::NearestEven,
                        /*saturate=*/false)
      .run(values);
}

/// Returns whether `arith` has no conversion of the pair that LLVM lowers.
static bool isSpecial(Type type) {
  return isa<FloatTF32Type>(type) ||
         (isa<FloatType>(type) && type.getIntOrFloatBitWidth() <= 8);
}

/// Converts the packed registers of a tile, or a scalar.
static SmallVector<Value> convertAll(Emitter &emitter, Type fromType,
                                     Type toType, ValueRange words,
                                     nv_tileaa::RoundingMode rounding,
                                     bool saturate) {
  SmallVector<Value> values = llvm::to_vector(words);
  if (auto tile = dyn_cast<RankedTensorType>(fromType))
    values = emitter.unpack(words, tile);
  FloatConverter converter(emitter, getElementTypeOrSelf(fromType),
                           getElementTypeOrSelf(toType), rounding, saturate);
  values = converter.run(values);
  if (auto tile = dyn_cast<RankedTensorType>(toType))
    values = emitter.pack(values, tile);
  return values;
}

namespace {

struct FpToFpLowering final : TilePattern<nv_tileas::FpToFpOp> {
  using TilePattern::TilePattern;

  LogicalResult
  matchAndRewrite(nv_tileas::FpToFpOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Emitter emitter(rewriter, op, state);
    rewriter.replaceOpWithMultiple(
        op,
        {convertAll(emitter, op.getSource().getType(), op.getType(),
                    adaptor.getSource(), op.getRounding(), op.getSaturate())});
    return success();
  }
};

template <typename OpTy> struct WidthLowering final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;
  using typename TilePattern<OpTy>::OneToNOpAdaptor;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType();
    nv_tileaa::RoundingMode rounding = nv_tileaa::RoundingMode::NearestEven;
    bool special = isSpecial(getElementTypeOrSelf(from)) ||
                   isSpecial(getElementTypeOrSelf(to));
    if constexpr (std::is_same_v<OpTy, arith::TruncFOp>) {
      switch (
          op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even)) {
      case arith::RoundingMode::downward:
        rounding = nv_tileaa::RoundingMode::NegativeInf;
        break;
      case arith::RoundingMode::upward:
        rounding = nv_tileaa::RoundingMode::PositiveInf;
        break;
      case arith::RoundingMode::toward_zero:
        rounding = nv_tileaa::RoundingMode::Zero;
        break;
      default:
        break;
      }
      special |= rounding != nv_tileaa::RoundingMode::NearestEven;
    }
    if (!special)
      return rewriter.notifyMatchFailure(op,
                                         "LLVM converts these types as asked");
    Emitter emitter(rewriter, op, this->state);
    rewriter.replaceOpWithMultiple(
        op, {convertAll(emitter, from, to, adaptor.getIn(), rounding,
                        /*saturate=*/false)});
    return success();
  }
};

} // namespace

/// Returns whether an integer has more bits than f32 and `to` has fewer; NVPTX
/// goes through f32 on GPUs that have no instruction for bf16.
static bool isRoundedTwice(Type from, Type to) {
  return from.getIntOrFloatBitWidth() > 24 &&
         (to.isBF16() || isa<FloatTF32Type>(to));
}

bool isWrongInNVPTX(Operation *op) {
  // For a boolean, NVPTX compares the bits of the float with zero. For a byte,
  // it assumes that the number fits: a larger one would overwrite the adjacent
  // bytes in the word.
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    Type to = getElementTypeOrSelf(op->getResult(0).getType());
    return to.isInteger(1) || to.isInteger(8);
  }
  // NVPTX converts a signed boolean to a bf16 1.
  if (isa<arith::SIToFPOp>(op) &&
      getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(1))
    return true;
  return isa<arith::SIToFPOp, arith::UIToFPOp>(op) &&
         isRoundedTwice(getElementTypeOrSelf(op->getOperand(0).getType()),
                        getElementTypeOrSelf(op->getResult(0).getType()));
}

namespace {

/// Converts between integers and floats. 8-bit floats and tf32 go through f32;
/// LLVM converts the other pairs where it is correct.
template <typename OpTy> struct IntegerLowering final : TilePattern<OpTy> {
  using TilePattern<OpTy>::TilePattern;
  using typename TilePattern<OpTy>::OneToNOpAdaptor;

  static constexpr bool kToInteger =
      llvm::is_one_of<OpTy, arith::FPToSIOp, arith::FPToUIOp>::value;
  static constexpr bool kIsSigned =
      llvm::is_one_of<OpTy, arith::FPToSIOp, arith::SIToFPOp>::value;

  LogicalResult
  matchAndRewrite(OpTy op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type from = op.getIn().getType(), to = op.getType();
    Type fromElement = getElementTypeOrSelf(from);
    Type toElement = getElementTypeOrSelf(to);
    bool isBool = kToInteger && toElement.isInteger(1);
    bool isByte = kToInteger && toElement.isInteger(8);
    bool isFromBool = !kToInteger && kIsSigned && fromElement.isInteger(1);
    bool roundsTwice = !kToInteger && isRoundedTwice(fromElement, toElement);
    if (!isSpecial(fromElement) && !isSpecial(toElement) && !isBool &&
        !isByte && !isFromBool && !roundsTwice)
      return rewriter.notifyMatchFailure(op,
                                         "LLVM converts between these types");
    Emitter emitter(rewriter, op, this->state);
    Type f32 = rewriter.getF32Type();
    // Booleans are exact in every type and need no intermediate type.
    Type middle = isFromBool && !isSpecial(toElement) ? toElement : f32;
    SmallVector<Value> values = llvm::to_vector(adaptor.getIn());
    if (auto tile = dyn_cast<RankedTensorType>(from))
      values = emitter.unpack(values, tile);
    auto rounding = nv_tileaa::RoundingMode::NearestEven;
    if (isSpecial(fromElement))
      values = FloatConverter(emitter, fromElement, f32, rounding, false)
                   .run(values);
    for (Value &value : values) {
      if (isBool)
        value = toBool(emitter, value);
      else if (isByte)
        value = toByte(emitter, value);
      else if (isFromBool)
        value = fromBool(emitter, value, middle);
      else if (roundsTwice)
        value = roundToOdd(emitter, value);
      else
        value = OpTy::create(rewriter, op.getLoc(),
                             kToInteger ? toElement : f32, value);
    }
    if (!kToInteger && middle != toElement)
      values =
          FloatConverter(emitter, f32, toElement, rounding, false).run(values);
    if (auto tile = dyn_cast<RankedTensorType>(to))
      values = emitter.pack(values, tile);
    rewriter.replaceOpWithMultiple(op, {values});
    return success();
  }

private:
  /// The only numbers besides zero are 1 and, read as signed, -1.
  static Value toBool(Emitter &emitter, Value value) {
    OpBuilder &builder = emitter.builder;
    Type type = value.getType();
    Value bound =
        LLVM::ConstantOp::create(builder, emitter.loc, type,
                                 FloatAttr::get(type, kIsSigned ? -1.0 : 1.0));
    return LLVM::FCmpOp::create(builder, emitter.loc,
                                kIsSigned ? LLVM::FCmpPredicate::ole
                                          : LLVM::FCmpPredicate::oge,
                                value, bound);
  }

  /// Truncates to the low bits of a 16-bit number: no word gets more than its
  /// byte.
  static Value toByte(Emitter &emitter, Value value) {
    Type wide = emitter.intType(16);
    return emitter.resize(
        kIsSigned ? Value(LLVM::FPToSIOp::create(emitter.builder, emitter.loc,
                                                 wide, value))
                  : Value(LLVM::FPToUIOp::create(emitter.builder, emitter.loc,
                                                 wide, value)),
        8);
  }

  /// Selects -1 or 0: LLVM does not look through the select.
  static Value fromBool(Emitter &emitter, Value value, Type type) {
    OpBuilder &builder = emitter.builder;
    auto constant = [&](double number) {
      return LLVM::ConstantOp::create(builder, emitter.loc, type,
                                      FloatAttr::get(type, number));
    };
    Value minusOne = constant(-1.0), zero = constant(0.0);
    return emitter.select(value, minusOne, zero);
  }

  /// Returns an f32 whose last bit records truncated bits, so that rounding it
  /// to fewer bits rounds the integer.
  static Value roundToOdd(Emitter &emitter, Value value) {
    OpBuilder &builder = emitter.builder;
    Location loc = emitter.loc;
    Type f32 = builder.getF32Type(), bitsType = emitter.intType(32);
    unsigned width = value.getType().getIntOrFloatBitWidth();
    StringRef intrinsic =
        width == 32 ? (kIsSigned ? "llvm.nvvm.i2f.rz" : "llvm.nvvm.ui2f.rz")
                    : (kIsSigned ? "llvm.nvvm.ll2f.rz" : "llvm.nvvm.ull2f.rz");
    Value cut = LLVM::CallIntrinsicOp::create(
                    builder, loc, f32, builder.getStringAttr(intrinsic), value)
                    .getResult(0);
    Value back =
        kIsSigned
            ? Value(LLVM::FPToSIOp::create(builder, loc, value.getType(), cut))
            : Value(LLVM::FPToUIOp::create(builder, loc, value.getType(), cut));
    Value isInexact = emitter.icmp(LLVM::ICmpPredicate::ne, back, value);
    Value sticky = LLVM::ZExtOp::create(builder, loc, bitsType, isInexact);
    Value bits = LLVM::OrOp::create(builder, loc,
                                    emitter.bitcast(cut, bitsType), sticky);
    return emitter.bitcast(bits, f32);
  }
};

} // namespace

void populateFloatConversionPatterns(RewritePatternSet &patterns,
                                     const TileTypeConverter &converter,
                                     const LoweringState &state) {
  patterns
      .add<FpToFpLowering, WidthLowering<arith::ExtFOp>,
           WidthLowering<arith::TruncFOp>, IntegerLowering<arith::SIToFPOp>,
           IntegerLowering<arith::UIToFPOp>, IntegerLowering<arith::FPToSIOp>,
           IntegerLowering<arith::FPToUIOp>>(converter, patterns.getContext(),
                                             state);
}

} // namespace tileir::lowering
