// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers of a thread: how many a CTA gives it, and how many are left.

#ifndef PASSES_ANALYSIS_REGISTERBUDGET_H
#define PASSES_ANALYSIS_REGISTERBUDGET_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Warps that change their registers together (PTX ISA, "setmaxnreg"), and
/// partitions of an SM.
inline constexpr unsigned kRegisterGroup = 4;

/// Registers that a thread of a CTA may have.
class RegisterBudget {
public:
  /// Of `numWarps` warps that run `func`, which may be null: without it, no
  /// hint counts.
  RegisterBudget(mlir::nv_tileaa::FuncOp func, int64_t numWarps);
  /// Of the function around `op` with the warps that it has, else of four.
  static RegisterBudget getAround(mlir::Operation *op);

  /// Returns the bound by the hints `occupancy`, CTAs that share an SM, and
  /// `max_regs`; none when they say nothing.
  std::optional<int64_t> getHint() const { return hint; }
  /// Returns the registers that instructions can name, that the CTA has of an
  /// SM, and that the hints allow. Each of the four partitions of an SM has a
  /// quarter of the registers for its warps.
  int64_t getLimit() const { return limit; }
  /// Registers left beside `claimed`; negative when there are fewer.
  int64_t getLeft(int64_t claimed) const { return limit - claimed; }

private:
  std::optional<int64_t> hint;
  int64_t limit;
};

/// Returns whether threads have registers left beside the dots of `loop`. Where
/// every register is taken, more live values would be spilled.
bool leavesRegisters(mlir::Operation *loop);

/// Registers of the threads of two agents: of warps that compute, and of one
/// after them that only issues copies.
struct AgentRegisters {
  /// Warps that come with the one that copies, itself included.
  unsigned copyingWarps = 1;
  /// Registers of a thread that the groups of four warps take with
  /// `setmaxnreg`; 0: each keeps what it starts with.
  int64_t copying = 0, computing = 0;
  /// Registers that a thread that computes may have.
  int64_t most = 0;
};

/// Registers that a thread of the warps that compute in `func` needs: for its
/// tiles, and for the operands of one instruction of each dot.
int64_t getNeededRegisters(mlir::nv_tileaa::FuncOp func);

/// Shares the registers of an SM with one CTA: `warps` warps that compute, each
/// thread with `needed` registers and some to spare, and one that copies. Where
/// an equal share is too little and `mayMove` is set, that warp and three idle
/// ones give up theirs.
AgentRegisters shareRegisters(const Target &target, unsigned warps,
                              int64_t needed, bool mayMove);

} // namespace tileir

#endif // PASSES_ANALYSIS_REGISTERBUDGET_H
