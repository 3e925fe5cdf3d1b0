// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops where one warp alone waits for slots that all have read.

#ifndef PASSES_TILEAS_PIPELINE_SLOTRELEASES_H
#define PASSES_TILEAS_PIPELINE_SLOTRELEASES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Replaces the barrier before the slots that a loop acquires. After `arrival`
/// a warp has read all its elements of the slots and arrives at an mbarrier;
/// before `acquire`, the first one, the copying warp waits for all warps. Each
/// iteration uses the mbarrier of the slot that `wait` returns. No warp reaches
/// the mbarrier again before all have arrived: it waits first for a slot that
/// is filled after the wait for all.
struct SlotRelease {
  mlir::nv_tileas::DotWaitOp arrival;
  mlir::nv_tileas::PipelineAcquireOp acquire;
  mlir::nv_tileas::PipelineWaitOp wait;
  /// Warps that arrive.
  int64_t numWarps;
};

/// Finds the loops of `func` in which a barrier in every iteration would cost
/// time: several warpgroups compute between two asynchronous dots, and the dots
/// of one may run while another computes. Either all loops with such dots have
/// a release or none; its mbarriers belong to the slots of one pipeline.
llvm::SmallVector<SlotRelease> findSlotReleases(mlir::nv_tileaa::FuncOp func);

} // namespace tileir

#endif // PASSES_TILEAS_PIPELINE_SLOTRELEASES_H
