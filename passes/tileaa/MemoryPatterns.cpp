// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/analysis/Remarks.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static aa::PaddingValueAttr toTileAA(cuda_tile::PaddingValueAttr padding) {
  if (!padding)
    return {};
  return aa::PaddingValueAttr::get(
      padding.getContext(), static_cast<aa::PaddingValue>(padding.getValue()));
}

static aa::TAMemRefType convertTensorView(cuda_tile::TensorViewType type) {
  return aa::TAMemRefType::get(type.getShape(), type.getElementType(),
                               type.getStrides());
}

static SmallVector<int64_t> widen(DenseI32ArrayAttr numbers) {
  return SmallVector<int64_t>(numbers.asArrayRef());
}

static SmallVector<int32_t> identityDims(size_t rank) {
  return llvm::to_vector(llvm::seq<int32_t>(0, rank));
}

static Type convertElement(Type type) {
  if (auto ptr = dyn_cast<cuda_tile::PointerType>(type))
    return aa::TAPointerType::get(ptr.getPointeeType());
  return type;
}

CudaTileTypeConverter::CudaTileTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](cuda_tile::TileType type) -> Type {
    Type element = convertElement(type.getElementType());
    if (type.getShape().empty())
      return element;
    return RankedTensorType::get(type.getShape(), element);
  });
  addConversion(
      [](cuda_tile::PointerType type) -> Type { return convertElement(type); });
  addConversion([](cuda_tile::TokenType type) -> Type {
    return aa::MemTokenType::get(type.getContext());
  });
  addConversion([](cuda_tile::TensorViewType type) -> Type {
    return convertTensorView(type);
  });
  addConversion([](cuda_tile::PartitionViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape());
    SmallVector<int32_t> dims(type.getDimMap());
    if (dims.empty())
      dims = identityDims(tile.size());
    return aa::TATiledViewType::get(
        tile, convertTensorView(type.getTensorView()), dims, tile, -1,
        toTileAA(type.getPaddingValue()));
  });
  addConversion([](cuda_tile::StridedViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape());
    SmallVector<int32_t> dims(type.getDimMap());
    if (dims.empty())
      dims = identityDims(tile.size());
    return aa::TATiledViewType::get(tile,
                                    convertTensorView(type.getTensorView()),
                                    dims, widen(type.getTraversalStrides()), -1,
                                    toTileAA(type.getPaddingValue()));
  });
  addConversion([](cuda_tile::GatherScatterViewType type) -> Type {
    SmallVector<int64_t> tile = widen(type.getTileShape());
    return aa::TATiledViewType::get(
        tile, convertTensorView(type.getTensorView()),
        identityDims(tile.size()), tile, type.getSparseDim(),
        toTileAA(type.getPaddingValue()));
  });
  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs,
                        Location loc) -> Value {
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}

namespace {

template <typename SourceOp>
struct MemoryPattern : OpConversionPattern<SourceOp> {
  MemoryPattern(const TypeConverter &converter, MLIRContext *context,
                CudaTileConversion &conversion)
      : OpConversionPattern<SourceOp>(converter, context),
        conversion(conversion) {}
  using Adaptor = typename SourceOp::Adaptor;

  Type convert(Type type) const {
    return this->getTypeConverter()->convertType(type);
  }

protected:
  CudaTileConversion &conversion;
};

//===----------------------------------------------------------------------===//
// Pointers, views, tokens
//===----------------------------------------------------------------------===//

/// One operation for one operation without attributes.
template <typename SourceOp, typename TargetOp>
struct SameMemoryOp final : MemoryPattern<SourceOp> {
  using MemoryPattern<SourceOp>::MemoryPattern;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result =
        TargetOp::create(rewriter, op.getLoc(),
                         TypeRange(this->convert(op->getResult(0).getType())),
                         adaptor.getOperands());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Extents and strides are unsigned in any width and become i64.
Value extendToI64(ConversionPatternRewriter &rewriter, Location loc,
                  Value value) {
  Type i64 = rewriter.getI64Type();
  if (value.getType() == i64)
    return value;
  return arith::ExtUIOp::create(rewriter, loc, i64, value);
}

struct MakeTensorViewLowering final
    : MemoryPattern<cuda_tile::MakeTensorViewOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::MakeTensorViewOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> sizes, strides;
    for (Value size : adaptor.getDynamicShape())
      sizes.push_back(extendToI64(rewriter, loc, size));
    for (Value stride : adaptor.getDynamicStrides())
      strides.push_back(extendToI64(rewriter, loc, stride));
    auto result = aa::MakeMemRefOp::create(rewriter, loc, convert(op.getType()),
                                           adaptor.getBase(), sizes, strides,
                                           /*alias_scope=*/IntegerAttr());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

Value resizeUnsigned(ConversionPatternRewriter &rewriter, Location loc,
                     Value value, Type type) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from < to)
    return arith::ExtUIOp::create(rewriter, loc, type, value);
  return arith::TruncIOp::create(rewriter, loc, type, value);
}

