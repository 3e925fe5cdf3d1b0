// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for loads, stores and atomics.

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/tileaa/patterns/MemoryPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

// Both dialects give orderings and atomic modes the same numbers.
using Semantics = cuda_tile::MemoryOrderingSemantics;
static_assert(
    uint32_t(Semantics::WEAK) == uint32_t(aa::MemSemantic::Weak) &&
    uint32_t(Semantics::RELAXED) == uint32_t(aa::MemSemantic::Relaxed) &&
    uint32_t(Semantics::ACQUIRE) == uint32_t(aa::MemSemantic::Acquire) &&
    uint32_t(Semantics::RELEASE) == uint32_t(aa::MemSemantic::Release) &&
    uint32_t(Semantics::ACQ_REL) == uint32_t(aa::MemSemantic::AcqRel));
static_assert(cuda_tile::getMaxEnumValForMemoryOrderingSemantics() ==
              aa::getMaxEnumValForMemSemantic());

using Mode = cuda_tile::AtomicRMWMode;
static_assert(uint32_t(Mode::AND) == uint32_t(aa::RmwMode::And) &&
              uint32_t(Mode::OR) == uint32_t(aa::RmwMode::Or) &&
              uint32_t(Mode::XOR) == uint32_t(aa::RmwMode::Xor) &&
              uint32_t(Mode::ADD) == uint32_t(aa::RmwMode::Add) &&
              uint32_t(Mode::ADDF) == uint32_t(aa::RmwMode::AddF) &&
              uint32_t(Mode::MAX) == uint32_t(aa::RmwMode::Max) &&
              uint32_t(Mode::MIN) == uint32_t(aa::RmwMode::Min) &&
              uint32_t(Mode::UMAX) == uint32_t(aa::RmwMode::UMax) &&
              uint32_t(Mode::UMIN) == uint32_t(aa::RmwMode::UMin) &&
              uint32_t(Mode::XCHG) == uint32_t(aa::RmwMode::Xchg));
static_assert(cuda_tile::getMaxEnumValForAtomicRMWMode() ==
              aa::getMaxEnumValForRmwMode());

aa::MemSemantic toTileAA(Semantics semantic) {
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

aa::RmwMode toTileAA(Mode mode) { return static_cast<aa::RmwMode>(mode); }

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
    // Without a mask every element is loaded, and no padding is read.
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
    // `cuda_tile` defines zero where the mask is false.
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

/// Coordinates, also of gathered rows, are unsigned i32 or i64; narrower ones
/// are widened.
SmallVector<Value> convertCoordinates(ConversionPatternRewriter &rewriter,
                                      Location loc, ValueRange indices) {
  SmallVector<Value> coords;
  for (Value index : indices) {
    Type type = index.getType();
    if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() < 32) {
      Type wide = rewriter.getI32Type();
      if (auto tile = dyn_cast<RankedTensorType>(type))
        wide = tile.clone(wide);
      index = arith::ExtUIOp::create(rewriter, loc, wide, index);
    }
    coords.push_back(index);
  }
  return coords;
}

/// The `inbounds` promises of the program, or null without any.
template <typename SourceOp> DenseBoolArrayAttr convertInbounds(SourceOp op) {
  DenseBoolArrayAttr inbounds = op.getInboundsAttr();
  if (!inbounds || !llvm::is_contained(inbounds.asArrayRef(), true))
    return {};
  return inbounds;
}

struct LoadViewLowering final : AccessPattern<cuda_tile::LoadViewTkoOp> {
  using AccessPattern::AccessPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::LoadViewTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto view = dyn_cast<aa::TATiledViewType>(adaptor.getView().getType());
    if (!view)
      return rewriter.notifyMatchFailure(
          op, "the view has no equivalent in nv_tileaa");
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
        aa::EvictionPolicyAttr(), convertInbounds(op),
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
      return rewriter.notifyMatchFailure(
          op, "the view has no equivalent in nv_tileaa");
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
        aa::EvictionPolicyAttr(), convertInbounds(op),
        getAllowTMA(op, rewriter));
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// `view` without padding, which has no meaning for elements that are only
/// updated; null if the kernel does not make `view`.
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
        aa::EvictionPolicyAttr(), convertInbounds(op), BoolAttr());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result.getResultToken());
    return success();
  }
};

