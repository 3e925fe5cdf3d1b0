// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_CTA_OPERANDSLICER_H
#define PASSES_TILEAS_CTA_OPERANDSLICER_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Cuts along K the `mma.sync` dots in loops of `func` whose operand is loaded
/// by the loop and exceeds shared memory. Each part loads its slice just before
/// it, so several dots of one tile load it several times. Returns whether it
/// cut one. The layouts are then the default ones.
bool sliceOperands(mlir::nv_tileaa::FuncOp func, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_CTA_OPERANDSLICER_H
