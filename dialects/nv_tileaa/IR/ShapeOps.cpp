// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Maximum number of elements of a dense constant that folding reshapes.
static constexpr int64_t kMaxFoldedElements = 4096;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult SplatOp::verify() {
  if (tensorOf(getResult()).getElementType() != getSource().getType()) // C1
    return emitOpError("expects the element type of the result to be ")
           << getSource().getType();
  return success();
}

static LogicalResult verifyIncompatible(Operation *op) {
  return op->emitOpError("expects the shape of source tile to be compatible "
                         "with that of the result tile");
}

static LogicalResult verifySameElement(Operation *op) {
  if (getElementTypeOrSelf(op->getOperand(0).getType()) ==
      getElementTypeOrSelf(op->getResult(0).getType()))
    return success();
  return op->emitOpError(
      "expects source and result to have the same element type");
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType source = tensorOf(getSource()),
                   result = tensorOf(getResult());
  if (failed(verifySameElement(*this)))
    return failure();
  if (source.getRank() != result.getRank()) // C1
    return verifyIncompatible(*this);
  for (auto [from, to] : llvm::zip(source.getShape(), result.getShape()))
    if (from != 1 && from != to)
      return verifyIncompatible(*this);
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  RankedTensorType source = tensorOf(getSource()),
                   result = tensorOf(getResult());
  if (failed(verifySameElement(*this)))
    return failure();
  ArrayRef<int32_t> axes = getAxes();
  for (auto [index, axis] : llvm::enumerate(axes))
    if (axis < 0 || axis >= result.getRank() ||
        (index && axis <= axes[index - 1]))
      return emitOpError("expects axes to be ascending and below the result "
                         "rank ")
             << result.getRank();
  SmallVector<int64_t> shape(source.getShape());
  for (int32_t axis : axes) {
    if (axis > static_cast<int64_t>(shape.size()))
      return verifyIncompatible(*this);
    shape.insert(shape.begin() + axis, 1);
  }
  if (result.getShape() != ArrayRef<int64_t>(shape)) // C1
    return verifyIncompatible(*this);
  return success();
}

LogicalResult ViewOp::verify() {
  if (failed(verifySameElement(*this)))
    return failure();
  if (tensorOf(getSource()).getNumElements() !=
      tensorOf(getResult()).getNumElements()) // C1
    return emitOpError("expected source tile and result tile to have the same "
                       "number of elements");
  return success();
}

LogicalResult PermuteOp::verify() {
  RankedTensorType source = tensorOf(getSource()),
                   result = tensorOf(getResult());
  if (failed(verifySameElement(*this)))
    return failure();
  ArrayRef<int32_t> permutation = getPermutation();
  int64_t rank = source.getRank();
  if (static_cast<int64_t>(permutation.size()) != rank) // C1
    return emitOpError("expects ")
           << rank << " permutation entries, but got " << permutation.size();
  SmallVector<bool> seen(rank, false);
  for (int32_t dim : permutation) {
    if (dim < 0 || dim >= rank)
      return emitOpError("expects permutation entries in [0, ")
             << rank << "), but got " << dim;
    if (seen[dim])
      return emitOpError("expects permutation entries to be unique, but got ")
             << dim << " twice";
    seen[dim] = true;
  }
  if (result.getRank() != rank)
    return verifyIncompatible(*this);
  for (auto [to, from] : llvm::enumerate(permutation))
    if (result.getDimSize(to) != source.getDimSize(from))
      return verifyIncompatible(*this);
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType lhs = tensorOf(getLhs()), rhs = tensorOf(getRhs()),
                   result = tensorOf(getResult());
  if (failed(verifySameElement(*this)))
    return failure();
  int64_t axis = static_cast<int32_t>(getAxis());
  if (lhs.getElementType() != rhs.getElementType() ||
      lhs.getRank() != rhs.getRank() || lhs.getRank() != result.getRank())
    return emitOpError("expects operands and result of one element type and "
                       "rank");
  if (axis < 0 || axis >= lhs.getRank())
    return emitOpError("axis (")
           << axis << ") is out of bound [0, " << lhs.getRank() << ")";
  for (int64_t d = 0; d < lhs.getRank(); ++d) {
    int64_t expected = lhs.getDimSize(d);
    if (d == axis)
      expected += rhs.getDimSize(d);
    else if (rhs.getDimSize(d) != expected)
      return emitOpError("invalid concat at position ") // C1
             << d << ", expected " << expected << " but got "
             << rhs.getDimSize(d);
    if (result.getDimSize(d) != expected)
      return emitOpError("invalid concat at position ")
             << d << ", expected " << expected << " but got "
             << result.getDimSize(d);
  }
  return success();
}

