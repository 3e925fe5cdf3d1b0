// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/stage/RestagedOperands.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileas/accumulators/LoopValues.h"
#include "passes/tileas/accumulators/TensorMemoryChains.h"
#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/tileas/layout/LayoutChoice.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/BlockScales.h"
#include "passes/tileas/mma/DotOperands.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/mma/Umma.h"
#include "passes/tileas/pipeline/PipelineIterators.h"
#include "passes/tileas/stage/StagedLoads.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/nv_tileas/ScaledBlocks.h"
#include "dialects/support/Heuristics.h"
#include "dialects/support/layout/TensorMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#define DEBUG_TYPE "tileas-place-accumulators"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

/// Rows of every block-scaled MMA, and of the scales of an operand.
static constexpr int64_t kUnitRows = 128;
/// Scales along K in a 32-bit cell of tensor memory.
static constexpr int64_t kWordScales = 4;

//===----------------------------------------------------------------------===//
// Types and extents
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> getExtents(Value tile) {
  return cast<RankedTensorType>(tile.getType()).getShape();
}

/// The slot's matrix that a copy reads `tile` from; null if there is none.
static Value getMatrix(Value tile) {
  while (auto convert = tile.getDefiningOp<as::ConvertLayoutOp>())
    tile = convert.getSource();
  auto copy = tile.getDefiningOp<as::CopyOp>();
  if (!copy || !copy.getResult())
    return {};
  Value matrix = copy.getSrc();
  while (cast<as::BufferType>(matrix.getType()).getRank() != 2) {
    auto view = matrix.getDefiningOp<as::ViewOp>();
    if (!view || view.getStage())
      return {};
    matrix = view.getSource();
  }
  return matrix;
}

/// The matrix in a slot of this iteration that an operand of `dot` comes from,
/// if the tensor core can read it there; null otherwise.
static Value findSlot(as::DotOp dot, const DotOperands &operands, bool isA) {
  Value matrix = getMatrix(isA ? operands.a : operands.b);
  if (!matrix)
    return {};
  unsigned kDim = isA ? DotOperands::kDimOfA : operands.getKDimOfB();
  int64_t rows = getExtents(dot.getC())[isA ? 0 : 1];
  as::PipelineWaitOp wait = getSlotWait(matrix);
  return wait && wait->getBlock() == dot->getBlock() &&
                 cast<as::BufferType>(matrix.getType()).getShape()[1 - kDim] ==
                     rows &&
                 checkOperandLayout(matrix, kDim,
                                    operands.isPacked()
                                        ? as::kNoTransposedBits
                                        : as::kTensorMemoryTransposedBits)
                     .empty()
             ? matrix
             : Value();
}

/// The extents of an operand of `dot`. Pairs of elements may have other extents
/// of the same order.
static SmallVector<int64_t>
getOperandShape(as::DotOp dot, const DotOperands &operands, bool isA) {
  Value tile = isA ? operands.a : operands.b;
  if (!operands.isPacked())
    return SmallVector<int64_t>(getExtents(tile));
  int64_t rows = getExtents(dot.getC())[isA ? 0 : 1];
  return {rows, cast<RankedTensorType>(tile.getType()).getNumElements() / rows};
}

/// The extents of a buffer for the scales of an operand.
static Layout::Shape getScaleShape(Value scales, unsigned kDim) {
  ArrayRef<int64_t> tile = getExtents(scales);
  Layout::Shape shape(tile.begin(), tile.end());
  shape[1 - kDim] = std::max(shape[1 - kDim], kUnitRows);
  shape[kDim] = std::max(shape[kDim], kWordScales);
  return shape;
}

static as::BufferType getBufferType(Value tile, const Layout::Shape &shape,
                                    const Layout &layout) {
  return as::BufferType::get(tile.getContext(), /*stages=*/0, shape,
                             getElementTypeOrSelf(tile.getType()),
                             as::getLayoutAttr(tile.getContext(), layout));
}

