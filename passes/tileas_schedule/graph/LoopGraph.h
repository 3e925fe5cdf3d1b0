// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the scheduling problem of a loop body.
#ifndef PASSES_TILEAS_SCHEDULE_GRAPH_LOOPGRAPH_H
#define PASSES_TILEAS_SCHEDULE_GRAPH_LOOPGRAPH_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "passes/tileas_schedule/solver/Machine.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Discardable attributes that constrain the schedule of a loop.
namespace schedule_attr {
inline constexpr llvm::StringLiteral kNode = "tileas.schedule.node";
inline constexpr llvm::StringLiteral kFingerprint =
    "tileas.schedule.fingerprint";
inline constexpr llvm::StringLiteral kOptions = "tileas.schedule.options";
inline constexpr llvm::StringLiteral kLatency = "tileas.schedule.latency";
inline constexpr llvm::StringLiteral kOccupancy = "tileas.schedule.occupancy";
inline constexpr llvm::StringLiteral kMaxII = "tileas.schedule.max_ii";
inline constexpr llvm::StringLiteral kMaxBuffers =
    "tileas.schedule.max_buffers";
inline constexpr llvm::StringLiteral kGroup = "tileas.schedule.constraint.gid";
inline constexpr llvm::StringLiteral kLeaderGroup =
    "tileas.schedule.constraint.leader_gid";
inline constexpr llvm::StringLiteral kMaxDepth =
    "tileas.schedule.constraint.max_depth";
inline constexpr llvm::StringLiteral kSerial =
    "tileas.schedule.constraint.force_serial_execution";
} // namespace schedule_attr

struct LoopGraph {
  mlir::scf::ForOp loop;
  /// The operation of each node.
  llvm::SmallVector<mlir::Operation *> anchors;
  schedule::Problem problem;
  /// Number of latencies that the model clamped.
  unsigned numClamped = 0;
};

/// Returns whether the body of `loop` is scheduled: the loop is innermost, has
/// at least two anchors, and all effects are known.
bool isScheduledLoop(mlir::scf::ForOp loop);

/// Returns, for a user, why the iterations of `loop` are never scheduled. The
/// text is empty for a scheduled loop, for an outer loop, and for a loop
/// without loads and dots.
std::string explainUnscheduled(mlir::LoopLikeOpInterface loop);

/// Returns the anchors of the body in program order.
llvm::SmallVector<mlir::Operation *> getAnchors(mlir::scf::ForOp loop);

/// Builds the dependence graph of a loop that `isScheduledLoop` accepts.
/// Reports attributes of the wrong type.
mlir::FailureOr<LoopGraph>
buildLoopGraph(mlir::scf::ForOp loop, const Target &target, unsigned numWarps);

/// Returns whether `op` fills a slot of a pipeline of loads. Such operations
/// run ahead of the rest of the body.
bool runsAhead(mlir::Operation *op);

/// Returns whether `op`, in the body of `loop`, loads a tile whose address
/// depends only on the induction variable and on values from outside the loop:
/// one iteration may load the tile of the next. Stores in between are left to
/// the edges. Never true in loops with dots that threads issue.
bool isEarlyLoad(mlir::Operation *op, mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_GRAPH_LOOPGRAPH_H
