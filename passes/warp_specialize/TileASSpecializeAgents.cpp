// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ClusterAttrs.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/Occupancy.h"
#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/analysis/budgets/SharedMemoryBudget.h"
#include "passes/warp_specialize/ProducerProgram.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/ClusterOps.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/nv_tileas/Scratch.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-specialize-agents"

namespace tileir {

#define GEN_PASS_DECL_TILEASSPECIALIZEAGENTS
#define GEN_PASS_DEF_TILEASSPECIALIZEAGENTS
#include "passes/warp_specialize/TileASSpecializeAgents.h.inc"

namespace {

using namespace mlir;
namespace as = mlir::nv_tileas;

struct TileASSpecializeAgents final
    : impl::TileASSpecializeAgentsBase<TileASSpecializeAgents> {
  using TileASSpecializeAgentsBase::TileASSpecializeAgentsBase;

  void runOnOperation() override;
};

/// Splits one kernel into agents.
class Specializer {
public:
  Specializer(nv_tileaa::FuncOp func, bool sharesRegisters)
      : func(func), sharesRegisters(sharesRegisters), copies(func) {}

  /// Returns why the kernel stays a single instruction stream; empty if it is
  /// split.
  std::string findObstacle();
  void run();
  bool hasPipelines() const { return !pipelines.empty(); }
  size_t getNumPipelines() const { return pipelines.size(); }

private:
  std::string checkPipeline(as::PipelineCreateOp pipeline);
  bool isAfterPipelines(Operation *op);
  SharedMemoryBudget getSharedBudget(const Target &target,
                                     bool isCopiedFromStart);
  std::string findRegisters(const Target &target, int64_t sharedBytes);
  void eraseSteps();

