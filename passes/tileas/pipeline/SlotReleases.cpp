// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/SlotReleases.h"

#include "passes/tileas/pipeline/PipelineIterators.h"

#include "llvm/ADT/STLExtras.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// Finds out whether the warps of a loop can release slots without a barrier.
class SlotReleaseFinder {
public:
  explicit SlotReleaseFinder(scf::ForOp loop)
      : loop(loop), body(loop.getBody()) {}

  /// Returns whether several warpgroups compute two dots here, one of which
  /// stays in flight until the next iteration.
  bool findDots();
  /// Returns whether the warps may go on where `findDots` says so.
  bool findSlots();
  /// The handoff by the slots of `pipeline`, if it can give the objects.
  std::optional<SlotRelease> by(Value pipeline);

private:
  bool isInTime(as::PipelineAcquireOp op);

  scf::ForOp loop;
  Block *body;
  SlotRelease release = {};
};

} // namespace

/// The wait for a dot of the previous iteration, which `arg` carries; null if
/// there is none.
static as::DotWaitOp getWaitForCarried(BlockArgument arg) {
  if (!arg.hasOneUse())
    return {};
  Operation *user = *arg.user_begin();
  // The accumulator may be rescaled, and added to, before the wait for it.
  auto follow = [&] {
    user = user->getResult(0).hasOneUse() ? *user->getResult(0).user_begin()
                                          : nullptr;
  };
  if (isa<as::AsyncRescaleOp>(user))
    follow();
  if (isa_and_present<as::AsyncDotOp>(user))
    follow();
  return dyn_cast_or_null<as::DotWaitOp>(user);
}

bool SlotReleaseFinder::findDots() {
  constexpr int64_t kGroupWarps = 4;
  auto dots = llvm::to_vector(body->getOps<as::AsyncDotOp>());
  if (dots.size() < 2)
    return false;
  release.numWarps =
      int64_t(1)
      << as::getTileLayout(dots[0].getAccType()).getLayout().getNumBases(kWarp);
  if (release.numWarps <= kGroupWarps)
    return false;
  for (as::AsyncDotOp dot : dots) {
    if (!dot.getResult().hasOneUse())
      return false;
    OpOperand &use = *dot.getResult().use_begin();
    if (isa<as::DotWaitOp>(use.getOwner()) &&
        use.getOwner()->getBlock() == body)
      continue;
    if (use.getOwner() != body->getTerminator())
      return false;
    as::DotWaitOp wait =
        getWaitForCarried(loop.getRegionIterArg(use.getOperandNumber()));
    if (!wait || wait->getBlock() != body)
      return false;
    if (!release.arrival || release.arrival->isBeforeInBlock(wait))
      release.arrival = wait;
  }
  return bool(release.arrival);
}

/// Returns whether one thread fills the slots of `pipeline`, `wgmma` alone
/// reads them, and all threads synchronize before each refill.
static bool isBetweenTmaAndDots(as::PipelineCreateOp create) {
  auto consumer = as::PipelineConsumerAttr::get(create.getContext(),
                                                as::PipelineConsumer::Wgmma);
  return create.getProducer() == as::PipelineProducer::Tma &&
         create.getSync() == as::PipelineSync::Mbarrier &&
         create.getEmpty() == as::PipelineEmpty::Barrier &&
         create.getConsumers().size() == 1 &&
         create.getConsumers()[0] == consumer &&
         llvm::none_of(create->getUsers(), [](Operation *user) {
           auto acquire = dyn_cast<as::PipelineAcquireOp>(user);
           return acquire && llvm::any_of(acquire.getSlots(), [](Value slot) {
                    return llvm::any_of(slot.getUsers(),
                                        llvm::IsaPred<as::AsyncCopyOp>);
                  });
         });
}

/// By how many slots `iterator` is ahead of the first one when the first of the
/// loops that carry it begins; all of them go on by one slot an iteration.
static std::optional<int64_t> countSteps(Value iterator) {
  int64_t steps = 0;
  while (true) {
    if (auto arg = dyn_cast<BlockArgument>(iterator)) {
      auto loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
      if (!loop || arg == loop.getInductionVar())
        return std::nullopt;
      auto step = loop.getTiedLoopYieldedValue(arg)
                      ->get()
                      .getDefiningOp<as::PipelineAdvanceOp>();
      if (!step || step.getIterator() != arg)
        return std::nullopt;
      iterator = loop.getTiedLoopInit(arg)->get();
      continue;
    }
    Operation *op = iterator.getDefiningOp();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      iterator =
          loop.getRegionIterArg(cast<OpResult>(iterator).getResultNumber());
    } else if (auto step = dyn_cast<as::PipelineAdvanceOp>(op)) {
      ++steps;
      iterator = step.getIterator();
    } else {
      auto start = dyn_cast<as::PipelineIteratorOp>(op);
      if (!start || start.getFrom())
        return std::nullopt;
      return steps;
    }
  }
}

