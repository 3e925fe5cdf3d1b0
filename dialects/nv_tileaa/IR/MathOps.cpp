// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/CommonFolders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Modifiers
//===----------------------------------------------------------------------===//

/// Legal rounding modes of an operation beyond the IEEE ones.
enum class ExtraModes { None, Approx, ApproxAndFull };

static LogicalResult verifyModifiers(Operation *op, RoundingMode mode, bool ftz,
                                     ExtraModes extra) {
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  bool approx = mode == RoundingMode::Approx || mode == RoundingMode::Full;
  bool allowed = !approx || extra == ExtraModes::ApproxAndFull ||
                 (extra == ExtraModes::Approx && mode == RoundingMode::Approx);
  if (!allowed) { // C1
    InFlightDiagnostic diag =
        op->emitOpError("invalid rounding mode specified, expect one of "
                        "[nearest_even, zero, negative_inf, positive_inf");
    if (extra == ExtraModes::Approx)
      diag << ", approx";
    return diag << "]";
  }
  if (approx && !element.isF32()) // C1
    return op->emitOpError() << stringifyEnum(mode)
                             << " modifier only supported for f32 data type, "
                                "but got: "
                             << element;
  if (ftz && !element.isF32()) // C2
    return op->emitOpError("flush_to_zero modifier only supported for f32 data "
                           "type, but got: ")
           << element;
  return success();
}

LogicalResult AddFOp::verify() {
  return verifyModifiers(*this, getRounding(), getFtz(), ExtraModes::None);
}
LogicalResult SubFOp::verify() {
  return verifyModifiers(*this, getRounding(), getFtz(), ExtraModes::None);
}
LogicalResult MulFOp::verify() {
  return verifyModifiers(*this, getRounding(), getFtz(), ExtraModes::None);
}
LogicalResult DivFOp::verify() {
  return verifyModifiers(*this, getRounding(), getFtz(),
                         ExtraModes::ApproxAndFull);
}
LogicalResult FmaOp::verify() {
  return verifyModifiers(*this, getRounding(), getFtz(), ExtraModes::None);
}
LogicalResult SqrtOp::verify() {
  return verifyModifiers(*this, getRounding(), getFtz(), ExtraModes::Approx);
}
LogicalResult RsqrtOp::verify() {
  return verifyModifiers(*this, RoundingMode::NearestEven, getFtz(),
                         ExtraModes::None);
}
LogicalResult Exp2Op::verify() {
  return verifyModifiers(*this, RoundingMode::NearestEven, getFtz(),
                         ExtraModes::None);
}
LogicalResult MaxFOp::verify() {
  return verifyModifiers(*this, RoundingMode::NearestEven, getFtz(),
                         ExtraModes::None);
}
LogicalResult MinFOp::verify() {
  return verifyModifiers(*this, RoundingMode::NearestEven, getFtz(),
                         ExtraModes::None);
}

OpFoldResult MulhiUIOp::fold(FoldAdaptor adaptor) {
  return constFoldBinaryOp<IntegerAttr>(adaptor.getOperands(),
                                        [](const APInt &a, const APInt &b) {
                                          return llvm::APIntOps::mulhu(a, b);
                                        });
}

//===----------------------------------------------------------------------===//
// fp_to_fp
//===----------------------------------------------------------------------===//

LogicalResult FpToFpOp::verify() {
  Type source = getElementTypeOrSelf(getSource().getType());
  Type result = getElementTypeOrSelf(getResult().getType());
  if (!isa<FloatType>(source))
    return emitOpError("fp_to_fp source element type is not supported");
  if (!isa<FloatType>(result))
    return emitOpError("fp_to_fp result element type is not supported");
  if (source == result) // C1
    return emitOpError("source and result element types must differ");
  RoundingMode mode = getRounding();
  if (isa<Float8E8M0FNUType>(result)) { // C2
    if (mode != RoundingMode::Zero && mode != RoundingMode::PositiveInf)
      return emitOpError("invalid rounding mode specified, expect one of "
                         "[zero, positive_inf]");
    return success();
  }
  bool packed = isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(result);
  if (packed && mode != RoundingMode::NearestEven)
    return emitOpError(
        "invalid rounding mode specified, expect one of [nearest_even]");
  if (source.isF64() && result.isF32()) {
    if (mode > RoundingMode::PositiveInf)
      return emitOpError("invalid rounding mode specified, expect one of "
                         "[nearest_even, zero, negative_inf, positive_inf]");
    return success();
  }
  if (mode != RoundingMode::NearestEven && mode != RoundingMode::Zero)
    return emitOpError(
        "invalid rounding mode specified, expect one of [nearest_even, zero]");
  return success();
}

//===----------------------------------------------------------------------===//
// dot
//===----------------------------------------------------------------------===//