static LogicalResult verifyIndexCount(Operation *op, int64_t rank,
                                      size_t count) {
  if (static_cast<int64_t>(count) == rank)
    return success();
  return op->emitOpError("expects ") << rank << " indices, but got " << count;
}

/// Checks that the extents of a part divide the extents of the whole tile.
static LogicalResult verifyParts(Operation *op, RankedTensorType whole,
                                 StringRef wholeName, RankedTensorType part,
                                 StringRef partName) {
  for (int64_t d = 0; d < whole.getRank(); ++d)
    if (whole.getDimSize(d) % part.getDimSize(d))
      return op->emitOpError(wholeName)
             << " dimension " << d << " size (" << whole.getDimSize(d)
             << ") must be evenly divisible by " << partName << " dimension "
             << d << " size (" << part.getDimSize(d) << ")";
  return success();
}

LogicalResult ExtractOp::verify() {
  RankedTensorType source = tensorOf(getSource());
  if (failed(verifyIndexCount(*this, source.getRank(), getIndices().size())))
    return failure();
  if (getResult().getType() != source.getElementType()) // C1
    return emitOpError("expects the result to have type ")
           << source.getElementType();
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  RankedTensorType source = tensorOf(getSource()),
                   result = tensorOf(getResult());
  if (failed(verifyIndexCount(*this, source.getRank(), getIndices().size())) ||
      failed(verifySameElement(*this)))
    return failure();
  if (source.getRank() != result.getRank()) // C1
    return verifyIncompatible(*this);
  return verifyParts(*this, source, "source", result, "result");
}

LogicalResult InsertSliceOp::verify() {
  RankedTensorType source = tensorOf(getSource()), dest = tensorOf(getDest());
  if (failed(verifyIndexCount(*this, dest.getRank(), getIndices().size())) ||
      failed(verifySameElement(*this)))
    return failure();
  if (source.getRank() != dest.getRank()) // C1
    return verifyIncompatible(*this);
  return verifyParts(*this, dest, "destination", source, "source");
}

LogicalResult MakeRangeOp::verify() {
  auto result = dyn_cast<RankedTensorType>(getResult().getType());
  if (!result || result.getRank() != 1 ||
      result.getDimSize(0) != static_cast<int64_t>(getEnd()) -
                                  static_cast<int64_t>(getStart())) // C1
    return emitOpError("expects a one-dimensional result of end - start "
                       "elements");
  return success();
}

LogicalResult BitcastOp::verify() {
  Type source = getSource().getType(), result = getResult().getType();
  auto fromPtr = dyn_cast<TAPointerType>(getElementTypeOrSelf(source));
  auto toPtr = dyn_cast<TAPointerType>(getElementTypeOrSelf(result));
  bool valid = false;
  if (fromPtr && toPtr) {
    valid = getTileShape(source) == getTileShape(result) &&
            fromPtr.getSpace() == toPtr.getSpace();
  } else if (!fromPtr && !toPtr) {
    auto from = dyn_cast<RankedTensorType>(source);
    auto to = dyn_cast<RankedTensorType>(result);
    valid = from && to && from.getRank() == 1 && to.getRank() == 1 &&
            from.getNumElements() * getStorageBits(from.getElementType()) ==
                to.getNumElements() * getStorageBits(to.getElementType());
  }
  if (!valid) // C1
    return emitOpError("expects rank-1 tiles of equal storage size, or pointer "
                       "tiles of equal shape and memory space");
  return success();
}

