// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/math/FloatPairs.h"

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

/// Returns whether `op` rounds once, to nearest, like the instruction.
static bool isPlain(Operation *op) {
  auto isOfFloats = [](Type type) {
    return getElementTypeOrSelf(type).isF32();
  };
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, math::FmaOp>(op) ||
      !llvm::all_of(op->getOperandTypes(), isOfFloats))
    return false;
  // Divisions match 1 + e^x themselves.
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
    // There is no paired subtraction; a subtrahend common to all is negated
    // once.
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

//===----------------------------------------------------------------------===//
// Hyperbolic tangents
//===----------------------------------------------------------------------===//

/// `__nv_tanhf` of libdevice uses a polynomial below this bound and a quotient
/// from it on.
static constexpr float kLargestOfPolynomial = 0x1.333334p-1f;

/// Coefficients of (tanh x - x) / x^3 as a polynomial in x^2, from the constant
/// on, as in `__nv_tanhf`: the results have the same bits.
static constexpr float kPolynomial[] = {-0x1.5553dap-2f, 0x1.10b282p-3f,
                                        -0x1.ac795cp-5f, 0x1.01e104p-6f};

Value Lists::number(float value) {
  return LLVM::ConstantOp::create(emitter.builder, emitter.loc,
                                  emitter.builder.getF32Type(),
                                  emitter.builder.getF32FloatAttr(value));
}

SmallVector<Value> Lists::add(ArrayRef<Value> a, ArrayRef<Value> b) {
  return mapPairs(emitter, {SmallVector<Value>(a), SmallVector<Value>(b)},
                  [&](ArrayRef<Value> of) -> Value {
                    return LLVM::FAddOp::create(emitter.builder, emitter.loc,
                                                of[0], of[1]);
                  });
}

SmallVector<Value> Lists::subtract(ArrayRef<Value> a, ArrayRef<Value> b) {
  // There is no difference of pairs.
  if (hasFloatPairs(emitter))
    return fuse(b, all(-1.0f, b.size()), a);
  return add(a, negate(b));
}

SmallVector<Value> Lists::negate(ArrayRef<Value> a) {
  return llvm::map_to_vector(a, [&](Value value) -> Value {
    return LLVM::FNegOp::create(emitter.builder, emitter.loc, value);
  });
}

SmallVector<Value> Lists::multiply(ArrayRef<Value> a, ArrayRef<Value> b) {
  return mapPairs(emitter, {SmallVector<Value>(a), SmallVector<Value>(b)},
                  [&](ArrayRef<Value> of) -> Value {
                    return LLVM::FMulOp::create(emitter.builder, emitter.loc,
                                                of[0], of[1]);
                  });
}

SmallVector<Value> Lists::fuse(ArrayRef<Value> a, ArrayRef<Value> b,
                               ArrayRef<Value> c) {
  return mapPairs(
      emitter,
      {SmallVector<Value>(a), SmallVector<Value>(b), SmallVector<Value>(c)},
      [&](ArrayRef<Value> of) -> Value {
        return LLVM::FMAOp::create(emitter.builder, emitter.loc, of[0], of[1],
                                   of[2]);
      });
}

Value Lists::call(StringRef intrinsic, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(
             emitter.builder, emitter.loc, emitter.builder.getF32Type(),
             emitter.builder.getStringAttr(intrinsic), operands)
      .getResult(0);
}

/// Computes x + x^3 p(x^2). A positive zero is added to the product with p, so
/// that a zero x keeps its sign.
static SmallVector<Value> tangentsOfSmall(Lists &lists,
                                          ArrayRef<Value> values) {
  size_t count = values.size();
  SmallVector<Value> squares = lists.multiply(values, values);
  ArrayRef<float> coefficients = kPolynomial;
  SmallVector<Value> sums = lists.all(coefficients.back(), count);
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    sums = lists.fuse(sums, squares, lists.all(coefficient, count));
  sums = lists.fuse(sums, squares, lists.all(0.0f, count));
  return lists.fuse(sums, values, values);
}

/// Interleaves the steps of all values: the other values hide the latency of
/// each.
static SmallVector<Value> tangentsSideBySide(Emitter &emitter,
                                             ArrayRef<Value> values) {
  OpBuilder &builder = emitter.builder;
  Location loc = emitter.loc;
  Lists lists(emitter);
  Value one = lists.number(1.0f), two = lists.number(-2.0f);
  Value scale = lists.number(0x1.715476p+1f);
  Value bound = lists.number(kLargestOfPolynomial);
  auto each = [&](ArrayRef<Value> of, function_ref<Value(Value)> step) {
    return llvm::map_to_vector(of, step);
  };
  // Computes 1 - 2 / (1 + e^2|x|). `__nv_tanhf` selects 1 from |x| =
  // 0x1.205968p+3 on. The exponent exceeds 26 there, and the quotient is below
  // 2^-25 by more than the errors of both approximations: the difference is 1
  // without a selection.
  SmallVector<Value> small = tangentsOfSmall(lists, values);
  SmallVector<Value> sizes =
      each(values, [&](Value x) { return lists.call("llvm.fabs", x); });
  SmallVector<Value> powers = each(sizes, [&](Value size) -> Value {
    return LLVM::FMulOp::create(builder, loc, size, scale);
  });
  powers = each(powers, [&](Value x) {
    return lists.call("llvm.nvvm.ex2.approx.ftz", x);
  });
  powers = each(powers, [&](Value power) -> Value {
    return LLVM::FAddOp::create(builder, loc, power, one);
  });
  powers = each(powers, [&](Value sum) {
    return lists.call("llvm.nvvm.rcp.approx.ftz.f", sum);
  });
  powers = each(powers, [&](Value inverse) -> Value {
    return LLVM::FMAOp::create(builder, loc, inverse, two, one);
  });
  SmallVector<Value> results;
  for (size_t i = 0; i < values.size(); ++i) {
    Value large = lists.call("llvm.copysign", {powers[i], values[i]});
    Value isLarge = LLVM::FCmpOp::create(builder, loc, LLVM::FCmpPredicate::oge,
                                         sizes[i], bound);
    results.push_back(emitter.select(isLarge, large, small[i]));
  }
  return results;
}

SmallVector<Value> hyperbolicTangentsOf(Emitter &emitter,
                                        ArrayRef<Value> values) {
  constexpr size_t kChains = 8;
  SmallVector<Value> results;
  for (size_t first = 0; first < values.size(); first += kChains)
    llvm::append_range(
        results,
        tangentsSideBySide(
            emitter,
            values.slice(first, std::min(kChains, values.size() - first))));
  return results;
}

} // namespace tileir::lowering
