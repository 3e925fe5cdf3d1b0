// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalization of `if`. A region may leave the `if` by a terminator of an
// enclosing operation (`break`, `continue`, `return`): the results are then
// those of the other region alone.

#include "dialects/cuda_tile/IR/Folds.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::cuda_tile;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

/// The `yield` at the end of `block`; null without a block, or if the block
/// leaves the `if`.
static YieldOp getYield(Block *block) {
  return block ? dyn_cast<YieldOp>(block->getTerminator()) : YieldOp();
}

static bool leavesIf(Block *block) { return block && !getYield(block); }

static bool isOnlyTerminator(Block *block) {
  return llvm::hasSingleElement(*block);
}

static bool isDefinedInside(Value value, IfOp op) {
  return op->isAncestor(value.getParentBlock()->getParentOp());
}

/// `select` has no 4-bit floats.
static bool canSelect(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile && !isa<Float4E2M1FNType>(tile.getElementType());
}

/// Selects between tiles by a scalar condition.
static Value createSelect(PatternRewriter &rewriter, Location loc, Value cond,
                          Value onTrue, Value onFalse) {
  auto type = cast<TileType>(onTrue.getType());
  auto condType = cast<TileType>(cond.getType());
  if (type.getRank() > 0) {
    SmallVector<int64_t> ones(type.getRank(), 1);
    cond = ReshapeOp::create(
        rewriter, loc, TileType::get(ones, condType.getElementType()), cond);
    cond = BroadcastOp::create(
        rewriter, loc,
        TileType::get(type.getShape(), condType.getElementType()), cond);
  }
  return SelectOp::create(rewriter, loc, type, cond, onTrue, onFalse);
}

static Value createNot(PatternRewriter &rewriter, Location loc, Value cond) {
  auto type = cast<TileType>(cond.getType());
  auto ones =
      cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(type, APInt(1, 1)));
  Value allTrue = ConstantOp::create(rewriter, loc, type, ones);
  return XOrIOp::create(rewriter, loc, type, cond, allTrue);
}

/// Reduces the operands of `yield`, if there is one, to those in `keep`.
static void trimYield(PatternRewriter &rewriter, YieldOp yield,
                      ArrayRef<unsigned> keep) {
  if (!yield)
    return;
  SmallVector<Value> operands = llvm::map_to_vector(
      keep, [&](unsigned index) { return yield.getOperand(index); });
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(operands); });
}

/// Creates an `if` before `op` that takes over its regions and has only the
/// results in `keep`.
static IfOp cloneWithResults(PatternRewriter &rewriter, IfOp op,
                             ArrayRef<unsigned> keep) {
  SmallVector<Type> types = llvm::map_to_vector(
      keep, [&](unsigned index) { return op.getResult(index).getType(); });
  trimYield(rewriter, getYield(op.getThenBlock()), keep);
  trimYield(rewriter, getYield(op.getElseBlock()), keep);
  auto newIf = IfOp::create(rewriter, op.getLoc(), types, op.getCondition());
  newIf->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.inlineRegionBefore(op.getThenRegion(), newIf.getThenRegion(),
                              newIf.getThenRegion().end());
  rewriter.inlineRegionBefore(op.getElseRegion(), newIf.getElseRegion(),
                              newIf.getElseRegion().end());
  return newIf;
}

/// Erases everything after `op` in its block.
static void eraseAfter(PatternRewriter &rewriter, Operation *op) {
  Block *block = op->getBlock();
  while (&block->back() != op)
    rewriter.eraseOp(&block->back());
}

//===----------------------------------------------------------------------===//
// Fold
//===----------------------------------------------------------------------===//