LogicalResult GenerateOp::verifyRegions() {
  RankedTensorType result = tensorOf(getResult());
  Block &body = getBody().front();
  if (static_cast<int64_t>(body.getNumArguments()) != result.getRank() ||
      !llvm::all_of(body.getArgumentTypes(),
                    [](Type type) { return type.isIndex(); }))
    return emitOpError("expects one index argument per result dimension");
  auto yield = cast<YieldOp>(body.getTerminator());
  if (yield.getNumOperands() != 1 ||
      yield.getOperand(0).getType() != result.getElementType())
    return emitOpError("expects its region to yield one ")
           << result.getElementType();
  for (Operation &inner : body.without_terminator())
    if (!isMemoryEffectFree(&inner)) // C1
      return inner.emitError("only pure operations are allowed inside '")
             << (*this)->getName() << "'";
  return success();
}

//===----------------------------------------------------------------------===//
// Ranges: operations that move elements keep their range.
//===----------------------------------------------------------------------===//

void SplatOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void BroadcastOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                    SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void ExpandDimsOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                     SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void ViewOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                               SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void PermuteOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                  SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void ExtractOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                  SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}
void ExtractSliceOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                       SetIntRangeFn setRange) {
  setRange(getResult(), ranges.front());
}

void InsertSliceOp::inferResultRanges(ArrayRef<ConstantIntRanges> ranges,
                                      SetIntRangeFn setRange) {
  setRange(getResult(), ranges[0].rangeUnion(ranges[1]));
}

void MakeRangeOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                    SetIntRangeFn setRange) {
  unsigned width =
      getElementTypeOrSelf(getResult().getType()).getIntOrFloatBitWidth();
  int64_t first = getStart(), last = static_cast<int64_t>(getEnd()) - 1;
  if (!llvm::isIntN(width, first) || !llvm::isIntN(width, last))
    return setRange(getResult(), ConstantIntRanges::maxRange(width));
  setRange(getResult(),
           ConstantIntRanges::fromSigned(APInt(width, first, true),
                                         APInt(width, last, true)));
}

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

/// Reshapes a splat constant; null for other constants.
static Attribute resizeSplat(Attribute source, Value result) {
  auto dense = dyn_cast_or_null<SplatElementsAttr>(source);
  if (!dense)
    return {};
  return dense.resizeSplat(tensorOf(result));
}

/// Reshapes a dense constant to the shape of `result`, with its elements in
/// row-major order; null for other constants.
static Attribute reshapeDense(Attribute source, Value result) {
  if (Attribute splat = resizeSplat(source, result))
    return splat;
  auto dense = dyn_cast_or_null<DenseElementsAttr>(source);
  if (!dense || dense.getNumElements() > kMaxFoldedElements)
    return {};
  return dense.reshape(tensorOf(result));
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  Attribute source = adaptor.getSource();
  if (!isa_and_nonnull<IntegerAttr, FloatAttr>(source))
    return {};
  return DenseElementsAttr::get(tensorOf(getResult()), source);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  return resizeSplat(adaptor.getSource(), getResult());
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  if (getAxes().empty())
    return getSource();
  return reshapeDense(adaptor.getSource(), getResult());
}

OpFoldResult ViewOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  if (auto view = getSource().getDefiningOp<ViewOp>()) {
    getSourceMutable().assign(view.getSource());
    return getResult();
  }
  return reshapeDense(adaptor.getSource(), getResult());
}

OpFoldResult PermuteOp::fold(FoldAdaptor adaptor) {
  if (llvm::equal(getPermutation(),
                  llvm::seq<int32_t>(0, getPermutation().size())))
    return getSource();
  return resizeSplat(adaptor.getSource(), getResult());
}

OpFoldResult ExtractOp::fold(FoldAdaptor adaptor) {
  if (auto splat = getSource().getDefiningOp<SplatOp>())
    return splat.getSource();
  auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getSource());
  if (!dense)
    return {};
  if (dense.isSplat())
    return dense.getSplatValue<Attribute>();
  SmallVector<uint64_t> position;
  for (auto [index, extent] :
       llvm::zip(adaptor.getIndices(), dense.getType().getShape())) {
    auto number = dyn_cast_or_null<IntegerAttr>(index);
    if (!number || number.getValue().uge(extent))
      return {};
    position.push_back(number.getValue().getZExtValue());
  }
  return dense.getValues<Attribute>()[position];
}

OpFoldResult ExtractSliceOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  return resizeSplat(adaptor.getSource(), getResult());
}

