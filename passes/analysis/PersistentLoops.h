// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_PERSISTENTLOOPS_H
#define PASSES_ANALYSIS_PERSISTENTLOOPS_H

#include "mlir/IR/Operation.h"

namespace tileir {

/// Returns whether `op` is the persistent loop of a kernel, which runs as long
/// as tile blocks are left (`tileas-dynamic-persistent`). The loop holds the
/// whole kernel, so its body may contain what the block of a function may
/// contain.
bool isPersistentLoop(mlir::Operation *op);

} // namespace tileir

#endif // PASSES_ANALYSIS_PERSISTENTLOOPS_H
