// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for loads, stores and atomics.

#include "passes/tileaa/patterns/Lowering.h"

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

/// Reads the hints of an access.
template <typename SourceOp> struct AccessLowering : Lowering<SourceOp> {
  IntegerAttr getLatency() {
    std::optional<int> latency =
        getHint(&cuda_tile::OptimizationHintsAttr::getLatency);
    return latency ? this->rewriter.getI32IntegerAttr(*latency) : IntegerAttr();
  }

  BoolAttr getAllowTMA() {
    std::optional<bool> allow =
        getHint(&cuda_tile::OptimizationHintsAttr::getAllowTMA);
    return allow ? this->rewriter.getBoolAttr(*allow) : BoolAttr();
  }

private:
  template <typename Getter> auto getHint(Getter get) {
    cuda_tile::OptimizationHintsAttr hints =
        this->op.getOptimizationHintsAttr();
    auto value = hints ? (hints.*get)(this->conversion.chip) : std::nullopt;
    this->conversion.numHintsApplied += value.has_value();
    return value;
  }
};

struct LoadPtrLowering final : AccessLowering<cuda_tile::LoadPtrTkoOp> {
  LogicalResult lower() {
    // Without a mask every element is loaded, and no padding is read.
    Value other = adaptor.getMask() ? adaptor.getPaddingValue() : Value();
    return replace(aa::LoadOp::create(
        rewriter, loc, convert(op.getResult().getType()),
        aa::MemTokenType::get(getContext()), adaptor.getSource(),
        adaptor.getMask(), other, adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), /*invariant=*/false));
  }
};

struct StorePtrLowering final : AccessLowering<cuda_tile::StorePtrTkoOp> {
  LogicalResult lower() {
    return replace(aa::StoreOp::create(
        rewriter, loc, aa::MemTokenType::get(getContext()),
        adaptor.getDestination(), adaptor.getValue(), adaptor.getMask(),
        adaptor.getToken(), toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr()));
  }
};

