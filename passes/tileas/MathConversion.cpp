// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/OpConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;
using aa::RoundingMode;

static Type withElement(Type type, Type element) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.clone(element);
  return element;
}

Value convertElements(OpBuilder &builder, Location loc, Value value,
                      Type element, bool isSigned) {
  Type from = getElementTypeOrSelf(value.getType());
  if (from == element)
    return value;
  Type type = withElement(value.getType(), element);
  if (isa<IntegerType>(from)) {
    if (isSigned)
      return arith::ExtSIOp::create(builder, loc, type, value);
    return arith::ExtUIOp::create(builder, loc, type, value);
  }
  auto isPlain = [](Type t) {
    return t.isF16() || t.isBF16() || t.isF32() || t.isF64();
  };
  unsigned fromBits = from.getIntOrFloatBitWidth(),
           toBits = element.getIntOrFloatBitWidth();
  if (isPlain(from) && isPlain(element) && fromBits != toBits) {
    if (fromBits < toBits)
      return arith::ExtFOp::create(builder, loc, type, value);
    return arith::TruncFOp::create(builder, loc, type, value);
  }
  return as::FpToFpOp::create(builder, loc, type, value,
                              RoundingMode::NearestEven, /*saturate=*/false);
}

bool isRoundedMath(Operation *op) {
  return isa<aa::AddFOp, aa::SubFOp, aa::MulFOp, aa::DivFOp, aa::FmaOp,
             aa::SqrtOp, aa::RsqrtOp, aa::Exp2Op, aa::MaxFOp, aa::MinFOp,
             aa::ClampFOp, aa::MulhiUIOp, aa::FpToFpOp,
             aa::ExternElementwiseOp>(op);
}

static StringRef roundingSuffix(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::NearestEven:
    return ".rn";
  case RoundingMode::Zero:
    return ".rz";
  case RoundingMode::NegativeInf:
    return ".rm";
  case RoundingMode::PositiveInf:
    return ".rp";
  case RoundingMode::Approx:
    return ".approx";
  case RoundingMode::Full:
    return ".full";
  }
  return "";
}

static Value callIntrinsic(OpBuilder &builder, Location loc, const Twine &name,
                           ValueRange inputs) {
  return as::ElementwiseOp::create(
      builder, loc, inputs.front().getType(), as::ElementwiseKind::Intrinsic,
      builder.getStringAttr(name), inputs, StringAttr(), /*pure=*/true);
}

/// One rounded operation in f32 or f64.
static Value callRounded(OpBuilder &builder, Location loc, StringRef stem,
                         RoundingMode mode, bool ftz, ValueRange inputs) {
  bool f64 = getElementTypeOrSelf(inputs.front().getType()).isF64();
  std::string name = ("llvm.nvvm." + stem + roundingSuffix(mode)).str();
  if (ftz)
    name += ".ftz";
  // `div.full` is the one name without a type.
  if (mode != RoundingMode::Full)
    name += f64 ? ".d" : ".f";
  return callIntrinsic(builder, loc, name, inputs);
}

/// 16-bit operands go through f32. A directed mode applies to both steps, which
/// is the same as rounding once.
template <typename Emit>
static Value throughF32(OpBuilder &builder, Location loc, ValueRange inputs,
                        RoundingMode mode, Emit &&emit) {
  Type type = inputs.front().getType();
  Type element = getElementTypeOrSelf(type);
  if (!element.isF16() && !element.isBF16())
    return emit(inputs, mode);
  SmallVector<Value> wide;
  for (Value input : inputs)
    wide.push_back(
        convertElements(builder, loc, input, builder.getF32Type(), true));
  Value result = emit(ValueRange(wide), mode);
  return as::FpToFpOp::create(builder, loc, type, result, mode,
                              /*saturate=*/false);
}

static Value convertFpToFp(OpBuilder &builder, aa::FpToFpOp op) {
  Type to = getElementTypeOrSelf(op.getType());
  auto isPlain = [](Type t) {
    return t.isF16() || t.isBF16() || t.isF32() || t.isF64();
  };
  Type from = getElementTypeOrSelf(op.getSource().getType());
  bool plain = isPlain(from) && isPlain(to) &&
               from.getIntOrFloatBitWidth() != to.getIntOrFloatBitWidth();
  bool widens = from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
  bool nearest = op.getRounding() == RoundingMode::NearestEven;
  if (plain && (widens || (nearest && !op.getSaturate())))
    return convertElements(builder, op.getLoc(), op.getSource(), to, true);
  return as::FpToFpOp::create(builder, op.getLoc(), op.getType(),
                              op.getSource(), op.getRounding(),
                              op.getSaturate());
}

static Value convertMinMax(OpBuilder &builder, Location loc, StringRef stem,
                           Value lhs, Value rhs, bool ftz, bool nan) {
  std::string name = ("llvm.nvvm." + stem).str();
  if (ftz)
    name += ".ftz";
  if (nan)
    name += ".nan";
  return callIntrinsic(builder, loc, name + ".f", {lhs, rhs});
}

