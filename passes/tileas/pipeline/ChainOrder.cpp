// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/pipeline/ChainOrder.h"
#include "passes/analysis/MmaChain.h"

#include "passes/analysis/budgets/RegisterBudget.h"
#include "passes/analysis/budgets/RegisterDemand.h"

#include "dialects/nv_tileaa/ModuleFacts.h"
#include "dialects/nv_tileas/NVTileAS.h"
#include "dialects/support/Heuristics.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// Moves operations in the body of a loop around its second dot.
class ChainOrderer {
public:
  ChainOrderer(scf::ForOp loop, bool isAhead)
      : loop(loop), body(loop.getBody()), isAhead(isAhead) {}

  bool run();

private:
  bool findDots();
  /// Returns whether `value` is a number or so for each row.
  bool isSmall(Value value) {
    return getRegisterCount(value.getType()) <=
           getRegisterCount(second.getAccType()) / 4;
  }
  bool hoistOperands();
  bool sinkRest();
  bool leavesRegisters(const DeferredOps &rest);

  scf::ForOp loop;
  Block *body;
  bool isAhead;
  as::AsyncDotOp first, second;
  as::DotWaitOp firstWait;
};

} // namespace

bool ChainOrderer::findDots() {
  MmaChain chain(loop);
  if (!chain.isPair())
    return false;
  first = dyn_cast<as::AsyncDotOp>(chain.getDots()[0].op);
  second = dyn_cast<as::AsyncDotOp>(chain.getDots()[1].op);
  firstWait = chain.getDots()[0].wait;
  return first && second && firstWait && firstWait->isBeforeInBlock(second);
}

/// Moves the rescale factors of the accumulator up to their operands. One
/// factor for each row is few values; the multiplication of the accumulator
/// stays.
bool ChainOrderer::hoistOperands() {
  BodySlice ofOperand = getBodySlice(body, second.getA()),
            ofAccumulator = getBodySlice(body, second.getC());
  bool moved = false;
  for (Operation &op : llvm::make_early_inc_range(*body)) {
    if (!ofAccumulator.contains(&op) || ofOperand.contains(&op) ||
        op.getNumRegions() || !isMemoryEffectFree(&op) ||
        op.getNumResults() != 1 ||
        !isa<RankedTensorType>(op.getResult(0).getType()) ||
        !isSmall(op.getResult(0)))
      continue;
    Operation *last = nullptr;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == body &&
          (!last || last->isBeforeInBlock(producer)))
        last = producer;
    if (!last || last->getNextNode() == &op)
      continue;
    op.moveAfter(last);
    moved = true;
  }
  return moved;
}

/// Returns whether a thread has registers for the operands of `rest` beside
/// those of the second dot.
bool ChainOrderer::leavesRegisters(const DeferredOps &rest) {
  llvm::SmallSetVector<Value, 8> held;
  for (Operation *op : rest)
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == body &&
          !rest.contains(producer) && !isSmall(operand))
        held.insert(operand);
  int64_t registers = getRegisterCount(second.getAccType()) +
                      getRegisterCount(second.getA().getType()) +
                      getRegisterCount(first.getA().getType());
  if (isAhead)
    registers += getRegisterCount(first.getAccType());
  for (Value value : held)
    registers += getRegisterCount(value.getType());
  return RegisterBudget::getAround(loop).getLeft(
             registers + heuristics::registersBesideChainedDots) >= 0;
}

/// Moves work that depends on the first dot, and has no readers before the
/// second one is in flight, after its start.
bool ChainOrderer::sinkRest() {
  BodySlice needed = getBodySlice(body, second->getOperands());
  llvm::SmallPtrSet<Operation *, 16> follows = {firstWait};
  SmallVector<Operation *> between;
  for (Operation *op = firstWait->getNextNode(); op != second;
       op = op->getNextNode()) {
    bool isOfFirst = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        isOfFirst |= follows.contains(operand.getDefiningOp());
    });
    if (!isOfFirst)
      continue;
    follows.insert(op);
    // Readers of the first dot itself stay: the next dot takes its registers.
    if (!needed.contains(op) && isMemoryEffectFree(op) &&
        !llvm::is_contained(op->getOperands(), firstWait.getResult()))
      between.push_back(op);
  }
  DeferredOps rest = findDeferred(between, second);
  if (rest.empty() || !leavesRegisters(rest))
    return false;
  for (Operation *op : rest)
    op->moveAfter(second);
  return true;
}

bool ChainOrderer::run() {
  if (!findDots())
    return false;
  bool hasHoisted = hoistOperands();
  return sinkRest() || hasHoisted;
}

DeferredOps findDeferred(ArrayRef<Operation *> ops, Operation *start) {
  DeferredOps deferred;
  for (Operation *op : llvm::reverse(ops)) {
    bool canWait = llvm::all_of(op->getUsers(), [&](Operation *user) {
      Operation *at = start->getBlock()->findAncestorOpInBlock(*user);
      return !at || deferred.contains(at) || start->isBeforeInBlock(at);
    });
    if (canWait)
      deferred.insert(op);
  }
  return deferred;
}

bool orderChain(scf::ForOp loop, bool isAhead) {
  return ChainOrderer(loop, isAhead).run();
}

} // namespace tileir
