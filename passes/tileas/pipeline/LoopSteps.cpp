// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/LoopSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;

Value LoopSteps::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value LoopSteps::compare(Value lhs, Value rhs) {
  return arith::CmpIOp::create(builder, loc,
                               loop.getUnsignedCmp()
                                   ? arith::CmpIPredicate::ult
                                   : arith::CmpIPredicate::slt,
                               lhs, rhs);
}

/// Such a step times stages fits 32 bits.
static constexpr unsigned kSmallStepBits = 24;

Value LoopSteps::isLonger(Value from, int64_t steps) {
  Value hasFrom = from == loop.getInductionVar()
                      ? Value()
                      : compare(from, loop.getUpperBound());
  if (steps == 0)
    return hasFrom;
  Value left = arith::SubIOp::create(builder, loc, loop.getUpperBound(), from);
  APInt step;
  Value span;
  if (matchPattern(loop.getStep(), m_ConstantInt(&step)) &&
      step.getSignificantBits() <= kSmallStepBits) {
    span = constant(from.getType(), steps * step.getSExtValue());
  } else {
    // The product of a step that only the kernel knows needs more bits.
    Type wide = builder.getI64Type();
    auto extend = [&](Value value) -> Value {
      if (value.getType().isIndex())
        return arith::IndexCastUIOp::create(builder, loc, wide, value);
      if (value.getType().getIntOrFloatBitWidth() >= 64)
        return value;
      return arith::ExtUIOp::create(builder, loc, wide, value);
    };
    left = extend(left);
    span = arith::MulIOp::create(builder, loc, extend(loop.getStep()),
                                 constant(wide, steps));
  }
  Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt,
                                       left, span);
  return hasFrom ? arith::AndIOp::create(builder, loc, hasFrom, isLong)
                 : isLong;
}

Value LoopSteps::advance(Value iv, int64_t steps) {
  if (steps == 0)
    return iv;
  APInt step;
  Value span;
  if (matchPattern(loop.getStep(), m_ConstantInt(&step)))
    span = arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(iv.getType(), step * uint64_t(steps)));
  else
    span = arith::MulIOp::create(builder, loc, loop.getStep(),
                                 constant(iv.getType(), steps));
  return arith::AddIOp::create(builder, loc, iv, span);
}

} // namespace tileir
