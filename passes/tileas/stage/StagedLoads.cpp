// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/stage/StagedLoads.h"

#include "passes/analysis/Pipelines.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/layout/LayoutChoice.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/CtaPairs.h"
#include "passes/tileas/mma/DotOperands.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/mma/Umma.h"
#include "passes/tileas/mma/WarpDots.h"
#include "passes/tileas/stage/RestagedOperands.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/layout/SharedMemory.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"

#define DEBUG_TYPE "tileas-stage-operands"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

int64_t StagedGroup::getSlotBytes() const {
  int64_t bytes = 0;
  for (const StagedLoad &load : loads)
    bytes += load.slot.getStageStride();
  return bytes;
}

void StagedGroup::print(raw_ostream &os) const {
  os << (usesTma() ? "tensor copies" : "copies by threads") << ", "
     << getSlotBytes() << " bytes a stage, latency " << getLatency();
  os << ", for " << as::stringifyMmaKind(kind);
  for (const StagedLoad &load : loads) {
    os << "\n  ";
    printPlace(os, load.load->getLoc());
    os << ": " << load.slot;
  }
}

int64_t StagedGroup::getLatency() const {
  int64_t latency = 0;
  for (const StagedLoad &load : loads)
    if (auto hint = load.load->getAttrOfType<IntegerAttr>("latency"))
      latency = latency ? std::min(latency, hint.getInt()) : hint.getInt();
  return latency;
}

SharedMemoryBudget getStagingBudget(aa::FuncOp func, const Target &target,
                                    scf::ForOp loop) {
  SharedMemoryBudget budget(func, target, [&](Operation *op) {
    return !loop || !isa<as::AllocTensorOp>(op) || isLiveIn(op, loop);
  });
  budget.claimMbarriers(/*perSlot=*/1, [](Operation *op) {
    return cast<as::PipelineCreateOp>(op).getSync() ==
           as::PipelineSync::Mbarrier;
  });
  return budget;
}

//===----------------------------------------------------------------------===//
// Where a tile comes from
//===----------------------------------------------------------------------===//

bool isRename(Operation *op) {
  return isa<as::ConvertLayoutOp, as::PermuteOp, as::ViewOp>(op) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

as::BufferType getRenamedSlot(as::BufferType slot, Operation *rename) {
  const Layout &layout = slot.getLayout().getLayout();
  auto typeOf = [&](const Layout &renamed) {
    return as::BufferType::get(slot.getContext(), 0, renamed.getShape(),
                               slot.getElementType(),
                               as::getLayoutAttr(slot.getContext(), renamed));
  };
  if (auto permute = dyn_cast<as::PermuteOp>(rename)) {
    ArrayRef<int32_t> permutation = permute.getPermutation();
    return typeOf(layout.permute({permutation.begin(), permutation.end()}));
  }
  if (isa<as::ViewOp>(rename)) {
    auto tile = cast<RankedTensorType>(rename->getResult(0).getType());
    Layout::Shape shape(tile.getShape().begin(), tile.getShape().end()),
        wide = layout.getShape();
    if (tile.getNumElements() != ShapedType::getNumElements(slot.getShape())) {
      // The view of a halved tile adds or drops dimensions of extent 1.
      llvm::erase(wide, 1);
      unsigned next = 0;
      for (int64_t &extent : shape)
        if (extent > 1)
          extent = wide[next++];
    }
    return typeOf(layout.reshape(shape));
  }
  return slot;
}

bool isCopyRounding(Operation *op) {
  auto convert = dyn_cast_or_null<as::FpToFpOp>(op);
  return convert && isa<RankedTensorType>(convert.getType()) &&
         getElementTypeOrSelf(convert.getSource().getType()).isF32() &&
         isa<FloatTF32Type>(getElementTypeOrSelf(convert.getType())) &&
         convert.getRounding() == aa::RoundingMode::NearestEven &&
         !convert.getSaturate();
}

/// The load in the body of `loop` whose elements are in `tile`, or null. With
/// TMA the copy may round them to tf32. Without, threads convert the copied
/// elements from the slot to the operand.
static Operation *getLoadOf(Value tile, scf::ForOp loop, const Target &target) {
  Operation *op = tile.getDefiningOp();
  bool isRounded = false;
  auto passes = [&](Operation *at) {
    if (at->getNumResults() != 1 || at->getNumOperands() == 0)
      return false;
    return isRename(at) || (target.hasTma() ? !isRounded && isCopyRounding(at)
                                            : isConversion(at));
  };
  while (op && passes(op)) {
    isRounded |= isCopyRounding(op);
    op = op->getOperand(0).getDefiningOp();
  }
  return op && isa<as::TiledLoadOp, as::LoadOp>(op) &&
                 op->getBlock() == loop.getBody()
             ? op
             : nullptr;
}

Value getStoredTile(Value buffer) {
  if (!buffer.getDefiningOp<as::AllocTensorOp>())
    return {};
  Value tile;
  for (Operation *user : buffer.getUsers()) {
    auto copy = dyn_cast<as::CopyOp>(user);
    if (copy && copy.getDst() == buffer && !tile)
      tile = copy.getSrc();
    else if (!isa<as::DotOp, as::DeallocOp>(user))
      return {};
  }
  return tile;
}

/// The readers of the elements of `tile`, past renaming operations. A dot reads
/// the slot in place of the buffer that an operand is stored to.
static void collectReaders(Value tile, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : tile.getUsers()) {
    if (isRename(user)) {
      collectReaders(user->getResult(0), readers);
      continue;
    }
    readers.push_back(user);
    auto copy = dyn_cast<as::CopyOp>(user);
    if (copy && copy.getDst() && getStoredTile(copy.getDst()))
      for (Operation *reader : copy.getDst().getUsers())
        if (isa<as::DotOp>(reader))
          readers.push_back(reader);
  }
}

