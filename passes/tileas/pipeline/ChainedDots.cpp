// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/ChainedDots.h"
#include "passes/analysis/MmaChain.h"

#include "passes/analysis/Remarks.h"
#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/analysis/budgets/RegisterDemand.h"
#include "passes/tileas/accumulators/LoopValues.h"
#include "passes/tileas/mma/OperandBuffers.h"
#include "passes/tileas/pipeline/PipelineIterators.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/MmaOperands.h"
#include "dialects/support/Heuristics.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define DEBUG_TYPE "tileas-shift-chained-dots"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// Finds out whether the first dot of a loop can run an iteration ahead.
class ChainFinder {
public:
  explicit ChainFinder(scf::ForOp loop) : mma(loop) { chain.loop = loop; }

  /// The chain; without one, `reason` says why if there are two dots.
  std::optional<ChainedDots> run(std::string &reason);

private:
  std::string findDots();
  std::string findStart();
  std::string findFinish();
  std::string findCopies();
  void findEarlyCopies();
  std::string findAccumulator();
  std::string findPlaces();
  std::string findRoom();
  bool canHalve();
  void findRescale();
  void hoistRescale();
  Operation *inBody(Operation *op) {
    return chain.loop.getBody()->findAncestorOpInBlock(*op);
  }
  bool isFromBody(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == chain.loop.getBody();
  }

  MmaChain mma;
  ChainedDots chain;
};

} // namespace

bool namesSlot(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<as::BufferType>);
}

std::string ChainFinder::findDots() {
  const LoopDot &first = mma.getDots()[0], &second = mma.getDots()[1];
  chain.first = cast<as::AsyncDotOp>(first.op);
  chain.second = cast<as::AsyncDotOp>(second.op);
  chain.firstWait = first.wait;
  chain.secondWait = second.wait;
  if (!chain.firstWait || !chain.secondWait)
    return "a dot is in flight across iterations already";
  return "";
}

/// Collects the backward slice of the first dot: its slots, and pure operations
/// that depend on no iter-arg.
std::string ChainFinder::findStart() {
  Block *body = chain.loop.getBody();
  if (isFromBody(chain.first.getC()) ||
      llvm::is_contained(chain.loop.getRegionIterArgs(), chain.first.getC()))
    return "the first dot adds to a value computed in the loop";
  if (isa<RankedTensorType>(chain.first.getA().getType()) &&
      (isFromBody(chain.first.getA()) ||
       llvm::is_contained(chain.loop.getRegionIterArgs(), chain.first.getA())))
    return "an operand of the first dot is computed in the loop";
  llvm::SmallSetVector<Operation *, 8> ops;
  ops.insert(chain.first);
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands()) {
      if (auto arg = dyn_cast<BlockArgument>(operand)) {
        if (arg.getOwner() == body && arg != chain.loop.getInductionVar() &&
            !isa<as::PipelineIteratorType>(arg.getType()))
          return "the first dot depends on an iter-arg of the loop";
        continue;
      }
      if (!isFromBody(operand))
        continue;
      Operation *op = operand.getDefiningOp();
      if (op->getNumRegions() || !(isa<as::PipelineWaitOp>(op) || isPure(op)))
        return "the first dot depends on '" +
               op->getName().getStringRef().str() + "' in the loop";
      ops.insert(op);
    }
  ops.insert(chain.firstWait);
  for (Operation &op : *body)
    if (ops.contains(&op))
      chain.start.push_back(&op);
  return "";
}

/// Returns whether something other than `ops` uses a result of `op`.
static bool isReadOutside(Operation *op, ArrayRef<Operation *> ops) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    return !llvm::is_contained(ops, user);
  });
}

/// Checks that the slots of the first dot are released after it and have no
/// other reader.
std::string ChainFinder::findFinish() {
  for (Operation *op : chain.start) {
    if (namesSlot(op) && isReadOutside(op, chain.start))
      return "another operation reads an operand of the first dot";
    auto wait = dyn_cast<as::PipelineWaitOp>(op);
    if (!wait)
      continue;
    auto position = dyn_cast<BlockArgument>(wait.getIterator());
    if (!position || position.getOwner() != chain.loop.getBody())
      return "an iterator is not carried by the loop";
    Operation *release = nullptr, *advance = nullptr;
    for (Operation *user : position.getUsers()) {
      if (user == wait)
        continue;
      Operation *&step = isa<as::PipelineReleaseOp>(user)   ? release
                         : isa<as::PipelineAdvanceOp>(user) ? advance
                                                            : release;
      if (!isa<as::PipelineReleaseOp, as::PipelineAdvanceOp>(user) || step ||
          user->getBlock() != chain.loop.getBody())
        return "an iterator has an unknown user";
      step = user;
    }
    if (!release || !advance ||
        chain.loop.getTiedLoopYieldedValue(position)->get() !=
            advance->getResult(0) ||
        !advance->getResult(0).hasOneUse())
      return "the slots of the first dot are not released exactly once";
    chain.finish.push_back(release);
    chain.finish.push_back(advance);
  }
  return "";
}