struct GetTensorShapeLowering final
    : MemoryPattern<cuda_tile::GetTensorShapeOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::GetTensorShapeOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (auto [dim, result] : llvm::enumerate(op->getResults())) {
      Value size = aa::GetDimSizeOp::create(
          rewriter, op.getLoc(), rewriter.getI64Type(), adaptor.getSrc(), dim);
      results.push_back(resizeUnsigned(rewriter, op.getLoc(), size,
                                       convert(result.getType())));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// The memref behind a converted view.
Value getViewSource(Value view) {
  if (auto tile = view.getDefiningOp<aa::BlockTileOp>())
    return tile.getSource();
  return {};
}

struct GetIndexSpaceShapeLowering final
    : MemoryPattern<cuda_tile::GetIndexSpaceShapeOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::GetIndexSpaceShapeOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value source = getViewSource(adaptor.getSrc());
    auto view = dyn_cast<aa::TATiledViewType>(adaptor.getSrc().getType());
    if (!source || !view)
      return rewriter.notifyMatchFailure(op, "view without known source");
    SmallVector<Value> results;
    for (auto [dim, result] : llvm::enumerate(op->getResults())) {
      Value size = aa::GetDimSizeOp::create(
          rewriter, loc, rewriter.getI64Type(), source, view.getMemRefDim(dim));
      // A gathered dimension is addressed element by element.
      if (view.getSparseDim() != static_cast<int32_t>(dim)) {
        Value step = arith::ConstantIntOp::create(
            rewriter, loc, rewriter.getI64Type(), view.getSteps()[dim]);
        size = arith::CeilDivUIOp::create(rewriter, loc, size, step);
      }
      results.push_back(
          resizeUnsigned(rewriter, loc, size, convert(result.getType())));
    }
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct JoinTokensLowering final : MemoryPattern<cuda_tile::JoinTokensOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::JoinTokensOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::JoinMemTokenOp>(op, convert(op.getType()),
                                                    adaptor.getTokens());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Facts, diagnostics
//===----------------------------------------------------------------------===//

Attribute toTileAA(Attribute predicate) {
  MLIRContext *context = predicate.getContext();
  if (auto divBy = dyn_cast<cuda_tile::DivByAttr>(predicate))
    return aa::DivByAttr::get(context, divBy.getDivisor(), divBy.getEvery(),
                              divBy.getAlong());
  if (auto bounded = dyn_cast<cuda_tile::BoundedAttr>(predicate))
    return aa::BoundedAttr::get(context, bounded.getLb(), bounded.getUb());
  if (auto same = dyn_cast<cuda_tile::SameElementsAttr>(predicate))
    return aa::SameElementsAttr::get(context, same.getValues().asArrayRef());
  return {};
}

struct AssumeLowering final : MemoryPattern<cuda_tile::AssumeOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::AssumeOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Attribute predicate = toTileAA(op.getPredicate());
    if (!predicate)
      return failure();
    if (!conversion.keepAssumes) {
      rewriter.replaceOp(op, adaptor.getValue());
      return success();
    }
    ++conversion.numAssumes;
    auto result = aa::AssumeOp::create(
        rewriter, op.getLoc(), adaptor.getValue().getType(), adaptor.getValue(),
        rewriter.getArrayAttr(predicate));
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct AssertLowering final : MemoryPattern<cuda_tile::AssertOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::AssertOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::AssertOp>(op, adaptor.getCondition(),
                                              op.getMessage());
    return success();
  }
};

