// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of the distance between this implementation and any other correct
// implementation of a kernel. The error of an element is such a bound; infinity
// means that any value is correct, for example where an inexact number decides
// a comparison.
//
// New errors have two sources: sums of several terms and accumulators, whose
// order the dialect leaves open ((n + 4) * u * sum of |terms|), and functions
// with a limited accuracy in ulps. All other operations only propagate errors;
// a further rounding adds one ulp.

#include "dialects/cuda_tile/reference/TileBlock.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

namespace tileir::reference {

using namespace mlir;
using llvm::APFloat;

//===----------------------------------------------------------------------===//
// Formats
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics &semanticsOf(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

/// Half the distance from 1 to the next number.
static double unitRoundoff(Type type) {
  return std::ldexp(1.0, -int(APFloat::semanticsPrecision(semanticsOf(type))));
}

static double largest(Type type) {
  return toDouble(type, fromAPFloat(APFloat::getLargest(semanticsOf(type))));
}

/// Distance between neighbouring numbers of a type around `value`.
static double ulp(Type type, double value) {
  int precision = APFloat::semanticsPrecision(semanticsOf(type));
  int least = APFloat::semanticsMinExponent(semanticsOf(type));
  int exponent = value == 0 ? least : std::max(std::ilogb(value), least);
  return std::ldexp(1.0, exponent - precision + 1);
}

/// The error is unbounded when a neighbouring result would overflow.
static double limited(Type type, double value, double error) {
  if (error == 0)
    return 0;
  return std::isfinite(value) && std::abs(value) + error <= largest(type)
             ? error
             : HUGE_VAL;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

/// Properties of a function: the accuracy of an implementation, and the
/// propagation of argument errors.
struct Function {
  double (*value)(double) = nullptr;
  /// Accuracy in ulps, for f32 and f64.
  double ulps32 = 0, ulps64 = 0;
  /// True if the function has no pole between two arguments and changes
  /// direction at most at its minimum, so that its largest change is at an end.
  bool isMonotone = true;
  /// Bound of the slope of a function that is not monotone.
  double slope = 0;
};

} // namespace

static double reciprocalRoot(double x) { return 1 / std::sqrt(x); }

/// Twice the documented error of CUDA's mathematical functions.
static std::optional<Function> functionOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<Function>>(op)
      .Case([](ct::CosOp) { return Function{std::cos, 4, 4, false, 1}; })
      .Case([](ct::SinOp) { return Function{std::sin, 4, 4, false, 1}; })
      .Case([](ct::TanOp) { return Function{std::tan, 8, 4, false, HUGE_VAL}; })
      .Case([](ct::CosHOp) { return Function{std::cosh, 4, 4}; })
      .Case([](ct::SinHOp) { return Function{std::sinh, 6, 4}; })
      .Case([](ct::TanHOp op) {
        Function function{std::tanh, 4, 4};
        // tanh.approx.f32: a relative error of 2^-11.
        if (op.getRoundingMode() == ct::RoundingMode::APPROX)
          function.ulps32 = 8192;
        return function;
      })
      .Case([](ct::ExpOp) { return Function{std::exp, 4, 4}; })
      .Case([](ct::Exp2Op) { return Function{std::exp2, 4, 4}; })
      .Case([](ct::LogOp) { return Function{std::log, 4, 4}; })
      .Case([](ct::Log2Op) { return Function{std::log2, 4, 4}; })
      .Case([](ct::RsqrtOp) { return Function{reciprocalRoot, 4, 4}; })
      .Case([](ct::SqrtOp op) {
        Function function{std::sqrt};
        if (op.getRoundingMode() == ct::RoundingMode::APPROX)
          function.ulps32 = 4;
        return function;
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// Returns the change of the function's value when the argument changes by
/// `error`.
static double carried(const Function &function, double x, double error) {
  if (error == 0)
    return 0;
  if (!function.isMonotone)
    return function.slope * error;
  double middle = function.value(x);
  double change = std::max(std::abs(function.value(x - error) - middle),
                           std::abs(function.value(x + error) - middle));
  return std::isnan(change) ? HUGE_VAL : change;
}

/// The function's own error at a result.
static double ownError(Operation *op, Type type, double x, double result,
                       double ulps32, double ulps64) {
  if (type.isF64())
    return ulps64 * ulp(type, result);
  double error = ulps32 * ulp(Float32Type::get(op->getContext()), result);
  if (auto exp = dyn_cast<ct::ExpOp>(op))
    // 2^(x * log2 e): the rounding of the multiplication is part of the
    // exponent.
    if (exp.getRoundingMode() == ct::RoundingMode::APPROX)
      error += std::abs(x) * std::abs(result) * std::ldexp(1.0, -22);
  // A further rounding to 16-bit types, in either direction.
  return type.isF32() ? error : error == 0 ? 0 : error + ulp(type, result);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

namespace {

/// An operand's element as a real number and its error.
struct Number {
  double value = 0, error = 0;
};

} // namespace

/// Returns the error that the operation itself adds: 0 for one with IEEE
/// rounding, nothing for one without numbers.
static double roundingOf(Operation *op, Type type, double result,
                         bool isInexact) {
  return isInexact ? ulp(type, result) : 0;
}

/// Error of an operation that rounds its exact result.
static double arithmeticError(Operation *op, ArrayRef<Number> in, Type type,
                              double result) {
  auto product = [](Number a, Number b) {
    return std::abs(a.value) * b.error + std::abs(b.value) * a.error +
           a.error * b.error;
  };
  bool isInexact =
      llvm::any_of(in, [](Number number) { return number.error != 0; });
  double rounding = roundingOf(op, type, result, isInexact);
  return llvm::TypeSwitch<Operation *, double>(op)
      .Case<ct::AddFOp, ct::SubFOp>(
          [&](auto) { return in[0].error + in[1].error + rounding; })
      .Case([&](ct::MulFOp) { return product(in[0], in[1]) + rounding; })
      .Case([&](ct::FmaOp) {
        return product(in[0], in[1]) + in[2].error + rounding;
      })
      .Case([&](ct::DivFOp div) {
        double own = div.getRoundingMode() == ct::RoundingMode::APPROX ||
                             div.getRoundingMode() == ct::RoundingMode::FULL
                         ? 4 * ulp(type, result)
                         : 0;
        if (!isInexact)
          return own;
        double least = std::abs(in[1].value) - in[1].error;
        if (!(least > 0))
          return HUGE_VAL;
        double quotient = std::abs(in[0].value / in[1].value);
        return (in[0].error + quotient * in[1].error) / least + own + rounding;
      })
      .Case<ct::MaxFOp, ct::MinFOp>(
          [&](auto) { return std::max(in[0].error, in[1].error); })
      .Case<ct::AbsFOp, ct::NegFOp>([&](auto) { return in[0].error; })
      .Case<ct::CeilOp, ct::FloorOp>([&](auto) {
        auto round = [&](double x) {
          return isa<ct::CeilOp>(op) ? std::ceil(x) : std::floor(x);
        };
        return round(in[0].value + in[0].error) -
               round(in[0].value - in[0].error);
      })
      .Case<ct::PowOp, ct::FPowIOp>([&](auto) {
        double own = type.isF64() ? 8 * ulp(type, result)
                                  : ownError(op, type, 0, result, 16, 0);
        return isInexact ? HUGE_VAL : own;
      })
      .Case([&](ct::Atan2Op) {
        double own = ownError(op, type, 0, result, 6, 4);
        return isInexact ? HUGE_VAL : own;
      })
      .Default([&](Operation *) { return isInexact ? HUGE_VAL : 0; });
}

/// Bounds the error of a conversion over all numbers within the bound of `in`.
static double conversionError(ct::FToFOp op, Number in, Type type,
                              double result) {
  if (in.error == 0)
    return 0;
  if (isa<Float8E8M0FNUType, ct::FloatNV8E5M3FNUType>(type)) {
    auto convert = [&](double value) {
      return roundTo(type, value, op.getRoundingMode());
    };
    return convert(in.value - in.error) == convert(in.value + in.error)
               ? 0
               : HUGE_VAL;
  }
  // Types that saturate stay within their range.
  if (std::abs(in.value) + in.error > largest(type))
    return isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(type)
               ? std::min(in.error, 2 * largest(type))
               : HUGE_VAL;
  return in.error + ulp(type, result);
}

static double comparisonError(Number a, Number b) {
  if (a.error == 0 && b.error == 0)
    return 0;
  return std::abs(a.value - b.value) > a.error + b.error ? 0 : HUGE_VAL;
}

static double integerError(ct::FToIOp op, Number in) {
  if (in.error == 0)
    return 0;
  if (cast<ct::TileType>(op.getTo().getType()).getElementType().isInteger(1) &&
      !op.getSaturating())
    return std::abs(in.value) > in.error ? 0 : HUGE_VAL;
  return std::trunc(in.value - in.error) == std::trunc(in.value + in.error)
             ? 0
             : HUGE_VAL;
}

void TileBlock::boundErrors(Operation *op) {
  if (op->getNumResults() != 1 ||
      isa<ct::ReduceOp, ct::ScanOp, ct::MmaFOp, ct::MmaFScaledOp,
          ct::ConstantOp, ct::IotaOp, ct::BroadcastOp, ct::ReshapeOp,
          ct::PermuteOp, ct::CatOp, ct::ExtractOp, ct::InsertOp, ct::UnpackOp,
          ct::AssumeOp>(op))
    return;
  auto type = dyn_cast<ct::TileType>(op->getResult(0).getType());
  if (!type)
    return;
  SmallVector<const Tile *> operands;
  bool isInexact = false;
  for (Value operand : op->getOperands()) {
    if (!isa<ct::TileType>(operand.getType()))
      return;
    operands.push_back(&get(operand));
    isInexact |= !operands.back()->errors.empty();
  }
  Type element = type.getElementType();
  std::optional<Function> function = functionOf(op);
  // The payload of a NaN is open, and visible where the program reads its bits.
  bool takesBits = isa<ct::BitcastOp, ct::PackOp>(op) && !operands.empty() &&
                   isa<FloatType>(operands[0]->element());
  bool isOwn = isa<ct::PowOp, ct::FPowIOp, ct::Atan2Op, ct::DivFOp>(op) ||
               takesBits || function.has_value();
  if (!isInexact && !isOwn)
    return;

  Tile result = get(op->getResult(0));
  // An operation that does not work element by element may give any value.
  bool byElement = llvm::all_of(operands, [&](const Tile *tile) {
    return tile->size() == result.size();
  });
  if (!byElement && !takesBits) {
    result.errors.assign(result.size(), HUGE_VAL);
    return set(op->getResult(0), std::move(result));
  }
  if (takesBits) {
    const Tile &source = *operands[0];
    size_t bits = isa<ct::PackOp>(op) ? storageBits(source.element())
                                      : bitWidth(source.element());
    size_t to = bitWidth(element);
    for (size_t i = 0; i < source.size(); ++i)
      if (source.errorAt(i) != 0 ||
          std::isnan(toDouble(source.element(), source.bits[i])))
        for (size_t at = i * bits / to; at <= ((i + 1) * bits - 1) / to; ++at)
          result.setError(at, HUGE_VAL);
    return set(op->getResult(0), std::move(result));
  }
  auto number = [&](unsigned operand, size_t i) {
    const Tile &tile = *operands[operand];
    return Number{isa<FloatType>(tile.element())
                      ? toDouble(tile.element(), tile.bits[i])
                      : 0,
                  tile.errorAt(i)};
  };
  result.errors.assign(result.size(), 0);
  for (size_t i = 0; i < result.size(); ++i) {
    double value =
               isa<FloatType>(element) ? toDouble(element, result.bits[i]) : 0,
           error = 0;
    SmallVector<Number, 3> in;
    for (unsigned operand = 0; operand < operands.size(); ++operand)
      in.push_back(number(operand, i));
    bool anyError =
        llvm::any_of(in, [](Number number) { return number.error != 0; });
    if (function) {
      error = carried(*function, in[0].value, in[0].error) +
              ownError(op, element, in[0].value, value, function->ulps32,
                       function->ulps64) +
              roundingOf(op, element, value, in[0].error != 0);
    } else if (auto convert = dyn_cast<ct::FToFOp>(op)) {
      error = conversionError(convert, in[0], element, value);
    } else if (auto convert = dyn_cast<ct::FToIOp>(op)) {
      error = integerError(convert, in[0]);
    } else if (isa<ct::CmpFOp>(op)) {
      error = comparisonError(in[0], in[1]);
    } else if (isa<ct::SelectOp>(op)) {
      // An open condition may select either value.
      error = result.errorAt(i);
      const Tile &yes = *operands[1], &no = *operands[2];
      error = operands[0]->bits[i] ? in[1].error : in[2].error;
      if (in[0].error != 0)
        error = yes.bits[i] == no.bits[i] ? std::max(in[1].error, in[2].error)
                : isa<FloatType>(element)
                    ? std::abs(in[1].value - in[2].value) +
                          std::max(in[1].error, in[2].error)
                    : HUGE_VAL;
    } else if (isa<FloatType>(element) &&
               isa<FloatType>(operands[0]->element())) {
      error = arithmeticError(op, in, element, value);
    } else {
      error = anyError ? HUGE_VAL : 0;
    }
    // A function of exact numbers that overflows or is undefined does so in
    // every implementation, apart from the last step before infinity.
    if (!anyError && !std::isfinite(value))
      error = 0;
    result.errors[i] = std::isnan(error) ? HUGE_VAL
                       : isa<FloatType>(element) && !isa<ct::FToFOp>(op)
                           ? limited(element, value, error)
                           : error;
  }
  if (llvm::all_of(result.errors, [](double error) { return error == 0; }))
    result.errors.clear();
  set(op->getResult(0), std::move(result));
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {

/// The terms of one accumulation.
struct Terms {
  double magnitude = 0, error = 0;
  /// The largest power of two that divides all terms.
  int grain = INT_MAX;
  unsigned count = 0;
  bool isFinite = true, allMinusZero = true, allNaN = true;

  void add(double term, double termError) {
    ++count;
    allMinusZero &= term == 0 && std::signbit(term);
    allNaN &= std::isnan(term);
    error += termError;
    if (!std::isfinite(term)) {
      isFinite = false;
      return;
    }
    magnitude += std::abs(term);
    if (term == 0)
      return;
    int exponent = 0;
    double fraction = std::frexp(term, &exponent);
    uint64_t digits = std::abs(std::ldexp(fraction, 53));
    grain = std::min(grain, exponent - 53 + int(llvm::countr_zero(digits)));
  }

  /// The error of the sum of the terms in any order, in `type`.
  double bound(Type type, double result) const {
    if (error == 0 && !isFinite)
      return magnitude <= largest(type) ? 0 : HUGE_VAL;
    if (!isFinite || std::isnan(result))
      return HUGE_VAL;
    int precision = APFloat::semanticsPrecision(semanticsOf(type));
    int least = APFloat::semanticsMinExponent(semanticsOf(type));
    // Every partial sum is a number of the type.
    if (error == 0 && magnitude <= largest(type) &&
        (grain == INT_MAX || (magnitude <= std::ldexp(1.0, grain + precision) &&
                              grain >= least - precision + 1)))
      // A neutral +0 among the terms makes the sum +0.
      return allMinusZero ? ulp(type, 0) : 0;
    double own =
        (count + 4) * unitRoundoff(type) * magnitude + count * ulp(type, 0);
    return magnitude + error + own <= largest(type) ? error + own : HUGE_VAL;
  }
};

} // namespace

/// Operation of a reduction on one of its operands.
enum class Combination { Sum, Product, Extremum, Exact, Unknown };

static bool isRounding(Operation &op) {
  return !isa<ct::CmpFOp, ct::SelectOp, ct::MaxFOp, ct::MinFOp, ct::AbsFOp,
              ct::NegFOp, ct::ConstantOp, ct::BitcastOp, ct::ReshapeOp,
              ct::BroadcastOp, ct::IfOp, ct::ForOp, ct::LoopOp>(op) &&
         llvm::any_of(op.getResultTypes(), [](Type type) {
           auto tile = dyn_cast<ct::TileType>(type);
           return tile && isa<FloatType>(tile.getElementType());
         });
}

static Combination combinationOf(Block &body, unsigned index) {
  Operation *op = body.getTerminator()->getOperand(index).getDefiningOp();
  Value element = body.getArgument(2 * index),
        state = body.getArgument(2 * index + 1);
  bool isPlain =
      op && op->getNumOperands() == 2 &&
      ((op->getOperand(0) == element && op->getOperand(1) == state) ||
       (op->getOperand(0) == state && op->getOperand(1) == element));
  if (isPlain) {
    if (isa<ct::AddFOp>(op))
      return Combination::Sum;
    if (isa<ct::MulFOp>(op))
      return Combination::Product;
    if (isa<ct::MaxFOp, ct::MinFOp>(op))
      return Combination::Extremum;
  }
  auto found = body.walk([](Operation *inner) {
    return isRounding(*inner) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found.wasInterrupted() ? Combination::Unknown : Combination::Exact;
}

void TileBlock::boundAggregate(Operation *op, int64_t dim, bool keepsAll,
                               bool isReverse, ArrayRef<Tile> sources,
                               MutableArrayRef<Tile> results) {
  ArrayRef<int64_t> shape = sources.front().type.getShape();
  int64_t extent = shape[dim], stride = 1;
  for (int64_t size : shape.drop_front(dim + 1))
    stride *= size;
  int64_t numLines = sources.front().size() / extent;
  bool anyError = llvm::any_of(
      sources, [](const Tile &tile) { return !tile.errors.empty(); });
  Block &body = op->getRegion(0).front();
  for (auto [index, source, result] : llvm::enumerate(sources, results)) {
    Combination combination = combinationOf(body, index);
    Type type = source.element();
    bool isFloat = isa<FloatType>(type);
    if (combination == Combination::Exact && !anyError)
      continue;
    for (int64_t line = 0; line < numLines; ++line) {
      size_t first = line / stride * stride * extent + line % stride;
      Terms terms;
      double relative = 0, above = 1, below = 1, most = 0;
      for (int64_t step = 0; step < extent; ++step) {
        size_t place = first + (isReverse ? extent - 1 - step : step) * stride;
        double term = isFloat ? toDouble(type, source.bits[place]) : 0;
        double error = source.errorAt(place);
        terms.add(term, error);
        relative += error == 0 ? 0 : error / std::abs(term);
        above *= std::max(1.0, std::abs(term));
        below *= term == 0 ? 1 : std::min(1.0, std::abs(term));
        most = std::max(most, error);
        if (!keepsAll && step + 1 < extent)
          continue;
        size_t to = keepsAll ? place : line;
        double value = isFloat ? toDouble(type, result.bits[to]) : 0;
        double bound = HUGE_VAL;
        switch (combination) {
        case Combination::Sum:
          bound = terms.bound(type, value);
          break;
        case Combination::Product:
          bound = (relative + (step + 5) * unitRoundoff(type)) * 1.01 *
                  std::abs(value);
          // The multiplication may leave the range in some order.
          if (above > largest(type) || !(relative < 0.1) ||
              below < std::ldexp(1.0, APFloat::semanticsMinExponent(
                                          semanticsOf(type))))
            bound = HUGE_VAL;
          // Signs and powers of two are exact.
          if (above == 1 && below == 1 && relative == 0)
            bound = 0;
          break;
        case Combination::Extremum:
          // A neutral element among the terms is not NaN.
          bound = terms.allNaN ? HUGE_VAL : most;
          break;
        case Combination::Exact:
        case Combination::Unknown:
          break;
        }
        result.setError(to, std::isnan(bound) ? HUGE_VAL : bound);
      }
    }
  }
}

void TileBlock::boundMma(const Tile &lhs, const Tile &acc, Tile &result,
                         llvm::function_ref<std::pair<double, double>(
                             int64_t, int64_t, int64_t, int64_t)>
                             term) {
  ArrayRef<int64_t> shape = lhs.type.getShape();
  size_t rank = shape.size();
  int64_t batches = rank == 3 ? shape[0] : 1, m = shape[rank - 2],
          depth = shape[rank - 1], n = acc.type.getShape().back();
  Type type = acc.element();
  result.errors.clear();
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        size_t place = (b * m + i) * n + j;
        Terms terms;
        terms.add(toDouble(type, acc.bits[place]), acc.errorAt(place));
        for (int64_t k = 0; k < depth; ++k) {
          auto [value, error] = term(b, i, j, k);
          terms.add(value, error);
        }
        result.setError(place,
                        terms.bound(type, toDouble(type, result.bits[place])));
      }
}

} // namespace tileir::reference
