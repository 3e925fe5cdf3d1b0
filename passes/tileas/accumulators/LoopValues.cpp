// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas/accumulators/LoopValues.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;

scf::ForOp eraseCarried(scf::ForOp loop, unsigned number) {
  loop.getBody()->getTerminator()->eraseOperand(number);
  SmallVector<Value> inits(loop.getInitArgs());
  inits.erase(inits.begin() + number);
  OpBuilder builder(loop);
  auto narrow = scf::ForOp::create(
      builder, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
      loop.getStep(), inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  narrow->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = narrow.getBody();
  if (!body->empty())
    body->back().erase();
  loop.getBody()->eraseArgument(number + loop.getNumInductionVars());
  for (auto [from, to] :
       llvm::zip(loop.getBody()->getArguments(), body->getArguments()))
    from.replaceAllUsesWith(to);
  body->getOperations().splice(body->end(), loop.getBody()->getOperations());
  unsigned next = 0;
  for (OpResult result : loop.getResults())
    if (result.getResultNumber() != number)
      result.replaceAllUsesWith(narrow.getResult(next++));
  loop.erase();
  return narrow;
}

Value getLastIndex(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        step = loop.getStep();
  Value one = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(upper.getType(), 1));
  if (matchPattern(step, m_One()))
    return arith::SubIOp::create(builder, loc, upper, one);
  // The distance is positive and fits an unsigned number.
  Value span = arith::SubIOp::create(
      builder, loc, arith::SubIOp::create(builder, loc, upper, lower), one);
  Value steps = arith::DivUIOp::create(builder, loc, span, step);
  return arith::AddIOp::create(
      builder, loc, lower, arith::MulIOp::create(builder, loc, steps, step));
}

} // namespace tileir
