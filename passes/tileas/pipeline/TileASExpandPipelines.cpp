// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ClusterAttrs.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/PersistentLoops.h"
#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/pipeline/IssuedLoops.h"
#include "passes/tileas/pipeline/PairedPipelines.h"
#include "passes/tileas/pipeline/PipelineIterators.h"
#include "passes/tileas/pipeline/SlotReleases.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-expand-pipelines"

namespace tileir {

#define GEN_PASS_DEF_TILEASEXPANDPIPELINES
#include "passes/tileas/pipeline/TileASExpandPipelines.h.inc"

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

/// Returns whether MMAs fill the slots of `pipeline`, in tensor memory.
static bool isOfDots(Value pipeline) {
  return getCreate(pipeline).getProducer() == as::PipelineProducer::Umma;
}

/// The threads that read a slot of `pipeline`: MMAs of a pair fill those of
/// both CTAs.
static as::BarrierScope getReaderScope(Value pipeline) {
  return isOfPair(getCreate(pipeline)) ? as::BarrierScope::Cluster
                                       : as::BarrierScope::Agent;
}

/// Returns whether all threads that read slots of `pipeline` synchronize at
/// `op`, so that an acquire of a slot may follow. Tensor memory needs fences
/// around it, too.
static bool hasBarrier(Operation *op, Value pipeline) {
  auto isFence = [](Operation *at, as::FenceKind kind) {
    auto fence = dyn_cast_or_null<as::FenceOp>(at);
    return fence && fence.getKind() == kind;
  };
  if (auto barrier = dyn_cast<as::BarrierOp>(op))
    return (barrier.getScope() == as::BarrierScope::Cluster) ==
               (getReaderScope(pipeline) == as::BarrierScope::Cluster) &&
           (!isOfDots(pipeline) ||
            (isFence(op->getPrevNode(), as::FenceKind::Tcgen05Before) &&
             isFence(op->getNextNode(), as::FenceKind::Tcgen05After)));
  if (isOfDots(pipeline))
    return false;
  // The wait becomes a wait and a barrier.
  auto wait = dyn_cast<as::PipelineWaitOp>(op);
  return wait &&
         getCreate(wait.getPipeline()).getSync() == as::PipelineSync::Group;
}

static bool releases(Operation *op, Value pipeline) {
  return op
      ->walk([&](as::PipelineReleaseOp release) {
        return release.getPipeline() == pipeline ? WalkResult::interrupt()
                                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Returns whether the last relevant operation of `body` is a release of
/// `pipeline`, without a barrier after it.
static bool endsReleased(Block *body, Value pipeline) {
  for (Operation &op : llvm::reverse(*body)) {
    if (hasBarrier(&op, pipeline))
      return false;
    if (releases(&op, pipeline))
      return true;
  }
  return false;
}

/// Returns whether some path back from before `op`, null for the end of
/// `block`, reaches a release of `pipeline` before a barrier.
/// `tileas-insert-barriers` orders the former users of the bytes.
static bool synchronizesAtRelease(Block *block, Operation *op, Value pipeline,
                                  llvm::SmallPtrSetImpl<Block *> &seen) {
  Operation *at = op ? op->getPrevNode() : &block->back();
  for (; at; at = at->getPrevNode()) {
    if (hasBarrier(at, pipeline))
      return false;
    if (!releases(at, pipeline))
      continue;
    // A loop that released and met a barrier since, or did not run at all.
    auto loop = dyn_cast<scf::ForOp>(at);
    if (!loop || endsReleased(loop.getBody(), pipeline))
      return true;
  }
  Operation *parent = block->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return false;
  if (isa<LoopLikeOpInterface>(parent) && seen.insert(block).second &&
      synchronizesAtRelease(block, nullptr, pipeline, seen))
    return true;
  return synchronizesAtRelease(parent->getBlock(), parent, pipeline, seen);
}

/// Inserts barriers before acquires of slots, except in loops whose warps
/// release slots by mbarriers.
static void insertEmptyBarriers(aa::FuncOp func,
                                ArrayRef<SlotRelease> releases) {
  llvm::SmallPtrSet<Block *, 2> releasedBlocks;
  for (SlotRelease release : releases)
    releasedBlocks.insert(release.acquire->getBlock());
  SmallVector<as::PipelineAcquireOp> acquires;
  func->walk([&](as::PipelineAcquireOp op) {
    if (getCreate(op.getPipeline()).getEmpty() == as::PipelineEmpty::Barrier &&
        !releasedBlocks.contains(op->getBlock()))
      acquires.push_back(op);
  });
  for (as::PipelineAcquireOp op : acquires) {
    llvm::SmallPtrSet<Block *, 4> seen;
    if (!synchronizesAtRelease(op->getBlock(), op, op.getPipeline(), seen))
      continue;
    OpBuilder builder(op);
    auto fence = [&](as::FenceKind kind) {
      if (isOfDots(op.getPipeline()))
        as::FenceOp::create(builder, op.getLoc(), kind, aa::MemScopeAttr());
    };
    fence(as::FenceKind::Tcgen05Before);
    as::BarrierOp::create(builder, op.getLoc(),
                          getReaderScope(op.getPipeline()), IntegerAttr());
    fence(as::FenceKind::Tcgen05After);
  }
}

//===----------------------------------------------------------------------===//
// Iterators
//===----------------------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(value));
}

/// The position that `op` takes. Its type is that of an iterator no longer once
/// a stage has taken the place.
template <typename OpTy> static Value getStage(OpTy op) {
  return op.getIteratorMutable().get();
}

namespace {

/// Position of an iterator: the slot, and the parity of the phase if a wait for
/// an mbarrier needs it.
struct Position {
  Value stage, phase;
};

/// Replaces iterators by slot indices and phases. A slot index is carried times
/// two to the `scale`, the unit of addresses: byte offsets need no shift in
/// every iteration.
class IteratorExpander {
public:
  explicit IteratorExpander(unsigned scale) : scale(scale) {}

  void run(Block &block);
  /// The number of `stage`.
  Value getNumber(OpBuilder &builder, Location loc, Value stage) const;
  Value getPhase(Value stage) const { return phases.lookup(stage); }
  /// Returns whether the pipeline, of `depth` slots, has not wrapped around yet
  /// when an iterator is `steps` after `stage`.
  bool isInFirstPhase(Value stage, int64_t steps, int64_t depth) const {
    auto known = firstPhase.find(stage);
    return known != firstPhase.end() && known->second + steps < depth;
  }
  /// The position after `position` in a pipeline of `depth` slots.
  Position getNext(OpBuilder &builder, Location loc, Position position,
                   int64_t depth) const;

private:
  void start(as::PipelineIteratorOp op);
  void advance(as::PipelineAdvanceOp op);
  void enter(scf::ForOp loop);
  void replace(Operation *op, Position position);

  unsigned scale;
  /// Phases by the stage that they belong to.
  DenseMap<Value, Value> phases;
  /// Steps from the first slot to the slots that are in the first phase.
  DenseMap<Value, int64_t> firstPhase;
};

} // namespace

Value IteratorExpander::getNumber(OpBuilder &builder, Location loc,
                                  Value stage) const {
  if (!scale)
    return stage;
  return builder.createOrFold<arith::ShRUIOp>(
      loc, stage, constant(builder, loc, scale), /*isExact=*/true);
}

void IteratorExpander::replace(Operation *op, Position position) {
  if (position.phase)
    phases[position.stage] = position.phase;
  op->getResult(0).replaceAllUsesWith(position.stage);
  op->erase();
}

void IteratorExpander::start(as::PipelineIteratorOp op) {
  OpBuilder builder(op);
  if (!op.getFromMutable().empty()) {
    op.getResult().replaceAllUsesWith(op.getFromMutable()[0].get());
    return op->erase();
  }
  Position position;
  position.stage = constant(builder, op.getLoc(), 0);
  as::PipelineCreateOp create = getCreate(op.getPipeline());
  if (create.getEmpty() == as::PipelineEmpty::Mbarrier ||
      (op.getSide() == as::PipelineSide::Consumer &&
       create.getSync() == as::PipelineSync::Mbarrier))
    position.phase = constant(builder, op.getLoc(), 0);
  firstPhase[position.stage] = 0;
  replace(op, position);
}

/// The phase changes with each wrap-around.
Position IteratorExpander::getNext(OpBuilder &builder, Location loc,
                                   Position position, int64_t depth) const {
  Position next;
  Value zero = constant(builder, loc, 0);
  if (depth == 1) {
    next.stage = zero;
    if (position.phase)
      next.phase = arith::XOrIOp::create(builder, loc, position.phase,
                                         constant(builder, loc, 1));
    return next;
  }
  auto scaled = [&](int64_t number) {
    return constant(builder, loc, number << scale);
  };
  Value following =
      arith::AddIOp::create(builder, loc, position.stage, scaled(1));
  Value isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      following, scaled(depth));
  next.stage = arith::SelectOp::create(builder, loc, isEnd, zero, following);
  if (position.phase)
    next.phase = arith::XOrIOp::create(
        builder, loc, position.phase,
        arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isEnd));
  return next;
}

void IteratorExpander::advance(as::PipelineAdvanceOp op) {
  OpBuilder builder(op);
  int64_t depth = op.getType().getDepth();
  Value stage = getStage(op);
  Position position =
      getNext(builder, op.getLoc(), {stage, phases.lookup(stage)}, depth);
  if (isInFirstPhase(stage, 1, depth)) {
    int64_t steps = firstPhase.lookup(stage) + 1;
    firstPhase[position.stage] = steps;
  }
  replace(op, position);
}

/// Carries a phase beside each iterator that has one.
void IteratorExpander::enter(scf::ForOp loop) {
  SmallVector<unsigned> carried;
  SmallVector<Value> inits;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (isa<as::PipelineIteratorType>(loop.getRegionIterArg(number).getType()))
      if (Value phase = phases.lookup(init)) {
        carried.push_back(number);
        inits.push_back(phase);
      }
  if (!carried.empty()) {
    IRRewriter rewriter(loop.getContext());
    rewriter.setInsertionPoint(loop);
    // The loop yields the phases unchanged until the body is known.
    auto yieldArgs = [](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
      return SmallVector<Value>(args.begin(), args.end());
    };
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, inits, /*replaceInitOperandUsesInLoop=*/false, yieldArgs));
  }
  Type i32 = IntegerType::get(loop.getContext(), 32);
  for (auto [arg, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
    if (isa<as::PipelineIteratorType>(arg.getType())) {
      arg.setType(i32);
      result.setType(i32);
    }
  unsigned first = loop.getNumResults() - carried.size();
  for (auto [i, number] : llvm::enumerate(carried)) {
    phases[loop.getRegionIterArg(number)] = loop.getRegionIterArg(first + i);
    phases[loop.getResult(number)] = loop.getResult(first + i);
  }
  run(*loop.getBody());
  Operation *yield = loop.getBody()->getTerminator();
  for (auto [i, number] : llvm::enumerate(carried))
    yield->setOperand(first + i, phases.lookup(yield->getOperand(number)));
}

void IteratorExpander::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto iterator = dyn_cast<as::PipelineIteratorOp>(op)) {
      start(iterator);
    } else if (auto step = dyn_cast<as::PipelineAdvanceOp>(op)) {
      advance(step);
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      enter(loop);
    } else {
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          run(inner);
    }
  }
}