OpFoldResult InsertSliceOp::fold(FoldAdaptor) {
  // A source of full size replaces the whole destination.
  if (getSource().getType() == getDest().getType())
    return getSource();
  return {};
}

OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  // A range of one element is a constant; longer ranges stay symbolic, which
  // analyses read better than a list of numbers.
  RankedTensorType type = tensorOf(getResult());
  if (type.getNumElements() != 1)
    return {};
  unsigned width = type.getElementType().getIntOrFloatBitWidth();
  return DenseElementsAttr::get(type, APInt(width, getStart(), true, true));
}

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSource().getType() == getResult().getType())
    return getSource();
  if (!isPtrTile(getSource().getType()))
    return {};
  if (auto inner = getSource().getDefiningOp<BitcastOp>()) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Canonicalizations
//===----------------------------------------------------------------------===//

namespace {

/// Turns a shape operation of a splat into a splat.
template <typename OpT> struct ShapeOfSplat final : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    auto splat = op.getSource().template getDefiningOp<SplatOp>();
    if (!splat)
      return rewriter.notifyMatchFailure(op, "the source is no splat");
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSource());
    return success();
  }
};

struct BroadcastOfBroadcast final : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(BroadcastOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<BroadcastOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the source is no broadcast");
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(),
                                             inner.getSource());
    return success();
  }
};

struct PermuteOfPermute final : OpRewritePattern<PermuteOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PermuteOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<PermuteOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the source is no permutation");
    SmallVector<int32_t> composed;
    for (int32_t dim : op.getPermutation())
      composed.push_back(inner.getPermutation()[dim]);
    rewriter.replaceOpWithNewOp<PermuteOp>(op, op.getType(), inner.getSource(),
                                           composed);
    return success();
  }
};

struct ExpandOfExpand final : OpRewritePattern<ExpandDimsOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExpandDimsOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<ExpandDimsOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the source has no new dimension");
    // Positions in the result of the dimensions that `inner` inserted.
    SmallVector<int32_t> axes(op.getAxes());
    int32_t source = 0;
    for (int32_t d = 0, e = tensorOf(op.getResult()).getRank(); d < e; ++d) {
      if (llvm::is_contained(op.getAxes(), d))
        continue;
      if (llvm::is_contained(inner.getAxes(), source++))
        axes.push_back(d);
    }
    llvm::sort(axes);
    rewriter.replaceOpWithNewOp<ExpandDimsOp>(op, op.getType(),
                                              inner.getSource(), axes);
    return success();
  }
};

/// Turns a view that only inserts dimensions of extent one into `expand_dims`.
struct ViewToExpandDims final : OpRewritePattern<ViewOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ViewOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> from = tensorOf(op.getSource()).getShape();
    ArrayRef<int64_t> to = tensorOf(op.getResult()).getShape();
    if (to.size() <= from.size())
      return rewriter.notifyMatchFailure(op, "the view adds no dimension");
    SmallVector<int32_t> axes;
    size_t next = 0;
    for (auto [d, extent] : llvm::enumerate(to)) {
      // Of several equal extents the first match is kept, as long as the rest
      // of the source still fits.
      if (next < from.size() && from[next] == extent)
        ++next;
      else if (extent == 1)
        axes.push_back(d);
      else
        return rewriter.notifyMatchFailure(
            op, "an extent is not that of the source");
    }
    if (next != from.size())
      return rewriter.notifyMatchFailure(op,
                                         "dimensions of the source are left");
    rewriter.replaceOpWithNewOp<ExpandDimsOp>(op, op.getType(), op.getSource(),
                                              axes);
    return success();
  }
};

