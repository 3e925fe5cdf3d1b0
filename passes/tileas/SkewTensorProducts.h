// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_SKEWTENSORPRODUCTS_H
#define PASSES_TILEAS_SKEWTENSORPRODUCTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Returns whether the unit beside tensor memory makes the two products of a
/// chain in `loop` (tileas-stage-operands).
bool hasTensorChain(mlir::scf::ForOp loop);

/// Starts the first product of a chain in `loop` an iteration ahead, so that
/// the unit makes it while threads work on the one before. What stands in the
/// way is returned; the loop is as it was then.
std::string skewTensorChain(mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_TILEAS_SKEWTENSORPRODUCTS_H
