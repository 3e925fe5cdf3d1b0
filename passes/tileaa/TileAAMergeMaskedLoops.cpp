// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "tileaa-merge-masked-loops"

namespace tileir {

#define GEN_PASS_DECL_TILEAAMERGEMASKEDLOOPS
#define GEN_PASS_DEF_TILEAAMERGEMASKEDLOOPS
#include "passes/tileaa/TileAAMergeMaskedLoops.h.inc"

namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

struct TileAAMergeMaskedLoops final
    : impl::TileAAMergeMaskedLoopsBase<TileAAMergeMaskedLoops> {
  using TileAAMergeMaskedLoopsBase::TileAAMergeMaskedLoopsBase;

  void runOnOperation() override;
};

/// Merges two consecutive loops.
class LoopMerger {
public:
  explicit LoopMerger(scf::ForOp second) : second(second) {}

  /// Merges the loop with the one before it. Returns why it did not; empty on
  /// success.
  StringRef run();

private:
  StringRef findFirst();
  bool findCut();
  bool matchBodies();
  Value getMerged(Value ofFirst, Value ofSecond);
  bool emit();

  scf::ForOp first, second;
  /// The first iteration of `second`.
  Value cut;
  /// The matched operation of the first body for each operation of the second.
  llvm::DenseMap<Operation *, Operation *> likes;

  OpBuilder builder{second};
  Value early;
  IRMapping firsts, seconds;
  llvm::DenseMap<std::pair<Value, Value>, Value> selects;
};

} // namespace

/// Returns whether `loop` is innermost, has a dot, and has steps of 1 with
/// signed bounds of at most 32 bits: the loops that `tileas-split-masked-loops`
/// splits again.
static bool isCandidate(scf::ForOp loop) {
  Type type = loop.getInductionVar().getType();
  bool hasLoop =
      loop.getBody()
          ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
          .wasInterrupted();
  return !hasLoop && type.isInteger() && type.getIntOrFloatBitWidth() <= 32 &&
         !loop.getUnsignedCmp() && matchPattern(loop.getStep(), m_One()) &&
         !loop.getBody()->getOps<aa::DotOp>().empty();
}

static bool isSelectable(Type type) {
  return getElementTypeOrSelf(type).isIntOrFloat();
}

/// Selects between two values by the scalar `condition`, splatted for a tile as
/// in masks.
static Value createSelect(OpBuilder &builder, Location loc, Value condition,
                          Value ifTrue, Value ifFalse) {
  if (auto tile = dyn_cast<RankedTensorType>(ifTrue.getType()))
    condition = aa::SplatOp::create(
        builder, loc,
        RankedTensorType::get(tile.getShape(), builder.getI1Type()), condition);
  return arith::SelectOp::create(builder, loc, condition, ifTrue, ifFalse);
}

//===----------------------------------------------------------------------===//
// Two loops
//===----------------------------------------------------------------------===//

StringRef LoopMerger::findFirst() {
  if (second.getInitArgs().empty())
    return "it carries nothing";
  first = second.getInitArgs().front().getDefiningOp<scf::ForOp>();
  if (!first || first->getBlock() != second->getBlock() ||
      !isCandidate(first) ||
      first.getInductionVar().getType() != second.getInductionVar().getType())
    return "no such loop gives its initial values";
  if (!llvm::equal(first.getResults(), second.getInitArgs()) ||
      !llvm::all_of(first.getResults(),
                    [](Value result) { return result.hasOneUse(); }))
    return "the results of the loop before it have other uses than as its "
           "initial values";
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode())
    if (!isPure(op))
      return "something with an effect stands between the two loops";
  return findCut() ? "" : "it does not begin where the loop before it ends";
}

/// Finds the cut of two loops from L to min(cut, U) and from max(cut, L) to U.
/// With steps of 1 they have the iterations of one loop from L to U, for any
/// cut; where U is below L, neither has any.
bool LoopMerger::findCut() {
  auto end = first.getUpperBound().getDefiningOp<arith::MinSIOp>();
  auto begin = second.getLowerBound().getDefiningOp<arith::MaxSIOp>();
  if (!end || !begin)
    return false;
  auto getOther = [](Operation *op, Value one) {
    return op->getOperand(0) == one   ? op->getOperand(1)
           : op->getOperand(1) == one ? op->getOperand(0)
                                      : Value();
  };
  cut = getOther(end, second.getUpperBound());
  return cut && cut == getOther(begin, first.getLowerBound());
}

/// Returns whether the operations are equal apart from their operands.
static bool isLike(Operation *one, Operation *other) {
  if (one->getOperandTypes() != other->getOperandTypes() ||
      !OperationEquivalence::isEquivalentTo(
          one, other, OperationEquivalence::ignoreValueEquivalence,
          /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations))
    return false;
  return llvm::all_of(llvm::zip_equal(one->getRegions(), other->getRegions()),
                      [](auto regions) {
                        return OperationEquivalence::isRegionEquivalentTo(
                            &std::get<0>(regions), &std::get<1>(regions),
                            OperationEquivalence::IgnoreLocations);
                      });
}