/// Replaces the extraction from an operation that only moves elements by an
/// extraction from its source.
struct ExtractThroughShape final : OpRewritePattern<ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtractOp op,
                                PatternRewriter &rewriter) const override {
    Operation *shape = op.getSource().getDefiningOp();
    if (!shape)
      return rewriter.notifyMatchFailure(op, "the source is no operation");
    SmallVector<Value> indices;
    if (auto expand = dyn_cast<ExpandDimsOp>(shape)) {
      for (auto [d, index] : llvm::enumerate(op.getIndices()))
        if (!llvm::is_contained(expand.getAxes(), d))
          indices.push_back(index);
    } else if (auto broadcast = dyn_cast<BroadcastOp>(shape)) {
      Value zero;
      for (auto [index, extent] : llvm::zip(
               op.getIndices(), tensorOf(broadcast.getSource()).getShape())) {
        if (extent == 1 && !zero)
          zero = arith::ConstantIntOp::create(rewriter, op.getLoc(),
                                              rewriter.getI32Type(), 0);
        indices.push_back(extent == 1 ? zero : index);
      }
    } else if (auto permute = dyn_cast<PermuteOp>(shape)) {
      indices.resize(op.getIndices().size());
      for (auto [to, from] : llvm::enumerate(permute.getPermutation()))
        indices[from] = op.getIndices()[to];
    } else {
      return rewriter.notifyMatchFailure(
          op, "the source has no shape operation that indices pass");
    }
    rewriter.replaceOpWithNewOp<ExtractOp>(op, op.getType(),
                                           shape->getOperand(0), indices);
    return success();
  }
};

struct ExtractOfRange final : OpRewritePattern<ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto range = op.getSource().getDefiningOp<MakeRangeOp>();
    if (!range || !op.getType().isInteger(32))
      return rewriter.notifyMatchFailure(
          op, "the source is no range, or not of i32");
    Value start = arith::ConstantIntOp::create(rewriter, op.getLoc(),
                                               op.getType(), range.getStart());
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, op.getIndices().front(),
                                               start);
    return success();
  }
};

struct SliceOfSlice final : OpRewritePattern<ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getSource().getDefiningOp<ExtractSliceOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "the source is no slice");
    SmallVector<Value> indices;
    for (auto [a, b] : llvm::zip(inner.getIndices(), op.getIndices()))
      indices.push_back(arith::AddIOp::create(rewriter, op.getLoc(), a, b));
    rewriter.replaceOpWithNewOp<ExtractSliceOp>(op, op.getType(),
                                                inner.getSource(), indices);
    return success();
  }
};

/// Replaces a slice within one operand of a `cat` by a slice of this operand.
struct SliceOfCat final : OpRewritePattern<ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto cat = op.getSource().getDefiningOp<CatOp>();
    if (!cat)
      return rewriter.notifyMatchFailure(op, "the source is no concatenation");
    unsigned axis = cat.getAxis();
    APInt offset;
    if (!matchPattern(op.getIndices()[axis], m_ConstantInt(&offset)))
      return rewriter.notifyMatchFailure(op, "the index is no constant");
    uint64_t begin = offset.getZExtValue();
    uint64_t end = begin + tensorOf(op.getResult()).getDimSize(axis);
    uint64_t split = tensorOf(cat.getLhs()).getDimSize(axis);
    uint64_t extent = tensorOf(cat.getResult()).getDimSize(axis);
    if (end > extent || (begin < split && end > split))
      return rewriter.notifyMatchFailure(op, "the slice is not in one operand");
    bool left = end <= split;
    SmallVector<Value> indices(op.getIndices());
    if (!left)
      indices[axis] = arith::ConstantIntOp::create(
          rewriter, op.getLoc(), rewriter.getI32Type(), begin - split);
    Value source = left ? cat.getLhs() : cat.getRhs();
    // The extents of the slice may not divide those of the operands.
    if (tensorOf(source).getDimSize(axis) % (end - begin))
      return rewriter.notifyMatchFailure(
          op, "the operand does not divide by the slice");
    rewriter.replaceOpWithNewOp<ExtractSliceOp>(op, op.getType(), source,
                                                indices);
    return success();
  }
};

} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<ShapeOfSplat<BroadcastOp>, BroadcastOfBroadcast>(context);
}
void ExpandDimsOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                               MLIRContext *context) {
  results.add<ShapeOfSplat<ExpandDimsOp>, ExpandOfExpand>(context);
}
void ViewOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<ShapeOfSplat<ViewOp>, ViewToExpandDims>(context);
}
void PermuteOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                            MLIRContext *context) {
  results.add<ShapeOfSplat<PermuteOp>, PermuteOfPermute>(context);
}
void ExtractOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                            MLIRContext *context) {
  results.add<ExtractThroughShape, ExtractOfRange>(context);
}
void ExtractSliceOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                                 MLIRContext *context) {
  results.add<ShapeOfSplat<ExtractSliceOp>, SliceOfSlice, SliceOfCat>(context);
}
