// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of a thread's own values in less than an addition for each.

#ifndef PASSES_TILEAS_LOWERING_REGISTERSUMS_H
#define PASSES_TILEAS_LOWERING_REGISTERSUMS_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// The sum of f32 `values` in some order, or null where adding them is best.
/// `areOthersUsed` says that something else needs the values, too, and
/// `areExactProducts` that they are products which were not rounded.
mlir::Value sumRegisters(Emitter &emitter, llvm::ArrayRef<mlir::Value> values,
                         bool areOthersUsed, bool areExactProducts);

/// e^x of f32 numbers x, as libdevice has it, with what can be done in pairs.
llvm::SmallVector<mlir::Value>
exponentialsOf(Emitter &emitter, llvm::ArrayRef<mlir::Value> exponents);

/// 2^96 e^x of f32 numbers x that are not above zero, or no numbers: by one
/// instruction less, because what was subnormal is so no more. Where e^x is
/// below 2^-96, 16 units of the last place may be lost.
llvm::SmallVector<mlir::Value>
scaledExponentialsOf(Emitter &emitter, llvm::ArrayRef<mlir::Value> exponents);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_REGISTERSUMS_H
