// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/FloatPairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tileir::lowering {

SmallVector<Value> mapPairs(Emitter &emitter,
                            ArrayRef<SmallVector<Value>> operands,
                            function_ref<Value(ArrayRef<Value>)> build) {
  size_t count = operands.front().size();
  size_t width = hasFloatPairs(emitter) ? 2 : 1;
  SmallVector<Value> results;
  for (size_t i = 0; i < count; i += width) {
    size_t taken = std::min(width, count - i);
    SmallVector<Value> values;
    for (const SmallVector<Value> &operand : operands)
      values.push_back(
          emitter.packVector(ArrayRef<Value>(operand).slice(i, taken)));
    Value result = build(values);
    for (size_t k = 0; k < taken; ++k)
      results.push_back(taken == 1 ? result : emitter.extract(result, k));
  }
  return results;
}

Value sumPairs(Emitter &emitter, ArrayRef<Value> values) {
  auto add = [&](Value a, Value b) -> Value {
    return LLVM::FAddOp::create(emitter.builder, emitter.loc, a, b);
  };
  SmallVector<Value> pairs;
  for (size_t i = 0; i + 1 < values.size(); i += 2)
    pairs.push_back(emitter.packVector(values.slice(i, 2)));
  while (pairs.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      next.push_back(add(pairs[i], pairs[i + 1]));
    if (pairs.size() % 2)
      next.push_back(pairs.back());
    pairs = next;
  }
  Value sum = add(emitter.extract(pairs[0], 0), emitter.extract(pairs[0], 1));
  return values.size() % 2 ? add(sum, values.back()) : sum;
}

/// Whether `op` rounds once, to nearest, as the instruction does.
static bool isPlain(Operation *op) {
  auto isOfFloats = [](Type type) {
    return getElementTypeOrSelf(type).isF32();
  };
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp>(op) ||
      !llvm::all_of(op->getOperandTypes(), isOfFloats))
    return false;
  // Divisions look for 1 + e^x themselves.
  if (isa<arith::AddFOp>(op) && llvm::all_of(op->getUsers(), [](auto *user) {
        return isa<arith::DivFOp>(user);
      }))
    return false;
  auto math = cast<arith::ArithFastMathInterface>(op);
  return math.getFastMathFlagsAttr().getValue() == arith::FastMathFlags::none;
}

SmallVector<Value> computeInPairs(Emitter &emitter, Operation *op,
                                  ArrayRef<ValueRange> operands) {
  if (!hasFloatPairs(emitter) || !isPlain(op) || operands[0].size() < 2)
    return {};
  SmallVector<SmallVector<Value>> values;
  for (ValueRange range : operands)
    values.push_back(llvm::to_vector(range));
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  if (isa<arith::SubFOp>(op)) {
    // There is no difference of pairs; one number that is subtracted from all
    // is negated once.
    if (!llvm::all_equal(values[1]))
      return {};
    values[1].assign(
        values[1].size(),
        LLVM::FNegOp::create(builder, loc, values[1].front()).getResult());
  }
  return mapPairs(emitter, values, [&](ArrayRef<Value> of) -> Value {
    if (isa<math::FmaOp>(op))
      return LLVM::FMAOp::create(builder, loc, of[0], of[1], of[2]);
    if (isa<arith::MulFOp>(op))
      return LLVM::FMulOp::create(builder, loc, of[0], of[1]);
    return LLVM::FAddOp::create(builder, loc, of[0], of[1]);
  });
}

} // namespace tileir::lowering
