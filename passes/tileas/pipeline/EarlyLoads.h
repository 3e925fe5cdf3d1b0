// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads into registers that an iteration makes for the next one.

#ifndef PASSES_TILEAS_PIPELINE_EARLYLOADS_H
#define PASSES_TILEAS_PIPELINE_EARLYLOADS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Builds the loads in the body of `loop` that its schedule places a stage
/// ahead of the rest: the first tile is loaded before the loop, each iteration
/// but the last loads the next tile at the scheduled place. `loop` may be
/// another operation afterwards. Returns the number of such loads.
unsigned buildEarlyLoads(mlir::scf::ForOp &loop);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_EARLYLOADS_H
