// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_ANALYSIS_PIPELINES_H
#define PASSES_ANALYSIS_PIPELINES_H

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

/// Gives a pipeline, its buffers and its iterators another depth.
void setDepth(mlir::nv_tileas::PipelineCreateOp create, int64_t depth);

/// Checks that every slot of the pipelines of `func` is acquired, filled,
/// committed, waited for, read and released, once each and in this order, and
/// that no more slots are under way than there are. Reports the first fault.
mlir::LogicalResult verifyPipelines(mlir::nv_tileaa::FuncOp func);

/// Returns whether `op` gives slots back that copies fill.
bool isReleaseOfCopies(mlir::Operation *op);

/// Where copies for later iterations stand in the body of a loop that no
/// schedule places.
struct RunAheadPlace {
  /// Slots that products of the iterations before may still read.
  int64_t busy = 0;
  /// Behind the last release, in place of behind the first wait: then no slot
  /// is idle.
  bool isLate = false;
};
RunAheadPlace getRunAheadPlace(mlir::scf::ForOp loop);

/// Place that a schedule gives an operation: by how many iterations it runs
/// behind the first ones, its place in the body of the pipelined loop, and its
/// cycle.
inline constexpr llvm::StringLiteral kStageAttr = "nv_tile.aws.stage";
inline constexpr llvm::StringLiteral kOrderAttr = "nv_tile.aws.order";
inline constexpr llvm::StringLiteral kCycleAttr = "tileas.schedule.cycle";
/// On the loop: how many stages its operations have.
inline constexpr llvm::StringLiteral kNumStagesAttr =
    "tileas.schedule.num_stages";
/// Unit, on a loop whose schedule is to stay that of one stream of
/// instructions.
inline constexpr llvm::StringLiteral kUnspecializedAttr =
    "tileas.schedule.unspecialized";

/// Returns what of the body of a loop `roots` depend on: pure operations, and
/// the iteration arguments that these alone compute.
struct ProducerSlice {
  /// In the order of the body, `roots` included.
  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallSetVector<mlir::BlockArgument, 4> carried;
};

/// The slice of `roots` in the body of `loop`. On failure, when it cannot run
/// ahead of the loop, `reason` says why.
std::optional<ProducerSlice>
getProducerSlice(mlir::scf::ForOp loop, llvm::ArrayRef<mlir::Operation *> roots,
                 std::string &reason);

} // namespace tileir

#endif // PASSES_ANALYSIS_PIPELINES_H
