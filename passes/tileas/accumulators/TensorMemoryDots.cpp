// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/accumulators/TensorMemoryDots.h"
#include "passes/analysis/PersistentLoops.h"
#include "passes/analysis/budgets/TensorMemoryBudget.h"

#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterDemand.h"
#include "passes/tileas/accumulators/LoopValues.h"
#include "passes/tileas/accumulators/PipelinePayloads.h"
#include "passes/tileas/accumulators/TensorMemoryChains.h"
#include "passes/tileas/layout/StagingLayout.h"
#include "passes/tileas/mma/BlockScales.h"
#include "passes/tileas/mma/CtaPairs.h"
#include "passes/tileas/mma/DotOperands.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/mma/Umma.h"
#include "passes/tileas/pipeline/PipelineIterators.h"
#include "passes/tileas/stage/RestagedOperands.h"

#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/RuntimeGates.h"
#include "dialects/support/layout/TensorMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "tileas-place-accumulators"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;
namespace as = mlir::nv_tileas;

static Layout::Shape getShape(Value value) {
  ArrayRef<int64_t> shape = cast<ShapedType>(value.getType()).getShape();
  return Layout::Shape(shape.begin(), shape.end());
}

as::MmaAtomAttr getUmmaAtom(as::DotOp dot) {
  DotOperands operands = getDotOperands(dot);
  return getAssignedAtom(dot, operands.elementA, operands.elementB);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

scf::ForOp getCarryingLoop(as::DotOp dot) {
  auto arg = dyn_cast<BlockArgument>(dot.getC());
  auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
  if (!arg || !loop || arg.getOwner() != loop.getBody() ||
      arg == loop.getInductionVar() || !arg.hasOneUse() ||
      !dot.getResult().hasOneUse() ||
      loop.getTiedLoopYieldedValue(arg)->get() != dot.getResult())
    return {};
  return loop;
}

std::optional<SmallVector<scf::ForOp>> getLoopsAround(Operation *op) {
  SmallVector<scf::ForOp> loops;
  Operation *at = op->getParentOp();
  for (; isa<scf::ForOp>(at); at = at->getParentOp())
    loops.push_back(cast<scf::ForOp>(at));
  if (!isa<aa::FuncOp>(at) && !isPersistentLoop(at))
    return std::nullopt;
  std::reverse(loops.begin(), loops.end());
  return loops;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

namespace {

/// A dot whose accumulator may go to tensor memory.
struct Candidate {
  as::DotOp dot;
  as::MmaAtomAttr atom;
  /// Copies of its operands, and of their scales if it has some, to registers.
  /// Threads store A of a dot of a chain if it has no copy.
  as::CopyOp a, b, scaleA, scaleB;
  bool isChained = false;
  /// Results that tensor memory holds at once.
  int64_t stages = 1;

  SmallVector<as::CopyOp> getCopies() const {
    SmallVector<as::CopyOp> copies;
    for (as::CopyOp copy : {a, b, scaleA, scaleB})
      if (copy)
        copies.push_back(copy);
    return copies;
  }
};

} // namespace

void reportNotUmma(as::DotOp dot, StringRef reason) {
  TILEIR_LOG() << dot.getLoc() << ": no tcgen05.mma: " << reason;
  remark::missed(dot.getLoc(), remarkAbout(dot, "TensorMemory", "tileas"))
      << StringRef("dot is not computed by tcgen05.mma")
      << remark::metric("Reason", reason);
}

void refuseUmma(as::DotOp dot, StringRef reason) {
  reportNotUmma(dot, reason);
  refuseMma(dot);
}

/// Returns why the tensor core cannot read the scales in `buffer`.
static std::string checkScales(Value buffer, unsigned kDim) {
  auto type = cast<as::BufferType>(buffer.getType());
  Layout::Shape shape(type.getShape().begin(), type.getShape().end());
  return type.isWhole() && as::getStagedScaleLayout(shape, kDim) ==
                               type.getLayout().getLayout()
             ? ""
             : "scales have another layout";
}

/// Returns the matrix that `copy` reads, perhaps through a view; none without a
/// copy.
static Value getMatrix(as::CopyOp copy) {
  if (!copy)
    return {};
  Value buffer = copy.getSrc();
  while (cast<as::BufferType>(buffer.getType()).getRank() != 2) {
    auto view = buffer.getDefiningOp<as::ViewOp>();
    if (!view || view.getStage())
      break;
    buffer = view.getSource();
  }
  return buffer;
}

/// Returns why the tensor core cannot read the operands of `candidate`, whose
/// elements are those of `operands`.
static std::string checkLayouts(Candidate &candidate,
                                const DotOperands &operands) {
  as::TransposedBits transposed = operands.isPacked()
                                      ? as::kNoTransposedBits
                                      : as::kTensorMemoryTransposedBits;
  std::string reason = checkOperandLayout(getMatrix(candidate.b),
                                          operands.getKDimOfB(), transposed);
  if (reason.empty() && candidate.a)
    reason = checkOperandLayout(getMatrix(candidate.a), DotOperands::kDimOfA,
                                transposed);
  if (reason.empty() && operands.isScaled())
    reason = checkScales(candidate.scaleA.getSrc(), /*kDim=*/1);
  if (reason.empty() && operands.isScaled())
    reason = checkScales(candidate.scaleB.getSrc(), /*kDim=*/0);
  return reason;
}

/// Fills in the copies of the operands of `candidate`; returns the obstacle, if
/// any.
static std::string findOperands(Candidate &candidate) {
  as::DotOp dot = candidate.dot;
  DotOperands operands = getDotOperands(dot);
  auto find = [](Value tile) {
    while (auto convert = tile.getDefiningOp<as::ConvertLayoutOp>())
      tile = convert.getSource();
    auto copy = tile.getDefiningOp<as::CopyOp>();
    return copy && copy.getResult() ? copy : as::CopyOp();
  };
  candidate.a = find(operands.a);
  candidate.b = find(operands.b);
  if (operands.isScaled()) {
    candidate.scaleA = find(operands.scaleA);
    candidate.scaleB = find(operands.scaleB);
    if (!candidate.scaleA || !candidate.scaleB)
      return "scales are not in shared memory";
  }
  bool isRestaged = candidate.isChained && !candidate.a;
  if (isRestaged && !getStagedOperandType(dot.getA()))
    return "an operand is too small to be restaged";
  if ((!candidate.a && !isRestaged) || !candidate.b)
    return "an operand is not in shared memory";
  for (as::CopyOp copy : candidate.getCopies()) {
    as::PipelineWaitOp wait = getSlotWait(copy.getSrc());
    if (!wait || wait->getBlock() != dot->getBlock())
      return "an operand is not copied in the iteration of the dot";
  }
  // Of pairs only the number of elements is known so far.
  auto getRows = [](as::CopyOp copy) {
    return cast<as::BufferType>(getMatrix(copy).getType()).getShape()[0];
  };
  if (operands.isPacked() && (getRows(candidate.a) != getShape(dot.getC())[0] ||
                              getRows(candidate.b) != getShape(dot.getC())[1]))
    return "its rows are not the rows of a buffer";
  return checkLayouts(candidate, operands);
}

/// Returns whether `op` only computes one value: a copy from a buffer, or work
/// of threads on one.
static bool isComputing(Operation *op) {
  return op->getNumResults() == 1 && !op->getNumRegions() &&
         (isa<as::CopyOp, as::ConvertLayoutOp>(op) || isPure(op));
}

/// Returns whether all readers of the slots of `value` feed operands of `dots`.
static bool isReadBy(Value value, const DenseSet<Operation *> &dots) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (dots.contains(user))
      return true;
    return isComputing(user) && isReadBy(user->getResult(0), dots);
  });
}

