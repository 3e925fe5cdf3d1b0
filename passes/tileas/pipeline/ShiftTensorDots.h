// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_PIPELINE_SHIFTTENSORDOTS_H
#define PASSES_TILEAS_PIPELINE_SHIFTTENSORDOTS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Returns whether `tcgen05.mma` computes both dots of a chain in `loop`
/// (tileas-stage-operands).
bool hasTensorChain(mlir::scf::ForOp loop);

/// Starts the first dot of a chain in `loop` an iteration ahead, so that the
/// tensor core computes it while threads process the previous one. Returns the
/// obstacle, if any; the loop is unchanged then.
std::string shiftTensorChain(mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_SHIFTTENSORDOTS_H
