// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ClusterAttrs.h"
#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/Occupancy.h"
#include "passes/tileas/FunctionInfo.h"
#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/cta/PlannedDemand.h"
#include "passes/tileas/mma/BlockScales.h"
#include "passes/tileas/mma/CtaPairs.h"
#include "passes/tileas/mma/WarpDots.h"
#include "passes/tileas/mma/WarpgroupDots.h"
#include "passes/tileas/pipeline/PipelineIterators.h"
#include "passes/tileas/stage/RestagedOperands.h"
#include "passes/tileas/stage/StagedLoads.h"

#include "dialects/support/Heuristics.h"
#include "dialects/support/Residency.h"
#include "dialects/support/RuntimeGates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileas-stage-operands"

namespace tileir {

#define GEN_PASS_DECL_TILEASSTAGEOPERANDS
#define GEN_PASS_DEF_TILEASSTAGEOPERANDS
#include "passes/tileas/stage/TileASStageOperands.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

struct TileASStageOperands final
    : impl::TileASStageOperandsBase<TileASStageOperands> {
  using TileASStageOperandsBase::TileASStageOperandsBase;

  void runOnOperation() override;

private:
  int64_t chooseDepth(const StagedGroup &group, int64_t freeBytes);
  int64_t chooseShare(ArrayRef<StagedGroup> groups, int64_t freeBytes);
  bool fitAll(ArrayRef<StagedGroup> groups, int64_t freeBytes);
  int64_t leaveRoom(scf::ForOp loop, ArrayRef<StagedGroup> groups,
                    int64_t depth, int64_t otherBytes, const Target &target);
};

} // namespace

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

/// Bytes of a slot and of its mbarriers.
static int64_t getStageBytes(const StagedGroup &group) {
  int64_t bytes = group.getSlotBytes();
  if (group.usesTma())
    bytes += as::MbarrierType::getObjectBytes();
  // MMA commits release slots.
  if (group.kind == as::MmaKind::Umma)
    bytes += as::MbarrierType::getObjectBytes();
  return bytes;
}

int64_t TileASStageOperands::chooseDepth(const StagedGroup &group,
                                         int64_t freeBytes) {
  int64_t fit = freeBytes / getStageBytes(group);
  int64_t cap = group.getSlotBytes() < heuristics::smallSlotBytes
                    ? heuristics::smallSlots
                    : heuristics::largeSlots;
  if (group.usesTma())
    ++cap;
  if (int64_t latency = group.getLatency())
    cap = std::min(latency + 1, heuristics::maxHintedSlots);
  if (numStages)
    cap = numStages;
  // An MMA in flight holds the previous slot; TMA copies wait for it.
  if (group.kind == as::MmaKind::Wgmma && !group.usesTma())
    ++cap;
  return std::min(fit, cap);
}

/// The minimum number of slots that is worth a pipeline for `group`. With one
/// slot no copy runs ahead, but a tile stays out of registers between the first
/// dot that reads it and the last.
static int64_t getLeastStages(const StagedGroup &group) {
  return group.isReadByMany ? 1 : 2;
}

/// The share of the free bytes for the first of `groups`. The other groups get
/// their share, but no more than they use; the first one keeps its minimum.
int64_t TileASStageOperands::chooseShare(ArrayRef<StagedGroup> groups,
                                         int64_t freeBytes) {
  int64_t wanted = 0;
  for (const StagedGroup &later : groups.drop_front())
    wanted += heuristics::maxSlots * later.getSlotBytes();
  int64_t share =
      std::max(freeBytes / int64_t(groups.size()), freeBytes - wanted);
  int64_t stage = getStageBytes(groups.front());
  return groups.front().isReadByMany && stage <= freeBytes
             ? std::max(share, stage)
             : share;
}