struct PrintLowering final : MemoryPattern<cuda_tile::PrintTkoOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::PrintTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result = aa::PrintOp::create(
        rewriter, op.getLoc(), aa::MemTokenType::get(getContext()), op.getStr(),
        adaptor.getArgs(), adaptor.getToken());
    copyDiscardableAttrs(op, result);
    // Version 13.1 has no token result.
    rewriter.replaceOp(op, op->getNumResults() ? result->getResults()
                                               : ValueRange());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

aa::MemSemantic toTileAA(cuda_tile::MemoryOrderingSemantics semantic) {
  return static_cast<aa::MemSemantic>(semantic);
}

aa::MemScope toTileAA(cuda_tile::MemoryScope scope) {
  switch (scope) {
  case cuda_tile::MemoryScope::TL_BLK:
    return aa::MemScope::TlBlk;
  case cuda_tile::MemoryScope::DEVICE:
    return aa::MemScope::Gpu;
  case cuda_tile::MemoryScope::SYS:
    return aa::MemScope::Sys;
  }
  llvm_unreachable("unknown scope");
}

aa::MemScopeAttr toTileAA(MLIRContext *context,
                          std::optional<cuda_tile::MemoryScope> scope) {
  if (!scope)
    return {};
  return aa::MemScopeAttr::get(context, toTileAA(*scope));
}

aa::RmwMode toTileAA(cuda_tile::AtomicRMWMode mode) {
  return static_cast<aa::RmwMode>(mode);
}

/// Base of the access patterns: reads hints.
template <typename SourceOp> struct AccessPattern : MemoryPattern<SourceOp> {
  using MemoryPattern<SourceOp>::MemoryPattern;

protected:
  IntegerAttr getLatency(SourceOp op, OpBuilder &builder) const {
    cuda_tile::OptimizationHintsAttr hints = op.getOptimizationHintsAttr();
    if (!hints)
      return {};
    std::optional<int> latency = hints.getLatency(this->conversion.chip);
    if (!latency)
      return {};
    ++this->conversion.numHintsApplied;
    return builder.getI32IntegerAttr(*latency);
  }

  BoolAttr getAllowTMA(SourceOp op, OpBuilder &builder) const {
    cuda_tile::OptimizationHintsAttr hints = op.getOptimizationHintsAttr();
    if (!hints)
      return {};
    std::optional<bool> allow = hints.getAllowTMA(this->conversion.chip);
    if (!allow)
      return {};
    ++this->conversion.numHintsApplied;
    return builder.getBoolAttr(*allow);
  }
};

struct LoadPtrLowering final : AccessPattern<cuda_tile::LoadPtrTkoOp> {
  using AccessPattern::AccessPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::LoadPtrTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Without a mask every element is loaded and the padding is never read.
    Value other = adaptor.getMask() ? adaptor.getPaddingValue() : Value();
    auto result = aa::LoadOp::create(
        rewriter, op.getLoc(), convert(op.getResult().getType()),
        aa::MemTokenType::get(getContext()), adaptor.getSource(),
        adaptor.getMask(), other, adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(op, rewriter),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), /*invariant=*/false);
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct StorePtrLowering final : AccessPattern<cuda_tile::StorePtrTkoOp> {
  using AccessPattern::AccessPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::StorePtrTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result = aa::StoreOp::create(
        rewriter, op.getLoc(), aa::MemTokenType::get(getContext()),
        adaptor.getDestination(), adaptor.getValue(), adaptor.getMask(),
        adaptor.getToken(), toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(op, rewriter),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct AtomicRMWLowering final : MemoryPattern<cuda_tile::AtomicRMWTkoOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::AtomicRMWTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto rmw = aa::AtomicRmwOp::create(
        rewriter, loc, adaptor.getArg().getType(),
        aa::MemTokenType::get(getContext()), adaptor.getPointers(),
        adaptor.getArg(), adaptor.getMask(), adaptor.getToken(),
        toTileAA(op.getMode()), toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr());
    copyDiscardableAttrs(op, rmw);
    Value old = rmw.getOld();
    // The source dialect gives zero where the mask is false.
    if (adaptor.getMask() && !op.getResult().use_empty()) {
      Value zero = arith::ConstantOp::create(
          rewriter, loc, rewriter.getZeroAttr(old.getType()));
      old =
          arith::SelectOp::create(rewriter, loc, adaptor.getMask(), old, zero);
    }
    rewriter.replaceOp(op, {old, rmw.getResultToken()});
    return success();
  }
};

