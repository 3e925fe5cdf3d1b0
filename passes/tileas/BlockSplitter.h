// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_BLOCKSPLITTER_H
#define PASSES_TILEAS_BLOCKSPLITTER_H

#include "dialects/nv_tileaa/NVTileAA.h"

namespace tileir {

/// Splits tile blocks whose chained dots (attention) the registers of no CTA
/// hold: what computes such a tile becomes the body of a loop over its halves.
/// Returns whether there was one. The layouts are then the default ones.
bool splitBlocks(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_BLOCKSPLITTER_H