/// Returns whether each of `groups` gets stages enough.
bool TileASStageOperands::fitAll(ArrayRef<StagedGroup> groups,
                                 int64_t freeBytes) {
  for (; !groups.empty(); groups = groups.drop_front()) {
    const StagedGroup &group = groups.front();
    int64_t depth = chooseDepth(group, chooseShare(groups, freeBytes));
    if (depth < getLeastStages(group))
      return false;
    freeBytes -= depth * getStageBytes(group);
  }
  return true;
}

/// Returns whether threads multiply and add in `loop`, without a tensor
/// instruction.
static bool hasMultiplyAdds(scf::ForOp loop) {
  return llvm::any_of(loop.getBody()->getOps<as::DotOp>(), [](as::DotOp dot) {
    return dot.getAtom().getKind() == as::MmaKind::Fma;
  });
}

/// Returns fewer slots than `depth` for the first of `groups` if more CTAs then
/// run on an SM and need it: those of multiply-add dots, whose warps hide each
/// other's latencies, and those of dots of fewer warps than the SM has tensor
/// cores, until each core has a warp. Other dots keep their depth: beyond L2,
/// CTAs that start together share their loads, and two of them on an SM drift
/// apart (docs/measurements/gpu.md). `otherBytes`: shared memory beside the
/// pipelines of `groups`.
int64_t TileASStageOperands::leaveRoom(scf::ForOp loop,
                                       ArrayRef<StagedGroup> groups,
                                       int64_t depth, int64_t otherBytes,
                                       const Target &target) {
  if (numStages)
    return depth;
  aa::FuncOp func = getOperation();
  unsigned warps = getNumWarps(func);
  int64_t minStages = heuristics::slotsOfFewWarps;
  int64_t wanted = llvm::divideCeil(kPartitions, warps);
  if (hasMultiplyAdds(loop)) {
    minStages = heuristics::slotsOfMultiplyAdds;
    wanted = groups.size() == 1 ? target.blocksPerSM() : 1;
  } else if (llvm::any_of(groups, [](const StagedGroup &group) {
               return group.kind != as::MmaKind::MmaSync || group.getLatency();
             })) {
    return depth;
  }
  int64_t threads = int64_t(limits::threadsPerWarp) * warps;
  int64_t registers =
      RegisterDemand::estimateRegisters(getPlannedDemand(func).peak, warps);
  // Later groups get as many slots.
  int64_t stageBytes = 0;
  for (const StagedGroup &group : groups)
    stageBytes += getStageBytes(group);
  auto getCtas = [&](int64_t stages) {
    return std::min(wanted, getResidentCtas(target, threads, registers,
                                            otherBytes + stages * stageBytes));
  };
  int64_t chosen = depth;
  for (int64_t stages = depth - 1; stages >= minStages; --stages)
    if (getCtas(stages) > getCtas(chosen))
      chosen = stages;
  return chosen;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Moves the loads of one group into a pipeline.
class GroupRewriter {
public:
  GroupRewriter(scf::ForOp loop, const StagedGroup &group, int64_t depth)
      : loop(loop), group(group), depth(depth), builder(loop),
        loc(loop.getLoc()) {}

  /// Gives the loop, which is another operation now.
  scf::ForOp run();

private:
  void createPipeline();
  void emitProducer();
  void emitConsumer();
  void freeBuffers();
  Value renameSlot(Value slot, Operation *op);
  void readFrom(Value slot, Value tile);

  scf::ForOp loop;
  const StagedGroup &group;
  int64_t depth;
  OpBuilder builder;
  Location loc;
  Value pipeline, producer, consumer;
  Value nextProducer, nextConsumer;
};

} // namespace

/// The outermost of the loops around `loop` with nothing else between them.
static scf::ForOp getOutermostLoop(scf::ForOp loop) {
  while (auto parent = dyn_cast<scf::ForOp>(loop->getParentOp()))
    loop = parent;
  return loop;
}

/// Returns `op` if it stores a tile to a buffer that only dots read.
static as::CopyOp getOperandStore(Operation *op) {
  auto copy = dyn_cast<as::CopyOp>(op);
  return copy && copy.getDst() && getStoredTile(copy.getDst()) ? copy
                                                               : as::CopyOp();
}

