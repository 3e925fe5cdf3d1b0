// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/math/Powers.h"

#include "passes/tileas_lowering/math/FloatPairs.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tileir::lowering {

bool isF32Power(Operation *op) {
  return isa<math::PowFOp, math::FPowIOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isF32();
}

//===----------------------------------------------------------------------===//
// Logarithms
//===----------------------------------------------------------------------===//

/// 2 / ln 2, its third, and the rest of either.
static constexpr float kScale = 0x1.715476p+1f, kScaleRest = 0x1.4ae0cp-25f;
static constexpr float kThird = 0x1.ec709ep-1f, kThirdRest = -0x1.e2fe02p-28f;

/// (log2 m - kScale q) / q^3 - kThird as a polynomial in q^2 without its
/// constant, q = (m - 1) / (m + 1), for m from sqrt(1/2) to sqrt(2).
static constexpr float kLogarithm[] = {0x1.2777p-1f, 0x1.a5c93ap-2f,
                                       0x1.58afacp-2f};

static constexpr int64_t kInfinity = 0x7f800000;

namespace {

using Values = SmallVector<Value>;

/// Sums of a number and of one that is smaller than its last place.
struct Pairs {
  Values high, low;
};

/// Builds the powers of one list, step by step for all: each number waits for
/// its own, the others hide that.
class Powers {
public:
  Powers(Emitter &emitter, ArrayRef<Value> bases, ArrayRef<Value> exponents)
      : emitter(emitter), lists(emitter), bases(bases), exponents(exponents),
        isInteger(exponents.front().getType().isInteger()) {}

  Values build();

private:
  Pairs logarithms();
  Values wholeParts(Values &numbers);
  /// The logarithms of numbers from sqrt(1/2) to sqrt(2): the high part with
  /// the other sign.
  Pairs logarithmsNearOne(const Values &numbers);
  Pairs multiplyByExponents(const Pairs &logarithms);
  Values exponentials(const Pairs &powers);
  Value finishInteger(Value power, Value base, Value exponent);
  Value finishFloat(Value power, Value magnitude, Value base, Value exponent);

  template <typename Step, typename... Lists>
  Values each(Step step, const Values &first, const Lists &...more) {
    Values results;
    for (size_t i = 0; i < first.size(); ++i)
      results.push_back(step(first[i], more[i]...));
    return results;
  }
  Values all(float value) { return lists.all(value, bases.size()); }
  /// The difference of two products that one of them rounds: a b - c.
  Values fuseNegated(const Values &a, const Values &b, const Values &c) {
    return lists.fuse(a, b, lists.negate(c));
  }
  Value compare(LLVM::FCmpPredicate predicate, Value a, Value b) {
    return LLVM::FCmpOp::create(emitter.builder, emitter.loc, predicate, a, b);
  }
  Value bits(Value value) {
    return emitter.bitcast(value, emitter.intType(32));
  }
  Value number(Value bits) {
    return emitter.bitcast(bits, emitter.builder.getF32Type());
  }
  Value toFloat(Value integer) {
    return LLVM::SIToFPOp::create(emitter.builder, emitter.loc,
                                  emitter.builder.getF32Type(), integer);
  }
  Value clamp(Value value, float least, float most) {
    value = lists.call("llvm.maxnum", ValueRange{value, lists.number(least)});
    return lists.call("llvm.minnum", ValueRange{value, lists.number(most)});
  }

  Emitter &emitter;
  Lists lists;
  Values bases, exponents, magnitudes;
  bool isInteger;
};

} // namespace