//===----------------------------------------------------------------------===//
// Memory order
//===----------------------------------------------------------------------===//

namespace {

/// Follows the tokens of a load inside a loop.
class TokenTrace {
public:
  explicit TokenTrace(scf::ForOp loop) : loop(loop) {}

  /// Returns whether something other than a load of the loop comes before
  /// `token`. The tokens from outside that do are collected.
  bool findWriteBefore(Value token, llvm::SmallSetVector<Value, 2> &outside) {
    if (!token || !seen.insert(token).second)
      return false;
    if (loop.isDefinedOutsideOfLoop(token)) {
      outside.insert(token);
      return false;
    }
    auto arg = dyn_cast<BlockArgument>(token);
    if (arg) {
      if (arg.getOwner() != loop.getBody())
        return true;
      return findWriteBefore(loop.getTiedLoopInit(arg)->get(), outside) ||
             findWriteBefore(loop.getTiedLoopYieldedValue(arg)->get(), outside);
    }
    Operation *op = token.getDefiningOp();
    if (!isa<as::TiledLoadOp, as::LoadOp, as::GatherLoadOp, as::JoinMemTokenOp,
             as::CreateMemTokenOp>(op))
      return true;
    for (Value operand : op->getOperands())
      if (isa<aa::MemTokenType>(operand.getType()) &&
          findWriteBefore(operand, outside))
        return true;
    return false;
  }

  /// Returns whether something other than a load of the loop comes after
  /// `token`.
  bool findWriteAfter(Value token) {
    if (!seen.insert(token).second)
      return false;
    for (OpOperand &use : token.getUses()) {
      Operation *user = use.getOwner();
      if (!loop->isProperAncestor(user))
        continue;
      if (isa<scf::YieldOp>(user) && user->getParentOp() == loop) {
        if (findWriteAfter(loop.getRegionIterArgs()[use.getOperandNumber()]))
          return true;
        continue;
      }
      if (!isa<as::TiledLoadOp, as::LoadOp, as::GatherLoadOp,
               as::JoinMemTokenOp>(user))
        return true;
      for (Value result : user->getResults())
        if (isa<aa::MemTokenType>(result.getType()) && findWriteAfter(result))
          return true;
    }
    return false;
  }

private:
  scf::ForOp loop;
  llvm::SmallDenseSet<Value> seen;
};

} // namespace

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