namespace {

/// The operations that disappear when dots read the slots of a group.
struct Replaced {
  /// Elements are read from the slot as they are wanted.
  DenseSet<Operation *> ops;
  /// Bytes of buffers.
  int64_t bytes = 0;
};

} // namespace

static Replaced getReplaced(const StagedGroup &group) {
  Replaced replaced;
  SmallVector<Value> tiles;
  for (const StagedLoad &staged : group.loads) {
    tiles.push_back(staged.tile);
    for (Operation *op = staged.tile.getDefiningOp(); op != staged.load;
         op = op->getOperand(0).getDefiningOp())
      replaced.ops.insert(op);
  }
  while (!tiles.empty())
    for (Operation *user : tiles.pop_back_val().getUsers()) {
      if (isRename(user) && replaced.ops.insert(user).second)
        tiles.push_back(user->getResult(0));
      if (as::CopyOp stored = getOperandStore(user))
        replaced.bytes +=
            cast<as::BufferType>(stored.getDst().getType()).getTotalBytes();
    }
  return replaced;
}

/// The largest number of bytes of shared memory that an operation of `loop`,
/// other than `replaced`, takes while it runs. Operations outside may use the
/// bytes of the pipeline, whose live range ends after the loop.
static int64_t getScratchBytes(scf::ForOp loop,
                               const DenseSet<Operation *> &replaced = {}) {
  int64_t bytes = 0;
  loop->walk([&](as::ScratchOpInterface op) {
    if (!replaced.contains(op))
      bytes = std::max(bytes, op.getScratchBytes());
  });
  return llvm::alignTo(bytes, 1024);
}

void GroupRewriter::createPipeline() {
  MLIRContext *context = loop.getContext();
  builder.setInsertionPoint(getOutermostLoop(loop));
  SmallVector<Value> buffers;
  SmallVector<Type> payloads;
  for (const StagedLoad &load : group.loads) {
    auto type =
        as::BufferType::get(context, depth, load.slot.getShape(),
                            load.slot.getElementType(), load.slot.getLayout());
    buffers.push_back(as::AllocTensorOp::create(
        builder, load.load->getLoc(), type, IntegerAttr(), IntegerAttr()));
    payloads.push_back(load.slot);
  }
  auto consumers = builder.getArrayAttr(
      as::PipelineConsumerAttr::get(context, as::PipelineConsumer::Generic));
  pipeline = as::PipelineCreateOp::create(
      builder, loc, as::PipelineType::get(context, depth, payloads), buffers,
      group.usesTma() ? as::PipelineProducer::Tma
                      : as::PipelineProducer::CpAsync,
      consumers,
      group.usesTma() ? as::PipelineSync::Mbarrier : as::PipelineSync::Group,
      as::PipelineEmpty::Barrier);
  auto type = as::PipelineIteratorType::get(context, depth);
  producer = as::PipelineIteratorOp::create(
      builder, loc, type, pipeline, as::PipelineSide::Producer, Value());
  consumer = as::PipelineIteratorOp::create(
      builder, loc, type, pipeline, as::PipelineSide::Consumer, Value());
}

/// `loop` and the loops around it, the outermost first.
static SmallVector<scf::ForOp> getLoopsFromOutermost(scf::ForOp loop) {
  SmallVector<scf::ForOp> loops = {loop};
  for (scf::ForOp last = getOutermostLoop(loop); loops.back() != last;)
    loops.push_back(cast<scf::ForOp>(loops.back()->getParentOp()));
  std::reverse(loops.begin(), loops.end());
  return loops;
}

