// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops where one warp alone waits for slots that all have read.

#ifndef PASSES_TILEAS_SLOTHANDOFFS_H
#define PASSES_TILEAS_SLOTHANDOFFS_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Takes the place of the barrier in front of the slots that a loop acquires:
/// behind `arrival` all that a warp had to read of them is read, and it arrives
/// at an object; in front of `acquire`, the first one, the warp that copies
/// waits for all warps. Each iteration has the object of the slot that `wait`
/// gives. No warp comes to it again before all have: it would have waited for a
/// slot first that is filled behind the wait for all.
struct SlotHandoff {
  mlir::nv_tileas::DotWaitOp arrival;
  mlir::nv_tileas::PipelineAcquireOp acquire;
  mlir::nv_tileas::PipelineWaitOp wait;
  /// Warps that arrive.
  int64_t numWarps;
};

/// Finds the loops of `func` where warps that meet in every iteration would
/// lose time: several warpgroups compute between two products that go on
/// meanwhile, and while one of them does, the products of another may run.
/// There are handoffs for all loops with such products or for none; their
/// objects belong to the slots of one pipeline.
llvm::SmallVector<SlotHandoff> findSlotHandoffs(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_SLOTHANDOFFS_H
