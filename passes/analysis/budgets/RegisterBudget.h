// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Register budget: the registers that a CTA gives each thread, and what is left
// of them.

#ifndef PASSES_ANALYSIS_BUDGETS_REGISTERBUDGET_H
#define PASSES_ANALYSIS_BUDGETS_REGISTERBUDGET_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Warps of a warpgroup, which change their registers together (PTX ISA,
/// "setmaxnreg"); an SM has as many partitions.
inline constexpr unsigned kRegisterGroup = 4;

/// Registers that a thread of a CTA can have.
class RegisterBudget {
public:
  /// Budget of `numWarps` warps that run `func`. `func` may be null: then no
  /// hint counts.
  RegisterBudget(mlir::nv_tileaa::FuncOp func, int64_t numWarps);
  /// Budget of the function around `op` with its number of warps, else with
  /// four warps.
  static RegisterBudget getAround(mlir::Operation *op);

  /// Returns the bound of the hints `occupancy` (CTAs that share an SM) and
  /// `max_regs`; none without hints.
  std::optional<int64_t> getHint() const { return hint; }
  /// Returns the minimum of three bounds: the registers that instructions can
  /// name, the CTA's share of an SM, and the hints. Each of the four partitions
  /// of an SM has a quarter of the registers for its warps.
  int64_t getLimit() const { return limit; }
  /// Registers left beside `claimed`; negative when `claimed` exceeds the
  /// limit.
  int64_t getLeft(int64_t claimed) const { return limit - claimed; }

private:
  std::optional<int64_t> hint;
  int64_t limit;
};

/// Returns whether threads have registers left beside the dots of `loop`.
/// Otherwise a further live value would be spilled.
bool leavesRegisters(mlir::Operation *loop);

/// Registers of the threads of two agents: warps that compute, and one warp
/// after them that only issues copies.
struct AgentRegisters {
  /// Warps of the agent that copies, idle ones included.
  unsigned copyingWarps = 1;
  /// Registers of a thread that the warpgroups set with `setmaxnreg`; 0: each
  /// keeps its number from the launch.
  int64_t copying = 0, computing = 0;
  /// Maximum registers of a thread that computes.
  int64_t most = 0;
};

/// Registers that a thread of the computing warps of `func` needs: for its
/// tiles, and for the operands of one instruction of each dot.
int64_t getNeededRegisters(mlir::nv_tileaa::FuncOp func);

/// Splits the registers of an SM for one CTA of `warps` warps that compute,
/// each thread with `needed` registers and some to spare, and one warp that
/// copies. Where an equal share is too small and `mayMove` is set, the copying
/// warp and three idle ones release registers to the others.
AgentRegisters shareRegisters(const Target &target, unsigned warps,
                              int64_t needed, bool mayMove);

} // namespace tileir

#endif // PASSES_ANALYSIS_BUDGETS_REGISTERBUDGET_H
