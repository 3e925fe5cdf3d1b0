// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_CTA_BLOCKSPLITTER_H
#define PASSES_TILEAS_CTA_BLOCKSPLITTER_H

#include "dialects/nv_tileaa/NVTileAA.h"

namespace tileir {

/// Splits tile blocks with chained dots (attention) whose tiles exceed the
/// registers of every CTA: the computation of such a tile becomes the body of a
/// loop over its halves. Returns whether it split one. The layouts are then the
/// default ones.
bool splitBlocks(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_CTA_BLOCKSPLITTER_H
