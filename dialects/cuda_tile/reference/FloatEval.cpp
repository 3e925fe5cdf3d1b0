// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of floating point: arithmetic, functions, comparison, MMA.

#include "dialects/cuda_tile/reference/Elementwise.h"
#include "dialects/cuda_tile/reference/TileBlock.h"

#include <cmath>

namespace tileir::reference {

using namespace mlir;
using ct::RoundingMode;
using llvm::APFloat;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// Flushes subnormals to zero with their sign.
static APFloat flush(APFloat value, bool isOn) {
  if (isOn && value.isDenormal())
    return APFloat::getZero(value.getSemantics(), value.isNegative());
  return value;
}

/// Rounds the exact result of `compute`, which takes the rounding mode, once.
/// The exact number decides about flushing: a number below the smallest normal
/// one becomes zero even if it would round up to it.
template <typename Compute>
static APFloat roundOnce(bool ftz, APFloat::roundingMode mode,
                         Compute compute) {
  APFloat rounded = compute(mode);
  if (!ftz || !rounded.isSmallestNormalized())
    return rounded;
  bool isTiny = !compute(APFloat::rmTowardZero).isSmallestNormalized();
  return isTiny ? APFloat::getZero(rounded.getSemantics(), rounded.isNegative())
                : rounded;
}

/// Applies `compute` to APFloats; `ftz` flushes operands and results.
template <typename Compute, typename... Tiles>
static Tile mapFloats(Type type, bool ftz, Compute compute, const Tile &first,
                      const Tiles &...rest) {
  Type element = first.element();
  auto decode = [&](uint64_t bits) {
    return flush(toAPFloat(element, bits), ftz);
  };
  return mapElements(
      type,
      [&](auto... bits) {
        return fromAPFloat(flush(compute(decode(bits)...), ftz));
      },
      first, rest...);
}

/// Applies a mathematical function in the next wider precision: f16 and bf16
/// are computed in f32, as on the device.
template <typename Compute, typename... Tiles>
static Tile mapFunction(Type type, Compute compute, const Tile &first,
                        const Tiles &...rest) {
  Type element = first.element();
  bool isDouble = isa<Float64Type>(element);
  Type single = Float32Type::get(type.getContext());
  return mapElements(
      type,
      [&](auto... bits) -> uint64_t {
        long double exact =
            compute(static_cast<long double>(toDouble(element, bits))...);
        if (isDouble)
          return llvm::bit_cast<uint64_t>(static_cast<double>(exact));
        uint64_t narrow = roundTo(single, static_cast<double>(exact));
        if (isa<Float32Type>(element))
          return narrow;
        return roundTo(element, toDouble(single, narrow));
      },
      first, rest...);
}

static APFloat canonicalNaN(const APFloat &like) {
  return APFloat::getNaN(like.getSemantics());
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::AbsFOp op) {
  const Tile &source = get(op.getSource());
  uint64_t sign = uint64_t(1) << (bitWidth(source.element()) - 1);
  set(op.getResult(),
      mapElements(
          op.getType(), [&](uint64_t bits) { return bits & ~sign; }, source));
}

void TileBlock::eval(ct::NegFOp op) {
  const Tile &source = get(op.getSource());
  uint64_t sign = uint64_t(1) << (bitWidth(source.element()) - 1);
  set(op.getResult(),
      mapElements(
          op.getType(), [&](uint64_t bits) { return bits ^ sign; }, source));
}

static APFloat roundToIntegral(APFloat value, APFloat::roundingMode mode) {
  if (value.isFinite())
    value.roundToIntegral(mode);
  return value;
}

void TileBlock::eval(ct::CeilOp op) {
  set(op.getResult(), mapFloats(
                          op.getType(), false,
                          [](APFloat x) {
                            return roundToIntegral(x,
                                                   APFloat::rmTowardPositive);
                          },
                          get(op.getSource())));
}

void TileBlock::eval(ct::FloorOp op) {
  set(op.getResult(), mapFloats(
                          op.getType(), false,
                          [](APFloat x) {
                            return roundToIntegral(x,
                                                   APFloat::rmTowardNegative);
                          },
                          get(op.getSource())));
}

void TileBlock::eval(ct::AddFOp op) {
  APFloat::roundingMode mode = toLLVM(op.getRoundingMode());
  set(op.getResult(), mapFloats(
                          op.getType(), op.getFlushToZero(),
                          [&](APFloat a, const APFloat &b) {
                            a.add(b, mode);
                            return a;
                          },
                          get(op.getLhs()), get(op.getRhs())));
}

void TileBlock::eval(ct::SubFOp op) {
  APFloat::roundingMode mode = toLLVM(op.getRoundingMode());
  set(op.getResult(), mapFloats(
                          op.getType(), op.getFlushToZero(),
                          [&](APFloat a, const APFloat &b) {
                            a.subtract(b, mode);
                            return a;
                          },
                          get(op.getLhs()), get(op.getRhs())));
}

void TileBlock::eval(ct::MulFOp op) {
  APFloat::roundingMode mode = toLLVM(op.getRoundingMode());
  set(op.getResult(), mapFloats(
                          op.getType(), op.getFlushToZero(),
                          [&](const APFloat &a, const APFloat &b) {
                            return roundOnce(op.getFlushToZero(), mode,
                                             [&](APFloat::roundingMode by) {
                                               APFloat product = a;
                                               product.multiply(b, by);
                                               return product;
                                             });
                          },
                          get(op.getLhs()), get(op.getRhs())));
}

/// `approx` multiplies by a reciprocal, which underflows for large divisors.
static std::optional<APFloat> approximateQuotient(const APFloat &a,
                                                  const APFloat &b) {
  if (!b.isFinite() || b.isZero() || llvm::ilogb(b) < 126)
    return std::nullopt;
  APFloat magnitude = llvm::abs(b);
  APFloat limit = llvm::scalbn(APFloat::getOne(b.getSemantics()), 126,
                               APFloat::rmNearestTiesToEven);
  if (magnitude.compare(limit) != APFloat::cmpGreaterThan)
    return std::nullopt;
  if (a.isNaN() || a.isInfinity())
    return canonicalNaN(a);
  return APFloat::getZero(a.getSemantics(), a.isNegative() != b.isNegative());
}

void TileBlock::eval(ct::DivFOp op) {
  bool isApprox = op.getRoundingMode() == RoundingMode::APPROX;
  APFloat::roundingMode mode = toLLVM(op.getRoundingMode());
  set(op.getResult(), mapFloats(
                          op.getType(), op.getFlushToZero(),
                          [&](APFloat a, const APFloat &b) {
                            if (isApprox)
                              if (auto quotient = approximateQuotient(a, b))
                                return *quotient;
                            a.divide(b, mode);
                            return a;
                          },
                          get(op.getLhs()), get(op.getRhs())));
}

void TileBlock::eval(ct::FmaOp op) {
  APFloat::roundingMode mode = toLLVM(op.getRoundingMode());
  set(op.getResult(),
      mapFloats(
          op.getType(), op.getFlushToZero(),
          [&](const APFloat &a, const APFloat &b, const APFloat &c) {
            return roundOnce(op.getFlushToZero(), mode,
                             [&](APFloat::roundingMode by) {
                               APFloat sum = a;
                               sum.fusedMultiplyAdd(b, c, by);
                               return sum;
                             });
          },
          get(op.getLhs()), get(op.getRhs()), get(op.getAcc())));
}

void TileBlock::eval(ct::RemFOp op) {
  set(op.getResult(), mapFloats(
                          op.getType(), false,
                          [](APFloat a, const APFloat &b) {
                            a.mod(b);
                            return a;
                          },
                          get(op.getLhs()), get(op.getRhs())));
}

/// The result is NaN where both operands are, or where one is and the operation
/// propagates it; else `choose` selects the number.
template <typename Op>
static auto extremum(Op op,
                     APFloat (*choose)(const APFloat &, const APFloat &)) {
  return [propagates = op.getPropagateNan(), choose](const APFloat &a,
                                                     const APFloat &b) {
    if ((a.isNaN() && b.isNaN()) || (propagates && (a.isNaN() || b.isNaN())))
      return canonicalNaN(a);
    return choose(a, b);
  };
}

void TileBlock::eval(ct::MaxFOp op) {
  set(op.getResult(), mapFloats(op.getType(), op.getFlushToZero(),
                                extremum(op, llvm::maximumnum),
                                get(op.getLhs()), get(op.getRhs())));
}

void TileBlock::eval(ct::MinFOp op) {
  set(op.getResult(), mapFloats(op.getType(), op.getFlushToZero(),
                                extremum(op, llvm::minimumnum),
                                get(op.getLhs()), get(op.getRhs())));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

#define DEFINE_UNARY_FUNCTION(Op, Function)                                    \
  void TileBlock::eval(ct::Op op) {                                            \
    set(op.getResult(),                                                        \
        mapFunction(                                                           \
            op.getType(),                                                      \
            [](long double x) -> long double { return Function(x); },          \
            get(op.getSource())));                                             \
  }
DEFINE_UNARY_FUNCTION(CosOp, std::cos)
DEFINE_UNARY_FUNCTION(CosHOp, std::cosh)
DEFINE_UNARY_FUNCTION(SinOp, std::sin)
DEFINE_UNARY_FUNCTION(SinHOp, std::sinh)
DEFINE_UNARY_FUNCTION(TanOp, std::tan)
DEFINE_UNARY_FUNCTION(TanHOp, std::tanh)
DEFINE_UNARY_FUNCTION(ExpOp, std::exp)
DEFINE_UNARY_FUNCTION(LogOp, std::log)
DEFINE_UNARY_FUNCTION(Log2Op, std::log2)
#undef DEFINE_UNARY_FUNCTION

/// Flushes the subnormals of f32 around a function.
template <typename Compute>
static Tile mapFlushed(Type type, bool ftz, Compute compute,
                       const Tile &source) {
  if (!ftz)
    return mapFunction(type, compute, source);
  auto identity = [](const APFloat &x) { return x; };
  Tile flushed = mapFloats(type, true, identity, source);
  return mapFloats(type, true, identity, mapFunction(type, compute, flushed));
}

void TileBlock::eval(ct::Exp2Op op) {
  set(op.getResult(),
      mapFlushed(
          op.getType(), op.getFlushToZero(),
          [](long double x) -> long double { return std::exp2(x); },
          get(op.getSource())));
}

void TileBlock::eval(ct::RsqrtOp op) {
  set(op.getResult(),
      mapFlushed(
          op.getType(), op.getFlushToZero(),
          [](long double x) -> long double { return 1.0L / std::sqrt(x); },
          get(op.getSource())));
}

/// The square root, rounded once: a nearest root, corrected by its exact
/// square.
static APFloat squareRoot(const APFloat &x, Type element, RoundingMode mode) {
  if (x.isNaN() || x.isZero())
    return x;
  if (x.isNegative())
    return canonicalNaN(x);
  if (x.isInfinity())
    return x;
  bool losesInfo = false;
  APFloat wide = x;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &losesInfo);
  // A second rounding of the root of a double is innocuous for narrower types.
  APFloat root =
      toAPFloat(element, roundTo(element, std::sqrt(wide.convertToDouble())));
  if (mode != RoundingMode::ZERO && mode != RoundingMode::NEGATIVE_INF &&
      mode != RoundingMode::POSITIVE_INF)
    return root;
  APFloat square = root, exact = x;
  square.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven, &losesInfo);
  exact.convert(APFloat::IEEEquad(), APFloat::rmNearestTiesToEven, &losesInfo);
  APFloat factor = square;
  square.multiply(factor, APFloat::rmNearestTiesToEven);
  APFloat::cmpResult order = square.compare(exact);
  if (mode == RoundingMode::POSITIVE_INF) {
    if (order == APFloat::cmpLessThan)
      root.next(/*nextDown=*/false);
  } else if (order == APFloat::cmpGreaterThan) {
    root.next(/*nextDown=*/true);
  }
  return root;
}

