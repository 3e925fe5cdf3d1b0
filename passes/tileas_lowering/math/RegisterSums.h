// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of a thread's own values with less than one addition per value.

#ifndef PASSES_TILEAS_LOWERING_MATH_REGISTERSUMS_H
#define PASSES_TILEAS_LOWERING_MATH_REGISTERSUMS_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Returns the sum of f32 `values` in some order, or null if plain additions
/// are best. `areOthersUsed`: the values have other uses. `areExactDots`:
/// the values are unrounded products.
mlir::Value sumRegisters(Emitter &emitter, llvm::ArrayRef<mlir::Value> values,
                         bool areOthersUsed, bool areExactDots);

/// Returns e^x of f32 numbers x, like libdevice, with packed instructions.
llvm::SmallVector<mlir::Value>
exponentialsOf(Emitter &emitter, llvm::ArrayRef<mlir::Value> exponents);

/// Returns 2^96 e^x of f32 numbers x that are not positive, or NaN, with one
/// instruction less, because subnormal results become normal. Where e^x is
/// below 2^-96, the error may be 16 ulp.
llvm::SmallVector<mlir::Value>
scaledExponentialsOf(Emitter &emitter, llvm::ArrayRef<mlir::Value> exponents);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MATH_REGISTERSUMS_H
