// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplication of accumulators by factors that are mostly one.

#ifndef PASSES_TILEAS_LOWERING_MMA_RESCALE_H
#define PASSES_TILEAS_LOWERING_MMA_RESCALE_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Returns whether some thread of the warp has one of `rescaleFactors` that is
/// not one. The warp votes before `op`, as soon as the factors are known.
mlir::Value askForOthers(Emitter &emitter,
                         llvm::ArrayRef<mlir::Value> rescaleFactors,
                         mlir::Operation *op);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_MMA_RESCALE_H
