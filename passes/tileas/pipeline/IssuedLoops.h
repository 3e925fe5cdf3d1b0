// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose copies and MMAs single warps issue.

#ifndef PASSES_TILEAS_PIPELINE_ISSUEDLOOPS_H
#define PASSES_TILEAS_PIPELINE_ISSUEDLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Returns whether single threads or warps do all the work of `loop`: TMA
/// copies into slots of `pipelines` that MMA commits release, copies of scales
/// beside them, and MMAs. `tileas-split-copy-and-mma-warps` then gives each
/// kind a warp of its own, and the copies run ahead without a schedule.
bool isIssued(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Value> pipelines);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_ISSUEDLOOPS_H