std::string ChainFinder::findCopies() {
  for (Operation &op : *chain.loop.getBody()) {
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op)) {
      if (getCreate(wait.getPipeline()).getSync() != as::PipelineSync::Mbarrier)
        return "threads copy an operand";
      if (getLead(wait.getPipeline(), chain.loop) < 2)
        return "copies run less than two iterations ahead";
    }
    if (isa<as::AsyncCopyOp>(op))
      return "threads copy an operand";
    if (isa<as::PipelineAcquireOp, as::AsyncTmaLoadOp, as::PipelineCommitOp>(
            op))
      chain.copies.push_back(&op);
  }
  for (Operation *op : chain.copies)
    for (Operation *user : op->getUsers())
      if (!chain.isOneOf(chain.copies, user))
        return "something waits for the token of a copy";
  return "";
}

/// The first dot of the next iteration starts early in an iteration: a copy
/// issued at the end of the previous one would arrive just then. Its slot is
/// free an iteration earlier as well. Copies that depend on more than the
/// induction variable stay.
void ChainFinder::findEarlyCopies() {
  llvm::SmallSetVector<Operation *, 16> ops;
  llvm::SmallSetVector<Value, 2> pipelines;
  for (Operation *op : chain.start)
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op)) {
      if (getCreate(wait.getPipeline()).getType().getDepth() <=
          getLead(wait.getPipeline(), chain.loop))
        return;
      pipelines.insert(wait.getPipeline());
    }
  for (Operation *op : chain.copies) {
    auto acquire = dyn_cast<as::PipelineAcquireOp>(op);
    if (!acquire || !pipelines.contains(acquire.getPipeline()))
      continue;
    ops.insert(acquire);
    for (Operation *user : acquire->getUsers())
      ops.insert(user);
    for (Operation *user : acquire.getIterator().getUsers())
      if (isa<as::PipelineCommitOp>(user))
        ops.insert(user);
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!chain.isOneOf(chain.copies, ops[i]) &&
        (ops[i]->getNumRegions() || !isPure(ops[i])))
      return;
    for (Value operand : ops[i]->getOperands()) {
      if (isFromBody(operand))
        ops.insert(operand.getDefiningOp());
      else if (llvm::is_contained(chain.loop.getRegionIterArgs(), operand) &&
               !isa<as::PipelineIteratorType>(operand.getType()))
        return;
    }
  }
  for (Operation &op : *chain.loop.getBody())
    if (ops.contains(&op))
      chain.early.push_back(&op);
}

/// Checks that the second dot adds to an iter-arg that only the next iteration
/// reads.
std::string ChainFinder::findAccumulator() {
  Block *body = chain.loop.getBody();
  if (!mma.isPair())
    return "the second dot does not depend on the first one";
  Value result = chain.secondWait.getResult();
  if (!result.hasOneUse() || *result.user_begin() != body->getTerminator())
    return "an operation needs the accumulator of the second dot at once";
  unsigned number = result.use_begin()->getOperandNumber();
  chain.acc = chain.loop.getRegionIterArg(number);
  if (chain.acc.use_empty())
    return "no operation adds to the accumulator of the second dot";
  // Only threads write the registers that it reads. Names for them do not.
  Value operand = chain.second.getA();
  if (!isa<RankedTensorType>(operand.getType()) || !isFromBody(operand))
    return "operand A of the second dot is not computed in registers";
  chain.operandOp = operand.getDefiningOp();
  while (isa<as::ConvertLayoutOp, as::ViewOp, as::PermuteOp>(chain.operandOp) &&
         isFromBody(chain.operandOp->getOperand(0)) &&
         chain.operandOp->getOperand(0).hasOneUse())
    chain.operandOp = chain.operandOp->getOperand(0).getDefiningOp();
  if (chain.operandOp->getNumRegions())
    return "operand A of the second dot is not computed in registers";
  return "";
}