struct AtomicRMWLowering final : Lowering<cuda_tile::AtomicRMWTkoOp> {
  LogicalResult lower() {
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

struct AtomicCASLowering final : Lowering<cuda_tile::AtomicCASTkoOp> {
  LogicalResult lower() {
    return replace(aa::AtomicCasOp::create(
        rewriter, loc, adaptor.getVal().getType(),
        aa::MemTokenType::get(getContext()), adaptor.getPointers(),
        adaptor.getCmp(), adaptor.getVal(), adaptor.getMask(),
        adaptor.getToken(), toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr()));
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

struct LoadViewLowering final : AccessLowering<cuda_tile::LoadViewTkoOp> {
  LogicalResult lower() {
    auto view = dyn_cast<aa::TATiledViewType>(adaptor.getView().getType());
    if (!view)
      return rewriter.notifyMatchFailure(
          op, "the view has no equivalent in nv_tileaa");
    return view.hasSparseDim() ? build<aa::GatherLoadOp>()
                               : build<aa::TiledLoadOp>();
  }

private:
  template <typename TargetOp> LogicalResult build() {
    return replace(TargetOp::create(
        rewriter, loc, convert(op.getTile().getType()),
        aa::MemTokenType::get(getContext()), adaptor.getView(),
        convertCoordinates(rewriter, loc, adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op), getAllowTMA(),
        /*invariant=*/false));
  }
};

struct StoreViewLowering final : AccessLowering<cuda_tile::StoreViewTkoOp> {
  LogicalResult lower() {
    auto view = dyn_cast<aa::TATiledViewType>(adaptor.getView().getType());
    if (!view)
      return rewriter.notifyMatchFailure(
          op, "the view has no equivalent in nv_tileaa");
    return view.hasSparseDim() ? build<aa::ScatterStoreOp>()
                               : build<aa::TiledStoreOp>();
  }

private:
  template <typename TargetOp> LogicalResult build() {
    return replace(TargetOp::create(
        rewriter, loc, aa::MemTokenType::get(getContext()), adaptor.getTile(),
        adaptor.getView(),
        convertCoordinates(rewriter, loc, adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), getLatency(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op), getAllowTMA()));
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

struct AtomicRedViewLowering final : Lowering<cuda_tile::AtomicRedViewTkoOp> {
  LogicalResult lower() {
    aa::RmwMode mode = toTileAA(op.getMode());
    if (mode == aa::RmwMode::AddF)
      mode = aa::RmwMode::Add;
    Value view = withoutPadding(rewriter, loc, adaptor.getView());
    if (!view)
      return rewriter.notifyMatchFailure(op, "the view is not made here");
    auto result = aa::TiledAtomicRmwOp::create(
        rewriter, loc, /*old=*/Type(), aa::MemTokenType::get(getContext()),
        view, convertCoordinates(rewriter, loc, adaptor.getIndex()),
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
template <typename SourceOp> struct MultimemLowering : Lowering<SourceOp> {
  LogicalResult finish(OpState made, aa::RmwMode mode) {
    made->setDiscardableAttr(aa::kMultimemAttr,
                             aa::RmwModeAttr::get(this->getContext(), mode));
    return this->replace(made);
  }
};

struct MultimemLoadReduceLowering final
    : MultimemLowering<cuda_tile::MultimemLoadReduceViewTkoOp> {
  LogicalResult lower() {
    auto result = aa::TiledLoadOp::create(
        rewriter, loc, convert(op.getReducedValues().getType()),
        aa::MemTokenType::get(getContext()), adaptor.getView(),
        convertCoordinates(rewriter, loc, adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), /*latency=*/IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op),
        /*allow_tma=*/rewriter.getBoolAttr(false), /*invariant=*/false);
    return finish(result, toTileAA(op.getReduction()));
  }
};

struct MultimemStoreLowering final
    : MultimemLowering<cuda_tile::MultimemStoreViewTkoOp> {
  LogicalResult lower() {
    auto result = aa::TiledStoreOp::create(
        rewriter, loc, aa::MemTokenType::get(getContext()), adaptor.getTile(),
        adaptor.getView(),
        convertCoordinates(rewriter, loc, adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getToken(),
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), /*latency=*/IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op),
        /*allow_tma=*/rewriter.getBoolAttr(false));
    return finish(result, aa::RmwMode::Xchg);
  }
};

struct MultimemReduceLowering final
    : MultimemLowering<cuda_tile::MultimemReduceViewTkoOp> {
  LogicalResult lower() {
    aa::RmwMode mode = toTileAA(op.getReduction());
    auto result = aa::TiledAtomicRmwOp::create(
        rewriter, loc, /*old=*/Type(), aa::MemTokenType::get(getContext()),
        adaptor.getView(),
        convertCoordinates(rewriter, loc, adaptor.getIndex()),
        /*offsets=*/ValueRange(), adaptor.getTile(), adaptor.getToken(), mode,
        toTileAA(op.getMemoryOrderingSemantics()),
        toTileAA(getContext(), op.getMemoryScope()), /*latency=*/IntegerAttr(),
        /*is_volatile=*/false, aa::CacheModifierAttr(),
        aa::EvictionPolicyAttr(), convertInbounds(op),
        /*allow_tma=*/rewriter.getBoolAttr(false));
    return finish(result, mode);
  }
};

} // namespace

void populateAccessPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns,
                            CudaTileConversion &conversion) {
  addLowerings<LoadPtrLowering, StorePtrLowering, AtomicRMWLowering,
               AtomicCASLowering, LoadViewLowering, StoreViewLowering,
               AtomicRedViewLowering, MultimemLoadReduceLowering,
               MultimemReduceLowering, MultimemStoreLowering>(
      converter, patterns, conversion);
}

} // namespace tileir
