// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Order and scope
//===----------------------------------------------------------------------===//

static LogicalResult verifyOrder(TileAAMemoryOpInterface op) {
  MemSemantic semantic = op.getSemantic();
  bool atomic =
      op.getKind() == AccessKind::Rmw || op.getKind() == AccessKind::Cas;
  if (atomic && semantic == MemSemantic::Weak) // C1
    return op->emitOpError("memory ordering semantics must be one of: relaxed, "
                           "acquire, release, acq_rel");
  if (semantic == MemSemantic::Weak && op.getScope())
    return op->emitOpError("mem_scope not supported when mem_semantic is weak");
  if (semantic != MemSemantic::Weak && !op.getScope())
    return op->emitOpError("mem_scope required when mem_semantic is not weak");
  bool load = op.getKind() == AccessKind::Load;
  MemSemantic excluded = load ? MemSemantic::Release : MemSemantic::Acquire;
  if (!atomic && (semantic == excluded || semantic == MemSemantic::AcqRel))
    return op->emitOpError("unsupported mem_semantic: ")
           << stringifyEnum(semantic);
  return success();
}

//===----------------------------------------------------------------------===//
// Pointer accesses
//===----------------------------------------------------------------------===//

static LogicalResult verifyPointerValue(Operation *op, Type ptrTile,
                                        Type value) {
  if (getTileShape(ptrTile) != getTileShape(value) ||
      isa<RankedTensorType>(ptrTile) != isa<RankedTensorType>(value))
    return op->emitOpError( // C2
        "expects pointers and values to have the same shape");
  Type pointee = getElementTypeOrSelf(getPointeeTile(ptrTile));
  if (pointee != getElementTypeOrSelf(value)) // C2
    return op->emitOpError("expected pointee type (")
           << pointee << ") to match element type of the value ("
           << getElementTypeOrSelf(value) << ")";
  return success();
}

LogicalResult LoadOp::verify() {
  if (failed(verifyOrder(*this)) ||
      failed(
          verifyPointerValue(*this, getPtr().getType(), getValue().getType())))
    return failure();
  if (getOther() && !getMask()) // C3
    return emitOpError("'other' requires 'mask'");
  return success();
}

LogicalResult StoreOp::verify() {
  if (failed(verifyOrder(*this)))
    return failure();
  return verifyPointerValue(*this, getPtr().getType(), getValue().getType());
}

static bool isWord(Type type) {
  return type.isIntOrFloat() && !isa<FloatTF32Type>(type) &&
         (type.getIntOrFloatBitWidth() == 32 ||
          type.getIntOrFloatBitWidth() == 64);
}

LogicalResult AtomicRmwOp::verify() {
  if (failed(verifyOrder(*this)) ||
      failed(
          verifyPointerValue(*this, getPtr().getType(), getValue().getType())))
    return failure();
  Type element = getElementTypeOrSelf(getValue().getType());
  RmwMode mode = getRmwMode();
  if (mode == RmwMode::AddF) { // C3
    if (!isMathTile(element))
      return emitOpError(
          "'addf' works only with floats f16, bf16, f32, and f64");
  } else if (mode == RmwMode::Xchg) {
    if (!isWord(element))
      return emitOpError("'xchg' works only with integers or float of 32 or 64 "
                         "bitwidth");
  } else if (!element.isInteger(32) && !element.isInteger(64)) {
    return emitOpError("'")
           << stringifyEnum(mode) << "' works only with integers i32 and i64";
  }
  return success();
}

LogicalResult AtomicCasOp::verify() {
  if (failed(verifyOrder(*this)) ||
      failed(
          verifyPointerValue(*this, getPtr().getType(), getValue().getType())))
    return failure();
  if (!isWord(getElementTypeOrSelf(getValue().getType()))) // C3
    return emitOpError("expect only float or integer types with 32 or 64 bit");
  return success();
}

//===----------------------------------------------------------------------===//
// View accesses
//===----------------------------------------------------------------------===//

static LogicalResult verifyCoordinates(Operation *op, TATiledViewType view,
                                       OperandRange coords) {
  if (coords.size() != view.getRank()) // C2
    return op->emitOpError("expects ")
           << view.getRank() << " coordinates, but got " << coords.size();
  Type first;
  for (auto [d, coord] : llvm::enumerate(coords)) {
    Type type = coord.getType();
    if (static_cast<int32_t>(d) == view.getSparseDim()) {
      auto rows = dyn_cast<RankedTensorType>(type);
      int64_t count = rows ? rows.getNumElements() : 1;
      if (!rows || count != view.getTileShape()[d]) // C3
        return op->emitOpError("expected gather/scatter index size (")
               << count << ") to match tile shape at dimension " << d << " ("
               << view.getTileShape()[d] << ")";
      continue;
    }
    if (!first)
      first = type;
    if (!type.isInteger() || type != first)
      return op->emitOpError(
                 "expects all coordinates to have one integer type, but got ")
             << first << " and " << type;
  }
  return success();
}