std::string ChainFinder::findPlaces() {
  Block *body = chain.loop.getBody();
  // Operations that write the registers of the operand, and readers of the
  // accumulator.
  chain.firstNeed = chain.operandOp;
  for (Operation *user : chain.acc.getUsers()) {
    Operation *at = inBody(user);
    if (at->isBeforeInBlock(chain.firstNeed))
      chain.firstNeed = at;
  }
  if (chain.firstNeed == body->getTerminator())
    return "no operation adds to the accumulator of the second dot";
  // Threads wait for the slot first: in one block with earlier operations, the
  // wait for the dot would be moved before them.
  llvm::SmallSetVector<Operation *, 4> ops;
  ops.insert(chain.second.getB().getDefiningOp());
  for (size_t i = 0; i < ops.size(); ++i) {
    if (!ops[i] || !(isa<as::PipelineWaitOp>(ops[i]) || isPure(ops[i])))
      return "an operand of the second dot is not a slot";
    for (Value operand : ops[i]->getOperands())
      if (isFromBody(operand))
        ops.insert(operand.getDefiningOp());
  }
  for (Operation &op : *body)
    if (ops.contains(&op)) {
      chain.slot.push_back(&op);
      if (&op == chain.firstNeed || chain.isOneOf(chain.start, &op))
        return "an operand of the second dot is not a slot";
    }
  SmallVector<Operation *> readers(chain.slot);
  readers.push_back(chain.second);
  for (Operation *op : chain.slot)
    if (namesSlot(op) && isReadOutside(op, readers))
      return "another operation reads an operand of the second dot";
  for (Operation *user : chain.firstWait.getResult().getUsers()) {
    Operation *at = inBody(user);
    // The registers would stay live: the next dot then starts before anything
    // else.
    if ((at->getNumRegions() > 0 && !isa<as::ReduceOp>(at)) ||
        !at->isBeforeInBlock(chain.firstNeed)) {
      chain.lastReader = nullptr;
      return "";
    }
    if (!chain.lastReader || chain.lastReader->isBeforeInBlock(at))
      chain.lastReader = at;
  }
  return "";
}

/// Finds the multiplication that rescales the accumulator to the new maximum.
void ChainFinder::findRescale() {
  Block *body = chain.loop.getBody();
  const LoopDot &second = mma.getDots()[1];
  if (!second.rescale || !second.isCarried || !chain.acc.hasOneUse() ||
      !chain.second.getAccType().getElementType().isF32())
    return;
  // A multiplication by one returns the accumulator, unless it flushes
  // denormals.
  if (SymbolTable::getNearestSymbolTable(chain.loop)
          ->hasAttr(nv_tileaa::kFtzAttr))
    return;
  // Few numbers of a thread say whether it changes.
  Value scale = second.getScale();
  if (!scale.getDefiningOp<as::BroadcastOp>())
    return;
  llvm::SmallSetVector<Operation *, 8> producers;
  producers.insert(scale.getDefiningOp());
  for (size_t i = 0; i < producers.size(); ++i) {
    if (producers[i]->getBlock() != body)
      return;
    for (Value operand : producers[i]->getOperands()) {
      if (!isFromBody(operand))
        continue;
      Operation *op = operand.getDefiningOp();
      if (!op->getNumRegions() && isPure(op))
        producers.insert(op);
      else if (!op->isBeforeInBlock(chain.firstNeed))
        return;
    }
  }
  if (producers.contains(chain.firstNeed))
    return;
  chain.rescale = second.rescale;
  chain.rescaleFactor = scale;
  chain.rescaleProducers = producers;
}

/// Computes the rescale factor as early as possible, so that no thread waits
/// for the comparison with one.
void ChainFinder::hoistRescale() {
  for (Operation &op : llvm::make_early_inc_range(*chain.loop.getBody())) {
    if (!chain.rescaleProducers.contains(&op))
      continue;
    Operation *last = nullptr;
    for (Value operand : op.getOperands())
      if (isFromBody(operand) &&
          (!last || last->isBeforeInBlock(operand.getDefiningOp())))
        last = operand.getDefiningOp();
    if (last)
      op.moveAfter(last);
    else if (chain.firstNeed->isBeforeInBlock(&op))
      op.moveBefore(chain.firstNeed);
  }
}

