// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/RuntimeGates.h"
#include "passes/analysis/AccessRoots.h"
#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/Occupancy.h"
#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/tileas/stage/StagedLoads.h"
#include "passes/tileas/stage/TensorCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-use-tensor-copies"

namespace tileir {

#define GEN_PASS_DECL_TILEASUSETENSORCOPIES
#define GEN_PASS_DEF_TILEASUSETENSORCOPIES
#include "passes/tileas/stage/TileASUseTensorCopies.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Bytes that a buffer of tensor copies takes, which is aligned to 1024.
int64_t getAlignedBytes(int64_t bytes) { return llvm::alignTo(bytes, 1024); }

/// Shared memory of a function by live range: buffers from allocation to
/// release, mbarriers, and the scratch memory of an operation while it runs.
class SharedUse {
public:
  explicit SharedUse(aa::FuncOp func);

  /// The most that is taken anywhere.
  int64_t getPeak() const { return always + peak; }
  /// The same with `more` bytes where `at` stands, a load or a store.
  int64_t getPeakWith(Operation *at, int64_t more) const {
    return always + std::max(peak, live.lookup(at) + more);
  }
  /// The same with so many as long as `loop` runs.
  int64_t getPeakDuring(Operation *loop, int64_t more) const {
    return always + std::max(peak, during.lookup(loop) + more);
  }
  /// Adds bytes that are taken everywhere.
  void add(int64_t bytes) { always += bytes; }
  /// Adds bytes that are taken where `at` stands.
  void take(Operation *at, int64_t bytes) { use(at, live.lookup(at) + bytes); }

private:
  /// Notes that `bytes` or more are taken where `at` stands.
  void use(Operation *at, int64_t bytes) {
    peak = std::max(peak, bytes);
    while ((at = at->getParentOp()) && !isa<aa::FuncOp>(at))
      if (isa<scf::ForOp>(at))
        during[at] = std::max(during[at], bytes);
  }

