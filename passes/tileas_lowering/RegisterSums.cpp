// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/RegisterSums.h"

#include "passes/tileas_lowering/FloatPairs.h"
#include "passes/tileas_lowering/PackedExtrema.h"

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;

namespace tileir::lowering {

/// Fewer values are added.
static constexpr size_t kFewestValues = 8;

static Value createFloat(Emitter &emitter, float value) {
  Type f32 = emitter.builder.getF32Type();
  return LLVM::ConstantOp::create(emitter.builder, emitter.loc, f32,
                                  emitter.builder.getF32FloatAttr(value));
}

static Value callIntrinsic(Emitter &emitter, StringRef name, ValueRange args) {
  return LLVM::CallIntrinsicOp::create(
             emitter.builder, emitter.loc, emitter.builder.getF32Type(),
             emitter.builder.getStringAttr(name), args)
      .getResult(0);
}

static Value add(Emitter &emitter, Value a, Value b) {
  return LLVM::FAddOp::create(emitter.builder, emitter.loc, a, b);
}

static Value fma(Emitter &emitter, Value a, Value b, Value c) {
  return LLVM::FMAOp::create(emitter.builder, emitter.loc, a, b, c);
}

//===----------------------------------------------------------------------===//
// One value of many
//===----------------------------------------------------------------------===//

namespace {

/// `value` where the number `index` is the sum of `base` and `offset`.
struct Candidate {
  Value value, index, base;
  uint32_t offset;
};

} // namespace

/// Takes `value == base + offset ? x : 0` apart.
static std::optional<Candidate> getCandidate(Value value) {
  auto select = value.getDefiningOp<arith::SelectOp>();
  APFloat other(0.0f);
  // A sum of zeros is positive.
  if (!select ||
      !matchPattern(select.getFalseValue(), m_ConstantFloat(&other)) ||
      !other.isPosZero())
    return std::nullopt;
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      !compare.getLhs().getType().isInteger(32))
    return std::nullopt;
  Candidate candidate{select.getTrueValue(), compare.getRhs(), compare.getLhs(),
                      0};
  // The position is an addition, or the one without a constant.
  while (auto sum = candidate.base.getDefiningOp<LLVM::AddOp>()) {
    std::optional<int64_t> constant = Emitter::constantOf(sum.getRhs());
    if (!constant)
      break;
    candidate.offset += uint32_t(*constant);
    candidate.base = sum.getLhs();
  }
  return candidate;
}

/// Chooses among `values`, by the offset from which on `position` counts: one
/// bit after the other.
static Value choose(Emitter &emitter, std::map<uint32_t, Value> values,
                    uint32_t bits, Value position) {
  for (; bits; bits &= bits - 1) {
    uint32_t bit = bits & -bits;
    Value isUpper =
        emitter.icmp(LLVM::ICmpPredicate::ne, emitter.andConst(position, bit),
                     emitter.i32(0));
    std::map<uint32_t, Value> next;
    for (auto &[offset, value] : values)
      if (!(offset & bit))
        next[offset] = emitter.select(isUpper, values[offset | bit], value);
    values = std::move(next);
  }
  return values.begin()->second;
}

/// The bits whose lower or upper half is the bf16 number `value`.
static Value getBitsOf(Value value, bool isUpper) {
  Half half = getHalf(value);
  bool isBits = half.word && half.word.getType().isInteger(32);
  return isBits && half.isUpper == isUpper ? half.word : Value();
}