/// The buffer for scales that threads store.
static as::BufferType getScaleType(Value scales, unsigned kDim) {
  Layout::Shape shape = getScaleShape(scales, kDim);
  return getBufferType(scales, shape, *as::getStagedScaleLayout(shape, kDim));
}

/// The buffer for an operand that threads store; null if no layout is legal.
static as::BufferType getOperandType(as::DotOp dot, const DotOperands &operands,
                                     bool isA) {
  Value tile = isA ? operands.a : operands.b;
  unsigned kDim = isA ? DotOperands::kDimOfA : operands.getKDimOfB();
  SmallVector<int64_t> shape = getOperandShape(dot, operands, isA);
  auto whole =
      RankedTensorType::get(shape, getElementTypeOrSelf(tile.getType()));
  as::TransposedBits transposed = operands.isPacked()
                                      ? as::kNoTransposedBits
                                      : as::kTensorMemoryTransposedBits;
  for (unsigned major :
       {operands.isPacked() ? kDim : getContiguousDim(tile), kDim}) {
    as::BufferType type = getStagingType(whole, major);
    if (as::getOperandProblem(type, kDim, transposed).empty())
      return type;
  }
  return {};
}

static int64_t countColumns(as::DotOp dot, const DotOperands &operands) {
  int64_t columns =
      tensorColumns(*tensorAccLayout(dot.getC().getType().getShape()));
  if (operands.isScaled())
    columns += tensorColumns(
                   *as::getScaleLayout(getScaleShape(operands.scaleA, 1), 1)) +
               tensorColumns(
                   *as::getScaleLayout(getScaleShape(operands.scaleB, 0), 0));
  return columns;
}

//===----------------------------------------------------------------------===//
// Choice of restaged operands
//===----------------------------------------------------------------------===//

/// Returns whether an asynchronous copy may deliver the tile of `load`, by the
/// facts known before staging. Only TMA rounds to tf32.
static bool mayBeCopied(Operation *load, bool isRounded) {
  constexpr unsigned kMinCopyBits = 32; // PTX ISA, "cp.async"
  auto fact =
      load->getAttrOfType<StringAttr>(as::TileASDialect::getTmaAttrName());
  if (!checkCopiedAccess(load).empty() ||
      (isRounded && (!fact || fact.getValue() != "ok")))
    return false;
  unsigned numWarps = getNumWarps(load->getParentOfType<aa::FuncOp>());
  return getVectorBits(load, getCoalescedLayout(load, numWarps)) >=
         kMinCopyBits;
}

/// Returns whether a copy delivers `tile`, in the block of `dot`, with
/// dimension `kDim` contiguous if it `wantsK`; before staging (not `isStaged`),
/// whether one may. For block-scaled operands (`isScaled`),
/// `tileas-stage-operands` copies every load that their dot asks for.
static bool isCopiedBefore(Value tile, as::DotOp dot, unsigned kDim,
                           bool wantsK, bool isStaged, bool isScaled) {
  Operation *op = tile.getDefiningOp();
  bool isRounded = false;
  while (op && (isRename(op) || isCopyRounding(op))) {
    isRounded |= isCopyRounding(op);
    op = op->getOperand(0).getDefiningOp();
  }
  if (!op || op->getBlock() != dot->getBlock())
    return false;
  if (isa<as::CopyOp>(op))
    return !isRounded;
  if ((isStaged && !isScaled) || getExtents(tile).size() != 2)
    return false;
  return isa<as::TiledLoadOp, as::LoadOp>(op) &&
         (isScaled || mayBeCopied(op, isRounded)) &&
         (!wantsK || getContiguousDim(tile) == kDim);
}

namespace {

/// Which operands threads store.
struct RestagedSides {
  bool a, b, scales;
};

} // namespace