static bool isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Legal accumulator types for inputs of type `input`.
static SmallVector<Type, 2> getAccumulators(Type input) {
  MLIRContext *context = input.getContext();
  Type f16 = Float16Type::get(context), f32 = Float32Type::get(context);
  if (input.isInteger(8))
    return {IntegerType::get(context, 32)};
  if (input.isF16() || isFloat8(input) || isa<Float4E2M1FNType>(input))
    return {f32, f16};
  if (input.isBF16() || input.isF32() || isa<FloatTF32Type>(input))
    return {f32};
  if (input.isF64())
    return {Float64Type::get(context)};
  return {};
}

static LogicalResult verifyDotElements(DotOp op) {
  Type a = op.getA().getType(), b = op.getB().getType(),
       c = op.getC().getType();
  Type ea = getElementTypeOrSelf(a), eb = getElementTypeOrSelf(b),
       ec = getElementTypeOrSelf(c);
  bool integer = ea.isInteger();
  if (eb.isInteger() != integer || ec.isInteger() != integer)
    return op.emitOpError("expected the element types of A, B, C, and D to be "
                          "either all integers or all floats.");
  if (integer) {
    if (ea != eb)
      return op.emitOpError("expects #A and #B have same bit width but got ")
             << ea.getIntOrFloatBitWidth() << " vs "
             << eb.getIntOrFloatBitWidth();
    if (!op.getSignednessA())
      return op.emitOpError("expect signedness attribute for operand A");
    if (!op.getSignednessB())
      return op.emitOpError("expect signedness attribute for operand B");
  } else if (ea != eb && !(op.getSfa() && op.getSfb())) {
    return op.emitOpError(
               "expects #A and #B to have the same element type, but got ")
           << ea << " and " << eb;
  }
  SmallVector<Type, 2> accumulators = getAccumulators(ea);
  if (accumulators.empty())
    return op.emitOpError("unsupported #A element type ") << ea;
  if (getAccumulators(eb) != accumulators)
    return op.emitOpError("unsupported #B element type ") << eb;
  if (llvm::is_contained(accumulators, ec))
    return success();
  if (accumulators.size() == 2)
    return op.emitOpError(
               "expects #C element type to be either f32 or f16, but got ")
           << ec;
  return op.emitOpError("expects #C element type to be ")
         << accumulators.front() << ", but got " << ec;
}

static LogicalResult verifyDotShapes(DotOp op) {
  auto a = cast<RankedTensorType>(op.getA().getType());
  auto b = cast<RankedTensorType>(op.getB().getType());
  auto c = cast<RankedTensorType>(op.getC().getType());
  int64_t rank = c.getRank();
  if ((rank != 2 && rank != 3) || a.getRank() != rank || b.getRank() != rank)
    return op.emitOpError(
               "expects rank-2 or rank-3 tensor for result, but got (")
           << rank << ")";
  bool sameBatch = rank == 2 || a.getDimSize(0) == b.getDimSize(0);
  if (!sameBatch || a.getDimSize(rank - 1) != b.getDimSize(rank - 2))
    return op.emitOpError(
        "expects the shape of operand #A and #B to be compatible");
  sameBatch = rank == 2 || a.getDimSize(0) == c.getDimSize(0);
  if (!sameBatch || a.getDimSize(rank - 2) != c.getDimSize(rank - 2) ||
      b.getDimSize(rank - 1) != c.getDimSize(rank - 1))
    return op.emitOpError("expects the shape of operand #C is compatible with "
                          "operands #A and #B");
  return success();
}

/// Legal numbers of elements along K that share a scale of type `scale`; empty
/// when no MMA scales `input` by this type.
static SmallVector<int64_t, 2> getScaleBlocks(Type input, Type scale) {
  bool e8 = isa<Float8E8M0FNUType>(scale);
  if (isFloat8(input) && e8)
    return {32};
  // bf16 carries scales of a type that only cuda_tile has.
  if (isa<Float4E2M1FNType>(input) && (e8 || scale.isBF16()))
    return {32, 16};
  if (isa<Float4E2M1FNType>(input) && isa<Float8E4M3FNType>(scale))
    return {16};
  return {};
}