namespace {

/// The dots of a function that `tcgen05.mma` computes from slots, and the
/// others with the reason.
struct Candidates {
  SmallVector<Candidate> found;
  SmallVector<std::pair<as::DotOp, std::string>> refused;
};

} // namespace

/// Refuses the candidates whose slots other operations read as well: the slots
/// have one kind of reader. A chain is refused as a whole.
static void dropIncomplete(Candidates &candidates) {
  SmallVector<Candidate> &found = candidates.found;
  auto isAlone = [&](const Candidate &candidate) {
    DenseSet<Operation *> dots;
    for (const Candidate &other : found)
      dots.insert(other.dot);
    for (as::CopyOp copy : candidate.getCopies())
      for (Operation *user :
           getSlotWait(copy.getSrc()).getPipeline().getUsers())
        if (auto reader = dyn_cast<as::PipelineWaitOp>(user))
          for (Value slot : reader.getSlots())
            if (!isReadBy(slot, dots))
              return false;
    return true;
  };
  auto isWhole = [&](const Candidate &candidate) {
    if (!candidate.isChained)
      return true;
    DotChain chain = *getDotChain(candidate.dot);
    return llvm::count_if(found, [&](const Candidate &other) {
             return other.dot == chain.first || other.dot == chain.second;
           }) == 2;
  };
  // A refused dot reads the slots of others.
  for (size_t i = 0; i < found.size();) {
    const char *reason =
        !isAlone(found[i]) ? "another operation reads its operands"
        : !isWhole(found[i])
            ? "the other dot of its chain is not computed by tcgen05.mma"
            : nullptr;
    if (!reason) {
      ++i;
      continue;
    }
    candidates.refused.push_back({found[i].dot, reason});
    found.erase(found.begin() + i);
    i = 0;
  }
}