/// The box of a copy that several CTAs share: so short along its outermost
/// dimension that each has boxes of its own.
static as::TmaDescType divideBoxes(as::TmaDescType desc, as::BufferType slot,
                                   int64_t ctas) {
  SmallVector<int64_t> box(desc.getBox());
  int64_t count = 1;
  for (auto [extent, inBox] : llvm::zip(slot.getShape(), box))
    count *= extent / inBox;
  // Rows of a swizzle repeat after 8.
  constexpr int64_t kRows = 8;
  for (int32_t dim : llvm::reverse(desc.getOrder().drop_front()))
    while (count < ctas && box[dim] >= 2 * kRows && box[dim] % 2 == 0) {
      box[dim] /= 2;
      count *= 2;
    }
  if (count < ctas)
    return desc;
  return as::TmaDescType::get(desc.getContext(), box, desc.getElementType(),
                              desc.getOrder(), desc.getSwizzle());
}

/// Moves `coords`, the elements at which the tile of a load begins, to the half
/// of the tile along `dim` that the CTA copies for its pair. Elements beyond
/// coordinates become negative: those are outside, too.
static void moveToHalf(OpBuilder &builder, as::TiledLoadOp load, unsigned dim,
                       SmallVectorImpl<Value> &coords) {
  Location loc = load.getLoc();
  auto entry = OpBuilder::atBlockBegin(
      &load->getParentOfType<aa::FuncOp>().getBody().front());
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(entry, loc,
                                     entry.getI32IntegerAttr(value));
  };
  Value rank = gpu::ClusterBlockIdOp::create(entry, loc, entry.getIndexType(),
                                             gpu::Dimension::x, IntegerAttr());
  rank = arith::IndexCastOp::create(entry, loc, entry.getI32Type(), rank);
  Value isSecond = arith::AndIOp::create(entry, loc, rank, constant(1));
  int64_t half = load.getView().getType().getTileShape()[dim] / 2;
  Value offset = arith::MulIOp::create(entry, loc, isSecond, constant(half));
  coords[dim] = arith::AddIOp::create(builder, loc, coords[dim], offset);
}

/// The copy of a load of `loop` into a slot.
static Value createCopy(OpBuilder &builder, const StagedLoad &staged,
                        scf::ForOp loop, Value slot) {
  Operation *op = staged.load;
  builder.setInsertionPoint(op);
  // Enclosing loops were rebuilt for other groups, and their iter-args with
  // them.
  Value inputToken = getInputToken(op, loop);
  if (staged.tensorCopy) {
    auto load = cast<as::TiledLoadOp>(op);
    SmallVector<Value> coords = emitElementCoords(builder, load);
    TensorCopy copy = *staged.tensorCopy;
    if (staged.halvedDim)
      moveToHalf(builder, load, *staged.halvedDim, coords);
    auto axes = load->getAttrOfType<IntegerAttr>(kSharedAxesAttr);
    if (axes)
      copy.desc =
          divideBoxes(copy.desc, copy.slot,
                      int64_t(1) << llvm::popcount(uint32_t(axes.getInt())));
    auto made = as::AsyncTmaLoadOp::create(
        builder, op->getLoc(), staged.token.getType(),
        makeTensorMap(load, copy), coords, slot, /*signal=*/Value(),
        /*condition=*/Value(), inputToken);
    if (axes)
      made->setAttr(kSharedAxesAttr, axes);
    return made.getResultToken();
  }
  Value source, mask;
  ValueRange coords;
  DenseBoolArrayAttr inBounds;
  if (auto load = dyn_cast<as::TiledLoadOp>(op)) {
    source = load.getView();
    coords = load.getCoords();
    inBounds = load.getInBoundsAttr();
  } else {
    source = cast<as::LoadOp>(op).getPtr();
    mask = cast<as::LoadOp>(op).getMask();
  }
  auto copy = as::AsyncCopyOp::create(
      builder, op->getLoc(), staged.token.getType(), source, coords, slot, mask,
      Value(), inputToken, inBounds, staged.via);
  // The facts about the access.
  for (NamedAttribute attr : op->getDiscardableAttrs())
    copy->setDiscardableAttr(attr.getName(), attr.getValue());
  return copy.getResultToken();
}

