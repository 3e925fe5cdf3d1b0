// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileas/NVTileAS.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::nv_tileas;
using tileir::Layout;

static RankedTensorType tileType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Layout layoutOf(Value value) {
  return getTileLayout(value.getType()).getLayout();
}

static Layout::Shape shapeOf(RankedTensorType type) {
  return Layout::Shape(type.getShape().begin(), type.getShape().end());
}

/// Diagnostic of operations whose operand and result layouts determine each
/// other.
static LogicalResult checkLayout(Operation *op, Value value, StringRef what,
                                 const Layout &expected) {
  LayoutAttr actual = getTileLayout(value.getType());
  if (actual.getLayout() == expected)
    return success();
  return op->emitOpError() << what << " layout must be "
                           << getLayoutAttr(op->getContext(), expected)
                           << ", but got " << actual;
}

static LogicalResult checkSameElement(Operation *op, Value a, Value b) {
  Type x = tileType(a).getElementType(), y = tileType(b).getElementType();
  if (x == y)
    return success();
  return op->emitOpError() << "element types must be equal, but got " << x
                           << " and " << y;
}

//===----------------------------------------------------------------------===//
// alloc_tensor
//===----------------------------------------------------------------------===//

LogicalResult AllocTensorOp::verify() {
  bool buffer = isa<BufferType>(getType());
  if (!buffer && (getAlignment() || getSmemOffset()))
    return emitOpError("'alignment' and 'smem_offset' are for buffers"); // C2
  bool isTensor = buffer && cast<BufferType>(getType()).getSpace() ==
                                tileir::LayoutSpace::Tmem;
  if (isTensor ? getAlignment() || getSmemOffset()
               : getTmemCol().has_value()) // C5
    return emitOpError("a buffer in tensor memory has 'tmem_col' and no other "
                       "attribute, which nothing else has");
  if (getAlignment() && !llvm::isPowerOf2_32(*getAlignment()))
    return emitOpError("'alignment' must be a power of two, got ") // C1
           << *getAlignment();
  if (!buffer)
    return success();
  auto type = cast<BufferType>(getType());
  if (!type.isWhole()) // C3
    return emitOpError("allocates all that the layout describes, but got a "
                       "part of it");
  int64_t alignment =
      std::max<int64_t>(type.getAlignment(), getAlignment().value_or(1));
  if (getSmemOffset() && *getSmemOffset() % alignment) // C4
    return emitOpError("'smem_offset' must be a multiple of ")
           << alignment << ", got " << *getSmemOffset();
  return success();
}

void AllocTensorOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  auto buffer = dyn_cast<BufferType>(getType());
  if (!buffer)
    return;
  SideEffects::Resource *resource = SharedResource::get();
  if (buffer.getSpace() == tileir::LayoutSpace::Tmem)
    resource = TensorResource::get();
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       getOperation()->getResult(0), resource);
}

//===----------------------------------------------------------------------===//
// extract_slice, insert_slice
//===----------------------------------------------------------------------===//

static LogicalResult verifySlice(Operation *op, Value large, Value small,
                                 unsigned numOffsets) {
  RankedTensorType whole = tileType(large), part = tileType(small);
  if (whole.getRank() != part.getRank())
    return op->emitOpError("slice must have the rank ") // C1
           << whole.getRank() << ", but got " << part.getRank();
  if (failed(checkSameElement(op, large, small)))
    return failure();
  for (auto [d, extents] :
       llvm::enumerate(llvm::zip(whole.getShape(), part.getShape())))
    if (std::get<0>(extents) % std::get<1>(extents))
      return op->emitOpError("slice extent ")
             << std::get<1>(extents) << " does not divide extent "
             << std::get<0>(extents) << " of dimension " << d;
  if (numOffsets != whole.getRank())
    return op->emitOpError("expects ") // C2
           << whole.getRank() << " offsets, but got " << numOffsets;
  return success();
}

LogicalResult ExtractSliceOp::verify() {
  return verifySlice(*this, getSource(), getResult(), getOffsets().size());
}

OpFoldResult ExtractSliceOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto insert = getSource().getDefiningOp<InsertSliceOp>();
  if (insert && insert.getSource().getType() == getType() &&
      insert.getOffsets() == getOffsets())
    return insert.getSource();
  return {};
}

LogicalResult InsertSliceOp::verify() {
  return verifySlice(*this, getDest(), getSource(), getOffsets().size());
}

