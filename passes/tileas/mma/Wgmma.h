// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of `wgmma` that other files need.

#ifndef PASSES_TILEAS_MMA_WGMMA_H
#define PASSES_TILEAS_MMA_WGMMA_H

#include "passes/tileas/mma/MmaChoice.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Columns of the parts that are added up apart: as many as a thread of
/// `numWarps` warps has registers for beside the accumulator, 0 when there are
/// too few.
int64_t getPromotedColumns(mlir::nv_tileas::DotOp dot, int64_t numWarps);

/// The outermost loop around `dot` whose iterations all read the same A, which
/// nothing else reads; null when there is none.
mlir::scf::ForOp getInvariantLoop(mlir::nv_tileas::DotOp dot);

} // namespace tileir

#endif // PASSES_TILEAS_MMA_WGMMA_H
