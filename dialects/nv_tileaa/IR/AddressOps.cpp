// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/nv_tileaa/NVTileAA.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  Type base = getBase().getType(), offset = getOffset().getType();
  if (getTileShape(base) != getTileShape(offset) ||
      isa<RankedTensorType>(base) != isa<RankedTensorType>(offset)) // C1
    return emitOpError("expects pointers and offsets to have the same shape");
  return success();
}

LogicalResult MakeMemRefOp::verify() {
  TAMemRefType type = getType();
  if (getSizes().size() != type.getNumDynamicSizes()) // C1
    return emitOpError("expects ")
           << type.getNumDynamicSizes() << " dynamic sizes, but got "
           << getSizes().size();
  if (getStrides().size() != type.getNumDynamicStrides()) // C1
    return emitOpError("expects ")
           << type.getNumDynamicStrides() << " dynamic strides, but got "
           << getStrides().size();
  TAPointerType base = getBase().getType();
  if (base.getPointee() != type.getElementType()) // C2
    return emitOpError("base pointee type ")
           << base.getPointee() << " does not match memref element type "
           << type.getElementType();
  if (base.getSpace() != type.getSpace())
    return emitOpError("base memory space ")
           << base.getSpace() << " does not match memref memory space "
           << type.getSpace();
  if (getAliasScope().value_or(0) != type.getScope())
    return emitOpError("alias scope ")
           << getAliasScope().value_or(0) << " does not match memref scope "
           << type.getScope();
  return success();
}

/// The operand of the dynamic entry `dim` of `extents`.
static Value getDynamicOperand(ArrayRef<int64_t> extents, OperandRange operands,
                               unsigned dim) {
  if (!ShapedType::isDynamic(extents[dim]))
    return {};
  return operands[llvm::count_if(extents.take_front(dim),
                                 ShapedType::isDynamic)];
}

Value MakeMemRefOp::getDynamicSize(unsigned dim) {
  return getDynamicOperand(getType().getShape(), getSizes(), dim);
}

Value MakeMemRefOp::getDynamicStride(unsigned dim) {
  return getDynamicOperand(getType().getStrides(), getStrides(), dim);
}

LogicalResult BlockTileOp::verify() {
  if (getType().getSource() != getSource().getType()) // C1
    return emitOpError("expects a view of ")
           << getSource().getType() << ", but got a view of "
           << getType().getSource();
  return success();
}

LogicalResult GetDimSizeOp::verify() {
  int64_t dim = static_cast<int32_t>(getDim());
  int64_t rank = getSource().getType().getRank();
  if (dim < 0 || dim >= rank) // C1
    return emitOpError("dimension (")
           << dim << ") is out of bound [0, " << rank << ")";
  return success();
}

LogicalResult GlobalOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getValue().getShapedType());
  if (!type || type.getRank() != 1 || !isNumberTensor(type)) // C1
    return emitOpError("expects a value of rank 1");
  if (std::optional<uint64_t> alignment = getAlignment())
    if (!llvm::isPowerOf2_64(*alignment)) // C2
      return emitOpError("'alignment' must be power of two");
  return success();
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global) // C1
    return emitOpError("'@")
           << getName() << "' does not reference a valid global";
  Type element = global.getValue().getShapedType().getElementType();
  if (getType().getPointee() != element) // C2
    return emitOpError("pointee type of result ")
           << getType().getPointee()
           << " does not match the global's element type " << element;
  return success();
}

LogicalResult AllocaOp::verify() {
  std::optional<uint64_t> alignment = getAlignment();
  if (!alignment)
    return success();
  if (!llvm::isPowerOf2_64(*alignment)) // C1
    return emitOpError("'alignment' must be power of two");
  Type element = getType().getPointee();
  uint64_t size = llvm::divideCeil(getStorageBits(element), 8);
  if (*alignment < size) // C1
    return emitOpError("'alignment' (")
           << *alignment << ") must be at least the natural size (" << size
           << " bytes) for element type " << element;
  return success();
}

//===----------------------------------------------------------------------===//
// Provenance roots
//===----------------------------------------------------------------------===//

bool IntToPtrOp::isKnownRoot() { return false; }
bool GlobalOp::isKnownRoot() { return true; }
bool GetGlobalOp::isKnownRoot() { return true; }
bool AllocaOp::isKnownRoot() { return true; }

//===----------------------------------------------------------------------===//
// Ranges and folds
//===----------------------------------------------------------------------===//

void GetDimSizeOp::inferResultRanges(ArrayRef<ConstantIntRanges>,
                                     SetIntRangeFn setRange) {
  int64_t size = getSource().getType().getShape()[getDim()];
  if (!ShapedType::isDynamic(size))
    return setRange(getResult(), ConstantIntRanges::constant(APInt(64, size)));
  setRange(getResult(), ConstantIntRanges::fromUnsigned(
                            APInt(64, 0), APInt::getSignedMaxValue(64)));
}

OpFoldResult GetDimSizeOp::fold(FoldAdaptor) {
  int64_t size = getSource().getType().getShape()[getDim()];
  if (!ShapedType::isDynamic(size))
    return IntegerAttr::get(getType(), size);
  Value source = getSource();
  while (auto assume = source.getDefiningOp<AssumeOp>())
    source = assume.getValue();
  if (auto memref = source.getDefiningOp<MakeMemRefOp>())
    return memref.getDynamicSize(getDim());
  return {};
}

