// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/cuda_tile/Comparisons.h"

#include "dialects/support/Heuristics.h"
#include "passes/cuda_tile/RegionValues.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SetVector.h"

namespace tileir {

#define GEN_PASS_DEF_CUDATILESIMPLIFYLOOPS
#include "passes/cuda_tile/CudaTileSimplifyLoops.h.inc"

namespace {

using namespace mlir;
using namespace mlir::cuda_tile;

/// The terminators that leave one iteration of a loop, or the loop.
struct LoopExits {
  SmallVector<ContinueOp> continues;
  SmallVector<BreakOp> breaks;
  bool returns = false;

  explicit LoopExits(LoopOp loop) { collect(loop.getBody()); }

private:
  void collect(Block *block);
};

/// Peels the work of the first trip before a loop, and moves the work of later
/// trips to the `continue`s.
class FirstIteration {
public:
  FirstIteration(LoopOp loop, LoopExits &exits) : loop(loop), exits(exits) {}

  bool move();

private:
  /// The value in the first trip, and the one in all others.
  using Flag = std::pair<Attribute, Attribute>;

  void findFlags();
  std::optional<std::pair<bool, bool>> evaluate(Value condition) const;
  bool collectMoved(Block *part, SetVector<Operation *> &moved);
  bool collectHead(Value value, SetVector<Operation *> &moved);
  SmallVector<Value> clone(OpBuilder &builder, OperandRange carried,
                           const SetVector<Operation *> &moved, Block *part);
  bool moveBranch(IfOp branch);

  LoopOp loop;
  LoopExits &exits;
  llvm::SmallDenseMap<Value, Flag> flags;
};

/// Builds a `for` from a `loop` whose only `break` is its test.
class CountedLoop {
public:
  CountedLoop(LoopOp loop, LoopExits &exits) : loop(loop), exits(exits) {}

  bool match();
  void rewrite();

private:
  bool matchTest(Value condition, bool negated);
  bool matchStep();
  Value getInvariant(Value value);
  void hoistHead();

  LoopOp loop;
  LoopExits &exits;
  IfOp branch;
  /// Region of `branch` that leaves the loop, and region that stays in it.
  Block *exitBlock = nullptr, *stayBlock = nullptr;
  BlockArgument index;
  Value bound;
  ComparisonPredicate predicate;
  Signedness signedness;
  /// The constant that each trip adds to the index.
  APInt step;
  bool keepsSigned = true, keepsUnsigned = true;
};

struct CudaTileSimplifyLoops final
    : impl::CudaTileSimplifyLoopsBase<CudaTileSimplifyLoops> {
  using CudaTileSimplifyLoopsBase::CudaTileSimplifyLoopsBase;

  void runOnOperation() override;
};

} // namespace

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static Value createConstant(OpBuilder &builder, Location loc, Type type,
                            const APInt &value) {
  return ConstantOp::create(
      builder, loc, DenseIntElementsAttr::get(cast<ShapedType>(type), value));
}

/// Looks through conversions of a condition to an integer and back, and through
/// negations; `negated` flips with each.
static Value stripCondition(Value condition, bool &negated) {
  while (Operation *op = condition.getDefiningOp()) {
    Value inner;
    bool flips = false;
    if (auto compare = dyn_cast<CmpIOp>(op)) {
      std::optional<APInt> zero = getConstant(compare.getRhs());
      auto predicate = compare.getComparisonPredicate();
      if (!zero || !zero->isZero() ||
          (predicate != ComparisonPredicate::EQUAL &&
           predicate != ComparisonPredicate::NOT_EQUAL))
        return condition;
      inner = compare.getLhs();
      flips = predicate == ComparisonPredicate::EQUAL;
      // An extended condition is zero exactly when the condition is, truncated
      // again or not.
      while (inner.getType() != condition.getType() &&
             isa_and_present<ExtIOp, TruncIOp>(inner.getDefiningOp()))
        inner = inner.getDefiningOp()->getOperand(0);
    } else if (auto flip = dyn_cast<XOrIOp>(op)) {
      std::optional<APInt> ones = getConstant(flip.getRhs());
      if (!ones || !ones->isAllOnes())
        return condition;
      inner = flip.getLhs();
      flips = true;
    }
    if (!inner || inner.getType() != condition.getType())
      return condition;
    condition = inner;
    negated ^= flips;
  }
  return condition;
}

/// Erases `value` and its unused backward slice.
static void eraseUnused(Value value) {
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !op->use_empty() || op->getNumRegions() || !isPure(op))
      continue;
    llvm::append_range(worklist, op->getOperands());
    op->erase();
  }
}