/// Columns of the accumulator and of the scales in all slots.
static int64_t getColumns(const Candidate &candidate) {
  as::DotOp dot = candidate.dot;
  int64_t columns =
      tensorColumns(*tensorAccLayout(dot.getC().getType().getShape()));
  auto add = [&](as::CopyOp copy, unsigned kDim) {
    as::PipelineWaitOp wait = getSlotWait(copy.getSrc());
    columns +=
        getCreate(wait.getPipeline()).getType().getDepth() *
        tensorColumns(*as::getScaleLayout(getShape(copy.getResult()), kDim));
  };
  if (candidate.scaleA) {
    add(candidate.scaleA, /*kDim=*/1);
    add(candidate.scaleB, /*kDim=*/0);
  }
  return columns;
}

/// Finds the candidates of `func` for the columns in `budget` and the
/// `freeBytes` of shared memory, and takes their needs from both.
static Candidates findCandidates(aa::FuncOp func, TensorMemoryBudget &budget,
                                 int64_t &freeBytes) {
  Candidates candidates;
  func->walk([&](as::DotOp dot) {
    Candidate candidate;
    candidate.dot = dot;
    if (!isAssigned(dot, as::MmaKind::Umma) || isFedByThreads(dot))
      return;
    candidate.atom = getUmmaAtom(dot);
    std::optional<DotChain> chain = getDotChain(dot);
    candidate.isChained = bool(chain);
    std::string reason = findOperands(candidate);
    int64_t columns = reason.empty() ? getColumns(candidate) : 0;
    // The next result of a chain is computed while threads read the last one.
    if (reason.empty() && dot.getMma()->getAcc() == 2 &&
        hasTwoResults(*chain, dot, budget)) {
      candidate.stages = 2;
      columns *= 2;
    }
    if (reason.empty())
      reason = budget.check(columns);
    int64_t bytes = candidate.isChained ? getChainRestagedBytes(dot) : 0;
    // Pipelines of several loops may share memory that counts for each of them.
    if (reason.empty() && bytes > 0 && bytes > freeBytes)
      reason = "no shared memory is left to restage an operand";
    if (!reason.empty()) {
      candidates.refused.push_back({dot, reason});
      return;
    }
    budget.claim(columns);
    freeBytes -= bytes;
    candidates.found.push_back(candidate);
  });
  dropIncomplete(candidates);
  return candidates;
}

