// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/cuda_tile/Comparisons.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_LOOPSPLIT
#define GEN_PASS_DEF_LOOPSPLIT
#include "passes/cuda_tile/LoopSplit.h.inc"

namespace {

using namespace mlir;
using namespace mlir::cuda_tile;

constexpr StringLiteral kThresholdAttr = "cuda_tile.loop_split";

struct LoopSplit final : impl::LoopSplitBase<LoopSplit> {
  using LoopSplitBase::LoopSplitBase;

  void runOnOperation() override;

private:
  int64_t getThreshold(IfOp branch, ForOp loop);
};

/// Split point of a loop: the first index from which `compare` keeps its value.
struct Split {
  CmpIOp compare;
  Value bound;
  /// True if the second loop starts after `bound`, not at it.
  bool isAfterBound;
  /// Value of `compare` in the first loop; the second has the opposite.
  bool firstAnswer;
  /// The branches directly in the body that `compare` decides.
  SmallVector<IfOp> branches;
  /// True if `compare` has other users.
  bool hasOtherUsers;
};

} // namespace

static Signedness getSignedness(ForOp loop) {
  return loop.getUnsignedCmp() ? Signedness::Unsigned : Signedness::Signed;
}

/// Returns whether a branch of `op` is worth a loop of its own.
static bool isProfitable(IfOp op, int64_t threshold) {
  if (threshold == 1)
    return true;
  return llvm::any_of(op->getRegions(), [&](Region &region) {
    if (region.empty())
      return false;
    auto ops = region.front().without_terminator();
    return llvm::any_of(ops,
                        [](Operation &inner) {
                          return isa<LoadPtrTkoOp, StorePtrTkoOp, LoadViewTkoOp,
                                     StoreViewTkoOp, MmaFOp, MmaIOp, ReduceOp,
                                     IfOp, ForOp>(inner);
                        }) ||
           std::distance(ops.begin(), ops.end()) >= threshold;
  });
}

/// Finds the split of `loop` at the condition of `branch`, if there is one.
static std::optional<Split> findSplit(ForOp loop, IfOp branch,
                                      int64_t threshold) {
  Split split;
  split.compare = branch.getCondition().getDefiningOp<CmpIOp>();
  if (threshold == 0 || !split.compare ||
      split.compare->getBlock() != loop.getBody() ||
      split.compare.getSignedness() != getSignedness(loop))
    return std::nullopt;

  ComparisonPredicate predicate = split.compare.getComparisonPredicate();
  split.bound = split.compare.getRhs();
  if (split.compare.getLhs() != loop.getInductionVar()) {
    if (split.bound != loop.getInductionVar())
      return std::nullopt;
    split.bound = split.compare.getLhs();
    predicate = mirror(predicate);
  }
  if (loop.getRegion().isAncestor(split.bound.getParentRegion()))
    return std::nullopt;
  switch (predicate) {
  case ComparisonPredicate::LESS_THAN:
  case ComparisonPredicate::LESS_THAN_OR_EQUAL:
    split.firstAnswer = true;
    break;
  case ComparisonPredicate::GREATER_THAN:
  case ComparisonPredicate::GREATER_THAN_OR_EQUAL:
    split.firstAnswer = false;
    break;
  default:
    return std::nullopt;
  }
  split.isAfterBound = predicate == ComparisonPredicate::LESS_THAN_OR_EQUAL ||
                       predicate == ComparisonPredicate::GREATER_THAN;

  bool profitable = false;
  split.hasOtherUsers = false;
  for (Operation *user : split.compare->getUsers()) {
    auto asked = dyn_cast<IfOp>(user);
    // A branch that passes the comparison on has it as an operand of a nested
    // operation, never of its own.
    if (asked && isProfitable(asked, threshold))
      profitable = true;
    if (!asked || asked->getBlock() != loop.getBody()) {
      split.hasOtherUsers = true;
      continue;
    }
    split.branches.push_back(asked);
    for (Region &region : asked->getRegions())
      if (!region.empty() &&
          isa<BreakOp, ReturnOp>(region.front().getTerminator()))
        return std::nullopt;
  }
  if (!profitable)
    return std::nullopt;
  return split;
}

/// Returns whether the index after a constant bound is not representable.
static bool isAfterLastIndex(const Split &split, ForOp loop) {
  std::optional<APInt> bound = getConstant(split.bound);
  return split.isAfterBound && bound &&
         (loop.getUnsignedCmp() ? bound->isMaxValue()
                                : bound->isMaxSignedValue());
}

namespace {

/// Builder of integer arithmetic on indices.
class IndexBuilder {
public:
  IndexBuilder(OpBuilder &builder, ForOp loop)
      : builder(builder), loc(loop.getLoc()),
        type(cast<TileType>(loop.getInductionVar().getType())),
        signedness(getSignedness(loop)) {}

  Value constant(int64_t value) {
    auto attr = DenseIntElementsAttr::get(
        cast<ShapedType>(Type(type)),
        APInt(type.getElementTypeBitWidth(), uint64_t(value), true));
    return ConstantOp::create(builder, loc, attr);
  }
  Value add(Value a, Value b) {
    return AddIOp::create(builder, loc, type, a, b);
  }
  Value sub(Value a, Value b) {
    return SubIOp::create(builder, loc, type, a, b);
  }
  Value mul(Value a, Value b) {
    return MulIOp::create(builder, loc, type, a, b);
  }
  Value min(Value a, Value b) {
    return MinIOp::create(builder, loc, type, a, b, signedness);
  }
  Value max(Value a, Value b) {
    return MaxIOp::create(builder, loc, type, a, b, signedness);
  }
  Value ceilDiv(Value a, Value b) {
    return DivIOp::create(builder, loc, type, a, b, signedness,
                          RoundingMode::POSITIVE_INF);
  }

private:
  OpBuilder &builder;
  Location loc;
  TileType type;
  Signedness signedness;
};

} // namespace

