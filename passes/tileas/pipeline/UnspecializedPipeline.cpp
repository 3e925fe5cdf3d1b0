// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/pipeline/EarlyLoads.h"
#include "passes/tileas/pipeline/IssuedLoops.h"
#include "passes/tileas/pipeline/LoopSteps.h"
#include "passes/tileas/pipeline/PipelineIterators.h"

#include "mlir/Pass/Pass.h"

#include <deque>

#define DEBUG_TYPE "unspecialized-pipeline"

namespace tileir {

#define GEN_PASS_DECL_UNSPECIALIZEDPIPELINE
#define GEN_PASS_DEF_UNSPECIALIZEDPIPELINE
#include "passes/tileas/pipeline/UnspecializedPipeline.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct UnspecializedPipeline final
    : impl::UnspecializedPipelineBase<UnspecializedPipeline> {
  using UnspecializedPipelineBase::UnspecializedPipelineBase;

  void runOnOperation() override;

private:
  void pipeline(scf::ForOp loop);
};

} // namespace

/// Returns whether MMAs fill `pipeline`; they do not run ahead.
static bool isOfDots(Value pipeline) {
  return getCreate(pipeline).getProducer() == as::PipelineProducer::Umma;
}

static bool isProducerStep(Operation *op) {
  if (auto acquire = dyn_cast<as::PipelineAcquireOp>(op))
    return !isOfDots(acquire.getPipeline());
  if (auto commit = dyn_cast<as::PipelineCommitOp>(op))
    return !isOfDots(commit.getPipeline());
  return isa<as::AsyncCopyOp, as::AsyncTmaLoadOp>(op);
}

static void setCondition(Operation *op, Value condition) {
  if (auto acquire = dyn_cast<as::PipelineAcquireOp>(op))
    acquire.getConditionMutable().assign(condition);
  else if (auto copy = dyn_cast<as::AsyncCopyOp>(op))
    copy.getConditionMutable().assign(condition);
  else if (auto load = dyn_cast<as::AsyncTmaLoadOp>(op))
    load.getConditionMutable().assign(condition);
  else if (auto commit = dyn_cast<as::PipelineCommitOp>(op))
    commit.getConditionMutable().assign(condition);
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

namespace {

/// Moves the slice of the copies of one loop `ahead` iterations ahead, to after
/// the first wait of the body, or, if it `isLate`, after the last release.
class LoopExpander : LoopSteps {
public:
  LoopExpander(scf::ForOp loop, ProducerSlice slice, int64_t ahead, bool isLate)
      : LoopSteps(loop), slice(std::move(slice)), ahead(ahead), isLate(isLate) {
  }

  void run();

private:
  void cloneSlice(IRMapping &mapping, Value condition);
  void emitPrologue();
  void widenLoop();
  Operation *getPlace(Operation *step, Operation *first);
  void moveSlice();
  void replaceProducersAfter();

  ProducerSlice slice;
  int64_t ahead;
  bool isLate;
  /// The carried values of the slice, ahead.
  SmallVector<Value> carried;
  /// Operations that steps of the slice go before, where not all stand
  /// together.
  DenseMap<Operation *, Operation *> places;
};

} // namespace

/// Clones the slice and returns its yielded values in `carried`.
void LoopExpander::cloneSlice(IRMapping &mapping, Value condition) {
  for (auto [arg, value] : llvm::zip(slice.carried, carried))
    mapping.map(arg, value);
  for (Operation *op : slice.ops) {
    // Facts of the iterations of the loop need not hold beyond them.
    if (auto assume = dyn_cast<as::AssumeOp>(op)) {
      mapping.map(assume.getResult(),
                  mapping.lookupOrDefault(assume.getValue()));
      continue;
    }
    OpBuilder::InsertionGuard guard(builder);
    if (Operation *next = places.lookup(op))
      builder.setInsertionPoint(next);
    Operation *clone = builder.clone(*op, mapping);
    if (isProducerStep(op))
      setCondition(clone, condition);
  }
  for (auto [arg, value] : llvm::zip(slice.carried, carried))
    value = mapping.lookupOrDefault(loop.getTiedLoopYieldedValue(arg)->get());
}

void LoopExpander::emitPrologue() {
  for (BlockArgument arg : slice.carried)
    carried.push_back(loop.getTiedLoopInit(arg)->get());
  for (int64_t s = 0; s < ahead; ++s) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), advance(loop.getLowerBound(), s));
    cloneSlice(mapping, isLonger(loop.getLowerBound(), s));
  }
}