/// Reasons that a user can act on, in addition to those of TensorCopies.h.
static constexpr llvm::StringLiteral
    kNotWeak = "it is not weak",
    kOddPadding = "its padding is not zero",
    kOddOther = "its value where masked off is not zero",
    kUnaligned = "fewer than 4 bytes in a row are known to be aligned and to "
                 "share a predicate",
    kWrittenBefore =
        "it is ordered after an access of the loop that is no load",
    kWrittenAfter = "an access of the loop that is no load is ordered after it",
    kReadNext = "the next iteration reads it";

/// Reasons that lie in what the program does with the tile.
static constexpr llvm::StringLiteral kNoOperand =
    "no mma of its loop takes the tile as it is loaded";

std::string checkCopiedAccess(Operation *op) {
  if (op->getAttrOfType<aa::MemSemanticAttr>("mem_semantic").getValue() !=
          aa::MemSemantic::Weak ||
      op->hasAttr("is_volatile"))
    return kNotWeak.str();
  if (op->hasAttr(aa::kMultimemAttr))
    return "it combines the memory of several devices";
  if (auto load = dyn_cast<as::TiledLoadOp>(op)) {
    if (!load.getOffsets().empty())
      return "it has offsets inside the tile";
    aa::PaddingValueAttr padding = load.getView().getType().getPadding();
    if (padding && padding.getValue() != aa::PaddingValue::Zero)
      return kOddPadding.str();
    return "";
  }
  auto load = cast<as::LoadOp>(op);
  if (!isa<RankedTensorType>(load.getValue().getType()))
    return "it is a scalar";
  if (Value other = load.getOther(); other && !matchPattern(other, m_Zero()) &&
                                     !matchPattern(other, m_AnyZeroFloat()))
    return kOddOther.str();
  return "";
}

/// The layout of a stage: its lines along the dimension that is contiguous in
/// memory, swizzled as far as they reach.
static std::optional<Layout> getStageLayout(const Layout &via, unsigned bits,
                                            bool hasWideChunks) {
  Layout::Shape shape = via.getShape();
  unsigned major = shape.size();
  for (unsigned d = 0; d < shape.size(); ++d)
    if (via.contiguity(d) > 0)
      major = d;
  if (major == shape.size())
    return std::nullopt;
  SmallVector<Swizzle> swizzles = getOperandSwizzles(hasWideChunks);
  swizzles.push_back(Swizzle::None);
  for (Swizzle swizzle : swizzles)
    if (auto layout = swizzledSmem(shape, swizzle, major, bits))
      return layout;
  return std::nullopt;
}

/// Layout of the registers that scales are copied through, of one warp if it
/// `isByOneWarp`: a thread has the four scales of a row that form a 32-bit cell
/// of tensor memory.
static Layout getScaleLayout(Value scales, unsigned numWarps,
                             bool isByOneWarp) {
  constexpr int64_t kPerWord = 4;
  ArrayRef<int64_t> extents = cast<ShapedType>(scales.getType()).getShape();
  unsigned kDim = getContiguousDim(scales);
  std::vector<int64_t> perThread(2, 1), lanes(2, 1), warps(2, 1);
  perThread[kDim] = kPerWord;
  lanes[1 - kDim] = limits::threadsPerWarp;
  if (!isByOneWarp)
    warps[1 - kDim] = numWarps;
  Layout layout = Layout::blocked(Layout::Shape(extents.begin(), extents.end()),
                                  perThread, lanes, warps, {kDim, 1 - kDim});
  if (!isByOneWarp)
    return layout;
  // The other warps have the same elements.
  Layout::FlatBases bases = layout.getFlatBases();
  bases[kWarp].resize(llvm::Log2_32(numWarps));
  return Layout::getUnchecked(LayoutSpace::Reg, layout.getShape(), bases);
}

