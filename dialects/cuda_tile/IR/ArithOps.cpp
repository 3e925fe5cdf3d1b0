// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verifiers of the floating-point, integer and conversion operations.

#include "dialects/cuda_tile/CudaTile.h"

using namespace mlir;
using namespace mlir::cuda_tile;

static Type elementTypeOf(Value tile) {
  return cast<TileType>(tile.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

static bool isIEEE(RoundingMode mode) {
  return mode <= RoundingMode::POSITIVE_INF;
}

static constexpr const char *kExpectIEEE =
    "invalid rounding mode specified, expect one of [nearest_even, zero, "
    "negative_inf, positive_inf]";

/// Verifies that `modifier` of an operation on `tile` has an f32 tile.
static LogicalResult verifyOnlyF32(Operation *op, StringRef modifier,
                                   bool isUsed, Value tile) {
  Type type = elementTypeOf(tile);
  if (!isUsed || isa<Float32Type>(type))
    return success();
  return op->emitOpError(modifier)
         << " modifier only supported for f32 data type, but got: " << type;
}

/// addf, subf, mulf and fma.
template <typename OpTy> static LogicalResult verifyRounded(OpTy op) {
  if (!isIEEE(op.getRoundingMode())) // C1
    return op.emitOpError(kExpectIEEE);
  return verifyOnlyF32(op, "flush_to_zero", op.getFlushToZero(), // C2
                       op.getResult());
}

/// exp and tanh.
template <typename OpTy> static LogicalResult verifyApproximable(OpTy op) {
  RoundingMode mode = op.getRoundingMode();
  if (mode != RoundingMode::APPROX && mode != RoundingMode::FULL) // C1
    return op.emitOpError(
        "invalid rounding mode specified, expect one of [approx, full]");
  return verifyOnlyF32(op, "approx", mode == RoundingMode::APPROX, // C2
                       op.getResult());
}

LogicalResult AddFOp::verify() { return verifyRounded(*this); }
LogicalResult SubFOp::verify() { return verifyRounded(*this); }
LogicalResult MulFOp::verify() { return verifyRounded(*this); }
LogicalResult FmaOp::verify() { return verifyRounded(*this); }
LogicalResult ExpOp::verify() { return verifyApproximable(*this); }
LogicalResult TanHOp::verify() { return verifyApproximable(*this); }

LogicalResult DivFOp::verify() {
  RoundingMode mode = getRoundingMode();
  bool isApprox = mode == RoundingMode::APPROX;
  bool isFull = mode == RoundingMode::FULL;
  if (!isIEEE(mode) && !isApprox && !isFull) // C1
    return emitOpError(
        "invalid rounding mode specified, expect one of [nearest_even, zero, "
        "negative_inf, positive_inf, approx, full]");
  if (failed(verifyOnlyF32(*this, "flush_to_zero", getFlushToZero(), // C2
                           getResult())) ||
      failed(verifyOnlyF32(*this, "approx", isApprox, getResult()))) // C3
    return failure();
  return verifyOnlyF32(*this, "full", isFull, getResult()); // C4
}

LogicalResult SqrtOp::verify() {
  RoundingMode mode = getRoundingMode();
  bool isApprox = mode == RoundingMode::APPROX;
  if (!isIEEE(mode) && !isApprox) // C1
    return emitOpError(
        "invalid rounding mode specified, expect one of [nearest_even, zero, "
        "negative_inf, positive_inf, approx]");
  if (failed(verifyOnlyF32(*this, "flush_to_zero", getFlushToZero(), // C2
                           getResult())))
    return failure();
  return verifyOnlyF32(*this, "approx", isApprox, getResult()); // C3
}

LogicalResult Exp2Op::verify() {
  return verifyOnlyF32(*this, "flush_to_zero", getFlushToZero(), getResult());
}
LogicalResult RsqrtOp::verify() {
  return verifyOnlyF32(*this, "flush_to_zero", getFlushToZero(), getResult());
}
LogicalResult MaxFOp::verify() {
  return verifyOnlyF32(*this, "flush_to_zero", getFlushToZero(), getResult());
}
LogicalResult MinFOp::verify() {
  return verifyOnlyF32(*this, "flush_to_zero", getFlushToZero(), getResult());
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

LogicalResult NegIOp::verify() {
  if (getOverflow() == IntegerOverflow::NUW) // C1
    return emitOpError("'no_unsigned_wrap' overflow flag is not supported");
  return success();
}

LogicalResult DivIOp::verify() {
  RoundingMode mode = getRounding();
  if (mode != RoundingMode::ZERO && mode != RoundingMode::NEGATIVE_INF &&
      mode != RoundingMode::POSITIVE_INF) // C1
    return emitOpError("invalid rounding mode specified, expect one of [zero, "
                       "negative_inf, positive_inf]");
  if (mode == RoundingMode::NEGATIVE_INF &&
      getSignedness() == Signedness::Unsigned) // C2
    return emitOpError(
        "rounding mode 'negative_inf' is not allowed with 'unsigned' flag");
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult ExtIOp::verify() {
  if (elementTypeOf(getTo()).getIntOrFloatBitWidth() <=
      elementTypeOf(getFrom()).getIntOrFloatBitWidth()) // C1
    return emitOpError("extending to smaller or identical integer");
  return success();
}

LogicalResult TruncIOp::verify() {
  if (elementTypeOf(getTo()).getIntOrFloatBitWidth() >=
      elementTypeOf(getFrom()).getIntOrFloatBitWidth()) // C1
    return emitOpError("truncating to larger or identical integer");
  return success();
}

/// Returns whether `to` holds every value of `from`.
static bool isWidening(FloatType from, FloatType to) {
  // A significand of four bits, and exponents that bf16 has and f16 lacks.
  if (isa<FloatNV8E5M3FNUType>(from))
    return !isa<Float16Type>(to);
  const llvm::fltSemantics &a = from.getFloatSemantics();
  const llvm::fltSemantics &b = to.getFloatSemantics();
  return llvm::APFloat::semanticsPrecision(a) <=
             llvm::APFloat::semanticsPrecision(b) &&
         llvm::APFloat::semanticsMaxExponent(a) <=
             llvm::APFloat::semanticsMaxExponent(b) &&
         llvm::APFloat::semanticsMinExponent(a) >=
             llvm::APFloat::semanticsMinExponent(b);
}

LogicalResult FToFOp::verify() {
  if (getFrom().getType() == getTo().getType()) // C1
    return emitOpError("converting tiles must not be a no-op");
  auto from = cast<FloatType>(elementTypeOf(getFrom()));
  auto to = cast<FloatType>(elementTypeOf(getTo()));
  RoundingMode mode = getRoundingMode();
  bool isNearest = mode == RoundingMode::NEAREST_EVEN;
  bool isZero = mode == RoundingMode::ZERO;
  // C2
  if (isa<Float8E8M0FNUType>(to)) {
    if (!isZero && mode != RoundingMode::POSITIVE_INF)
      return emitOpError("invalid rounding mode specified for conversion to "
                         "f8E8M0FNU. Only 'zero' and 'positive_inf' are "
                         "supported");
    return success();
  }
  // Operations newer than the published dialect have the newest rules.
  bool isNewest =
      mode == RoundingMode::NEAREST_AWAY || isa<FloatNV8E5M3FNUType>(from) ||
      isa<FloatNV8E5M3FNUType>(to) || followsNewestRelease(getContext());
  // Producers have requested truncation since the first release.
  bool isCut = isZero && !isWidening(from, to) &&
               isa<Float16Type, BFloat16Type, Float32Type, FloatTF32Type>(to);
  if (!isNewest && !isNearest && !isCut)
    return emitOpError(
        "invalid rounding mode specified. Only 'nearest_even' is supported");
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType,
          FloatNV8E5M3FNUType>(to)) {
    if (!isNearest)
      return emitOpError("invalid rounding mode specified for conversion to "
                         "low-precision type. Only 'nearest_even' is "
                         "supported");
    return success();
  }
  if (isWidening(from, to)) {
    if (!isIEEE(mode) && mode != RoundingMode::NEAREST_AWAY)
      return emitOpError(
          "invalid rounding mode specified for widening conversion. Only IEEE "
          "float rounding modes are supported: 'nearest_even', 'zero', "
          "'negative_inf', 'positive_inf', 'nearest_away'");
    return success();
  }
  if (isa<Float32Type>(from) && isa<FloatTF32Type>(to)) {
    if (!isNearest && !isZero && mode != RoundingMode::NEAREST_AWAY)
      return emitOpError("invalid rounding mode specified for conversion from "
                         "f32 to tf32. Only 'nearest_even', 'zero', and "
                         "'nearest_away' are supported");
    return success();
  }
  if (isa<Float64Type>(from) && isa<Float32Type>(to)) {
    if (!isIEEE(mode))
      return emitOpError("invalid rounding mode specified for conversion from "
                         "f64 to f32. Only 'nearest_even', 'zero', "
                         "'negative_inf', and 'positive_inf' are supported");
    return success();
  }
  if (!isNearest && !isZero)
    return emitOpError("invalid rounding mode specified. Only 'nearest_even' "
                       "and 'zero' are supported for narrowing conversions to "
                       "standard types");
  return success();
}

LogicalResult FToIOp::verify() {
  if (getRoundingMode() != RoundingMode::NEAREST_INT_TO_ZERO) // C1
    return emitOpError("invalid rounding mode specified. Only "
                       "'nearest_int_to_zero' is supported");
  return success();
}

LogicalResult IToFOp::verify() {
  if (isa<Float8E8M0FNUType>(elementTypeOf(getTo()))) // C1
    return emitOpError("integer to f8E8M0FNU conversion is not supported, "
                       "please first convert to another float type");
  if (getRoundingMode() != RoundingMode::NEAREST_EVEN) // C2
    return emitOpError(
        "invalid rounding mode specified. Only 'nearest_even' is supported");
  return success();
}

LogicalResult BitcastOp::verify() {
  unsigned sourceWidth = elementTypeOf(getSource()).getIntOrFloatBitWidth();
  unsigned resultWidth = elementTypeOf(getResult()).getIntOrFloatBitWidth();
  if (sourceWidth != resultWidth) // C1
    return emitOpError("types must be equal width, cannot convert ")
           << getSource().getType() << " of width " << sourceWidth
           << " to type " << getResult().getType() << " of width "
           << resultWidth;
  return success();
}

//===----------------------------------------------------------------------===//
// Matrix multiplication
//===----------------------------------------------------------------------===//

namespace {

/// An operand as error messages about shapes name it.
struct NamedTile {
  StringRef name;
  Value value;

  ArrayRef<int64_t> shape() const {
    return cast<TileType>(value.getType()).getShape();
  }
};

} // namespace

static InFlightDiagnostic emitShapeMismatch(Operation *op, StringRef prefix,
                                            NamedTile a, int64_t aDim,
                                            NamedTile b, int64_t bDim,
                                            StringRef relation) {
  return op->emitOpError(prefix)
         << "shape error: dim " << aDim << " of " << a.name << " ("
         << a.shape()[aDim] << ") " << relation << " dim " << bDim << " of "
         << b.name << " (" << b.shape()[bDim] << ")";
}

/// Verifies that dimension `aDim` of `a` matches `bDim` of `b`.
static LogicalResult verifyDimsMatch(Operation *op, StringRef prefix,
                                     NamedTile a, int64_t aDim, NamedTile b,
                                     int64_t bDim) {
  if (a.shape()[aDim] == b.shape()[bDim])
    return success();
  return emitShapeMismatch(op, prefix, a, aDim, b, bDim, "and")
         << " must match, but got " << a.name << " shape (" << a.shape()
         << ") and " << b.name << " shape (" << b.shape() << ")";
}

static LogicalResult verifyMmaShapes(Operation *op, Value lhsValue,
                                     Value rhsValue, Value accValue) {
  NamedTile lhs{"lhs", lhsValue}, rhs{"rhs", rhsValue}, acc{"acc", accValue};
  size_t rank = lhs.shape().size();
  if (rank != 2 && rank != 3)
    return op->emitOpError("operands must be 2D or 3D tiles");
  int64_t row = rank - 2, column = rank - 1;
  if (rank == 3 && (failed(verifyDimsMatch(op, "", lhs, 0, rhs, 0)) ||
                    failed(verifyDimsMatch(op, "", lhs, 0, acc, 0))))
    return failure();
  // The blank is part of the messages.
  if (failed(verifyDimsMatch(op, " ", lhs, column, rhs, row)) ||
      failed(verifyDimsMatch(op, " ", lhs, row, acc, row)))
    return failure();
  return verifyDimsMatch(op, " ", rhs, column, acc, column);
}

LogicalResult MmaFOp::verify() {
  if (failed(verifyMmaShapes(*this, getLhs(), getRhs(), getAcc()))) // C1
    return failure();
  Type input = elementTypeOf(getLhs()), acc = elementTypeOf(getAcc());
  Builder builder(getContext());
  SmallVector<Type, 2> allowed;
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float16Type>(input))
    allowed = {builder.getF16Type(), builder.getF32Type()};
  else if (isa<BFloat16Type, FloatTF32Type, Float32Type>(input))
    allowed = {builder.getF32Type()};
  else if (isa<Float64Type>(input))
    allowed = {builder.getF64Type()};
  else
    return emitOpError("unsupported input element type: ") << input;
  if (llvm::is_contained(allowed, acc)) // C2
    return success();
  InFlightDiagnostic diag =
      emitOpError("unsupported combination of element types. Input type ")
      << input << " expects accumulator/result type to be one of {";
  llvm::interleaveComma(allowed, diag);
  return diag << "}, but got " << acc;
}

LogicalResult MmaIOp::verify() {
  return verifyMmaShapes(*this, getLhs(), getRhs(), getAcc()); // C1
}

/// Verifies the element type for the scale type.
static LogicalResult verifyScaleType(MmaFScaledOp op, Type element,
                                     Type scale) {
  const char *text = "unsupported combination of element types. Scale type ";
  // Clients expect the bare name of the type.
  if (isa<FloatNV8E5M3FNUType>(scale) && !isa<Float4E2M1FNType>(element))
    return op.emitOpError(text)
           << "'fnv8E5M3FNU' expects lhs and rhs element types to be "
           << Float4E2M1FNType::get(op.getContext()) << ", but got " << element;
  if (isa<Float8E4M3FNType>(scale) && !isa<Float4E2M1FNType>(element))
    return op.emitOpError(text)
           << scale << " expects lhs and rhs element types to be "
           << Float4E2M1FNType::get(op.getContext()) << ", but got " << element;
  if (isa<Float8E8M0FNUType>(scale) &&
      !isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(element))
    return op.emitOpError(text)
           << scale
           << " expects lhs and rhs element types to be one of {'f8E4M3FN', "
              "'f8E5M2', 'f4E2M1FN'}, but got "
           << element;
  return success();
}

LogicalResult MmaFScaledOp::verify() {
  // C1
  if (failed(verifyMmaShapes(*this, getLhs(), getRhs(), getAcc())))
    return failure();
  NamedTile lhs{"lhs", getLhs()}, rhs{"rhs", getRhs()},
      lhsScale{"lhs_scale", getLhsScale()},
      rhsScale{"rhs_scale", getRhsScale()};
  size_t rank = lhs.shape().size();
  int64_t row = rank - 2, column = rank - 1;
  if (rank == 3 && (failed(verifyDimsMatch(*this, "", lhs, 0, lhsScale, 0)) ||
                    failed(verifyDimsMatch(*this, "", rhs, 0, rhsScale, 0))))
    return failure();
  if (failed(verifyDimsMatch(*this, "", lhs, row, lhsScale, row)) ||
      failed(verifyDimsMatch(*this, "", rhs, column, rhsScale, column)) ||
      failed(verifyDimsMatch(*this, "", lhsScale, column, rhsScale, row)))
    return failure();
  // C2
  Type element = elementTypeOf(getLhs()), scale = elementTypeOf(getLhsScale());
  if (failed(verifyScaleType(*this, element, scale)))
    return failure();
  // C3
  int64_t k = lhs.shape()[column], numScales = lhsScale.shape()[column];
  if (k % numScales != 0)
    return emitOpError("shape error: dim ")
           << column << " of lhs_scale (" << numScales
           << ") must be a divisor of dim " << column << " of lhs (" << k
           << "), but got lhs_scale shape (" << lhsScale.shape()
           << ") and lhs shape (" << lhs.shape() << ")";
  int64_t factor = k / numScales;
  if (!isa<Float4E2M1FNType>(element)) {
    if (factor != 32)
      return emitOpError("shape error: f8 element type requires block scale "
                         "factor of lhs_scale and rhs_scale to be 32, but got ")
             << factor;
    return success();
  }
  if (isa<Float8E4M3FNType>(scale)) {
    if (factor != 16)
      return emitOpError("shape error: f4E2M1FN element type with f8E4M3FN "
                         "scales requires block scale factor of lhs_scale and "
                         "rhs_scale to be 16, but got ")
             << factor;
    return success();
  }
  if (factor != 16 && factor != 32)
    return emitOpError("shape error: f4E2M1FN element type with ")
           << (isa<FloatNV8E5M3FNUType>(scale) ? "fnv8E5M3FNU" : "f8E8M0FNU")
           << " scales requires block scale factor of lhs_scale and rhs_scale "
              "to be 16 or 32, but got "
           << factor;
  return success();
}
