// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/tileaa/CudaTileConversion.h"
#include "passes/tileaa/patterns/UnsignedFloat.h"

namespace tileir {
namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

// Both dialects give signedness the same numbers.
static_assert(uint32_t(cuda_tile::Signedness::Unsigned) ==
                  uint32_t(aa::Signedness::Unsigned) &&
              uint32_t(cuda_tile::Signedness::Signed) ==
                  uint32_t(aa::Signedness::Signed));
static_assert(cuda_tile::getMaxEnumValForSignedness() ==
              aa::getMaxEnumValForSignedness());

aa::SignednessAttr toTileAA(MLIRContext *context,
                            cuda_tile::Signedness signedness) {
  return aa::SignednessAttr::get(context,
                                 static_cast<aa::Signedness>(signedness));
}

struct MmaFLowering final : OpConversionPattern<cuda_tile::MmaFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::MmaFOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // Dots of other element types have no promotion that `fast_acc` could skip.
    bool isFast = op.getFastAcc() &&
                  isa<Float8E4M3FNType, Float8E5M2Type>(
                      getElementTypeOrSelf(adaptor.getLhs().getType()));
    auto dot = aa::DotOp::create(
        rewriter, op.getLoc(), adaptor.getAcc().getType(), adaptor.getLhs(),
        adaptor.getRhs(), adaptor.getAcc(), /*sfa=*/Value(), /*sfb=*/Value(),
        aa::SignednessAttr(), aa::SignednessAttr(), isFast,
        aa::InputPrecisionAttr());
    copyDiscardableAttrs(op, dot);
    rewriter.replaceOp(op, dot);
    return success();
  }
};

struct MmaILowering final : OpConversionPattern<cuda_tile::MmaIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::MmaIOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dot = aa::DotOp::create(
        rewriter, op.getLoc(), adaptor.getAcc().getType(), adaptor.getLhs(),
        adaptor.getRhs(), adaptor.getAcc(), /*sfa=*/Value(), /*sfb=*/Value(),
        toTileAA(getContext(), op.getSignednessLhs()),
        toTileAA(getContext(), op.getSignednessRhs()), /*fast_acc=*/false,
        aa::InputPrecisionAttr());
    copyDiscardableAttrs(op, dot);
    rewriter.replaceOp(op, dot);
    return success();
  }
};

struct MmaFScaledLowering final : OpConversionPattern<cuda_tile::MmaFScaledOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::MmaFScaledOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    // The numbers of fnv8E5M3FNU are exact in bf16.
    auto scale = [&](Value source, Value carried) -> Value {
      if (!isUnsignedFloat(source.getType()))
        return carried;
      Value number = decodeUnsignedFloat(rewriter, op.getLoc(), carried);
      return aa::FpToFpOp::create(
          rewriter, op.getLoc(),
          aa::withElementType(number.getType(), rewriter.getBF16Type()), number,
          aa::RoundingMode::NearestEven, /*saturate=*/false);
    };
    auto dot =
        aa::DotOp::create(rewriter, op.getLoc(), adaptor.getAcc().getType(),
                          adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc(),
                          scale(op.getLhsScale(), adaptor.getLhsScale()),
                          scale(op.getRhsScale(), adaptor.getRhsScale()),
                          aa::SignednessAttr(), aa::SignednessAttr(),
                          /*fast_acc=*/false, aa::InputPrecisionAttr());
    copyDiscardableAttrs(op, dot);
    rewriter.replaceOp(op, dot);
    return success();
  }
};

/// Converts the identities to the element types of the operands; the source may
/// give them in another float type.
ArrayAttr convertIdentities(ArrayAttr identities, ValueRange operands) {
  SmallVector<Attribute> converted;
  for (auto [identity, operand] : llvm::zip(identities, operands)) {
    Type element = getElementTypeOrSelf(operand.getType());
    auto number = dyn_cast<FloatAttr>(identity);
    if (!number || number.getType() == element || !isa<FloatType>(element)) {
      converted.push_back(identity);
      continue;
    }
    APFloat value = number.getValue();
    bool losesInfo = false;
    value.convert(cast<FloatType>(element).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
    converted.push_back(FloatAttr::get(element, value));
  }
  return ArrayAttr::get(identities.getContext(), converted);
}

template <typename SourceOp, typename TargetOp>
struct ReductionLowering final : OpConversionPattern<SourceOp> {
  using OpConversionPattern<SourceOp>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(this->getTypeConverter()->convertTypes(op.getResultTypes(),
                                                      types)) ||
        failed(rewriter.convertRegionTypes(&op.getBody(),
                                           *this->getTypeConverter())))
      return rewriter.notifyMatchFailure(
          op, "a result or an argument of the body has no type in nv_tileaa");
    ArrayAttr identities =
        convertIdentities(op.getIdentities(), adaptor.getOperands());
    TargetOp result = create(rewriter, op, types, adaptor, identities);
    rewriter.inlineRegionBefore(op.getBody(), result.getBody(),
                                result.getBody().end());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }

private:
  static aa::ReduceOp create(ConversionPatternRewriter &rewriter,
                             cuda_tile::ReduceOp op, TypeRange types,
                             cuda_tile::ReduceOp::Adaptor adaptor,
                             ArrayAttr identities) {
    return aa::ReduceOp::create(rewriter, op.getLoc(), types,
                                adaptor.getOperands(), op.getDim(), identities);
  }
  static aa::ScanOp create(ConversionPatternRewriter &rewriter,
                           cuda_tile::ScanOp op, TypeRange types,
                           cuda_tile::ScanOp::Adaptor adaptor,
                           ArrayAttr identities) {
    return aa::ScanOp::create(rewriter, op.getLoc(), types,
                              adaptor.getOperands(), op.getDim(),
                              op.getReverse(), identities);
  }
};

} // namespace

void populateCudaTileToTileAASpecialistPatterns(const TypeConverter &converter,
                                                RewritePatternSet &patterns) {
  patterns.add<MmaFLowering, MmaILowering, MmaFScaledLowering,
               ReductionLowering<cuda_tile::ReduceOp, aa::ReduceOp>,
               ReductionLowering<cuda_tile::ScanOp, aa::ScanOp>>(
      converter, patterns.getContext());
}

} // namespace tileir
