// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_TILEAS_OPERANDSLICER_H
#define PASSES_TILEAS_OPERANDSLICER_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Cuts along K the dots by `mma.sync` in loops of `func` whose operand is
/// loaded by the loop and larger than shared memory. Each part loads its slice
/// in front of itself, so several dots that read one tile load it several
/// times. Returns whether there was one. The layouts are then the default ones.
bool sliceOperands(mlir::nv_tileaa::FuncOp func, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_OPERANDSLICER_H
