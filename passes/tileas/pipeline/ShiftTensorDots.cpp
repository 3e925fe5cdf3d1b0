// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/ShiftTensorDots.h"

#include "passes/tileas/accumulators/LoopValues.h"
#include "passes/tileas/pipeline/PipelineIterators.h"

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

class TensorChainShifter {
public:
  explicit TensorChainShifter(scf::ForOp loop)
      : loop(loop), builder(loop), loc(loop.getLoc()) {}

  std::string find();
  void run();

private:
  std::string findStart();
  std::string addSteps(Operation *op, llvm::SmallSetVector<Operation *, 16> &);
  std::string findCopies();
  bool findEarlyCopies();
  void markFreedSlots();
  std::string findTail();
  std::string findHead();
  bool isFromBody(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == loop.getBody();
  }
  /// Returns whether `op` is done in another iteration than the rest.
  bool isMoved(Operation *op) const { return moved.contains(op); }
  void clone(ArrayRef<Operation *> ops, IRMapping &mapping) {
    for (Operation *op : ops)
      builder.clone(*op, mapping);
  }
  void cloneRest(IRMapping &mapping, IRMapping *next);
  bool isEarlyIterator(BlockArgument arg) const;
  SmallVector<Value> emitFirst();
  scf::ForOp emitLoop(ArrayRef<Value> inits, Value last);
  SmallVector<Value> cloneTail(ArrayRef<Value> results);

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  /// The first dot, its backward slice and its pipeline operations, in the
  /// order of the body; those of them that no other iteration repeats.
  SmallVector<Operation *> start;
  DenseSet<Operation *> moved;
  /// Copies for later iterations; copies of operands of the first dot and their
  /// backward slices, in the order of the body. They run an iteration ahead,
  /// too: their slots are free after `result`, the wait for the dot of the
  /// iteration.
  DenseSet<Operation *> copies;
  SmallVector<Operation *> early;
  as::PipelineWaitOp result;
  /// Operations that read pipelines after the loop, and those that fill them
  /// before it.
  SmallVector<Operation *> tail, head;
  /// The tiles that copies of the tail read when the loop does not run.
  SmallVector<Value> untouched;
};

} // namespace

/// Returns whether `tcgen05.mma` fills the slots of `pipeline`.
static bool isFilledByMma(Value pipeline) {
  return getCreate(pipeline).getProducer() == as::PipelineProducer::Umma;
}

/// The dots of `loop`.
static SmallVector<as::AsyncDotIntoOp> getDots(scf::ForOp loop) {
  return llvm::to_vector(loop.getBody()->getOps<as::AsyncDotIntoOp>());
}

bool hasTensorChain(scf::ForOp loop) {
  auto waits = loop.getBody()->getOps<as::PipelineWaitOp>();
  return getDots(loop).size() == 2 &&
         llvm::count_if(waits, [](as::PipelineWaitOp wait) {
           return isFilledByMma(wait.getPipeline());
         }) == 2;
}

static bool namesSlot(Operation *op) {
  return llvm::any_of(op->getResultTypes(), llvm::IsaPred<as::BufferType>);
}

/// Adds the other operations on the pipeline whose slot `op` takes.
std::string
TensorChainShifter::addSteps(Operation *op,
                             llvm::SmallSetVector<Operation *, 16> &ops) {
  Value iterator = isa<as::PipelineWaitOp>(op)
                       ? cast<as::PipelineWaitOp>(op).getIterator()
                       : cast<as::PipelineAcquireOp>(op).getIterator();
  auto position = dyn_cast<BlockArgument>(iterator);
  if (!position || position.getOwner() != loop.getBody())
    return "an iterator is not carried by the loop";
  for (Operation *user : position.getUsers()) {
    if (user->getBlock() != loop.getBody() ||
        (user != op && !isa<as::PipelineReleaseOp, as::PipelineCommitOp,
                            as::PipelineAdvanceOp>(user)))
      return "an iterator has an unknown user";
    ops.insert(user);
    if (isa<as::PipelineAdvanceOp>(user) &&
        loop.getTiedLoopYieldedValue(position)->get() != user->getResult(0))
      return "a pipeline does not advance by one slot";
  }
  return "";
}