void GroupRewriter::emitProducer() {
  builder.setInsertionPoint(group.loads.front().load);
  for (const StagedLoad &staged : group.loads)
    if (staged.load->isBeforeInBlock(&*builder.getInsertionPoint()))
      builder.setInsertionPoint(staged.load);
  auto acquire = as::PipelineAcquireOp::create(
      builder, loc, cast<as::PipelineType>(pipeline.getType()).getPayloads(),
      pipeline, producer, Value());
  Operation *last = acquire;
  for (auto [staged, slot] : llvm::zip(group.loads, acquire.getSlots())) {
    createCopy(builder, staged, loop, slot);
    if (last->isBeforeInBlock(staged.load))
      last = staged.load;
  }
  builder.setInsertionPointAfter(last);
  as::PipelineCommitOp::create(builder, loc, pipeline, producer, Value());
  nextProducer =
      as::PipelineAdvanceOp::create(builder, loc, producer.getType(), producer);
}

/// `slot` under the names that `op` gives the elements of a tile.
Value GroupRewriter::renameSlot(Value slot, Operation *op) {
  as::BufferType type =
      getRenamedSlot(cast<as::BufferType>(slot.getType()), op);
  // The operation may stand before the wait.
  builder.setInsertionPointAfterValue(slot);
  if (auto permute = dyn_cast<as::PermuteOp>(op))
    return as::PermuteOp::create(builder, op->getLoc(), type, slot,
                                 permute.getPermutation());
  if (isa<as::ViewOp>(op))
    return as::ViewOp::create(builder, op->getLoc(), type, slot, Value());
  return slot;
}

/// Makes multiply-add dots read `slot` in place of the buffer that `stored`
/// stores a tile to.
static void readInPlaceOf(as::CopyOp stored, Value slot) {
  Operation *buffer = stored.getDst().getDefiningOp();
  stored.erase();
  for (Operation *user : llvm::make_early_inc_range(buffer->getUsers()))
    if (isa<as::DeallocOp>(user))
      user->erase();
    else
      user->replaceUsesOfWith(buffer->getResult(0), slot);
  buffer->erase();
}

/// The type of `tile`, or of the half of it that is in `slot`. The MMA of a
/// pair reads it from there; no thread has it in registers.
static RankedTensorType getCopiedTile(Value slot, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  ArrayRef<int64_t> shape = cast<as::BufferType>(slot.getType()).getShape();
  if (shape == type.getShape())
    return type;
  Layout half = Layout::replicated(
      Layout::Shape(shape.begin(), shape.end()),
      getNumWarps(slot.getDefiningOp()->getParentOfType<aa::FuncOp>()));
  return RankedTensorType::get(shape, type.getElementType(),
                               as::getLayoutAttr(slot.getContext(), half));
}

/// Makes the readers of `tile` read `slot`.
void GroupRewriter::readFrom(Value slot, Value tile) {
  SmallVector<Operation *> users(tile.getUsers());
  Value copy;
  for (Operation *user : users) {
    if (isRename(user)) {
      readFrom(renameSlot(slot, user), user->getResult(0));
      user->erase();
      continue;
    }
    if (as::CopyOp stored = getOperandStore(user)) {
      readInPlaceOf(stored, slot);
      continue;
    }
    if (!copy || copy.getParentBlock() != user->getBlock() ||
        user->isBeforeInBlock(copy.getDefiningOp())) {
      OpBuilder at(user);
      copy = as::CopyOp::create(at, user->getLoc(), getCopiedTile(slot, tile),
                                slot, Value(), as::CopyAtomAttr())
                 .getResult();
    }
    user->replaceUsesOfWith(tile, copy);
  }
}

void GroupRewriter::emitConsumer() {
  builder.setInsertionPoint(group.firstUse);
  auto wait = as::PipelineWaitOp::create(
      builder, loc, cast<as::PipelineType>(pipeline.getType()).getPayloads(),
      pipeline, consumer, /*consumer=*/0, /*pending=*/0);
  builder.setInsertionPointAfter(group.lastUse);
  as::PipelineReleaseOp::create(builder, loc, pipeline, consumer, Value(),
                                /*consumer=*/0);
  nextConsumer =
      as::PipelineAdvanceOp::create(builder, loc, consumer.getType(), consumer);
  for (auto [staged, slot] : llvm::zip(group.loads, wait.getSlots()))
    readFrom(slot, staged.tile);
}

