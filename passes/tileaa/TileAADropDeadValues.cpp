// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_TILEAADROPDEADVALUES
#define GEN_PASS_DEF_TILEAADROPDEADVALUES
#include "passes/tileaa/TileAADropDeadValues.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

struct TileAADropDeadValues final
    : impl::TileAADropDeadValuesBase<TileAADropDeadValues> {
  using TileAADropDeadValuesBase::TileAADropDeadValuesBase;

  void runOnOperation() override;
};

/// The values of a function on which an effect depends. Each value is visited
/// once, so the time is linear in the number of operands.
class NeededValues {
public:
  explicit NeededValues(aa::FuncOp func);

  bool contains(Value value) const { return needed.contains(value); }
  bool containsAny(ValueRange values) const {
    return llvm::any_of(values, [&](Value v) { return contains(v); });
  }

private:
  void add(Value value) {
    if (needed.insert(value).second)
      worklist.push_back(value);
  }
  void addAll(ValueRange values) {
    for (Value value : values)
      add(value);
  }
  void addEffects(Region &region);
  void addWhole(Operation *op);
  void addSources(BlockArgument arg);
  void addSources(OpResult result);

  llvm::DenseSet<Value> needed;
  SmallVector<Value> worklist;
};

} // namespace

/// Operations whose regions the analysis walks; it keeps or erases all others
/// as a whole.
static bool isLoopOrBranch(Operation *op) {
  return isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op);
}

/// Marks `op` and everything in its regions as needed.
void NeededValues::addWhole(Operation *op) {
  op->walk([&](Operation *inner) { addAll(inner->getOperands()); });
}

void NeededValues::addEffects(Region &region) {
  for (Operation &op : region.getOps()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      addAll({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      add(branch.getCondition());
    } else if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
      add(condition.getCondition());
    } else if (!isa<scf::WhileOp, scf::YieldOp>(op) &&
               !wouldOpBeTriviallyDead(&op)) {
      addWhole(&op);
    }
    if (isLoopOrBranch(&op))
      for (Region &inner : op.getRegions())
        addEffects(inner);
  }
}

/// Adds the values that become a block argument of a loop.
void NeededValues::addSources(BlockArgument arg) {
  Operation *parent = arg.getOwner()->getParentOp();
  unsigned number = arg.getArgNumber();
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (number < loop.getNumInductionVars())
      return;
    unsigned index = number - loop.getNumInductionVars();
    add(loop.getInitArgs()[index]);
    add(loop.getYieldedValues()[index]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    if (arg.getOwner() == loop.getAfterBody()) {
      add(loop.getConditionOp().getArgs()[number]);
      return;
    }
    add(loop.getInits()[number]);
    add(loop.getYieldOp().getResults()[number]);
  }
}

void NeededValues::addSources(OpResult result) {
  Operation *op = result.getOwner();
  unsigned number = result.getResultNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    add(loop.getRegionIterArgs()[number]);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    add(loop.getConditionOp().getArgs()[number]);
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    add(branch.thenYield().getResults()[number]);
    add(branch.elseYield().getResults()[number]);
  } else {
    addWhole(op);
  }
}

NeededValues::NeededValues(aa::FuncOp func) {
  addEffects(func.getBody());
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto arg = dyn_cast<BlockArgument>(value))
      addSources(arg);
    else
      addSources(cast<OpResult>(value));
  }
}

/// Indices of the unneeded values; empty if all are needed.
static llvm::BitVector findUnneeded(ValueRange values,
                                    llvm::function_ref<bool(unsigned)> isKept) {
  llvm::BitVector unneeded(values.size());
  for (unsigned i = 0; i < values.size(); ++i)
    if (!isKept(i))
      unneeded.set(i);
  return unneeded;
}