/// Fills in the layout of a copy by threads; returns the obstacle, if any.
static std::string stageByThreads(StagedLoad &staged, unsigned numWarps) {
  Operation *op = staged.load;
  auto tile = cast<RankedTensorType>(staged.tile.getType());
  unsigned bits = as::getStorageBits(tile.getElementType());
  // Pointers stay in their layout; a view is read in the layout that coalesces
  // best.
  Layout via = staged.scaleLayout
                   ? getScaleLayout(staged.tile, numWarps, staged.isByOneWarp)
               : isa<as::TiledLoadOp>(op) ? getCoalescedLayout(op, numWarps)
                                          : as::getTileLayout(tile).getLayout();
  if (getVectorBits(op, via) < 32)
    return kUnaligned.str();
  std::optional<Layout> layout =
      getStageLayout(via, bits, staged.hasWideChunks);
  if (staged.scaleLayout)
    layout = staged.scaleLayout.getLayout();
  if (!layout)
    return "its tile is too small for a layout in shared memory";
  if ((bits << smemAccess(via, *layout, bits).vectorBits) < 32)
    return "its elements do not lie side by side in shared memory";
  MLIRContext *context = op->getContext();
  staged.via = as::getLayoutAttr(context, via);
  staged.slot =
      as::BufferType::get(context, 0, tile.getShape(), tile.getElementType(),
                          as::getLayoutAttr(context, *layout));
  return "";
}

/// Returns the rounded tile, if one operation rounds the elements of `tile` and
/// is its only reader; null otherwise.
static Value getRounded(Value tile) {
  while (tile.hasOneUse() && isa<as::ConvertLayoutOp>(*tile.getUsers().begin()))
    tile = tile.getUsers().begin()->getResult(0);
  if (!tile.hasOneUse() || !isCopyRounding(*tile.getUsers().begin()))
    return {};
  return tile.getUsers().begin()->getResult(0);
}

/// Makes `staged` a tensor copy; why it is none otherwise.
static std::string stageByTma(StagedLoad &staged, const Target &target) {
  std::string reason;
  Value rounded = getRounded(staged.tile);
  staged.tensorCopy = findTensorCopy(
      staged.load,
      getElementTypeOrSelf((rounded ? rounded : staged.tile).getType()),
      getOperandSwizzles(staged.hasWideChunks), target, reason,
      staged.halvedDim);
  if (!staged.tensorCopy)
    return reason;
  staged.slot = staged.tensorCopy->slot;
  if (rounded)
    staged.tile = rounded;
  return "";
}

StringRef getSuggestion(StringRef reason) {
  return llvm::StringSwitch<StringRef>(reason)
      .Case(kNotWeak,
            "make it weak if no other thread writes these bytes meanwhile")
      .Case(kOddPadding, "pad with zero and select the value after the load")
      .Case(kOddOther, "mask with zero and select the value after the load")
      .Case(kUnaligned, "assume that pointers, sizes and strides are divisible "
                        "by 16 bytes, and let masks change at such multiples")
      .Case(kWrittenBefore, "take its token from outside of the loop if the "
                            "accesses do not overlap")
      .Case(kWrittenAfter, "give that access a token from outside of the loop "
                           "if they do not overlap")
      .Case(kReadNext, "load the tile in the iteration that reads it")
      .Case(kByPointers, "load through a partition view")
      .Case(kUnknownAtStart, "make the view of arguments of the kernel, not of "
                             "what it loads or what changes in a loop")
      .Case(kUnknownAlign, "assume that pointer and strides of the view are "
                           "divisible by 16 bytes")
      .Default("");
}

/// Adds `reason` and the suggestion.
static void addReason(remark::detail::InFlightRemark &out, StringRef reason) {
  out << remark::metric("Reason", reason);
  if (StringRef suggestion = getSuggestion(reason); !suggestion.empty())
    out << remark::metric("Suggestion", suggestion);
}

static void reportByThreads(Operation *load, StringRef reason) {
  TILEIR_LOG() << load->getLoc() << ": no tensor copy: " << reason;
  remark::detail::InFlightRemark out = remark::missed(
      load->getLoc(), remarkAbout(load, "MaterializeAsync", "tileas"));
  out << StringRef("load is copied by threads, not by tensor map");
  addReason(out, reason);
}

static Value getToken(Operation *load) {
  if (auto byPointers = dyn_cast<as::LoadOp>(load))
    return byPointers.getToken();
  return cast<as::TiledLoadOp>(load).getToken();
}