DenseSet<Operation *> getReplacedProducers(aa::FuncOp func,
                                           const Target &target) {
  DenseSet<Operation *> producers;
  // Blocks with scales ask for no shared memory here.
  int64_t freeBytes = 0;
  TensorMemoryBudget budget(target);
  for (const Candidate &candidate :
       findCandidates(func, budget, freeBytes).found)
    if (candidate.scaleA)
      producers.insert_range(getOperandProducers(candidate.dot));
  func->walk([&](as::DotOp dot) {
    if (isFedByThreads(dot) && isa<scf::ForOp>(dot->getParentOp()))
      producers.insert_range(getNotRestaged(dot));
  });
  return producers;
}

void settleTensorMemory(aa::FuncOp func, const Target &target,
                        int64_t &freeBytes) {
  TensorMemoryBudget budget(target);
  for (auto &[dot, reason] : findCandidates(func, budget, freeBytes).refused) {
    if (dot.needsDecomposition())
      freeBytes -= getDecomposedBytes(dot);
    refuseUmma(dot, reason);
  }
  settleRestaged(func, budget, freeBytes);
}

//===----------------------------------------------------------------------===//
// Facts that are known before
//===----------------------------------------------------------------------===//

/// The load whose elements `tile` has, or null.
static Operation *getRenamedLoad(Value tile) {
  Operation *op = tile.getDefiningOp();
  while (op && isRename(op))
    op = op->getOperand(0).getDefiningOp();
  return op && isa<as::TiledLoadOp, as::LoadOp>(op) ? op : nullptr;
}

/// Returns whether `group` has the loads of `x` and `y`, whose only readers
/// feed an operand of `dot`.
static bool areLoadedAlone(Value x, Value y, const StagedGroup &group,
                           as::DotOp dot) {
  DenseSet<Operation *> dots = {dot};
  return llvm::all_of(ArrayRef{x, y}, [&](Value tile) {
    Operation *load = getRenamedLoad(tile);
    return load && isReadBy(load->getResult(0), dots) &&
           llvm::any_of(group.loads, [&](const StagedLoad &staged) {
             return staged.load == load;
           });
  });
}

bool readsStagedBlocks(as::DotOp dot, ArrayRef<StagedGroup> groups,
                       int64_t scaleStages, const Target &target) {
  if (!isAssigned(dot, as::MmaKind::Umma) || isFedByThreads(dot))
    return false;
  DotOperands operands = getDotOperands(dot);
  // Scales are small: with slots for operands there are some for them.
  if (!operands.isScaled() || groups.empty() || groups.size() > 2 ||
      !groups.front().usesTma() ||
      groups.front().loads.size() != 4 / groups.size() ||
      groups.back().loads.size() != 4 / groups.size() ||
      !areLoadedAlone(operands.a, operands.b, groups.front(), dot) ||
      !areLoadedAlone(operands.scaleA, operands.scaleB, groups.back(), dot))
    return false;
  int64_t dots = 0;
  dot->getParentOfType<aa::FuncOp>()->walk(
      [&](as::DotOp other) { dots += isAssigned(other, as::MmaKind::Umma); });
  auto getScaleColumns = [&](Value scales, unsigned kDim) {
    return scaleStages *
           tensorColumns(*as::getScaleLayout(getShape(scales), kDim));
  };
  return dots == 1 &&
         tensorColumns(*tensorAccLayout(dot.getC().getType().getShape())) +
                 getScaleColumns(operands.scaleA, /*kDim=*/1) +
                 getScaleColumns(operands.scaleB, /*kDim=*/0) <=
             TensorMemoryBudget(target).getCap();
}

SmallVector<Value> getMultiplied(as::DotOp dot) {
  SmallVector<Value> values = {dot.getA(), dot.getB()};
  if (dot.getScaleA())
    values.append({dot.getScaleA(), dot.getScaleB()});
  return values;
}

