// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/BranchReductions.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace {

/// Backward slice of branch conditions and loop bounds.
class BranchSlice {
public:
  explicit BranchSlice(Operation *root);

  void markReductions();

private:
  void addBranch(RegionBranchOpInterface branch);
  void addOperands(Operation *op);
  void add(Value value) {
    if (seen.insert(value).second)
      work.push_back(value);
  }

  /// The operands that may become a region argument or a result of a branch.
  DenseMap<Value, SmallVector<Value, 2>> sources;
  DenseSet<Value> seen;
  SmallVector<Value> work;
};

} // namespace

BranchSlice::BranchSlice(Operation *root) {
  root->walk([&](RegionBranchOpInterface branch) { addBranch(branch); });
}

/// An operand that is forwarded neither to a region nor to the results controls
/// the branch: a condition, or a bound of a loop.
void BranchSlice::addBranch(RegionBranchOpInterface branch) {
  RegionBranchSuccessorMapping forwarded;
  branch.getSuccessorOperandInputMapping(forwarded);
  for (auto &[operand, inputs] : forwarded)
    for (Value input : inputs)
      sources[input].push_back(operand->get());
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    Operation *op = point.isParent() ? branch.getOperation()
                                     : point.getTerminatorPredecessorOrNull();
    for (OpOperand &operand : op->getOpOperands())
      if (!forwarded.contains(&operand))
        add(operand.get());
  }
}

void BranchSlice::addOperands(Operation *op) {
  // One thread computes these results and broadcasts them, so they depend on no
  // lane.
  if (isa<as::AtomicRmwOp, as::AtomicCasOp>(op))
    return;
  if (auto extract = dyn_cast<as::ExtractOp>(op)) {
    llvm::for_each(extract.getIndices(), [&](Value index) { add(index); });
    return;
  }
  llvm::for_each(op->getOperands(), [&](Value operand) { add(operand); });
}

void BranchSlice::markReductions() {
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (auto found = sources.find(value); found != sources.end()) {
      llvm::for_each(found->second, [&](Value source) { add(source); });
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (auto reduce = dyn_cast_or_null<as::ReduceOp>(op))
      reduce->setDiscardableAttr(kDecidesBranchAttr,
                                 UnitAttr::get(reduce.getContext()));
    else if (op)
      addOperands(op);
  }
}

void noteBranchReductions(Operation *root) {
  BranchSlice(root).markReductions();
}

} // namespace tileir
