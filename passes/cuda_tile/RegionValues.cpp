// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Liveness of the values that branches and loops carry: C++ front ends thread
// every token and variable through all of them, and few have readers.

#include "passes/cuda_tile/RegionValues.h"

#include "dialects/cuda_tile/CudaTile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

namespace tileir {
namespace {

using namespace mlir;
using namespace mlir::cuda_tile;

/// Finds the values on which an effect, a branch or a bound depends. An
/// operation without effect, an operand of a terminator and a carried value are
/// live if one of their results is.
class Liveness {
public:
  explicit Liveness(Operation *function);

  bool isLive(Value value) const { return live.contains(value); }
  bool isLive(Operation *op) const;
  /// Indices of the values without a live reader.
  llvm::BitVector getDead(ValueRange values) const;
  /// The terminators that yield the results of `construct` or start its next
  /// iteration.
  ArrayRef<Operation *> getExits(Operation *construct) const;

private:
  void collect(Operation *construct);
  void mark(Value value) {
    if (live.insert(value).second)
      worklist.push_back(value);
  }
  void markAt(Operation *construct, unsigned index, bool breaks);
  void follow(Value value);

  llvm::DenseSet<Value> live;
  SmallVector<Value> worklist;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> exits;
};

} // namespace

/// Returns whether `op` is live by itself. Unused operations are left to other
/// passes.
static bool isRoot(Operation *op) {
  return op->use_empty() || !isMemoryEffectFree(op);
}

/// The construct of `terminator`.
static Operation *getConstruct(Operation *terminator) {
  Operation *construct = terminator->getParentOp();
  if (isa<ContinueOp, BreakOp>(terminator))
    while (isa<IfOp>(construct))
      construct = construct->getParentOp();
  return construct;
}

ArrayRef<Operation *> Liveness::getExits(Operation *construct) const {
  auto found = exits.find(construct);
  return found == exits.end() ? ArrayRef<Operation *>() : found->second;
}

bool Liveness::isLive(Operation *op) const {
  return isa<IfOp, ForOp, LoopOp>(op) || isRoot(op) ||
         llvm::any_of(op->getResults(), [&](Value v) { return isLive(v); });
}

llvm::BitVector Liveness::getDead(ValueRange values) const {
  llvm::BitVector dead(values.size());
  for (auto [index, value] : llvm::enumerate(values))
    if (!isLive(value))
      dead.set(index);
  return dead;
}

/// Marks operand `index` of the terminators that end `construct` (`breaks`) or
/// start its next iteration.
void Liveness::markAt(Operation *construct, unsigned index, bool breaks) {
  for (Operation *exit : getExits(construct))
    if (isa<BreakOp>(exit) == breaks)
      mark(exit->getOperand(index));
}

void Liveness::follow(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *op =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  unsigned index = argument ? argument.getArgNumber()
                            : cast<OpResult>(value).getResultNumber();
  if (auto loop = dyn_cast<ForOp>(op)) {
    if (argument && index == 0)
      return;
    // A carried value and its result have the same index.
    index -= argument ? 1 : 0;
    mark(loop.getRegionIterValues()[index]);
    mark(loop.getResult(index));
    mark(loop.getInitValues()[index]);
    markAt(op, index, /*breaks=*/false);
  } else if (auto loop = dyn_cast<LoopOp>(op)) {
    if (argument)
      mark(loop.getInitValues()[index]);
    markAt(op, index, /*breaks=*/!argument);
  } else if (isa<IfOp>(op)) {
    markAt(op, index, /*breaks=*/false);
  } else if (!argument) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        mark(operand);
    });
  }
}