Value getInputToken(Operation *load, scf::ForOp loop) {
  llvm::SmallSetVector<Value, 2> outside;
  TokenTrace(loop).findWriteBefore(getToken(load), outside);
  return outside.empty() ? Value() : outside.front();
}

/// Fills in tile and token of `staged`; returns what keeps every kind of copy
/// from its load, if anything does.
static std::string checkStaged(StagedLoad &staged, scf::ForOp loop) {
  Operation *op = staged.load;
  std::string reason = checkCopiedAccess(op);
  if (!reason.empty())
    return reason;
  staged.tile = op->getResult(0);
  staged.token = op->getResult(1);
  llvm::SmallSetVector<Value, 2> outside;
  if (TokenTrace(loop).findWriteBefore(getToken(op), outside) ||
      outside.size() > 1)
    return kWrittenBefore.str();
  if (TokenTrace(loop).findWriteAfter(staged.token))
    return kWrittenAfter.str();

  auto tile = cast<RankedTensorType>(staged.tile.getType());
  unsigned bits = as::getStorageBits(tile.getElementType());
  if (bits < 8 || bits > 64)
    return "of its element type";
  if (!getProducerSlice(loop, op, reason))
    return reason;
  SmallVector<Operation *> readers;
  collectReaders(staged.tile, readers);
  if (llvm::is_contained(readers, loop.getBody()->getTerminator()))
    return kReadNext.str();
  return "";
}

/// Fills in `staged`; returns the obstacle, if any.
static std::string stage(StagedLoad &staged, scf::ForOp loop, unsigned numWarps,
                         const Target &target) {
  std::string reason = checkStaged(staged, loop);
  if (!reason.empty())
    return reason;
  std::string noTma = staged.scaleLayout ? "scales need a layout of their own"
                                         : stageByTma(staged, target);
  if (noTma.empty())
    return "";
  reason = stageByThreads(staged, numWarps);
  if (reason.empty() && target.hasTma())
    reportByThreads(staged.load, noTma);
  return reason;
}

//===----------------------------------------------------------------------===//
// Search
//===----------------------------------------------------------------------===//

/// Remarks that `load` stays synchronous for `reason`. `operand` of an MMA is
/// its tile; empty where it is none.
static void reportSynchronous(Operation *load, StringRef operand,
                              StringRef reason) {
  TILEIR_LOG() << load->getLoc() << ": " << load->getName()
               << " stays synchronous: " << reason;
  remark::detail::InFlightRemark out = remark::missed(
      load->getLoc(), remarkAbout(load, "MaterializeAsync", "tileas"));
  out << StringRef("load stays synchronous");
  if (!operand.empty())
    out << remark::metric("Operand", operand);
  addReason(out, reason);
}

void reportSynchronous(const StagedGroup &group, StringRef reason,
                       ExplainedLoads &explained) {
  for (const StagedLoad &staged : group.loads)
    if (explained.insert(staged.load->getLoc()).second)
      reportSynchronous(staged.load, /*operand=*/"", reason);
}

void reportOtherLoads(aa::FuncOp func, ExplainedLoads &explained) {
  if (!func.getContext()->getRemarkEngine())
    return;
  func->walk([&](Operation *op) {
    if (!isa<as::TiledLoadOp, as::LoadOp, as::GatherLoadOp>(op) ||
        !isa<RankedTensorType>(op->getResult(0).getType()) ||
        !op->getParentOfType<LoopLikeOpInterface>() ||
        !explained.insert(op->getLoc()).second)
      return;
    std::string reason =
        isa<as::GatherLoadOp>(op) ? kRowsGathered.str() : checkCopiedAccess(op);
    if (reason.empty())
      reason = kNoOperand.str();
    reportSynchronous(op, /*operand=*/"", reason);
  });
}

