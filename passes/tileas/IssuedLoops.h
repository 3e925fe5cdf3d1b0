// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose copies and products single warps issue.

#ifndef PASSES_TILEAS_ISSUEDLOOPS_H
#define PASSES_TILEAS_ISSUEDLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Returns whether single threads or warps do all that `loop` does: tensor
/// copies into slots of `pipelines` that the commits of products give back, the
/// copies of scales beside them, and products.
/// Each kind then gets a warp of its own (`tileas-split-issuers`), and the
/// copies run ahead by themselves.
bool isIssued(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Value> pipelines);

} // namespace tileir

#endif // PASSES_TILEAS_ISSUEDLOOPS_H
