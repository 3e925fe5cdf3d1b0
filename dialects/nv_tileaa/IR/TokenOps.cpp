// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// join_mem_token
//===----------------------------------------------------------------------===//

OpFoldResult JoinMemTokenOp::fold(FoldAdaptor) {
  if (getTokens().size() == 1)
    return getTokens().front();
  return {};
}

namespace {

// Maximum number of tokens of a join that absorbs others: a chain of joins
// becomes a tree of short ones, which costs no more than the chain.
constexpr size_t kMaxJoinedTokens = 64;

/// T2: drops duplicates and tokens without dependencies, and absorbs joins with
/// one use.
struct FlattenJoin final : OpRewritePattern<JoinMemTokenOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(JoinMemTokenOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SmallSetVector<Value, 8> tokens;
    for (Value token : op.getTokens()) {
      if (token.getDefiningOp<CreateMemTokenOp>())
        continue;
      auto inner = token.getDefiningOp<JoinMemTokenOp>();
      if (inner && inner->hasOneUse() &&
          inner.getTokens().size() <= kMaxJoinedTokens)
        tokens.insert_range(inner.getTokens());
      else
        tokens.insert(token);
    }
    if (tokens.empty()) {
      rewriter.replaceOpWithNewOp<CreateMemTokenOp>(op);
      return success();
    }
    if (llvm::equal(tokens, op.getTokens()))
      return rewriter.notifyMatchFailure(op,
                                         "joins no join, and no token twice");
    rewriter.modifyOpInPlace(
        op, [&] { op.getTokensMutable().assign(tokens.takeVector()); });
    return success();
  }
};

// Maximum steps, for each token, of the walk that looks for an order between
// tokens.
constexpr unsigned kMaxOrderSteps = 32;

/// The tokens for which the operation that defines `token` waits.
ValueRange getWaitedFor(Value token) {
  Operation *op = token.getDefiningOp();
  if (auto join = dyn_cast_if_present<JoinMemTokenOp>(op))
    return join.getTokens();
  if (auto access = dyn_cast_if_present<TileAAMemoryOpInterface>(op))
    return OperandRange(access.getInputTokenMutable());
  if (auto print = dyn_cast_if_present<PrintOp>(op))
    return OperandRange(print.getTokenMutable());
  return {};
}

/// T3: drops tokens for which another operand already waits. One backward walk
/// from all operands at once finds every operand that precedes another one.
struct DropCoveredTokens final : OpRewritePattern<JoinMemTokenOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(JoinMemTokenOp op,
                                PatternRewriter &rewriter) const override {
    llvm::SmallSetVector<Value, 32> before;
    for (Value token : op.getTokens())
      before.insert_range(getWaitedFor(token));
    size_t limit = kMaxOrderSteps * op.getTokens().size();
    for (size_t i = 0; i < before.size() && i < limit; ++i)
      before.insert_range(getWaitedFor(before[i]));
    SmallVector<Value> left;
    for (Value token : op.getTokens())
      if (!before.contains(token))
        left.push_back(token);
    // Unreachable code may be cyclic.
    if (left.empty() || left.size() == op.getTokens().size())
      return rewriter.notifyMatchFailure(op, "no token covers another one");
    rewriter.modifyOpInPlace(op, [&] { op.getTokensMutable().assign(left); });
    return success();
  }
};

} // namespace

void JoinMemTokenOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                                 MLIRContext *context) {
  results.add<FlattenJoin, DropCoveredTokens>(context);
}

//===----------------------------------------------------------------------===//
// mark_for_reuse, optimization_barrier, pragma
//===----------------------------------------------------------------------===//

LogicalResult MarkForReuseOp::verify() {
  if (!llvm::all_of(getQueues().getTypes(),
                    [](Type type) { return isa<TAQueueType>(type); })) // C1
    return emitOpError("expect operands with queue types");
  return success();
}

LogicalResult OptimizationBarrierOp::verify() {
  if (getOperandTypes() != getResultTypes()) // C1
    return emitOpError("expects results of the types of the operands");
  return success();
}

//===----------------------------------------------------------------------===//
// assert, print
//===----------------------------------------------------------------------===//

namespace {

struct DropTrueAssert final : OpRewritePattern<AssertOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssertOp op,
                                PatternRewriter &rewriter) const override {
    if (!matchPattern(op.getCondition(), m_One()))
      return rewriter.notifyMatchFailure(op, "the condition is not true");
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void AssertOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<DropTrueAssert>(context);
}