/// The step of `body` of this kind for `pipeline`, at a place that the loop
/// carries; null if there is none or another.
template <typename OpTy> static OpTy getStep(Block *body, Value pipeline) {
  OpTy found;
  for (Operation *user : pipeline.getUsers())
    if (auto step = dyn_cast<OpTy>(user);
        step && body->findAncestorOpInBlock(*user)) {
      auto place = dyn_cast<BlockArgument>(step.getIterator());
      if (found || user->getBlock() != body || !place ||
          place.getOwner() != body)
        return {};
      found = step;
    }
  return found;
}

/// Returns whether warps have read the slot of `op` when they arrive: dots that
/// they have waited for read it an iteration ago.
bool SlotReleaseFinder::isInTime(as::PipelineAcquireOp op) {
  as::PipelineCreateOp create = getCreate(op.getPipeline());
  auto wait = getStep<as::PipelineWaitOp>(body, op.getPipeline());
  auto release = getStep<as::PipelineReleaseOp>(body, op.getPipeline());
  if (!isBetweenTmaAndDots(create) || !wait || !release ||
      release.getIterator() != wait.getIterator() || release.getCondition() ||
      release.getPending() > 1 ||
      op != getStep<as::PipelineAcquireOp>(body, op.getPipeline()))
    return false;
  std::optional<int64_t> filled = countSteps(op.getIterator()),
                         read = countSteps(wait.getIterator());
  return filled && read && *filled - *read < create.getType().getDepth();
}

bool SlotReleaseFinder::findSlots() {
  bool areInTime = true;
  body->walk([&](as::PipelineAcquireOp op) {
    areInTime &= op->getBlock() == body && isInTime(op);
    if (!release.acquire)
      release.acquire = op;
  });
  return release.acquire && areInTime &&
         release.arrival->isBeforeInBlock(release.acquire);
}

std::optional<SlotRelease> SlotReleaseFinder::by(Value pipeline) {
  release.wait = getStep<as::PipelineWaitOp>(body, pipeline);
  if (!release.wait || !getStep<as::PipelineAcquireOp>(body, pipeline))
    return std::nullopt;
  return release;
}

/// Returns whether the first wait for a slot of `pipeline` is in the first
/// iteration of `loops`, which are in `block`: the phases of its slots then
/// equal the phases of the mbarriers.
static bool isReadByLoopsFirst(Value pipeline, Block *block,
                               ArrayRef<scf::ForOp> loops) {
  return llvm::all_of(pipeline.getUsers(), [&](Operation *user) {
    if (!isa<as::PipelineWaitOp>(user))
      return true;
    Operation *at = block->findAncestorOpInBlock(*user);
    return at && (llvm::is_contained(loops, at) ||
                  llvm::all_of(loops, [&](scf::ForOp loop) {
                    return loop->isBeforeInBlock(at);
                  }));
  });
}

SmallVector<SlotRelease> findSlotReleases(nv_tileaa::FuncOp func) {
  SmallVector<scf::ForOp> loops;
  SmallVector<SlotReleaseFinder> finders;
  func->walk([&](scf::ForOp loop) {
    SlotReleaseFinder finder(loop);
    if (!finder.findDots())
      return;
    loops.push_back(loop);
    finders.push_back(finder);
  });
  if (loops.empty())
    return {};
  Block *block = loops.front()->getBlock();
  // A loop around them would start in the middle of a phase.
  if (loops.front()->getParentOfType<LoopLikeOpInterface>() ||
      llvm::any_of(loops,
                   [&](scf::ForOp loop) { return loop->getBlock() != block; }))
    return {};
  for (SlotReleaseFinder &finder : finders)
    if (!finder.findSlots())
      return {};
  for (auto wait : loops.front().getBody()->getOps<as::PipelineWaitOp>()) {
    Value pipeline = wait.getPipeline();
    if (!isReadByLoopsFirst(pipeline, block, loops))
      continue;
    SmallVector<SlotRelease> releases;
    for (SlotReleaseFinder &finder : finders)
      if (std::optional<SlotRelease> release = finder.by(pipeline))
        releases.push_back(*release);
    if (releases.size() == loops.size())
      return releases;
  }
  return {};
}

} // namespace tileir
