// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checker of the states of pipeline slots over the iterations of loops.

#include "passes/analysis/ExecScope.h"
#include "passes/analysis/Pipelines.h"

#include <deque>
#include <map>

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// Slots of one pipeline so far. Positions count all slots since the start;
/// they are not taken modulo the depth.
struct SlotCounts {
  int64_t depth = 1;
  int64_t acquired = 0, committed = 0, waited = 0, released = 0;
  /// Released slots that MMAs in flight may still read.
  int64_t inUse = 0;
  /// First position that was acquired under a condition, in the last run of
  /// such positions.
  int64_t conditionalFrom = 0;
  /// The groups of the slots that are committed and not waited for, oldest
  /// first, where copy groups synchronize the pipeline.
  std::deque<int64_t> groups;
  bool byGroup = false;
  /// True if one agent fills slots and another reads them: their order is open,
  /// so each side is checked alone.
  bool isBetweenAgents = false;
  /// Slots that MMAs read and that may still be busy: by position, the number
  /// of the last of these MMAs.
  std::map<int64_t, int64_t> readers;

  bool isAhead() const { return committed > waited; }
};

/// Interprets the pipeline operations of a function, a few iterations of each
/// loop, on positions in place of slots.
class SlotChecker {
public:
  LogicalResult runBlock(Block &block);

private:
  LogicalResult runOp(Operation *op);
  LogicalResult runLoop(scf::ForOp loop);
  LogicalResult runBranch(scf::IfOp op);
  LogicalResult runRegions(Operation *op);
  LogicalResult start(as::PipelineIteratorOp op);
  LogicalResult acquire(as::PipelineAcquireOp op);
  LogicalResult commit(as::PipelineCommitOp op);
  LogicalResult wait(as::PipelineWaitOp op);
  LogicalResult release(as::PipelineReleaseOp op);
  LogicalResult copy(Operation *op, Value buffer);
  LogicalResult useSlots(Operation *op);
  LogicalResult useSlot(Operation *op, Value buffer);
  LogicalResult checkReaders(as::PipelineReleaseOp op, SlotCounts &counts);
  LogicalResult expect(Operation *op, Value iterator, int64_t expected);

  struct Slot {
    Value pipeline;
    int64_t position;
    bool isProducer;
  };

  llvm::MapVector<Value, SlotCounts> pipelines;
  /// Number of closed groups so far, over all pipelines.
  int64_t numGroups = 0;
  /// Number of warpgroup MMAs started so far, and of those that a wait covers.
  int64_t numDots = 0, numDone = 0;
  DenseMap<Value, int64_t> positions;
  DenseMap<Value, Slot> slots;
  /// Set inside the second iteration of a loop: a nested loop needs one
  /// iteration only.
  bool once = false;
};

} // namespace

LogicalResult SlotChecker::expect(Operation *op, Value iterator,
                                  int64_t expected) {
  int64_t position = positions.lookup(iterator);
  if (position == expected)
    return success();
  return op->emitOpError("is at slot ")
         << position << " of the pipeline, but slot " << expected
         << " is next; advance an iterator once for each slot";
}

LogicalResult SlotChecker::start(as::PipelineIteratorOp op) {
  SlotCounts &counts = pipelines[op.getPipeline()];
  bool isProducer = op.getSide() == as::PipelineSide::Producer;
  int64_t from = op.getFrom() ? positions.lookup(op.getFrom()) : 0;
  positions[op.getResult()] = from;
  if (counts.isBetweenAgents) {
    if (op.getFrom() && isProducer)
      counts.acquired = counts.committed = from;
    return success();
  }
  if (op.getFrom() && isProducer) {
    // Slots acquired under a condition before a loop do not count after it.
    if (counts.isAhead() && counts.conditionalFrom <= counts.waited) {
      counts.acquired = counts.committed = counts.waited;
      counts.groups.clear();
    }
  }
  int64_t expected = isProducer ? counts.acquired : counts.waited;
  return expect(op, op.getResult(), expected);
}