//===----------------------------------------------------------------------===//
// view
//===----------------------------------------------------------------------===//

LogicalResult ViewOp::verify() {
  auto sourceBuffer = dyn_cast<BufferType>(getSource().getType());
  auto resultBuffer = dyn_cast<BufferType>(getType());
  if (bool(sourceBuffer) != bool(resultBuffer))
    return emitOpError("expects two tiles or two buffers"); // C1
  if (getRing() && !getStage())
    return emitOpError("'ring' requires a stage"); // C6
  if (!sourceBuffer) {
    if (getStage())
      return emitOpError("a stage is for staged buffers"); // C4
    if (failed(checkSameElement(*this, getSource(), getResult())))
      return failure();
    RankedTensorType from = tileType(getSource()), to = tileType(getResult());
    if (from.getNumElements() != to.getNumElements())
      return emitOpError("expects ") // C2
             << from.getNumElements() << " elements, but got "
             << to.getNumElements();
    return checkLayout(*this, getResult(), "result", // C3
                       layoutOf(getSource()).reshape(shapeOf(to)));
  }
  if (getStage()) {
    if (!sourceBuffer.isStaged() || resultBuffer.isStaged() ||
        sourceBuffer.getShape() != resultBuffer.getShape() ||
        sourceBuffer.getElementType() != resultBuffer.getElementType() ||
        sourceBuffer.getLayout() != resultBuffer.getLayout())
      return emitOpError( // C4
          "a stage selects one buffer of a staged buffer; the result must be "
          "the same type without stages");
    return success();
  }
  if (sourceBuffer.isStaged() || resultBuffer.isStaged() ||
      !sourceBuffer.isWhole() || !resultBuffer.isWhole() ||
      sourceBuffer.getElementType() != resultBuffer.getElementType() ||
      ShapedType::getNumElements(sourceBuffer.getShape()) !=
          ShapedType::getNumElements(resultBuffer.getShape())) // C5
    return emitOpError("expects unstaged, whole buffers of one element type "
                       "and count");
  Layout expected = sourceBuffer.getLayout().getLayout().reshape(
      Layout::Shape(resultBuffer.getShape()));
  if (expected != resultBuffer.getLayout().getLayout())
    return emitOpError("result layout must be ")
           << getLayoutAttr(getContext(), expected) << ", but got "
           << resultBuffer.getLayout();
  return success();
}