/// Adds the first and last operation of the body that reads `group`.
static void setUses(StagedGroup &group, scf::ForOp loop, as::DotOp dot) {
  // The tensor core reads the unscaled elements; threads read elements to
  // convert in parts, before each MMA.
  SmallVector<Operation *> readers;
  if (dot.hasBuffers() || getDotOperands(dot).isScaled() || isConverted(dot))
    readers.push_back(dot);
  for (const StagedLoad &load : group.loads) {
    collectReaders(load.tile, readers);
    loop.getBody()->walk([&](as::DotOp other) {
      if (isConvertedOperand(other, load.load))
        readers.push_back(other);
    });
  }
  for (Operation *reader : readers) {
    Operation *at = loop.getBody()->findAncestorOpInBlock(*reader);
    if (!group.firstUse || at->isBeforeInBlock(group.firstUse))
      group.firstUse = at;
    if (!group.lastUse || group.lastUse->isBeforeInBlock(at))
      group.lastUse = at;
  }
}

namespace {

/// A tile that a dot reads, and its requirements: a layout for scales, chunks
/// of 32 bytes.
struct WantedLoad {
  Value tile;
  bool isA;
  as::LayoutAttr scaleLayout;
  bool hasWideChunks = false;
};

} // namespace

/// Returns whether `mma.sync` reads operands in chunks of 32 bytes: lanes that
/// read four such rows access different banks then.
static bool readsWideChunks(as::DotOp dot, const Target &target) {
  return isAssigned(dot, as::MmaKind::MmaSync) && !dot.hasBuffers() &&
         (target.hasTmaWideChunks() || !target.hasTma()) && !isConverted(dot);
}

/// The tiles that `dot` multiplies. Scales count where an instruction takes
/// them.
static SmallVector<WantedLoad> getWantedLoads(as::DotOp dot,
                                              const Target &target) {
  if (dot.getAtom().getKind() == as::MmaKind::Fma) {
    SmallVector<WantedLoad> wanted;
    for (Value operand : {dot.getA(), dot.getB()}) {
      Value tile = dot.hasBuffers() ? getStoredTile(operand) : Value();
      Operation *op = tile ? tile.getDefiningOp() : nullptr;
      while (op && isRename(op))
        op = op->getOperand(0).getDefiningOp();
      // Threads convert others on their way to the buffer.
      if (isa_and_nonnull<as::TiledLoadOp, as::LoadOp>(op))
        wanted.push_back({tile, operand == dot.getA(), {}});
    }
    return wanted;
  }
  DotOperands operands = getDotOperands(dot);
  // Threads store the scales, and pairs without a legal layout.
  if (isFedByThreads(dot)) {
    SmallVector<WantedLoad> wanted = {{operands.b, false, {}}};
    if (!operands.isPacked() ||
        dot.getMma()->getA() != as::MmaOperand::Restaged)
      wanted.push_back({operands.a, true, {}});
    return wanted;
  }
  bool isUmma = isAssigned(dot, as::MmaKind::Umma);
  if (!operands.isScaled() || !isUmma) {
    // The tensor core reads 32-byte chunks in no other layout.
    bool isWide = isUmma || readsWideChunks(dot, target);
    SmallVector<WantedLoad> wanted = {
        {dot.getA(), true, {}, isWide && hasWideRows(dot.getA(), 1)},
        {dot.getB(), false, {}, isWide && hasWideRows(dot.getB(), 0)}};
    if (dot.getScaleA())
      wanted.append(
          {{dot.getScaleA(), true, {}}, {dot.getScaleB(), false, {}}});
    return wanted;
  }
  auto getScaleLayoutOf = [](Value scales, unsigned kDim) {
    ArrayRef<int64_t> shape = cast<ShapedType>(scales.getType()).getShape();
    return as::getLayoutAttr(
        scales.getContext(),
        *as::getStagedScaleLayout(Layout::Shape(shape.begin(), shape.end()),
                                  kDim));
  };
  return {{operands.a, true, {}},
          {operands.b, false, {}},
          {operands.scaleA, true, getScaleLayoutOf(operands.scaleA, 1)},
          {operands.scaleB, false, getScaleLayoutOf(operands.scaleB, 0)}};
}

/// Returns why the tensor core cannot read `slot`, the copied part of the tile
/// that is the operand of `dot` with K in dimension `kDim`.
static std::string checkSlot(as::BufferType slot, Value operand,
                             unsigned kDim) {
  SmallVector<Operation *> renames;
  for (Operation *op = operand.getDefiningOp(); !isa<as::TiledLoadOp>(op);
       op = op->getOperand(0).getDefiningOp())
    if (isRename(op))
      renames.push_back(op);
  for (Operation *rename : llvm::reverse(renames))
    slot = getRenamedSlot(slot, rename);
  return as::getOperandProblem(slot, kDim, as::kTensorMemoryTransposedBits);
}

