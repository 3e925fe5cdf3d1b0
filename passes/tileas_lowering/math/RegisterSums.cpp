// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/math/RegisterSums.h"

#include "passes/tileas_lowering/math/FloatFacts.h"
#include "passes/tileas_lowering/math/FloatPairs.h"
#include "passes/tileas_lowering/math/PackedExtrema.h"

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;

namespace tileir::lowering {

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
// One-hot sums
//===----------------------------------------------------------------------===//

namespace {

/// `value` if `index` equals the sum of `base` and `offset`, else zero.
struct Candidate {
  Value value, index, base;
  uint32_t offset;
};

} // namespace

/// Matches `index == base + offset ? x : 0`.
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
  // The position is an addition, or the base without a constant.
  while (auto sum = candidate.base.getDefiningOp<LLVM::AddOp>()) {
    std::optional<int64_t> constant = Emitter::constantOf(sum.getRhs());
    if (!constant)
      break;
    candidate.offset += uint32_t(*constant);
    candidate.base = sum.getLhs();
  }
  return candidate;
}

/// Selects among `values` by `position`, relative to the first offset, bit by
/// bit.
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

/// Returns the word whose lower or upper half is the bf16 number `value`.
static Value getBitsOf(Value value, bool isUpper) {
  Half half = getHalf(value);
  bool isBits = half.word && half.word.getType().isInteger(32);
  return isBits && half.isUpper == isUpper ? half.word : Value();
}

/// Sums numbers of which all but one are zero, because one index is compared
/// with the position of each. The bits of the index select the number, without
/// a comparison and an addition for each. The positions must take all
/// combinations of some of their bits.
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
  // Two halves of a word stay together until the last bit.
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
  // One of the original additions: it turns a negative zero positive.
  return add(emitter, emitter.select(isMine, chosen, zero), zero);
}

//===----------------------------------------------------------------------===//
// Exponentials
//===----------------------------------------------------------------------===//

/// e^x = number * 2^power: numbers between 1 and 2, or below if the power is
/// clamped, and the bits of an f32 whose exponent is the power.
using Factors = SmallVector<std::pair<Value, Value>>;

/// Returns the factors of e^x, like libdevice. `shifted` are floats whose last
/// bits hold the power of each number, relative to that of `zero`.
static Factors makeOperands(Emitter &emitter, ArrayRef<Value> numbers,
                            ArrayRef<Value> shifted, float zero) {
  auto all = [&](float value) {
    return SmallVector<Value>(numbers.size(), createFloat(emitter, value));
  };
  auto fuse = [&](ArrayRef<Value> of) {
    return fma(emitter, of[0], of[1], of[2]);
  };
  SmallVector<Value> exponents = llvm::to_vector(numbers), negated;
  if (hasFloatPairs(emitter)) {
    negated = mapPairs(emitter,
                       {llvm::to_vector(shifted), all(-1.0f), all(zero)}, fuse);
  } else {
    for (Value value : shifted)
      negated.push_back(LLVM::FNegOp::create(
          emitter.builder, emitter.loc,
          add(emitter, value, createFloat(emitter, -zero))));
  }
  // log2 e in two parts.
  SmallVector<Value> rests =
      mapPairs(emitter, {exponents, all(0x1.715476p+0f), negated}, fuse);
  rests = mapPairs(emitter, {exponents, all(0x1.4ae0cp-26f), rests}, fuse);
  Factors factors;
  for (auto [rest, bits] : llvm::zip(rests, shifted)) {
    Value power = emitter.shlConst(
        emitter.bitcast(bits, emitter.builder.getI32Type()), 23);
    // Overloaded in LLVM 22: the name lacks the type suffix of older
    // intrinsics.
    factors.emplace_back(
        callIntrinsic(emitter, "llvm.nvvm.ex2.approx.ftz", rest), power);
  }
  return factors;
}

