// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileaa/patterns/Lowering.h"
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

struct MmaFLowering final : Lowering<cuda_tile::MmaFOp> {
  LogicalResult lower() {
    // Dots of other element types have no promotion that `fast_acc` could skip.
    bool isFast = op.getFastAcc() &&
                  isa<Float8E4M3FNType, Float8E5M2Type>(
                      getElementTypeOrSelf(adaptor.getLhs().getType()));
    return replace(aa::DotOp::create(
        rewriter, loc, adaptor.getAcc().getType(), adaptor.getLhs(),
        adaptor.getRhs(), adaptor.getAcc(), /*sfa=*/Value(), /*sfb=*/Value(),
        aa::SignednessAttr(), aa::SignednessAttr(), isFast,
        aa::InputPrecisionAttr()));
  }
};

struct MmaILowering final : Lowering<cuda_tile::MmaIOp> {
  LogicalResult lower() {
    return replace(aa::DotOp::create(
        rewriter, loc, adaptor.getAcc().getType(), adaptor.getLhs(),
        adaptor.getRhs(), adaptor.getAcc(), /*sfa=*/Value(), /*sfb=*/Value(),
        toTileAA(getContext(), op.getSignednessLhs()),
        toTileAA(getContext(), op.getSignednessRhs()), /*fast_acc=*/false,
        aa::InputPrecisionAttr()));
  }
};

struct MmaFScaledLowering final : Lowering<cuda_tile::MmaFScaledOp> {
  LogicalResult lower() {
    // The numbers of fnv8E5M3FNU are exact in bf16.
    auto scale = [&](Value source, Value carried) -> Value {
      if (!isUnsignedFloat(source.getType()))
        return carried;
      Value number = decodeUnsignedFloat(rewriter, loc, carried);
      return aa::FpToFpOp::create(
          rewriter, loc,
          aa::withElementType(number.getType(), rewriter.getBF16Type()), number,
          aa::RoundingMode::NearestEven, /*saturate=*/false);
    };
    return replace(
        aa::DotOp::create(rewriter, loc, adaptor.getAcc().getType(),
                          adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc(),
                          scale(op.getLhsScale(), adaptor.getLhsScale()),
                          scale(op.getRhsScale(), adaptor.getRhsScale()),
                          aa::SignednessAttr(), aa::SignednessAttr(),
                          /*fast_acc=*/false, aa::InputPrecisionAttr()));
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
struct ReductionLowering final : Lowering<SourceOp> {
  LogicalResult lower() {
    SmallVector<Type> types;
    if (failed(
            this->converter.convertTypes(this->op.getResultTypes(), types)) ||
        failed(this->rewriter.convertRegionTypes(&this->op.getBody(),
                                                 this->converter)))
      return this->rewriter.notifyMatchFailure(
          this->op,
          "a result or an argument of the body has no type in nv_tileaa");
    ValueRange operands = this->adaptor.getOperands();
    ArrayAttr identities =
        convertIdentities(this->op.getIdentities(), operands);
    TargetOp result;
    if constexpr (std::is_same_v<TargetOp, aa::ScanOp>)
      result = TargetOp::create(this->rewriter, this->loc, types, operands,
                                this->op.getDim(), this->op.getReverse(),
                                identities);
    else
      result = TargetOp::create(this->rewriter, this->loc, types, operands,
                                this->op.getDim(), identities);
    this->rewriter.inlineRegionBefore(this->op.getBody(), result.getBody(),
                                      result.getBody().end());
    return this->replace(result);
  }
};

} // namespace

void populateSpecialistPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns,
                                CudaTileConversion &conversion) {
  addLowerings<MmaFLowering, MmaILowering, MmaFScaledLowering,
               ReductionLowering<cuda_tile::ReduceOp, aa::ReduceOp>,
               ReductionLowering<cuda_tile::ScanOp, aa::ScanOp>>(
      converter, patterns, conversion);
}

} // namespace tileir