/// Checks that the first dot depends on pipelines alone.
std::string TensorChainShifter::findStart() {
  as::AsyncDotIntoOp dot = getDots(loop).front();
  for (Operation *user : dot.getA().getUsers())
    if (user != dot && user->getBlock() == loop.getBody() &&
        !isa<as::AsyncDotIntoOp>(user))
      return "threads store an operand of the first dot in the loop";
  llvm::SmallSetVector<Operation *, 16> ops;
  ops.insert(dot);
  for (size_t i = 0; i < ops.size(); ++i) {
    Operation *op = ops[i];
    bool isStep = isa<as::PipelineWaitOp, as::PipelineAcquireOp>(op);
    if (!isStep && !isPure(op) &&
        !isa<as::AsyncDotIntoOp, as::PipelineReleaseOp, as::PipelineCommitOp>(
            op))
      return "the first dot depends on '" + op->getName().getStringRef().str() +
             "' in the loop";
    if (isStep)
      if (std::string reason = addSteps(op, ops); !reason.empty())
        return reason;
    for (Value operand : op->getOperands()) {
      auto arg = dyn_cast<BlockArgument>(operand);
      if (arg && arg.getOwner() == loop.getBody() &&
          !isa<as::PipelineIteratorType>(arg.getType()))
        return "the first dot depends on an iter-arg of the loop";
      if (isFromBody(operand))
        ops.insert(operand.getDefiningOp());
    }
  }
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (!ops.contains(&op))
      continue;
    start.push_back(&op);
    if (isPure(&op) && !namesSlot(&op) && !isa<as::PipelineAdvanceOp>(op))
      continue;
    moved.insert(&op);
    for (Operation *user : op.getUsers())
      if (!ops.contains(user) && !isa<scf::YieldOp>(user))
        return "another operation reads an operand of the first dot";
  }
  return "";
}

/// Finds the copies whose slot is free as soon as the first dot is complete: if
/// they are issued at the end of the iteration, the next one waits for them.
/// Returns whether there are some. Copies that depend on more than the
/// induction variable stay.
bool TensorChainShifter::findEarlyCopies() {
  llvm::SmallSetVector<Operation *, 16> ops;
  for (Operation *op : start) {
    auto wait = dyn_cast<as::PipelineWaitOp>(op);
    if (!wait)
      continue;
    if (getCreate(wait.getPipeline()).getType().getDepth() <=
        getLead(wait.getPipeline(), loop))
      return false;
    for (Operation *user : wait.getPipeline().getUsers())
      if (copies.contains(user))
        ops.insert(user);
  }
  for (size_t i = 0; i < ops.size(); ++i) {
    if (isa<as::PipelineAcquireOp>(ops[i]))
      ops.insert(ops[i]->user_begin(), ops[i]->user_end());
    else if (!copies.contains(ops[i]) &&
             (ops[i]->getNumRegions() || !isPure(ops[i])))
      return false;
    for (Value operand : ops[i]->getOperands()) {
      auto arg = dyn_cast<BlockArgument>(operand);
      if (arg && arg.getOwner() == loop.getBody() &&
          arg != loop.getInductionVar() &&
          !isa<as::PipelineIteratorType>(arg.getType()))
        return false;
      if (isFromBody(operand))
        ops.insert(operand.getDefiningOp());
    }
  }
  for (auto wait : loop.getBody()->getOps<as::PipelineWaitOp>())
    if (isFilledByMma(wait.getPipeline()) &&
        llvm::any_of(wait.getPipeline().getUsers(),
                     [&](Operation *user) { return moved.contains(user); }))
      result = wait;
  if (!result)
    return false;
  for (Operation &op : *loop.getBody())
    if (ops.contains(&op))
      early.push_back(&op);
  return !early.empty();
}

/// Checks that copies into the slots that the first dot reads next are in
/// flight.
std::string TensorChainShifter::findCopies() {
  for (Operation &op : *loop.getBody()) {
    auto acquire = dyn_cast<as::PipelineAcquireOp>(op);
    if (isa<as::AsyncCopyOp>(op))
      return "threads copy an operand";
    if (acquire && isFilledByMma(acquire.getPipeline())) {
      if (moved.contains(&op) &&
          cast<as::PipelineType>(acquire.getPipeline().getType()).getDepth() <
              2)
        return "tensor memory has no room for two results";
      continue;
    }
    auto commit = dyn_cast<as::PipelineCommitOp>(op);
    if (acquire || isa<as::AsyncTmaLoadOp>(op) ||
        (commit && !isFilledByMma(commit.getPipeline())))
      copies.insert(&op);
  }
  for (Operation *op : copies)
    for (Operation *user : op->getUsers())
      if (!copies.contains(user))
        return "something waits for the token of a copy";
  int64_t more = findEarlyCopies();
  for (Operation *op : start)
    if (auto wait = dyn_cast<as::PipelineWaitOp>(op);
        wait && getLead(wait.getPipeline(), loop) + more < 2)
      return "copies run less than two iterations ahead";
  return "";
}