/// The first index of `loop` at or after the split point; beyond the upper
/// bound, or before the lower one, when the comparison never changes.
static Value buildSplitPoint(IndexBuilder &index, ForOp loop,
                             const Split &split) {
  Value point = split.bound;
  if (split.isAfterBound)
    point = index.add(point, index.constant(1));
  std::optional<APInt> step = getConstant(loop.getStep());
  if (step && step->isOne())
    return point;
  Value begin = loop.getLowerBound();
  // A negative distance has no unsigned value. From zero there is none.
  std::optional<APInt> first = getConstant(begin);
  if (loop.getUnsignedCmp() && !(first && first->isZero()))
    point = index.max(point, begin);
  Value count = index.ceilDiv(index.sub(point, begin), loop.getStep());
  return index.add(begin, index.mul(count, loop.getStep()));
}

/// Copies the operations of `block` except for its terminator.
static void cloneBlock(OpBuilder &builder, Block &block, IRMapping &mapping) {
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
}

/// Fills `copy` with the body of `loop`, with the comparison replaced by
/// `answer`.
static void cloneBody(ForOp loop, ForOp copy, Split &split, bool answer) {
  IRMapping mapping;
  mapping.map(loop.getBody()->getArguments(), copy.getBody()->getArguments());
  OpBuilder builder = OpBuilder::atBlockEnd(copy.getBody());
  for (Operation &op : *loop.getBody()) {
    if (&op == split.compare) {
      if (split.hasOtherUsers) {
        auto type = cast<ShapedType>(split.compare.getType());
        Value known = ConstantOp::create(
            builder, op.getLoc(), DenseIntElementsAttr::get(type, answer));
        mapping.map(split.compare.getResult(), known);
      }
      continue;
    }
    auto branch = dyn_cast<IfOp>(op);
    if (!branch || !llvm::is_contained(split.branches, branch)) {
      builder.clone(op, mapping);
      continue;
    }
    Block *taken = answer ? branch.getThenBlock() : branch.getElseBlock();
    if (!taken)
      continue;
    cloneBlock(builder, *taken, mapping);
    Operation *end = taken->getTerminator();
    if (isa<ContinueOp>(end)) {
      // The rest of the body is unreachable.
      builder.clone(*end, mapping);
      return;
    }
    for (auto [result, yielded] :
         llvm::zip_equal(branch.getResults(), end->getOperands()))
      mapping.map(result, mapping.lookupOrDefault(yielded));
  }
}

static ForOp createLoop(OpBuilder &builder, ForOp loop, Value begin, Value end,
                        ValueRange inits) {
  auto copy = ForOp::create(builder, loop.getLoc(), begin, end, loop.getStep(),
                            inits, loop.getUnsignedCmp());
  for (auto [from, to] : llvm::zip_equal(loop.getBody()->getArguments(),
                                         copy.getBody()->getArguments()))
    to.setLoc(from.getLoc());
  for (NamedAttribute attr : loop->getDiscardableAttrs())
    if (attr.getName() != kThresholdAttr)
      copy->setDiscardableAttr(attr.getName(), attr.getValue());
  return copy;
}

static void splitLoop(ForOp loop, Split &split) {
  OpBuilder builder(loop);
  IndexBuilder index(builder, loop);
  Value point = buildSplitPoint(index, loop, split);
  Value end = index.min(point, loop.getUpperBound());
  Value begin = index.max(point, loop.getLowerBound());
  ForOp first = createLoop(builder, loop, loop.getLowerBound(), end,
                           loop.getInitValues());
  cloneBody(loop, first, split, split.firstAnswer);
  ForOp second = createLoop(builder, loop, begin, loop.getUpperBound(),
                            first.getResultValues());
  cloneBody(loop, second, split, !split.firstAnswer);
  loop->replaceAllUsesWith(second);
  loop->erase();
}

int64_t LoopSplit::getThreshold(IfOp branch, ForOp loop) {
  for (Operation *op : {branch.getOperation(), loop.getOperation(),
                        getOperation().getOperation()})
    if (auto attr = dyn_cast_if_present<IntegerAttr>(
            op->getDiscardableAttr(kThresholdAttr)))
      return attr.getValue().trySExtValue().value_or(INT64_MAX);
  return splitThreshold;
}

void LoopSplit::runOnOperation() {
  remark::RemarkOpts opts =
      remark::RemarkOpts::name("LoopSplit").category("cuda_tile");
  // Inner loops come first, so they are gone when the outer one is copied.
  SmallVector<ForOp> loops;
  getOperation()->walk([&](ForOp loop) { loops.push_back(loop); });
  bool changed = false;
  for (ForOp loop : loops) {
    std::optional<Split> split;
    loop.getBody()->walk([&](IfOp branch) {
      split = findSplit(loop, branch, getThreshold(branch, loop));
      if (split && isAfterLastIndex(*split, loop)) {
        remark::missed(branch.getLoc(), opts)
            << remark::reason("the comparison is with the largest index, after "
                              "which there is none to split at");
        split.reset();
      }
      return split ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (!split)
      continue;
    remark::passed(loop.getLoc(), opts) << remark::reason(
        "split where the comparison at {0} changes", split->compare.getLoc());
    splitLoop(loop, *split);
    ++numSplit;
    changed = true;
  }
  if (!changed)
    markAllAnalysesPreserved();
}

} // namespace tileir