OpFoldResult ViewOp::fold(FoldAdaptor) {
  if (getStage())
    return {};
  if (getSource().getType() == getType())
    return getSource();
  // A reshape of a reshape is one reshape.
  auto inner = getSource().getDefiningOp<ViewOp>();
  if (inner && !inner.getStage() && isa<RankedTensorType>(getType())) {
    getSourceMutable().assign(inner.getSource());
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// expand_dims, broadcast, permute, cat
//===----------------------------------------------------------------------===//

LogicalResult ExpandDimsOp::verify() {
  RankedTensorType from = tileType(getSource()), to = tileType(getResult());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= to.getRank() || to.getDimSize(axis) != 1)
    return emitOpError("'axis' must be a result dimension of extent 1, got ")
           << axis; // C1
  if (failed(checkSameElement(*this, getSource(), getResult())))
    return failure();
  SmallVector<int64_t> shape(to.getShape());
  shape.erase(shape.begin() + axis);
  if (ArrayRef<int64_t>(shape) != from.getShape())
    return emitOpError(
        "result without 'axis' must have the source shape"); // C2
  return checkLayout(*this, getResult(), "result",
                     layoutOf(getSource()).expandDims(axis)); // C3
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = tileType(getSource()), to = tileType(getResult());
  if (failed(checkSameElement(*this, getSource(), getResult())))
    return failure();
  bool legal = from.getRank() == to.getRank();
  for (int64_t d = 0; legal && d < from.getRank(); ++d)
    legal = from.getDimSize(d) == 1 || from.getDimSize(d) == to.getDimSize(d);
  if (!legal)
    return emitOpError("source extents must be 1 or the result's"); // C1
  return checkLayout(*this, getSource(), "source",                  // C2
                     layoutOf(getResult()).unbroadcast(shapeOf(from)));
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() ? getSource() : Value();
}

/// C1, C2 of `permute` for the extents of both sides.
static LogicalResult verifyPermutation(PermuteOp op, ArrayRef<int64_t> from,
                                       ArrayRef<int64_t> to) {
  ArrayRef<int32_t> permutation = op.getPermutation();
  SmallVector<bool> seen(from.size(), false);
  for (int32_t d : permutation) {
    if (d < 0 || d >= int64_t(from.size()) || seen[d])
      return op.emitOpError("'permutation' is not one of the rank"); // C1
    seen[d] = true;
  }
  if (permutation.size() != from.size() || to.size() != from.size())
    return op.emitOpError("'permutation' is not one of the rank");
  for (auto [i, d] : llvm::enumerate(permutation))
    if (to[i] != from[d])
      return op.emitOpError(
          "result shape must be the permuted source shape"); // C2
  return success();
}

LogicalResult PermuteOp::verify() {
  auto fromBuffer = dyn_cast<BufferType>(getSource().getType()),
       toBuffer = dyn_cast<BufferType>(getType());
  if (bool(fromBuffer) != bool(toBuffer))
    return emitOpError("expects two tiles or two buffers");
  std::vector<unsigned> permutation(getPermutation().begin(),
                                    getPermutation().end());
  if (!fromBuffer) {
    RankedTensorType from = tileType(getSource()), to = tileType(getResult());
    if (failed(checkSameElement(*this, getSource(), getResult())) ||
        failed(verifyPermutation(*this, from.getShape(), to.getShape())))
      return failure();
    return checkLayout(*this, getResult(), "result", // C3
                       layoutOf(getSource()).permute(permutation));
  }
  if (fromBuffer.isStaged() || toBuffer.isStaged() ||
      fromBuffer.getElementType() != toBuffer.getElementType())
    return emitOpError("expects unstaged buffers of one element type");
  if (failed(
          verifyPermutation(*this, fromBuffer.getShape(), toBuffer.getShape())))
    return failure();
  Layout expected = fromBuffer.getLayout().getLayout().permute(permutation);
  if (expected != toBuffer.getLayout().getLayout()) // C3
    return emitOpError("result layout must be ")
           << getLayoutAttr(getContext(), expected) << ", but got "
           << toBuffer.getLayout();
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType from = tileType(getLhs()), to = tileType(getResult());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= from.getRank())
    return emitOpError("'axis' is out of range, got ") << axis; // C1
  if (failed(checkSameElement(*this, getLhs(), getResult())))
    return failure();
  SmallVector<int64_t> shape(from.getShape());
  shape[axis] *= 2;
  if (ArrayRef<int64_t>(shape) != to.getShape())
    return emitOpError( // C2
        "result extent at 'axis' must be twice the operands', others equal");
  std::optional<Layout> part = layoutOf(getResult()).uncat(axis);
  if (!part)
    return emitOpError( // C3
        "result layout must select the operand by a register basis");
  return checkLayout(*this, getLhs(), "operand", *part);
}

//===----------------------------------------------------------------------===//
// extract, make_range
//===----------------------------------------------------------------------===//

LogicalResult ExtractOp::verify() {
  int64_t rank = tileType(getSource()).getRank();
  if (int64_t(getIndices().size()) != rank)
    return emitOpError("expects ") // C1
           << rank << " indices, but got " << getIndices().size();
  return success();
}

OpFoldResult ExtractOp::fold(FoldAdaptor) {
  if (auto splat = getSource().getDefiningOp<SplatOp>())
    return splat.getSource();
  return {};
}

LogicalResult MakeRangeOp::verify() {
  RankedTensorType type = tileType(getResult());
  if (type.getRank() != 1 || !isa<IntegerType>(type.getElementType()))
    return emitOpError("expects a rank-1 integer tile"); // C1
  int64_t extent = getEnd() - getStart();
  if (extent != type.getDimSize(0))
    return emitOpError("range of ") // C2
           << extent << " values does not match extent " << type.getDimSize(0);
  return success();
}

//===----------------------------------------------------------------------===//
// bitcast
//===----------------------------------------------------------------------===//

