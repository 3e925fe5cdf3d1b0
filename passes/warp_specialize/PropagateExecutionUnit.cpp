// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_PROPAGATEEXECUTIONUNIT
#include "passes/warp_specialize/PropagateExecutionUnit.h.inc"

namespace {

using namespace mlir;

struct PropagateExecutionUnit final
    : impl::PropagateExecutionUnitBase<PropagateExecutionUnit> {
  using PropagateExecutionUnitBase::PropagateExecutionUnitBase;

  void runOnOperation() override;
};

} // namespace

/// Sets the condition of the agent to true in its warps alone. `warp` is the
/// index of the executing warp.
static void setCondition(scf::IfOp agent, Value warp) {
  auto poison = agent.getCondition().getDefiningOp<ub::PoisonOp>();
  if (!poison)
    return;
  ExecScope scope = getExecScope(&agent.getThenRegion());
  OpBuilder builder(agent);
  agent.getConditionMutable().assign(
      isInAgent(builder, agent.getLoc(), warp, scope.firstWarp, scope.warps));
  if (isOpTriviallyDead(poison))
    poison->erase();
}

/// Emits `setmaxnreg` at the start of the agent: its warps increase or decrease
/// their registers from the `start` registers of the kernel.
static void setRegisters(scf::IfOp agent, int64_t start) {
  std::optional<int64_t> count = getAgentRegisters(agent);
  if (!count)
    return;
  setAgentRegisters(agent, std::nullopt);
  auto builder = OpBuilder::atBlockBegin(agent.thenBlock());
  NVVM::SetMaxRegisterOp::create(builder, agent.getLoc(), uint32_t(*count),
                                 *count < start
                                     ? NVVM::SetMaxRegisterAction::decrease
                                     : NVVM::SetMaxRegisterAction::increase);
}

void PropagateExecutionUnit::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  SmallVector<scf::IfOp> agents = getAgents(func);
  llvm::erase_if(agents, [](scf::IfOp agent) {
    return !hasWarpId(agent) ||
           !agent.getCondition().getDefiningOp<ub::PoisonOp>();
  });
  if (agents.empty())
    return markAllAnalysesPreserved();
  int64_t start = RegisterBudget({}, getLaunchedWarps(func)).getLimit();
  Value warp;
  for (scf::IfOp outer : agents) {
    OpBuilder builder(outer);
    if (!warp || warp.getParentBlock() != outer->getBlock())
      warp = gpu::SubgroupIdOp::create(builder, func.getLoc(),
                                       builder.getIndexType(),
                                       /*upper_bound=*/IntegerAttr());
    outer->walk<WalkOrder::PreOrder>([&](scf::IfOp agent) {
      if (!isAgent(agent))
        return;
      setCondition(agent, warp);
      setRegisters(agent, start);
    });
  }
  numAgents += agents.size();
}

} // namespace tileir