//===----------------------------------------------------------------------===//
// Mbarriers
//===----------------------------------------------------------------------===//

namespace {

/// The mbarriers of the slots of a pipeline: `full` and `empty` as far as they
/// exist, those of the scales in tensor memory, and those of slot releases.
struct SlotBarriers {
  Value full, empty, scales, release;
  /// True if the first warp copies into slots, beside tensor copies.
  bool isCopiedByWarp = false;
  /// True if the warps that read slots release them, in place of MMA commits:
  /// the slots of so many iterations before.
  bool isFreedByWarps = false;
  int64_t lag = 0;
  /// True if the MMAs of a pair of CTAs read or fill the slots. The first CTA
  /// issues them: copies of both signal its `full` mbarrier, and commits arrive
  /// at the mbarriers of both.
  bool isOfPair = false;
  int32_t getCtaGroup() const { return isOfPair ? 2 : 1; }
  /// If other CTAs copy into slots, too: the rank bits in which each copying
  /// CTA differs from this one, which is the first. A release of a slot arrives
  /// at the mbarriers of all of them.
  SmallVector<int32_t> peers;
};

using BarrierMap = DenseMap<Value, SlotBarriers>;

} // namespace

/// Returns whether threads copy into `slot`, the one of a step.
static bool isCopiedByThreads(Value slot) {
  return llvm::any_of(slot.getUsers(), llvm::IsaPred<as::AsyncCopyOp>);
}

