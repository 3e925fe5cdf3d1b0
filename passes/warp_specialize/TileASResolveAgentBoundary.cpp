// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

#define GEN_PASS_DEF_TILEASRESOLVEAGENTBOUNDARY
#include "passes/warp_specialize/TileASResolveAgentBoundary.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASResolveAgentBoundary final
    : impl::TileASResolveAgentBoundaryBase<TileASResolveAgentBoundary> {
  using TileASResolveAgentBoundaryBase::TileASResolveAgentBoundaryBase;

  void runOnOperation() override;
};

} // namespace

/// Reports tiles that an agent uses from outside: their registers belong to
/// threads of another scope.
static LogicalResult checkTiles(scf::IfOp agent) {
  Region &region = agent.getThenRegion();
  WalkResult result = region.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (as::isTile(operand.getType()) &&
          !region.isAncestor(operand.getParentRegion())) {
        op->emitOpError("uses a tile of another agent; pass it on in shared "
                        "memory, through a pipeline");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Returns the outermost agent around `op`; null if there is none.
static Operation *getAgent(Operation *op) {
  Operation *agent = nullptr;
  for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
    if (isAgent(at))
      agent = at;
  return agent;
}

/// Releases slots that one agent fills and another reads through mbarriers: the
/// two agents share no hardware barrier.
static void releaseSlots(as::PipelineCreateOp pipeline) {
  if (pipeline.getEmpty() != as::PipelineEmpty::Barrier)
    return;
  llvm::SmallPtrSet<Operation *, 2> agents;
  for (Operation *user : pipeline->getUsers())
    if (isa<as::PipelineAcquireOp, as::PipelineReleaseOp>(user))
      agents.insert(getAgent(user));
  if (agents.size() > 1)
    pipeline.setEmpty(as::PipelineEmpty::Mbarrier);
}

/// Appends the values from which `iterator` continues.
static void addSources(Value iterator, SmallVectorImpl<Value> &sources) {
  if (auto arg = dyn_cast<BlockArgument>(iterator)) {
    if (auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp()))
      sources.append({loop.getTiedLoopInit(arg)->get(),
                      loop.getTiedLoopYieldedValue(arg)->get()});
    return;
  }
  auto result = cast<OpResult>(iterator);
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(result.getOwner()))
    sources.push_back(loop.getRegionIterArg(number));
  else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner()))
    sources.append({branch.thenYield().getOperand(number),
                    branch.elseYield().getOperand(number)});
  else
    llvm::copy_if(result.getOwner()->getOperands(), std::back_inserter(sources),
                  [](Value operand) {
                    return isa<as::PipelineIteratorType>(operand.getType());
                  });
}

/// Stops the iterators of loops in `region` whose slots the agent does not
/// access.
static void stopIterators(Region &region) {
  llvm::SmallSetVector<Value, 16> used;
  region.walk([&](Operation *op) {
    if (isa<as::PipelineAcquireOp, as::PipelineCommitOp, as::PipelineWaitOp,
            as::PipelineReleaseOp>(op))
      for (Value operand : op->getOperands())
        if (isa<as::PipelineIteratorType>(operand.getType()))
          used.insert(operand);
  });
  for (size_t i = 0; i < used.size(); ++i) {
    SmallVector<Value> sources;
    addSources(used[i], sources);
    used.insert(sources.begin(), sources.end());
  }
  region.walk([&](scf::ForOp loop) {
    for (BlockArgument arg : loop.getRegionIterArgs()) {
      if (!isa<as::PipelineIteratorType>(arg.getType()) || used.contains(arg))
        continue;
      loop.getTiedLoopYieldedValue(arg)->set(arg);
      loop.getTiedLoopResult(arg).replaceAllUsesWith(
          loop.getTiedLoopInit(arg)->get());
    }
  });
}

/// Erases the operations that only another agent needed.
static void eraseUnused(Region &region) {
  SmallVector<Operation *> ops;
  region.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// Sinks numbers that are computed before the loops of `block` and used only
/// after them to their first use. Across the loops they occupy no register.
static void sinkNumbers(Block *block) {
  SmallVector<Operation *> front;
  Operation *loop = nullptr;
  for (Operation &op : llvm::reverse(*block)) {
    if (loop)
      front.push_back(&op);
    else if (isa<scf::ForOp>(op))
      loop = &op;
  }
  for (Operation *op : front) {
    if (op->getNumRegions() || op->use_empty() || !isPure(op) ||
        llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
      continue;
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      Operation *at = block->findAncestorOpInBlock(*user);
      if (!first || at->isBeforeInBlock(first))
        first = at;
    }
    if (loop->isBeforeInBlock(first))
      op->moveBefore(first);
  }
}

void TileASResolveAgentBoundary::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  SmallVector<scf::IfOp> agents = getAgents(func);
  if (agents.empty())
    return markAllAnalysesPreserved();
  for (scf::IfOp agent : agents)
    if (failed(checkTiles(agent)))
      return signalPassFailure();
  numAgents += agents.size();
  for (scf::IfOp agent : agents) {
    Region &region = agent.getThenRegion();
    stopIterators(region);
    eraseUnused(region);
    sinkNumbers(&region.front());
    region.walk([](as::BarrierOp barrier) {
      if (barrier.getScope() == as::BarrierScope::CTA)
        barrier.setScope(as::BarrierScope::Agent);
    });
  }
  func->walk(releaseSlots);
}

} // namespace tileir
