// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/MmaChain.h"

namespace tileir {

using namespace mlir;
namespace as = mlir::nv_tileas;

/// Calls `visit` for each operand of `op` and of the operations nested in it.
static void forEachOperand(Operation *op,
                           llvm::function_ref<void(Value)> visit) {
  op->walk(
      [&](Operation *inner) { llvm::for_each(inner->getOperands(), visit); });
}

BodySlice getBodySlice(Block *body, ValueRange values) {
  BodySlice slice;
  SmallVector<Value> work(values);
  while (!work.empty()) {
    Operation *op = work.pop_back_val().getDefiningOp();
    op = op ? body->findAncestorOpInBlock(*op) : nullptr;
    if (op && slice.insert(op))
      forEachOperand(op, [&](Value operand) { work.push_back(operand); });
  }
  return slice;
}

Value LoopDot::getScale() const {
  arith::MulFOp mul = rescale;
  return mul.getLhs() == accumulator ? mul.getRhs() : mul.getLhs();
}

MmaChain::MmaChain(scf::ForOp loop) : loop(loop) {
  for (Operation &op : *loop.getBody())
    if (isa<as::DotOp, as::AsyncDotOp>(op))
      addDot(&op);
}

void MmaChain::addDot(Operation *op) {
  Block *body = loop.getBody();
  LoopDot dot;
  dot.op = op;
  dot.a = op->getOperand(0);
  dot.b = op->getOperand(1);
  dot.c = op->getOperand(2);
  dot.result = op->getResult(0);
  if (isa<as::AsyncDotOp>(op) && dot.result.hasOneUse())
    if (auto wait = dyn_cast<as::DotWaitOp>(*dot.result.user_begin());
        wait && wait->getBlock() == body && !wait.getPending()) {
      dot.wait = wait;
      dot.result = wait.getResult();
    }
  auto getCarried = [&](Value value) {
    auto arg = dyn_cast<BlockArgument>(value);
    return arg && arg.getOwner() == body && arg != loop.getInductionVar()
               ? arg
               : BlockArgument();
  };
  dot.accumulator = getCarried(dot.c);
  if (auto mul = dot.c.getDefiningOp<arith::MulFOp>();
      mul && mul->hasOneUse() && mul->getBlock() == body) {
    for (Value side : {mul.getRhs(), mul.getLhs()})
      if (BlockArgument arg = getCarried(side))
        dot.accumulator = arg;
    if (dot.accumulator)
      dot.rescale = mul;
  }
  dot.isCarried =
      dot.accumulator && dot.result.hasOneUse() &&
      loop.getTiedLoopYieldedValue(dot.accumulator)->get() == dot.result;
  dots.push_back(dot);
}

SmallVector<LoopDotSource> MmaChain::getSources(unsigned number) {
  SmallVector<LoopDotSource> sources;
  BodySlice slice = getBodySlice(loop.getBody(), dots[number].a);
  for (unsigned i = 0; i < dots.size(); ++i) {
    if (i == number || !slice.contains(dots[i].op))
      continue;
    LoopDotSource source{i, {}};
    // An operation between the dots is in the slice and depends on the result.
    llvm::SmallPtrSet<Operation *, 16> depends = {dots[i].op};
    for (Operation *op = dots[i].op->getNextNode(); op;
         op = op->getNextNode()) {
      if (!slice.contains(op))
        continue;
      bool isBetween = false;
      forEachOperand(op, [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        isBetween |= def && depends.contains(
                                loop.getBody()->findAncestorOpInBlock(*def));
      });
      if (!isBetween)
        continue;
      depends.insert(op);
      if (op != dots[i].wait)
        source.between.push_back(op);
    }
    sources.push_back(source);
  }
  return sources;
}

bool MmaChain::isPair() {
  return dots.size() == 2 &&
         getBodySlice(loop.getBody(), dots[1].a).contains(dots[0].op);
}

void MmaChain::print(raw_ostream &os, unsigned number) {
  const LoopDot &dot = dots[number];
  os << "dot " << number;
  if (dot.accumulator)
    os << " adds to iter-arg "
       << dot.accumulator.getArgNumber() - loop.getNumInductionVars();
  else
    os << (loop.isDefinedOutsideOfLoop(dot.c) ? " adds to a tile from outside"
                                              : " adds to a tile of the body");
  if (dot.rescale)
    os << ", rescaled";
  if (dot.isCarried)
    os << ", carried";
  for (const LoopDotSource &source : getSources(number)) {
    os << "; A from dot " << source.number;
    llvm::SmallSetVector<StringRef, 8> names;
    for (Operation *op : source.between)
      names.insert(op->getName().getStringRef());
    if (!names.empty())
      os << " through " << llvm::join(names, ", ");
  }
}

} // namespace tileir