/// Frees the buffers after the outermost loop.
void GroupRewriter::freeBuffers() {
  builder.setInsertionPointAfter(getOutermostLoop(loop));
  for (Value buffer :
       pipeline.getDefiningOp<as::PipelineCreateOp>().getBuffers())
    as::DeallocOp::create(builder, loc, buffer);
}

scf::ForOp GroupRewriter::run() {
  createPipeline();
  loop = carryIterators(getLoopsFromOutermost(loop), producer, consumer);
  emitProducer();
  emitConsumer();
  freeBuffers();
  Operation *yield = loop.getBody()->getTerminator();
  unsigned last = yield->getNumOperands() - 1;
  yield->setOperand(last - 1, nextProducer);
  yield->setOperand(last, nextConsumer);
  // Waiters for a load wait for its input token: the copy is complete after its
  // wait.
  for (const StagedLoad &staged : group.loads) {
    Value token = getInputToken(staged.load, loop), done = staged.token;
    if (!token && !done.use_empty()) {
      builder.setInsertionPoint(getOutermostLoop(loop));
      token = as::CreateMemTokenOp::create(builder, loc, done.getType());
    }
    if (token)
      done.replaceAllUsesWith(token);
    // The copy has rounded; no operation rounds again.
    Operation *last = staged.tile.getDefiningOp();
    while (last != staged.load) {
      Operation *before = last->getOperand(0).getDefiningOp();
      last->erase();
      last = before;
    }
    staged.load->erase();
  }
  return loop;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static void reportGroup(const StagedGroup &group, scf::ForOp loop,
                        int64_t depth) {
  remark::passed(loop.getLoc(), remarkAbout(loop, "MaterializeAsync", "tileas"))
      << StringRef("operands are copied to shared memory asynchronously")
      << remark::metric("Producer", group.usesTma() ? "TMA" : "cp.async")
      << remark::metric("Loads", int64_t(group.loads.size()))
      << remark::metric("SlotBytes", group.getSlotBytes())
      << remark::metric("Stages", depth);
}

/// Bytes of shared memory for restaged operands of dots of `func`.
static int64_t getRestagedBytes(aa::FuncOp func) {
  int64_t bytes = 0;
  func->walk([&](as::DotOp dot) {
    bytes += getMmaKind(dot.getMma()->getKind()).getRestagedBytes(dot);
  });
  return bytes;
}

/// Bytes of shared memory for loop-invariant operands of dots of `func`.
static int64_t getInvariantOperandBytes(aa::FuncOp func) {
  int64_t bytes = 0;
  func->walk([&](as::DotOp dot) { bytes += getInvariantOperandBytes(dot); });
  return bytes;
}

/// Returns whether a pipeline delivers `operand`, or will if each of `groups`
/// gets one.
static bool isStaged(Value operand, ArrayRef<StagedGroup> groups) {
  Operation *op = operand.getDefiningOp();
  while (op && isRename(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<as::CopyOp>(op) ||
         llvm::any_of(groups, [&](const StagedGroup &group) {
           return llvm::any_of(group.loads, [&](const StagedLoad &staged) {
             return staged.load == op;
           });
         });
}

/// Bytes of shared memory for operands that would be in registers of several
/// warps while `loop` runs, of dots whose other operand is staged.
static int64_t getReplicatedBytes(scf::ForOp loop,
                                  ArrayRef<StagedGroup> groups) {
  int64_t bytes = 0;
  loop->walk([&](as::DotOp dot) {
    if (isStaged(dot.getB(), groups))
      bytes += getReplicatedBytes(dot);
  });
  return bytes;
}

/// Bytes of shared memory for operands that threads convert, which replace
/// exchanges between registers.
static int64_t getConvertedBytes(aa::FuncOp func) {
  int64_t bytes = 0;
  func->walk([&](as::DotOp dot) {
    if (dot->getParentOfType<scf::ForOp>())
      bytes = std::max(bytes, getConvertedBytes(dot));
  });
  return bytes;
}

/// Returns the operations before `dots` that `tcgen05.mma` does without.
static DenseSet<Operation *> getLeftOut(ArrayRef<as::DotOp> dots) {
  DenseSet<Operation *> ops;
  for (as::DotOp dot : dots)
    ops.insert_range(isFedByThreads(dot) ? getNotRestaged(dot)
                                         : getOperandProducers(dot));
  return ops;
}

/// Bytes that threads exchange to multiply by the scales of dots of `func`
/// other than `dots`.
static int64_t getDecomposedBytes(aa::FuncOp func, ArrayRef<as::DotOp> dots) {
  int64_t bytes = 0;
  func->walk([&](as::DotOp dot) {
    if (dot.needsDecomposition() && !llvm::is_contained(dots, dot))
      bytes = std::max(bytes, tileir::getDecomposedBytes(dot));
  });
  return llvm::alignTo(bytes, 1024);
}

/// Moves conversions of operands to the dots of `loop` that read them, so that
/// one wait covers both operands: threads convert them there, from slots.
static void sinkConversions(scf::ForOp loop) {
  for (auto dot : loop.getBody()->getOps<as::DotOp>()) {
    if (!isConverted(dot))
      continue;
    for (Value operand : {dot.getA(), dot.getB()}) {
      Operation *before = dot;
      for (Operation *op = operand.getDefiningOp();
           op && (isConversion(op) || isRename(op)) && op->hasOneUse() &&
           op->getBlock() == loop.getBody();
           op = op->getOperand(0).getDefiningOp()) {
        op->moveBefore(before);
        before = op;
      }
    }
  }
}

/// Every loop of `func`, inner ones first.
static SmallVector<scf::ForOp> getLoops(aa::FuncOp func) {
  SmallVector<scf::ForOp> loops;
  func->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  return loops;
}

/// Lets each CTA multiply alone if tensor copies cannot deliver an operand of
/// a pair. Commits of MMAs release slots of a pair's CTAs at most: other tiles
/// that several CTAs need each copies for itself.
static void settlePairs(aa::FuncOp func, const Target &target) {
  std::string reason;
  func->walk([&](as::DotOp dot) {
    if (reason.empty() && isPaired(dot))
      reason = checkPairedLoads(dot, target);
  });
  if (!reason.empty())
    dropPairs(func, reason);
  if (target.hasTcgen05())
    func->walk([](as::TiledLoadOp load) { load->removeAttr(kSharedAxesAttr); });
}

void TileASStageOperands::runOnOperation() {
  aa::FuncOp func = getOperation();
  std::optional<Target> target = getTarget(func);
  if (func.isExternal() || !target)
    return markAllAnalysesPreserved();
  // Layouts may be others than the MMA of a dot reads.
  assignMma(func, {getNumWarps(func), *target, /*hasLayouts=*/true});
  decomposeRefused(func);
  settlePairs(func, *target);
  SmallVector<scf::ForOp> loops = getLoops(func);
  SmallVector<as::DotOp> sure;
  ExplainedLoads explained;
  for (size_t number = 0; number < loops.size(); ++number) {
    scf::ForOp loop = loops[number];
    sinkConversions(loop);
    SmallVector<StagedGroup> groups =
        findStagedGroups(loop, getNumWarps(func), *target, explained);
    bool isNew = false;
    for (auto dot : loop.getBody()->getOps<as::DotOp>()) {
      if (isFedByThreads(dot))
        sure.push_back(dot);
      // A pipeline of scales has at most the slots that shared memory allows.
      if (!groups.empty() &&
          readsStagedBlocks(
              dot, groups,
              chooseDepth(groups.back(), gates::sharedMemoryCap(*target)),
              *target))
        sure.push_back(dot);
    }
    for (auto [index, group] : llvm::enumerate(groups)) {
      ArrayRef<StagedGroup> left = ArrayRef(groups).drop_front(index);
      // Threads have read a pipeline after its loop, tensor cores after all
      // loops (tileas-expand-pipelines).
      bool isAsync = llvm::any_of(
          left, [](const StagedGroup &one) { return one.isAsync(); });
      int64_t kept = llvm::any_of(left,
                                  [](const StagedGroup &one) {
                                    return one.kind == as::MmaKind::Umma;
                                  })
                         ? heuristics::tensorMemoryBarrierBytes
                         : 0;
      int64_t scratch = 0;
      auto getFreeBytes = [&](ArrayRef<StagedGroup> staged) {
        DenseSet<Operation *> leftOut = getLeftOut(sure);
        int64_t freed = 0;
        for (const StagedGroup &one : staged) {
          Replaced replaced = getReplaced(one);
          leftOut.insert_range(replaced.ops);
          freed += replaced.bytes;
        }
        scratch = std::max(
            {getScratchBytes(isAsync ? getOutermostLoop(loop) : loop, leftOut),
             getConvertedBytes(func), getDecomposedBytes(func, sure)});
        return getStagingBudget(func, *target, getOutermostLoop(loop))
                   .getLeft() -
               scratch - kept + freed - getRestagedBytes(func);
      };
      // If all groups have room, no load of a later group is exchanged through
      // shared memory.
      int64_t freeBytes = getFreeBytes(left);
      if (!fitAll(left, freeBytes))
        freeBytes = getFreeBytes(left.take_front());
      // CTAs that a hint puts on one SM share its memory.
      int64_t ofOthers =
          gates::sharedMemoryCap(*target) - getHintedSharedBytes(func, *target);
      if (fitAll(left, freeBytes - ofOthers))
        freeBytes -= ofOthers;
      int64_t invariantBytes = getInvariantOperandBytes(func);
      if (fitAll(left, freeBytes - invariantBytes))
        freeBytes -= invariantBytes;
      // Spilled fragments cost more than copies that do not run ahead, and less
      // than a tile in registers between its dots.
      int64_t replicated = getReplicatedBytes(getOutermostLoop(loop), left);
      if (replicated + (group.isReadByMany ? getStageBytes(group) : 0) <=
          freeBytes)
        freeBytes -= replicated;
      int64_t share = chooseShare(left, freeBytes);
      int64_t depth = chooseDepth(group, share);
      depth = leaveRoom(loop, left, depth,
                        gates::sharedMemoryCap(*target) - freeBytes, *target);
      TILEIR_LOG() << loop.getLoc() << ": " << freeBytes
                   << " bytes of shared memory are free beside " << scratch
                   << " of scratch; the group gets " << share << " for "
                   << depth << " stages of\n"
                   << group;
      if (depth < getLeastStages(group)) {
        remark::missed(loop.getLoc(),
                       remarkAbout(loop, "MaterializeAsync", "tileas"))
            << StringRef(group.isReadByMany
                             ? "loads stay synchronous: no shared memory for a "
                               "stage"
                             : "loads stay synchronous: no shared memory for "
                               "two stages")
            << remark::metric("SlotBytes", group.getSlotBytes())
            << remark::metric("FreeBytes", share)
            << remark::metric("Suggestion",
                              StringRef("take smaller tiles along K"));
        reportSynchronous(group, "shared memory has no room for its stages",
                          explained);
        llvm::erase_if(sure, [&](as::DotOp dot) {
          return dot->getBlock() == loop.getBody();
        });
        continue;
      }
      reportGroup(group, loop, depth);
      loop = GroupRewriter(loop, group, depth).run();
      numLoads += group.loads.size();
      ++numPipelines;
      isNew = true;
    }
    // The enclosing loops were rebuilt, in the same order.
    if (isNew)
      loops = getLoops(func);
  }
  reportOtherLoads(func, explained);
}

} // namespace tileir