struct AtomicCASLowering final : MemoryPattern<cuda_tile::AtomicCASTkoOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::AtomicCASTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result = aa::AtomicCasOp::create(
        rewriter, op.getLoc(), adaptor.getVal().getType(),
        aa::MemTokenType::get(getContext()), adaptor.getPointers(),
        adaptor.getCmp(), adaptor.getVal(), adaptor.getMask(),
        adaptor.getToken(), toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Coordinates are unsigned i32 or i64; narrower ones are widened.
SmallVector<Value> convertCoordinates(ConversionPatternRewriter &rewriter,
                                      Location loc, ValueRange indices) {
  SmallVector<Value> coords;
  for (Value index : indices) {
    if (index.getType().isInteger() &&
        index.getType().getIntOrFloatBitWidth() < 32)
      index =
          arith::ExtUIOp::create(rewriter, loc, rewriter.getI32Type(), index);
    coords.push_back(index);
  }
  return coords;
}

struct LoadViewLowering final : AccessPattern<cuda_tile::LoadViewTkoOp> {
  using AccessPattern::AccessPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::LoadViewTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto view = dyn_cast<aa::TATiledViewType>(adaptor.getView().getType());
    if (!view)
      return failure();
    return view.hasSparseDim() ? build<aa::GatherLoadOp>(op, adaptor, rewriter)
                               : build<aa::TiledLoadOp>(op, adaptor, rewriter);
  }

private:
  template <typename TargetOp>
  LogicalResult build(cuda_tile::LoadViewTkoOp op, Adaptor adaptor,
                      ConversionPatternRewriter &rewriter) const {
    auto result = TargetOp::create(
        rewriter, op.getLoc(), convert(op.getTile().getType()),
        aa::MemTokenType::get(getContext()), adaptor.getView(),
        convertCoordinates(rewriter, op.getLoc(), adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(op, rewriter),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), /*in_bounds=*/DenseBoolArrayAttr(),
        getAllowTMA(op, rewriter), /*invariant=*/false);
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct StoreViewLowering final : AccessPattern<cuda_tile::StoreViewTkoOp> {
  using AccessPattern::AccessPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::StoreViewTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto view = dyn_cast<aa::TATiledViewType>(adaptor.getView().getType());
    if (!view)
      return failure();
    return view.hasSparseDim()
               ? build<aa::ScatterStoreOp>(op, adaptor, rewriter)
               : build<aa::TiledStoreOp>(op, adaptor, rewriter);
  }

private:
  template <typename TargetOp>
  LogicalResult build(cuda_tile::StoreViewTkoOp op, Adaptor adaptor,
                      ConversionPatternRewriter &rewriter) const {
    auto result = TargetOp::create(
        rewriter, op.getLoc(), aa::MemTokenType::get(getContext()),
        adaptor.getTile(), adaptor.getView(),
        convertCoordinates(rewriter, op.getLoc(), adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(op, rewriter),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), /*in_bounds=*/DenseBoolArrayAttr(),
        getAllowTMA(op, rewriter));
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// `view` without padding, which has no meaning for elements that are only
/// updated; null if `view` is not made in the kernel.
Value withoutPadding(OpBuilder &builder, Location loc, Value view) {
  auto type = cast<aa::TATiledViewType>(view.getType());
  if (!type.getPadding())
    return view;
  auto tile = view.getDefiningOp<aa::BlockTileOp>();
  if (!tile)
    return {};
  auto plain = aa::TATiledViewType::get(type.getTileShape(), type.getSource(),
                                        type.getDims(), type.getSteps(),
                                        type.getSparseDim());
  return aa::BlockTileOp::create(builder, loc, plain, tile.getSource());
}

struct AtomicRedViewLowering final
    : MemoryPattern<cuda_tile::AtomicRedViewTkoOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::AtomicRedViewTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    aa::RmwMode mode = toTileAA(op.getMode());
    if (mode == aa::RmwMode::AddF)
      mode = aa::RmwMode::Add;
    Value view = withoutPadding(rewriter, op.getLoc(), adaptor.getView());
    if (!view)
      return rewriter.notifyMatchFailure(op, "the view is not made here");
    auto result = aa::TiledAtomicRmwOp::create(
        rewriter, op.getLoc(), /*old=*/Type(),
        aa::MemTokenType::get(getContext()), view,
        convertCoordinates(rewriter, op.getLoc(), adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getValue(), adaptor.getToken(), mode,
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), /*in_bounds=*/DenseBoolArrayAttr(),
        BoolAttr());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result.getResultToken());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Memory objects
//===----------------------------------------------------------------------===//

struct AllocaLowering final : MemoryPattern<cuda_tile::AllocaOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::AllocaOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<aa::TAPointerType>(convert(op.getResult().getType()));
    IntegerAttr alignment;
    if (op.getAlignment())
      alignment = rewriter.getI64IntegerAttr(op.getAlignment());
    // An empty allocation still has an address of its own.
    int64_t count = std::max<int64_t>(op.getNumElem(), 1);
    auto result = aa::AllocaOp::create(rewriter, op.getLoc(), type,
                                       rewriter.getI64IntegerAttr(count),
                                       alignment, op.getGlobalAttr());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct GlobalLowering final : MemoryPattern<cuda_tile::GlobalOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::GlobalOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dense = cast<DenseElementsAttr>(op.getValue());
    auto type = RankedTensorType::get(dense.getType().getShape(),
                                      dense.getElementType());
    IntegerAttr alignment;
    if (op.getAlignment())
      alignment = rewriter.getI64IntegerAttr(op.getAlignment());
    StringAttr visibility;
    if (op.getSymbolVisibility() == cuda_tile::SymbolVisibility::Private)
      visibility = rewriter.getStringAttr("private");
    auto result =
        aa::GlobalOp::create(rewriter, op.getLoc(), op.getSymName(), visibility,
                             dense.reshape(type), alignment, op.getConstant());
    copyDiscardableAttrs(op, result);
    rewriter.eraseOp(op);
    return success();
  }
};