static RestagedSides getRestaged(as::DotOp dot, const DotOperands &operands,
                                 bool isStaged) {
  auto areCopied = [&](Value scales, unsigned kDim) {
    return getExtents(scales)[kDim] >= kWordScales &&
           isCopiedBefore(scales, dot, kDim, /*wantsK=*/true, isStaged,
                          /*isScaled=*/true);
  };
  auto isOperandCopied = [&](bool isA) {
    Value tile = isA ? operands.a : operands.b;
    unsigned kDim = isA ? DotOperands::kDimOfA : operands.getKDimOfB();
    if (getMatrix(tile) && !operands.isScaled())
      return bool(findSlot(dot, operands, isA));
    return isCopiedBefore(tile, dot, kDim, operands.isPacked(), isStaged,
                          operands.isScaled()) &&
           (operands.isScaled() || hasUnitLines(tile, kDim));
  };
  if (!operands.isScaled()) {
    bool isInLoop = isa<scf::ForOp>(dot->getParentOp());
    return {!isInLoop || !isOperandCopied(/*isA=*/true),
            !isInLoop || !isOperandCopied(/*isA=*/false), /*scales=*/false};
  }
  bool isInLoop = bool(getCarryingLoop(dot));
  return {!isInLoop || !isOperandCopied(/*isA=*/true),
          !isInLoop || !isOperandCopied(/*isA=*/false),
          !isInLoop || !areCopied(operands.scaleA, 1) ||
              !areCopied(operands.scaleB, 0)};
}

/// Returns which operands threads store by the assigned MMA of `dot`.
static RestagedSides getRestaged(as::DotOp dot) {
  as::MmaAttr mma = *dot.getMma();
  constexpr auto kRestaged = as::MmaOperand::Restaged;
  return {mma.getA() == kRestaged, mma.getB() == kRestaged,
          mma.getScales() == kRestaged};
}

/// The tile that `dot` adds to, or that its loop begins with.
static Value getInit(as::DotOp dot) {
  scf::ForOp loop = getCarryingLoop(dot);
  return loop ? loop.getTiedLoopInit(cast<BlockArgument>(dot.getC()))->get()
              : Value(dot.getC());
}

/// Returns whether the tensor core reads the operands of `dot` in some layout
/// in which threads store those that no copy delivers.
static bool haveLayouts(as::DotOp dot, const DotOperands &operands,
                        RestagedSides restaged) {
  return (!restaged.a || getOperandType(dot, operands, true)) &&
         (!restaged.b || getOperandType(dot, operands, false));
}

as::MmaAtomAttr getScaledAtom(as::DotOp dot, const Target &target) {
  DotOperands operands = getDotOperands(dot);
  RankedTensorType acc = dot.getC().getType();
  if (!paysScaledDot(target, acc.getDimSize(0), acc.getDimSize(1)) ||
      !tensorAccLayout(acc.getShape()) ||
      countColumns(dot, operands) > TensorMemoryBudget(target).getCap())
    return {};
  Type a = operands.elementA, b = operands.elementB;
  int64_t n = std::min<int64_t>(256, acc.getDimSize(1)),
          k = 256 / int64_t(as::getStorageBits(a));
  Type c = dot.getAtom().getCType();
  int64_t block =
      as::getUnitBlock(a, dot.getDepth(), getScaleShape(operands.scaleA, 1)[1]);
  if (dot.getDepth() % k ||
      !as::MmaAtomAttr::hasUmma(kUnitRows, n, k, a, b, c) ||
      !as::takesScaledBlock(a, getElementTypeOrSelf(operands.scaleA.getType()),
                            block))
    return {};
  return as::MmaAtomAttr::get(dot.getContext(), as::MmaKind::Umma, kUnitRows, n,
                              k, a, b, c);
}

/// The `tcgen05.mma` for `dot`, a dot anywhere; null if there is none.
static as::MmaAtomAttr findAtom(as::DotOp dot, bool isStaged,
                                const Target &target) {
  DotOperands operands = getDotOperands(dot);
  as::MmaAtomAttr atom = getTensorMemoryAtom(dot, target);
  return atom && operands.a && operands.b &&
                 haveLayouts(dot, operands,
                             getRestaged(dot, operands, isStaged))
             ? atom
             : as::MmaAtomAttr();
}

