// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution scopes: the threads that execute an operation.

#ifndef PASSES_ANALYSIS_EXECSCOPE_H
#define PASSES_ANALYSIS_EXECSCOPE_H

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tileir {

/// Makes the first region of an `scf.if` an agent (a partition of warp
/// specialization). The value is a dictionary of i32 numbers: `num_warps` warps
/// execute the region, and `warp_id` is the number of the first one in the
/// enclosing scope. The warps synchronize at the hardware barrier `barrier_id`,
/// which `tileas-assign-buffers` chooses where there are several. The condition
/// of the `scf.if` is true in these warps and in no others.
///
/// Until `optimize-execution-unit-mapping` an agent may lack `warp_id`, and
/// until `propagate-execution-unit` its condition is poison. Meanwhile
/// `max_regs` holds the registers that its threads set (`setmaxnreg`).
inline constexpr llvm::StringLiteral kAgentAttr = "nv_tileas.agent";

/// Returns whether `op` has the region of an agent.
bool isAgent(mlir::Operation *op);

/// The warps that execute a region together: an agent, or the whole CTA, the
/// outermost scope.
struct ExecScope {
  mlir::Region *region = nullptr;
  unsigned warps = 4;
  /// Number of the first warp in the CTA.
  unsigned firstWarp = 0;
  /// The hardware barrier at which the warps synchronize. 0 is the CTA's
  /// barrier; it is also used for one warp, which needs none, and before
  /// `tileas-assign-buffers`.
  unsigned barrierId = 0;

  /// Returns whether the scope is the whole CTA.
  bool isCta() const;
  int64_t getThreads() const;
  /// Returns whether `op` is in the scope or in a nested one.
  bool contains(mlir::Operation *op) const {
    return region->isAncestor(op->getParentRegion());
  }
};

/// The scope that executes the operations of `region`.
ExecScope getExecScope(mlir::Region *region);
/// The scope that executes `op`; for a function, the scope of its body.
ExecScope getExecScope(mlir::Operation *op);

/// Warps of a launch of `func`: the requested number, or more where the warps
/// of an agent come after them.
unsigned getLaunchedWarps(mlir::nv_tileaa::FuncOp func);

/// Makes the then region of `branch` an agent of `warps` warps. The first has
/// the number `warpId` in the enclosing scope; without it the warps have no
/// numbers yet.
void setAgent(mlir::scf::IfOp branch, std::optional<unsigned> warpId,
              unsigned warps);

/// Returns whether the agent has its `warp_id`; sets it.
bool hasWarpId(mlir::scf::IfOp agent);
void setWarpId(mlir::scf::IfOp agent, unsigned warpId);

/// Returns whether the threads of the agent hold tiles in registers.
bool holdsTiles(mlir::scf::IfOp agent);

/// Registers that the threads of the agent set; none: they keep the launch's
/// number.
std::optional<int64_t> getAgentRegisters(mlir::scf::IfOp agent);
void setAgentRegisters(mlir::scf::IfOp agent, std::optional<int64_t> count);

/// The outermost agents of `func`, in program order.
llvm::SmallVector<mlir::scf::IfOp> getAgents(mlir::nv_tileaa::FuncOp func);

/// Sets the hardware barrier at which the warps of the agent synchronize.
void setAgentBarrier(mlir::scf::IfOp branch, unsigned barrierId);

/// Builds a condition that is true in the warps of such an agent; `warp` is the
/// executing warp's number in the enclosing scope, an index.
mlir::Value isInAgent(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value warp, unsigned warpId, unsigned warps);

} // namespace tileir

#endif // PASSES_ANALYSIS_EXECSCOPE_H
