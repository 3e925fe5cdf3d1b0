// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of f32 numbers.

#ifndef PASSES_TILEAS_LOWERING_MATH_DIVISION_H
#define PASSES_TILEAS_LOWERING_MATH_DIVISION_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

struct DivisionFacts;

/// Returns whether the division `op`, of scalars or tiles, is expanded here if
/// it has few divisors.
bool isOpenDivision(mlir::Operation *op);

/// Divides f32 `values` by the same `divisor`, rounding to nearest.
llvm::SmallVector<mlir::Value>
divideByUniform(Emitter &emitter, llvm::ArrayRef<mlir::Value> values,
                mlir::Value divisor, bool flushSubnormals,
                const DivisionFacts &facts);

/// Returns the reciprocals of f32 `values`, rounded to nearest.
llvm::SmallVector<mlir::Value> invert(Emitter &emitter,
                                      llvm::ArrayRef<mlir::Value> values,
                                      bool flushSubnormals,
                                      const DivisionFacts &facts);

/// Returns 1 / (1 + e^x) of f32 numbers x. The exponentials are within 2 ulp;
/// sum and quotient are rounded to nearest.
llvm::SmallVector<mlir::Value>
invertOnePlusExponential(Emitter &emitter,
                         llvm::ArrayRef<mlir::Value> exponents);

/// Returns y * (1 / (1 + e^x)), as above, where each x is the negation -y;
/// nothing if some x is no negation.
llvm::SmallVector<mlir::Value>
gateByExponential(Emitter &emitter, llvm::ArrayRef<mlir::Value> exponents);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MATH_DIVISION_H