DenseSet<Operation *> getOperandProducers(as::DotOp dot) {
  DenseSet<Operation *> producers;
  SmallVector<Value> values = getMultiplied(dot);
  while (!values.empty()) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (op && op->getBlock() == dot->getBlock() && isComputing(op) &&
        producers.insert(op).second)
      values.append(op->operand_begin(), op->operand_end());
  }
  return producers;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Records in the pipeline of `wait` that `tcgen05.mma` reads it, and that its
/// commits release slots.
static void setReader(as::PipelineWaitOp wait) {
  auto create = getCreate(wait.getPipeline());
  auto unit = as::PipelineConsumerAttr::get(wait.getContext(),
                                            as::PipelineConsumer::Umma);
  create.setConsumersAttr(ArrayAttr::get(wait.getContext(), unit));
  create.setEmpty(as::PipelineEmpty::Mbarrier);
}

namespace {

/// Moves the accumulator of one dot into tensor memory. It is a pipeline of one
/// slot, which the MMAs of a whole loop fill.
class AccRewriter {
public:
  explicit AccRewriter(const Candidate &candidate)
      : candidate(candidate), dot(candidate.dot), loop(getCarryingLoop(dot)),
        loc(dot.getLoc()), tile(dot.getC().getType()), builder(loop) {}

  void run();

private:
  void createPipeline();
  Value fill();
  Value transpose(Value buffer);
  void multiply(Value slot, bool isZero);
  as::AsyncTmemCopyOp copyScales(as::CopyOp copy, unsigned kDim);
  Value read(Value init, bool isZero);
  void dropArgument();
  void free();

  const Candidate &candidate;
  as::DotOp dot;
  scf::ForOp loop;
  Location loc;
  RankedTensorType tile;
  OpBuilder builder;
  Value buffer, pipeline, producer, consumer;
  /// The innermost loop around that carries the iterators; null without one.
  scf::ForOp around;
};

} // namespace

void AccRewriter::createPipeline() {
  MLIRContext *context = dot.getContext();
  SmallVector<scf::ForOp> loops = *getLoopsAround(loop);
  builder.setInsertionPoint(loops.empty() ? loop : loops.front());
  auto layout = as::getLayoutAttr(
      context, *tensorAccLayout(Layout::Shape(tile.getShape().begin(),
                                              tile.getShape().end())));
  auto type = as::BufferType::get(context, /*stages=*/1, tile.getShape(),
                                  tile.getElementType(), layout);
  Type slot = as::BufferType::get(context, /*stages=*/0, tile.getShape(),
                                  tile.getElementType(), layout);
  buffer = as::AllocTensorOp::create(builder, loc, type, IntegerAttr(),
                                     IntegerAttr());
  pipeline = as::PipelineCreateOp::create(
      builder, loc, as::PipelineType::get(context, /*depth=*/1, slot), buffer,
      as::PipelineProducer::Umma,
      builder.getArrayAttr(as::PipelineConsumerAttr::get(
          context, as::PipelineConsumer::Generic)),
      as::PipelineSync::Mbarrier, as::PipelineEmpty::Barrier);
  auto position = as::PipelineIteratorType::get(context, /*depth=*/1);
  producer = as::PipelineIteratorOp::create(
      builder, loc, position, pipeline, as::PipelineSide::Producer, Value());
  consumer = as::PipelineIteratorOp::create(
      builder, loc, position, pipeline, as::PipelineSide::Consumer, Value());
}