/// Rebuilds `op` without the results in `dropped`. Loops and branches that
/// still use these results lose the operands, too.
static void dropResults(Operation *op, const llvm::BitVector &dropped) {
  OperationState state(op->getLoc(), op->getName(), op->getOperands(), {},
                       op->getAttrs());
  SmallVector<Value> kept;
  for (OpResult result : op->getResults()) {
    if (dropped.test(result.getResultNumber()))
      continue;
    kept.push_back(result);
    state.types.push_back(result.getType());
  }
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  Operation *made = builder.create(state);
  for (auto [before, after] : llvm::zip(kept, made->getResults()))
    before.replaceAllUsesWith(after);
  op->dropAllUses();
  op->erase();
}

/// Erases the arguments in `dropped` from the block of a loop, where `first` is
/// the argument of index 0, and the remaining uses of these arguments.
static void dropArguments(Block &block, unsigned first,
                          const llvm::BitVector &dropped) {
  for (int i = dropped.find_last(); i >= 0; i = dropped.find_prev(i)) {
    block.getArgument(first + i).dropAllUses();
    block.eraseArgument(first + i);
  }
}

/// Removes unneeded values from `op`, whose unneeded users are erased already.
/// Returns the number of removed values.
static unsigned shrink(Operation *op, const NeededValues &needed) {
  auto isResultNeeded = [&](unsigned i) {
    return needed.contains(op->getResult(i));
  };
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    llvm::BitVector dropped = findUnneeded(op->getResults(), isResultNeeded);
    if (dropped.none())
      return 0;
    branch.thenYield()->eraseOperands(dropped);
    branch.elseYield()->eraseOperands(dropped);
    dropResults(op, dropped);
    return dropped.count();
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    llvm::BitVector dropped =
        findUnneeded(loop.getRegionIterArgs(), [&](unsigned i) {
          return needed.contains(loop.getRegionIterArgs()[i]);
        });
    if (dropped.none())
      return 0;
    cast<scf::YieldOp>(loop.getBody()->getTerminator())->eraseOperands(dropped);
    dropArguments(*loop.getBody(), loop.getNumInductionVars(), dropped);
    for (int i = dropped.find_last(); i >= 0; i = dropped.find_prev(i))
      op->eraseOperand(loop.getNumControlOperands() + i);
    dropResults(op, dropped);
    return dropped.count();
  }
  auto loop = cast<scf::WhileOp>(op);
  llvm::BitVector before =
      findUnneeded(loop.getBeforeArguments(), [&](unsigned i) {
        return needed.contains(loop.getBeforeArguments()[i]);
      });
  llvm::BitVector after = findUnneeded(op->getResults(), [&](unsigned i) {
    return isResultNeeded(i) || needed.contains(loop.getAfterArguments()[i]);
  });
  if (before.none() && after.none())
    return 0;
  loop.getYieldOp()->eraseOperands(before);
  op->eraseOperands(before);
  dropArguments(*loop.getBeforeBody(), 0, before);
  // The first operand of `scf.condition` is the condition.
  for (int i = after.find_last(); i >= 0; i = after.find_prev(i))
    loop.getConditionOp()->eraseOperand(1 + i);
  dropArguments(*loop.getAfterBody(), 0, after);
  dropResults(op, after);
  return before.count() + after.count();
}

void TileAADropDeadValues::runOnOperation() {
  aa::FuncOp func = getOperation();
  if (func.getBody().empty())
    return markAllAnalysesPreserved();
  NeededValues needed(func);
  SmallVector<Operation *> unneeded, loops;
  func.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isLoopOrBranch(op)) {
      loops.push_back(op);
      return WalkResult::advance();
    }
    if (op->getNumResults() && wouldOpBeTriviallyDead(op) &&
        !needed.containsAny(op->getResults()))
      unneeded.push_back(op);
    return WalkResult::skip();
  });
  // The loop below removes these operands from the terminators of `loops`.
  for (Operation *op : unneeded)
    op->dropAllUses();
  for (Operation *op : unneeded)
    op->erase();
  unsigned numDropped = 0;
  for (Operation *op : loops)
    numDropped += shrink(op, needed);
  numOps += unneeded.size();
  numValues += numDropped;
  if (unneeded.empty() && !numDropped)
    markAllAnalysesPreserved();
}

} // namespace tileir