/// Returns whether threads would move the accumulator of `dot`, which has no
/// scales, to tensor memory and back in each iteration: it is neither zero nor
/// a lone iter-arg.
static bool movesAcc(as::DotOp dot) {
  return isa<scf::ForOp>(dot->getParentOp()) && !getCarryingLoop(dot) &&
         !isZeroTile(dot.getC());
}

as::MmaAttr chooseRestaged(as::DotOp dot, const Target &target, bool isStaged) {
  as::MmaAtomAttr atom = findAtom(dot, isStaged, target);
  if (!atom || getDotChain(dot) || !getLoopsAround(dot))
    return {};
  DotOperands operands = getDotOperands(dot);
  RestagedSides restaged = getRestaged(dot, operands, isStaged);
  RankedTensorType acc = dot.getC().getType();
  auto getPlace = [](bool isRestaged) {
    return isRestaged ? as::MmaOperand::Restaged : as::MmaOperand::Pipeline;
  };
  std::optional<as::MmaOperand> scales;
  if (operands.isScaled())
    scales = getPlace(restaged.scales);
  else if (movesAcc(dot) || !paysRestagedDot(target, acc.getDimSize(0),
                                             acc.getDimSize(1), dot.getDepth()))
    return {};
  return as::MmaAttr::get(dot.getContext(), as::MmaKind::Umma,
                          {atom.getM(), atom.getN(), atom.getK()},
                          /*cta_group=*/1, getPlace(restaged.a),
                          getPlace(restaged.b), scales,
                          /*acc=*/1, /*promote=*/0);
}

bool isFedByThreads(as::DotOp dot, as::MmaAttr mma) {
  return !getDotChain(dot) && (mma.isRestaged() || !getCarryingLoop(dot));
}

bool isFedByThreads(as::DotOp dot) {
  return isAssigned(dot, as::MmaKind::Umma) &&
         isFedByThreads(dot, *dot.getMma());
}

void restageOperands(aa::FuncOp func, const Target &target) {
  func->walk([&](as::DotOp dot) {
    // Copies deliver both operands of a pair.
    if (!isAssigned(dot, as::MmaKind::Umma) || dot.hasHalfOfB())
      return;
    if (as::MmaAttr mma = chooseRestaged(dot, target, /*isStaged=*/true))
      dot.setMmaAttr(mma);
    else if (isFedByThreads(dot))
      refuseUmma(dot, "threads store its operands in no layout that it reads");
  });
}

int64_t getBytesRestagedFor(as::DotOp dot) {
  DotOperands operands = getDotOperands(dot);
  RestagedSides restaged = getRestaged(dot);
  int64_t bytes = 0;
  if (operands.isScaled())
    bytes += getScaleType(operands.scaleA, 1).getStageStride() +
             getScaleType(operands.scaleB, 0).getStageStride();
  if (restaged.a)
    bytes += getOperandType(dot, operands, true).getStageStride();
  if (restaged.b)
    bytes += getOperandType(dot, operands, false).getStageStride();
  return bytes;
}

