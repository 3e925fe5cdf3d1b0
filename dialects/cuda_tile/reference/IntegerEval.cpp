// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluation of integers: arithmetic, bits, comparison, MMA, conversions.

#include "dialects/cuda_tile/reference/Elementwise.h"
#include "dialects/cuda_tile/reference/TileBlock.h"

namespace tileir::reference {

using namespace mlir;
using ct::IntegerOverflow;
using ct::Signedness;
using llvm::APFloat;

using Wide = __int128;
using UnsignedWide = unsigned __int128;

void TileBlock::undefined(Operation *op, Tile &result, size_t index,
                          const Twine &message) {
  report(op, "ub", message + ", at element " + Twine(index));
  result.bits[index] = run.random() & maskOf(bitWidth(result.element()));
  result.mark(index);
}

/// Returns whether the type can hold the exact value in the signedness.
static bool fits(Wide exact, unsigned width, bool isSigned) {
  if (isSigned)
    return exact >= -(Wide(1) << (width - 1)) &&
           exact < (Wide(1) << (width - 1));
  return exact >= 0 && exact < (Wide(1) << width);
}

/// Checks the no-wrap flags. `exact` gets each operand in one signedness.
template <typename Op, typename Exact>
static void
checkOverflow(Op op, const Tile &lhs, const Tile &rhs, Tile &result,
              Exact exact,
              llvm::function_ref<void(size_t, const Twine &)> fault) {
  IntegerOverflow flags = op.getOverflow();
  bool noSigned = flags == IntegerOverflow::NSW || flags == IntegerOverflow::NW;
  bool noUnsigned =
      flags == IntegerOverflow::NUW || flags == IntegerOverflow::NW;
  if (!noSigned && !noUnsigned)
    return;
  unsigned width = bitWidth(result.element());
  for (size_t i = 0; i < result.size(); ++i) {
    if (result.isMarked(i))
      continue;
    Wide signedExact = exact(Wide(signExtend(lhs.bits[i], width)),
                             Wide(signExtend(rhs.bits[i], width)));
    Wide unsignedExact = exact(Wide(lhs.bits[i]), Wide(rhs.bits[i]));
    if (noSigned && !fits(signedExact, width, true))
      fault(i, "the operation has no_signed_wrap and wraps");
    else if (noUnsigned && !fits(unsignedExact, width, false))
      fault(i, "the operation has no_unsigned_wrap and wraps");
  }
}

template <typename Compute>
static Tile mapIntegers(Type type, Compute compute, const Tile &lhs,
                        const Tile &rhs) {
  unsigned width = bitWidth(lhs.element());
  uint64_t mask = maskOf(width);
  return mapElements(
      type,
      [&](uint64_t a, uint64_t b) -> uint64_t { return compute(a, b) & mask; },
      lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::AbsIOp op) {
  const Tile &source = get(op.getSource());
  unsigned width = bitWidth(source.element());
  set(op.getResult(),
      mapElements(
          op.getType(),
          [&](uint64_t bits) -> uint64_t {
            int64_t value = signExtend(bits, width);
            return (value < 0 ? 0 - static_cast<uint64_t>(value) : value) &
                   maskOf(width);
          },
          source));
}

void TileBlock::eval(ct::NegIOp op) {
  const Tile &source = get(op.getSource());
  unsigned width = bitWidth(source.element());
  Tile result = mapElements(
      op.getType(), [&](uint64_t bits) { return (0 - bits) & maskOf(width); },
      source);
  if (op.getOverflow() != IntegerOverflow::NONE)
    for (size_t i = 0; i < source.size(); ++i)
      if (!source.isMarked(i) && source.bits[i] == uint64_t(1) << (width - 1))
        undefined(op, result, i, "the operation has no_signed_wrap and wraps");
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::AddIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result = mapIntegers(
      op.getType(), [](uint64_t a, uint64_t b) { return a + b; }, lhs, rhs);
  checkOverflow(
      op, lhs, rhs, result, [](Wide a, Wide b) { return a + b; },
      [&](size_t i, const Twine &text) { undefined(op, result, i, text); });
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::SubIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result = mapIntegers(
      op.getType(), [](uint64_t a, uint64_t b) { return a - b; }, lhs, rhs);
  checkOverflow(
      op, lhs, rhs, result, [](Wide a, Wide b) { return a - b; },
      [&](size_t i, const Twine &text) { undefined(op, result, i, text); });
  set(op.getResult(), std::move(result));
}

/// Multiplies 64-bit numbers, clamped to the range of Wide: beyond 2^126 the
/// result wraps in every type anyway.
static Wide exactProduct(Wide a, Wide b) {
  Wide product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return Wide(1) << 126;
  return product;
}

void TileBlock::eval(ct::MulIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result = mapIntegers(
      op.getType(), [](uint64_t a, uint64_t b) { return a * b; }, lhs, rhs);
  checkOverflow(
      op, lhs, rhs, result, exactProduct,
      [&](size_t i, const Twine &text) { undefined(op, result, i, text); });
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::MulhiIOp op) {
  const Tile &x = get(op.getX()), &y = get(op.getY());
  unsigned width = bitWidth(x.element());
  set(op.getResult(), mapIntegers(
                          op.getType(),
                          [&](uint64_t a, uint64_t b) -> uint64_t {
                            return (UnsignedWide(a) * b) >> width;
                          },
                          x, y));
}

/// Rounds the quotient of exact integers.
static Wide divide(Wide a, Wide b, ct::RoundingMode mode) {
  Wide quotient = a / b, remainder = a % b;
  if (remainder == 0)
    return quotient;
  bool isNegative = (a < 0) != (b < 0);
  if (mode == ct::RoundingMode::POSITIVE_INF && !isNegative)
    return quotient + 1;
  if (mode == ct::RoundingMode::NEGATIVE_INF && isNegative)
    return quotient - 1;
  return quotient;
}

/// Evaluates divi and remi. `compute` gets exact integers; the divisor is not
/// zero.
template <typename Compute>
static Tile
mapDivision(Type type, Signedness signedness, const Tile &lhs, const Tile &rhs,
            Compute compute,
            llvm::function_ref<void(Tile &, size_t, const Twine &)> fault) {
  unsigned width = bitWidth(lhs.element());
  bool isSigned = signedness == Signedness::Signed;
  auto read = [&](uint64_t bits) -> Wide {
    return isSigned ? Wide(signExtend(bits, width)) : Wide(bits);
  };
  Tile result = mapElements(
      type,
      [&](uint64_t a, uint64_t b) -> uint64_t {
        return b == 0 ? 0
                      : static_cast<uint64_t>(compute(read(a), read(b))) &
                            maskOf(width);
      },
      lhs, rhs);
  Wide minimum = -(Wide(1) << (width - 1));
  for (size_t i = 0; i < result.size(); ++i) {
    if (result.isMarked(i))
      continue;
    if (rhs.bits[i] == 0)
      fault(result, i, "division by zero");
    else if (isSigned && read(lhs.bits[i]) == minimum &&
             read(rhs.bits[i]) == -1)
      fault(result, i, "the signed minimum is divided by -1");
  }
  return result;
}

void TileBlock::eval(ct::DivIOp op) {
  set(op.getResult(),
      mapDivision(
          op.getType(), op.getSignedness(), get(op.getLhs()), get(op.getRhs()),
          [&](Wide a, Wide b) { return divide(a, b, op.getRounding()); },
          [&](Tile &result, size_t i, const Twine &text) {
            undefined(op, result, i, text);
          }));
}

void TileBlock::eval(ct::RemIOp op) {
  set(op.getResult(),
      mapDivision(
          op.getType(), op.getSignedness(), get(op.getLhs()), get(op.getRhs()),
          [](Wide a, Wide b) { return a % b; },
          [&](Tile &result, size_t i, const Twine &text) {
            undefined(op, result, i, text);
          }));
}

/// A shift by the width or more gives an open value; its use is legal.
static void openLongShifts(Tile &result, const Tile &amount, Run &run) {
  unsigned width = bitWidth(result.element());
  for (size_t i = 0; i < result.size(); ++i)
    if (amount.bits[i] >= width) {
      result.bits[i] = run.random() & maskOf(width);
      result.mark(i);
    }
}

void TileBlock::eval(ct::ShLIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result = mapIntegers(
      op.getType(),
      [](uint64_t a, uint64_t b) -> uint64_t { return b < 64 ? a << b : 0; },
      lhs, rhs);
  checkOverflow(
      op, lhs, rhs, result,
      [](Wide a, Wide b) {
        return b < 0 || b > 62 ? Wide(0) : exactProduct(a, Wide(1) << b);
      },
      [&](size_t i, const Twine &text) { undefined(op, result, i, text); });
  openLongShifts(result, rhs, run);
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::ShRIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  unsigned width = bitWidth(lhs.element());
  bool isSigned = op.getSignedness() == Signedness::Signed;
  Tile result = mapIntegers(
      op.getType(),
      [&](uint64_t a, uint64_t b) -> uint64_t {
        if (b >= 64)
          return 0;
        return isSigned ? static_cast<uint64_t>(signExtend(a, width) >> b)
                        : a >> b;
      },
      lhs, rhs);
  openLongShifts(result, rhs, run);
  set(op.getResult(), std::move(result));
}

/// Returns whether `a` is less than `b` in the signedness.
static bool isLess(uint64_t a, uint64_t b, unsigned width,
                   Signedness signedness) {
  return signedness == Signedness::Signed
             ? signExtend(a, width) < signExtend(b, width)
             : a < b;
}

void TileBlock::eval(ct::MaxIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  unsigned width = bitWidth(lhs.element());
  set(op.getResult(), mapIntegers(
                          op.getType(),
                          [&](uint64_t a, uint64_t b) {
                            return isLess(a, b, width, op.getSignedness()) ? b
                                                                           : a;
                          },
                          lhs, rhs));
}

void TileBlock::eval(ct::MinIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  unsigned width = bitWidth(lhs.element());
  set(op.getResult(), mapIntegers(
                          op.getType(),
                          [&](uint64_t a, uint64_t b) {
                            return isLess(b, a, width, op.getSignedness()) ? b
                                                                           : a;
                          },
                          lhs, rhs));
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::AndIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result = mapIntegers(
      op.getType(), [](uint64_t a, uint64_t b) { return a & b; }, lhs, rhs);
  // One zero operand determines the result.
  if (!result.marks.empty())
    for (size_t i = 0; i < result.size(); ++i)
      if ((!lhs.isMarked(i) && lhs.bits[i] == 0) ||
          (!rhs.isMarked(i) && rhs.bits[i] == 0))
        result.marks[i] = 0;
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::OrIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  uint64_t ones = maskOf(bitWidth(lhs.element()));
  Tile result = mapIntegers(
      op.getType(), [](uint64_t a, uint64_t b) { return a | b; }, lhs, rhs);
  if (!result.marks.empty())
    for (size_t i = 0; i < result.size(); ++i)
      if ((!lhs.isMarked(i) && lhs.bits[i] == ones) ||
          (!rhs.isMarked(i) && rhs.bits[i] == ones))
        result.marks[i] = 0;
  set(op.getResult(), std::move(result));
}

void TileBlock::eval(ct::XOrIOp op) {
  set(op.getResult(),
      mapIntegers(
          op.getType(), [](uint64_t a, uint64_t b) { return a ^ b; },
          get(op.getLhs()), get(op.getRhs())));
}

void TileBlock::eval(ct::CmpIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  unsigned width = bitWidth(lhs.element());
  Signedness signedness = op.getSignedness();
  set(op.getResult(), mapElements(
                          op.getType(),
                          [&](uint64_t a, uint64_t b) -> uint64_t {
                            switch (op.getComparisonPredicate()) {
                            case ct::ComparisonPredicate::EQUAL:
                              return a == b;
                            case ct::ComparisonPredicate::NOT_EQUAL:
                              return a != b;
                            case ct::ComparisonPredicate::LESS_THAN:
                              return isLess(a, b, width, signedness);
                            case ct::ComparisonPredicate::LESS_THAN_OR_EQUAL:
                              return !isLess(b, a, width, signedness);
                            case ct::ComparisonPredicate::GREATER_THAN:
                              return isLess(b, a, width, signedness);
                            case ct::ComparisonPredicate::GREATER_THAN_OR_EQUAL:
                              return !isLess(a, b, width, signedness);
                            }
                            return 0;
                          },
                          lhs, rhs));
}

//===----------------------------------------------------------------------===//
// Matrix multiplication
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::MmaIOp op) {
  const Tile &lhs = get(op.getLhs()), &rhs = get(op.getRhs());
  Tile result = get(op.getAcc());
  ArrayRef<int64_t> shape = lhs.type.getShape();
  int64_t rank = shape.size(), batches = rank == 3 ? shape[0] : 1;
  int64_t m = shape[rank - 2], k = shape[rank - 1];
  int64_t n = result.type.getShape().back();
  auto read = [](uint64_t bits, Signedness signedness) -> int64_t {
    return signedness == Signedness::Signed ? signExtend(bits, 8) : bits;
  };
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        size_t place = (b * m + i) * n + j;
        for (int64_t c = 0; c < k; ++c) {
          size_t l = (b * m + i) * k + c, r = (b * k + c) * n + j;
          result.bits[place] += read(lhs.bits[l], op.getSignednessLhs()) *
                                read(rhs.bits[r], op.getSignednessRhs());
          if (lhs.isMarked(l) || rhs.isMarked(r))
            result.mark(place);
        }
        result.bits[place] &= maskOf(32);
      }
  set(op.getResult(), std::move(result));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

void TileBlock::eval(ct::ExtIOp op) {
  const Tile &from = get(op.getFrom());
  unsigned width = bitWidth(from.element());
  unsigned toWidth =
      bitWidth(cast<ct::TileType>(op.getTo().getType()).getElementType());
  bool isSigned = op.getSignedness() == Signedness::Signed;
  set(op.getTo(),
      mapElements(
          op.getTo().getType(),
          [&](uint64_t bits) -> uint64_t {
            return (isSigned ? static_cast<uint64_t>(signExtend(bits, width))
                             : bits) &
                   maskOf(toWidth);
          },
          from));
}

void TileBlock::eval(ct::TruncIOp op) {
  const Tile &from = get(op.getFrom());
  unsigned width = bitWidth(from.element());
  unsigned toWidth =
      bitWidth(cast<ct::TileType>(op.getTo().getType()).getElementType());
  Tile result = mapElements(
      op.getTo().getType(),
      [&](uint64_t bits) { return bits & maskOf(toWidth); }, from);
  IntegerOverflow flags = op.getOverflow();
  for (size_t i = 0; i < from.size(); ++i) {
    if (from.isMarked(i))
      continue;
    bool losesSigned =
        signExtend(from.bits[i], width) != signExtend(from.bits[i], toWidth);
    bool losesUnsigned = from.bits[i] != (from.bits[i] & maskOf(toWidth));
    if (losesSigned &&
        (flags == IntegerOverflow::NSW || flags == IntegerOverflow::NW))
      undefined(op, result, i, "the operation has no_signed_wrap and wraps");
    else if (losesUnsigned &&
             (flags == IntegerOverflow::NUW || flags == IntegerOverflow::NW))
      undefined(op, result, i, "the operation has no_unsigned_wrap and wraps");
  }
  set(op.getTo(), std::move(result));
}

void TileBlock::eval(ct::FToFOp op) {
  const Tile &from = get(op.getFrom());
  Type to = cast<ct::TileType>(op.getTo().getType()).getElementType();
  set(op.getTo(), mapElements(
                      op.getTo().getType(),
                      [&](uint64_t bits) {
                        return roundTo(to, toAPFloat(from.element(), bits),
                                       op.getRoundingMode());
                      },
                      from));
}

void TileBlock::eval(ct::FToIOp op) {
  const Tile &from = get(op.getFrom());
  unsigned width =
      bitWidth(cast<ct::TileType>(op.getTo().getType()).getElementType());
  bool isUnsigned = op.getSignedness() == Signedness::Unsigned;
  Tile result = makeTile(op.getTo());
  for (size_t i = 0; i < from.size(); ++i) {
    APFloat value = toAPFloat(from.element(), from.bits[i]);
    // A boolean is whether the number differs from zero.
    if (width == 1 && !op.getSaturating()) {
      result.bits[i] = !value.isZero();
      if (from.isMarked(i))
        result.mark(i);
      continue;
    }
    llvm::APSInt integer(width, isUnsigned);
    bool isExact = false;
    APFloat::opStatus status =
        value.convertToInteger(integer, APFloat::rmTowardZero, &isExact);
    result.bits[i] = integer.getZExtValue();
    // `convertToInteger` clamps, and converts NaN to zero.
    if (status == APFloat::opInvalidOp && !op.getSaturating()) {
      result.bits[i] = run.random() & maskOf(width);
      result.mark(i);
    } else if (from.isMarked(i)) {
      result.mark(i);
    }
  }
  set(op.getTo(), std::move(result));
}

void TileBlock::eval(ct::IToFOp op) {
  const Tile &from = get(op.getFrom());
  unsigned width = bitWidth(from.element());
  bool isSigned = op.getSignedness() == Signedness::Signed;
  Type to = cast<ct::TileType>(op.getTo().getType()).getElementType();
  set(op.getTo(), mapElements(
                      op.getTo().getType(),
                      [&](uint64_t bits) {
                        // Any 64-bit integer is exact in the quad format.
                        APFloat value(APFloat::IEEEquad());
                        value.convertFromAPInt(APInt(width, bits), isSigned,
                                               APFloat::rmNearestTiesToEven);
                        return roundTo(to, value,
                                       ct::RoundingMode::NEAREST_EVEN);
                      },
                      from));
}

/// Reinterprets the bits as another type.
static Tile retype(Type type, const Tile &source) {
  Tile result = source;
  result.type = cast<ct::TileType>(type);
  return result;
}

void TileBlock::eval(ct::BitcastOp op) {
  set(op.getResult(), retype(op.getType(), get(op.getSource())));
}

void TileBlock::eval(ct::IntToPtrOp op) {
  set(op.getResult(), retype(op.getType(), get(op.getSource())));
}

void TileBlock::eval(ct::PtrToIntOp op) {
  set(op.getResult(), retype(op.getType(), get(op.getSource())));
}

void TileBlock::eval(ct::PtrToPtrOp op) {
  set(op.getResult(), retype(op.getType(), get(op.getSource())));
}

} // namespace tileir::reference
