// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that the operations that make floats give about them. Every fact leaves
// NaN open.

#ifndef PASSES_TILEAS_LOWERING_FLOATFACTS_H
#define PASSES_TILEAS_LOWERING_FLOATFACTS_H

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Operation.h"

namespace tileir::lowering {

/// Exponentials that are to be scaled are so by this power of two.
inline constexpr int kScaledPower = 96;

/// Facts about the operands of a division.
struct DivisionFacts {
  /// No dividend has a sign: none is below zero, and no zero is negative.
  bool hasNoSign = false;
  /// All divisors are one sum, which the dividends are parts of. No dividend is
  /// above it, since a rounded sum of numbers without sign is not below any of
  /// them; it is NaN where one of them is.
  bool isBelowDivisor = false;
  /// No divisor is below 1.
  bool isAtLeastOne = false;
  /// The dividends are exponentials, which have an error of their own, and
  /// nothing reads them but sums and divisions.
  bool isExponential = false;
  /// The dividends are exponentials of numbers less the largest of them and the
  /// divisor is their sum; nothing else reads either, so that both may be
  /// scaled.
  bool isShare = false;
  /// The dividends are 1 and the divisors 1 + e^-x; what alone reads the
  /// quotients multiplies them by x.
  bool isGate = false;
};

/// Notes on the divisions below `module` that conversion opens what the
/// operations that make its operands say; on sums and exponentials what is
/// asked below. The conversion of those takes them away.
void noteFloatFacts(mlir::Operation *module);

/// Returns what was noted on `division`.
DivisionFacts getDivisionFacts(mlir::Operation *division);

/// Returns the exponential that `value` is the sum of and 1, or null.
mlir::math::ExpOp getExponentialBesideOne(mlir::Value value);

/// Returns whether the reduction `op` adds products of f16 numbers, which are
/// exact in f32.
bool addsExactProducts(mlir::Operation *op);

/// Returns whether the exponential `op` is to be scaled: what it makes shares
/// of has 16 bits.
bool isScaledExponential(mlir::Operation *op);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_FLOATFACTS_H