/// Acquires the slot and writes the initial accumulator.
Value AccRewriter::fill() {
  builder.setInsertionPoint(loop);
  Value slot = as::PipelineAcquireOp::create(
                   builder, loc,
                   cast<as::PipelineType>(pipeline.getType()).getPayloads(),
                   pipeline, producer, Value())
                   .getSlots()
                   .front();
  Value init = loop.getTiedLoopInit(cast<BlockArgument>(dot.getC()))->get();
  if (isZeroTile(init))
    return slot;
  as::CopyOp::create(builder, loc, /*result=*/Type(), init, slot,
                     as::CopyAtomAttr());
  auto fence = [&](as::FenceKind kind) {
    as::FenceOp::create(builder, loc, kind, aa::MemScopeAttr());
  };
  fence(as::FenceKind::Tcgen05Before);
  as::BarrierOp::create(builder, loc, as::BarrierScope::Agent, IntegerAttr());
  fence(as::FenceKind::Tcgen05After);
  return slot;
}

/// Copies scales to tensor memory.
as::AsyncTmemCopyOp AccRewriter::copyScales(as::CopyOp copy, unsigned kDim) {
  auto staged = cast<as::BufferType>(copy.getSrc().getType());
  Layout layout = *as::getScaleLayout(getShape(copy.getResult()), kDim);
  auto type = as::BufferType::get(dot.getContext(), /*stages=*/0,
                                  staged.getShape(), staged.getElementType(),
                                  as::getLayoutAttr(dot.getContext(), layout));
  Value scales = addPayload(getSlotWait(copy.getSrc()), type);
  builder.setInsertionPoint(dot);
  return as::AsyncTmemCopyOp::create(builder, loc, copy.getSrc(), scales);
}

/// `buffer` with its dimensions exchanged.
Value AccRewriter::transpose(Value buffer) {
  auto type = cast<as::BufferType>(buffer.getType());
  Layout layout = type.getLayout().getLayout().permute({1, 0});
  auto transposed = as::BufferType::get(
      dot.getContext(), /*stages=*/0, {type.getShape()[1], type.getShape()[0]},
      type.getElementType(), as::getLayoutAttr(dot.getContext(), layout));
  return as::PermuteOp::create(builder, loc, transposed, buffer,
                               ArrayRef<int32_t>{1, 0});
}

void AccRewriter::multiply(Value slot, bool isZero) {
  builder.setInsertionPoint(dot);
  Value adds;
  if (isZero)
    adds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 loop.getInductionVar(), loop.getLowerBound());
  else
    adds = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  as::AsyncTmemCopyOp scaleA, scaleB;
  if (candidate.scaleA) {
    scaleA = copyScales(candidate.scaleA, /*kDim=*/1);
    scaleB = copyScales(candidate.scaleB, /*kDim=*/0);
  }
  // The slots of operands may have been rebuilt with the place for scales.
  // Pairs of elements lie along the last dimension.
  as::CopyOp copyA = candidate.a, copyB = candidate.b;
  Value a = getMatrix(copyA), b = getMatrix(copyB);
  if (as::getStorageBits(candidate.atom.getBType()) < 8)
    b = transpose(b);
  auto getScales = [](as::AsyncTmemCopyOp copy) {
    return copy ? Value(copy.getDst()) : Value();
  };
  as::AsyncDotIntoOp::create(
      builder, loc, a, b, slot, adds, getScales(scaleA), getScales(scaleB),
      candidate.atom, dot.getSignednessAAttr(), dot.getSignednessBAttr());
}

