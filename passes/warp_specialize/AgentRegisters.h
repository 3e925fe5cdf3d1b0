// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers of a CTA whose warps do different things.

#ifndef PASSES_WARP_SPECIALIZE_AGENTREGISTERS_H
#define PASSES_WARP_SPECIALIZE_AGENTREGISTERS_H

#include "dialects/nv_tileaa/NVTileAA.h"
#include "dialects/support/Target.h"

namespace tileir {

/// Warps that change their registers together, and parts of an SM.
inline constexpr unsigned kRegisterGroup = 4;

/// Registers of the threads of two agents: of warps that compute, and of one
/// behind them that only issues copies.
struct AgentRegisters {
  /// Warps that come with the one that copies, itself included.
  unsigned copyingWarps = 1;
  /// Registers of a thread that the groups of four warps take with
  /// `setmaxnreg`; 0: each keeps what it starts with.
  int64_t copying = 0, computing = 0;
  /// Registers that a thread that computes may have.
  int64_t most = 0;
};

/// Registers that each thread may have where `warps` warps are on an SM: each
/// of its four parts has a quarter of the registers for its warps, and gives
/// them by eights.
int64_t getMostRegisters(unsigned warps);

/// Registers that a thread of the warps that compute in `func` needs: for its
/// tiles, and for the factors of one instruction of each product.
int64_t getNeededRegisters(mlir::nv_tileaa::FuncOp func);

/// Shares the registers of an SM with one CTA: `warps` warps that compute, each
/// thread with `needed` registers, and one that copies. Where an equal share is
/// too little and `mayMove` is set, that warp and three idle ones give up
/// theirs.
AgentRegisters shareRegisters(const Target &target, unsigned warps,
                              int64_t needed, bool mayMove);

} // namespace tileir

#endif // PASSES_WARP_SPECIALIZE_AGENTREGISTERS_H
