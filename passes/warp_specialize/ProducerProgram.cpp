// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/warp_specialize/ProducerProgram.h"

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

//===----------------------------------------------------------------------===//
// Backward slice
//===----------------------------------------------------------------------===//

/// Returns whether `op` allocates storage or names it. One agent does so for
/// all.
static bool isStorage(Operation *op) {
  return isa<as::AllocTensorOp, as::PipelineCreateOp>(op);
}

/// Adds `op` and the loops and branches around it to the slice. Returns why one
/// warp cannot execute it.
std::string ProducerProgram::need(Operation *op) {
  if (!ops.insert(op).second)
    return "";
  if (auto loop = dyn_cast<scf::ForOp>(op))
    open.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  else
    llvm::append_range(open, op->getOperands());
  if (op->getBlock() != block)
    if (std::string reason = need(op->getParentOp()); !reason.empty())
      return reason;
  if (steps.contains(op) || isa<scf::ForOp, scf::IfOp>(op))
    return "";
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) ||
      op->getNumRegions())
    return "a copy depends on a tile, by '" +
           op->getName().getStringRef().str() + "'";
  // The operation runs under the same conditions as before, so it traps no more
  // often.
  if (!isMemoryEffectFree(op) && !(isStorage(op) && op->getBlock() == block))
    return "a copy depends on '" + op->getName().getStringRef().str() + "'";
  return "";
}

/// Adds the definition of `value` to the slice, through iter-args of loops and
/// yielded values of branches.
void ProducerProgram::need(Value value) {
  scf::ForOp loop;
  OpResult result;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    loop = dyn_cast<scf::ForOp>(arg.getOwner()->getParentOp());
    if (!loop || arg == loop.getInductionVar())
      return;
    result = loop.getTiedLoopResult(arg);
  } else {
    result = cast<OpResult>(value);
    loop = dyn_cast<scf::ForOp>(result.getOwner());
  }
  unsigned number = result.getResultNumber();
  if (loop) {
    if (results.insert(result).second)
      open.append({loop.getInitArgs()[number], loop.getYieldedValues()[number],
                   result});
  } else if (auto branch = dyn_cast<scf::IfOp>(result.getOwner())) {
    if (results.insert(result).second)
      open.append({branch.thenYield().getOperand(number),
                   branch.elseYield().getOperand(number)});
  }
}

std::string ProducerProgram::collect(ArrayRef<Operation *> steps) {
  this->steps.insert(steps.begin(), steps.end());
  for (Operation *step : steps)
    if (std::string reason = need(step); !reason.empty())
      return reason;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (isa<RankedTensorType>(value.getType()))
      return "a copy depends on a tile";
    if (Operation *op = value.getDefiningOp())
      if (std::string reason = need(op); !reason.empty())
        return reason;
    need(value);
  }
  share();
  for (Operation *op : shared)
    if (op->getNumRegions())
      return "a pipeline or a tensor map depends on a loop or a branch";
  return "";
}

/// Returns whether each agent recomputes the results of `op`: they are integers
/// or tokens.
static bool isNumber(Operation *op) {
  return llvm::all_of(op->getResultTypes(), [](Type type) {
    return type.isIntOrIndex() || isa<nv_tileaa::MemTokenType>(type);
  });
}

void ProducerProgram::share() {
  for (Operation *op : ops)
    if (op->getBlock() == block && !steps.contains(op) &&
        !op->getNumRegions() && !isNumber(op))
      shared.insert(op);
  for (size_t i = 0; i < shared.size(); ++i)
    for (Value operand : shared[i]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        shared.insert(op);
}

//===----------------------------------------------------------------------===//
// Cloning
//===----------------------------------------------------------------------===//

/// Terminates the block of a cloned region: yields the values whose results in
/// `of` are needed.
static void yield(OpBuilder &builder, Location loc, ValueRange values,
                  ValueRange of, const llvm::DenseSet<Value> &needed,
                  IRMapping &mapping) {
  SmallVector<Value> yielded;
  for (auto [value, result] : llvm::zip(values, of))
    if (needed.contains(result))
      yielded.push_back(mapping.lookupOrDefault(value));
  scf::YieldOp::create(builder, loc, yielded);
}

void ProducerProgram::cloneLoop(OpBuilder &builder, scf::ForOp loop,
                                IRMapping &mapping) const {
  SmallVector<Value> inits;
  for (OpResult result : loop->getResults())
    if (results.contains(result))
      inits.push_back(mapping.lookupOrDefault(
          loop.getInitArgs()[result.getResultNumber()]));
  auto clone = scf::ForOp::create(
      builder, loop.getLoc(), mapping.lookupOrDefault(loop.getLowerBound()),
      mapping.lookupOrDefault(loop.getUpperBound()),
      mapping.lookupOrDefault(loop.getStep()), inits, /*bodyBuilder=*/nullptr,
      loop.getUnsignedCmp());
  clone->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  mapping.map(loop.getInductionVar(), clone.getInductionVar());
  unsigned next = 0;
  for (OpResult result : loop->getResults())
    if (results.contains(result)) {
      mapping.map(loop.getRegionIterArg(result.getResultNumber()),
                  clone.getRegionIterArg(next));
      mapping.map(result, clone.getResult(next++));
    }
  Block *body = clone.getBody();
  if (!body->empty())
    body->back().erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  cloneBlock(builder, *loop.getBody(), mapping);
  yield(builder, loop.getLoc(), loop.getYieldedValues(), loop.getResults(),
        results, mapping);
}

void ProducerProgram::cloneBranch(OpBuilder &builder, scf::IfOp branch,
                                  IRMapping &mapping) const {
  SmallVector<Type> types;
  for (Value result : branch.getResults())
    if (results.contains(result))
      types.push_back(result.getType());
  bool hasElse = branch.elseBlock() != nullptr;
  auto clone = scf::IfOp::create(builder, branch.getLoc(), types,
                                 mapping.lookupOrDefault(branch.getCondition()),
                                 /*addThenBlock=*/true,
                                 /*addElseBlock=*/hasElse);
  clone->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  for (auto [from, to] : llvm::zip(branch->getRegions(), clone->getRegions())) {
    if (to.empty())
      continue;
    builder.setInsertionPointToEnd(&to.front());
    cloneBlock(builder, from.front(), mapping);
    yield(builder, branch.getLoc(), from.front().getTerminator()->getOperands(),
          branch.getResults(), results, mapping);
  }
  unsigned next = 0;
  for (Value result : branch.getResults())
    if (results.contains(result))
      mapping.map(result, clone.getResult(next++));
}

void ProducerProgram::cloneBlock(OpBuilder &builder, Block &from,
                                 IRMapping &mapping) const {
  for (Operation &op : from.without_terminator()) {
    if (!ops.contains(&op) || isShared(&op))
      continue;
    if (auto loop = dyn_cast<scf::ForOp>(op))
      cloneLoop(builder, loop, mapping);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      cloneBranch(builder, branch, mapping);
    else
      builder.clone(op, mapping);
  }
}

void ProducerProgram::clone(OpBuilder &builder) const {
  IRMapping mapping;
  cloneBlock(builder, *block, mapping);
}

} // namespace tileir