/// Threads have waited for the MMA that reads a slot when an early copy refills
/// it: no commit has to release it. Around the loop there is no other loop,
/// whose threads might be elsewhere. The slots of the other operand are free
/// after the wait for the accumulator, too; their commits stay, because the
/// wait keeps ptxas from moving later work up to where all registers are taken.
void TensorChainShifter::markFreedSlots() {
  if (!isa<mlir::nv_tileaa::FuncOp>(loop->getParentOp()))
    return;
  for (Operation *op : early)
    if (auto acquire = dyn_cast<as::PipelineAcquireOp>(op))
      getCreate(acquire.getPipeline())
          ->setDiscardableAttr(kFreedByWaitsAttr,
                               UnitAttr::get(loop.getContext()));
}

/// Collects the operations on pipelines after the loop.
std::string TensorChainShifter::findTail() {
  llvm::SmallSetVector<Operation *, 8> ops;
  for (OpResult result : loop.getResults())
    if (isa<as::PipelineIteratorType>(result.getType()))
      ops.insert(result.user_begin(), result.user_end());
  for (size_t i = 0; i < ops.size(); ++i) {
    auto copy = dyn_cast<as::CopyOp>(ops[i]);
    if (ops[i]->getBlock() != loop->getBlock() ||
        !((copy && copy.getResult()) ||
          isa<as::PipelineWaitOp, as::PipelineReleaseOp, as::PipelineAdvanceOp>(
              ops[i])))
      return "another loop continues its pipelines";
    if (!copy)
      for (Operation *user : ops[i]->getUsers())
        ops.insert(user);
  }
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode())
    if (ops.contains(op))
      tail.push_back(op);
  return "";
}

/// Checks that slots read after the loop are filled before it.
std::string TensorChainShifter::findHead() {
  for (Operation *op : tail) {
    auto copy = dyn_cast<as::CopyOp>(op);
    if (!copy)
      continue;
    auto wait = copy.getSrc().getDefiningOp<as::PipelineWaitOp>();
    as::PipelineAcquireOp acquire;
    for (Operation *user : wait.getPipeline().getUsers())
      if (isa<as::PipelineAcquireOp>(user) &&
          user->getBlock() == loop->getBlock())
        acquire = cast<as::PipelineAcquireOp>(user);
    auto store =
        acquire && acquire.getSlots().front().hasOneUse()
            ? dyn_cast<as::CopyOp>(*acquire.getSlots().front().user_begin())
            : as::CopyOp();
    if (!store || !store.getDst())
      return "an accumulator is not initialized before the loop";
    untouched.push_back(store.getSrc());
    for (Operation *at = acquire; at && at != loop; at = at->getNextNode())
      if (at == store ||
          llvm::is_contained(at->getOperands(), acquire.getIterator()))
        head.push_back(at);
  }
  return "";
}

std::string TensorChainShifter::find() {
  for (auto step :
       {&TensorChainShifter::findStart, &TensorChainShifter::findCopies,
        &TensorChainShifter::findTail, &TensorChainShifter::findHead})
    if (std::string reason = (this->*step)(); !reason.empty())
      return reason;
  return "";
}

/// Returns whether `arg` is an iterator of a pipeline of early copies.
bool TensorChainShifter::isEarlyIterator(BlockArgument arg) const {
  return isa<as::PipelineIteratorType>(arg.getType()) &&
         llvm::any_of(arg.getUsers(), [&](Operation *user) {
           return llvm::is_contained(early, user);
         });
}

/// Emits the first dot of the first iteration, after the copies into its next
/// slots; returns the iter-args.
SmallVector<Value> TensorChainShifter::emitFirst() {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  mapping.map(loop.getRegionIterArgs(), loop.getInits());
  IRMapping ahead = mapping;
  clone(early, ahead);
  clone(start, mapping);
  SmallVector<Value> inits(loop.getInits());
  for (auto [arg, init] : llvm::zip(loop.getRegionIterArgs(), inits)) {
    Value next = loop.getTiedLoopYieldedValue(arg)->get();
    if (next.getDefiningOp() && isMoved(next.getDefiningOp()))
      init = mapping.lookup(next);
    else if (isEarlyIterator(arg))
      init = builder.clone(*next.getDefiningOp(), mapping)->getResult(0);
  }
  return inits;
}