FailureOr<Value> convertMath(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  auto binary = [&](auto math, StringRef stem) {
    return throughF32(
        builder, loc, {math.getLhs(), math.getRhs()}, math.getRounding(),
        [&](ValueRange inputs, RoundingMode mode) {
          return callRounded(builder, loc, stem, mode, math.getFtz(), inputs);
        });
  };
  if (auto add = dyn_cast<aa::AddFOp>(op))
    return binary(add, "add");
  if (auto sub = dyn_cast<aa::SubFOp>(op)) {
    Value negated = arith::NegFOp::create(builder, loc, sub.getRhs());
    return throughF32(builder, loc, {sub.getLhs(), negated}, sub.getRounding(),
                      [&](ValueRange inputs, RoundingMode mode) {
                        return callRounded(builder, loc, "add", mode,
                                           sub.getFtz(), inputs);
                      });
  }
  if (auto mul = dyn_cast<aa::MulFOp>(op))
    return binary(mul, "mul");
  if (auto div = dyn_cast<aa::DivFOp>(op))
    return binary(div, "div");
  if (auto fma = dyn_cast<aa::FmaOp>(op))
    return throughF32(
        builder, loc, {fma.getA(), fma.getB(), fma.getC()}, fma.getRounding(),
        [&](ValueRange inputs, RoundingMode mode) {
          return callRounded(builder, loc, "fma", mode, fma.getFtz(), inputs);
        });
  if (auto sqrt = dyn_cast<aa::SqrtOp>(op))
    return throughF32(builder, loc, {sqrt.getSource()}, sqrt.getRounding(),
                      [&](ValueRange inputs, RoundingMode mode) {
                        return callRounded(builder, loc, "sqrt", mode,
                                           sqrt.getFtz(), inputs);
                      });
  if (auto call = dyn_cast<aa::ExternElementwiseOp>(op))
    return Value(as::ElementwiseOp::create(
        builder, loc, call.getInputs().front().getType(),
        as::ElementwiseKind::Extern, call.getSymbolAttr(), call.getInputs(),
        StringAttr(), call.getPure()));
  if (auto rsqrt = dyn_cast<aa::RsqrtOp>(op)) {
    if (!rsqrt.getFtz())
      return Value(math::RsqrtOp::create(builder, loc, rsqrt.getSource()));
    return callIntrinsic(builder, loc, "llvm.nvvm.rsqrt.approx.ftz.f",
                         rsqrt.getSource());
  }
  if (auto exp2 = dyn_cast<aa::Exp2Op>(op)) {
    if (!exp2.getFtz())
      return Value(math::Exp2Op::create(builder, loc, exp2.getSource()));
    // Overloaded in LLVM 22, hence without the type that older names end in.
    return callIntrinsic(builder, loc, "llvm.nvvm.ex2.approx.ftz",
                         exp2.getSource());
  }
  if (auto max = dyn_cast<aa::MaxFOp>(op))
    return convertMinMax(builder, loc, "fmax", max.getLhs(), max.getRhs(),
                         max.getFtz(), max.getPropagateNan());
  if (auto min = dyn_cast<aa::MinFOp>(op))
    return convertMinMax(builder, loc, "fmin", min.getLhs(), min.getRhs(),
                         min.getFtz(), min.getPropagateNan());
  if (auto clamp = dyn_cast<aa::ClampFOp>(op)) {
    if (clamp.getPropagateNan()) {
      Value low = arith::MaximumFOp::create(builder, loc, clamp.getValue(),
                                            clamp.getLo());
      return Value(arith::MinimumFOp::create(builder, loc, low, clamp.getHi()));
    }
    Value low =
        arith::MaxNumFOp::create(builder, loc, clamp.getValue(), clamp.getLo());
    return Value(arith::MinNumFOp::create(builder, loc, low, clamp.getHi()));
  }
  if (auto high = dyn_cast<aa::MulhiUIOp>(op))
    return arith::MulUIExtendedOp::create(builder, loc, high.getLhs(),
                                          high.getRhs())
        .getHigh();
  if (auto cast = dyn_cast<aa::FpToFpOp>(op))
    return convertFpToFp(builder, cast);
  return failure();
}

as::ReduceAtomAttr inferReduceAtom(Region &body) {
  using as::ReduceKind;
  Block &block = body.front();
  ReduceKind kind = ReduceKind::Generic;
  Operation *op = &block.front();
  // One operation on the two arguments, which is what is yielded.
  if (block.getNumArguments() == 2 &&
      op->getNextNode() == block.getTerminator() && op->getNumOperands() == 2 &&
      op->getNumResults() == 1 &&
      block.getTerminator()->getOperand(0) == op->getResult(0) &&
      op->getOperand(0) != op->getOperand(1) &&
      llvm::all_of(op->getOperands(), [&](Value operand) {
        return operand == block.getArgument(0) ||
               operand == block.getArgument(1);
      })) {
    kind = llvm::TypeSwitch<Operation *, ReduceKind>(op)
               .Case([](arith::AddIOp) { return ReduceKind::Add; })
               .Case([](arith::MulIOp) { return ReduceKind::Mul; })
               .Case([](arith::MinSIOp) { return ReduceKind::Min; })
               .Case([](arith::MaxSIOp) { return ReduceKind::Max; })
               .Case([](arith::MinUIOp) { return ReduceKind::UMin; })
               .Case([](arith::MaxUIOp) { return ReduceKind::UMax; })
               .Case([](arith::AndIOp) { return ReduceKind::And; })
               .Case([](arith::OrIOp) { return ReduceKind::Or; })
               .Case([](arith::XOrIOp) { return ReduceKind::Xor; })
               .Case([](arith::AddFOp) { return ReduceKind::FAdd; })
               .Case([](arith::MulFOp) { return ReduceKind::FMul; })
               .Case<arith::MinimumFOp, arith::MinNumFOp>(
                   [](auto) { return ReduceKind::FMin; })
               .Case<arith::MaximumFOp, arith::MaxNumFOp>(
                   [](auto) { return ReduceKind::FMax; })
               .Default(ReduceKind::Generic);
  }
  return as::ReduceAtomAttr::get(body.getContext(), kind, as::ReduceImpl::Auto);
}

} // namespace tileir
