// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_PRODUCTSPLITTER_H
#define PASSES_TILEAS_PRODUCTSPLITTER_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Cuts loops of `func` whose accumulators the registers of no CTA hold: into
/// two, one behind the other, each with half of the columns (or rows, if they
/// are more) and with what becomes of that half behind it. Whether there was
/// one. The layouts are then the default ones.
bool splitProducts(mlir::nv_tileaa::FuncOp func, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_PRODUCTSPLITTER_H
