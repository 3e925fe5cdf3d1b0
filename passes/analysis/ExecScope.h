// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads execute an operation: the one place to ask.

#ifndef PASSES_ANALYSIS_EXECSCOPE_H
#define PASSES_ANALYSIS_EXECSCOPE_H

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Makes the first region of an `scf.if` an agent, a dictionary of numbers of
/// type i32: the region belongs to `num_warps` warps, of which the first has
/// the number `warp_id` in the scope around. These meet at the hardware barrier
/// `barrier_id`, which `tileas-assign-buffers` chooses where there are several.
/// The condition of the `scf.if` is true in these warps and in no others.
///
/// Until `optimize-execution-unit-mapping` an agent may lack `warp_id`, and
/// until `propagate-execution-unit` its condition is poison. Meanwhile
/// `max_regs` says how many registers its threads take (`setmaxnreg`).
inline constexpr llvm::StringLiteral kAgentAttr = "nv_tileas.agent";

/// Returns whether `op` has a region that belongs to an agent.
bool isAgent(mlir::Operation *op);

/// The warps that execute a region together: an agent, or the whole CTA, which
/// is the outermost scope.
struct ExecScope {
  mlir::Region *region = nullptr;
  unsigned warps = 4;
  /// The first of them, counted from the first one of the CTA.
  unsigned firstWarp = 0;
  /// The hardware barrier at which they meet. 0 is the CTA's; also where one
  /// warp needs none, and before `tileas-assign-buffers`.
  unsigned barrierId = 0;

  /// Returns whether the scope is the whole CTA.
  bool isCta() const;
  int64_t getThreads() const;
  /// Returns whether `op` is in the scope or in one inside of it.
  bool contains(mlir::Operation *op) const {
    return region->isAncestor(op->getParentRegion());
  }
};

/// The scope that executes what is in `region`.
ExecScope getExecScope(mlir::Region *region);
/// The scope that executes `op`; of a function its body's.
ExecScope getExecScope(mlir::Operation *op);

/// Warps that a launch of `func` has: as many as it asks for, and more where an
/// agent ends behind them.
unsigned getLaunchedWarps(mlir::nv_tileaa::FuncOp func);

/// Gives the then region of `branch` to `warps` warps from `warpId` on, a
/// number in the scope around; to warps without numbers where there is none.
void setAgent(mlir::scf::IfOp branch, std::optional<unsigned> warpId,
              unsigned warps);

/// Returns whether the agent has the numbers of its warps; gives it them.
bool hasWarpId(mlir::scf::IfOp agent);
void setWarpId(mlir::scf::IfOp agent, unsigned warpId);

/// Returns whether threads of the agent hold tiles.
bool holdsTiles(mlir::scf::IfOp agent);

/// Registers that the threads of the agent take; none: they keep what the
/// kernel starts with.
std::optional<int64_t> getAgentRegisters(mlir::scf::IfOp agent);
void setAgentRegisters(mlir::scf::IfOp agent, std::optional<int64_t> count);

/// The agents of `func` that are inside of no other, in the order of the text.
llvm::SmallVector<mlir::scf::IfOp> getAgents(mlir::nv_tileaa::FuncOp func);

/// Tells the agent at which hardware barrier its warps meet.
void setAgentBarrier(mlir::scf::IfOp branch, unsigned barrierId);

/// True in the warps of such an agent; `warp` is the number of the executing
/// one in the scope around, an index.
mlir::Value isInAgent(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value warp, unsigned warpId, unsigned warps);

} // namespace tileir

#endif // PASSES_ANALYSIS_EXECSCOPE_H
