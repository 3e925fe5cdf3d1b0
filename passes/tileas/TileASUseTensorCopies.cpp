// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/support/RuntimeGates.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/SharedMemoryBudget.h"
#include "passes/tileas/AsyncCandidates.h"
#include "passes/tileas/TensorCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-use-tensor-copies"

namespace tileir {

#define GEN_PASS_DECL_TILEASUSETENSORCOPIES
#define GEN_PASS_DEF_TILEASUSETENSORCOPIES
#include "passes/tileas/TileASUseTensorCopies.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Bytes that a buffer of tensor copies takes, which is aligned to 1024.
int64_t getAlignedBytes(int64_t bytes) { return llvm::alignTo(bytes, 1024); }

struct TileASUseTensorCopies final
    : impl::TileASUseTensorCopiesBase<TileASUseTensorCopies> {
  using TileASUseTensorCopiesBase::TileASUseTensorCopiesBase;

  void runOnOperation() override;

private:
  bool useFor(as::TiledLoadOp load, const Target &target);
  bool useForStores(Block &block, const Target &target);
  /// Finds the copy, for whose buffer there is room; a remark says why there is
  /// none.
  template <typename Op>
  std::optional<TensorCopy> find(Op access, const Target &target);
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Returns whether `func` takes in or publishes what others see while it runs.
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

static std::string check(as::TiledLoadOp load) {
  return checkCopiedAccess(load);
}

static std::string check(as::TiledStoreOp store) {
  if (store.getMemSemantic() != aa::MemSemantic::Weak || store.getIsVolatile())
    return "it is not weak";
  if (!store.getOffsets().empty())
    return "it has offsets inside the tile";
  if (!store.getResultToken().use_empty())
    return "an access is ordered after it";
  return "";
}

/// Bytes of shared memory that are left where `at` stands, beside buffers whose
/// life does not end before it, mbarriers of pipelines, and the most that an
/// operation takes while it runs.
static int64_t getLeftBytes(Operation *at, const Target &target) {
  auto func = at->getParentOfType<aa::FuncOp>();
  bool isPast = false;
  llvm::SmallDenseSet<Operation *> dead;
  func->walk<WalkOrder::PreOrder>([&](Operation *op) {
    isPast |= op == at;
    if (auto end = dyn_cast<as::DeallocOp>(op); end && !isPast)
      dead.insert(end.getBuffer().getDefiningOp());
  });
  SharedMemoryBudget budget(
      func, target, [&](Operation *op) { return !dead.contains(op); },
      getAlignedBytes(1));
  budget.claimMbarriers(/*perSlot=*/2);
  budget.claimScratch([](Operation *) { return true; }, getAlignedBytes(1));
  return budget.getLeft();
}

template <typename Op>
std::optional<TensorCopy> TileASUseTensorCopies::find(Op access,
                                                      const Target &target) {
  std::string reason = check(access);
  std::optional<TensorCopy> copy;
  if (reason.empty()) {
    SmallVector<Swizzle> swizzles = getUnitSwizzles(/*hasWideChunks=*/false);
    swizzles.push_back(Swizzle::None);
    copy = findTensorCopy(access, access.getView().getType().getElementType(),
                          swizzles, target, reason);
  }
  if (copy && getAlignedBytes(copy->slot.getTotalBytes()) >
                  getLeftBytes(access, target)) {
    copy.reset();
    reason = "no shared memory for its tile";
  }
  TILEIR_LOG() << access.getLoc() << ": " << access->getName() << " "
               << (copy ? "becomes a tensor copy" : "stays: " + reason);
  if (!copy)
    remark::missed(access.getLoc(),
                   remarkAbout(access, "UseTensorCopies", "tileas"))
        << remark::add("no tensor copy") << remark::reason("{0}", reason);
  return copy;
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

/// Loads by way of a ring of one slot. Every thread waits for the slot before
/// it goes on to the first use: what stands behind it comes after the load.
bool TileASUseTensorCopies::useFor(as::TiledLoadOp load, const Target &target) {
  Operation *use = getFirstUse(load);
  if (!use || load.getValue().use_empty())
    return false;
  std::optional<TensorCopy> copy = find(load, target);
  if (!copy)
    return false;
  Location loc = load.getLoc();
  OpBuilder builder(load);
  as::BufferType slot = copy->slot;
  CopyRing made = createCopyRing(load, *copy, as::PipelineConsumer::Generic);
  Value ring = made.ring, consumer = made.consumer, buffer = made.buffer;
  builder.setInsertionPoint(use);
  auto wait = as::PipelineWaitOp::create(builder, loc, {slot}, ring, consumer,
                                         /*consumer=*/0, /*pending=*/0);
  Value tile =
      as::CopyOp::create(builder, loc, load.getValue().getType(),
                         wait.getSlots().front(), Value(), as::CopyAtomAttr())
          .getResult();
  as::PipelineReleaseOp::create(builder, loc, ring, consumer, Value(),
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

/// Makes the stores of `block` copies, which the same thread starts and waits
/// for.
bool TileASUseTensorCopies::useForStores(Block &block, const Target &target) {
  size_t delay = std::max(0, gates::delayTmaStoreWait());
  SmallVector<as::TiledStoreOp> stores(block.getOps<as::TiledStoreOp>());
  // Buffers that are still read, the oldest one first.
  SmallVector<Value> open;
  auto close = [&](OpBuilder &builder, Location loc, size_t pending) {
    if (open.size() <= pending)
      return;
    as::AsyncBulkWaitOp::create(builder, loc, int32_t(pending));
    for (Value buffer : ArrayRef(open).drop_back(pending))
      as::DeallocOp::create(builder, loc, buffer);
    open.erase(open.begin(), open.end() - pending);
  };
  bool changed = false;
  for (as::TiledStoreOp store : stores) {
    // Buffers that are open have no end yet: they count as they are.
    std::optional<TensorCopy> copy = find(store, target);
    if (!copy)
      continue;
    Location loc = store.getLoc();
    OpBuilder builder(store);
    Value buffer = as::AllocTensorOp::create(builder, loc, copy->slot,
                                             IntegerAttr(), IntegerAttr());
    as::CopyOp::create(builder, loc, /*result=*/Type(), store.getValue(),
                       buffer, as::CopyAtomAttr());
    SmallVector<Value> coords = emitElementCoords(builder, store);
    as::AsyncTmaStoreOp::create(builder, loc, store.getResultToken().getType(),
                                buffer, makeTensorMap(store, *copy), coords,
                                store.getToken());
    open.push_back(buffer);
    close(builder, loc, delay);
    store.erase();
    ++numStores;
    changed = true;
  }
  if (!open.empty()) {
    OpBuilder builder = OpBuilder::atBlockTerminator(&block);
    close(builder, block.getTerminator()->getLoc(), /*pending=*/0);
  }
  return changed;
}

void TileASUseTensorCopies::runOnOperation() {
  aa::FuncOp func = getOperation();
  // A wrong number ends the process, whether there are such stores or not.
  (void)gates::delayTmaStoreWait();
  std::optional<Target> target = getTarget(func);
  if (func.isExternal() || !target || !target->hasTma() ||
      !gates::preferTmaForLoadStore() || synchronizes(func))
    return markAllAnalysesPreserved();
  bool changed = false;
  Block &entry = func.getBody().front();
  for (auto load : llvm::make_early_inc_range(entry.getOps<as::TiledLoadOp>()))
    changed |= useFor(load, *target);
  SmallVector<Block *> blocks;
  func->walk([&](Block *block) { blocks.push_back(block); });
  for (Block *block : blocks)
    changed |= useForStores(*block, *target);
  if (!changed)
    markAllAnalysesPreserved();
}

} // namespace tileir