LogicalResult SlotChecker::acquire(as::PipelineAcquireOp op) {
  SlotCounts &counts = pipelines[op.getPipeline()];
  if (failed(expect(op, op.getIterator(), counts.acquired)))
    return failure();
  if (counts.acquired != counts.committed)
    return op.emitOpError("comes before the 'commit' of the slot that was "
                          "acquired last");
  int64_t busy = counts.acquired - counts.released + counts.inUse;
  if (busy >= counts.depth && !counts.isBetweenAgents)
    return op.emitOpError("acquires a slot that is not released: ")
           << busy + 1 << " slots are in flight, the pipeline has "
           << counts.depth;
  for (Value slot : op.getSlots())
    slots[slot] = {op.getPipeline(), counts.acquired, /*isProducer=*/true};
  if (!op.getCondition())
    counts.conditionalFrom = counts.acquired + 1;
  ++counts.acquired;
  return success();
}

LogicalResult SlotChecker::commit(as::PipelineCommitOp op) {
  SlotCounts &counts = pipelines[op.getPipeline()];
  if (failed(expect(op, op.getIterator(), counts.committed)))
    return failure();
  if (counts.committed >= counts.acquired)
    return op.emitOpError("commits a slot that is not acquired");
  ++counts.committed;
  if (counts.byGroup)
    counts.groups.push_back(numGroups++);
  return success();
}

LogicalResult SlotChecker::wait(as::PipelineWaitOp op) {
  SlotCounts &counts = pipelines[op.getPipeline()];
  if (failed(expect(op, op.getIterator(), counts.waited)))
    return failure();
  if (counts.waited >= counts.committed && !counts.isBetweenAgents)
    return op.emitOpError("waits for a slot that is not committed");
  if (counts.byGroup) {
    int64_t younger = numGroups - 1 - counts.groups.front();
    counts.groups.pop_front();
    if (op.getPending() > younger)
      return op.emitOpError("leaves ")
             << op.getPending() << " groups in flight, but only " << younger
             << " are younger than the slot's";
  }
  for (Value slot : op.getSlots())
    slots[slot] = {op.getPipeline(), counts.waited, /*isProducer=*/false};
  ++counts.waited;
  return success();
}

LogicalResult SlotChecker::release(as::PipelineReleaseOp op) {
  SlotCounts &counts = pipelines[op.getPipeline()];
  if (failed(expect(op, op.getIterator(), counts.released)))
    return failure();
  if (counts.released >= counts.waited)
    return op.emitOpError("releases a slot that was not waited for");
  ++counts.released;
  counts.inUse = std::min<int64_t>(counts.released, op.getPending());
  return checkReaders(op, counts);
}

/// Checks that no MMA in flight reads a slot that `op` frees: the producer of
/// such a slot does not wait for MMAs.
LogicalResult SlotChecker::checkReaders(as::PipelineReleaseOp op,
                                        SlotCounts &counts) {
  int64_t free = counts.released - counts.inUse;
  while (!counts.readers.empty() && counts.readers.begin()->first < free) {
    if (counts.readers.begin()->second > numDone)
      return op.emitOpError("frees a slot that an MMA may still be reading; "
                            "wait for the MMA first, or count the slot as "
                            "'pending'");
    counts.readers.erase(counts.readers.begin());
  }
  return success();
}

/// Checks that a copy writes a slot that is acquired and not yet committed.
LogicalResult SlotChecker::copy(Operation *op, Value buffer) {
  auto slot = slots.find(buffer);
  if (slot == slots.end())
    return success();
  if (!slot->second.isProducer)
    return op->emitOpError("writes a slot that is being read");
  const SlotCounts &counts = pipelines[slot->second.pipeline];
  if (slot->second.position != counts.committed)
    return op->emitOpError("writes a slot that is committed");
  return success();
}

/// Returns whether `op` writes `buffer`, or reads and writes it.
static bool isWritten(Operation *op, Value buffer) {
  SmallVector<as::StorageEffect> effects;
  if (auto storage = dyn_cast<as::StorageEffectOpInterface>(op))
    storage.getStorageEffects(effects);
  return llvm::any_of(effects, [&](const as::StorageEffect &effect) {
    return effect.isWrite && effect.buffer == buffer;
  });
}

/// Returns whether `buffer` is in tensor memory. A consumer may write such a
/// slot between its wait and its release: accumulators that are rescaled
/// between MMAs, scales that `tcgen05.mma` reads beside a slot.
static bool isInTensorMemory(Value buffer) {
  return cast<as::BufferType>(buffer.getType()).getSpace() == LayoutSpace::Tmem;
}