//===----------------------------------------------------------------------===//
// Exits
//===----------------------------------------------------------------------===//

void LoopExits::collect(Block *block) {
  if (!block)
    return;
  for (Operation &op : *block) {
    if (auto next = dyn_cast<ContinueOp>(op))
      continues.push_back(next);
    else if (auto leave = dyn_cast<BreakOp>(op))
      breaks.push_back(leave);
    else if (isa<ReturnOp>(op))
      returns = true;
    else if (auto branch = dyn_cast<IfOp>(op)) {
      collect(branch.getThenBlock());
      collect(branch.getElseBlock());
    }
  }
}

//===----------------------------------------------------------------------===//
// The first trip
//===----------------------------------------------------------------------===//

/// Finds the carried values that are one constant in the first trip and another
/// constant in all later ones.
void FirstIteration::findFlags() {
  flags.clear();
  for (auto [number, argument] :
       llvm::enumerate(loop.getBody()->getArguments())) {
    Attribute first, later;
    if (!matchPattern(loop.getInitValues()[number], m_Constant(&first)))
      continue;
    bool agrees = llvm::all_of(exits.continues, [&, i = number](ContinueOp op) {
      Attribute value;
      if (!matchPattern(op.getOperand(i), m_Constant(&value)) ||
          (later && value != later))
        return false;
      later = value;
      return true;
    });
    if (agrees && later)
      flags[argument] = {first, later};
  }
}

/// The condition in the first trip and in all later ones, if flags decide it.
std::optional<std::pair<bool, bool>>
FirstIteration::evaluate(Value condition) const {
  bool negated = false;
  condition = stripCondition(condition, negated);
  Value flag = condition;
  APInt other(1, 0);
  bool whenEqual = negated;
  if (auto compare = condition.getDefiningOp<CmpIOp>()) {
    std::optional<APInt> constant = getConstant(compare.getRhs());
    auto predicate = compare.getComparisonPredicate();
    if (!constant || (predicate != ComparisonPredicate::EQUAL &&
                      predicate != ComparisonPredicate::NOT_EQUAL))
      return std::nullopt;
    flag = compare.getLhs();
    other = *constant;
    whenEqual = (predicate == ComparisonPredicate::EQUAL) != negated;
  }
  auto found = flags.find(flag);
  if (found == flags.end())
    return std::nullopt;
  auto answer = [&](Attribute value) {
    auto dense = cast<DenseIntElementsAttr>(value);
    return (dense.getSplatValue<APInt>() == other) == whenEqual;
  };
  return std::pair(answer(found->second.first), answer(found->second.second));
}

/// Collects the operations at the start of the body from which `value` is
/// computed.
bool FirstIteration::collectHead(Value value, SetVector<Operation *> &moved) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || moved.contains(op))
    return true;
  if (op->getNumRegions() || moved.size() >= heuristics::maxMovedOperations)
    return false;
  for (Value operand : op->getOperands())
    if (!collectHead(operand, moved))
      return false;
  moved.insert(op);
  return true;
}

/// Collects the operations that have to be copied with `part`.
bool FirstIteration::collectMoved(Block *part, SetVector<Operation *> &moved) {
  for (Operation &op : *part) {
    if (op.getNumRegions())
      return false;
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() != part && !collectHead(operand, moved))
        return false;
  }
  return moved.size() + part->getOperations().size() <=
         heuristics::maxMovedOperations;
}

