// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/budgets/RegisterBudget.h"

#include "passes/analysis/budgets/RegisterDemand.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Scratch.h"
#include "dialects/support/Heuristics.h"

#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Registers of a thread where `ctas` CTAs of `numWarps` warps share an SM.
static int64_t getShare(int64_t ctas, int64_t numWarps) {
  int64_t threads = ctas * numWarps * limits::threadsPerWarp;
  return std::min(llvm::alignDown(limits::registersPerSM / threads,
                                  limits::registersGranule),
                  uint64_t(limits::registersPerThread));
}

RegisterBudget::RegisterBudget(aa::FuncOp func, int64_t numWarps)
    : limit(getShare(/*ctas=*/1, llvm::alignTo(numWarps, kRegisterGroup))) {
  aa::KernelSpecAttr spec =
      func ? func.getKernelSpecAttr() : aa::KernelSpecAttr();
  if (!spec || (!spec.getMaxRegs() && !spec.getOccupancy()))
    return;
  hint = spec.getMaxRegs() ? spec.getMaxRegs() : limits::registersPerThread;
  // A hint below the minimum of ptxas is no bound.
  if (spec.getOccupancy())
    hint = std::min(*hint, std::max(getShare(spec.getOccupancy(), numWarps),
                                    limits::registersMin));
  limit = std::min(limit, *hint);
}

RegisterBudget RegisterBudget::getAround(Operation *op) {
  auto func = op->getParentOfType<aa::FuncOp>();
  return RegisterBudget(func, func ? getNumWarps(func) : 4);
}

/// Returns whether `dot` loads its fragments from shared memory step by step.
static bool readsSteps(as::DotOp dot) {
  return dot.getA().getDefiningOp<as::CopyOp>() &&
         dot.getB().getDefiningOp<as::CopyOp>();
}

bool leavesRegisters(Operation *loop) {
  int64_t registers = heuristics::registersBesideFragments;
  loop->walk([&](as::DotOp dot) {
    if (!readsSteps(dot))
      registers += getRegisterCount(dot.getA().getType());
    // A dot that continues another one shares the registers of the first.
    if (!dot.getC().getDefiningOp<as::DotOp>())
      registers += getRegisterCount(dot.getC().getType());
  });
  return RegisterBudget::getAround(loop).getLeft(registers) >= 0;
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

/// Maximum registers of a thread for the operands of one instruction of a dot.
static int64_t getFragmentRegisters(aa::FuncOp func) {
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

int64_t getNeededRegisters(aa::FuncOp func) {
  unsigned warps = getNumWarps(func);
  return std::min(
      RegisterDemand::estimateRegisters(getRegisterDemand(func).peak, warps) +
          getFragmentRegisters(func),
      RegisterBudget({}, warps).getLimit());
}

AgentRegisters shareRegisters(const Target &target, unsigned warps,
                              int64_t needed, bool mayMove) {
  /// Registers of threads that issue copies: the minimum of PTX (PTX ISA,
  /// "setmaxnreg").
  constexpr int64_t kOfCopies = 24, kStep = 8;
  AgentRegisters shared;
  shared.most = RegisterBudget({}, warps + 1).getLimit();
  if (!mayMove || needed + heuristics::spareAgentRegisters <= shared.most ||
      warps % kRegisterGroup || !target.has(Feature::SetMaxNReg))
    return shared;
  int64_t groups = warps / kRegisterGroup,
          start = RegisterBudget({}, warps + kRegisterGroup).getLimit();
  int64_t computing =
      llvm::alignDown(std::min((start * (groups + 1) - kOfCopies) / groups,
                               limits::registersPerThread),
                      kStep);
  // A small CTA starts with as many registers as a thread can have.
  if (computing <= start)
    return shared;
  shared.copyingWarps = kRegisterGroup;
  shared.copying = kOfCopies;
  shared.computing = computing;
  shared.most = computing;
  return shared;
}

} // namespace tileir
