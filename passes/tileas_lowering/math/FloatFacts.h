// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of floats that follow from their defining operations. Every
// property allows NaN.

#ifndef PASSES_TILEAS_LOWERING_MATH_FLOATFACTS_H
#define PASSES_TILEAS_LOWERING_MATH_FLOATFACTS_H

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Operation.h"

namespace tileir::lowering {

/// Scaled exponentials are scaled by 2 to this power.
inline constexpr int kScaledPower = 96;

/// Properties of the operands of a division.
struct DivisionFacts {
  /// All dividends are non-negative, and no zero is negative.
  bool hasNoSign = false;
  /// All divisors are one sum that includes the dividends. No dividend is above
  /// it, because a rounded sum of non-negative numbers is not below any of
  /// them; the sum is NaN if one of them is.
  bool isBelowDivisor = false;
  /// No divisor is below 1.
  bool isAtLeastOne = false;
  /// The dividends are exponentials, which have an error of their own, and are
  /// used only by sums and divisions.
  bool isExponential = false;
  /// The dividends are exponentials of numbers minus their maximum, and the
  /// divisor is their sum. Neither has another use, so both may be scaled.
  bool isShare = false;
  /// The dividends are 1 and the divisors 1 + e^-x; the only user of the
  /// quotients multiplies them by x.
  bool isGate = false;
};

/// Attaches properties to the divisions below `module` that the conversion
/// expands, and to sums and exponentials the properties queried below. The
/// conversion removes the attributes.
void noteFloatFacts(mlir::Operation *module);

/// Returns the properties attached to `division`.
DivisionFacts getDivisionFacts(mlir::Operation *division);

/// Returns the exponential e if `value` is 1 + e, or null.
mlir::math::ExpOp getExponentialBesideOne(mlir::Value value);

/// Returns whether the reduction `op` adds products of f16 numbers, which are
/// exact in f32.
bool addsExactDots(mlir::Operation *op);

/// Returns whether the exponential `op` is to be scaled: the quotients of its
/// sum have 16 bits.
bool isScaledExponential(mlir::Operation *op);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MATH_FLOATFACTS_H