/// Clones `moved` and `part` for an iteration that starts with `carried`.
/// Returns the values that `part` yields.
SmallVector<Value> FirstIteration::clone(OpBuilder &builder,
                                         OperandRange carried,
                                         const SetVector<Operation *> &moved,
                                         Block *part) {
  IRMapping mapping;
  mapping.map(loop.getBody()->getArguments(), carried);
  for (Operation *op : moved)
    builder.clone(*op, mapping);
  for (Operation &op : part->without_terminator())
    builder.clone(op, mapping);
  return llvm::map_to_vector(
      part->getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

/// Moves the branch: no operation with an effect comes before it in an
/// iteration, and no operation at all after a `continue` of the previous one.
/// The loop carries the results of the branch instead.
bool FirstIteration::moveBranch(IfOp branch) {
  auto answers = evaluate(branch.getCondition());
  if (!answers || answers->first == answers->second || !branch.getElseBlock())
    return false;
  Block *first = branch.getThenBlock(), *later = branch.getElseBlock();
  if (!answers->first)
    std::swap(first, later);
  SetVector<Operation *> firstOps, laterOps;
  if (!isa<YieldOp>(first->getTerminator()) ||
      !isa<YieldOp>(later->getTerminator()) || !collectMoved(first, firstOps) ||
      !collectMoved(later, laterOps))
    return false;

  OpBuilder builder(loop);
  SmallVector<Value> inits =
      clone(builder, loop.getInitValues(), firstOps, first);
  SmallVector<SmallVector<Value>> nexts;
  for (ContinueOp next : exits.continues) {
    builder.setInsertionPoint(next);
    nexts.push_back(clone(builder, next.getOperands(), laterOps, later));
  }
  loop.getInitValuesMutable().append(inits);
  for (auto [next, values] : llvm::zip_equal(exits.continues, nexts))
    next.getOperandsMutable().append(values);
  for (OpResult result : branch.getResults())
    result.replaceAllUsesWith(
        loop.getBody()->addArgument(result.getType(), branch.getLoc()));
  Value condition = branch.getCondition();
  branch.erase();
  eraseUnused(condition);
  return true;
}

bool FirstIteration::move() {
  if (exits.continues.empty())
    return false;
  bool changed = false;
  findFlags();
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
    if (flags.empty())
      break;
    auto branch = dyn_cast<IfOp>(op);
    if (branch && moveBranch(branch)) {
      changed = true;
      // Constants that the branch yielded are flags from now on.
      findFlags();
      continue;
    }
    if (!isMemoryEffectFree(&op) || op.hasTrait<OpTrait::IsTerminator>())
      break;
  }
  return changed;
}

//===----------------------------------------------------------------------===//
// Counted loops
//===----------------------------------------------------------------------===//

static ComparisonPredicate negate(ComparisonPredicate predicate) {
  switch (predicate) {
  case ComparisonPredicate::LESS_THAN:
    return ComparisonPredicate::GREATER_THAN_OR_EQUAL;
  case ComparisonPredicate::LESS_THAN_OR_EQUAL:
    return ComparisonPredicate::GREATER_THAN;
  case ComparisonPredicate::GREATER_THAN:
    return ComparisonPredicate::LESS_THAN_OR_EQUAL;
  case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
    return ComparisonPredicate::LESS_THAN;
  case ComparisonPredicate::EQUAL:
    return ComparisonPredicate::NOT_EQUAL;
  case ComparisonPredicate::NOT_EQUAL:
    return ComparisonPredicate::EQUAL;
  }
  llvm_unreachable("every predicate has an opposite");
}

/// Hoists the loop-invariant operations before the test out of the loop.
void CountedLoop::hoistHead() {
  for (Operation &op : llvm::make_early_inc_range(*loop.getBody())) {
    if (&op == branch)
      return;
    if (isPure(&op) && llvm::all_of(op.getOperands(), [&](Value operand) {
          return !loop.getRegion().isAncestor(operand.getParentRegion());
        }))
      op.moveBefore(loop);
  }
}

/// Returns the value of `value` in every trip; null if it may change. An
/// argument that every `continue` passes on keeps its initial value.
Value CountedLoop::getInvariant(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == loop.getBody()) {
    unsigned number = argument.getArgNumber();
    if (!llvm::all_of(exits.continues, [&](ContinueOp next) {
          return next.getOperand(number) == argument;
        }))
      return {};
    value = loop.getInitValues()[number];
  }
  return loop.getRegion().isAncestor(value.getParentRegion()) ? Value() : value;
}

bool CountedLoop::matchTest(Value condition, bool negated) {
  condition = stripCondition(condition, negated);
  auto compare = condition.getDefiningOp<CmpIOp>();
  if (!compare)
    return false;
  predicate = compare.getComparisonPredicate();
  signedness = compare.getSignedness();
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  if (getInvariant(lhs)) {
    std::swap(lhs, rhs);
    predicate = mirror(predicate);
  }
  if (negated)
    predicate = negate(predicate);
  index = dyn_cast<BlockArgument>(lhs);
  bound = getInvariant(rhs);
  return index && index.getOwner() == loop.getBody() && bound;
}

