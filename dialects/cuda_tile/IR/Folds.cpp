// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplifications of single operations.

#include "dialects/cuda_tile/IR/Folds.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::cuda_tile;

std::optional<bool> cuda_tile::getConstantBool(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return std::nullopt;
  DenseIntOrFPElementsAttr attr = constant.getValue();
  if (!attr.getElementType().isInteger(1) ||
      (!attr.isSplat() && attr.getNumElements() != 1))
    return std::nullopt;
  return *attr.value_begin<bool>();
}

static bool isConstantBool(Value value, bool expected) {
  return getConstantBool(value) == expected;
}

Value cuda_tile::getNegated(Value value) {
  auto xorOp = value.getDefiningOp<XOrIOp>();
  return xorOp && isConstantBool(xorOp.getRhs(), true) ? xorOp.getLhs()
                                                       : Value();
}

//===----------------------------------------------------------------------===//
// AddFOp
//===----------------------------------------------------------------------===//

namespace {

/// `addf x, mulf` becomes `addf mulf, x`, so that the fusion matches one order
/// only.
struct MoveProductToLhs final : OpRewritePattern<AddFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddFOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getRhs().getDefiningOp<MulFOp>() ||
        op.getLhs().getDefiningOp<MulFOp>())
      return rewriter.notifyMatchFailure(
          op, "the right side is no product, or the left side is one");
    rewriter.modifyOpInPlace(op, [&] {
      Value lhs = op.getLhs();
      op.getLhsMutable().assign(op.getRhs());
      op.getRhsMutable().assign(lhs);
    });
    return success();
  }
};

} // namespace

void AddFOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<MoveProductToLhs>(context);
}

//===----------------------------------------------------------------------===//
// SelectOp
//===----------------------------------------------------------------------===//

/// `select (cmpi equal a, b), a, b` is b, in either order of the operands.
static Value foldSelectOfEquality(SelectOp op) {
  auto compare = op.getCond().getDefiningOp<CmpIOp>();
  if (!compare)
    return {};
  Value onTrue = op.getValIfTrue(), onFalse = op.getValIfFalse();
  Value lhs = compare.getLhs(), rhs = compare.getRhs();
  if (!(onTrue == lhs && onFalse == rhs) && !(onTrue == rhs && onFalse == lhs))
    return {};
  switch (compare.getComparisonPredicate()) {
  case ComparisonPredicate::EQUAL:
    return onFalse;
  case ComparisonPredicate::NOT_EQUAL:
    return onTrue;
  default:
    return {};
  }
}

OpFoldResult SelectOp::fold(FoldAdaptor) {
  Value onTrue = getValIfTrue(), onFalse = getValIfFalse();
  if (onTrue == onFalse)
    return onTrue;
  if (std::optional<bool> cond = getConstantBool(getCond()))
    return *cond ? onTrue : onFalse;
  if (isConstantBool(onTrue, true) && isConstantBool(onFalse, false))
    return getCond();
  if (Value value = foldSelectOfEquality(*this))
    return value;
  if (Value cond = getNegated(getCond())) {
    getCondMutable().assign(cond);
    getValIfTrueMutable().assign(onFalse);
    getValIfFalseMutable().assign(onTrue);
    return getResult();
  }
  auto inner = onTrue.getDefiningOp<SelectOp>();
  if (inner && inner.getCond() == getCond()) {
    getValIfTrueMutable().assign(inner.getValIfTrue());
    return getResult();
  }
  inner = onFalse.getDefiningOp<SelectOp>();
  if (inner && inner.getCond() == getCond()) {
    getValIfFalseMutable().assign(inner.getValIfFalse());
    return getResult();
  }
  return {};
}

namespace {

/// `select c, false, true` is the negation of c.
struct SelectToNot final : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SelectOp op,
                                PatternRewriter &rewriter) const override {
    if (!isConstantBool(op.getValIfTrue(), false) ||
        !isConstantBool(op.getValIfFalse(), true))
      return rewriter.notifyMatchFailure(
          op, "not a choice of false where the condition is true");
    rewriter.replaceOpWithNewOp<XOrIOp>(op, op.getType(), op.getCond(),
                                        op.getValIfFalse());
    return success();
  }
};

/// Folds a select of constants element by element.
struct MergeConstants final : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto cond = op.getCond().getDefiningOp<ConstantOp>();
    auto onTrue = op.getValIfTrue().getDefiningOp<ConstantOp>();
    auto onFalse = op.getValIfFalse().getDefiningOp<ConstantOp>();
    if (!cond || !onTrue || !onFalse)
      return rewriter.notifyMatchFailure(op,
                                         "condition or sides are no constants");
    DenseElementsAttr merged =
        isa<FloatType>(onTrue.getValue().getElementType())
            ? merge<APFloat>(cond.getValue(), onTrue.getValue(),
                             onFalse.getValue())
            : merge<APInt>(cond.getValue(), onTrue.getValue(),
                           onFalse.getValue());
    rewriter.replaceOpWithNewOp<ConstantOp>(
        op, op.getType(), cast<DenseIntOrFPElementsAttr>(merged));
    return success();
  }

private:
  template <typename Element>
  static DenseElementsAttr merge(DenseElementsAttr cond,
                                 DenseElementsAttr onTrue,
                                 DenseElementsAttr onFalse) {
    SmallVector<Element> elements;
    elements.reserve(cond.getNumElements());
    for (auto [c, t, f] :
         llvm::zip_equal(cond.getValues<bool>(), onTrue.getValues<Element>(),
                         onFalse.getValues<Element>()))
      elements.push_back(c ? t : f);
    return DenseElementsAttr::get(onTrue.getType(), elements);
  }
};

/// `select c, 1, 0` of integers is c extended, `select c, 0, 1` its negation.
struct SelectToExtension final : OpRewritePattern<SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(SelectOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<TileType>(op.getType());
    std::optional<APInt> onTrue = getSplat(op.getValIfTrue());
    std::optional<APInt> onFalse = getSplat(op.getValIfFalse());
    if (type.getElementType().isInteger(1) || !onTrue || !onFalse)
      return rewriter.notifyMatchFailure(
          op, "tiles of i1, or sides without one value each");
    Value cond = op.getCond();
    if (onTrue->isZero() && onFalse->isOne()) {
      auto condType = cast<TileType>(cond.getType());
      auto ones = cast<DenseIntOrFPElementsAttr>(
          DenseElementsAttr::get(condType, APInt(1, 1)));
      Value allTrue = ConstantOp::create(rewriter, op.getLoc(), condType, ones);
      cond = XOrIOp::create(rewriter, op.getLoc(), condType, cond, allTrue);
    } else if (!onTrue->isOne() || !onFalse->isZero()) {
      return rewriter.notifyMatchFailure(op, "sides are not one and zero");
    }
    rewriter.replaceOpWithNewOp<ExtIOp>(op, type, cond, Signedness::Unsigned);
    return success();
  }

private:
  /// The integer that all elements equal.
  static std::optional<APInt> getSplat(Value value) {
    auto constant = value.getDefiningOp<ConstantOp>();
    if (!constant || !isa<IntegerType>(constant.getValue().getElementType()) ||
        (!constant.getValue().isSplat() &&
         constant.getValue().getNumElements() != 1))
      return std::nullopt;
    return *constant.getValue().value_begin<APInt>();
  }
};

} // namespace

void SelectOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *context) {
  patterns.add<SelectToNot, MergeConstants, SelectToExtension>(context);
}
