// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_LOWERING_PRINT_H
#define PASSES_TILEAS_LOWERING_PRINT_H

#include "passes/tileas_lowering/Lowering.h"

namespace tileir::lowering {

/// Marks the prints below `root` that share a lock: all of them, if one takes
/// several calls of `vprintf`.
void markLockedPrints(mlir::Operation *root);

/// Returns a string constant of the module as a generic pointer.
mlir::Value getString(Emitter &emitter, llvm::StringRef text);

/// Converts `values` of the float type `from` to f64.
llvm::SmallVector<mlir::Value> widenToF64(Emitter &emitter,
                                          llvm::ArrayRef<mlir::Value> values,
                                          mlir::Type from);

PopulatePatterns populatePrintPatterns;

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_PRINT_H