llvm::DenseSet<Operation *> getNotRestaged(as::DotOp dot) {
  if (getDotOperands(dot).isScaled())
    return getOperandProducers(dot);
  // Computed operands are stored in the layout that they have.
  llvm::DenseSet<Operation *> ops;
  for (Value operand : {dot.getA(), dot.getB()})
    for (auto convert = operand.getDefiningOp<as::ConvertLayoutOp>(); convert;
         convert = convert.getSource().getDefiningOp<as::ConvertLayoutOp>())
      if (convert->hasOneUse())
        ops.insert(convert);
  return ops;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

namespace {

/// Slot and phase of the accumulator.
struct Position {
  Value producer, consumer;
};

/// Rewrites one dot with restaged operands.
class RestagedRewriter {
public:
  explicit RestagedRewriter(as::DotOp dot)
      : dot(dot), atom(getUmmaAtom(dot)), operands(getDotOperands(dot)),
        restaged(getRestaged(dot)), loc(dot.getLoc()),
        tile(dot.getC().getType()), loops(*getLoopsAround(dot)), builder(dot) {}

  void run();

private:
  using Step = function_ref<void(Value)>;

  Operation *getOutermost() {
    return loops.empty() ? dot.getOperation() : loops.front().getOperation();
  }
  Value allocate(as::BufferType type);
  Position createPipeline();
  Value advance(Value position);
  Value fill(Value producer, Step write);
  Value read(Value consumer, Step load);
  Position fillAndRead(Position at, Step write, Step load) {
    Value producer = fill(at.producer, write);
    return {producer, read(at.consumer, load)};
  }
  void copy(Value from, Value into) {
    as::CopyOp::create(builder, loc, /*result=*/Type(), from, into,
                       as::CopyAtomAttr());
  }
  Value load(Value slot) {
    return as::CopyOp::create(builder, loc, tile, slot, Value(),
                              as::CopyAtomAttr())
        .getResult();
  }
  void fence(as::FenceKind kind) {
    as::FenceOp::create(builder, loc, kind, aa::MemScopeAttr());
  }
  void store(Value from, Value buffer);
  Value restage(Value from, as::BufferType type);
  Value copyOperand(bool isA);
  Value copyScales(Value scales, unsigned kDim);
  void multiply(Value slot, Value adds);
  void startAccumulator(scf::ForOp inner, Position &args);
  Value readAccumulator(scf::ForOp inner, Position args);

  as::DotOp dot;
  as::MmaAtomAttr atom;
  DotOperands operands;
  RestagedSides restaged;
  Location loc;
  RankedTensorType tile;
  SmallVector<scf::ForOp> loops;
  OpBuilder builder;
  Value pipeline, a, b, scaleA, scaleB;
  /// True if the MMA stays in flight until the next iteration, where threads
  /// wait for it before they store again. It then reads no slot of a pipeline,
  /// which they would release before.
  bool runsOn = false;
  /// Buffers that live as long as all loops.
  SmallVector<Value> buffers;
};

} // namespace

/// A buffer of which `run` ends the life.
Value RestagedRewriter::allocate(as::BufferType type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(getOutermost());
  Value buffer = as::AllocTensorOp::create(builder, loc, type, IntegerAttr(),
                                           IntegerAttr());
  buffers.push_back(buffer);
  return buffer;
}

/// The accumulator, a slot that MMAs fill.
Position RestagedRewriter::createPipeline() {
  MLIRContext *context = dot.getContext();
  auto layout = as::getLayoutAttr(context, *tensorAccLayout(tile.getShape()));
  auto getType = [&](int64_t stages) {
    return as::BufferType::get(context, stages, tile.getShape(),
                               tile.getElementType(), layout);
  };
  Value buffer = allocate(getType(1));
  builder.setInsertionPoint(getOutermost());
  pipeline = as::PipelineCreateOp::create(
      builder, loc, as::PipelineType::get(context, /*depth=*/1, getType(0)),
      buffer, as::PipelineProducer::Umma,
      builder.getArrayAttr(as::PipelineConsumerAttr::get(
          context, as::PipelineConsumer::Generic)),
      as::PipelineSync::Mbarrier, as::PipelineEmpty::Barrier);
  auto start = [&](as::PipelineSide side) {
    return as::PipelineIteratorOp::create(
        builder, loc, as::PipelineIteratorType::get(context, /*depth=*/1),
        pipeline, side, Value());
  };
  Value producer = start(as::PipelineSide::Producer);
  return {producer, start(as::PipelineSide::Consumer)};
}

Value RestagedRewriter::advance(Value position) {
  return as::PipelineAdvanceOp::create(builder, loc, position.getType(),
                                       position);
}

/// Begins a phase of the accumulator with the work that `write` starts. Returns
/// the next position.
Value RestagedRewriter::fill(Value producer, Step write) {
  write(as::PipelineAcquireOp::create(
            builder, loc,
            cast<as::PipelineType>(pipeline.getType()).getPayloads(), pipeline,
            producer, Value())
            .getSlots()
            .front());
  as::PipelineCommitOp::create(builder, loc, pipeline, producer, Value());
  return advance(producer);
}

/// Ends the phase: threads wait for the started work. Returns the next
/// position.
Value RestagedRewriter::read(Value consumer, Step load) {
  load(as::PipelineWaitOp::create(
           builder, loc,
           cast<as::PipelineType>(pipeline.getType()).getPayloads(), pipeline,
           consumer, /*consumer=*/0, /*pending=*/0)
           .getSlots()
           .front());
  as::PipelineReleaseOp::create(builder, loc, pipeline, consumer, Value(),
                                /*consumer=*/0);
  return advance(consumer);
}

/// Stores `from` into all of `buffer`, which may have more scales: so often
/// that nothing is left.
void RestagedRewriter::store(Value from, Value buffer) {
  auto type = cast<as::BufferType>(buffer.getType());
  auto source = cast<RankedTensorType>(from.getType());
  if (type.getShape() == source.getShape())
    return copy(from, buffer);
  // Extents of the buffer, and of one of the copies in it.
  Layout::Shape whole, part;
  for (auto [all, own] : llvm::zip(type.getShape(), source.getShape())) {
    whole.insert(whole.end(), {all / own, own});
    part.insert(part.end(), {1, own});
  }
  MLIRContext *context = dot.getContext();
  auto layout =
      as::getLayoutAttr(context, type.getLayout().getLayout().reshape(whole));
  auto getBuffer = [&](const Layout::Shape &shape) {
    return as::BufferType::get(context, /*stages=*/0, shape,
                               type.getElementType(), layout);
  };
  Value view =
      as::ViewOp::create(builder, loc, getBuffer(whole), buffer, Value());
  Value tile = as::ViewOp::create(
      builder, loc,
      RankedTensorType::get(
          part, source.getElementType(),
          as::getLayoutAttr(
              context, as::getTileLayout(source).getLayout().reshape(part))),
      from, Value());
  SmallVector<SmallVector<int64_t>> places = {{}};
  for (auto [all, own] : llvm::zip(whole, part)) {
    SmallVector<SmallVector<int64_t>> next;
    for (const SmallVector<int64_t> &place : places)
      for (int64_t at = 0; at < all; at += own) {
        next.push_back(place);
        next.back().push_back(at);
      }
    places = std::move(next);
  }
  for (ArrayRef<int64_t> place : places)
    copy(tile, as::SubviewOp::create(builder, loc, getBuffer(part), view,
                                     ValueRange(), place));
}

Value RestagedRewriter::restage(Value from, as::BufferType type) {
  Value buffer = allocate(type);
  while (auto convert = from.getDefiningOp<as::ConvertLayoutOp>())
    from = convert.getSource();
  store(from, buffer);
  return buffer;
}

Value RestagedRewriter::copyOperand(bool isA) {
  Value from = isA ? operands.a : operands.b;
  while (auto convert = from.getDefiningOp<as::ConvertLayoutOp>())
    from = convert.getSource();
  auto tile = cast<RankedTensorType>(from.getType());
  SmallVector<int64_t> extents = getOperandShape(dot, operands, isA);
  Layout::Shape shape(extents.begin(), extents.end());
  if (tile.getShape() != ArrayRef(shape))
    from = as::ViewOp::create(
        builder, loc,
        RankedTensorType::get(
            shape, tile.getElementType(),
            as::getLayoutAttr(
                dot.getContext(),
                as::getTileLayout(tile).getLayout().reshape(shape))),
        from, Value());
  return restage(from, getOperandType(dot, operands, isA));
}

/// Copies stored scales to tensor memory and returns their place.
Value RestagedRewriter::copyScales(Value staged, unsigned kDim) {
  auto type = cast<as::BufferType>(staged.getType());
  Layout::Shape shape(type.getShape().begin(), type.getShape().end());
  Value scales = allocate(as::BufferType::get(
      dot.getContext(), /*stages=*/0, shape, type.getElementType(),
      as::getLayoutAttr(dot.getContext(), *as::getScaleLayout(shape, kDim))));
  as::AsyncTmemCopyOp::create(builder, loc, staged, scales);
  return scales;
}

void RestagedRewriter::multiply(Value slot, Value adds) {
  Value x, y;
  if (operands.isScaled()) {
    x = copyScales(scaleA, /*kDim=*/1);
    y = copyScales(scaleB, /*kDim=*/0);
  }
  Value second = b;
  if (operands.isPacked()) {
    // Pairs of elements lie along the last dimension.
    auto type = cast<as::BufferType>(b.getType());
    second = as::PermuteOp::create(
        builder, loc,
        as::BufferType::get(
            dot.getContext(), /*stages=*/0,
            {type.getShape()[1], type.getShape()[0]}, type.getElementType(),
            as::getLayoutAttr(dot.getContext(),
                              type.getLayout().getLayout().permute({1, 0}))),
        b, ArrayRef<int32_t>{1, 0});
  }
  as::AsyncDotIntoOp::create(builder, loc, a, second, slot, adds, x, y, atom,
                             dot.getSignednessAAttr(),
                             dot.getSignednessBAttr());
}

/// Writes the initial accumulator of `inner` to tensor memory. The loop waits
/// for its commit if it `runsOn`.
void RestagedRewriter::startAccumulator(scf::ForOp inner, Position &args) {
  builder.setInsertionPoint(inner);
  OpOperand *producer =
                inner.getTiedLoopInit(cast<BlockArgument>(args.producer)),
            *consumer =
                inner.getTiedLoopInit(cast<BlockArgument>(args.consumer));
  Value init = inner.getTiedLoopInit(cast<BlockArgument>(dot.getC()))->get();
  producer->set(fill(producer->get(), [&](Value slot) { copy(init, slot); }));
  if (!runsOn)
    consumer->set(read(consumer->get(), [](Value) {}));
}

/// Loads the accumulator to registers after `inner`.
Value RestagedRewriter::readAccumulator(scf::ForOp inner, Position args) {
  builder.setInsertionPointAfter(inner);
  Value acc;
  Position end = {inner.getTiedLoopResult(cast<BlockArgument>(args.producer)),
                  inner.getTiedLoopResult(cast<BlockArgument>(args.consumer))};
  Position next = end;
  if (!runsOn)
    next.producer = fill(end.producer, [](Value) {});
  next.consumer = read(end.consumer, [&](Value slot) { acc = load(slot); });
  if (auto around = dyn_cast<scf::ForOp>(inner->getParentOp())) {
    Operation *yield = around.getBody()->getTerminator();
    yield->replaceUsesOfWith(end.producer, next.producer);
    yield->replaceUsesOfWith(end.consumer, next.consumer);
  }
  return acc;
}

void RestagedRewriter::run() {
  bool isCarried = bool(getCarryingLoop(dot));
  bool isZero = isZeroTile(getInit(dot));
  runsOn = isCarried && restaged.a && restaged.b;
  Position at = createPipeline();
  scf::ForOp inner = carryIterators(loops, at.producer, at.consumer);
  loops = *getLoopsAround(dot);
  Position args = at;
  if (isCarried)
    startAccumulator(inner, at);
  builder.setInsertionPoint(dot);
  if (runsOn)
    at.consumer = read(at.consumer, [](Value) {});
  if (!restaged.a)
    a = findSlot(dot, operands, /*isA=*/true);
  if (!restaged.b)
    b = findSlot(dot, operands, /*isA=*/false);
  if (!a)
    a = copyOperand(/*isA=*/true);
  if (!b)
    b = copyOperand(/*isA=*/false);
  if (operands.isScaled()) {
    scaleA = restage(operands.scaleA, getScaleType(operands.scaleA, 1));
    scaleB = restage(operands.scaleB, getScaleType(operands.scaleB, 0));
  }
  if (!isCarried && !isZero)
    at = fillAndRead(
        at, [&](Value slot) { copy(dot.getC(), slot); }, [](Value) {});
  fence(as::FenceKind::ProxyAsyncShared);
  fence(as::FenceKind::Tcgen05Before);
  as::BarrierOp::create(builder, loc, as::BarrierScope::Agent, IntegerAttr());
  fence(as::FenceKind::Tcgen05After);
  Value acc, adds;
  if (isCarried && isZero)
    adds =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                              inner.getInductionVar(), inner.getLowerBound());
  else
    adds =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(!isZero));
  at.producer = fill(at.producer, [&](Value slot) { multiply(slot, adds); });
  if (!runsOn)
    at.consumer = read(at.consumer, [&](Value slot) {
      if (!isCarried)
        acc = load(slot);
    });
  Operation *last = at.consumer.getDefiningOp();
  if (inner) {
    // The iterators are the last ones that the loop carries.
    Operation *yield = inner.getBody()->getTerminator();
    unsigned count = yield->getNumOperands();
    yield->setOperand(count - 2, at.producer);
    yield->setOperand(count - 1, at.consumer);
  }
  if (isCarried) {
    auto arg = cast<BlockArgument>(dot.getC());
    unsigned number = arg.getArgNumber() - inner.getNumInductionVars();
    acc = readAccumulator(inner, args);
    inner.getTiedLoopResult(arg).replaceAllUsesWith(acc);
    last = loops.size() == 1 ? &*std::prev(builder.getInsertionPoint())
                             : loops.front().getOperation();
    inner.getBody()->getTerminator()->setOperand(number,
                                                 inner.getInitArgs()[number]);
    dot.erase();
    eraseCarried(inner, number);
  } else {
    if (!loops.empty())
      last = loops.front();
    dot.getResult().replaceAllUsesWith(acc);
    dot.erase();
  }
  builder.setInsertionPointAfter(last);
  for (Value buffer : buffers)
    as::DeallocOp::create(builder, loc, buffer);
}