/// Loads the accumulator to registers after the loop. Without any iteration it
/// is the initial one.
Value AccRewriter::read(Value init, bool isZero) {
  builder.setInsertionPointAfter(loop);
  as::PipelineCommitOp::create(builder, loc, pipeline, producer, Value());
  Value nextProducer =
      as::PipelineAdvanceOp::create(builder, loc, producer.getType(), producer);
  auto wait = as::PipelineWaitOp::create(
      builder, loc, cast<as::PipelineType>(pipeline.getType()).getPayloads(),
      pipeline, consumer, /*consumer=*/0, /*pending=*/0);
  auto copy = [&] {
    return as::CopyOp::create(builder, loc, tile, wait.getSlots().front(),
                              Value(), as::CopyAtomAttr())
        .getResult();
  };
  Value result;
  std::optional<APInt> tripCount = loop.getStaticTripCount();
  if (!isZero || (tripCount && !tripCount->isZero())) {
    result = copy();
  } else {
    Value runs =
        arith::CmpIOp::create(builder, loc,
                              loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                    : arith::CmpIPredicate::slt,
                              loop.getLowerBound(), loop.getUpperBound());
    auto branch = scf::IfOp::create(builder, loc, TypeRange(tile), runs,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, copy());
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, init);
    result = branch.getResult(0);
  }
  builder.setInsertionPointAfterValue(result);
  as::PipelineReleaseOp::create(builder, loc, pipeline, consumer, Value(),
                                /*consumer=*/0);
  Value nextConsumer =
      as::PipelineAdvanceOp::create(builder, loc, consumer.getType(), consumer);
  if (around) {
    Operation *yield = around.getBody()->getTerminator();
    unsigned last = yield->getNumOperands() - 1;
    yield->setOperand(last - 1, nextProducer);
    yield->setOperand(last, nextConsumer);
  }
  return result;
}

/// Leaves the accumulator out of the loop; nothing reads it any more.
void AccRewriter::dropArgument() {
  unsigned number = cast<BlockArgument>(dot.getC()).getArgNumber() -
                    loop.getNumInductionVars();
  loop.getBody()->getTerminator()->setOperand(number,
                                              loop.getInitArgs()[number]);
  dot.erase();
  loop = eraseCarried(loop, number);
}

/// Returns whether `op` rounds `value` to a type of fewer registers.
static bool narrows(Operation *op, Value value) {
  return isa<arith::TruncFOp, arith::TruncIOp, as::FpToFpOp>(op) &&
         getRegisterCount(op->getResult(0).getType()) <
             getRegisterCount(value.getType());
}

/// Rounds `result` of a branch inside the branch if the rounding is its only
/// reader: the registers of one load are narrow before the next load, and fewer
/// leave the branch.
static void narrowInBranch(Value result) {
  auto branch = result.getDefiningOp<scf::IfOp>();
  if (!branch || branch.getNumResults() != 1 || !result.hasOneUse())
    return;
  Operation *narrow = *result.user_begin();
  if (!narrows(narrow, result))
    return;
  OpBuilder builder(branch);
  auto made = scf::IfOp::create(builder, branch.getLoc(),
                                narrow->getResultTypes(), branch.getCondition(),
                                /*addThenBlock=*/false, /*addElseBlock=*/false);
  made.getThenRegion().takeBody(branch.getThenRegion());
  made.getElseRegion().takeBody(branch.getElseRegion());
  for (Block *side : {made.thenBlock(), made.elseBlock()}) {
    Operation *yield = side->getTerminator();
    builder.setInsertionPoint(yield);
    Operation *onSide = builder.clone(*narrow);
    onSide->setOperand(0, yield->getOperand(0));
    yield->setOperand(0, onSide->getResult(0));
  }
  narrow->getResult(0).replaceAllUsesWith(made.getResult(0));
  narrow->erase();
  branch.erase();
}

/// Rounds `result`, a copy, at once if the rounding is its only reader, before
/// the threads of both CTAs of a pair synchronize.
static void narrowAtOnce(Value result) {
  if (result.getDefiningOp<as::CopyOp>() && result.hasOneUse())
    if (Operation *narrow = *result.user_begin(); narrows(narrow, result))
      narrow->moveAfter(result.getDefiningOp());
}

void AccRewriter::run() {
  for (as::CopyOp copy : candidate.getCopies())
    setReader(getSlotWait(copy.getSrc()));
  auto arg = cast<BlockArgument>(dot.getC());
  Value init = loop.getTiedLoopInit(arg)->get();
  bool isZero = isZeroTile(init);
  createPipeline();
  around = carryIterators(*getLoopsAround(loop), producer, consumer);
  Value slot = fill();
  bool isOfPair = isPaired(dot);
  multiply(slot, isZero);
  Value result = read(init, isZero);
  loop.getTiedLoopResult(arg).replaceAllUsesWith(result);
  if (isOfPair)
    narrowAtOnce(result);
  narrowInBranch(result);
  dropArgument();
  free();
}