/// Most numbers are made with the other sign, so that what a product loses to
/// rounding is one fused operation: a b + (-a b).
Pairs Powers::logarithmsNearOne(const Values &numbers) {
  Values sums = lists.add(numbers, all(1.0f));
  Values differences = lists.add(numbers, all(-1.0f));
  Values inverses = each(
      [&](Value sum) { return lists.call("llvm.nvvm.rcp.approx.ftz.f", sum); },
      sums);
  // The quotient in two parts; the difference is exact, the sum is not.
  Values q = lists.multiply(differences, inverses);
  Values minusQ = lists.negate(q);
  Values rest = lists.fuse(q, all(-2.0f), differences);
  rest = lists.fuse(minusQ, differences, rest);
  Values qLow = lists.multiply(inverses, rest);
  // Its square and its cube.
  Values minusSquare = lists.multiply(q, minusQ);
  Values squareLow = lists.fuse(q, q, minusSquare);
  Values minusCube = lists.multiply(minusSquare, q);
  Values cubeLow = lists.fuse(minusSquare, minusQ, minusCube);
  cubeLow = lists.fuse(squareLow, q, cubeLow);
  cubeLow = lists.fuse(minusSquare, lists.multiply(qLow, all(-3.0f)), cubeLow);

  Values series =
      lists.fuse(minusSquare, all(kLogarithm[2]), all(-kLogarithm[1]));
  series = lists.fuse(series, minusSquare, all(kLogarithm[0]));
  Values minusSeries = lists.fuse(series, minusSquare, all(-kThirdRest));
  Values minusThird = lists.multiply(minusCube, all(kThird));
  Values thirdLow = lists.fuse(minusCube, all(-kThird), minusThird);
  thirdLow = lists.fuse(cubeLow, all(kThird), thirdLow);
  thirdLow = lists.fuse(minusSeries, minusCube, thirdLow);

  Values minusFirst = lists.multiply(q, all(-kScale));
  Values firstLow = lists.fuse(q, all(kScale), minusFirst);
  firstLow = lists.fuse(q, all(kScaleRest), firstLow);
  firstLow = lists.fuse(qLow, all(kScale), firstLow);

  // The first is the larger of the two.
  Values minusHigh = lists.add(minusFirst, minusThird);
  Values minusLost =
      lists.add(lists.subtract(minusFirst, minusHigh), minusThird);
  return {minusHigh, lists.subtract(lists.add(firstLow, thirdLow), minusLost)};
}

/// The whole parts of logarithms, and the numbers from sqrt(1/2) to sqrt(2) of
/// which the rests are.
Values Powers::wholeParts(Values &numbers) {
  constexpr float kLeastNormal = 0x1p-126f, kScaleUp = 0x1p+24f;
  constexpr int64_t kRootOfHalf = 0x3f3504f3, kShiftBits = 0x4b400000;
  constexpr float kShift = 12582912.0f;
  Values parts;
  for (Value magnitude : magnitudes) {
    Value isSmall = compare(LLVM::FCmpPredicate::olt, magnitude,
                            lists.number(kLeastNormal));
    Value larger = lists.multiply({magnitude}, {lists.number(kScaleUp)})[0];
    Value scaled = bits(emitter.select(isSmall, larger, magnitude));
    Value start = emitter.select(isSmall, lists.number(-kShift - 24.0f),
                                 lists.number(-kShift));
    Value count = LLVM::AShrOp::create(
        emitter.builder, emitter.loc,
        emitter.add(scaled, emitter.i32(-kRootOfHalf)), emitter.i32(23));
    numbers.push_back(number(LLVM::SubOp::create(
        emitter.builder, emitter.loc, scaled, emitter.shlConst(count, 23))));
    // The bits of a float whose last place counts 1.
    Value shifted = number(emitter.add(count, emitter.i32(kShiftBits)));
    parts.push_back(lists.add({shifted}, {start})[0]);
  }
  return parts;
}