LogicalResult IfOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &) {
  Value cond = getNegated(getCondition());
  if (getElseRegion().empty() || !cond)
    return failure();
  getConditionMutable().assign(cond);
  Region &thenRegion = getThenRegion(), &elseRegion = getElseRegion();
  Block *oldThen = &thenRegion.front();
  thenRegion.getBlocks().splice(thenRegion.begin(), elseRegion.getBlocks());
  elseRegion.getBlocks().splice(elseRegion.begin(), thenRegion.getBlocks(),
                                oldThen);
  return success();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {

struct RemoveUnusedResults final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    if (!getYield(op.getThenBlock()) && !getYield(op.getElseBlock()))
      return rewriter.notifyMatchFailure(op, "neither region yields");
    SmallVector<unsigned> used;
    for (OpResult result : op.getResults())
      if (!result.use_empty())
        used.push_back(result.getResultNumber());
    if (used.size() == op.getNumResults())
      return rewriter.notifyMatchFailure(op, "every result is used");
    IfOp newIf = cloneWithResults(rewriter, op, used);
    SmallVector<Value> replacements(op.getNumResults());
    for (auto [index, position] : llvm::enumerate(used))
      replacements[position] = newIf.getResult(index);
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

/// Replaces results that are the same value in both regions, or the condition
/// itself.
struct ReplaceYieldWithValue final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    YieldOp thenYield = getYield(op.getThenBlock());
    YieldOp elseYield = getYield(op.getElseBlock());
    if (!thenYield || !elseYield)
      return rewriter.notifyMatchFailure(op, "a region does not yield");
    Value cond = op.getCondition();
    bool changed = false;
    for (OpResult result : op.getResults()) {
      if (result.use_empty())
        continue;
      Value onTrue = thenYield.getOperand(result.getResultNumber());
      Value onFalse = elseYield.getOperand(result.getResultNumber());
      std::optional<bool> trueBool, falseBool;
      if (result.getType() == cond.getType()) {
        trueBool = getConstantBool(onTrue);
        falseBool = getConstantBool(onFalse);
      }
      Value value;
      if (onTrue == onFalse)
        value = onTrue;
      else if (trueBool == true && falseBool == false)
        value = cond;
      else if (trueBool == false && falseBool == true)
        value = createNot(rewriter, op.getLoc(), cond);
      else
        continue;
      rewriter.replaceAllUsesWith(result, value);
      changed = true;
    }
    return success(changed);
  }
};

/// Replaces results whose values exist before the `if` by selects.
struct ConvertToSelect final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    YieldOp thenYield = getYield(op.getThenBlock());
    YieldOp elseYield = getYield(op.getElseBlock());
    if (op.getNumResults() == 0 || (!thenYield && !elseYield) ||
        !llvm::all_of(op.getResultTypes(),
                      [](Type type) { return isa<TileType>(type); }))
      return rewriter.notifyMatchFailure(
          op, "no results that are tiles, or no region that yields");
    // A region that leaves the `if` yields no results.
    auto valueOf = [&](YieldOp yield, unsigned index) {
      return (yield       ? yield
              : thenYield ? thenYield
                          : elseYield)
          .getOperand(index);
    };
    SmallVector<unsigned> kept;
    SmallVector<Value> replacements(op.getNumResults());
    for (unsigned i = 0, e = op.getNumResults(); i < e; ++i) {
      Value onTrue = valueOf(thenYield, i), onFalse = valueOf(elseYield, i);
      if (isDefinedInside(onTrue, op) || isDefinedInside(onFalse, op) ||
          (onTrue != onFalse && !canSelect(onTrue.getType())))
        kept.push_back(i);
      else if (onTrue == onFalse)
        replacements[i] = onTrue;
      else
        replacements[i] = createSelect(rewriter, op.getLoc(), op.getCondition(),
                                       onTrue, onFalse);
    }
    if (kept.size() == op.getNumResults())
      return rewriter.notifyMatchFailure(
          op, "a value of the regions is needed for every result");
    IfOp newIf = cloneWithResults(rewriter, op, kept);
    for (auto [index, position] : llvm::enumerate(kept))
      replacements[position] = newIf.getResult(index);
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

struct RemoveStaticCondition final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<bool> cond = getConstantBool(op.getCondition());
    if (!cond)
      return rewriter.notifyMatchFailure(op, "the condition is no constant");
    Block *taken = *cond ? op.getThenBlock() : op.getElseBlock();
    if (!taken) {
      rewriter.eraseOp(op);
      return success();
    }
    if (YieldOp yield = getYield(taken)) {
      SmallVector<Value> values(yield.getOperands());
      rewriter.eraseOp(yield);
      rewriter.inlineBlockBefore(taken, op);
      rewriter.replaceOp(op, values);
      return success();
    }
    eraseAfter(rewriter, op);
    rewriter.inlineBlockBefore(taken, op);
    rewriter.eraseOp(op);
    return success();
  }
};

