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

/// Moves the operations of `body` in front of `op`. The values that its
/// terminator gives up are the results.
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

/// Replaces what is used of `op` by one of its operands or by zeros.
static bool replaceResults(RewriterBase &rewriter, Operation *op,
                           bool byOperand) {
  if (op->use_empty() ||
      (!byOperand && isa<ct::ConstantOp, ct::MakeTokenOp>(op)))
    return false;
  SmallVector<Value> others;
  for (Value result : op->getResults()) {
    Value other;
    if (byOperand)
      for (Value operand : op->getOperands())
        if (operand.getType() == result.getType())
          other = operand;
    if (!byOperand && !result.use_empty())
      other = makeZero(rewriter, op->getLoc(), result.getType());
    if (!other && !result.use_empty())
      return false;
    others.push_back(other);
  }
  for (auto [result, other] : llvm::zip_equal(op->getResults(), others))
    if (other)
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
  case Step::ByOperand:
  case Step::ByZero:
    return replaceResults(rewriter, op, step == Step::ByOperand);
  }
  return false;
}

} // namespace tileir::reduce