void TileBlock::eval(ct::SqrtOp op) {
  const Tile &source = get(op.getSource());
  set(op.getResult(), mapFloats(
                          op.getType(), op.getFlushToZero(),
                          [&](const APFloat &x) {
                            return squareRoot(x, source.element(),
                                              op.getRoundingMode());
                          },
                          source));
}

void TileBlock::eval(ct::PowOp op) {
  set(op.getResult(), mapFunction(
                          op.getType(),
                          [](long double x, long double y) -> long double {
                            return std::pow(x, y);
                          },
                          get(op.getSource()), get(op.getExponent())));
}

void TileBlock::eval(ct::FPowIOp op) {
  const Tile &exponent = get(op.getExponent());
  unsigned width = bitWidth(exponent.element());
  Tile result(cast<ct::TileType>(op.getType()));
  Type element = result.element();
  const Tile &source = get(op.getSource());
  Type single = Float32Type::get(op.getContext());
  for (size_t i = 0; i < result.size(); ++i) {
    long double power =
        std::pow(static_cast<long double>(toDouble(element, source.bits[i])),
                 static_cast<long double>(signExtend(exponent.bits[i], width)));
    if (isa<Float64Type>(element)) {
      result.bits[i] = llvm::bit_cast<uint64_t>(static_cast<double>(power));
    } else {
      uint64_t narrow = roundTo(single, static_cast<double>(power));
      result.bits[i] = isa<Float32Type>(element)
                           ? narrow
                           : roundTo(element, toDouble(single, narrow));
    }
    if (source.isMarked(i) || exponent.isMarked(i))
      result.mark(i);
  }
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::Atan2Op op) {
  set(op.getResult(), mapFunction(
                          op.getType(),
                          [](long double x, long double y) -> long double {
                            return std::atan2(x, y);
                          },
                          get(op.getX()), get(op.getY())));
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::CmpFOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  bool isOrdered =
      op.getComparisonOrdering() == ct::ComparisonOrdering::ORDERED;
  Type element = lhs.element();
  set(op.getResult(),
      mapElements(
          op.getType(),
          [&](uint64_t a, uint64_t b) -> uint64_t {
            APFloat::cmpResult order =
                toAPFloat(element, a).compare(toAPFloat(element, b));
            if (order == APFloat::cmpUnordered)
              return !isOrdered;
            switch (op.getComparisonPredicate()) {
            case ct::ComparisonPredicate::EQUAL:
              return order == APFloat::cmpEqual;
            case ct::ComparisonPredicate::NOT_EQUAL:
              return order != APFloat::cmpEqual;
            case ct::ComparisonPredicate::LESS_THAN:
              return order == APFloat::cmpLessThan;
            case ct::ComparisonPredicate::LESS_THAN_OR_EQUAL:
              return order != APFloat::cmpGreaterThan;
            case ct::ComparisonPredicate::GREATER_THAN:
              return order == APFloat::cmpGreaterThan;
            case ct::ComparisonPredicate::GREATER_THAN_OR_EQUAL:
              return order != APFloat::cmpLessThan;
            }
            return 0;
          },
          lhs, rhs));
}

