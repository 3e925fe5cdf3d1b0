// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisions of f32 numbers.

#ifndef PASSES_TILEAS_LOWERING_DIVISION_H
#define PASSES_TILEAS_LOWERING_DIVISION_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

struct DivisionFacts;

/// Returns whether divisions by few numbers are better made of other
/// operations; `op` is one of scalars or tiles.
bool isOpenDivision(mlir::Operation *op);

/// Divides f32 `values` by the same `divisor`, rounding to nearest.
llvm::SmallVector<mlir::Value>
divideByUniform(Emitter &emitter, llvm::ArrayRef<mlir::Value> values,
                mlir::Value divisor, bool flushSubnormals,
                const DivisionFacts &facts);

/// The reciprocals of f32 `values`, rounded to nearest.
llvm::SmallVector<mlir::Value> invert(Emitter &emitter,
                                      llvm::ArrayRef<mlir::Value> values,
                                      bool flushSubnormals,
                                      const DivisionFacts &facts);

/// 1 / (1 + e^x) of f32 numbers x; the exponentials are within 2 units in the
/// last place, sum and quotient rounded to nearest.
llvm::SmallVector<mlir::Value>
invertOnePlusExponential(Emitter &emitter,
                         llvm::ArrayRef<mlir::Value> exponents);

/// Numbers times 1 / (1 + e^x) where each x is the negative of one, as above;
/// nothing where some x is not.
llvm::SmallVector<mlir::Value>
gateByExponential(Emitter &emitter, llvm::ArrayRef<mlir::Value> exponents);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_DIVISION_H