OpFoldResult AddPtrOp::fold(FoldAdaptor) {
  if (matchPattern(getOffset(), m_Zero()))
    return getBase();
  return {};
}

OpFoldResult IntToPtrOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<PtrToIntOp>();
  if (inner && inner.getSource().getType() == getType())
    return inner.getSource();
  return {};
}

OpFoldResult PtrToIntOp::fold(FoldAdaptor) {
  if (auto inner = getSource().getDefiningOp<IntToPtrOp>())
    return inner.getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// Canonicalizations
//===----------------------------------------------------------------------===//

namespace {

/// Computes one address for all elements once.
struct AddPtrOfSplats final : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddPtrOp op,
                                PatternRewriter &rewriter) const override {
    auto base = op.getBase().getDefiningOp<SplatOp>();
    auto offset = op.getOffset().getDefiningOp<SplatOp>();
    if (!base || !offset)
      return rewriter.notifyMatchFailure(op, "base or offset is no splat");
    Value sum = AddPtrOp::create(rewriter, op.getLoc(), base.getSource(),
                                 offset.getSource());
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), sum);
    return success();
  }
};

struct AddPtrOfBroadcasts final : OpRewritePattern<AddPtrOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(AddPtrOp op,
                                PatternRewriter &rewriter) const override {
    auto base = op.getBase().getDefiningOp<BroadcastOp>();
    auto offset = op.getOffset().getDefiningOp<BroadcastOp>();
    if (!base || !offset ||
        getTileShape(base.getSource().getType()) !=
            getTileShape(offset.getSource().getType()))
      return rewriter.notifyMatchFailure(
          op, "base or offset is no broadcast of the same shape");
    Value sum = AddPtrOp::create(rewriter, op.getLoc(), base.getSource(),
                                 offset.getSource());
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), sum);
    return success();
  }
};

/// Makes extents static whose operands are positive constants.
bool makeStatic(ArrayRef<int64_t> extents, OperandRange operands,
                SmallVectorImpl<int64_t> &newExtents,
                SmallVectorImpl<Value> &newOperands) {
  bool changed = false;
  auto operand = operands.begin();
  for (int64_t extent : extents) {
    newExtents.push_back(extent);
    if (!ShapedType::isDynamic(extent))
      continue;
    Value value = *operand++;
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)) &&
        constant.isStrictlyPositive()) {
      newExtents.back() = constant.getSExtValue();
      changed = true;
    } else {
      newOperands.push_back(value);
    }
  }
  return changed;
}

/// Moves constant sizes and strides into the type, and updates the types of the
/// views in place: regions never carry views.
struct MemRefOfConstants final : OpRewritePattern<MakeMemRefOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MakeMemRefOp op,
                                PatternRewriter &rewriter) const override {
    TAMemRefType type = op.getType();
    SmallVector<int64_t> shape, strides;
    SmallVector<Value> sizeOperands, strideOperands;
    bool changed =
        makeStatic(type.getShape(), op.getSizes(), shape, sizeOperands);
    changed |=
        makeStatic(type.getStrides(), op.getStrides(), strides, strideOperands);
    if (!changed || (getStorageBits(type.getElementType()) == 4 &&
                     llvm::none_of(llvm::zip(shape, strides), [](auto dim) {
                       auto [size, stride] = dim;
                       return stride == 1 &&
                              (ShapedType::isDynamic(size) || size % 2 == 0);
                     })))
      return rewriter.notifyMatchFailure(
          op,
          "no size or stride is constant, or rows would not start on bytes");
    llvm::SmallSetVector<Operation *, 8> users;
    if (failed(collectUsers(op, users)))
      return rewriter.notifyMatchFailure(op, "a user keeps the type");
    TAMemRefType newType =
        TAMemRefType::get(shape, type.getElementType(), strides,
                          type.getSpace(), type.getScope());
    rewriter.modifyOpInPlace(op, [&] {
      op.getSizesMutable().assign(sizeOperands);
      op.getStridesMutable().assign(strideOperands);
      op.getResult().setType(newType);
    });
    for (Operation *user : users)
      rewriter.modifyOpInPlace(user, [&] {
        Value result = user->getResult(0);
        if (auto view = dyn_cast<TATiledViewType>(result.getType()))
          result.setType(view.withSource(newType));
        else
          result.setType(newType);
      });
    return success();
  }

private:
  /// Checks the operations whose result type depends on the type of `op`.
  static LogicalResult
  collectUsers(Operation *op, llvm::SmallSetVector<Operation *, 8> &users) {
    for (Operation *user : op->getUsers()) {
      if (isa<GetDimSizeOp, TileAAMemoryOpInterface>(user))
        continue;
      if (!isa<BlockTileOp, AssumeOp>(user))
        return failure();
      users.insert(user);
      if (failed(collectUsers(user, users)))
        return failure();
    }
    return success();
  }
};

} // namespace

void AddPtrOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<AddPtrOfSplats, AddPtrOfBroadcasts>(context);
}

void MakeMemRefOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                               MLIRContext *context) {
  results.add<MemRefOfConstants>(context);
}