  nv_tileaa::FuncOp func;
  /// True if agents may take registers from each other.
  bool sharesRegisters;
  ProducerProgram copies;
  SmallVector<as::PipelineCreateOp> pipelines;
  /// Operations that fill slots, in program order.
  SmallVector<Operation *> steps;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns whether `op` is one of the steps that fill a slot.
static bool isStep(Operation *op) {
  return isa<as::PipelineAcquireOp, as::PipelineCommitOp, as::AsyncTmaLoadOp>(
      op);
}

std::string Specializer::checkPipeline(as::PipelineCreateOp pipeline) {
  if (pipeline->getBlock() != &func.getBody().front())
    return "a pipeline is created in a loop or a branch";
  if (pipeline.getProducer() == as::PipelineProducer::Umma)
    return "tcgen05.mma has warps of its own";
  if (pipeline.getProducer() != as::PipelineProducer::Tma ||
      pipeline.getSync() != as::PipelineSync::Mbarrier)
    return "threads copy into a pipeline";
  if (pipeline.getEmpty() != as::PipelineEmpty::Barrier)
    return "the copies have a warp of their own";
  for (Operation *user : pipeline->getUsers()) {
    auto release = dyn_cast<as::PipelineReleaseOp>(user);
    // A producer that runs ahead by all slots but one has waited for these
    // MMAs.
    if (release && (release.getPending() > 1 || release.getCondition()))
      return "dots of several iterations read a slot at once";
  }
  return "";
}

/// Returns whether all pipelines have ended where `op` runs: it follows all
/// their deallocations in the entry block.
bool Specializer::isAfterPipelines(Operation *op) {
  Block *body = &func.getBody().front();
  Operation *at = body->findAncestorOpInBlock(*op);
  return llvm::all_of(pipelines, [&](as::PipelineCreateOp pipeline) {
    return llvm::all_of(pipeline.getBuffers(), [&](Value buffer) {
      return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
        return isa<as::DeallocOp>(user) && user->getBlock() == body &&
               user->isBeforeInBlock(at);
      });
    });
  });
}

/// Returns the shared memory budget beside the pipelines. With a warp that
/// copies from the start on, all buffers count that are live before the
/// pipelines end; otherwise those that the reading loops use.
SharedMemoryBudget Specializer::getSharedBudget(const Target &target,
                                                bool isCopiedFromStart) {
  SharedMemoryBudget budget(func, target, [&](Operation *op) {
    return isa<as::AllocTensorOp>(op) && !isAfterPipelines(op);
  });
  // Each slot has a full and an empty mbarrier.
  budget.claimMbarriers(/*perSlot=*/2);
  budget.claimScratch(
      [&](Operation *op) {
        return isCopiedFromStart ? !isAfterPipelines(op)
                                 : bool(op->getParentOfType<scf::ForOp>());
      },
      /*align=*/128);
  return budget;
}

/// Divides the registers of a CTA that uses `sharedBytes`. Returns why they do
/// not suffice.
std::string Specializer::findRegisters(const Target &target,
                                       int64_t sharedBytes) {
  unsigned warps = getNumWarps(func);
  int64_t needed = getNeededRegisters(func);
  AgentRegisters registers =
      shareRegisters(target, warps, needed, sharesRegisters);
  // An occupancy hint reserves the other registers for further CTAs.
  unsigned launched = warps + registers.copyingWarps;
  std::optional<int64_t> hint = RegisterBudget(func, launched).getHint();
  if (hint &&
      *hint < (registers.computing ? RegisterBudget({}, launched).getLimit()
                                   : needed + heuristics::spareAgentRegisters))
    return "a hint leaves too few registers for another warp";
  auto getCtas = [&](unsigned warps, int64_t bytes) {
    return getResidentCtas(target, int64_t(warps) * limits::threadsPerWarp,
                           needed, bytes);
  };
  int64_t ctas = getCtas(
      warps, getSharedBudget(target, /*isCopiedFromStart=*/false).getClaimed());
  TILEIR_LOG() << func.getName() << ": " << needed << " registers needed, "
               << registers.most << " left, " << ctas << " CTAs on an SM";
  if (needed > registers.most)
    return "another warp would leave too few registers";
  if (!registers.computing && getCtas(warps + 1, sharedBytes) < ctas)
    return "another warp would leave room for fewer CTAs on an SM";
  return "";
}

std::string Specializer::findObstacle() {
  bool hasAgents = false, isForOneStream = false, isForAllThreads = false,
       waitsForCTAs = false;
  func->walk([&](Operation *op) {
    hasAgents |= isAgent(op);
    isForOneStream |= op->hasAttr(kUnspecializedAttr);
    isForAllThreads |= isa<as::ClusterGatherOp>(op);
    waitsForCTAs |= op->hasAttr(kClusterWaitAttr);
    if (auto pipeline = dyn_cast<as::PipelineCreateOp>(op))
      pipelines.push_back(pipeline);
    if (isStep(op))
      steps.push_back(op);
  });
  // A pipeline of one slot is filled only once.
  if (llvm::none_of(pipelines, [](as::PipelineCreateOp pipeline) {
        return pipeline.getType().getDepth() > 1;
      }))
    return "no loop reads tiles that tensor copies load";
  if (hasAgents || !llvm::hasSingleElement(func.getBody()))
    return "the kernel has agents already";
  if (waitsForCTAs)
    return "the threads of a cluster wait for each other";
  if (isForOneStream)
    return "the schedule of a loop is for one stream of instructions";
  if (isForAllThreads)
    return "all threads of a cluster exchange tiles";
  constexpr unsigned kMaxWarps =
      limits::threadsPerBlock / limits::threadsPerWarp;
  if (getNumWarps(func) + 1 > kMaxWarps)
    return "a CTA has no room for another warp";
  for (as::PipelineCreateOp pipeline : pipelines)
    if (std::string reason = checkPipeline(pipeline); !reason.empty())
      return reason;
  for (Operation *step : steps) {
    // A reader of a slot has waited for its copy, so operations ordered after
    // the copy by its token have waited, too.
    auto load = dyn_cast<as::AsyncTmaLoadOp>(step);
    if (load && !load.getToken() && !load.getResultToken().use_empty())
      return "something waits for the token of a copy";
    if (isa<as::PipelineAcquireOp>(step) &&
        !llvm::all_of(step->getUsers(), isStep))
      return "threads fill a slot beside the copies";
  }
  std::optional<Target> target = getTarget(func);
  if (!target)
    return "the kernel names no target";
  SharedMemoryBudget shared =
      getSharedBudget(*target, /*isCopiedFromStart=*/true);
  if (shared.getLeft() < 0)
    return "its pipelines leave too little shared memory for other buffers";
  if (std::string reason = findRegisters(*target, shared.getClaimed());
      !reason.empty())
    return reason;
  return copies.collect(steps);
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Creates an agent of `warps` warps, mapped later.
static scf::IfOp createAgent(OpBuilder &builder, Location loc, unsigned warps) {
  Value condition = ub::PoisonOp::create(builder, loc, builder.getI1Type());
  auto agent = scf::IfOp::create(builder, loc, condition,
                                 /*withElseRegion=*/false);
  setAgent(agent, std::nullopt, warps);
  return agent;
}

/// Returns whether threads alternate the slots of a buffer that is not a copy
/// pipeline, in the body of a loop.
static bool hasOwnSlots(Block *body) {
  return llvm::any_of(body->getOps<as::ViewOp>(),
                      [](as::ViewOp view) { return view.getRing(); });
}

/// Inserts a barrier where the warps of `body` synchronized before the copies:
/// that barrier also protected the slots that they alternate themselves.
static void keepSynchronized(Block *body) {
  auto acquires = body->getOps<as::PipelineAcquireOp>();
  if (acquires.empty() || !hasOwnSlots(body))
    return;
  OpBuilder builder(*acquires.begin());
  as::BarrierOp::create(builder, (*acquires.begin()).getLoc(),
                        as::BarrierScope::Agent, IntegerAttr());
}

/// Erases the steps of the other agent.
void Specializer::eraseSteps() {
  llvm::SmallSetVector<Block *, 4> bodies;
  for (Operation *step : steps)
    if (isa<scf::ForOp>(step->getParentOp()))
      bodies.insert(step->getBlock());
  llvm::for_each(bodies, keepSynchronized);
  for (Operation *step : llvm::reverse(steps)) {
    if (auto load = dyn_cast<as::AsyncTmaLoadOp>(step))
      load.getResultToken().replaceAllUsesWith(load.getToken());
    step->erase();
  }
}

void Specializer::run() {
  Block &body = func.getBody().front();
  SmallVector<Operation *> rest;
  for (Operation &op : body.without_terminator())
    if (!copies.isShared(&op))
      rest.push_back(&op);
  OpBuilder builder(body.getTerminator());
  scf::IfOp producer = createAgent(builder, func.getLoc(), /*warps=*/1);
  scf::IfOp consumer = createAgent(builder, func.getLoc(), getNumWarps(func));
  builder.setInsertionPointToStart(producer.thenBlock());
  copies.clone(builder);
  for (Operation *op : rest)
    op->moveBefore(consumer.thenBlock()->getTerminator());
  eraseSteps();
}

void TileASSpecializeAgents::runOnOperation() {
  nv_tileaa::FuncOp func = getOperation();
  if (func.isExternal() || !func.getKernel())
    return markAllAnalysesPreserved();
  Specializer specializer(func, shareRegisters);
  std::string reason = specializer.findObstacle();
  auto options = remarkAbout(func, "SpecializeAgents", "tileas");
  TILEIR_LOG() << func.getName() << ": "
               << (reason.empty() ? "copies have a warp of their own" : reason);
  if (!reason.empty()) {
    if (specializer.hasPipelines())
      remark::missed(func.getLoc(), options)
          << StringRef("Failed to give copies a warp of their own")
          << remark::metric("Reason", StringRef(reason));
    return markAllAnalysesPreserved();
  }
  // Agents may execute operations concurrently that a single stream executes in
  // order.
  if (failed(verifyPipelines(func)))
    return signalPassFailure();
  remark::passed(func.getLoc(), options)
      << StringRef("copies have a warp of their own")
      << remark::metric("Warps", int64_t(getNumWarps(func)))
      << remark::metric("Rings", int64_t(specializer.getNumPipelines()));
  specializer.run();
  ++numKernels;
}

} // namespace tileir