LogicalResult BitcastOp::verify() {
  Type from = getSource().getType(), to = getType();
  auto fromTile = dyn_cast<RankedTensorType>(from);
  auto toTile = dyn_cast<RankedTensorType>(to);
  auto mismatch = [&]() -> LogicalResult { // C1
    return emitOpError("expects pointer tiles of equal shape, or rank-1 tiles "
                       "of equal storage size, or equal element widths");
  };
  if (bool(fromTile) != bool(toTile))
    return mismatch();
  Type fromElement = getElementTypeOrSelf(from),
       toElement = getElementTypeOrSelf(to);
  unsigned fromBits = getStorageBits(fromElement),
           toBits = getStorageBits(toElement);
  if (!fromTile)
    return fromBits == toBits ? success() : mismatch();
  if (isa<nv_tileaa::TAPointerType>(fromElement) !=
      isa<nv_tileaa::TAPointerType>(toElement))
    return mismatch();
  Layout fromLayout = layoutOf(getSource());
  if (fromTile.getShape() == toTile.getShape()) {
    if (fromBits != toBits)
      return mismatch();
    return checkLayout(*this, getResult(), "result", fromLayout); // C2
  }
  if (fromTile.getRank() != 1 || toTile.getRank() != 1 ||
      fromTile.getNumElements() * fromBits != toTile.getNumElements() * toBits)
    return mismatch();
  // The layout of the wider side, with its low bits moved to registers.
  bool widens = toBits > fromBits;
  Layout wide = widens ? layoutOf(getResult()) : fromLayout;
  Layout narrow = widens ? fromLayout : layoutOf(getResult());
  unsigned ratio = narrow.getTileBits() - wide.getTileBits();
  Layout::FlatBases bases = wide.getFlatBases();
  for (auto &dim : bases)
    for (uint32_t &basis : dim)
      basis <<= ratio;
  for (unsigned bit = ratio; bit-- > 0;)
    bases[tileir::kRegister].insert(bases[tileir::kRegister].begin(),
                                    uint32_t(1) << bit);
  Layout expected =
      Layout::getUnchecked(tileir::LayoutSpace::Reg, narrow.getShape(), bases);
  if (expected != narrow)
    return emitOpError("layouts must differ by the low register bits"); // C2
  return success();
}

//===----------------------------------------------------------------------===//
// convert_layout
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType from = tileType(getSource()), to = tileType(getResult());
  if (from.getShape() != to.getShape() ||
      from.getElementType() != to.getElementType())
    return emitOpError("changes nothing but the layout"); // C1
  return success();
}

void ConvertLayoutOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (!getScratch())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SyncResource::get());
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getScratch())
    return {};
  if (getSource().getType() == getType())
    return getSource();
  if (auto inner = getSource().getDefiningOp<ConvertLayoutOp>())
    if (!inner.getScratch()) {
      if (inner.getSource().getType() == getType())
        return inner.getSource();
      getSourceMutable().assign(inner.getSource());
      return getResult();
    }
  return {};
}

namespace {

/// Rematerializes cheap operands in the new layout.
struct RematerializeLeaf : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvertLayoutOp op,
                                PatternRewriter &rewriter) const override {
    Operation *leaf = op.getSource().getDefiningOp();
    if (!leaf)
      return rewriter.notifyMatchFailure(op, "the source is no operation");
    RankedTensorType type = op.getType();
    if (auto splat = dyn_cast<SplatOp>(leaf)) {
      rewriter.replaceOpWithNewOp<SplatOp>(op, type, splat.getSource());
      return success();
    }
    if (auto range = dyn_cast<MakeRangeOp>(leaf)) {
      rewriter.replaceOpWithNewOp<MakeRangeOp>(op, type, range.getStartAttr(),
                                               range.getEndAttr());
      return success();
    }
    DenseElementsAttr value;
    if (matchPattern(leaf, m_Constant(&value)) && value.isSplat()) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value.reshape(type));
      return success();
    }
    return rewriter.notifyMatchFailure(op,
                                       "the source can have no other layout");
  }
};

} // namespace

void ConvertLayoutOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                  MLIRContext *context) {
  patterns.add<RematerializeLeaf>(context);
}

//===----------------------------------------------------------------------===//
// fp_to_fp
//===----------------------------------------------------------------------===//

LogicalResult FpToFpOp::verify() {
  Type from = getSource().getType(), to = getType();
  auto fromTile = dyn_cast<RankedTensorType>(from);
  auto toTile = dyn_cast<RankedTensorType>(to);
  if (bool(fromTile) != bool(toTile) ||
      (fromTile && (fromTile.getShape() != toTile.getShape() ||
                    fromTile.getEncoding() != toTile.getEncoding())))
    return emitOpError("expects one shape and layout"); // C1
  return success();
}