/// Adds the carried values of the slice to the arguments of the loop.
void LoopExpander::widenLoop() {
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  SmallVector<unsigned> numbers;
  for (BlockArgument arg : slice.carried)
    numbers.push_back(arg.getArgNumber());
  auto yieldArgs = [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
    return SmallVector<Value>(args.begin(), args.end());
  };
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, carried, /*replaceInitOperandUsesInLoop=*/false, yieldArgs));
  slice.carried.clear();
  for (unsigned number : numbers)
    slice.carried.insert(loop.getBody()->getArgument(number));
  carried.assign(loop.getRegionIterArgs().take_back(numbers.size()).begin(),
                 loop.getRegionIterArgs().take_back(numbers.size()).end());
}

/// The operation before which the early operation `step` goes: the scheduled
/// place within the legal range, else after `first`.
Operation *LoopExpander::getPlace(Operation *step, Operation *first) {
  Operation *at = first;
  auto order = step->getAttrOfType<IntegerAttr>(kOrderAttr);
  for (Operation *op = first->getNextNode(); order && !isLate && op;
       op = op->getNextNode()) {
    if (isReleaseOfCopies(op))
      break;
    auto other = op->getAttrOfType<IntegerAttr>(kOrderAttr);
    if (other && !isProducerStep(op) && other.getInt() < order.getInt())
      at = op;
  }
  return at->getNextNode();
}

/// Puts the copies that run ahead where they belong, in place of the ones that
/// do not.
void LoopExpander::moveSlice() {
  Operation *before = nullptr;
  for (Operation &op : *loop.getBody())
    if (isLate ? isReleaseOfCopies(&op)
               : !before && isa<as::PipelineWaitOp>(op))
      before = &op;
  for (Operation *op : slice.ops)
    if (isProducerStep(op))
      places[op] = getPlace(op, before);
  builder.setInsertionPointAfter(before);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), advance(loop.getInductionVar(), ahead));
  cloneSlice(mapping, isLonger(loop.getInductionVar(), ahead));
  places.clear();
  Operation *yield = loop.getBody()->getTerminator();
  unsigned first = yield->getNumOperands() - carried.size();
  for (auto [i, value] : llvm::enumerate(carried))
    yield->setOperand(first + i, value);
  // The steps of this iteration are done; an iterator that only they moved
  // stands still.
  for (BlockArgument arg : slice.carried)
    if (isa<as::PipelineIteratorType>(arg.getType()))
      loop.getTiedLoopYieldedValue(arg)->set(arg);
  for (Operation *op : llvm::reverse(slice.ops))
    if (isProducerStep(op) || op->use_empty())
      op->erase();
}

/// After the loop the producer continues at the position of the consumer:
/// copies ahead of the last iteration did not happen.
void LoopExpander::replaceProducersAfter() {
  builder.setInsertionPointAfter(loop);
  for (BlockArgument arg : slice.carried) {
    if (!isa<as::PipelineIteratorType>(arg.getType()))
      continue;
    Value result = loop.getTiedLoopResult(loop.getTiedLoopInit(arg));
    if (result.use_empty())
      continue;
    Value pipeline, consumer;
    loop.getBody()->walk([&](as::PipelineAcquireOp op) {
      for (auto [ahead, of] :
           llvm::zip(loop.getRegionIterArgs().take_back(slice.carried.size()),
                     slice.carried))
        if (of == arg && op.getIterator() == ahead)
          pipeline = op.getPipeline();
    });
    loop.getBody()->walk([&](as::PipelineWaitOp op) {
      auto position = dyn_cast<BlockArgument>(op.getIterator());
      if (op.getPipeline() == pipeline && position &&
          position.getOwner() == loop.getBody())
        consumer = loop.getTiedLoopResult(loop.getTiedLoopInit(position));
    });
    assert(pipeline && consumer && "checked before");
    Value next =
        as::PipelineIteratorOp::create(builder, loc, result.getType(), pipeline,
                                       as::PipelineSide::Producer, consumer);
    result.replaceAllUsesWith(next);
  }
}