/// The copies of kind `CopyOp` into slots of `pipeline`.
template <typename CopyOp>
static SmallVector<CopyOp> getCopies(as::PipelineCreateOp pipeline) {
  SmallVector<CopyOp> copies;
  for (Operation *user : pipeline->getUsers())
    if (auto acquire = dyn_cast<as::PipelineAcquireOp>(user))
      for (Value slot : acquire.getSlots())
        for (Operation *copy : slot.getUsers())
          if (auto typed = dyn_cast<CopyOp>(copy))
            copies.push_back(typed);
  return copies;
}

/// The copies by threads into slots of `pipeline`, if tensor copies fill the
/// others.
static SmallVector<as::AsyncCopyOp>
getCopiesBesideTensorCopies(as::PipelineCreateOp pipeline) {
  if (pipeline.getProducer() != as::PipelineProducer::Tma)
    return {};
  return getCopies<as::AsyncCopyOp>(pipeline);
}

/// Returns whether `consumer` is among the readers of `pipeline`.
static bool isReadBy(Value pipeline, as::PipelineConsumer consumer) {
  return llvm::is_contained(
      getCreate(pipeline).getConsumers(),
      as::PipelineConsumerAttr::get(pipeline.getContext(), consumer));
}

/// The last copy to tensor memory of scales that `wait` waits for; null if
/// there is none.
static as::AsyncTmemCopyOp getLastScaleCopy(as::PipelineWaitOp wait) {
  as::AsyncTmemCopyOp last;
  for (Value slot : wait.getSlots())
    for (Operation *user : slot.getUsers())
      if (auto copy = dyn_cast<as::AsyncTmemCopyOp>(user);
          copy && copy.getSrc() == slot &&
          copy->getBlock() == wait->getBlock() &&
          (!last || last->isBeforeInBlock(copy)))
        last = copy;
  return last;
}

/// Returns whether a warp of its own will copy the scales of all `pipelines` to
/// tensor memory (`tileas-split-copy-and-mma-warps`): if a warp copies beside
/// TMA, it copies scales, in a loop that single warps issue.
static bool areScalesApart(ArrayRef<as::PipelineCreateOp> pipelines) {
  SmallVector<Value> tmaPipelines;
  for (as::PipelineCreateOp op : pipelines)
    if (op.getProducer() == as::PipelineProducer::Tma &&
        op.getEmpty() == as::PipelineEmpty::Mbarrier)
      tmaPipelines.push_back(op.getResult());
  return llvm::all_of(pipelines, [&](as::PipelineCreateOp op) {
    if (getCopiesBesideTensorCopies(op).empty())
      return true;
    return isReadBy(op.getResult(), as::PipelineConsumer::Umma) &&
           llvm::all_of(op->getUsers(), [&](Operation *user) {
             auto wait = dyn_cast<as::PipelineWaitOp>(user);
             if (!wait)
               return true;
             auto loop = dyn_cast<scf::ForOp>(wait->getParentOp());
             return loop && isIssued(loop, tmaPipelines) &&
                    getLastScaleCopy(wait);
           });
  });
}

/// Releases of the slots of `pipeline`.
static SmallVector<as::PipelineReleaseOp>
getReleases(as::PipelineCreateOp pipeline) {
  SmallVector<as::PipelineReleaseOp> releases;
  for (Operation *user : pipeline->getUsers())
    if (auto release = dyn_cast<as::PipelineReleaseOp>(user))
      releases.push_back(release);
  return releases;
}

/// The number of last slots of `pipeline` that MMAs may still read when warps
/// report that they have read one.
static int64_t getLag(as::PipelineCreateOp pipeline) {
  int64_t lag = 0;
  for (as::PipelineReleaseOp release : getReleases(pipeline))
    lag = std::max<int64_t>(lag, release.getPending());
  return lag;
}

//===----------------------------------------------------------------------===//
// Copies for several CTAs
//===----------------------------------------------------------------------===//

static int32_t getSharedAxes(as::AsyncTmaLoadOp copy) {
  auto axes = copy->getAttrOfType<IntegerAttr>(kSharedAxesAttr);
  return axes ? axes.getInt() : 0;
}

/// Returns whether each of the CTAs that share `copy` has boxes of its own.
static bool hasBoxForEach(as::AsyncTmaLoadOp copy) {
  int64_t boxes = 1;
  for (auto [extent, box] : llvm::zip(copy.getBuffer().getType().getShape(),
                                      copy.getDesc().getType().getBox()))
    boxes *= extent / box;
  return boxes >= int64_t(1) << llvm::popcount(uint32_t(getSharedAxes(copy)));
}

/// Returns whether the bytes of `buffer` are those of slots until all loops are
/// over: peers copy the tiles of the next iteration as soon as they can.
static bool isWholeLoops(Value buffer, Block &entry) {
  auto alloc = buffer.getDefiningOp<as::AllocTensorOp>();
  return alloc && alloc->getBlock() == &entry &&
         llvm::none_of(alloc->getUsers(), [](Operation *user) {
           return isa<as::DeallocOp>(user) &&
                  user->getParentOfType<LoopLikeOpInterface>();
         });
}