struct GetGlobalLowering final : MemoryPattern<cuda_tile::GetGlobalOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::GetGlobalOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::GetGlobalOp>(
        op, convert(op.getResult().getType()), op.getNameAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Grid and entries
//===----------------------------------------------------------------------===//

template <typename SourceOp, typename TargetOp>
struct GridLowering final : MemoryPattern<SourceOp> {
  using MemoryPattern<SourceOp>::MemoryPattern;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (aa::Dim dim : {aa::Dim::X, aa::Dim::Y, aa::Dim::Z})
      results.push_back(create(rewriter, op.getLoc(), dim));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value create(OpBuilder &builder, Location loc, aa::Dim dim) {
    if constexpr (std::is_same_v<TargetOp, aa::GetProgramIdOp>)
      return TargetOp::create(builder, loc, builder.getI32Type(), dim,
                              /*of=*/Value());
    else
      return TargetOp::create(builder, loc, builder.getI32Type(), dim);
  }
};

struct EntryLowering final : MemoryPattern<cuda_tile::EntryOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::EntryOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(),
                                                        signature)))
      return failure();
    auto func = aa::FuncOp::create(
        rewriter, op.getLoc(), op.getSymName(),
        rewriter.getFunctionType(signature.getConvertedTypes(), {}),
        /*kernel=*/true);
    func.setKernelSpecAttr(getKernelSpec(op));
    for (unsigned i = 0, e = op.getNumArguments(); i < e; ++i)
      for (NamedAttribute attr :
           mlir::function_interface_impl::getArgAttrs(op, i))
        if (attr.getNameDialect() != op->getDialect())
          func.setArgAttr(i, attr.getName(), attr.getValue());
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    if (failed(rewriter.convertRegionTypes(&func.getBody(), *getTypeConverter(),
                                           &signature)))
      return failure();
    copyDiscardableAttrs(op, func);
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Remarks that the hint `key` decides something, and whether it is the one
  /// of the target or of every target.
  void reportHint(cuda_tile::EntryOp op, StringRef key) const {
    auto entry = op.getOptimizationHintsAttr().getValue().getAs<DictionaryAttr>(
        conversion.chip);
    bool own = entry && entry.contains(key);
    remark::passed(
        op.getLoc(),
        remarkAbout(op, own ? "RemarkHint" : "RemarkHintDefault", kHintRemarks))
        << StringRef(((own ? "OptimizationHint used "
                           : "OptimizationHint used default ") +
                      key)
                         .str());
  }

  /// A hint beats the option, because it speaks of this kernel.
  aa::KernelSpecAttr getKernelSpec(cuda_tile::EntryOp op) const {
    uint32_t numWarps = conversion.numWarps, numCtas = conversion.numCtas;
    uint32_t occupancy = 0;
    if (cuda_tile::OptimizationHintsAttr hints =
            op.getOptimizationHintsAttr()) {
      StringRef chip = conversion.chip;
      if (std::optional<int> warps = hints.getNumWorkerWarpsPerCTA(chip)) {
        numWarps = *warps;
        ++conversion.numHintsApplied;
        reportHint(op, "num_worker_warps_per_cta");
      }
      if (std::optional<int> ctas = hints.getNumCTAInCGA(chip)) {
        if (*ctas > 1 && !conversion.target.hasCluster()) {
          ++conversion.numHintsIgnored;
        } else {
          numCtas = *ctas;
          ++conversion.numHintsApplied;
        }
      }
      if (std::optional<int> blocks = hints.getOccupancy(chip)) {
        occupancy = *blocks;
        ++conversion.numHintsApplied;
        reportHint(op, "occupancy");
      }
    }
    return aa::KernelSpecAttr::get(getContext(), numWarps, numCtas, occupancy);
  }
};

