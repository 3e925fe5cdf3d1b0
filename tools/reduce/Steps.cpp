// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/reduce/Steps.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#include <algorithm>

namespace tileir::reduce {

using namespace mlir;
namespace ct = mlir::cuda_tile;

bool isCandidate(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         !isa<ct::ModuleOp, ct::EntryOp, ct::ContinueOp>(op) &&
         !isa_and_present<ct::ReduceOp, ct::ScanOp>(op->getParentOp());
}

std::vector<Operation *> candidates(ct::ModuleOp module) {
  std::vector<Operation *> result;
  module->walk([&](ct::EntryOp entry) {
    entry->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isCandidate(op))
        result.push_back(op);
    });
  });
  std::reverse(result.begin(), result.end());
  return result;
}

void removeUnused(ct::ModuleOp module) {
  for (Operation *op : candidates(module))
    if (op->use_empty() && op->getNumRegions() == 0 &&
        !isa<ct::StorePtrTkoOp, ct::StoreViewTkoOp, ct::AtomicRMWTkoOp,
             ct::AtomicCASTkoOp, ct::AtomicRedViewTkoOp, ct::PrintTkoOp,
             ct::AssertOp>(op))
      op->erase();
  llvm::StringSet<> named;
  module->walk([&](ct::GetGlobalOp op) { named.insert(op.getName()); });
  for (auto global :
       llvm::make_early_inc_range(module.getBody().getOps<ct::GlobalOp>()))
    if (!named.contains(global.getSymName()))
      global->erase();
}

static Value makeZero(OpBuilder &builder, Location loc, Type type) {
  if (isa<ct::TokenType>(type))
    return ct::MakeTokenOp::create(builder, loc, type);
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile || !tile.getElementType().isIntOrFloat())
    return {};
  auto zero = DenseElementsAttr::get(
      cast<ShapedType>(type), builder.getZeroAttr(tile.getElementType()));
  return ct::ConstantOp::create(builder, loc, type,
                                cast<DenseIntOrFPElementsAttr>(zero));
}

/// Moves the operations of `body` before `op`. The operands of the terminator
/// become the results.
static bool inlineBody(RewriterBase &rewriter, Operation *op, Block &body,
                       ValueRange arguments) {
  Operation *terminator = body.getTerminator();
  if (terminator->getOperandTypes() != op->getResultTypes())
    return false;
  SmallVector<Value> results(terminator->getOperands());
  // A result may be an argument of the body.
  for (Value &result : results)
    if (auto argument = dyn_cast<BlockArgument>(result);
        argument && argument.getOwner() == &body)
      result = arguments[argument.getArgNumber()];
  rewriter.eraseOp(terminator);
  rewriter.inlineBlockBefore(&body, op, arguments);
  rewriter.replaceOp(op, results);
  return true;
}

/// Returns the nearest value of `type` before `op` in its block.
static Value findEarlier(Operation *op, Type type) {
  for (Operation *other = op->getPrevNode(); other;
       other = other->getPrevNode())
    for (Value result : other->getResults())
      if (result.getType() == type)
        return result;
  return {};
}

/// Returns the value with which `step` replaces `result`; null if there is
/// none.
static Value findOther(RewriterBase &rewriter, OpResult result, Step step) {
  Operation *op = result.getOwner();
  if (step == Step::ByEarlier)
    return findEarlier(op, result.getType());
  if (step == Step::ByZero)
    return makeZero(rewriter, op->getLoc(), result.getType());
  Value other;
  for (Value operand : op->getOperands())
    if (operand.getType() == result.getType() &&
        (!other || step == Step::ByLastOperand))
      other = operand;
  return other;
}

/// Replaces the used results of `op`.
static bool replaceResults(RewriterBase &rewriter, Operation *op, Step step) {
  if (op->use_empty() ||
      (step == Step::ByZero && isa<ct::ConstantOp, ct::MakeTokenOp>(op)))
    return false;
  SmallVector<std::pair<Value, Value>> others;
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    others.emplace_back(result, findOther(rewriter, result, step));
    if (!others.back().second)
      return false;
  }
  for (auto [result, other] : others)
    rewriter.replaceAllUsesWith(result, other);
  rewriter.eraseOp(op);
  return true;
}

bool apply(RewriterBase &rewriter, Operation *op, Step step) {
  rewriter.setInsertionPoint(op);
  switch (step) {
  case Step::Erase:
    if (!op->use_empty())
      return false;
    rewriter.eraseOp(op);
    return true;
  case Step::ByThen:
  case Step::ByElse: {
    auto branch = dyn_cast<ct::IfOp>(op);
    if (!branch)
      return false;
    Region &region =
        step == Step::ByThen ? branch.getThenRegion() : branch.getElseRegion();
    return !region.empty() &&
           isa<ct::YieldOp>(region.front().getTerminator()) &&
           inlineBody(rewriter, op, region.front(), {});
  }
  case Step::ByBody: {
    auto loop = dyn_cast<ct::ForOp>(op);
    if (!loop || !isa<ct::ContinueOp>(loop.getRegion().front().getTerminator()))
      return false;
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitValues());
    return inlineBody(rewriter, op, loop.getRegion().front(), arguments);
  }
  case Step::ByLastOperand:
  case Step::ByFirstOperand:
  case Step::ByEarlier:
  case Step::ByZero:
    return replaceResults(rewriter, op, step);
  }
  return false;
}

} // namespace tileir::reduce