/// Returns whether copies of several CTAs can fill the slots of `pipeline`:
/// warps that free a slot can tell all of them.
static bool canShare(as::PipelineCreateOp pipeline, Block &entry) {
  return pipeline.getSync() == as::PipelineSync::Mbarrier &&
         pipeline.getProducer() == as::PipelineProducer::Tma &&
         pipeline.getEmpty() == as::PipelineEmpty::Mbarrier &&
         !pipeline->hasAttr(kFreedByWaitsAttr) &&
         !isReadBy(pipeline.getResult(), as::PipelineConsumer::Umma) &&
         getCopiesBesideTensorCopies(pipeline).empty() &&
         pipeline->getBlock() == &entry &&
         llvm::all_of(pipeline.getBuffers(), [&](Value buffer) {
           return isWholeLoops(buffer, entry);
         });
}

/// Decides which copies into slots of `pipeline` CTAs share, and gives the
/// differences of the ranks of those that copy for each other; none where a CTA
/// copies for itself.
static SmallVector<int32_t> shareCopies(as::PipelineCreateOp pipeline,
                                        bool hasReleases) {
  Block &entry = pipeline->getParentOfType<aa::FuncOp>().getBody().front();
  bool shares = !hasReleases && canShare(pipeline, entry);
  llvm::SmallSetVector<int32_t, 4> peers;
  for (as::AsyncTmaLoadOp copy : getCopies<as::AsyncTmaLoadOp>(pipeline)) {
    int32_t axes = getSharedAxes(copy);
    if (!axes)
      continue;
    if (!shares || !hasBoxForEach(copy)) {
      copy->removeAttr(kSharedAxesAttr);
      continue;
    }
    peers.insert(0);
    for (int32_t rank = 1; rank <= axes; ++rank)
      if ((rank & ~axes) == 0)
        peers.insert(rank);
  }
  // Behind it no CTA uses the bytes of the slots for anything else, and all
  // have their barriers.
  if (!peers.empty()) {
    OpBuilder builder(pipeline);
    as::BarrierOp::create(builder, pipeline.getLoc(), as::BarrierScope::Cluster,
                          IntegerAttr());
  }
  return peers.takeVector();
}

/// Keeps CTAs alive as long as others may reach them.
static void insertLastBarrier(aa::FuncOp func) {
  Operation *end = func.getBody().front().getTerminator();
  OpBuilder builder(end);
  as::BarrierOp::create(builder, end->getLoc(), as::BarrierScope::Cluster,
                        IntegerAttr());
}

static void setPeers(Operation *op, const SlotBarriers &barriers) {
  if (barriers.isOfPair)
    setPair(op);
  else if (!barriers.peers.empty())
    op->setAttr(kPeersAttr,
                Builder(op->getContext()).getDenseI32ArrayAttr(barriers.peers));
}

/// The mbarrier of the stage of this number.
static Value getMbarrier(OpBuilder &builder, Location loc, Value barriers,
                         Value number) {
  return as::MbarrierSlotOp::create(
      builder, loc, as::MbarrierType::get(builder.getContext(), /*stages=*/0),
      barriers, number);
}

/// Makes initialized mbarriers visible to their users: to threads by a barrier,
/// to the asynchronous proxy by fences.
static void publishMbarriers(OpBuilder &builder, Location loc,
                             as::BarrierScope scope) {
  for (as::FenceKind kind :
       {as::FenceKind::MbarrierInit, as::FenceKind::ProxyAsyncShared})
    as::FenceOp::create(builder, loc, kind, aa::MemScopeAttr());
  as::BarrierOp::create(builder, loc, scope, IntegerAttr());
}

/// The barrier at the end of each iteration of a loop over tile blocks with the
/// body `block`; null if it is no such loop.
static Operation *getLastBarrier(Block *block) {
  if (!isPersistentLoop(block->getParentOp()))
    return nullptr;
  Operation *op = block->getTerminator()->getPrevNode();
  while (op && isPure(op))
    op = op->getPrevNode();
  auto barrier = dyn_cast_or_null<as::BarrierOp>(op);
  return barrier && barrier.getScope() == as::BarrierScope::CTA ? op : nullptr;
}

/// Re-initializes `mbarriers`, the mbarriers of pipelines that start again at
/// `first` in each iteration of a loop; their phases count from there. After
/// the barrier of all threads the mbarriers of the previous iteration have no
/// users: every filled slot was waited for, and `drain`, null if MMAs release
/// no slots, waits until all commits have arrived.
static void renewMbarriers(Operation *first,
                           ArrayRef<as::MbarrierInitOp> mbarriers,
                           Value drain) {
  OpBuilder builder(first);
  Location loc = first->getLoc();
  as::BarrierScope scope = getExecScope(first).isCta()
                               ? as::BarrierScope::CTA
                               : as::BarrierScope::Agent;
  Operation *end = getLastBarrier(first->getBlock());
  if (!end) {
    end = first->getBlock()->getTerminator();
    as::BarrierOp::create(builder, loc, scope, IntegerAttr());
  }
  for (as::MbarrierInitOp init : mbarriers)
    as::MbarrierInitOp::create(builder, loc, init.getBarriers(),
                               init.getCount(), /*again=*/true);
  publishMbarriers(builder, loc, scope);
  if (!drain)
    return;
  builder.setInsertionPoint(end);
  Value mbarrier = getMbarrier(builder, loc, drain, constant(builder, loc, 0));
  as::UmmaCommitOp::create(builder, loc, mbarrier, /*condition=*/Value());
  as::MbarrierWaitOp::create(builder, loc, mbarrier, constant(builder, loc, 0),
                             /*condition=*/Value(), /*products=*/true,
                             /*issuer=*/false);
}

