// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "optimize-execution-unit-mapping"

namespace tileir {

#define GEN_PASS_DEF_OPTIMIZEEXECUTIONUNITMAPPING
#include "passes/warp_specialize/OptimizeExecutionUnitMapping.h.inc"

namespace {

using namespace mlir;

struct OptimizeExecutionUnitMapping final
    : impl::OptimizeExecutionUnitMappingBase<OptimizeExecutionUnitMapping> {
  using OptimizeExecutionUnitMappingBase::OptimizeExecutionUnitMappingBase;

  void runOnOperation() override;
};

} // namespace

static unsigned getWarps(scf::IfOp agent) {
  return getExecScope(&agent.getThenRegion()).warps;
}

/// Wraps an agent of fewer than four warps that changes its registers into an
/// agent of a whole warpgroup, whose idle warps change their registers with it.
static scf::IfOp completeGroup(scf::IfOp agent) {
  std::optional<int64_t> registers = getAgentRegisters(agent);
  if (!registers || getWarps(agent) >= kRegisterGroup)
    return agent;
  OpBuilder builder(agent);
  Value condition =
      ub::PoisonOp::create(builder, agent.getLoc(), builder.getI1Type());
  auto group = scf::IfOp::create(builder, agent.getLoc(), condition,
                                 /*withElseRegion=*/false);
  setAgent(group, std::nullopt, kRegisterGroup);
  setAgentRegisters(group, registers);
  agent->moveBefore(group.thenBlock()->getTerminator());
  setAgent(agent, 0, getWarps(agent));
  return group;
}

void OptimizeExecutionUnitMapping::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  SmallVector<scf::IfOp> agents = getAgents(func);
  unsigned next = 0;
  for (scf::IfOp agent : agents)
    if (hasWarpId(agent)) {
      ExecScope scope = getExecScope(&agent.getThenRegion());
      next = std::max(next, scope.firstWarp + scope.warps);
    }
  llvm::erase_if(agents, hasWarpId);
  if (agents.empty())
    return markAllAnalysesPreserved();
  for (scf::IfOp &agent : agents)
    agent = completeGroup(agent);
  // Agents with tiles start at warp 0: a thread's index in the agent equals its
  // index in the CTA. Larger agents come first, so that no agent leaves a gap.
  auto isBefore = [](scf::IfOp a, scf::IfOp b) {
    if (holdsTiles(a) != holdsTiles(b))
      return holdsTiles(a);
    if (getWarps(a) != getWarps(b))
      return getWarps(a) > getWarps(b);
    return a->getBlock() == b->getBlock() && a->isBeforeInBlock(b);
  };
  llvm::sort(agents, isBefore);
  for (scf::IfOp agent : agents) {
    unsigned warps = getWarps(agent);
    next = llvm::alignTo(next, warps);
    setWarpId(agent, next);
    TILEIR_LOG() << agent.getLoc() << ": warps " << next << " to "
                 << next + warps - 1;
    next += warps;
  }
  numMapped += agents.size();
}

} // namespace tileir
