// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/PipelineIterators.h"

#include "mlir/IR/PatternMatch.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

scf::ForOp carryIterators(ArrayRef<scf::ForOp> loops, Value &producer,
                          Value &consumer) {
  scf::ForOp outer;
  for (scf::ForOp at : loops) {
    IRRewriter rewriter(at);
    // The loop yields the new arguments unchanged until the caller advances
    // them.
    auto yieldArgs = [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
      return SmallVector<Value>(args.begin(), args.end());
    };
    auto wide = cast<scf::ForOp>(*at.replaceWithAdditionalYields(
        rewriter, {producer, consumer}, /*replaceInitOperandUsesInLoop=*/false,
        yieldArgs));
    producer = wide.getRegionIterArgs().drop_back().back();
    consumer = wide.getRegionIterArgs().back();
    if (outer) {
      Operation *yield = outer.getBody()->getTerminator();
      unsigned last = yield->getNumOperands() - 1;
      yield->setOperand(last - 1, wide.getResults().drop_back().back());
      yield->setOperand(last, wide.getResults().back());
    }
    outer = wide;
  }
  return outer;
}

namespace {

/// Position of an iterator: so many slots after the position of `origin`; after
/// the first slot if that is null. In a loop the origin advances with the
/// iterations.
struct Place {
  Value origin;
  int64_t distance;
};

/// Follows iterators through a function.
class IteratorMerger {
public:
  void run(Block &block);

private:
  void enter(scf::ForOp loop);
  bool merge(scf::ForOp loop, BlockArgument arg, BlockArgument other);
  bool follow(scf::ForOp loop, BlockArgument arg, BlockArgument other);
  Place getPlace(Value iterator) {
    return places.try_emplace(iterator, Place{iterator, 0}).first->second;
  }

  DenseMap<Value, Place> places;
};

} // namespace

/// Returns whether `user` waits for an mbarrier with the phase of its iterator:
/// for a full slot, or for a slot that MMAs release.
static bool needsPhase(Operation *user) {
  if (auto wait = dyn_cast<as::PipelineWaitOp>(user))
    return getCreate(wait.getPipeline()).getSync() ==
           as::PipelineSync::Mbarrier;
  auto acquire = dyn_cast<as::PipelineAcquireOp>(user);
  return acquire && getCreate(acquire.getPipeline()).getEmpty() ==
                        as::PipelineEmpty::Mbarrier;
}

/// Returns whether `iterator` has the phase that a wait for an mbarrier needs.
static bool hasPhase(Value iterator) {
  return llvm::any_of(iterator.getUsers(), needsPhase);
}

/// Returns whether all users of `iterator` need its slot alone.
static bool isSlotEnough(Value iterator) {
  return llvm::all_of(iterator.getUsers(), [](Operation *user) {
    return !needsPhase(user) && isa<as::PipelineAcquireOp, as::PipelineCommitOp,
                                    as::PipelineAdvanceOp, scf::YieldOp>(user);
  });
}

static int64_t getDepth(Value iterator) {
  return cast<as::PipelineIteratorType>(iterator.getType()).getDepth();
}

/// Returns whether each iteration of `loop` goes on from `arg` by one slot.
static bool isCounting(scf::ForOp loop, BlockArgument arg) {
  auto step = loop.getTiedLoopYieldedValue(arg)
                  ->get()
                  .getDefiningOp<as::PipelineAdvanceOp>();
  return step && step->getBlock() == loop.getBody() &&
         step.getIterator() == arg;
}

/// Replaces `arg` by `other` where both stand at one slot in every iteration;
/// returns whether they do.
bool IteratorMerger::merge(scf::ForOp loop, BlockArgument arg,
                           BlockArgument other) {
  Place here = getPlace(arg), there = getPlace(other);
  int64_t ahead = there.distance - here.distance, depth = getDepth(arg);
  bool isPhaseNeeded = !isSlotEnough(arg);
  if (here.origin != there.origin || getDepth(other) != depth ||
      (isPhaseNeeded && !(hasPhase(arg) && hasPhase(other))))
    return false;
  if (isPhaseNeeded ? ahead != 0 : ahead % depth != 0)
    return false;
  loop.getTiedLoopResult(arg).replaceAllUsesWith(loop.getTiedLoopResult(other));
  arg.replaceAllUsesWith(other);
  // It is carried on, unused.
  loop.getTiedLoopYieldedValue(arg)->set(arg);
  return true;
}

/// Replaces the count of `arg` by the previous slot of `other`, if it is one
/// slot later; returns whether it did. A producer that runs ahead by all slots
/// but one fills the slot that was read last.
bool IteratorMerger::follow(scf::ForOp loop, BlockArgument arg,
                            BlockArgument other) {
  Place here = getPlace(arg), there = getPlace(other);
  int64_t ahead = there.distance - here.distance, depth = getDepth(arg);
  if (here.origin != there.origin || getDepth(other) != depth ||
      !isSlotEnough(arg) || (ahead - 1) % depth != 0)
    return false;
  Operation *step = loop.getTiedLoopYieldedValue(arg)->get().getDefiningOp();
  if (!step->hasOneUse())
    return false;
  loop.getTiedLoopYieldedValue(arg)->set(other);
  step->erase();
  return true;
}

void IteratorMerger::enter(scf::ForOp loop) {
  SmallVector<BlockArgument> counting;
  for (BlockArgument arg : loop.getRegionIterArgs())
    if (isa<as::PipelineIteratorType>(arg.getType()) && isCounting(loop, arg)) {
      places[arg] = getPlace(loop.getTiedLoopInit(arg)->get());
      counting.push_back(arg);
    }
  // Iterators of one origin have the same distance after the loop as before it.
  DenseMap<Value, Value> ends;
  for (BlockArgument arg : counting) {
    Place place = getPlace(arg);
    Value result = loop.getTiedLoopResult(arg);
    places[result] = {ends.try_emplace(place.origin, result).first->second,
                      place.distance};
  }
  for (BlockArgument arg : counting)
    for (BlockArgument other : counting)
      if (arg != other && isCounting(loop, other) && merge(loop, arg, other))
        break;
  for (BlockArgument arg : counting)
    for (BlockArgument other : counting)
      if (arg != other && isCounting(loop, arg) && isCounting(loop, other) &&
          follow(loop, arg, other))
        break;
  run(*loop.getBody());
}

void IteratorMerger::run(Block &block) {
  for (Operation &op : block) {
    if (auto start = dyn_cast<as::PipelineIteratorOp>(op)) {
      places[start.getResult()] =
          start.getFrom() ? getPlace(start.getFrom()) : Place{Value(), 0};
    } else if (auto step = dyn_cast<as::PipelineAdvanceOp>(op)) {
      Place place = getPlace(step.getIterator());
      places[step.getResult()] = {place.origin, place.distance + 1};
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      enter(loop);
    } else {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          run(inner);
    }
  }
}

void mergeIterators(nv_tileaa::FuncOp func) {
  IteratorMerger().run(func.getBody().front());
}

int64_t getLead(Value pipeline, scf::ForOp loop) {
  int64_t lead = 0;
  for (Operation *user : pipeline.getUsers())
    if (user->getBlock() == loop->getBlock() && user->isBeforeInBlock(loop))
      lead += isa<as::PipelineAcquireOp>(user) - isa<as::PipelineWaitOp>(user);
  return lead;
}

} // namespace tileir