  int64_t always = 0, peak = 0;
  llvm::DenseMap<Operation *, int64_t> live, during;
};

struct TileASUseTensorCopies final
    : impl::TileASUseTensorCopiesBase<TileASUseTensorCopies> {
  using TileASUseTensorCopiesBase::TileASUseTensorCopiesBase;

  void runOnOperation() override;

private:
  bool useFor(as::TiledLoadOp load, const Target &target, SharedUse &shared);
  bool useForStores(Block &block, const Target &target, SharedUse &shared);
  void reportOthers(StringRef always);
  void report(Operation *access, StringRef reason);

  /// Places of loads in loops, which have remarks of the pass that stages
  /// operands. The first of them precede a pipelined loop.
  llvm::SmallDenseSet<Location> loadsOfLoops;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns whether `func` acquires or releases memory for others while it runs.
static bool synchronizes(aa::FuncOp func) {
  return func
      ->walk([](as::TileASMemoryOpInterface op) {
        return op.getAccessSemantic() == aa::MemSemantic::Weak ||
                       op.getAccessSemantic() == aa::MemSemantic::Relaxed
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

namespace {

/// Accesses that wait, through any tokens, for the writes of a store and may
/// touch them: none, the same store in the next iteration alone, or others.
enum class Waiting { None, Itself, Others };

} // namespace

static Waiting getWaiting(as::TiledStoreOp store) {
  auto func = store->getParentOfType<aa::FuncOp>();
  Waiting waiting = Waiting::None;
  SmallVector<Value> work = {store.getResultToken()};
  llvm::SmallDenseSet<Value> seen(work.begin(), work.end());
  auto add = [&](Value token) {
    if (seen.insert(token).second)
      work.push_back(token);
  };
  while (!work.empty())
    for (OpOperand &use : work.pop_back_val().getUses()) {
      Operation *op = use.getOwner();
      if (op == store) {
        waiting = Waiting::Itself;
      } else if (auto access = dyn_cast<as::TileASMemoryOpInterface>(op)) {
        if (!cannotAlias(func, store, op))
          return Waiting::Others;
        if (Value token = access.getResultMemToken())
          add(token);
      } else if (auto join = dyn_cast<as::JoinMemTokenOp>(op)) {
        add(join.getResult());
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        add(loop.getTiedLoopRegionIterArg(&use));
        add(loop.getTiedLoopResult(&use));
      } else if (auto yield = dyn_cast<scf::YieldOp>(op);
                 yield && isa<scf::ForOp, scf::IfOp>(yield->getParentOp())) {
        unsigned number = use.getOperandNumber();
        add(yield->getParentOp()->getResult(number));
        if (auto loop = dyn_cast<scf::ForOp>(yield->getParentOp()))
          add(loop.getRegionIterArg(number));
      } else {
        return Waiting::Others;
      }
    }
  return waiting;
}

/// Returns what keeps every access of `func` from being a tensor copy; empty
/// when nothing does.
static StringRef checkKernel(aa::FuncOp func) {
  if (gates::preferTmaForLoadStore() == false)
    return "TILEIR_PREFER_TMA_FOR_LOAD_STORE forbids it";
  return synchronizes(func) ? "the kernel acquires or releases memory that "
                              "others access while it runs"
                            : "";
}

static std::string check(as::TiledLoadOp load) {
  return checkCopiedAccess(load);
}

static std::string check(as::TiledStoreOp store) {
  if (store.getMemSemantic() != aa::MemSemantic::Weak || store.getIsVolatile())
    return "it is not weak";
  if (!store.getOffsets().empty())
    return "it has offsets inside the tile";
  return "";
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The end of `buffer`, null if it lives as long as the function. A buffer of
/// an agent is freed once.
static Operation *getEnd(as::AllocTensorOp buffer) {
  Operation *last = nullptr;
  for (Operation *user : buffer->getUsers())
    if (isa<as::DeallocOp>(user)) {
      for (Operation *at = user; at->getBlock() != buffer->getBlock();) {
        at = at->getParentOp();
        if (!isAgent(at))
          return nullptr;
      }
      last = user;
    }
  return last;
}

SharedUse::SharedUse(aa::FuncOp func) {
  llvm::DenseMap<Operation *, int64_t> ends;
  int64_t now = 0;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    int64_t scratch = 0;
    if (auto alloc = dyn_cast<as::AllocTensorOp>(op)) {
      auto type = dyn_cast<as::BufferType>(alloc.getType());
      if (type && type.getSpace() == LayoutSpace::Smem) {
        int64_t bytes = getAlignedBytes(type.getTotalBytes());
        if (Operation *end = getEnd(alloc)) {
          now += bytes;
          ends[end] += bytes;
        } else {
          always += bytes;
        }
      }
    } else if (auto pipeline = dyn_cast<as::PipelineCreateOp>(op)) {
      always += 2 * as::MbarrierType::getObjectBytes() *
                pipeline.getType().getDepth();
    } else if (auto alloca = dyn_cast<as::AllocaOp>(op)) {
      auto ptr = cast<aa::TAPointerType>(alloca.getType());
      always += alloca.getNumElem() * aa::getStorageBits(ptr.getPointee()) / 8;
    } else if (isa<as::DeallocOp>(op)) {
      now -= ends.lookup(op);
    } else if (isa<as::TiledLoadOp, as::TiledStoreOp>(op)) {
      live[op] = now;
    }
    if (auto user = dyn_cast<as::ScratchOpInterface>(op))
      scratch = getAlignedBytes(user.getScratchBytes());
    if (isa<scf::ForOp>(op))
      during[op] = now;
    if (op != func)
      use(op, now + scratch);
  });
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Returns whether the program or the environment requests TMA, whatever it
/// costs; none if neither says.
template <typename Op> static std::optional<bool> getWish(Op access) {
  if (std::optional<bool> wish = gates::preferTmaForLoadStore())
    return wish;
  return access.getAllowTma();
}

static constexpr llvm::StringLiteral kOutsideOfLoops =
    "outside of loops threads load as fast";

/// Returns what speaks against a tensor copy that only its speed speaks for.
static std::string weigh(as::TiledLoadOp, const Target &) {
  return kOutsideOfLoops.str();
}

/// Returns whether `tile` is computed from the accumulator of a dot.
static bool isOfDot(Value tile) {
  // Epilogues are short; where they are not nothing is lost.
  SmallVector<Value> work = {tile};
  llvm::SmallDenseSet<Value> seen(work.begin(), work.end());
  while (!work.empty() &&
         int64_t(seen.size()) < heuristics::maxEpilogueValues) {
    auto result = dyn_cast<OpResult>(work.pop_back_val());
    if (!result)
      continue;
    Operation *op = result.getOwner();
    auto copy = dyn_cast<as::CopyOp>(op);
    auto from = copy ? dyn_cast<as::BufferType>(copy.getSrc().getType())
                     : as::BufferType();
    if (isa<as::DotOp, as::DotWaitOp>(op) ||
        (from && from.getSpace() == LayoutSpace::Tmem))
      return true;
    SmallVector<Value> sources;
    if (isa<scf::ForOp, scf::IfOp>(op)) {
      for (Region &region : op->getRegions())
        if (!region.empty())
          sources.push_back(region.front().getTerminator()->getOperand(
              result.getResultNumber()));
    } else if (op->getNumRegions() == 0) {
      llvm::append_range(sources, op->getOperands());
    }
    for (Value source : sources)
      if (isa<RankedTensorType>(source.getType()) && seen.insert(source).second)
        work.push_back(source);
  }
  return false;
}

/// Returns whether `loop` has no other one inside.
static bool isInnermost(LoopLikeOpInterface loop) {
  return !loop->walk([&](LoopLikeOpInterface inner) {
                return inner == loop ? WalkResult::advance()
                                     : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Returns whether the dots of a loop of `func` take every register.
static bool fillsRegisters(aa::FuncOp func) {
  return func
      ->walk([](LoopLikeOpInterface loop) {
        return isInnermost(loop) && !leavesRegisters(loop)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A tile that goes through shared memory in any case, to the threads that
/// store it, need not come back from there. Kernels without dots wait for
/// memory alone, and longer for a tile that leaves as a whole. Every thread of
/// the loop around would wait until it has been read: that has to be rare.
static std::string weigh(as::TiledStoreOp store, const Target &target) {
  auto loop = store->getParentOfType<LoopLikeOpInterface>();
  if (loop && isInnermost(loop))
    return "every iteration of a loop would wait for it";
  auto convert = store.getValue().getDefiningOp<as::ConvertLayoutOp>();
  int64_t bytes = convert ? convert.getScratchBytes() : 0;
  if (bytes == 0)
    return "the threads that hold its tile store it as fast";
  if (!isOfDot(convert.getSource()))
    return "no dot makes its tile: threads store it as fast";
  if (!paysCopiedStore(target, bytes))
    return "its tile is small";
  if (fillsRegisters(store->getParentOfType<aa::FuncOp>()))
    return "no register is left for its address";
  return "";
}

/// CTAs of `func` with `bytes` of shared memory each that fit on an SM, as far
/// as registers do not matter.
static int64_t countCtas(aa::FuncOp func, const Target &target, int64_t bytes) {
  int64_t threads = int64_t(limits::threadsPerWarp) * getLaunchedWarps(func);
  return getResidentCtas(target, threads, kMinCappedRegisters, bytes);
}

/// Finds the copy of `access`, for whose buffer there is room where shared
/// memory has at most `peakWith` so many bytes more; `report` is told why there
/// is none.
template <typename Op>
static std::optional<TensorCopy>
find(Op access, const Target &target, const SharedUse &shared,
     llvm::function_ref<int64_t(int64_t)> peakWith,
     llvm::function_ref<void(Operation *, StringRef)> report) {
  std::optional<bool> wish = getWish(access);
  std::string reason = check(access);
  if (reason.empty() && !wish)
    reason = weigh(access, target);
  std::optional<TensorCopy> copy;
  if (reason.empty()) {
    SmallVector<Swizzle> swizzles = getOperandSwizzles(/*hasWideChunks=*/false);
    swizzles.push_back(Swizzle::None);
    copy = findTensorCopy(access, access.getView().getType().getElementType(),
                          swizzles, target, reason);
  }
  if (copy) {
    int64_t bytes = peakWith(getAlignedBytes(copy->slot.getTotalBytes()));
    auto func = access->template getParentOfType<aa::FuncOp>();
    if (bytes > gates::sharedMemoryCap(target))
      reason = "no shared memory for its tile";
    else if (!wish && countCtas(func, target, bytes) <
                          countCtas(func, target, shared.getPeak()))
      reason = "with a buffer for its tile fewer CTAs would fit on an SM";
    if (!reason.empty())
      copy.reset();
  }
  TILEIR_LOG() << access.getLoc() << ": " << access->getName() << " "
               << (copy ? "becomes a tensor copy" : "stays: " + reason);
  if (!copy)
    report(access, reason);
  return copy;
}

/// Remarks that `access` is no tensor copy for `reason`.
void TileASUseTensorCopies::report(Operation *access, StringRef reason) {
  if (isa<as::TiledLoadOp>(access) && loadsOfLoops.contains(access->getLoc()))
    return;
  remark::detail::InFlightRemark out = remark::missed(
      access->getLoc(), remarkAbout(access, "UseTensorCopies", "tileas"));
  out << remark::add("no tensor copy") << remark::reason("{0}", reason);
  StringRef suggestion = isa<as::StoreOp>(access)
                             ? "store through a partition view"
                             : getSuggestion(reason);
  if (!suggestion.empty())
    out << remark::metric("Suggestion", suggestion);
}

/// Returns whether a loop runs `op` again and again.
static bool isInLoop(Operation *op) {
  return bool(op->getParentOfType<LoopLikeOpInterface>());
}

/// Remarks why accesses of views that the pass does not try, and stores of
/// tiles by pointers in loops, are no tensor copies. `always` keeps every
/// access from being one, where it is not empty.
void TileASUseTensorCopies::reportOthers(StringRef always) {
  aa::FuncOp func = getOperation();
  loadsOfLoops.clear();
  if (!func.getContext()->getRemarkEngine())
    return;
  func->walk([&](as::TiledLoadOp load) {
    if (isInLoop(load))
      loadsOfLoops.insert(load.getLoc());
  });
  llvm::SmallDenseSet<Location> seen;
  auto tell = [&](Operation *op, StringRef reason) {
    if (seen.insert(op->getLoc()).second)
      report(op, always.empty() ? reason : always);
  };
  Block &entry = func.getBody().front();
  func->walk([&](Operation *op) {
    if (isa<as::ScatterStoreOp>(op) ||
        (isa<as::GatherLoadOp>(op) && !isInLoop(op)))
      tell(op, kRowsGathered);
    else if (isa<as::TiledAtomicRmwOp>(op))
      tell(op, "it is atomic");
    else if (isa<as::TiledLoadOp>(op) &&
             (!always.empty() || op->getBlock() != &entry))
      tell(op, kOutsideOfLoops);
    else if (isa<as::TiledStoreOp>(op) && !always.empty())
      tell(op, always);
    else if (auto store = dyn_cast<as::StoreOp>(op);
             store && isInLoop(op) &&
             isa<RankedTensorType>(store.getValue().getType()))
      tell(op, kByPointers);
  });
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// The first operation of the block of `load` that reads its tile, or waits for
/// it, or has such an operation inside; null without one.
static Operation *getFirstUse(as::TiledLoadOp load) {
  Operation *first = nullptr;
  for (Operation *user : load->getUsers()) {
    Operation *at = load->getBlock()->findAncestorOpInBlock(*user);
    if (!first || at->isBeforeInBlock(first))
      first = at;
  }
  return first;
}

/// Loads through a pipeline of one slot. Every thread waits for the slot before
/// the first use: later operations follow the load.
bool TileASUseTensorCopies::useFor(as::TiledLoadOp load, const Target &target,
                                   SharedUse &shared) {
  Operation *use = getFirstUse(load);
  if (!use || load.getValue().use_empty())
    return false;
  std::optional<TensorCopy> copy = find(
      load, target, shared,
      [&](int64_t bytes) { return shared.getPeakWith(load, bytes); },
      [&](Operation *op, StringRef reason) { report(op, reason); });
  if (!copy)
    return false;
  shared.add(getAlignedBytes(copy->slot.getTotalBytes()) +
             2 * as::MbarrierType::getObjectBytes());
  Location loc = load.getLoc();
  OpBuilder builder(load);
  as::BufferType slot = copy->slot;
  CopyPipeline made =
      createCopyPipeline(load, *copy, as::PipelineConsumer::Generic);
  Value pipeline = made.pipeline, consumer = made.consumer,
        buffer = made.buffer;
  builder.setInsertionPoint(use);
  auto wait =
      as::PipelineWaitOp::create(builder, loc, {slot}, pipeline, consumer,
                                 /*consumer=*/0, /*pending=*/0);
  Value tile =
      as::CopyOp::create(builder, loc, load.getValue().getType(),
                         wait.getSlots().front(), Value(), as::CopyAtomAttr())
          .getResult();
  as::PipelineReleaseOp::create(builder, loc, pipeline, consumer, Value(),
                                /*consumer=*/0);
  as::DeallocOp::create(builder, loc, buffer);
  load.getValue().replaceAllUsesWith(tile);
  load.erase();
  ++numLoads;
  return true;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Turns the stores of `block` into TMA copies, which the same thread starts
/// and waits for: at once, after as many later ones as the variable says, or,
/// in a loop, when the next iteration refills the buffer.
bool TileASUseTensorCopies::useForStores(Block &block, const Target &target,
                                         SharedUse &shared) {
  size_t delay = std::max(0, gates::delayTmaStoreWait());
  auto loop = dyn_cast<scf::ForOp>(block.getParentOp());
  struct Found {
    as::TiledStoreOp store;
    TensorCopy copy;
    Waiting waiting;
    bool isLater;
  };
  // Returns whether shared memory has so many bytes as long as the loop runs.
  auto lasts = [&](int64_t bytes) {
    bytes = shared.getPeakDuring(loop, bytes);
    return bytes <= gates::sharedMemoryCap(target) &&
           countCtas(getOperation(), target, bytes) >=
               countCtas(getOperation(), target, shared.getPeak());
  };
  SmallVector<Found> found;
  int64_t invariant = 0, open = 0;
  for (auto store : block.getOps<as::TiledStoreOp>()) {
    Waiting waiting = getWaiting(store);
    bool isLater = false;
    int64_t taken = 0;
    std::optional<TensorCopy> copy = find(
        store, target, shared,
        [&](int64_t bytes) {
          taken = bytes;
          isLater = loop && delay == 0 && waiting != Waiting::Others &&
                    lasts(invariant + bytes);
          return isLater ? shared.getPeakDuring(loop, invariant + bytes)
                         : shared.getPeakWith(store, invariant + open + bytes);
        },
        [&](Operation *op, StringRef reason) { report(op, reason); });
    if (!copy)
      continue;
    found.push_back({store, *copy, waiting, isLater});
    shared.take(store, invariant + open + taken);
    invariant += isLater ? taken : 0;
    open += isLater || delay == 0 ? 0 : taken;
  }
  shared.add(invariant);
  size_t numLater = llvm::count_if(found, [](auto &f) { return f.isLater; });
  // Buffers that are still read: the oldest one first, and until the loop ends.
  SmallVector<Value> pending, later;
  bool isSeen = false;
  auto close = [&](OpBuilder &builder, Location loc, size_t left) {
    if (pending.size() <= left)
      return;
    as::AsyncBulkWaitOp::create(builder, loc, int32_t(left), isSeen);
    for (Value buffer : ArrayRef(pending).drop_back(left))
      as::DeallocOp::create(builder, loc, buffer);
    pending.erase(pending.begin(), pending.end() - left);
    isSeen = false;
  };
  for (Found &f : found) {
    as::TiledStoreOp store = f.store;
    Location loc = store.getLoc();
    OpBuilder builder(store);
    // The tile before threads exchange it to store it.
    Value tile = store.getValue();
    SmallVector<Operation *> exchanges;
    while (auto convert = tile.getDefiningOp<as::ConvertLayoutOp>()) {
      exchanges.push_back(convert);
      tile = convert.getSource();
    }
    OpBuilder first = f.isLater ? OpBuilder(loop) : builder;
    Value buffer = as::AllocTensorOp::create(first, loc, f.copy.slot,
                                             IntegerAttr(), IntegerAttr());
    if (f.isLater)
      as::AsyncBulkWaitOp::create(builder, loc, int32_t(numLater - 1),
                                  f.waiting == Waiting::Itself);
    as::CopyOp::create(builder, loc, /*result=*/Type(), tile, buffer,
                       as::CopyAtomAttr());
    SmallVector<Value> coords = emitElementCoords(builder, store);
    auto made = as::AsyncTmaStoreOp::create(
        builder, loc, store.getResultToken().getType(), buffer,
        makeTensorMap(store, f.copy), coords, store.getToken());
    store.getResultToken().replaceAllUsesWith(made.getResultToken());
    if (f.isLater) {
      later.push_back(buffer);
    } else {
      pending.push_back(buffer);
      isSeen |= f.waiting != Waiting::None;
      close(builder, loc, isSeen ? 0 : delay);
    }
    store.erase();
    for (Operation *exchange : exchanges)
      if (exchange->use_empty())
        exchange->erase();
    ++numStores;
  }
  OpBuilder builder = OpBuilder::atBlockTerminator(&block);
  close(builder, block.getTerminator()->getLoc(), /*left=*/0);
  if (!later.empty()) {
    builder.setInsertionPointAfter(loop);
    as::AsyncBulkWaitOp::create(builder, loop.getLoc(), int32_t(0));
    for (Value buffer : later)
      as::DeallocOp::create(builder, loop.getLoc(), buffer);
  }
  return !found.empty();
}

void TileASUseTensorCopies::runOnOperation() {
  aa::FuncOp func = getOperation();
  // A wrong number ends the process, whether there are such stores or not.
  (void)gates::delayTmaStoreWait();
  std::optional<Target> target = getTarget(func);
  if (func.isExternal() || !target || !target->hasTma())
    return markAllAnalysesPreserved();
  if (StringRef always = checkKernel(func); !always.empty()) {
    reportOthers(always);
    return markAllAnalysesPreserved();
  }
  reportOthers(/*always=*/"");
  bool changed = false;
  SharedUse shared(func);
  Block &entry = func.getBody().front();
  for (auto load : llvm::make_early_inc_range(entry.getOps<as::TiledLoadOp>()))
    changed |= useFor(load, *target, shared);
  SmallVector<Block *> blocks;
  func->walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    changed |= useForStores(*block, *target, shared);
  if (!changed)
    markAllAnalysesPreserved();
}

} // namespace tileir
