// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_PERSISTENTLOOPS_H
#define PASSES_ANALYSIS_PERSISTENTLOOPS_H

#include "mlir/IR/Operation.h"

namespace tileir {

/// Returns whether `op` is a loop that goes on as long as there are tile blocks
/// to take over (`tileas-dynamic-persistent`). All of a kernel is in it, so
/// that what may stand in the block of a function may stand in its body.
bool isPersistentLoop(mlir::Operation *op);

} // namespace tileir

#endif // PASSES_ANALYSIS_PERSISTENTLOOPS_H