//===----------------------------------------------------------------------===//
// Groups in flight
//===----------------------------------------------------------------------===//

/// Sets `pending` of the waits of `loop`: the number of groups after the
/// awaited one when the copies run `ahead` iterations ahead, `committed` in
/// this order before the loop. Counted by walking through iterations;
/// conditions do not matter, because groups are committed without them.
static void setPending(scf::ForOp loop, int64_t ahead,
                       ArrayRef<Value> committed) {
  SmallVector<Operation *> events;
  auto isOfGroups = [](Value pipeline) {
    return getCreate(pipeline).getSync() == as::PipelineSync::Group;
  };
  for (Operation &op : *loop.getBody()) {
    auto commit = dyn_cast<as::PipelineCommitOp>(op);
    auto wait = dyn_cast<as::PipelineWaitOp>(op);
    if ((commit && isOfGroups(commit.getPipeline())) ||
        (wait && isOfGroups(wait.getPipeline())))
      events.push_back(&op);
  }
  int64_t groups = 0;
  DenseMap<Value, std::deque<int64_t>> open;
  for (int64_t s = 0; s < ahead; ++s)
    for (Value pipeline : committed)
      if (isOfGroups(pipeline))
        open[pipeline].push_back(groups++);
  DenseMap<Operation *, int64_t> pending;
  for (int64_t iteration = 0; iteration < ahead + 2; ++iteration)
    for (Operation *op : events) {
      if (auto commit = dyn_cast<as::PipelineCommitOp>(op)) {
        open[commit.getPipeline()].push_back(groups++);
        continue;
      }
      auto wait = cast<as::PipelineWaitOp>(op);
      std::deque<int64_t> &queue = open[wait.getPipeline()];
      int64_t younger = groups - 1 - queue.front();
      queue.pop_front();
      auto [it, isNew] = pending.try_emplace(op, younger);
      it->second = std::min(it->second, younger);
    }
  for (auto [op, younger] : pending)
    cast<as::PipelineWaitOp>(op).setPending(younger);
}

