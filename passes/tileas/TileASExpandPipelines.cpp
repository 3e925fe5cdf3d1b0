// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DEF_TILEASEXPANDPIPELINES
#include "passes/tileas/TileASExpandPipelines.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASExpandPipelines final
    : impl::TileASExpandPipelinesBase<TileASExpandPipelines> {
  using TileASExpandPipelinesBase::TileASExpandPipelinesBase;

  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// The empty side
//===----------------------------------------------------------------------===//

/// Whether all threads of the scope meet at `op`.
static bool hasBarrier(Operation *op) {
  if (auto barrier = dyn_cast<as::BarrierOp>(op))
    return barrier.getScope() != as::BarrierScope::Cluster;
  // Stands for the wait and the barrier that it becomes.
  auto wait = dyn_cast<as::PipelineWaitOp>(op);
  return wait &&
         wait.getPipeline().getDefiningOp<as::PipelineCreateOp>().getSync() ==
             as::PipelineSync::Group;
}

static bool releases(Operation *op, Value pipeline) {
  return op
      ->walk([&](as::PipelineReleaseOp release) {
        return release.getPipeline() == pipeline ? WalkResult::interrupt()
                                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether some way back from before `op`, null for the end of `block`, meets a
/// release of `pipeline` before a barrier. What else had the bytes before is
/// the business of `tileas-insert-barriers`.
static bool meetsRelease(Block *block, Operation *op, Value pipeline,
                         llvm::SmallPtrSetImpl<Block *> &seen) {
  Operation *at = op ? op->getPrevNode() : &block->back();
  for (; at; at = at->getPrevNode()) {
    if (hasBarrier(at))
      return false;
    if (releases(at, pipeline))
      return true;
  }
  Operation *parent = block->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return false;
  if (isa<LoopLikeOpInterface>(parent) && seen.insert(block).second &&
      meetsRelease(block, nullptr, pipeline, seen))
    return true;
  return meetsRelease(parent->getBlock(), parent, pipeline, seen);
}

static void insertEmptyBarriers(aa::FuncOp func) {
  SmallVector<as::PipelineAcquireOp> acquires;
  func->walk([&](as::PipelineAcquireOp op) { acquires.push_back(op); });
  for (as::PipelineAcquireOp op : acquires) {
    auto create = op.getPipeline().getDefiningOp<as::PipelineCreateOp>();
    llvm::SmallPtrSet<Block *, 4> seen;
    if (create.getEmpty() != as::PipelineEmpty::Barrier ||
        !meetsRelease(op->getBlock(), op, op.getPipeline(), seen))
      continue;
    OpBuilder builder(op);
    as::BarrierOp::create(builder, op.getLoc(), as::BarrierScope::Agent,
                          IntegerAttr());
  }
}

//===----------------------------------------------------------------------===//
// Iterators
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

/// The stage behind `stage` in a ring of `depth`.
static Value nextStage(OpBuilder &builder, Location loc, Value stage,
                       int64_t depth) {
  Value zero = constant(builder, loc, 0);
  if (depth == 1)
    return zero;
  Value next =
      arith::AddIOp::create(builder, loc, stage, constant(builder, loc, 1));
  Value isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      next, constant(builder, loc, depth));
  return arith::SelectOp::create(builder, loc, isEnd, zero, next);
}

/// Iterators become i32. Groups need no phase.
static void expandIterators(aa::FuncOp func) {
  SmallVector<Operation *> dead;
  auto replace = [&](Operation *op, Value stage) {
    op->getResult(0).replaceAllUsesWith(stage);
    dead.push_back(op);
  };
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    OpBuilder builder(op);
    if (auto start = dyn_cast<as::PipelineIteratorOp>(op)) {
      Value from = start.getFrom();
      replace(op, from ? from : constant(builder, op->getLoc(), 0));
    } else if (auto advance = dyn_cast<as::PipelineAdvanceOp>(op)) {
      replace(op, nextStage(builder, op->getLoc(), advance.getIterator(),
                            advance.getType().getDepth()));
    }
    for (Region &region : op->getRegions())
      for (BlockArgument arg : region.getArguments())
        if (isa<as::PipelineIteratorType>(arg.getType()))
          arg.setType(builder.getI32Type());
    for (Value result : op->getResults())
      if (op->getNumRegions() &&
          isa<as::PipelineIteratorType>(result.getType()))
        result.setType(builder.getI32Type());
  });
  for (Operation *op : dead)
    op->erase();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Replaces the slots of `op` by views of the stage.
template <typename OpTy> static void expandSlots(OpBuilder &builder, OpTy op) {
  auto create = op.getPipeline().template getDefiningOp<as::PipelineCreateOp>();
  for (auto [slot, buffer] : llvm::zip(op.getSlots(), create.getBuffers())) {
    Value view = as::ViewOp::create(builder, op.getLoc(), slot.getType(),
                                    buffer, op.getIterator(), /*ring=*/true);
    slot.replaceAllUsesWith(view);
  }
}

static void expandStep(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto acquire = dyn_cast<as::PipelineAcquireOp>(op)) {
    expandSlots(builder, acquire);
  } else if (isa<as::PipelineCommitOp>(op)) {
    // Without a condition: every iteration has its group, and `pending` counts
    // on it.
    as::AsyncCommitGroupOp::create(builder, loc);
  } else if (auto wait = dyn_cast<as::PipelineWaitOp>(op)) {
    as::AsyncWaitGroupOp::create(builder, loc, wait.getPending());
    // What threads copied becomes visible to the unit that multiplies.
    auto create = wait.getPipeline().getDefiningOp<as::PipelineCreateOp>();
    if (llvm::is_contained(create.getConsumers(),
                           as::PipelineConsumerAttr::get(
                               op->getContext(), as::PipelineConsumer::Wgmma)))
      as::FenceOp::create(builder, loc, as::FenceKind::ProxyAsyncShared,
                          nv_tileaa::MemScopeAttr());
    as::BarrierOp::create(builder, loc, as::BarrierScope::Agent, IntegerAttr());
    expandSlots(builder, wait);
  }
  op->erase();
}

void TileASExpandPipelines::runOnOperation() {
  aa::FuncOp func = getOperation();
  SmallVector<as::PipelineCreateOp> pipelines;
  func->walk([&](as::PipelineCreateOp op) { pipelines.push_back(op); });
  if (pipelines.empty())
    return markAllAnalysesPreserved();
  for (as::PipelineCreateOp op : pipelines)
    if (op.getSync() != as::PipelineSync::Group ||
        op.getEmpty() != as::PipelineEmpty::Barrier) {
      op.emitError("a pipeline that synchronises by 'mbarrier' is not "
                   "supported yet; use sync = group, empty = barrier");
      return signalPassFailure();
    }
  if (failed(verifyPipelines(func)))
    return signalPassFailure();
  insertEmptyBarriers(func);
  expandIterators(func);
  SmallVector<Operation *> steps;
  func->walk([&](Operation *op) {
    if (isa<as::PipelineAcquireOp, as::PipelineCommitOp, as::PipelineWaitOp,
            as::PipelineReleaseOp>(op))
      steps.push_back(op);
  });
  for (Operation *op : steps)
    expandStep(op);
  for (as::PipelineCreateOp op : pipelines)
    op.erase();
}

} // namespace tileir
