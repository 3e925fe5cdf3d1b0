// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-check-register-budget"

namespace tileir {

#define GEN_PASS_DEF_TILEASCHECKREGISTERBUDGET
#include "passes/warp_specialize/TileASCheckRegisterBudget.h.inc"

namespace {

using namespace mlir;

struct TileASCheckRegisterBudget final
    : impl::TileASCheckRegisterBudgetBase<TileASCheckRegisterBudget> {
  using TileASCheckRegisterBudgetBase::TileASCheckRegisterBudgetBase;

  void runOnOperation() override;
};

} // namespace

void TileASCheckRegisterBudget::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  SmallVector<scf::IfOp> agents = getAgents(func);
  SmallVector<scf::IfOp> computing;
  llvm::copy_if(agents, std::back_inserter(computing), holdsTiles);
  std::optional<Target> target = getTarget(func);
  // The copying agent is one warp, and no agent is mapped to warps yet.
  if (agents.size() != 2 || computing.size() != 1 || !target ||
      hasWarpId(agents[0]) || hasWarpId(agents[1]))
    return markAllAnalysesPreserved();
  scf::IfOp copying = agents[computing[0] == agents[0]];
  unsigned warps = getExecScope(&computing[0].getThenRegion()).warps;
  int64_t needed = getNeededRegisters(func);
  AgentRegisters shares =
      shareRegisters(*target, warps, needed, /*mayMove=*/true);
  TILEIR_LOG() << func.getName() << ": " << needed << " registers needed, "
               << shares.most << " there"
               << (shares.computing ? ", some of them of the warps that copy"
                                    : "");
  if (needed > shares.most)
    computing[0].emitWarning("register budget exceeded: an agent of ")
        << warps << " warps needs " << needed << " registers, budget is "
        << shares.most;
  if (!shares.computing)
    return markAllAnalysesPreserved();
  setAgentRegisters(computing[0], shares.computing);
  setAgentRegisters(copying, shares.copying);
  ++numShared;
}

} // namespace tileir