/// Numbers all but one of which are zero, because positions are compared with
/// one index: bits of the index choose that one, which takes no comparison and
/// no addition for each. Positions differ in some of their bits, in every way
/// that these can.
static Value sumOneHot(Emitter &emitter, ArrayRef<Value> values) {
  std::map<uint32_t, Value> byOffset;
  Value index, base;
  uint32_t bits = 0;
  for (Value value : values) {
    std::optional<Candidate> candidate = getCandidate(value);
    if (!candidate || (index && index != candidate->index) ||
        (base && base != candidate->base))
      return {};
    index = candidate->index;
    base = candidate->base;
    byOffset[candidate->offset] = candidate->value;
  }
  uint32_t first = byOffset.begin()->first;
  for (auto &[offset, value] : byOffset)
    bits |= offset - first;
  std::map<uint32_t, Value> byBits;
  for (auto &[offset, value] : byOffset)
    byBits[offset - first] = value;
  if (byBits.size() != values.size() ||
      size_t(1) << llvm::popcount(bits) != values.size())
    return {};

  OpBuilder &builder = emitter.builder;
  Value position = LLVM::SubOp::create(builder, emitter.loc, index, base);
  position = emitter.add(position, emitter.i32(-int64_t(first)));
  // Two halves of a word stay together until the last.
  std::map<uint32_t, Value> words;
  for (auto &[offset, value] : byBits)
    if (!(offset & 1)) {
      Value word = getBitsOf(value, /*isUpper=*/false);
      auto upper = byBits.find(offset | 1);
      if (!word || upper == byBits.end() ||
          getBitsOf(upper->second, /*isUpper=*/true) != word)
        break;
      words[offset] = word;
    }
  Value chosen;
  if (2 * words.size() == byBits.size()) {
    Value word = choose(emitter, words, bits & ~uint32_t(1), position);
    Value isUpper = emitter.icmp(LLVM::ICmpPredicate::ne,
                                 emitter.andConst(position, 1), emitter.i32(0));
    chosen = emitter.bitcast(emitter.select(isUpper,
                                            emitter.andConst(word, 0xffff0000),
                                            emitter.shlConst(word, 16)),
                             builder.getF32Type());
  } else {
    chosen = choose(emitter, byBits, bits, position);
  }
  Value isMine =
      emitter.icmp(LLVM::ICmpPredicate::eq,
                   emitter.andConst(position, uint32_t(~bits)), emitter.i32(0));
  Value zero = createFloat(emitter, 0);
  // The addition is one of those left out: it makes a negative zero positive.
  return add(emitter, emitter.select(isMine, chosen, zero), zero);
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

/// e^x of each number as the product of a number about 1 and a power of two, as
/// libdevice multiplies it: exact, unless it is subnormal. A sum that takes the
/// product in is that of this one or of its neighbour, which lie within the
/// error of the exponential.
static SmallVector<std::pair<Value, Value>>
splitExponentials(Emitter &emitter, ArrayRef<Value> exponents) {
  auto f = [&](float value) { return createFloat(emitter, value); };
  auto all = [&](float value) {
    return SmallVector<Value>(exponents.size(), f(value));
  };
  auto fuse = [&](ArrayRef<Value> of) {
    return fma(emitter, of[0], of[1], of[2]);
  };
  SmallVector<Value> numbers = llvm::to_vector(exponents), shifted, negated;
  for (Value x : exponents) {
    // The exponent, clamped to those of normal numbers, in the low bits.
    Value clamped = callIntrinsic(emitter, "llvm.nvvm.saturate.f",
                                  fma(emitter, x, f(0x1.77313ap-8f), f(0.5f)));
    shifted.push_back(callIntrinsic(emitter, "llvm.nvvm.fma.rm.f",
                                    {clamped, f(252.0f), f(12582913.0f)}));
  }
  if (hasFloatPairs(emitter)) {
    negated = mapPairs(emitter, {shifted, all(-1.0f), all(12583039.0f)}, fuse);
  } else {
    for (Value value : shifted)
      negated.push_back(LLVM::FNegOp::create(
          emitter.builder, emitter.loc, add(emitter, value, f(-12583039.0f))));
  }
  // log2 e in two parts.
  SmallVector<Value> rests =
      mapPairs(emitter, {numbers, all(0x1.715476p+0f), negated}, fuse);
  rests = mapPairs(emitter, {numbers, all(0x1.4ae0cp-26f), rests}, fuse);
  SmallVector<std::pair<Value, Value>> results;
  for (auto [rest, bits] : llvm::zip(rests, shifted)) {
    Value scale = emitter.bitcast(
        emitter.shlConst(emitter.bitcast(bits, emitter.builder.getI32Type()),
                         23),
        emitter.builder.getF32Type());
    // Overloaded in LLVM 22, hence without the type that older names end in.
    results.emplace_back(
        callIntrinsic(emitter, "llvm.nvvm.ex2.approx.ftz", rest), scale);
  }
  return results;
}

SmallVector<Value> exponentialsOf(Emitter &emitter, ArrayRef<Value> exponents) {
  SmallVector<Value> numbers, scales;
  for (auto [number, scale] : splitExponentials(emitter, exponents)) {
    numbers.push_back(number);
    scales.push_back(scale);
  }
  return mapPairs(emitter, {numbers, scales}, [&](ArrayRef<Value> of) -> Value {
    return LLVM::FMulOp::create(emitter.builder, emitter.loc, of[0], of[1]);
  });
}

static bool flushesOrApproximates(Operation *op) {
  while (!op->hasTrait<OpTrait::SymbolTable>())
    op = op->getParentOp();
  return op->hasAttr(nv_tileaa::kFtzAttr) ||
         op->hasAttr(nv_tileaa::kApproxAttr);
}

/// Adds exponentials that are for nothing else: their last product and the
/// addition are one instruction. Four sums hide each other's latency.
static Value sumExponentials(Emitter &emitter, ArrayRef<Value> values) {
  constexpr size_t kSums = 4;
  for (Value value : values) {
    auto exp = value.getDefiningOp<math::ExpOp>();
    if (!exp || exp.getFastmath() != arith::FastMathFlags::none ||
        flushesOrApproximates(exp))
      return {};
  }
  SmallVector<Value> exponents, sums;
  for (Value value : values)
    exponents.push_back(value.getDefiningOp<math::ExpOp>().getOperand());
  for (auto [i, part] :
       llvm::enumerate(splitExponentials(emitter, exponents))) {
    auto [number, scale] = part;
    if (i < kSums)
      sums.push_back(
          LLVM::FMulOp::create(emitter.builder, emitter.loc, number, scale));
    else
      sums[i % kSums] = fma(emitter, number, scale, sums[i % kSums]);
  }
  return add(emitter, add(emitter, sums[0], sums[1]),
             add(emitter, sums[2], sums[3]));
}

Value sumRegisters(Emitter &emitter, ArrayRef<Value> values,
                   bool areOthersUsed) {
  if (values.size() < kFewestValues || !values[0].getType().isF32())
    return {};
  if (Value sum = sumOneHot(emitter, values))
    return sum;
  if (!areOthersUsed)
    if (Value sum = sumExponentials(emitter, values))
      return sum;
  return hasFloatPairs(emitter) ? sumPairs(emitter, values) : Value();
}

} // namespace tileir::lowering