/// Ends the live range of the accumulator after the outermost loop, or after
/// its one reader.
void AccRewriter::free() {
  SmallVector<scf::ForOp> loops = *getLoopsAround(loop);
  if (!loops.empty())
    builder.setInsertionPointAfter(loops.front());
  else
    for (Operation *user : pipeline.getUsers())
      if (isa<as::PipelineReleaseOp>(user))
        builder.setInsertionPointAfter(user);
  as::DeallocOp::create(builder, loc, buffer);
}

static void reportMade(const Candidate &candidate) {
  as::DotOp dot = candidate.dot;
  TILEIR_LOG() << dot.getLoc() << ": accumulator in tensor memory, "
               << candidate.stages << " results at once"
               << (candidate.isChained ? ", chained" : "");
  remark::passed(dot.getLoc(), remarkAbout(dot, "TensorMemory", "tileas"))
      << StringRef("accumulator stays in tensor memory")
      << remark::metric("Columns", tensorColumns(*tensorAccLayout(
                                       dot.getC().getType().getShape())));
}

/// Erases `op` and its backward slice if its results have no readers.
static void eraseUnused(Operation *op, DenseSet<Operation *> &erased) {
  if (erased.contains(op) || !op->use_empty() || !isComputing(op))
    return;
  erased.insert(op);
  SmallVector<Operation *> producers;
  for (Value operand : op->getOperands())
    if (Operation *producer = operand.getDefiningOp();
        producer && !llvm::is_contained(producers, producer))
      producers.push_back(producer);
  op->erase();
  for (Operation *producer : producers)
    eraseUnused(producer, erased);
}

void eraseOperandProducers(ArrayRef<Value> operands) {
  DenseSet<Operation *> erased;
  llvm::SmallSetVector<Operation *, 4> producers;
  for (Value operand : operands)
    if (Operation *op = operand.getDefiningOp())
      producers.insert(op);
  for (Operation *op : producers)
    eraseUnused(op, erased);
}

/// Rewrites the two dots of `chain`.
static void multiplyChained(DotChain chain, ArrayRef<Candidate> candidates) {
  auto getBuffers = [&](as::DotOp dot) {
    const Candidate &candidate = *llvm::find_if(
        candidates, [&](const Candidate &other) { return other.dot == dot; });
    for (as::CopyOp copy : candidate.getCopies())
      setReader(getSlotWait(copy.getSrc()));
    return ChainOperands{getMatrix(candidate.a), getMatrix(candidate.b),
                         candidate.atom, candidate.stages};
  };
  multiplyChain(chain, getBuffers(chain.first), getBuffers(chain.second));
}

void multiplyInTensorMemory(aa::FuncOp func, const Target &target) {
  int64_t freeBytes = gates::sharedMemoryCap(target);
  TensorMemoryBudget budget(target);
  auto [candidates, refused] = findCandidates(func, budget, freeBytes);
  for (auto &[dot, reason] : refused)
    refuseUmma(dot, reason);
  llvm::SmallSetVector<Operation *, 8> operands;
  for (const Candidate &candidate : candidates) {
    reportMade(candidate);
    as::DotOp dot = candidate.dot;
    for (Value operand : getMultiplied(dot))
      if (Operation *op = operand.getDefiningOp())
        operands.insert(op);
  }
  DenseSet<Operation *> done;
  for (const Candidate &candidate : candidates) {
    if (!done.insert(candidate.dot).second)
      continue;
    if (!candidate.isChained) {
      AccRewriter(candidate).run();
      continue;
    }
    DotChain chain = *getDotChain(candidate.dot);
    done.insert(chain.second);
    multiplyChained(chain, candidates);
  }
  DenseSet<Operation *> erased;
  for (Operation *op : operands)
    eraseUnused(op, erased);
  multiplyRestaged(func);
}

} // namespace tileir