struct ReturnLowering final : MemoryPattern<cuda_tile::ReturnOp> {
  using MemoryPattern::MemoryPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::ReturnOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<aa::ReturnOp>(op, adaptor.getOperands());
    return success();
  }
};

} // namespace

void populateCudaTileToTileAAMemoryPatterns(const TypeConverter &converter,
                                            RewritePatternSet &patterns,
                                            CudaTileConversion &conversion) {
  using namespace cuda_tile;
  patterns.add<SameMemoryOp<OffsetOp, aa::AddPtrOp>,
               SameMemoryOp<IntToPtrOp, aa::IntToPtrOp>,
               SameMemoryOp<PtrToIntOp, aa::PtrToIntOp>,
               SameMemoryOp<MakePartitionViewOp, aa::BlockTileOp>,
               SameMemoryOp<MakeStridedViewOp, aa::BlockTileOp>,
               SameMemoryOp<MakeGatherScatterViewOp, aa::BlockTileOp>,
               SameMemoryOp<MakeTokenOp, aa::CreateMemTokenOp>,
               JoinTokensLowering, MakeTensorViewLowering,
               GetTensorShapeLowering, GetIndexSpaceShapeLowering,
               AssumeLowering, AssertLowering, PrintLowering, LoadPtrLowering,
               StorePtrLowering, AtomicRMWLowering, AtomicCASLowering,
               LoadViewLowering, StoreViewLowering, AtomicRedViewLowering,
               AllocaLowering, GlobalLowering, GetGlobalLowering,
               GridLowering<GetTileBlockIdOp, aa::GetProgramIdOp>,
               GridLowering<GetNumTileBlocksOp, aa::GetNumProgramsOp>,
               EntryLowering, ReturnLowering>(converter, patterns.getContext(),
                                              conversion);
}

} // namespace tileir