/// Checks an operation other than a copy: it reads a slot that was waited for,
/// or writes an acquired one if the threads are the producer.
LogicalResult SlotChecker::useSlot(Operation *op, Value buffer) {
  Slot slot = slots.lookup(buffer);
  if (isWritten(op, buffer) && (slot.isProducer || !isInTensorMemory(buffer)))
    return copy(op, buffer);
  if (slot.isProducer) {
    if (isMemoryEffectFree(op))
      return success();
    return op->emitOpError(
        "reads a slot that is being filled; read the one that was waited for");
  }
  SlotCounts &counts = pipelines[slot.pipeline];
  if (slot.position < counts.released)
    return op->emitOpError("reads a slot that is released");
  if (isa<as::AsyncDotOp>(op))
    counts.readers[slot.position] = numDots;
  return success();
}

/// Checks the slots among the operands of `op`; a view of a slot is a slot.
LogicalResult SlotChecker::useSlots(Operation *op) {
  if (isa<as::AsyncDotOp>(op))
    ++numDots;
  if (auto wait = dyn_cast<as::DotWaitOp>(op))
    numDone = std::max<int64_t>(numDone, numDots - wait.getPending());
  for (Value operand : op->getOperands()) {
    auto it = slots.find(operand);
    if (it == slots.end())
      continue;
    Slot slot = it->second;
    if (failed(useSlot(op, operand)))
      return failure();
    if (op->getNumResults() == 1 &&
        isa<as::BufferType>(op->getResult(0).getType()))
      slots[op->getResult(0)] = slot;
  }
  return success();
}

/// Runs two iterations. Every counter then moves by the same number in each
/// further iteration, so no iteration can differ.
LogicalResult SlotChecker::runLoop(scf::ForOp loop) {
  for (auto [arg, init] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInitArgs()))
    if (isa<as::PipelineIteratorType>(arg.getType()))
      positions[arg] = positions.lookup(init);
  bool outer = once;
  for (int iteration = 0; iteration < (outer ? 1 : 2); ++iteration) {
    once = outer || iteration;
    llvm::MapVector<Value, SlotCounts> before = pipelines;
    if (failed(runBlock(*loop.getBody())))
      return failure();
    for (auto &[pipeline, old] : before) {
      const SlotCounts &now = pipelines[pipeline];
      int64_t moved = now.released - old.released;
      int64_t filled =
          now.isBetweenAgents ? now.acquired - old.acquired : moved;
      if (now.acquired - old.acquired != filled ||
          now.committed - old.committed != filled ||
          now.waited - old.waited != moved)
        return loop.emitOpError("acquires ")
               << now.acquired - old.acquired << ", commits "
               << now.committed - old.committed << ", waits for "
               << now.waited - old.waited << " and releases " << moved
               << " slots of a pipeline in one iteration";
    }
    SmallVector<std::pair<Value, int64_t>> next;
    for (auto [arg, yielded] :
         llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues()))
      if (isa<as::PipelineIteratorType>(arg.getType()))
        next.push_back({arg, positions.lookup(yielded)});
    for (auto [arg, position] : next)
      positions[arg] = position;
  }
  once = outer;
  for (auto [arg, result] :
       llvm::zip(loop.getRegionIterArgs(), loop.getResults()))
    if (isa<as::PipelineIteratorType>(arg.getType()))
      positions[result] = positions.lookup(arg);
  return success();
}

/// Runs a branch that may hold a loop with its prologue and epilogue: it
/// releases as many slots as it waits for, and may leave out the acquisition of
/// slots that run ahead under a condition. The other branch uses no pipeline.
LogicalResult SlotChecker::runBranch(scf::IfOp op) {
  llvm::MapVector<Value, SlotCounts> before = pipelines;
  if (op.elseBlock()) {
    if (failed(runBlock(*op.elseBlock())))
      return failure();
    for (auto &[pipeline, old] : before)
      if (pipelines[pipeline].acquired != old.acquired ||
          pipelines[pipeline].waited != old.waited)
        return op.emitOpError("uses a pipeline from outside where its "
                              "condition is false");
  }
  if (failed(runBlock(*op.thenBlock())))
    return failure();
  for (auto &[pipeline, old] : before) {
    const SlotCounts &now = pipelines[pipeline];
    int64_t waited = now.waited - old.waited,
            acquired = now.acquired - old.acquired;
    bool isEven = acquired == waited || now.isBetweenAgents ||
                  (acquired < waited && now.conditionalFrom <= now.waited);
    if (now.released - old.released != waited || !isEven ||
        now.committed - old.committed != acquired)
      return op.emitOpError("acquires ")
             << acquired << ", waits for " << waited << " and releases "
             << now.released - old.released << " slots of a pipeline";
  }
  return success();
}

