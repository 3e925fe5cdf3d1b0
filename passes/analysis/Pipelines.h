// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_PIPELINES_H
#define PASSES_ANALYSIS_PIPELINES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Changes the depth of a pipeline, of its buffers and of its iterators.
void setDepth(mlir::nv_tileas::PipelineCreateOp create, int64_t depth);

/// Checks that every slot of the pipelines of `func` is acquired, filled,
/// committed, waited for, read and released, once each and in this order, and
/// that no more slots are in flight than there are. Reports the first fault.
mlir::LogicalResult verifyPipelines(mlir::nv_tileaa::FuncOp func);

/// Returns whether `op` releases slots that copies fill.
bool isReleaseOfCopies(mlir::Operation *op);

/// Position, in the body of an unscheduled loop, of the copies for later
/// iterations.
struct RunAheadPlace {
  /// Slots that MMAs of earlier iterations may still read.
  int64_t busy = 0;
  /// True for a position after the last release, where no slot is idle; false
  /// for one after the first wait.
  bool isLate = false;
};
RunAheadPlace getRunAheadPlace(mlir::scf::ForOp loop);

/// Schedule of an operation: its stage (the number of iterations by which it
/// runs after stage 0), its place in the body of the pipelined loop, and its
/// cycle.
inline constexpr llvm::StringLiteral kStageAttr = "nv_tile.aws.stage";
inline constexpr llvm::StringLiteral kOrderAttr = "nv_tile.aws.order";
inline constexpr llvm::StringLiteral kCycleAttr = "tileas.schedule.cycle";
/// Number of stages, on the loop.
inline constexpr llvm::StringLiteral kNumStagesAttr =
    "tileas.schedule.num_stages";
/// Unit attribute of a loop that keeps the schedule of one instruction stream
/// (no warp specialization).
inline constexpr llvm::StringLiteral kUnspecializedAttr =
    "tileas.schedule.unspecialized";

/// Part of a loop body on which `roots` depend: pure operations, and the
/// iter-args that these operations alone compute.
struct ProducerSlice {
  /// The operations in program order, `roots` included.
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallSetVector<mlir::BlockArgument, 4> carried;
};

/// Returns the slice of `roots` in the body of `loop`. Fails when the slice
/// cannot run ahead of the loop; `reason` then holds why.
std::optional<ProducerSlice>
getProducerSlice(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> roots,
                 std::string &reason);

} // namespace tileir

#endif // PASSES_ANALYSIS_PIPELINES_H
