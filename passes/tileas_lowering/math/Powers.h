// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers of f32 numbers without branches.

#ifndef PASSES_TILEAS_LOWERING_MATH_POWERS_H
#define PASSES_TILEAS_LOWERING_MATH_POWERS_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Returns whether `op` raises f32 numbers to powers, of f32 or of i32.
bool isF32Power(mlir::Operation *op);

/// Each of the f32 `bases` to the power of its exponent, an f32 or an i32:
/// within one unit in the last place where the exponential of the target is
/// correctly rounded, and the special cases of C. An i32 exponent counts
/// exactly, also where no f32 holds it. Constants from 1 to 4 are products.
llvm::SmallVector<mlir::Value> powersOf(Emitter &emitter,
                                        llvm::ArrayRef<mlir::Value> bases,
                                        llvm::ArrayRef<mlir::Value> exponents);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MATH_POWERS_H