std::optional<Layout> getHalfLayout(RankedTensorType type) {
  return as::getTileLayout(type).getLayout().extract(
      {type.getDimSize(0), type.getDimSize(1) / 2});
}

/// Returns whether the second dot can be split in two, half the steps of K
/// each, with each half of the operand computed when it is read.
bool ChainFinder::canHalve() {
  Operation *op = chain.operandOp;
  as::AsyncDotOp dot = chain.second;
  if (dot.getA() != op->getResult(0) || !op->getResult(0).hasOneUse() ||
      !op->hasTrait<OpTrait::Elementwise>() || !isPure(op) ||
      dot.getDepth() % (2 * dot.getAtom().getK()))
    return false;
  auto type = cast<RankedTensorType>(dot.getA().getType());
  auto isAlike = [&](Value operand) {
    auto tile = dyn_cast<RankedTensorType>(operand.getType());
    return tile && tile.getShape() == type.getShape() &&
           as::getTileLayout(tile).getLayout() ==
               as::getTileLayout(type).getLayout();
  };
  std::optional<Layout> half = getHalfLayout(type),
                        want = as::getDotOperandLayout(
                            dot.getAtom(),
                            as::getTileLayout(dot.getAccType()).getLayout(),
                            dot.getDepth() / 2, /*isA=*/true);
  return half && want && *half == *want &&
         llvm::all_of(op->getOperands(), isAlike);
}

/// Returns the registers of tiles that are live across `dot`.
static int64_t countRegistersAcross(as::AsyncDotOp dot) {
  llvm::SmallSetVector<Value, 8> across;
  for (Operation *op = dot->getNextNode(); op; op = op->getNextNode())
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && producer->getBlock() == dot->getBlock() &&
            producer->isBeforeInBlock(dot))
          across.insert(operand);
    });
  int64_t registers = 0;
  for (Value value : across)
    registers += getRegisterCount(value.getType());
  return registers;
}

/// Either two results of the first dot are live at once, or the next one takes
/// the registers of this one once the operand computed from it is ready.
std::string ChainFinder::findRoom() {
  RankedTensorType result = chain.first.getAccType();
  int64_t available = RegisterBudget::getAround(chain.loop)
                          .getLeft(heuristics::registersBesideChainedDots);
  int64_t once = getRegisterCount(result) +
                 getRegisterCount(chain.second.getAccType()) +
                 getRegisterCount(chain.first.getA().getType()) +
                 getRegisterCount(chain.second.getA().getType());
  int64_t twice = once + getRegisterCount(result);
  if (twice <= available)
    return "";
  chain.isLate =
      once + countRegistersAcross(chain.second) <= available && canHalve();
  if (!chain.isLate)
    return "a thread would hold " + std::to_string(twice) +
           " registers of dots";
  chain.firstNeed = chain.operandOp;
  return "";
}

std::optional<ChainedDots> ChainFinder::run(std::string &reason) {
  auto isAsync = [](const LoopDot &dot) { return isa<as::AsyncDotOp>(dot.op); };
  if (mma.getDots().size() != 2 || !llvm::all_of(mma.getDots(), isAsync)) {
    TILEIR_LOG() << chain.loop.getLoc() << ": "
                 << llvm::count_if(mma.getDots(), isAsync)
                 << " dots of warpgroups, two can be shifted";
    return std::nullopt;
  }
  for (auto find : {&ChainFinder::findDots, &ChainFinder::findAccumulator,
                    &ChainFinder::findStart, &ChainFinder::findFinish,
                    &ChainFinder::findCopies, &ChainFinder::findPlaces,
                    &ChainFinder::findRoom}) {
    reason = (this->*find)();
    if (!reason.empty())
      return std::nullopt;
  }
  for (Value result : chain.loop.getResults())
    if (isa<as::PipelineIteratorType>(result.getType()) &&
        !result.use_empty()) {
      reason = "another loop continues its pipelines";
      return std::nullopt;
    }
  findEarlyCopies();
  findRescale();
  if (chain.isLate && !chain.rescale) {
    reason = "too few registers, and threads rescale the accumulator in every "
             "iteration";
    return std::nullopt;
  }
  if (chain.rescale)
    hoistRescale();
  return chain;
}

std::optional<ChainedDots> findChainedDots(scf::ForOp loop,
                                           std::string &reason) {
  return ChainFinder(loop).run(reason);
}

} // namespace tileir