/// Matches each operation of the first body with one of the second, in order,
/// and maximizes the number of operands that are equal or matched, too.
bool LoopMerger::matchBodies() {
  SmallVector<Operation *> ones = llvm::map_to_vector(
                               first.getBody()->without_terminator(),
                               [](Operation &op) { return &op; }),
                           others = llvm::map_to_vector(
                               second.getBody()->without_terminator(),
                               [](Operation &op) { return &op; });
  if (ones.size() > others.size())
    return false;
  // Table of the best scores: the first m operations matched with the first n.
  size_t width = others.size() + 1;
  SmallVector<int> scores((ones.size() + 1) * width, 0);
  auto score = [&](size_t m, size_t n) -> int & {
    return scores[m * width + n];
  };
  auto getScore = [&](Operation *one, Operation *other) {
    // One match weighs more than all operands together.
    int points = 1 << 8;
    for (auto [a, b] :
         llvm::zip_equal(one->getOperands(), other->getOperands())) {
      auto argA = dyn_cast<BlockArgument>(a), argB = dyn_cast<BlockArgument>(b);
      points += a == b ||
                (argA && argB && argA.getArgNumber() == argB.getArgNumber());
    }
    return points;
  };
  for (size_t m = 1; m <= ones.size(); ++m)
    for (size_t n = 1; n < width; ++n) {
      int best = std::max(score(m - 1, n), score(m, n - 1));
      if (isLike(ones[m - 1], others[n - 1]))
        best = std::max(best, score(m - 1, n - 1) +
                                  getScore(ones[m - 1], others[n - 1]));
      score(m, n) = best;
    }
  for (size_t m = ones.size(), n = others.size(); m && n;) {
    if (score(m, n) == score(m, n - 1)) {
      --n;
    } else if (score(m, n) == score(m - 1, n)) {
      return false;
    } else {
      likes[others[--n]] = ones[--m];
    }
  }
  return likes.size() == ones.size() &&
         llvm::all_of(others, [&](Operation *op) {
           return likes.contains(op) || isPure(op);
         });
}

/// Returns the value of the merged loop for the values of both bodies; null if
/// there is none.
Value LoopMerger::getMerged(Value ofFirst, Value ofSecond) {
  Value one = firsts.lookupOrDefault(ofFirst),
        other = seconds.lookupOrDefault(ofSecond);
  if (one == other)
    return one;
  if (!isSelectable(one.getType()))
    return {};
  Value &select = selects[{one, other}];
  if (!select)
    select = createSelect(builder, other.getLoc(), early, one, other);
  return select;
}

/// Writes the body of the merged loop. Returns false where a value cannot be
/// selected.
bool LoopMerger::emit() {
  early =
      arith::CmpIOp::create(builder, second.getLoc(), arith::CmpIPredicate::slt,
                            seconds.lookup(second.getInductionVar()), cut);
  for (Operation &op : *second.getBody()) {
    Operation *like = op.hasTrait<OpTrait::IsTerminator>()
                          ? first.getBody()->getTerminator()
                          : likes.lookup(&op);
    SmallVector<Value> operands;
    for (OpOperand &operand : op.getOpOperands()) {
      unsigned at = operand.getOperandNumber();
      operands.push_back(like ? getMerged(like->getOperand(at), operand.get())
                              : seconds.lookupOrDefault(operand.get()));
      if (!operands.back())
        return false;
    }
    Operation *merged = builder.clone(op, seconds);
    merged->setOperands(operands);
    if (like)
      firsts.map(like->getResults(), merged->getResults());
  }
  return true;
}

StringRef LoopMerger::run() {
  if (StringRef reason = findFirst(); !reason.empty())
    return reason;
  if (!matchBodies())
    return "the loop before it has an operation that it lacks, or it has "
           "another operation with an effect";
  auto merged = scf::ForOp::create(
      builder, second.getLoc(), first.getLowerBound(), second.getUpperBound(),
      second.getStep(), first.getInitArgs());
  merged->setDiscardableAttrs(second->getDiscardableAttrDictionary());
  if (merged.getBody()->mightHaveTerminator())
    merged.getBody()->getTerminator()->erase();
  for (auto [map, loop] :
       {std::pair(&firsts, first), std::pair(&seconds, second)})
    map->map(loop.getBody()->getArguments(), merged.getBody()->getArguments());
  builder.setInsertionPointToEnd(merged.getBody());
  if (!emit()) {
    merged.erase();
    return "a value that differs between the two loops is none of numbers";
  }
  second.replaceAllUsesWith(merged.getResults());
  second.erase();
  first.erase();
  return "";
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Returns whether `value` grows with each iteration of `loop`, unless it
/// wraps.
static bool isGrowing(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar())
    return true;
  Operation *op = value.getDefiningOp();
  if (auto sum = dyn_cast_if_present<arith::AddIOp>(op))
    return (isGrowing(sum.getLhs(), loop) &&
            loop.isDefinedOutsideOfLoop(sum.getRhs())) ||
           (isGrowing(sum.getRhs(), loop) &&
            loop.isDefinedOutsideOfLoop(sum.getLhs()));
  APInt by;
  auto product = dyn_cast_if_present<arith::MulIOp>(op);
  return product && matchPattern(product.getRhs(), m_ConstantInt(&by)) &&
         by.isStrictlyPositive() && isGrowing(product.getLhs(), loop);
}