struct RemoveEmptyElseBranch final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    Block *elseBlock = op.getElseBlock();
    if (op.getNumResults() > 0 || !elseBlock || !getYield(elseBlock) ||
        !isOnlyTerminator(elseBlock))
      return rewriter.notifyMatchFailure(
          op, "results, or an else region that does something");
    IfOp newIf =
        IfOp::create(rewriter, op.getLoc(), TypeRange(), op.getCondition());
    newIf->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getThenRegion(), newIf.getThenRegion(),
                                newIf.getThenRegion().end());
    rewriter.eraseOp(op);
    return success();
  }
};

/// Both regions leave: the terminator of the second one moves after the `if`,
/// and all other operations there are erased.
struct MoveTerminatorToParent final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    if (!leavesIf(op.getThenBlock()) || !leavesIf(op.getElseBlock()))
      return rewriter.notifyMatchFailure(op, "a region does not leave");
    eraseAfter(rewriter, op);
    IfOp newIf =
        IfOp::create(rewriter, op.getLoc(), TypeRange(), op.getCondition());
    newIf->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.inlineRegionBefore(op.getThenRegion(), newIf.getThenRegion(),
                                newIf.getThenRegion().end());
    rewriter.inlineBlockBefore(op.getElseBlock(), op);
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

/// Merges an `if` into the previous one with the same condition.
struct CombineIfs final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp next,
                                PatternRewriter &rewriter) const override {
    auto prev = dyn_cast_if_present<IfOp>(next->getPrevNode());
    if (!prev)
      return rewriter.notifyMatchFailure(next,
                                         "nothing of the kind stands in front");
    Value cond = prev.getCondition();
    Block *nextThen = next.getThenBlock(), *nextElse = next.getElseBlock();
    if (next.getCondition() != cond) {
      if (getNegated(next.getCondition()) != cond &&
          getNegated(cond) != next.getCondition())
        return rewriter.notifyMatchFailure(
            next, "conditions are neither equal nor each other's negation");
      std::swap(nextThen, nextElse);
    }
    // Code after a region that leaves is dead and need not move.
    bool takesThen = nextThen && !leavesIf(prev.getThenBlock());
    bool takesElse = nextElse && !leavesIf(prev.getElseBlock());
    if (!takesThen && !takesElse)
      return rewriter.notifyMatchFailure(next,
                                         "both regions of the first one leave");

    replaceUsesInside(rewriter, prev, getYield(prev.getThenBlock()), nextThen);
    replaceUsesInside(rewriter, prev, getYield(prev.getElseBlock()), nextElse);

    SmallVector<Type> types(prev.getResultTypes());
    llvm::append_range(types, next.getResultTypes());
    rewriter.setInsertionPoint(next);
    auto merged = IfOp::create(rewriter, next.getLoc(), types, cond);
    merged->setDiscardableAttrs(prev->getDiscardableAttrDictionary());
    Block *prevElse = prev.getElseBlock();
    concatenate(rewriter, prev.getThenBlock(), nextThen,
                merged.getThenRegion());
    if (prevElse || nextElse)
      concatenate(rewriter, prevElse, nextElse, merged.getElseRegion());

    unsigned numPrev = prev.getNumResults();
    rewriter.replaceOp(next, merged.getResults().drop_front(numPrev));
    rewriter.replaceOp(prev, merged.getResults().take_front(numPrev));
    return success();
  }

