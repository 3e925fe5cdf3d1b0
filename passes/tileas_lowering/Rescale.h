// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multiplications of sums by factors that are mostly one.

#ifndef PASSES_TILEAS_LOWERING_RESCALE_H
#define PASSES_TILEAS_LOWERING_RESCALE_H

#include "passes/tileas_lowering/Emitter.h"

namespace tileir::lowering {

/// Returns whether a thread of the warp has one of `factors` that is not one:
/// all lanes vote, as soon as the factors are known and without waiting for
/// them, in front of `op`.
mlir::Value askForOthers(Emitter &emitter, llvm::ArrayRef<mlir::Value> factors,
                         mlir::Operation *op);

} // namespace tileir::lowering

#endif // PASSES_TILEAS_LOWERING_RESCALE_H
