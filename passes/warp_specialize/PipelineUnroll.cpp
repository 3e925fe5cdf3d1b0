// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/warp_specialize/PipelineUnroll.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tileir {

/// Returns the depth of the circular buffer whose slot index is `arg`, an
/// iter-arg of `loop` that counts up by one and wraps around
/// (`tileas-expand-pipelines`). None for other values.
static std::optional<int64_t> getDepth(scf::ForOp loop, BlockArgument arg) {
  auto next =
      loop.getTiedLoopYieldedValue(arg)->get().getDefiningOp<arith::SelectOp>();
  auto isEnd =
      next ? next.getCondition().getDefiningOp<arith::CmpIOp>() : nullptr;
  auto step =
      next ? next.getFalseValue().getDefiningOp<arith::AddIOp>() : nullptr;
  APInt depth;
  if (!isEnd || !step || isEnd.getPredicate() != arith::CmpIPredicate::eq ||
      isEnd.getLhs() != step || step.getLhs() != arg ||
      !matchPattern(step.getRhs(), m_One()) ||
      !matchPattern(next.getTrueValue(), m_Zero()) ||
      !matchPattern(isEnd.getRhs(), m_ConstantInt(&depth)))
    return std::nullopt;
  return depth.getSExtValue();
}

namespace {

/// Builds the unrolled loop and the remainder loop.
class PipelineUnroller {
public:
  explicit PipelineUnroller(scf::ForOp loop)
      : loop(loop), builder(loop), loc(loop.getLoc()) {}

  /// Finds the slot indices; returns whether all have the same depth.
  bool find();
  scf::ForOp run();

private:
  Value makeEndOfPhases();
  scf::ForOp makePhases(Value end);
  void emitPart(int64_t part, Value number, IRMapping &mapping);

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  int64_t depth = 0;
  /// Numbers of the iter-args that are slot indices.
  SmallVector<unsigned> slots;
};

} // namespace

bool PipelineUnroller::find() {
  if (!matchPattern(loop.getStep(), m_One()) ||
      !loop.getInductionVar().getType().isInteger())
    return false;
  for (auto [number, arg] : llvm::enumerate(loop.getRegionIterArgs())) {
    std::optional<int64_t> found = getDepth(loop, arg);
    if (!found)
      continue;
    if ((depth && *found != depth) ||
        !matchPattern(loop.getInitArgs()[number], m_Zero()))
      return false;
    depth = *found;
    slots.push_back(number);
  }
  return depth > 1;
}

/// Returns the upper bound of the unrolled loop. The difference of the bounds
/// may be any value of their type.
Value PipelineUnroller::makeEndOfPhases() {
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Type type = lower.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  Value runs = builder.createOrFold<arith::CmpIOp>(
      loc,
      loop.getUnsignedCmp() ? arith::CmpIPredicate::ult
                            : arith::CmpIPredicate::slt,
      lower, upper);
  Value span = builder.createOrFold<arith::SubIOp>(loc, upper, lower);
  Value rest = builder.createOrFold<arith::RemUIOp>(loc, span, constant(depth));
  Value whole = builder.createOrFold<arith::SubIOp>(loc, upper, rest);
  return builder.createOrFold<arith::SelectOp>(loc, runs, whole, lower);
}

/// Emits the body for slot `part`, in iteration `number`.
void PipelineUnroller::emitPart(int64_t part, Value number,
                                IRMapping &mapping) {
  mapping.map(loop.getInductionVar(), number);
  for (Operation &op : loop.getBody()->without_terminator()) {
    // Only slot 0 can belong to the first iteration.
    auto compare = dyn_cast<arith::CmpIOp>(op);
    if (part && compare && compare.getPredicate() == arith::CmpIPredicate::ne &&
        compare.getLhs() == loop.getInductionVar() &&
        compare.getRhs() == loop.getLowerBound()) {
      mapping.map(
          compare.getResult(),
          arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true)));
      continue;
    }
    Operation *clone = builder.clone(op, mapping);
    SmallVector<Value> folded;
    if (!isPure(clone) || failed(builder.tryFold(clone, folded)))
      continue;
    for (auto [result, value] : llvm::zip(op.getResults(), folded))
      mapping.map(result, value);
    clone->erase();
  }
}

scf::ForOp PipelineUnroller::makePhases(Value end) {
  SmallVector<Value> inits;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    if (!llvm::is_contained(slots, number))
      inits.push_back(init);
  Value step = arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(loop.getInductionVar().getType(), depth));
  auto phases =
      scf::ForOp::create(builder, loc, loop.getLowerBound(), end, step, inits,
                         /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  phases->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *body = phases.getBody();
  if (!body->empty())
    body->back().erase();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(body);
  SmallVector<Value> values;
  unsigned next = 0;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    values.push_back(llvm::is_contained(slots, number)
                         ? init
                         : Value(phases.getRegionIterArg(next++)));
  for (int64_t part = 0; part < depth; ++part) {
    Value number = phases.getInductionVar();
    if (part)
      number = arith::AddIOp::create(
          builder, loc, number,
          arith::ConstantOp::create(
              builder, loc, builder.getIntegerAttr(number.getType(), part)));
    IRMapping mapping;
    for (auto [arg, value] : llvm::zip(loop.getRegionIterArgs(), values))
      mapping.map(arg, value);
    emitPart(part, number, mapping);
    for (auto [value, yielded] : llvm::zip(values, loop.getYieldedValues()))
      value = mapping.lookupOrDefault(yielded);
  }
  SmallVector<Value> yielded;
  for (auto [number, value] : llvm::enumerate(values))
    if (!llvm::is_contained(slots, number))
      yielded.push_back(value);
  scf::YieldOp::create(builder, loc, yielded);
  return phases;
}

scf::ForOp PipelineUnroller::run() {
  Value end = makeEndOfPhases();
  scf::ForOp phases = makePhases(end);
  // After the unrolled loop the slot indices are 0 again.
  SmallVector<Value> inits;
  unsigned next = 0;
  for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
    inits.push_back(
        llvm::is_contained(slots, number) ? init : phases.getResult(next++));
  auto rest = scf::ForOp::create(
      builder, loc, end, loop.getUpperBound(), loop.getStep(), inits,
      /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
  rest->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  rest.getRegion().takeBody(loop.getRegion());
  loop->replaceAllUsesWith(rest);
  loop.erase();
  return rest;
}

scf::ForOp unrollByPipeline(scf::ForOp loop) {
  PipelineUnroller unroller(loop);
  return unroller.find() ? unroller.run() : scf::ForOp();
}

} // namespace tileir