void Liveness::collect(Operation *construct) {
  for (Region &region : construct->getRegions())
    for (Block &block : region)
      for (Operation &op : block) {
        if (isa<YieldOp, ContinueOp, BreakOp>(op)) {
          exits[getConstruct(&op)].push_back(&op);
        } else if (isa<IfOp, ForOp, LoopOp>(op)) {
          // Initial values are live if the carried values are.
          unsigned numControl = isa<IfOp>(op) ? 1 : isa<ForOp>(op) ? 3 : 0;
          for (Value operand : op.getOperands().take_front(numControl))
            mark(operand);
          collect(&op);
        } else if (isRoot(&op)) {
          op.walk([&](Operation *inner) {
            for (Value operand : inner->getOperands())
              mark(operand);
          });
        }
      }
}

Liveness::Liveness(Operation *function) {
  collect(function);
  while (!worklist.empty())
    follow(worklist.pop_back_val());
}

//===----------------------------------------------------------------------===//
// Removal
//===----------------------------------------------------------------------===//

/// Rebuilds `op` without its results in `dead`.
static void dropResults(Operation *op, const llvm::BitVector &dead) {
  if (dead.none())
    return;
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addAttributes(op->getAttrs());
  for (OpResult result : op->getResults())
    if (!dead.test(result.getResultNumber()))
      state.addTypes(result.getType());
  for (unsigned i = 0, e = op->getNumRegions(); i < e; ++i)
    state.addRegion();
  OpBuilder builder(op);
  Operation *copy = builder.create(state);
  for (auto [from, to] : llvm::zip_equal(op->getRegions(), copy->getRegions()))
    to.takeBody(from);
  unsigned next = 0;
  for (OpResult result : op->getResults())
    if (!dead.test(result.getResultNumber()))
      result.replaceAllUsesWith(copy->getResult(next++));
  op->dropAllUses();
  op->erase();
}

static void dropOperands(Operation *op, const llvm::BitVector &dead,
                         unsigned offset = 0) {
  llvm::BitVector shifted(op->getNumOperands());
  for (unsigned index : dead.set_bits())
    shifted.set(offset + index);
  op->eraseOperands(shifted);
}

/// Returns the number of dropped values.
static uint64_t dropDeadValues(FunctionOpInterface function) {
  uint64_t numDropped = 0;
  Liveness liveness(function);
  SmallVector<Operation *> constructs, dead;
  function.getFunctionBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<IfOp, ForOp, LoopOp>(op)) {
      constructs.push_back(op);
      return WalkResult::advance();
    }
    if (!liveness.isLive(op))
      dead.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *op : constructs) {
    llvm::BitVector deadResults = liveness.getDead(op->getResults());
    for (Operation *exit : liveness.getExits(op))
      if (isa<BreakOp>(exit) || isa<IfOp>(op))
        dropOperands(exit, deadResults);
    if (!isa<IfOp>(op)) {
      Block *body = &op->getRegion(0).front();
      unsigned first = isa<ForOp>(op) ? 1 : 0;
      llvm::BitVector deadArguments =
          liveness.getDead(body->getArguments().drop_front(first));
      for (Operation *exit : liveness.getExits(op))
        if (isa<ContinueOp>(exit))
          dropOperands(exit, deadArguments);
      dropOperands(op, deadArguments, isa<ForOp>(op) ? 3 : 0);
      numDropped += deadArguments.count();
      for (BlockArgument argument : body->getArguments().drop_front(first))
        if (deadArguments.test(argument.getArgNumber() - first))
          argument.dropAllUses();
      body->eraseArguments([&](BlockArgument argument) {
        return argument.getArgNumber() >= first &&
               deadArguments.test(argument.getArgNumber() - first);
      });
    }
    numDropped += deadResults.count();
    dropResults(op, deadResults);
  }
  for (Operation *op : dead)
    op->dropAllUses();
  for (Operation *op : dead)
    op->erase();
  return numDropped;
}

uint64_t dropDeadRegionValues(Operation *root) {
  uint64_t numDropped = 0;
  root->walk<WalkOrder::PreOrder>([&](FunctionOpInterface function) {
    numDropped += dropDeadValues(function);
    return WalkResult::skip();
  });
  return numDropped;
}

} // namespace tileir