/// Warps that read the slots of `pipeline`, each of them all of it.
static int32_t getReadingWarps(as::PipelineCreateOp pipeline) {
  SmallVector<as::PipelineReleaseOp> releases = getReleases(pipeline);
  return releases.empty() ? 1 : getExecScope(releases.front()).warps;
}

/// Creates at the entry of `func` an mbarrier for each slot of the pipelines
/// that need one. `full` expects one arrival (the thread that issues copies, or
/// `tcgen05.commit`), 32 more if a warp copies as well, and the TMA bytes.
/// `empty` expects the commit of the MMAs that read the slot. If scales are
/// copied to tensor memory, two commits arrive: one after the scale copies,
/// which also reports that the scales are there, and one after the MMAs.
/// Records the pipelines of which a warp copies a part. At the mbarriers of
/// `releases`, all of one pipeline, each warp arrives. Pipelines inside a loop
/// that does not carry their iterators get re-initialized mbarriers.
static BarrierMap makeBarriers(aa::FuncOp func,
                               ArrayRef<as::PipelineCreateOp> pipelines,
                               ArrayRef<SlotRelease> releases) {
  BarrierMap barriers;
  OpBuilder builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Location loc = func.getLoc();
  bool hasScalesApart = areScalesApart(pipelines);
  struct Renewal {
    SmallVector<as::MbarrierInitOp> mbarriers;
    Value drain;
  };
  // By the first pipeline of a block.
  llvm::MapVector<Block *, std::pair<Operation *, Renewal>> renewals;
  auto makeMbarriers = [&](as::PipelineCreateOp op, int64_t stages,
                           int32_t count) {
    auto type = as::MbarrierType::get(op.getContext(), stages);
    Value made =
        as::MbarrierAllocOp::create(builder, op.getLoc(), type, IntegerAttr());
    auto init =
        as::MbarrierInitOp::create(builder, op.getLoc(), made, count, false);
    if (op->getParentOfType<LoopLikeOpInterface>()) {
      auto &[first, renewal] = renewals[op->getBlock()];
      if (!first || op->isBeforeInBlock(first))
        first = op;
      renewal.mbarriers.push_back(init);
    }
    return made;
  };
  bool isShared = false;
  for (as::PipelineCreateOp op : pipelines) {
    SmallVector<int32_t> peers = shareCopies(op, !releases.empty());
    isShared |= !peers.empty();
    auto make = [&](int32_t count) {
      return makeMbarriers(op, op.getType().getDepth(), count);
    };
    if (op.getSync() == as::PipelineSync::Mbarrier) {
      SlotBarriers &of = barriers[op.getResult()];
      of.isCopiedByWarp = !getCopiesBesideTensorCopies(op).empty();
      of.isOfPair = isOfPair(op);
      of.full = make(of.isCopiedByWarp ? 1 + limits::threadsPerWarp : 1);
      if (of.isCopiedByWarp && hasScalesApart)
        of.scales = make(1);
    }
    if (op.getEmpty() == as::PipelineEmpty::Mbarrier &&
        !op->hasAttr(kFreedByWaitsAttr)) {
      SlotBarriers &of = barriers[op.getResult()];
      of.isFreedByWarps = !isReadBy(op.getResult(), as::PipelineConsumer::Umma);
      of.lag = of.isFreedByWarps ? getLag(op) : 0;
      of.peers = peers;
      int32_t perCta = of.isFreedByWarps ? getReadingWarps(op)
                       : of.scales       ? 2
                                         : 1;
      of.empty = make(perCta * std::max<int32_t>(1, of.peers.size()));
    }
    if (!releases.empty()) {
      SlotRelease first = releases.front();
      if (first.wait.getPipeline() == op.getResult())
        barriers[op.getResult()].release = make(int32_t(first.numWarps));
    }
  }
  if (barriers.empty())
    return barriers;
  for (as::PipelineCreateOp op : pipelines) {
    auto found = renewals.find(op->getBlock());
    SlotBarriers of = barriers.lookup(op.getResult());
    if (found != renewals.end() && !found->second.second.drain && of.empty &&
        !of.isFreedByWarps)
      found->second.second.drain = makeMbarriers(op, /*stages=*/1, /*count=*/1);
  }
  bool hasPairs =
      llvm::any_of(barriers, [](auto &entry) { return entry.second.isOfPair; });
  publishMbarriers(builder, loc,
                   hasPairs ? as::BarrierScope::Cluster
                            : as::BarrierScope::CTA);
  if (isShared)
    insertLastBarrier(func);
  for (auto &[block, place] : renewals)
    renewMbarriers(place.first, place.second.mbarriers, place.second.drain);
  return barriers;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Replaces the slots of `op` by views of the stage of this number.
template <typename OpTy>
static void expandSlots(OpBuilder &builder, OpTy op, Value number) {
  as::PipelineCreateOp create = getCreate(op.getPipeline());
  for (auto [slot, buffer] : llvm::zip(op.getSlots(), create.getBuffers())) {
    Value view = as::ViewOp::create(builder, op.getLoc(), slot.getType(),
                                    buffer, number, /*ring=*/true);
    slot.replaceAllUsesWith(view);
  }
}

/// Returns the bytes that TMA copies write to the slots of `op`.
static int64_t getTensorBytes(as::PipelineAcquireOp op) {
  int64_t bytes = 0;
  for (Value slot : op.getSlots()) {
    auto type = cast<as::BufferType>(slot.getType());
    if (type.getSpace() == LayoutSpace::Smem && !isCopiedByThreads(slot))
      bytes += type.getStageBytes();
  }
  return bytes;
}

/// The copies into a slot signal its `full` mbarrier, which expects them. A
/// slot in phase r is free when phase r - 1 of its `empty` mbarrier is
/// complete.
static void expandAcquire(OpBuilder &builder, as::PipelineAcquireOp op,
                          SlotBarriers barriers,
                          const IteratorExpander &iterators) {
  Location loc = op.getLoc();
  Value number = iterators.getNumber(builder, loc, getStage(op));
  int64_t depth = getCreate(op.getPipeline()).getType().getDepth();
  if (barriers.empty &&
      !iterators.isInFirstPhase(getStage(op), barriers.lag, depth)) {
    // The mbarrier of the slot `lag` places earlier reports a free slot.
    Position freed = {getStage(op), iterators.getPhase(getStage(op))};
    for (int64_t i = 0; i < barriers.lag; ++i)
      freed = iterators.getNext(builder, loc, freed, depth);
    Value number = iterators.getNumber(builder, loc, freed.stage);
    Value before = arith::XOrIOp::create(builder, loc, freed.phase,
                                         constant(builder, loc, 1));
    // Threads wait for their own copies; they synchronize in every iteration.
    bool isIssued =
        getCreate(op.getPipeline()).getProducer() == as::PipelineProducer::Tma;
    auto wait = as::MbarrierWaitOp::create(
        builder, loc, getMbarrier(builder, loc, barriers.empty, number), before,
        op.getCondition(), /*products=*/false, isIssued);
    setPeers(wait, barriers);
  }
  Value mbarrier;
  if (barriers.full && !isOfDots(op.getPipeline())) {
    mbarrier = getMbarrier(builder, loc, barriers.full, number);
    as::MbarrierArriveExpectTxOp::create(
        builder, loc, mbarrier, barriers.getCtaGroup() * getTensorBytes(op),
        op.getCondition(), barriers.isOfPair);
  }
  for (Value slot : op.getSlots())
    for (Operation *user : slot.getUsers())
      if (auto load = dyn_cast<as::AsyncTmaLoadOp>(user)) {
        load.getSignalMutable().assign(mbarrier);
        if (barriers.isOfPair)
          load.setCtaGroup(2);
      }
  expandSlots(builder, op, number);
}

/// Lets MMAs wait for the scales of a slot after `copy`, the last copy of
/// scales to tensor memory. Another warp may then issue the copies, and release
/// the slot itself.
static void waitForScales(as::AsyncTmemCopyOp copy, SlotBarriers barriers,
                          Value number, Value phase) {
  OpBuilder builder(copy->getBlock(), std::next(copy->getIterator()));
  Location loc = copy.getLoc();
  Value mbarrier = getMbarrier(builder, loc, barriers.scales, number);
  for (Value done :
       {getMbarrier(builder, loc, barriers.empty, number), mbarrier})
    as::UmmaCommitOp::create(builder, loc, done, /*condition=*/Value());
  as::MbarrierWaitOp::create(builder, loc, mbarrier, phase,
                             /*condition=*/Value(), /*products=*/false,
                             /*issuer=*/true);
  as::FenceOp::create(builder, loc, as::FenceKind::Tcgen05After,
                      aa::MemScopeAttr());
}

static void expandWait(OpBuilder &builder, as::PipelineWaitOp op,
                       SlotBarriers barriers,
                       const IteratorExpander &iterators) {
  Location loc = op.getLoc();
  auto getNumber = [&] {
    return iterators.getNumber(builder, loc, getStage(op));
  };
  bool isReadByMma = isReadBy(op.getPipeline(), as::PipelineConsumer::Umma);
  if (barriers.full) {
    Value number = getNumber(), phase = iterators.getPhase(getStage(op));
    bool isFilledByMma = isOfDots(op.getPipeline());
    Value mbarrier = getMbarrier(builder, loc, barriers.full, number);
    auto wait =
        as::MbarrierWaitOp::create(builder, loc, mbarrier, phase, Value(),
                                   isFilledByMma, /*issuer=*/isReadByMma);
    wait.setLeader(barriers.isOfPair && isReadByMma);
    setPeers(wait, barriers);
    auto fence = [&](as::FenceKind kind) {
      as::FenceOp::create(builder, loc, kind, aa::MemScopeAttr());
    };
    // Makes bytes that a warp copied, and that the issuing thread has waited
    // for, visible to the tensor core.
    if (barriers.isCopiedByWarp && isReadByMma)
      fence(as::FenceKind::ProxyAsyncShared);
    // Scales overwrite scales that other MMAs have read.
    if (isFilledByMma || barriers.scales)
      fence(as::FenceKind::Tcgen05After);
    if (barriers.scales)
      waitForScales(getLastScaleCopy(op), barriers, number, phase);
    return expandSlots(builder, op, number);
  }
  as::AsyncWaitGroupOp::create(builder, loc, op.getPending());
  // Makes bytes that threads copied visible to the tensor core.
  if (isReadBy(op.getPipeline(), as::PipelineConsumer::Wgmma) || isReadByMma)
    as::FenceOp::create(builder, loc, as::FenceKind::ProxyAsyncShared,
                        aa::MemScopeAttr());
  as::BarrierOp::create(builder, loc, as::BarrierScope::Agent, IntegerAttr());
  expandSlots(builder, op, getNumber());
}

static void expandCommit(OpBuilder &builder, as::PipelineCommitOp op,
                         SlotBarriers barriers,
                         const IteratorExpander &iterators) {
  // Without a condition: every iteration has its group, and `pending` counts on
  // it. Objects count bytes.
  if (!barriers.full)
    as::AsyncCommitGroupOp::create(builder, op.getLoc());
  bool isFilledByMma = isOfDots(op.getPipeline());
  if (!isFilledByMma && !barriers.isCopiedByWarp)
    return;
  Value mbarrier =
      getMbarrier(builder, op.getLoc(), barriers.full,
                  iterators.getNumber(builder, op.getLoc(), getStage(op)));
  if (isFilledByMma)
    as::UmmaCommitOp::create(builder, op.getLoc(), mbarrier, op.getCondition(),
                             barriers.getCtaGroup());
  else
    as::MbarrierArriveOp::create(builder, op.getLoc(), mbarrier,
                                 op.getCondition(),
                                 as::ArrivalKind::CpAsyncWarp);
}

/// Releases a slot: the producer that refills it waits for this arrival.
static void expandRelease(OpBuilder &builder, as::PipelineReleaseOp op,
                          SlotBarriers barriers,
                          const IteratorExpander &iterators) {
  if (!barriers.empty)
    return;
  Location loc = op.getLoc();
  Value mbarrier = getMbarrier(builder, loc, barriers.empty,
                               iterators.getNumber(builder, loc, getStage(op)));
  if (barriers.isFreedByWarps)
    setPeers(as::MbarrierArriveOp::create(builder, loc, mbarrier,
                                          op.getCondition(),
                                          as::ArrivalKind::Warp),
             barriers);
  else
    as::UmmaCommitOp::create(builder, loc, mbarrier, op.getCondition(),
                             barriers.getCtaGroup());
}

/// Lets warps arrive after their last read of the slots, and the copying warp
/// wait for all of them.
static void expandSlotRelease(SlotRelease release, const BarrierMap &barriers,
                              const IteratorExpander &iterators) {
  as::PipelineWaitOp wait = release.wait;
  Location loc = release.acquire.getLoc();
  OpBuilder builder(release.arrival);
  builder.setInsertionPointAfter(release.arrival);
  Value mbarrier =
      getMbarrier(builder, loc, barriers.lookup(wait.getPipeline()).release,
                  iterators.getNumber(builder, loc, getStage(wait)));
  as::MbarrierArriveOp::create(builder, loc, mbarrier, /*condition=*/Value(),
                               as::ArrivalKind::Warp);
  builder.setInsertionPoint(release.acquire);
  as::MbarrierWaitOp::create(builder, loc, mbarrier,
                             iterators.getPhase(getStage(wait)),
                             /*condition=*/Value(), /*products=*/false,
                             /*issuer=*/true);
}

static void expandStep(Operation *op, const BarrierMap &barriers,
                       const IteratorExpander &iterators) {
  OpBuilder builder(op);
  if (auto acquire = dyn_cast<as::PipelineAcquireOp>(op)) {
    expandAcquire(builder, acquire, barriers.lookup(acquire.getPipeline()),
                  iterators);
  } else if (auto commit = dyn_cast<as::PipelineCommitOp>(op)) {
    expandCommit(builder, commit, barriers.lookup(commit.getPipeline()),
                 iterators);
  } else if (auto wait = dyn_cast<as::PipelineWaitOp>(op)) {
    expandWait(builder, wait, barriers.lookup(wait.getPipeline()), iterators);
  } else if (auto release = dyn_cast<as::PipelineReleaseOp>(op)) {
    expandRelease(builder, release, barriers.lookup(release.getPipeline()),
                  iterators);
  }
  op->erase();
}

/// Returns whether threads of several warps make `copy`.
static bool isBySeveralWarps(as::AsyncCopyOp copy) {
  return llvm::any_of(copy.getVia().getLayout().getFlatBases(kWarp),
                      [](uint32_t base) { return base != 0; });
}

/// Returns why `op` cannot be expanded; empty if it can.
static StringRef checkKind(as::PipelineCreateOp op) {
  bool isReadByMma = op.getConsumers().size() == 1 &&
                     isReadBy(op.getResult(), as::PipelineConsumer::Umma);
  bool isByMbarrier = op.getEmpty() == as::PipelineEmpty::Mbarrier;
  if (!isReadByMma && isReadBy(op.getResult(), as::PipelineConsumer::Umma))
    return "the consumer 'umma' excludes other consumers";
  if (isReadByMma && !isByMbarrier)
    return "the consumer 'umma' releases slots by empty = mbarrier";
  if (isByMbarrier && !isReadByMma &&
      op.getProducer() != as::PipelineProducer::Tma)
    return "empty = mbarrier is for the producer 'tma' and the consumer "
           "'umma'";
  if (isByMbarrier && !isReadByMma && getLag(op) >= op.getType().getDepth())
    return "MMAs may read all slots; no slot would be filled";
  if (op.getSync() == as::PipelineSync::Mbarrier &&
      op.getProducer() != as::PipelineProducer::Tma &&
      op.getProducer() != as::PipelineProducer::Umma)
    return "mbarriers are for the producers 'tma' and 'umma'; use sync = "
           "group";
  if (llvm::any_of(getCopiesBesideTensorCopies(op), isBySeveralWarps))
    return "copies beside tensor copies must be copies of one warp";
  return "";
}

/// By how many bits stages are scaled: so many that bytes between the stages of
/// every buffer are a multiple. Where single threads issue all that a loop does
/// numbers are cheap, and each warp has its own.
static unsigned getScale(ArrayRef<as::PipelineCreateOp> pipelines) {
  constexpr unsigned kMaxScale = 16; // half of the 32 bits of a counter
  unsigned scale = kMaxScale;
  for (as::PipelineCreateOp op : pipelines) {
    if (!isReadBy(op.getResult(), as::PipelineConsumer::Generic))
      return 0;
    for (Type payload : op.getType().getPayloads()) {
      auto buffer = cast<as::BufferType>(payload);
      if (buffer.getSpace() != LayoutSpace::Smem)
        return 0;
      scale = std::min(scale, unsigned(llvm::countr_zero(
                                  uint64_t(buffer.getStageStride()))));
    }
  }
  return scale;
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

/// Compares the induction variable with a limit computed before the loop, if
/// `condition` asks whether `loop` has more than a constant number of
/// iterations left: one instruction in place of a subtraction and a comparison.
static void compareWithLimit(arith::CmpIOp condition, scf::ForOp loop) {
  APInt span;
  auto left = condition.getLhs().getDefiningOp<arith::SubIOp>();
  if (condition.getPredicate() != arith::CmpIPredicate::ugt ||
      !matchPattern(condition.getRhs(), m_ConstantInt(&span)) || !left ||
      left.getLhs() != loop.getUpperBound() ||
      left.getRhs() != loop.getInductionVar())
    return;
  Location loc = condition.getLoc();
  OpBuilder builder(loop);
  // The difference fits an unsigned number where the loop runs at all; the
  // limit lies between the bounds.
  Value distance = arith::ConstantOp::create(
            builder, loc,
            builder.getIntegerAttr(loop.getUpperBound().getType(), span)),
        whole = arith::SubIOp::create(builder, loc, loop.getUpperBound(),
                                      loop.getLowerBound()),
        isLonger = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ugt, whole, distance),
        before =
            arith::SubIOp::create(builder, loc, loop.getUpperBound(), distance),
        limit = arith::SelectOp::create(builder, loc, isLonger, before,
                                        loop.getLowerBound());
  builder.setInsertionPoint(condition);
  condition.replaceAllUsesWith(
      arith::CmpIOp::create(builder, loc,
                            loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                            loop.getInductionVar(), limit)
          .getResult());
  condition.erase();
  if (left->use_empty())
    left->erase();
}

static void compareWithLimits(aa::FuncOp func) {
  func->walk([](scf::ForOp loop) {
    for (auto condition :
         llvm::make_early_inc_range(loop.getBody()->getOps<arith::CmpIOp>()))
      compareWithLimit(condition, loop);
  });
}

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

/// The innermost block inside `outer`, or `outer` itself, that contains all of
/// `ops` and whole loops of them, so that data that one iteration leaves in a
/// buffer is there in the next.
static Block *getCommonBlock(ArrayRef<Operation *> ops, Block *outer) {
  Block *block = ops.front()->getBlock();
  auto hasAll = [&] {
    return llvm::all_of(ops, [&](Operation *op) {
      return block->findAncestorOpInBlock(*op) != nullptr;
    });
  };
  bool isOne =
      llvm::all_of(ops, [&](Operation *op) { return op->getBlock() == block; });
  if (isOne && block != outer)
    block = block->getParentOp()->getBlock();
  while (block != outer && !hasAll())
    block = block->getParentOp()->getBlock();
  return block;
}

/// Shortens the live range of `buffer` to the loop that reads its slots and the
/// operations that fill the first of them, out of the outer loops: every slot
/// that is filled there is read there, so that other bytes may take the place
/// between two of its executions.
static void shortenLiveRange(as::AllocTensorOp buffer) {
  SmallVector<Operation *> accesses;
  as::DeallocOp end;
  for (Operation *user : buffer->getUsers()) {
    if (auto dealloc = dyn_cast<as::DeallocOp>(user)) {
      if (end)
        return;
      end = dealloc;
    } else {
      accesses.push_back(user);
    }
  }
  if (!end || accesses.empty() || end->getBlock() != buffer->getBlock())
    return;
  Block *block = getCommonBlock(accesses, buffer->getBlock());
  if (block == buffer->getBlock())
    return;
  Operation *first = nullptr, *last = nullptr;
  for (Operation *access : accesses) {
    Operation *at = block->findAncestorOpInBlock(*access);
    if (!first || at->isBeforeInBlock(first))
      first = at;
    if (!last || last->isBeforeInBlock(at))
      last = at;
  }
  buffer->moveBefore(first);
  end->moveAfter(last);
}

/// Threads themselves have read every slot of `op` when its loop is over.
static bool isReadByThreads(as::PipelineCreateOp op) {
  return op.getConsumers().size() == 1 &&
         isReadBy(op.getResult(), as::PipelineConsumer::Generic) &&
         op.getEmpty() == as::PipelineEmpty::Barrier &&
         !isOfDots(op.getResult());
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void TileASExpandPipelines::runOnOperation() {
  aa::FuncOp func = getOperation();
  SmallVector<as::PipelineCreateOp> pipelines;
  func->walk([&](as::PipelineCreateOp op) { pipelines.push_back(op); });
  if (pipelines.empty())
    return markAllAnalysesPreserved();
  for (as::PipelineCreateOp op : pipelines)
    TILEIR_LOG() << op.getLoc() << ": " << op.getType() << " of "
                 << as::stringifyPipelineProducer(op.getProducer()) << ", "
                 << as::stringifyPipelineSync(op.getSync());
  for (as::PipelineCreateOp op : pipelines)
    if (StringRef problem = checkKind(op); !problem.empty()) {
      op.emitError(problem);
      return signalPassFailure();
    }
  if (failed(verifyPipelines(func)))
    return signalPassFailure();
  numPipelines += pipelines.size();
  SmallVector<SlotRelease> releases = findSlotReleases(func);
  for (SlotRelease release : releases)
    TILEIR_LOG() << release.acquire.getLoc() << ": " << release.numWarps
                 << " warps arrive on empty mbarriers";
  insertEmptyBarriers(func, releases);
  BarrierMap barriers = makeBarriers(func, pipelines, releases);
  for (as::PipelineCreateOp op : pipelines)
    if (SlotBarriers of = barriers.lookup(op.getResult());
        of.isOfPair && of.empty && failed(drainSlots(op, of.empty)))
      return signalPassFailure();
  mergeIterators(func);
  IteratorExpander iterators(getScale(pipelines));
  iterators.run(func.getBody().front());
  SmallVector<Operation *> steps;
  func->walk([&](Operation *op) {
    if (isa<as::PipelineAcquireOp, as::PipelineCommitOp, as::PipelineWaitOp,
            as::PipelineReleaseOp>(op))
      steps.push_back(op);
  });
  for (SlotRelease release : releases)
    expandSlotRelease(release, barriers, iterators);
  for (Operation *op : steps)
    expandStep(op, barriers, iterators);
  compareWithLimits(func);
  for (as::PipelineCreateOp op : pipelines) {
    SmallVector<Value> buffers(op.getBuffers());
    bool shortens = isReadByThreads(op);
    op.erase();
    for (Value buffer : buffers)
      if (auto alloc = buffer.getDefiningOp<as::AllocTensorOp>();
          alloc && shortens)
        shortenLiveRange(alloc);
  }
}

} // namespace tileir