std::string checkPairedLoads(as::DotOp dot, const Target &target) {
  auto loop = cast<scf::ForOp>(dot->getParentOp());
  for (const WantedLoad &wanted : getWantedLoads(dot, target)) {
    StagedLoad staged;
    staged.load = getLoadOf(wanted.tile, loop, target);
    staged.hasWideChunks = wanted.hasWideChunks;
    if (!wanted.isA)
      staged.halvedDim = getHalvedLoad(dot)->dim;
    if (!staged.load || !staged.load->isBeforeInBlock(dot))
      return "an operand is no load of the loop";
    std::string reason = checkStaged(staged, loop);
    if (reason.empty())
      reason = stageByTma(staged, target);
    if (reason.empty())
      reason = checkSlot(staged.slot, wanted.tile, wanted.isA ? 1 : 0);
    if (!reason.empty())
      return ("no tensor copy delivers operand " +
              Twine(wanted.isA ? "A" : "B") + ": " + reason)
          .str();
  }
  return "";
}

SmallVector<StagedGroup> findStagedGroups(scf::ForOp loop, unsigned numWarps,
                                          const Target &target,
                                          ExplainedLoads &explained) {
  // Loads by the product that reads them first; apart those that one warp
  // issues: tensor copies, and beside two of them their scales.
  llvm::MapVector<std::pair<Operation *, unsigned>, StagedGroup> groups;
  llvm::SmallDenseMap<Operation *, as::DotOp> seen;
  llvm::SmallDenseSet<Operation *> readByMany;
  for (auto dot : loop.getBody()->getOps<as::DotOp>())
    for (const WantedLoad &wanted : getWantedLoads(dot, target)) {
      Operation *load = getLoadOf(wanted.tile, loop, target);
      if (!load)
        continue;
      auto [first, isNew] = seen.try_emplace(load, dot);
      if (!isNew) {
        if (first->second != dot)
          readByMany.insert(load);
        continue;
      }
      StagedLoad staged;
      staged.load = load;
      staged.scaleLayout = wanted.scaleLayout;
      staged.hasWideChunks = wanted.hasWideChunks;
      if (isPaired(dot) && !wanted.isA)
        staged.halvedDim = getHalvedLoad(dot)->dim;
      staged.isByOneWarp =
          wanted.scaleLayout && groups.lookup({dot, 1}).loads.size() >= 2;
      std::string reason = stage(staged, loop, numWarps, target);
      unsigned isIssued = staged.isIssued() ? 1 : 0;
      if (reason.empty())
        groups[{dot, isIssued}].loads.push_back(staged);
      else if (explained.insert(load->getLoc()).second)
        reportSynchronous(load, wanted.isA ? "A" : "B", reason);
    }
  TILEIR_LOG() << loop.getLoc() << ": " << seen.size()
               << " loads of the loop feed dots, in " << groups.size()
               << " groups";
  SmallVector<StagedGroup> result;
  for (auto &entry : groups) {
    StagedGroup &group = entry.second;
    auto dot = cast<as::DotOp>(entry.first.first);
    group.kind = dot.getMma()->getKind();
    auto isShared = [&](const StagedLoad &load) {
      return !group.isAsync() && readByMany.contains(load.load);
    };
    group.isReadByMany = llvm::any_of(group.loads, isShared);
    setUses(group, loop, dot);
    bool isOne = llvm::all_of(group.loads, [&](const StagedLoad &load) {
      return load.load->isBeforeInBlock(group.firstUse);
    });
    if (isOne) {
      result.push_back(group);
      continue;
    }
    for (const StagedLoad &load : group.loads) {
      result.emplace_back().loads.push_back(load);
      result.back().kind = group.kind;
      result.back().isReadByMany = isShared(load);
      setUses(result.back(), loop, dot);
    }
  }
  return result;
}

} // namespace tileir