/// Returns e^x of each number as the product of a number near 1 and a power of
/// two: exact unless it is subnormal. A sum that fuses the multiplication
/// differs by at most one neighbouring value, within the error of the
/// exponential.
static Factors splitExponentials(Emitter &emitter, ArrayRef<Value> exponents) {
  auto f = [&](float value) { return createFloat(emitter, value); };
  SmallVector<Value> shifted;
  for (Value x : exponents) {
    // The exponent, clamped to normal numbers, in the low bits.
    Value clamped = callIntrinsic(emitter, "llvm.nvvm.saturate.f",
                                  fma(emitter, x, f(0x1.77313ap-8f), f(0.5f)));
    shifted.push_back(callIntrinsic(emitter, "llvm.nvvm.fma.rm.f",
                                    {clamped, f(252.0f), f(12582913.0f)}));
  }
  Factors factors = makeOperands(emitter, exponents, shifted, 12583039.0f);
  for (auto &[number, power] : factors)
    power = emitter.bitcast(power, emitter.builder.getF32Type());
  return factors;
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

SmallVector<Value> scaledExponentialsOf(Emitter &emitter,
                                        ArrayRef<Value> exponents) {
  OpBuilder &builder = emitter.builder;
  auto f = [&](float value) { return createFloat(emitter, value); };
  // Both sides of zero; the last bit of the sum counts 1.
  constexpr float kLength = 2 * kScaledPower, kZero = 12582912.0f;
  SmallVector<Value> shifted, results;
  for (Value x : exponents) {
    // Clamped where the scaled power is zero: no power is added to the bits of
    // zero and NaN.
    Value clamped =
        callIntrinsic(emitter, "llvm.nvvm.saturate.f",
                      fma(emitter, x, f(0x1.715476p+0f / kLength), f(0.5f)));
    shifted.push_back(callIntrinsic(emitter, "llvm.nvvm.fma.rm.f",
                                    {clamped, f(kLength), f(kZero)}));
  }
  for (auto [number, power] :
       makeOperands(emitter, exponents, shifted, kZero + kScaledPower)) {
    Value bits =
        emitter.add(emitter.bitcast(number, builder.getI32Type()), power);
    results.push_back(emitter.bitcast(bits, builder.getF32Type()));
  }
  return results;
}

static bool flushesOrApproximates(Operation *op) {
  while (!op->hasTrait<OpTrait::SymbolTable>())
    op = op->getParentOp();
  return op->hasAttr(nv_tileaa::kFtzAttr) ||
         op->hasAttr(nv_tileaa::kApproxAttr);
}

/// Sums exponentials that have no other use: their last multiplication fuses
/// with the addition. Independent partial sums hide latency.
static Value sumExponentials(Emitter &emitter, ArrayRef<Value> values) {
  constexpr size_t kSums = heuristics::exponentialSums;
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

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns the factors of `values`: of one value each, or of two values that
/// one instruction multiplies. Nothing if a value is no product.
static SmallVector<std::pair<Value, Value>>
getProducts(ArrayRef<Value> values) {
  SmallVector<std::pair<Value, Value>> products;
  for (size_t i = 0; i < values.size(); ++i) {
    if (auto product = values[i].getDefiningOp<arith::MulFOp>()) {
      products.emplace_back(product.getLhs(), product.getRhs());
      continue;
    }
    auto low = values[i].getDefiningOp<LLVM::ExtractElementOp>();
    auto product =
        low ? low.getVector().getDefiningOp<LLVM::FMulOp>() : LLVM::FMulOp();
    auto high = i + 1 < values.size()
                    ? values[i + 1].getDefiningOp<LLVM::ExtractElementOp>()
                    : LLVM::ExtractElementOp();
    if (!product || !high || high.getVector() != low.getVector() ||
        Emitter::constantOf(low.getPosition()) ==
            Emitter::constantOf(high.getPosition()))
      return {};
    products.emplace_back(product.getLhs(), product.getRhs());
    ++i;
  }
  if (llvm::all_of(products, [&](const auto &product) {
        return product.first.getType() == products[0].first.getType();
      }))
    return products;
  return {};
}

/// Sums unrounded products by one fma each. Independent partial sums hide
/// latency.
static Value sumProducts(Emitter &emitter, ArrayRef<Value> values) {
  SmallVector<std::pair<Value, Value>> products = getProducts(values);
  if (products.empty())
    return {};
  auto vector = dyn_cast<VectorType>(products[0].first.getType());
  size_t most = vector ? 2 : 4;
  SmallVector<Value> sums;
  for (auto [i, product] : llvm::enumerate(products)) {
    auto [a, b] = product;
    if (i < most)
      sums.push_back(LLVM::FMulOp::create(emitter.builder, emitter.loc, a, b));
    else
      sums[i % most] = fma(emitter, a, b, sums[i % most]);
  }
  for (size_t half = sums.size() / 2; half; half /= 2)
    for (size_t i = 0; i < half; ++i)
      sums[i] = add(emitter, sums[i], sums[i + half]);
  return vector ? add(emitter, emitter.extract(sums[0], 0),
                      emitter.extract(sums[0], 1))
                : sums[0];
}

Value sumRegisters(Emitter &emitter, ArrayRef<Value> values, bool areOthersUsed,
                   bool areExactDots) {
  if (values.size() < heuristics::minSummedValues ||
      !values[0].getType().isF32())
    return {};
  if (Value sum = sumOneHot(emitter, values))
    return sum;
  if (areExactDots)
    if (Value sum = sumProducts(emitter, values))
      return sum;
  if (!areOthersUsed)
    if (Value sum = sumExponentials(emitter, values))
      return sum;
  return hasFloatPairs(emitter) ? sumPairs(emitter, values) : Value();
}

} // namespace tileir::lowering
