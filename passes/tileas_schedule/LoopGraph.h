// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a loop as a problem of the solver.
#ifndef PASSES_TILEAS_SCHEDULE_LOOPGRAPH_H
#define PASSES_TILEAS_SCHEDULE_LOOPGRAPH_H

#include "dialects/nv_tileas/NVTileAS.h"
#include "passes/tileas_schedule/solver/Machine.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Attributes that constrain the schedule of a loop, in discardable attributes.
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
  /// By node.
  llvm::SmallVector<mlir::Operation *> anchors;
  schedule::Problem problem;
  /// Latencies that the model cut.
  unsigned numClamped = 0;
};

/// Returns whether the body of `loop` is scheduled: an innermost loop of at
/// least two anchors, all of whose effects are known.
bool isScheduledLoop(mlir::scf::ForOp loop);

/// Returns why iterations of `loop` are never scheduled, to a user: nothing of
/// a loop that is, of one around others, and of one that loads and multiplies
/// nothing.
std::string explainUnscheduled(mlir::LoopLikeOpInterface loop);

/// The anchors of the body, in its order.
llvm::SmallVector<mlir::Operation *> getAnchors(mlir::scf::ForOp loop);

/// The graph of a loop that `isScheduledLoop`. Reports attributes of the wrong
/// type.
mlir::FailureOr<LoopGraph>
buildLoopGraph(mlir::scf::ForOp loop, const Target &target, unsigned numWarps);

/// Returns whether `op` fills a slot of a pipeline of loads: such steps run
/// ahead of the rest of the body.
bool runsAhead(mlir::Operation *op);

/// Returns whether `op` loads a tile from what the induction variable and
/// values from outside of `loop`, whose body it stands in, alone decide: an
/// iteration may load what the next one reads. Edges say whether something is
/// written before. Never where threads multiply.
bool isEarlyLoad(mlir::Operation *op, mlir::scf::ForOp loop);

} // namespace tileir

#endif // PASSES_TILEAS_SCHEDULE_LOOPGRAPH_H