static LogicalResult verifyDotScale(DotOp op, Value input, Value scale,
                                    bool kIsLast) {
  auto inputType = cast<RankedTensorType>(input.getType());
  auto scaleType = cast<RankedTensorType>(scale.getType());
  Type element = inputType.getElementType();
  SmallVector<int64_t, 2> blocks =
      getScaleBlocks(element, scaleType.getElementType());
  if (blocks.empty())
    return op.emitOpError("unsupported scale factor type ")
           << scaleType.getElementType() << " for operand element type "
           << element;
  int64_t rank = inputType.getRank();
  int64_t k = kIsLast ? rank - 1 : rank - 2;
  bool sameRank = scaleType.getRank() == rank;
  for (int64_t d = 0; sameRank && d < rank; ++d)
    if (d != k && scaleType.getDimSize(d) != inputType.getDimSize(d))
      sameRank = false;
  if (!sameRank || inputType.getDimSize(k) % scaleType.getDimSize(k))
    return op.emitOpError("expects the shape of the scale factors to be "
                          "compatible with operands #A and #B");
  int64_t block = inputType.getDimSize(k) / scaleType.getDimSize(k);
  if (!llvm::is_contained(blocks, block))
    return op.emitOpError("expects block scale factor of ")
           << blocks.front() << " for " << element << " with "
           << scaleType.getElementType() << " scales, but got " << block;
  return success();
}

LogicalResult DotOp::verify() {
  if (failed(verifyDotElements(*this)) || failed(verifyDotShapes(*this)))
    return failure();
  if (static_cast<bool>(getSfa()) != static_cast<bool>(getSfb())) // C3
    return emitOpError("expects both SFA and SFB to be present");
  if (getSfa()) {
    if (failed(verifyDotScale(*this, getA(), getSfa(), /*kIsLast=*/true)) ||
        failed(verifyDotScale(*this, getB(), getSfb(), /*kIsLast=*/false)))
      return failure();
    if (!getElementTypeOrSelf(getC().getType()).isF32())
      return emitOpError("expects #C element type to be f32, but got ")
             << getElementTypeOrSelf(getC().getType());
  }
  Type element = getElementTypeOrSelf(getA().getType());
  if (getFastAcc() && !isFloat8(element)) // C4
    return emitOpError("fast_acc requires 8-bit float operands");
  if (getInputPrecision() && !element.isF32()) // C4
    return emitOpError("input_precision requires f32 operands");
  return success();
}

//===----------------------------------------------------------------------===//
// reduce, scan
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult verifyReduction(OpT op, bool keepsAxis) {
  if (op.getOperands().empty()) // C1
    return op.emitOpError("expect at least 1 operand");
  if (op.getOperands().size() != op.getResults().size())
    return op.emitOpError("expect same number of operands and results");
  if (op.getIdentities().size() != op.getOperands().size())
    return op.emitOpError("expect one identity per operand");
  auto first = cast<RankedTensorType>(op.getOperands().front().getType());
  int64_t axis = static_cast<int32_t>(op.getAxis());
  if (axis < 0 || axis >= first.getRank()) // C2
    return op.emitOpError("dimension (")
           << axis << ") is out of bound [0, " << first.getRank() << ")";
  SmallVector<int64_t> shape(first.getShape());
  if (!keepsAxis)
    shape.erase(shape.begin() + axis);
  for (auto [index, operand, result, identity] :
       llvm::enumerate(op.getOperands(), op.getResults(), op.getIdentities())) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getShape() != first.getShape())
      return op.emitOpError("expect all operands to have the same shape");
    Type element = type.getElementType();
    auto typed = dyn_cast<TypedAttr>(identity);
    if (!typed || typed.getType() != element)
      return op.emitOpError("expect same type for operand at index: ")
             << index << " and identity at index: " << index;
    Type expected =
        shape.empty() ? element : Type(RankedTensorType::get(shape, element));
    if (result.getType() != expected)
      return op.emitOpError("expect result at index: ")
             << index << " to have type " << expected << ", but got "
             << result.getType();
  }
  return success();
}

template <typename OpT> static LogicalResult verifyReductionBody(OpT op) {
  Block &body = op.getBody().front();
  size_t count = op.getOperands().size();
  if (body.getNumArguments() != 2 * count)
    return op.emitOpError("expect ")
           << 2 * count
           << " block arguments but got: " << body.getNumArguments();
  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getNumOperands() != count)
    return op.emitOpError("expect ")
           << count << " yielded values but got: " << yield.getNumOperands();
  for (auto [index, operand] : llvm::enumerate(op.getOperands())) {
    Type element = getElementTypeOrSelf(operand.getType());
    if (body.getArgument(2 * index).getType() != element ||
        body.getArgument(2 * index + 1).getType() != element ||
        yield.getOperand(index).getType() != element)
      return op.emitOpError("expect block arguments and yielded value of "
                            "operand at index: ")
             << index << " to have type " << element;
  }
  for (Operation &inner : body.without_terminator())
    if (!isMemoryEffectFree(&inner)) // C3
      return inner.emitError("only pure operations are allowed inside '")
             << op->getName() << "'";
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyReduction(*this, /*keepsAxis=*/false);
}
LogicalResult ReduceOp::verifyRegions() { return verifyReductionBody(*this); }
LogicalResult ScanOp::verify() {
  return verifyReduction(*this, /*keepsAxis=*/true);
}
LogicalResult ScanOp::verifyRegions() { return verifyReductionBody(*this); }
