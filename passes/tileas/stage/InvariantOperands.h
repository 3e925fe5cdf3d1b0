// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loop-invariant MMA operands in shared memory.

#ifndef PASSES_TILEAS_STAGE_INVARIANTOPERANDS_H
#define PASSES_TILEAS_STAGE_INVARIANTOPERANDS_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Target.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Stages A of `dot`, which is defined before `loop` and read by `dot` alone,
/// in shared memory once, in the layout that `wgmma` reads, and returns the
/// buffer. TMA copies a tile that the function loads outside of loops, through
/// a pipeline with one slot, where it can; threads store every other tile.
mlir::Value stageInvariantOperand(mlir::nv_tileas::DotOp dot,
                                  mlir::scf::ForOp loop, const Target &target);

} // namespace tileir

#endif // PASSES_TILEAS_STAGE_INVARIANTOPERANDS_H