/// log2 of the magnitudes. That of zero comes out as -151, and where exponents
/// are integers that of infinity is 1024: their powers are right.
Pairs Powers::logarithms() {
  Values numbers;
  Values whole = wholeParts(numbers);
  if (isInteger)
    whole = each(
        [&](Value part, Value magnitude, Value exponent) {
          // Not less than infinity: NaN, too, whose power 0 is 1.
          Value isLarge = compare(LLVM::FCmpPredicate::uge, magnitude,
                                  number(emitter.i32(kInfinity)));
          Value counts =
              emitter.icmp(LLVM::ICmpPredicate::ne, exponent, emitter.i32(0));
          return emitter.select(
              emitter.andBits(isLarge, counts),
              lists.call("llvm.minimum",
                         ValueRange{magnitude, lists.number(1024.0f)}),
              part);
        },
        whole, magnitudes, exponents);
  Pairs minus = logarithmsNearOne(numbers);
  // A whole part that is not zero is the larger of the two.
  Values high = lists.subtract(whole, minus.high);
  Values lost = lists.subtract(lists.subtract(whole, high), minus.high);
  return {high, lists.add(lost, minus.low)};
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

Pairs Powers::multiplyByExponents(const Pairs &logarithms) {
  // A larger exponent of f32 gives the same, and may be infinite.
  constexpr float kMax = 0x1p+64f;
  constexpr int64_t kExact = 1 << 24;
  Values multiples, factors;
  for (Value exponent : exponents) {
    if (!isInteger) {
      factors.push_back(clamp(exponent, -kMax, kMax));
      continue;
    }
    // One that may be no f32 is a multiple of 128, which is one, and a rest.
    Value isExact = emitter.icmp(LLVM::ICmpPredicate::ule,
                                 emitter.add(exponent, emitter.i32(kExact)),
                                 emitter.i32(2 * kExact));
    Value mask = emitter.select(isExact, emitter.i32(-1), emitter.i32(-128));
    multiples.push_back(
        LLVM::AndOp::create(emitter.builder, emitter.loc, exponent, mask));
    factors.push_back(toFloat(multiples.back()));
  }
  Values high = lists.multiply(logarithms.high, factors);
  Values low = fuseNegated(logarithms.high, factors, high);
  low = lists.fuse(logarithms.low, factors, low);
  if (isInteger) {
    Values rests = each(
        [&](Value exponent, Value multiple) {
          // Below 128: the last bits of a float.
          Value shifted = number(LLVM::OrOp::create(
              emitter.builder, emitter.loc,
              emitter.xorValues(exponent, multiple), emitter.i32(0x4b000000)));
          return lists.add({shifted}, {lists.number(-0x1p+23f)})[0];
        },
        exponents, multiples);
    low = lists.fuse(logarithms.high, rests, low);
  }
  return {high, low};
}

/// 2 to these powers. What the power of two cannot take, whose exponents are
/// those of normal numbers, stays with the exponential: it becomes zero or
/// infinite with it, or subnormal by the last product.
Values Powers::exponentials(const Pairs &powers) {
  // The last bits of the sum are the exponent of an f32.
  constexpr float kShift = 12582912.0f + 127.0f;
  Values clamped = each(
      [&](Value power) { return clamp(power, -126.0f, 127.0f); }, powers.high);
  Values shifted = lists.add(clamped, all(kShift));
  Values rest = lists.subtract(powers.high, lists.add(shifted, all(-kShift)));
  rest = lists.add(rest, powers.low);
  Values scales = each(
      [&](Value shifted) {
        return number(emitter.shlConst(bits(shifted), 23));
      },
      shifted);
  Values parts = each(
      [&](Value rest) { return lists.call("llvm.nvvm.ex2.approx.ftz", rest); },
      rest);
  return lists.multiply(parts, scales);
}

/// The sign and the special cases of an exponent of f32.
Value Powers::finishFloat(Value power, Value magnitude, Value base,
                          Value exponent) {
  using Predicate = LLVM::FCmpPredicate;
  Value zero = lists.number(0.0f), one = lists.number(1.0f);
  Value nan = number(emitter.i32(0x7fffffff));
  // Zero, infinity and NaN.
  Value isSpecial = emitter.icmp(LLVM::ICmpPredicate::uge,
                                 emitter.add(bits(magnitude), emitter.i32(-1)),
                                 emitter.i32(kInfinity - 1));
  Value inverse = lists.call("llvm.nvvm.rcp.approx.ftz.f", magnitude);
  Value special = emitter.select(compare(Predicate::olt, exponent, zero),
                                 inverse, magnitude);
  power = emitter.select(isSpecial, special, power);
  // 0 where the exponent is even, 1 or -1 where it is odd, else a fraction;
  // NaN where it is infinite.
  Value half = lists.call("llvm.trunc",
                          lists.multiply({exponent}, {lists.number(0.5f)})[0]);
  Value rest = lists.fuse({half}, {lists.number(-2.0f)}, {exponent})[0];
  Value isOdd = compare(Predicate::oeq, lists.call("llvm.fabs", rest), one);
  Value isWhole = LLVM::OrOp::create(emitter.builder, emitter.loc, isOdd,
                                     compare(Predicate::ueq, rest, zero));
  Value isNegative = compare(Predicate::olt, base, zero);
  Value isFinite =
      compare(Predicate::one, base, number(emitter.i32(0xff800000)));
  Value isFraction =
      emitter.andBits(emitter.andBits(isNegative, isFinite),
                      LLVM::XOrOp::create(emitter.builder, emitter.loc, isWhole,
                                          emitter.constant(1, 1)));
  power = emitter.select(isFraction, nan, power);
  Value sign = emitter.select(isOdd, emitter.andConst(bits(base), 0x80000000),
                              emitter.i32(0));
  power = number(emitter.xorValues(bits(power), sign));
  power = emitter.select(compare(Predicate::uno, base, exponent), nan, power);
  Value isOne = LLVM::OrOp::create(emitter.builder, emitter.loc,
                                   compare(Predicate::oeq, base, one),
                                   compare(Predicate::oeq, exponent, zero));
  return emitter.select(isOne, one, power);
}

/// The sign of a power whose exponent is an integer.
Value Powers::finishInteger(Value power, Value base, Value exponent) {
  Value odd = emitter.shlConst(exponent, 31);
  Value sign =
      LLVM::AndOp::create(emitter.builder, emitter.loc, odd, bits(base));
  return number(emitter.xorValues(bits(power), sign));
}

Values Powers::build() {
  magnitudes =
      each([&](Value base) { return lists.call("llvm.fabs", base); }, bases);
  Values powers = exponentials(multiplyByExponents(logarithms()));
  return each(
      [&](Value power, Value magnitude, Value base, Value exponent) {
        return isInteger ? finishInteger(power, base, exponent)
                         : finishFloat(power, magnitude, base, exponent);
      },
      powers, magnitudes, bases, exponents);
}

/// The constant that all exponents are, if it is a whole number from 1 to 4:
/// products have the error of the functions there, and of the special cases
/// none is left.
static unsigned getShortExponent(ArrayRef<Value> exponents) {
  constexpr unsigned kMax = 4;
  unsigned found = 0;
  for (Value exponent : exponents) {
    APInt integer;
    APFloat real(0.0f);
    unsigned one = 0;
    if (matchPattern(exponent, m_ConstantInt(&integer)))
      one = integer.isNegative() ? 0 : integer.getLimitedValue(kMax + 1);
    else if (matchPattern(exponent, m_ConstantFloat(&real)))
      for (unsigned power = 1; power <= kMax; ++power)
        if (real == APFloat(float(power)))
          one = power;
    if (one == 0 || one > kMax || (found && one != found))
      return 0;
    found = one;
  }
  return found;
}

/// Products of up to four of each of the `bases`.
static SmallVector<Value>
multiplyThemselves(Emitter &emitter, ArrayRef<Value> bases, unsigned count) {
  Lists lists(emitter);
  SmallVector<Value> results = llvm::to_vector(bases);
  if (count >= 2)
    results = lists.multiply(results, results);
  if (count == 3)
    results = lists.multiply(results, bases);
  if (count == 4)
    results = lists.multiply(results, results);
  return results;
}

SmallVector<Value> powersOf(Emitter &emitter, ArrayRef<Value> bases,
                            ArrayRef<Value> exponents) {
  if (unsigned count = getShortExponent(exponents))
    return multiplyThemselves(emitter, bases, count);
  constexpr size_t kChains = 4;
  SmallVector<Value> results;
  for (size_t first = 0; first < bases.size(); first += kChains) {
    size_t count = std::min(kChains, bases.size() - first);
    llvm::append_range(results, Powers(emitter, bases.slice(first, count),
                                       exponents.slice(first, count))
                                    .build());
  }
  return results;
}

} // namespace tileir::lowering