/// Clones the rest of an iteration; with `next`, the copies of later iterations
/// as well.
void TensorChainShifter::cloneRest(IRMapping &mapping, IRMapping *next) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (copies.contains(&op) ? next && !llvm::is_contained(early, &op)
                             : !isMoved(&op))
      builder.clone(op, mapping);
    if (next && &op == result.getOperation())
      clone(early, *next);
  }
}

scf::ForOp TensorChainShifter::emitLoop(ArrayRef<Value> inits, Value last) {
  auto shifted = scf::ForOp::create(
      builder, loc, loop.getLowerBound(), last, loop.getStep(), inits,
      /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  shifted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(shifted.getBody());
  IRMapping mapping, next;
  mapping.map(loop.getInductionVar(), shifted.getInductionVar());
  for (IRMapping *each : {&mapping, &next})
    each->map(loop.getRegionIterArgs(), shifted.getRegionIterArgs());
  next.map(loop.getInductionVar(),
           arith::AddIOp::create(builder, loc, shifted.getInductionVar(),
                                 loop.getStep()));
  clone(start, next);
  cloneRest(mapping, &next);
  SmallVector<Value> yielded;
  for (Value value : loop.getYieldedValues()) {
    Operation *op = value.getDefiningOp();
    yielded.push_back(op && isMoved(op) ? next.lookup(value)
                                        : mapping.lookupOrDefault(value));
  }
  scf::YieldOp::create(builder, loc, yielded);
  return shifted;
}

/// Clones the reads after the loop, whose results are `results`; returns the
/// values of the branch.
SmallVector<Value> TensorChainShifter::cloneTail(ArrayRef<Value> results) {
  IRMapping mapping;
  mapping.map(loop.getResults(), results);
  clone(tail, mapping);
  SmallVector<Value> given;
  for (OpResult result : loop.getResults())
    if (!isa<as::PipelineIteratorType>(result.getType()))
      given.push_back(results[result.getResultNumber()]);
  for (Operation *op : tail)
    if (isa<as::CopyOp>(op))
      given.push_back(mapping.lookup(op->getResult(0)));
  return given;
}

void TensorChainShifter::run() {
  markFreedSlots();
  SmallVector<Value> old;
  for (OpResult result : loop.getResults())
    if (!isa<as::PipelineIteratorType>(result.getType()))
      old.push_back(result);
  for (Operation *op : tail)
    if (isa<as::CopyOp>(op))
      old.push_back(op->getResult(0));
  builder.setInsertionPointAfter(loop);
  Value hasAny =
      arith::CmpIOp::create(builder, loc,
                            loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                                                  : arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  auto branch =
      scf::IfOp::create(builder, loc, TypeRange(ValueRange(old)), hasAny,
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  builder.setInsertionPointToEnd(branch.elseBlock());
  SmallVector<Value> kept;
  for (Value init : loop.getInits())
    if (!isa<as::PipelineIteratorType>(init.getType()))
      kept.push_back(init);
  kept.append(untouched);
  scf::YieldOp::create(builder, loc, kept);
  for (Operation *op : head)
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->end());
  builder.setInsertionPointToEnd(branch.thenBlock());
  Value last = getLastIndex(builder, loop);
  scf::ForOp shifted = emitLoop(emitFirst(), last);
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), last);
  mapping.map(loop.getRegionIterArgs(), shifted.getResults());
  cloneRest(mapping, /*next=*/nullptr);
  SmallVector<Value> results;
  for (auto [arg, value] :
       llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    Operation *op = value.getDefiningOp();
    bool isElsewhere = op && (isMoved(op) || !mapping.contains(value));
    results.push_back(isElsewhere && isFromBody(value)
                          ? mapping.lookup(arg)
                          : mapping.lookupOrDefault(value));
  }
  scf::YieldOp::create(builder, loc, cloneTail(results));
  for (auto [value, result] : llvm::zip(old, branch.getResults()))
    value.replaceAllUsesWith(result);
  for (Operation *op : llvm::reverse(tail))
    op->erase();
  loop.erase();
}

std::string shiftTensorChain(scf::ForOp loop) {
  TensorChainShifter shifter(loop);
  std::string reason = shifter.find();
  if (reason.empty())
    shifter.run();
  return reason;
}

} // namespace tileir
