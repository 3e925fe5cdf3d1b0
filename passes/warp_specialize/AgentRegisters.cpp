// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/warp_specialize/AgentRegisters.h"

#include "llvm/Support/MathExtras.h"

namespace tileir {

/// Warps that change their registers together, and parts of an SM.
static constexpr unsigned kGroup = 4;
/// Registers that copies and the loops around them keep: the least that there
/// is.
static constexpr int64_t kOfCopies = 24;
static constexpr int64_t kStep = 8;

int64_t getMostRegisters(unsigned warps) {
  int64_t all = limits::registersPerSM / limits::threadsPerWarp;
  return std::min<int64_t>(
      limits::registersPerThread,
      llvm::alignDown(all / int64_t(llvm::alignTo(warps, kGroup)), kStep));
}

AgentRegisters shareRegisters(const Target &target, unsigned warps,
                              int64_t needed) {
  AgentRegisters shared;
  shared.most = getMostRegisters(warps + 1);
  if (needed <= shared.most || warps % kGroup ||
      !target.has(Feature::SetMaxNReg))
    return shared;
  unsigned groups = warps / kGroup;
  int64_t start = getMostRegisters(warps + kGroup);
  int64_t computing = std::min<int64_t>(
      llvm::alignDown((start * (groups + 1) - kOfCopies) / groups, kStep),
      llvm::alignDown(limits::registersPerThread, kStep));
  // Few warps have as many from the start as a thread can have.
  if (computing <= start)
    return shared;
  shared.copyingWarps = kGroup;
  shared.copying = kOfCopies;
  shared.computing = computing;
  shared.most = computing;
  return shared;
}

} // namespace tileir
