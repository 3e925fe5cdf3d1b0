// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/warp_specialize/AgentRegisters.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Scratch.h"
#include "passes/analysis/RegisterDemand.h"

#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Registers that copies and the loops around them keep: the fewest that PTX
/// takes (PTX ISA, "setmaxnreg").
static constexpr int64_t kOfCopies = 24;
static constexpr int64_t kStep = 8;

int64_t getMostRegisters(unsigned warps) {
  int64_t all = limits::registersPerSM / limits::threadsPerWarp;
  return std::min<int64_t>(
      limits::registersPerThread,
      llvm::alignDown(all / int64_t(llvm::alignTo(warps, kRegisterGroup)),
                      kStep));
}

/// Registers of a thread for the factors of one instruction of each of the
/// products that warps make, at most.
static int64_t getFragmentRegisters(nv_tileaa::FuncOp func) {
  int64_t most = 0;
  func->walk([&](as::DotOp dot) {
    as::MmaAtomAttr atom = dot.getAtom();
    if (atom.getKind() != as::MmaKind::MmaSync)
      return;
    const Layout &acc = as::getTileLayout(dot.getC().getType()).getLayout();
    int64_t bits = 0;
    for (bool isA : {true, false})
      if (std::optional<Layout> layout =
              as::getDotOperandLayout(atom, acc, atom.getK(), isA))
        bits += layout->getNumRegisters() *
                getRegisterBits(isA ? atom.getAType() : atom.getBType());
    most = std::max(most, bits / 32);
  });
  return most;
}

int64_t getNeededRegisters(nv_tileaa::FuncOp func) {
  unsigned warps = getNumWarps(func);
  return std::min(
      RegisterDemand::estimateRegisters(getRegisterDemand(func).peak, warps) +
          getFragmentRegisters(func),
      getMostRegisters(warps));
}

AgentRegisters shareRegisters(const Target &target, unsigned warps,
                              int64_t needed, bool mayMove) {
  AgentRegisters shared;
  shared.most = getMostRegisters(warps + 1);
  if (!mayMove || needed <= shared.most || warps % kRegisterGroup ||
      !target.has(Feature::SetMaxNReg))
    return shared;
  unsigned groups = warps / kRegisterGroup;
  int64_t start = getMostRegisters(warps + kRegisterGroup);
  int64_t computing = std::min<int64_t>(
      llvm::alignDown((start * (groups + 1) - kOfCopies) / groups, kStep),
      llvm::alignDown(limits::registersPerThread, kStep));
  // Few warps have as many from the start as a thread can have.
  if (computing <= start)
    return shared;
  shared.copyingWarps = kRegisterGroup;
  shared.copying = kOfCopies;
  shared.computing = computing;
  shared.most = computing;
  return shared;
}

} // namespace tileir