/// Runs other regions, whose number of executions is unknown.
LogicalResult SlotChecker::runRegions(Operation *op) {
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      llvm::MapVector<Value, SlotCounts> before = pipelines;
      if (failed(runBlock(block)))
        return failure();
      for (auto &[pipeline, old] : before) {
        const SlotCounts &now = pipelines[pipeline];
        if (now.acquired != old.acquired || now.committed != old.committed ||
            now.waited != old.waited || now.released != old.released)
          return op->emitOpError("uses a pipeline from outside; only loops of "
                                 "'scf.for' may");
      }
    }
  return success();
}

/// Returns whether some warps fill the slots of `create` and other warps read
/// them.
static bool isBetweenAgents(as::PipelineCreateOp create) {
  llvm::SmallPtrSet<Region *, 2> scopes;
  for (Operation *user : create->getUsers())
    if (isa<as::PipelineAcquireOp, as::PipelineWaitOp>(user))
      scopes.insert(getExecScope(user).region);
  return scopes.size() > 1;
}

LogicalResult SlotChecker::runOp(Operation *op) {
  if (auto create = dyn_cast<as::PipelineCreateOp>(op)) {
    pipelines[create.getResult()] = SlotCounts();
    pipelines[create.getResult()].depth = create.getType().getDepth();
    pipelines[create.getResult()].byGroup =
        create.getSync() == as::PipelineSync::Group;
    pipelines[create.getResult()].isBetweenAgents = isBetweenAgents(create);
    return success();
  }
  if (auto start = dyn_cast<as::PipelineIteratorOp>(op))
    return this->start(start);
  if (auto advance = dyn_cast<as::PipelineAdvanceOp>(op)) {
    int64_t position = positions.lookup(advance.getIterator());
    positions[advance.getResult()] = position + 1;
    return success();
  }
  if (auto acquire = dyn_cast<as::PipelineAcquireOp>(op))
    return this->acquire(acquire);
  if (auto commit = dyn_cast<as::PipelineCommitOp>(op))
    return this->commit(commit);
  if (auto wait = dyn_cast<as::PipelineWaitOp>(op))
    return this->wait(wait);
  if (auto release = dyn_cast<as::PipelineReleaseOp>(op))
    return this->release(release);
  if (auto copy = dyn_cast<as::AsyncCopyOp>(op))
    return this->copy(copy, copy.getBuffer());
  if (auto load = dyn_cast<as::AsyncTmaLoadOp>(op))
    return this->copy(load, load.getBuffer());
  if (failed(useSlots(op)))
    return failure();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return runLoop(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return runBranch(branch);
  return runRegions(op);
}

LogicalResult SlotChecker::runBlock(Block &block) {
  for (Operation &op : block)
    if (failed(runOp(&op)))
      return failure();
  // A pipeline ends with its block.
  for (auto create : block.getOps<as::PipelineCreateOp>()) {
    const SlotCounts &counts = pipelines[create.getResult()];
    if (counts.isAhead() && counts.conditionalFrom > counts.waited &&
        !counts.isBetweenAgents)
      return create.emitOpError("has a committed slot that nothing waits for");
    if (counts.released != counts.waited)
      return create.emitOpError("has a slot that is not released");
    pipelines.erase(create.getResult());
  }
  return success();
}

LogicalResult verifyPipelines(nv_tileaa::FuncOp func) {
  if (func.isExternal())
    return success();
  WalkResult found =
      func->walk([](as::PipelineCreateOp) { return WalkResult::interrupt(); });
  if (!found.wasInterrupted())
    return success();
  return SlotChecker().runBlock(func.getBody().front());
}

} // namespace tileir