/// Checks that every `continue` adds the same constant to the index.
bool CountedLoop::matchStep() {
  std::optional<APInt> common;
  for (ContinueOp next : exits.continues) {
    Operation *op = next.getOperand(index.getArgNumber()).getDefiningOp();
    std::optional<APInt> added;
    IntegerOverflow overflow;
    if (auto add = dyn_cast_if_present<AddIOp>(op)) {
      if (add.getLhs() == index)
        added = getConstant(add.getRhs());
      overflow = add.getOverflow();
    } else if (auto sub = dyn_cast_if_present<SubIOp>(op)) {
      if (sub.getLhs() == index)
        added = getConstant(sub.getRhs());
      if (added)
        added->negate();
      overflow = sub.getOverflow();
    }
    if (!added || (common && *common != *added))
      return false;
    common = added;
    keepsSigned &=
        overflow == IntegerOverflow::NSW || overflow == IntegerOverflow::NW;
    // Adding a negative constant wraps an unsigned index.
    keepsUnsigned &=
        !added->isNegative() &&
        (overflow == IntegerOverflow::NUW || overflow == IntegerOverflow::NW);
  }
  if (!common || common->isZero())
    return false;
  step = *common;
  return true;
}

bool CountedLoop::match() {
  if (exits.returns || exits.breaks.size() != 1 || exits.continues.empty())
    return false;
  // The first branch must decide before any operation has an effect.
  Block *body = loop.getBody();
  for (Operation &op : *body) {
    if ((branch = dyn_cast<IfOp>(op)))
      break;
    if (!isMemoryEffectFree(&op) || op.getNumRegions() ||
        op.hasTrait<OpTrait::IsTerminator>())
      return false;
  }
  if (!branch)
    return false;
  BreakOp leave = exits.breaks.front();
  Block *thenBlock = branch.getThenBlock(), *elseBlock = branch.getElseBlock();
  bool negated = false;
  if (leave->getBlock() == body) {
    // One region continues, the other falls through to the `break`.
    negated = !isa<ContinueOp>(thenBlock->getTerminator());
    stayBlock = negated ? elseBlock : thenBlock;
    exitBlock = negated ? thenBlock : elseBlock;
    if (!stayBlock || !isa<ContinueOp>(stayBlock->getTerminator()) ||
        (exitBlock && !isa<YieldOp>(exitBlock->getTerminator())))
      return false;
    // No other path may lead to the `break`.
    if (!llvm::all_of(exits.continues, [&](ContinueOp next) {
          return stayBlock->findAncestorOpInBlock(*next);
        }))
      return false;
  } else {
    // One region holds the `break`, the body continues.
    negated = leave->getBlock() == thenBlock;
    exitBlock = negated ? thenBlock : elseBlock;
    stayBlock = negated ? elseBlock : thenBlock;
    if (leave->getBlock() != exitBlock ||
        llvm::any_of(exits.continues,
                     [&](ContinueOp next) {
                       return exitBlock->findAncestorOpInBlock(*next);
                     }) ||
        (stayBlock && !isa<YieldOp>(stayBlock->getTerminator())) ||
        !isa<ContinueOp>(body->getTerminator()))
      return false;
  }
  hoistHead();
  if (!matchTest(branch.getCondition(), negated) || !matchStep())
    return false;

  bool isSigned = signedness == Signedness::Signed;
  bool keeps = isSigned ? keepsSigned : keepsUnsigned;
  bool up = !step.isNegative();
  APInt distance = up ? step : -step;
  std::optional<APInt> last = getConstant(bound);
  unsigned width = step.getBitWidth();
  switch (predicate) {
  case ComparisonPredicate::NOT_EQUAL:
    // The distance to the bound, modulo 2^width, is the trip count.
    return distance.isOne();
  case ComparisonPredicate::LESS_THAN:
  case ComparisonPredicate::GREATER_THAN:
    // The index must not leave the range of the type: a step of one stops at
    // the bound, and the no-wrap flag of the addition covers other steps.
    return up == (predicate == ComparisonPredicate::LESS_THAN) &&
           (distance.isOne() || keeps);
  case ComparisonPredicate::LESS_THAN_OR_EQUAL:
    // At the largest value of the type the loop would not end. The no-wrap flag
    // of the addition, or another constant bound, excludes this case.
    return up && (keeps || (last && distance.isOne() &&
                            *last != (isSigned ? APInt::getSignedMaxValue(width)
                                               : APInt::getMaxValue(width))));
  case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
    return !up &&
           (keeps || (last && distance.isOne() &&
                      *last != (isSigned ? APInt::getSignedMinValue(width)
                                         : APInt::getMinValue(width))));
  case ComparisonPredicate::EQUAL:
    return false;
  }
  llvm_unreachable("every predicate has its case");
}