//===----------------------------------------------------------------------===//
// Matrix multiplication
//===----------------------------------------------------------------------===//

/// The sum, rounded to odd: a later rounding to a narrower type equals the
/// rounding of the exact sum.
static double addToOdd(double a, double b) {
  double sum = a + b;
  if (!std::isfinite(sum))
    return sum;
  double virtualB = sum - a;
  double error = (a - (sum - virtualB)) + (b - virtualB);
  if (error == 0 || (llvm::bit_cast<uint64_t>(sum) & 1))
    return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

namespace {

/// One accumulator. Multiplications are exact; every addition rounds once, in
/// the order of k.
struct Accumulator {
  Type type;
  double value;

  void add(double a, double b) {
    if (isa<Float64Type>(type))
      value = std::fma(a, b, value);
    else if (isa<Float32Type>(type))
      value = std::fma(static_cast<float>(a), static_cast<float>(b),
                       static_cast<float>(value));
    else
      addExactProduct(a * b);
  }
  /// `product` is exact.
  void addExactProduct(double product) {
    value = toDouble(type, roundTo(type, addToOdd(product, value)));
  }
};

/// The extents of an MMA, and the first element of a batch in each operand.
struct MmaShape {
  int64_t batches, m, n, k;

  explicit MmaShape(const Tile &lhs, const Tile &acc) {
    ArrayRef<int64_t> l = lhs.type.getShape(), a = acc.type.getShape();
    size_t rank = l.size();
    batches = rank == 3 ? l[0] : 1;
    m = l[rank - 2];
    k = l[rank - 1];
    n = a[rank - 1];
  }
};

} // namespace

static std::vector<double> toDoubles(const Tile &tile) {
  std::vector<double> result(tile.size());
  for (size_t i = 0; i < tile.size(); ++i)
    result[i] = toDouble(tile.element(), tile.bits[i]);
  return result;
}

/// Calls `multiply(acc, lhs index, rhs index, batch, i, j, k)` for every
/// multiplication, and marks the results that depend on marked elements.
template <typename Multiply>
static Tile multiplyMatrices(const Tile &lhs, const Tile &rhs, const Tile &acc,
                             Multiply multiply) {
  Tile result = acc;
  MmaShape shape(lhs, acc);
  bool isMarked = lhs.anyMarked() || rhs.anyMarked();
  for (int64_t b = 0; b < shape.batches; ++b)
    for (int64_t i = 0; i < shape.m; ++i)
      for (int64_t j = 0; j < shape.n; ++j) {
        size_t place = (b * shape.m + i) * shape.n + j;
        Accumulator sum{acc.element(),
                        toDouble(acc.element(), acc.bits[place])};
        for (int64_t k = 0; k < shape.k; ++k) {
          size_t l = (b * shape.m + i) * shape.k + k;
          size_t r = (b * shape.k + k) * shape.n + j;
          multiply(sum, l, r, b, i, j, k);
          if (isMarked && (lhs.isMarked(l) || rhs.isMarked(r)))
            result.mark(place);
        }
        result.bits[place] = roundTo(acc.element(), sum.value);
      }
  return result;
}

/// The error of the multiplication of two elements.
static double productError(const Tile &lhs, size_t l, double a, const Tile &rhs,
                           size_t r, double b) {
  double ea = lhs.errorAt(l), eb = rhs.errorAt(r);
  return ea == 0 && eb == 0 ? 0 : std::abs(a) * eb + std::abs(b) * ea + ea * eb;
}

void TileBlock::eval(ct::MmaFOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  std::vector<double> a = toDoubles(lhs), b = toDoubles(rhs);
  const Tile &acc = get(op.getAcc());
  Tile result =
      multiplyMatrices(lhs, rhs, acc,
                       [&](Accumulator &sum, size_t l, size_t r, int64_t,
                           int64_t, int64_t, int64_t) { sum.add(a[l], b[r]); });
  if (run.options.tracksErrors) {
    MmaShape shape(lhs, acc);
    boundMma(lhs, acc, result,
             [&](int64_t batch, int64_t i, int64_t j, int64_t k) {
               size_t l = (batch * shape.m + i) * shape.k + k;
               size_t r = (batch * shape.k + k) * shape.n + j;
               return std::make_pair(a[l] * b[r],
                                     productError(lhs, l, a[l], rhs, r, b[r]));
             });
  }
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::MmaFScaledOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs()),
             &lhsScale = get(op.getLhsScale()),
             &rhsScale = get(op.getRhsScale());
  std::vector<double> a = toDoubles(lhs), b = toDoubles(rhs),
                      sa = toDoubles(lhsScale), sb = toDoubles(rhsScale);
  MmaShape shape(lhs, get(op.getAcc()));
  int64_t numScales = lhsScale.type.getShape().back();
  int64_t factor = shape.k / numScales;
  bool isMarked = lhsScale.anyMarked() || rhsScale.anyMarked();
  Tile result = multiplyMatrices(
      lhs, rhs, get(op.getAcc()),
      [&](Accumulator &sum, size_t l, size_t r, int64_t batch, int64_t i,
          int64_t j, int64_t k) {
        size_t ls = (batch * shape.m + i) * numScales + k / factor;
        size_t rs = (batch * numScales + k / factor) * shape.n + j;
        // With at most 16 bits the multiplication is exact.
        sum.addExactProduct((a[l] * sa[ls]) * (b[r] * sb[rs]));
      });
  if (isMarked)
    for (size_t i = 0; i < result.size(); ++i)
      result.mark(i);
  if (run.options.tracksErrors)
    boundMma(lhs, get(op.getAcc()), result,
             [&](int64_t batch, int64_t i, int64_t j, int64_t k) {
               size_t l = (batch * shape.m + i) * shape.k + k;
               size_t r = (batch * shape.k + k) * shape.n + j;
               size_t ls = (batch * shape.m + i) * numScales + k / factor;
               size_t rs = (batch * numScales + k / factor) * shape.n + j;
               bool isExact = lhs.errorAt(l) == 0 && rhs.errorAt(r) == 0 &&
                              lhsScale.errorAt(ls) == 0 &&
                              rhsScale.errorAt(rs) == 0;
               return std::make_pair((a[l] * sa[ls]) * (b[r] * sb[rs]),
                                     isExact ? 0 : HUGE_VAL);
             });
  set(op.getResult(), std::move(result));
}

} // namespace tileir::reference