LogicalResult PrintOp::verify() {
  StringRef format = getFormat();
  size_t conversions = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%')
      continue;
    if (i + 1 < format.size() && format[i + 1] == '%') {
      ++i;
      continue;
    }
    ++i;
    while (i < format.size() && !llvm::isAlpha(format[i]))
      ++i;
    // Length modifiers come before the conversion.
    while (i + 1 < format.size() && StringRef("hljztL").contains(format[i]))
      ++i;
    if (i >= format.size() || !llvm::isAlpha(format[i]))
      return emitOpError("found unterminated format expression");
    ++conversions;
  }
  if (conversions != getArgs().size()) // C1
    return emitOpError("incorrect number of operands: expected ")
           << conversions << ", found " << getArgs().size();
  return success();
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

static LogicalResult verifyDivBy(AssumeOp op, DivByAttr attr) {
  uint64_t divisor = attr.getDivisor();
  Type type = op.getValue().getType();
  if (!llvm::isPowerOf2_64(divisor))
    return op.emitOpError("'nv_tileaa.div_by' divisor must be a power of 2");
  if (attr.getEvery().has_value() != attr.getAlong().has_value())
    return op.emitOpError(
        "'nv_tileaa.div_by' 'every'/'along' must be used in combination");
  if (divisor > (uint64_t(1) << 62))
    return op.emitOpError("'nv_tileaa.div_by' divisor is too large");
  if (!isa<TAMemRefType>(type) && !isIntTile(type) && !isPtrTile(type))
    return op.emitOpError("'nv_tileaa.div_by' is valid only for tile of "
                          "integer/pointer or memref values");
  if (!attr.getEvery())
    return success();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return op.emitOpError("'nv_tileaa.div_by' 'every'/'along' cannot be used "
                          "if the constrained value is a 0D tile");
  int64_t along = *attr.getAlong();
  if (along < 0 || along >= tensor.getRank())
    return op.emitOpError("'nv_tileaa.div_by' every_dim (")
           << along << ") must be >= 0 and < tile rank (" << tensor.getRank()
           << ")";
  if (*attr.getEvery() < 0 || *attr.getEvery() > tensor.getDimSize(along))
    return op.emitOpError("expected 'nv_tileaa.div_by' every_dim to be within "
                          "0 and the size of the respective dimension (")
           << tensor.getDimSize(along) << ")";
  return success();
}

static LogicalResult verifyBounded(AssumeOp op, BoundedAttr attr) {
  Type type = op.getValue().getType();
  if (!isIntTile(type))
    return op.emitOpError(
        "'nv_tileaa.bounded' is valid only for tile of integer values");
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  int64_t min = llvm::minIntN(width), max = llvm::maxIntN(width);
  auto isOutside = [&](std::optional<int64_t> bound) {
    return bound && (*bound < min || *bound > max);
  };
  if (isOutside(attr.getLb()))
    return op.emitOpError(
               "'nv_tileaa.bounded' expects lower bound to be within [")
           << min << ", " << max << "]";
  if (isOutside(attr.getUb()))
    return op.emitOpError(
               "'nv_tileaa.bounded' expects upper bound to be within [")
           << min << ", " << max << "]";
  if (attr.getLb() && attr.getUb() && *attr.getLb() > *attr.getUb())
    return op.emitOpError("'nv_tileaa.bounded' expects lower bound to be less "
                          "than or equal to upper bound");
  return success();
}

static LogicalResult verifySameElements(AssumeOp op, SameElementsAttr attr) {
  Type type = op.getValue().getType();
  if (!isIntTile(type) && !isPtrTile(type))
    return op.emitOpError("'nv_tileaa.same_elements' is valid only for tile of "
                          "integer/pointer values");
  ArrayRef<int64_t> shape = getTileShape(type);
  if (attr.getValues().size() != shape.size())
    return op.emitOpError(
               "expected number of values in 'nv_tileaa.same_elements' (")
           << attr.getValues().size() << ") to match rank of constrained tile ("
           << shape.size() << ")";
  for (auto [d, value] : llvm::enumerate(attr.getValues()))
    if (value < 0 || value > shape[d])
      return op.emitOpError("expected 'nv_tileaa.same_elements' value ")
             << d
             << " to be within 0 and the size of the respective dimension ("
             << shape[d] << ")";
  return success();
}

LogicalResult AssumeOp::verify() {
  for (Attribute predicate : getPredicates()) { // C1
    LogicalResult valid = success();
    if (auto divBy = dyn_cast<DivByAttr>(predicate))
      valid = verifyDivBy(*this, divBy);
    else if (auto bounded = dyn_cast<BoundedAttr>(predicate))
      valid = verifyBounded(*this, bounded);
    else if (auto same = dyn_cast<SameElementsAttr>(predicate))
      valid = verifySameElements(*this, same);
    else
      return emitOpError("unknown predicate ") << predicate;
    if (failed(valid))
      return failure();
  }
  return success();
}

void AssumeOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                 SetIntRangeFn setRange) {
  ConstantIntRanges range = ranges.front();
  unsigned width = range.umin().getBitWidth();
  for (Attribute predicate : getPredicates()) {
    auto bounded = dyn_cast<BoundedAttr>(predicate);
    if (!bounded || !width)
      continue;
    APInt lb = bounded.getLb() ? APInt(width, *bounded.getLb(), true)
                               : APInt::getSignedMinValue(width);
    APInt ub = bounded.getUb() ? APInt(width, *bounded.getUb(), true)
                               : APInt::getSignedMaxValue(width);
    range = range.intersection(ConstantIntRanges::fromSigned(lb, ub));
  }
  setRange(getResult(), range);
}

static bool isTrivial(Attribute predicate, Type type) {
  if (auto divBy = dyn_cast<DivByAttr>(predicate))
    return divBy.getDivisor() == 1 && !divBy.getEvery();
  if (auto same = dyn_cast<SameElementsAttr>(predicate))
    return llvm::all_of(same.getValues(),
                        [](int64_t value) { return value == 1; });
  auto bounded = dyn_cast<BoundedAttr>(predicate);
  if (!bounded || !isIntTile(type))
    return false;
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return bounded.getLb().value_or(llvm::minIntN(width)) ==
             llvm::minIntN(width) &&
         bounded.getUb().value_or(llvm::maxIntN(width)) == llvm::maxIntN(width);
}

OpFoldResult AssumeOp::fold(FoldAdaptor adaptor) {
  if (getValue() != getResult() &&
      (getPredicates().empty() || adaptor.getValue()))
    return getValue();
  return {};
}

/// Adds `predicate` to `all`, merged with a predicate of its kind where the
/// merge is exact.
static void addPredicate(SmallVectorImpl<Attribute> &all, Attribute predicate) {
  for (Attribute &present : all) {
    if (present == predicate)
      return;
    auto divBy = dyn_cast<DivByAttr>(predicate);
    auto otherDivBy = dyn_cast<DivByAttr>(present);
    if (divBy && otherDivBy && !divBy.getEvery() && !otherDivBy.getEvery()) {
      if (divBy.getDivisor() > otherDivBy.getDivisor())
        present = divBy;
      return;
    }
    auto bounded = dyn_cast<BoundedAttr>(predicate);
    auto otherBounded = dyn_cast<BoundedAttr>(present);
    if (bounded && otherBounded) {
      std::optional<int64_t> lb = bounded.getLb(), ub = bounded.getUb();
      if (std::optional<int64_t> other = otherBounded.getLb())
        lb = lb ? std::max(*lb, *other) : *other;
      if (std::optional<int64_t> other = otherBounded.getUb())
        ub = ub ? std::min(*ub, *other) : *other;
      // An empty range is undefined behaviour; both predicates stay visible.
      if (lb && ub && *lb > *ub)
        continue;
      present = BoundedAttr::get(predicate.getContext(), lb, ub);
      return;
    }
  }
  all.push_back(predicate);
}

namespace {

struct NormalizePredicates final : OpRewritePattern<AssumeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssumeOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<Attribute> all;
    auto inner = op.getValue().getDefiningOp<AssumeOp>();
    // Unreachable code may be cyclic.
    SmallPtrSet<Operation *, 4> seen;
    for (AssumeOp next = op; next;
         next = next.getValue().getDefiningOp<AssumeOp>())
      if (!seen.insert(next).second)
        return rewriter.notifyMatchFailure(op,
                                           "the assumption is about itself");
    if (inner)
      for (Attribute predicate : inner.getPredicates())
        addPredicate(all, predicate);
    for (Attribute predicate : op.getPredicates())
      if (!isTrivial(predicate, op.getType()))
        addPredicate(all, predicate);
    if (!inner && llvm::equal(all, op.getPredicates()))
      return rewriter.notifyMatchFailure(op, "every predicate is needed");
    rewriter.modifyOpInPlace(op, [&] {
      op.setPredicatesAttr(rewriter.getArrayAttr(all));
      if (inner)
        op.getValueMutable().assign(inner.getValue());
    });
    return success();
  }
};

/// Moves a fact about the elements of a splat to the scalar.
struct AssumeOfSplat final : OpRewritePattern<AssumeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AssumeOp op,
                                PatternRewriter &rewriter) const override {
    auto splat = op.getValue().getDefiningOp<SplatOp>();
    if (!splat || !llvm::all_of(op.getPredicates(), [](Attribute predicate) {
          auto divBy = dyn_cast<DivByAttr>(predicate);
          return isa<BoundedAttr>(predicate) || (divBy && !divBy.getEvery());
        }))
      return rewriter.notifyMatchFailure(
          op, "the value is no splat, or a predicate is about dimensions");
    Value scalar = AssumeOp::create(rewriter, op.getLoc(), splat.getSource(),
                                    op.getPredicates());
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), scalar);
    return success();
  }
};

} // namespace

void AssumeOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<NormalizePredicates, AssumeOfSplat>(context);
}