/// Emits the negation of `condition` before `branch`: a comparison that is true
/// in the first iterations of `loop` only. Returns null for a condition of
/// another shape.
static arith::CmpIOp createEarly(Value condition, scf::IfOp branch,
                                 scf::ForOp loop) {
  OpBuilder builder(branch);
  Location loc = condition.getLoc();
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    for (auto [uniform, other] : {std::pair(both.getLhs(), both.getRhs()),
                                  std::pair(both.getRhs(), both.getLhs())}) {
      if (!loop.isDefinedOutsideOfLoop(uniform))
        continue;
      arith::CmpIOp early = createEarly(other, branch, loop);
      if (!early)
        return {};
      if (early.getLhs() != loop.getInductionVar()) {
        early.erase();
        return {};
      }
      // No iteration reaches the largest number.
      Type type = early.getRhs().getType();
      builder.setInsertionPoint(loop);
      Value largest = arith::ConstantOp::create(
          builder, loc,
          builder.getIntegerAttr(
              type, APInt::getSignedMaxValue(type.getIntOrFloatBitWidth())));
      early.getRhsMutable().assign(arith::SelectOp::create(
          builder, loc, uniform, early.getRhs(), largest));
      return early;
    }
    return {};
  }
  auto late = condition.getDefiningOp<arith::CmpIOp>();
  if (!late)
    return {};
  Value index = late.getLhs(), bound = late.getRhs();
  arith::CmpIPredicate predicate = late.getPredicate();
  if (!isGrowing(index, loop)) {
    std::swap(index, bound);
    switch (predicate) {
    case arith::CmpIPredicate::slt:
      predicate = arith::CmpIPredicate::sgt;
      break;
    case arith::CmpIPredicate::sle:
      predicate = arith::CmpIPredicate::sge;
      break;
    default:
      return {};
    }
  }
  if (!isGrowing(index, loop) || !loop.isDefinedOutsideOfLoop(bound) ||
      (predicate != arith::CmpIPredicate::sge &&
       predicate != arith::CmpIPredicate::sgt))
    return {};
  return arith::CmpIOp::create(builder, loc, arith::invertPredicate(predicate),
                               index, bound);
}

/// Returns whether the operations of `block` can be speculated and cost little
/// compared with dots.
static bool isLight(Block &block) {
  return llvm::all_of(block.without_terminator(), [](Operation &op) {
    return isPure(&op) && op.getNumRegions() == 0 && !isa<aa::DotOp>(op);
  });
}

/// Replaces `branch` by its operations and selects. Returns whether it did.
static bool flatten(scf::IfOp branch, scf::ForOp loop) {
  if (!branch.getNumResults() || !isLight(*branch.thenBlock()) ||
      !llvm::hasSingleElement(*branch.elseBlock()) ||
      !llvm::all_of(branch.getResultTypes(), isSelectable))
    return false;
  arith::CmpIOp early = createEarly(branch.getCondition(), branch, loop);
  if (!early)
    return false;
  for (Operation &op :
       llvm::make_early_inc_range(branch.thenBlock()->without_terminator()))
    op.moveBefore(branch);
  OpBuilder builder(branch);
  for (auto [result, masked, plain] :
       llvm::zip_equal(branch.getResults(), branch.thenYield().getOperands(),
                       branch.elseYield().getOperands()))
    result.replaceAllUsesWith(
        createSelect(builder, branch.getLoc(), early, plain, masked));
  Operation *late = branch.getCondition().getDefiningOp();
  branch.erase();
  if (isOpTriviallyDead(late))
    late->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

void TileAAMergeMaskedLoops::runOnOperation() {
  SmallVector<scf::ForOp> loops;
  getOperation()->walk([&](scf::ForOp loop) {
    if (isCandidate(loop))
      loops.push_back(loop);
  });
  for (scf::ForOp loop : loops)
    for (auto branch :
         llvm::make_early_inc_range(loop.getBody()->getOps<scf::IfOp>()))
      numBranches += flatten(branch, loop);
  // A loop is erased when its successor is merged into it.
  for (scf::ForOp loop : loops) {
    StringRef reason = LoopMerger(loop).run();
    TILEIR_LOG() << "a loop with dots: "
                 << (reason.empty() ? "merged with the loop before it"
                                    : reason);
    numLoops += reason.empty();
  }
  if (!numLoops && !numBranches)
    markAllAnalysesPreserved();
}

} // namespace tileir