//===----------------------------------------------------------------------===//
// All dots
//===----------------------------------------------------------------------===//

static SmallVector<as::DotOp> getDotsFedByThreads(aa::FuncOp func) {
  SmallVector<as::DotOp> dots;
  func->walk([&](as::DotOp dot) {
    if (isFedByThreads(dot))
      dots.push_back(dot);
  });
  return dots;
}

void settleRestaged(aa::FuncOp func, TensorMemoryBudget &budget,
                    int64_t &freeBytes) {
  for (as::DotOp dot : getDotsFedByThreads(func)) {
    int64_t columns = countColumns(dot, getDotOperands(dot));
    std::string reason = budget.check(columns);
    if (reason.empty() && getBytesRestagedFor(dot) > freeBytes)
      reason = "no shared memory is left to restage its operands";
    if (!reason.empty()) {
      if (dot.needsDecomposition())
        freeBytes -= getDecomposedBytes(dot);
      refuseUmma(dot, reason);
      continue;
    }
    budget.claim(columns);
    freeBytes -= getBytesRestagedFor(dot);
  }
}

/// Returns whether each operand of `dot` is in a slot, or threads can store it.
static bool hasPlaces(as::DotOp dot) {
  DotOperands operands = getDotOperands(dot);
  if (operands.isScaled() && getExtents(dot.getC())[0] < kUnitRows)
    return false;
  RestagedSides restaged = getRestaged(dot);
  auto hasPlace = [&](bool isA) {
    return (!(isA ? restaged.a : restaged.b) && findSlot(dot, operands, isA)) ||
           getOperandType(dot, operands, isA);
  };
  return hasPlace(true) && hasPlace(false);
}

void multiplyRestaged(aa::FuncOp func) {
  for (as::DotOp dot : getDotsFedByThreads(func)) {
    if (!hasPlaces(dot)) {
      refuseUmma(dot, "threads store its operands in no layout that it reads");
      continue;
    }
    TILEIR_LOG() << dot.getLoc() << ": operands are restaged for tcgen05.mma";
    remark::passed(dot.getLoc(), remarkAbout(dot, "TensorMemory", "tileas"))
        << StringRef("threads restage operands for tcgen05.mma")
        << remark::metric("Columns", countColumns(dot, getDotOperands(dot)));
    SmallVector<Value> producers = getMultiplied(dot);
    RestagedRewriter(dot).run();
    eraseOperandProducers(producers);
  }
}

} // namespace tileir