template <typename OpT>
static LogicalResult verifyViewAccess(OpT op, RankedTensorType value,
                                      bool sparse) {
  TATiledViewType view = op.getView().getType();
  if (failed(verifyOrder(op)))
    return failure();
  if (sparse && !view.hasSparseDim()) // C3
    return op.emitOpError("expects a view with a sparse dimension");
  if (!sparse && view.hasSparseDim())
    return op.emitOpError("expects a view without sparse dimension");
  if (failed(verifyCoordinates(op, view, op.getCoords())))
    return failure();
  if (!op.getOffsets().empty() && op.getOffsets().size() != view.getRank())
    return op.emitOpError("expects ")
           << view.getRank() << " offsets, but got " << op.getOffsets().size();
  if (std::optional<ArrayRef<bool>> inBounds = op.getInBounds())
    if (inBounds->size() != view.getRank())
      return op.emitOpError("incorrect number of in_bounds elements: expected ")
             << view.getRank() << ", but found " << inBounds->size();
  if (value.getShape() != view.getTileShape())
    return op.emitOpError(
        "requires the same shape for tileSize and tensor value");
  if (value.getElementType() != view.getElementType())
    return op.emitOpError(
               "view elementType not equal with tensor element type: ")
           << view.getElementType() << " != " << value.getElementType();
  return success();
}

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult TiledLoadOp::verify() {
  return verifyViewAccess(*this, tensorOf(getValue()), /*sparse=*/false);
}
LogicalResult GatherLoadOp::verify() {
  return verifyViewAccess(*this, tensorOf(getValue()), /*sparse=*/true);
}
LogicalResult TiledStoreOp::verify() {
  return verifyViewAccess(*this, tensorOf(getValue()), /*sparse=*/false);
}
LogicalResult ScatterStoreOp::verify() {
  return verifyViewAccess(*this, tensorOf(getValue()), /*sparse=*/true);
}

LogicalResult TiledAtomicRmwOp::verify() {
  RankedTensorType value = tensorOf(getValue());
  if (failed(verifyViewAccess(*this, value, /*sparse=*/false)))
    return failure();
  bool isMultimem = (*this)->hasAttr(kMultimemAttr);
  if (getMemSemantic() != MemSemantic::Relaxed && !isMultimem) // C1
    return emitOpError("only 'relaxed' memory ordering is supported for "
                       "view-based atomic reductions");
  if (getMemScope() == MemScope::Sys && !isMultimem)
    return emitOpError("memory scope 'sys' is not supported for view-based "
                       "atomic reductions; use 'tl_blk' or 'gpu'");
  if (getView().getType().getPadding() && !isMultimem) // C3
    return emitOpError(
        "views with padding are not supported for atomic reductions");
  if (getOld() && getOld().getType() != value)
    return emitOpError("expects the old value to have type ") << value;
  Type element = value.getElementType();
  RmwMode mode = getRmwMode();
  unsigned width = element.getIntOrFloatBitWidth();
  if (width <= 8) // C4
    return emitOpError("tiled_atomic_rmw not supported for 8-bit types");
  if (element.isInteger() && width == 16)
    return emitOpError("tiled_atomic_rmw not supported for 16-bit integer");
  if (mode == RmwMode::AddF)
    return emitOpError("tiled_atomic_rmw op cannot use fadd operation, please "
                       "use add instead for both int and float types");
  if (mode == RmwMode::Xchg)
    return emitOpError("tiled_atomic_rmw op cannot use xchg operation");
  bool minMax = mode == RmwMode::Max || mode == RmwMode::Min;
  if (!element.isInteger() && width == 16 && mode != RmwMode::Add && !minMax)
    return emitOpError("tiled_atomic_rmw for 16-bit float only supports add, "
                       "max, min operations");
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalizations
//===----------------------------------------------------------------------===//

namespace {

/// Drops a mask whose elements are all true.
template <typename OpT> struct DropFullMask final : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask() || !matchPattern(op.getMask(), m_One()))
      return rewriter.notifyMatchFailure(op, "no mask that is true everywhere");
    rewriter.modifyOpInPlace(op, [&] {
      op.getMaskMutable().clear();
      if constexpr (std::is_same_v<OpT, LoadOp>)
        op.getOtherMutable().clear();
    });
    return success();
  }
};

bool isUnordered(TileAAMemoryOpInterface op) {
  return !op.isVolatileAccess() && (op.getSemantic() == MemSemantic::Weak ||
                                    op.getSemantic() == MemSemantic::Relaxed);
}

/// The token that replaces the token of an access without effect.
Value getPassedToken(TileAAMemoryOpInterface op, PatternRewriter &rewriter) {
  if (Value token = op.getInputToken())
    return token;
  return CreateMemTokenOp::create(rewriter, op->getLoc());
}

struct DropEmptyLoad final : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LoadOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask() || !isUnordered(op) ||
        !matchPattern(op.getMask(), m_Zero()))
      return rewriter.notifyMatchFailure(
          op, "ordered, or no mask that is false everywhere");
    Value value = op.getOther();
    if (!value)
      value =
          ub::PoisonOp::create(rewriter, op.getLoc(), op.getValue().getType());
    rewriter.replaceOp(op, {value, getPassedToken(op, rewriter)});
    return success();
  }
};

struct DropEmptyStore final : OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(StoreOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getMask() || !isUnordered(op) ||
        !matchPattern(op.getMask(), m_Zero()))
      return rewriter.notifyMatchFailure(
          op, "ordered, or no mask that is false everywhere");
    rewriter.replaceOp(op, getPassedToken(op, rewriter));
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                         MLIRContext *context) {
  results.add<DropFullMask<LoadOp>, DropEmptyLoad>(context);
}
void StoreOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                          MLIRContext *context) {
  results.add<DropFullMask<StoreOp>, DropEmptyStore>(context);
}
void AtomicRmwOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<DropFullMask<AtomicRmwOp>>(context);
}
void AtomicCasOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                              MLIRContext *context) {
  results.add<DropFullMask<AtomicCasOp>>(context);
}
