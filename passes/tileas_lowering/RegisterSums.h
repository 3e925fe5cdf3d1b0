// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of a thread's own values in less than an addition for each.

#ifndef PASSES_TILEAS_LOWERING_REGISTERSUMS_H
#define PASSES_TILEAS_LOWERING_REGISTERSUMS_H

#include "passes/tileas_lowering/Lowering.h"

namespace tileir::lowering {

/// The sum of f32 `values` in some order, or null where adding them is best.
/// `areOthersUsed` says that something else needs the values, too.
mlir::Value sumRegisters(Emitter &emitter, llvm::ArrayRef<mlir::Value> values,
                         bool areOthersUsed);

/// e^x of f32 numbers x, as libdevice has it, with what can be done in pairs.
llvm::SmallVector<mlir::Value>
exponentialsOf(Emitter &emitter, llvm::ArrayRef<mlir::Value> exponents);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_REGISTERSUMS_H