void LoopExpander::run() {
  SmallVector<Value> committed;
  for (Operation *op : slice.ops)
    if (auto commit = dyn_cast<as::PipelineCommitOp>(op))
      committed.push_back(commit.getPipeline());
  emitPrologue();
  widenLoop();
  moveSlice();
  replaceProducersAfter();
  setPending(loop, ahead, committed);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void reportInvariant(scf::ForOp loop, const llvm::Twine &reason) {
  TILEIR_LOG() << loop.getLoc() << ": not pipelined: " << reason;
  remark::missed(loop.getLoc(),
                 remarkAbout(loop, "UnspecializedPipeline", "tileas"))
      << StringRef("Failed to pipeline loop")
      << remark::metric("Reason", StringRef(reason.str()));
}

/// Iterations of a loop with constant bounds.
static std::optional<int64_t> getTripCount(scf::ForOp loop) {
  std::optional<APInt> tripCount = loop.getStaticTripCount();
  if (!tripCount)
    return std::nullopt;
  return tripCount->getLimitedValue(INT64_MAX);
}

/// The pipelines that `loop` fills and reads in its own body; null with a
/// reason when it is not ready to run ahead.
static const char *collect(scf::ForOp loop, SmallVectorImpl<Operation *> &roots,
                           llvm::SmallSetVector<Value, 2> &pipelines) {
  llvm::SmallSetVector<Value, 2> waited;
  for (Operation &op : *loop.getBody()) {
    if (isProducerStep(&op))
      roots.push_back(&op);
    auto acquire = dyn_cast<as::PipelineAcquireOp>(op);
    if (acquire && isProducerStep(acquire)) {
      if (acquire.getCondition())
        return "its copies run ahead already";
      pipelines.insert(acquire.getPipeline());
      auto it = dyn_cast<BlockArgument>(acquire.getIterator());
      if (!it || it.getOwner() != loop.getBody())
        return "an iterator is not carried by the loop";
    }
    auto wait = dyn_cast<as::PipelineWaitOp>(op);
    if (wait && !isOfDots(wait.getPipeline())) {
      auto it = dyn_cast<BlockArgument>(wait.getIterator());
      if (!it || it.getOwner() != loop.getBody())
        return "an iterator is not carried by the loop";
      waited.insert(wait.getPipeline());
    }
  }
  for (Value pipeline : pipelines)
    if (!waited.contains(pipeline))
      return "it fills a pipeline that it does not read";
  return nullptr;
}

/// Synchronizes all threads before `loop`, so that no earlier operation
/// requires a barrier in it: their accesses to bytes of slots are complete, and
/// visible to copies.
static void settleBefore(scf::ForOp loop) {
  OpBuilder builder(loop);
  as::FenceOp::create(builder, loop.getLoc(), as::FenceKind::ProxyAsyncShared,
                      aa::MemScopeAttr());
  as::BarrierOp::create(builder, loop.getLoc(), as::BarrierScope::Agent,
                        IntegerAttr());
}

void UnspecializedPipeline::pipeline(scf::ForOp loop) {
  SmallVector<Operation *> roots;
  llvm::SmallSetVector<Value, 2> pipelines;
  const char *problem = collect(loop, roots, pipelines);
  if (pipelines.empty()) {
    TILEIR_LOG() << loop.getLoc() << ": fills no pipeline";
    return;
  }
  if (problem)
    return reportInvariant(loop, problem);
  std::string reason;
  std::optional<ProducerSlice> slice = getProducerSlice(loop, roots, reason);
  if (!slice)
    return reportInvariant(loop, reason);
  RunAheadPlace place = getRunAheadPlace(loop);
  int64_t busy = place.isLate ? 0 : place.busy;
  int64_t depth = numStages + busy;
  for (Value pipeline : pipelines)
    depth =
        std::min(depth, cast<as::PipelineType>(pipeline.getType()).getDepth());
  std::optional<int64_t> tripCount = getTripCount(loop);
  if (tripCount && *tripCount < depth - busy)
    return reportInvariant(loop, "it runs fewer times than there are stages");
  TILEIR_LOG() << loop.getLoc() << ": " << depth << " stages in "
               << pipelines.size() << " pipelines, " << busy
               << " of them read by dots in flight";
  if (depth < 2)
    return;
  if (depth < 2 + busy)
    return reportInvariant(loop, "no slot is free while dots read the others");
  for (Value pipeline : pipelines)
    setDepth(getCreate(pipeline), depth);
  bool byItself = isIssued(loop, pipelines.getArrayRef());
  remark::passed(loop.getLoc(),
                 remarkAbout(loop, "UnspecializedPipeline", "tileas"))
      << StringRef("copies run ahead of their use")
      << remark::metric("Stages", depth)
      << remark::metric("Pipelines", int64_t(pipelines.size()));
  ++numLoops;
  if (byItself)
    settleBefore(loop);
  else
    LoopExpander(loop, std::move(*slice), depth - 1 - busy, place.isLate).run();
}

/// Erases the schedule attributes of the operations of `func`; returns whether
/// there were some.
static bool eraseSchedule(Operation *func) {
  bool found = false;
  func->walk([&](Operation *op) {
    for (StringRef name : {kStageAttr, kOrderAttr, kCycleAttr})
      found |= bool(op->removeAttr(name));
  });
  return found;
}

void UnspecializedPipeline::runOnOperation() {
  SmallVector<scf::ForOp> loops;
  if (numStages > 1)
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  uint64_t before = numLoops + numEarlyLoads;
  for (scf::ForOp loop : loops) {
    numEarlyLoads += buildEarlyLoads(loop);
    pipeline(loop);
  }
  if (!eraseSchedule(getOperation()) && numLoops + numEarlyLoads == before)
    markAllAnalysesPreserved();
}

} // namespace tileir