private:
  /// Replaces results of `prev` by the yielded values in a region that runs
  /// after it.
  static void replaceUsesInside(PatternRewriter &rewriter, IfOp prev,
                                YieldOp yield, Block *block) {
    if (!yield || !block)
      return;
    for (auto [result, value] :
         llvm::zip_equal(prev.getResults(), yield.getOperands()))
      rewriter.replaceUsesWithIf(result, value, [&](OpOperand &use) {
        return block->findAncestorOpInBlock(*use.getOwner()) != nullptr;
      });
  }

  /// Moves the contents of `first`, then those of `second`, into `region`.
  static void concatenate(PatternRewriter &rewriter, Block *first,
                          Block *second, Region &region) {
    Block *block = rewriter.createBlock(&region);
    if (leavesIf(first)) {
      rewriter.mergeBlocks(first, block);
      return;
    }
    SmallVector<Value> values;
    auto take = [&](Block *source) {
      YieldOp yield = getYield(source);
      llvm::append_range(values, yield.getOperands());
      Location loc = yield.getLoc();
      rewriter.eraseOp(yield);
      rewriter.mergeBlocks(source, block);
      return loc;
    };
    Location loc = region.getLoc();
    if (first)
      loc = take(first);
    if (leavesIf(second)) {
      rewriter.mergeBlocks(second, block);
      return;
    }
    if (second)
      loc = take(second);
    rewriter.setInsertionPointToEnd(block);
    YieldOp::create(rewriter, loc, values);
  }
};

/// `if a { if b { … } }` is `if a and b { … }`.
struct CombineNestedIfs final : OpRewritePattern<IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(IfOp op,
                                PatternRewriter &rewriter) const override {
    Block *thenBlock = op.getThenBlock(), *elseBlock = op.getElseBlock();
    auto nested = dyn_cast<IfOp>(thenBlock->front());
    if (!nested || nested->getNextNode() != thenBlock->getTerminator() ||
        leavesIf(thenBlock) || leavesIf(elseBlock))
      return rewriter.notifyMatchFailure(
          op, "the then region holds more than an operation, or leaves");
    Block *innerElse = nested.getElseBlock();
    if ((elseBlock && !isOnlyTerminator(elseBlock)) ||
        (innerElse && !isOnlyTerminator(innerElse)) || leavesIf(innerElse))
      return rewriter.notifyMatchFailure(
          op, "an else region does something, or leaves");
    YieldOp innerThen = getYield(nested.getThenBlock());
    if (!innerThen && (elseBlock || innerElse))
      return rewriter.notifyMatchFailure(
          op, "the inner region leaves, and there is an else region");

    SmallVector<Value> thenValues(getYield(thenBlock).getOperands());
    SmallVector<Value> elseValues;
    if (elseBlock)
      llvm::append_range(elseValues, getYield(elseBlock).getOperands());
    SmallVector<unsigned> selected;
    for (auto [index, value] : llvm::enumerate(thenValues)) {
      if (value.getDefiningOp() == nested) {
        unsigned number = cast<OpResult>(value).getResultNumber();
        if (getYield(innerElse).getOperand(number) != elseValues[index])
          return rewriter.notifyMatchFailure(op,
                                             "else regions yield other values");
        value = innerThen.getOperand(number);
        continue;
      }
      if (isDefinedInside(value, op) || !canSelect(value.getType()))
        return rewriter.notifyMatchFailure(
            op, "a value is made inside, or its type cannot be selected");
      selected.push_back(index);
    }

    Location loc = op.getLoc();
    Value cond = AndIOp::create(rewriter, loc, op.getCondition().getType(),
                                op.getCondition(), nested.getCondition());
    SmallVector<Value> replacements(op.getNumResults());
    for (unsigned index : selected)
      replacements[index] = createSelect(rewriter, loc, op.getCondition(),
                                         thenValues[index], elseValues[index]);
    auto newIf = IfOp::create(rewriter, loc, op.getResultTypes(), cond);
    newIf->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    Block *newThen = rewriter.createBlock(&newIf.getThenRegion());
    if (innerThen)
      rewriter.modifyOpInPlace(innerThen,
                               [&] { innerThen->setOperands(thenValues); });
    rewriter.mergeBlocks(nested.getThenBlock(), newThen);
    if (elseBlock)
      rewriter.inlineRegionBefore(op.getElseRegion(), newIf.getElseRegion(),
                                  newIf.getElseRegion().end());
    for (auto [index, value] : llvm::enumerate(replacements))
      if (!value)
        value = newIf.getResult(index);
    rewriter.replaceOp(op, replacements);
    return success();
  }
};

} // namespace

void IfOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                       MLIRContext *context) {
  patterns.add<RemoveUnusedResults, ReplaceYieldWithValue,
               RemoveStaticCondition, ConvertToSelect, RemoveEmptyElseBranch,
               CombineIfs, CombineNestedIfs, MoveTerminatorToParent>(context);
}