void CountedLoop::rewrite() {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type type = index.getType();
  unsigned width = step.getBitWidth();
  APInt one(width, 1);
  auto constant = [&](const APInt &value) {
    return createConstant(builder, loc, type, value);
  };
  auto minus = [&](Value a, Value b) -> Value {
    return SubIOp::create(builder, loc, type, a, b, IntegerOverflow::NONE);
  };
  auto plus = [&](Value a, Value b) -> Value {
    return AddIOp::create(builder, loc, type, a, b, IntegerOverflow::NONE);
  };

  // The counter of the `for` is the index of an upward loop, -1 - index of a
  // downward loop (which reverses the order), or the distance from the start.
  Value start = loop.getInitValues()[index.getArgNumber()];
  bool up = !step.isNegative();
  bool isSigned = signedness == Signedness::Signed;
  bool counts = predicate == ComparisonPredicate::NOT_EQUAL;
  // -1 - index of a downward loop.
  bool flips = !up && !counts;
  Value allOnes = flips ? constant(APInt::getAllOnes(width)) : Value();
  Value lower = start, upper = bound;
  if (counts) {
    lower = constant(APInt(width, 0));
    upper = up ? minus(bound, start) : minus(start, bound);
    isSigned = false;
  } else if (flips) {
    lower = minus(allOnes, start);
    upper = minus(allOnes, bound);
  }
  if (predicate == ComparisonPredicate::LESS_THAN_OR_EQUAL ||
      predicate == ComparisonPredicate::GREATER_THAN_OR_EQUAL)
    upper = plus(upper, constant(one));

  auto counted =
      ForOp::create(builder, loc, lower, upper, constant(up ? step : -step),
                    loop.getInitValues(), /*unsignedCmp=*/!isSigned);
  counted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block *oldBody = loop.getBody(), *newBody = counted.getBody();

  // After the loop: the operations before the test, then the exit.
  IRMapping after;
  after.map(oldBody->getArguments(), counted.getResults());
  builder.setInsertionPoint(loop);
  SmallVector<Operation *> copies;
  for (Operation &op :
       llvm::make_range(oldBody->begin(), branch->getIterator()))
    copies.push_back(builder.clone(op, after));
  BreakOp leave = exits.breaks.front();
  if (exitBlock)
    for (Operation &op : exitBlock->without_terminator())
      builder.clone(op, after);
  if (leave->getBlock() == oldBody) {
    if (exitBlock)
      for (auto [result, value] : llvm::zip_equal(
               branch.getResults(), exitBlock->getTerminator()->getOperands()))
        after.map(result, after.lookupOrDefault(value));
    for (Operation &op : llvm::make_range(std::next(branch->getIterator()),
                                          leave->getIterator()))
      builder.clone(op, after);
  }
  for (auto [result, value] :
       llvm::zip_equal(loop.getResults(), leave.getOperands()))
    result.replaceAllUsesWith(after.lookupOrDefault(value));

  // Unused copies belong to the test.
  for (Operation *op : llvm::reverse(copies))
    if (op->use_empty() && isPure(op))
      op->erase();

  // In the loop: everything except the exit.
  builder.setInsertionPointToStart(newBody);
  Value counter = newBody->getArgument(0), current = counter;
  if (counts)
    current = up ? plus(start, counter) : minus(start, counter);
  else if (flips)
    current = minus(allOnes, counter);
  for (auto [old, argument] : llvm::zip_equal(
           oldBody->getArguments(), newBody->getArguments().drop_front()))
    old.replaceAllUsesWith(old == index ? current : Value(argument));
  newBody->getOperations().splice(newBody->end(), oldBody->getOperations(),
                                  oldBody->begin(), branch->getIterator());
  if (leave->getBlock() == oldBody) {
    newBody->getOperations().splice(newBody->end(), stayBlock->getOperations());
  } else {
    if (stayBlock) {
      Operation *yield = stayBlock->getTerminator();
      for (auto [result, value] :
           llvm::zip_equal(branch.getResults(), yield->getOperands()))
        result.replaceAllUsesWith(value);
      newBody->getOperations().splice(newBody->end(),
                                      stayBlock->getOperations(),
                                      stayBlock->begin(), yield->getIterator());
    }
    newBody->getOperations().splice(newBody->end(), oldBody->getOperations(),
                                    std::next(branch->getIterator()),
                                    oldBody->end());
  }
  Value condition = branch.getCondition();
  loop.erase();
  eraseUnused(condition);
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

void CudaTileSimplifyLoops::runOnOperation() {
  SmallVector<LoopOp> loops;
  getOperation()->walk([&](LoopOp loop) { loops.push_back(loop); });
  for (LoopOp loop : loops) {
    LoopExits exits(loop);
    numFirstTrips += FirstIteration(loop, exits).move();
    CountedLoop counted(loop, exits);
    if (!counted.match())
      continue;
    counted.rewrite();
    ++numCounted;
  }
  numDropped += dropDeadRegionValues(getOperation());
}

} // namespace tileir