aa::RmwMode toTileAA(cuda_tile::MultimemReductionKind kind) {
  switch (kind) {
  case cuda_tile::MultimemReductionKind::ADD:
    return aa::RmwMode::Add;
  case cuda_tile::MultimemReductionKind::MIN:
    return aa::RmwMode::Min;
  case cuda_tile::MultimemReductionKind::MAX:
    return aa::RmwMode::Max;
  case cuda_tile::MultimemReductionKind::AND:
    return aa::RmwMode::And;
  case cuda_tile::MultimemReductionKind::OR:
    return aa::RmwMode::Or;
  case cuda_tile::MultimemReductionKind::XOR:
    return aa::RmwMode::Xor;
  case cuda_tile::MultimemReductionKind::UMIN:
    return aa::RmwMode::UMin;
  case cuda_tile::MultimemReductionKind::UMAX:
    return aa::RmwMode::UMax;
  }
  llvm_unreachable("unknown reduction");
}

/// An access to multicast memory becomes an access to a marked view.
template <typename SourceOp> struct MultimemPattern : MemoryPattern<SourceOp> {
  using MemoryPattern<SourceOp>::MemoryPattern;

protected:
  static void finish(ConversionPatternRewriter &rewriter, SourceOp op,
                     Operation *result, aa::RmwMode mode) {
    copyDiscardableAttrs(op, result);
    result->setDiscardableAttr(aa::kMultimemAttr,
                               aa::RmwModeAttr::get(op.getContext(), mode));
    rewriter.replaceOp(op, result);
  }
};

struct MultimemLoadReduceLowering final
    : MultimemPattern<cuda_tile::MultimemLoadReduceViewTkoOp> {
  using MultimemPattern::MultimemPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::MultimemLoadReduceViewTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result = aa::TiledLoadOp::create(
        rewriter, op.getLoc(), convert(op.getReducedValues().getType()),
        aa::MemTokenType::get(getContext()), adaptor.getView(),
        convertCoordinates(rewriter, op.getLoc(), adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), /*latency=*/IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op),
        /*allow_tma=*/rewriter.getBoolAttr(false), /*invariant=*/false);
    finish(rewriter, op, result, toTileAA(op.getReduction()));
    return success();
  }
};

struct MultimemStoreLowering final
    : MultimemPattern<cuda_tile::MultimemStoreViewTkoOp> {
  using MultimemPattern::MultimemPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::MultimemStoreViewTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result = aa::TiledStoreOp::create(
        rewriter, op.getLoc(), aa::MemTokenType::get(getContext()),
        adaptor.getTile(), adaptor.getView(),
        convertCoordinates(rewriter, op.getLoc(), adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), /*latency=*/IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op),
        /*allow_tma=*/rewriter.getBoolAttr(false));
    finish(rewriter, op, result, aa::RmwMode::Xchg);
    return success();
  }
};

struct MultimemReduceLowering final
    : MultimemPattern<cuda_tile::MultimemReduceViewTkoOp> {
  using MultimemPattern::MultimemPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::MultimemReduceViewTkoOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    aa::RmwMode mode = toTileAA(op.getReduction());
    auto result = aa::TiledAtomicRmwOp::create(
        rewriter, op.getLoc(), /*old=*/Type(),
        aa::MemTokenType::get(getContext()), adaptor.getView(),
        convertCoordinates(rewriter, op.getLoc(), adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getTile(), adaptor.getToken(), mode,
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), /*latency=*/IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op),
        /*allow_tma=*/rewriter.getBoolAttr(false));
    finish(rewriter, op, result, mode);
    return success();
  }
};

} // namespace

void populateAccessPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns,
                            CudaTileConversion &conversion) {
  patterns.add<LoadPtrLowering, StorePtrLowering, AtomicRMWLowering,
               AtomicCASLowering, LoadViewLowering, StoreViewLowering,
               AtomicRedViewLowering, MultimemLoadReduceLowering,
               MultimemReduceLowering, MultimemStoreLowering>(
      converter, patterns.getContext(), conversion);
}

} // namespace tileir
