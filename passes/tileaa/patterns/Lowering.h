// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base of the conversions of single operations, and what they share.

#ifndef PASSES_TILEAA_PATTERNS_LOWERING_H
#define PASSES_TILEAA_PATTERNS_LOWERING_H

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

/// The conversion of one operation of `cuda_tile`. A derived struct adds
/// `LogicalResult lower()`, which replaces `op`.
template <typename SourceOp> struct Lowering {
  using Source = SourceOp;

  SourceOp op;
  typename SourceOp::Adaptor adaptor;
  mlir::ConversionPatternRewriter &rewriter;
  const mlir::TypeConverter &converter;
  CudaTileConversion &conversion;
  mlir::Location loc = op.getLoc();

  mlir::Type convert(mlir::Type type) const {
    return converter.convertType(type);
  }
  mlir::Type getResultType() { return convert(op->getResult(0).getType()); }
  mlir::MLIRContext *getContext() const { return rewriter.getContext(); }

  /// Replaces `op` by the results of `made`, which takes its discardable
  /// attributes.
  llvm::LogicalResult replace(mlir::OpState made) {
    copyDiscardableAttrs(op, made);
    rewriter.replaceOp(op, made->getResults());
    return mlir::success();
  }
  llvm::LogicalResult replace(mlir::Value made) {
    copyDiscardableAttrs(op, made.getDefiningOp());
    rewriter.replaceOp(op, made);
    return mlir::success();
  }
};

/// The pattern that makes and runs a `LoweringT` for each operation.
template <typename LoweringT>
struct LoweringPattern final
    : mlir::OpConversionPattern<typename LoweringT::Source> {
  using Source = typename LoweringT::Source;

  LoweringPattern(const mlir::TypeConverter &converter,
                  mlir::MLIRContext *context, CudaTileConversion &conversion,
                  mlir::PatternBenefit benefit)
      : mlir::OpConversionPattern<Source>(converter, context, benefit),
        conversion(conversion) {}

  llvm::LogicalResult
  matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    LoweringT lowering{Lowering<Source>{op, adaptor, rewriter,
                                        *this->getTypeConverter(), conversion}};
    return lowering.lower();
  }

  CudaTileConversion &conversion;
};

/// Adds a pattern for each of `Lowerings`.
template <typename... Lowerings>
void addLowerings(const mlir::TypeConverter &converter,
                  mlir::RewritePatternSet &patterns,
                  CudaTileConversion &conversion,
                  mlir::PatternBenefit benefit = 1) {
  (patterns.add<LoweringPattern<Lowerings>>(converter, patterns.getContext(),
                                            conversion, benefit),
   ...);
}

/// Replaces one operation by one operation without attributes.
template <typename SourceOp, typename TargetOp>
struct SameOp final : Lowering<SourceOp> {
  llvm::LogicalResult lower() {
    return this->replace(TargetOp::create(
        this->rewriter, this->loc, mlir::TypeRange(this->getResultType()),
        this->adaptor.getOperands()));
  }
};

/// Replaces one operation by one operation whose only operand is its source, or
/// by the source where the type stays.
template <typename SourceOp, typename TargetOp>
struct RetypeLowering final : Lowering<SourceOp> {
  llvm::LogicalResult lower() {
    mlir::Type type = this->getResultType();
    mlir::Value source = this->adaptor.getSource();
    if (type != source.getType())
      return this->replace(
          TargetOp::create(this->rewriter, this->loc, type, source));
    this->rewriter.replaceOp(this->op, source);
    return mlir::success();
  }
};

/// A constant of `type`, scalar or tile, whose elements are all `element`.
inline mlir::Value createSplat(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Type type, mlir::TypedAttr element) {
  if (auto tensor = mlir::dyn_cast<mlir::RankedTensorType>(type))
    element = mlir::DenseElementsAttr::get(tensor, element);
  return mlir::arith::ConstantOp::create(builder, loc, element);
}

inline bool isSigned(mlir::cuda_tile::Signedness signedness) {
  return signedness == mlir::cuda_tile::Signedness::Signed;
}

/// Converts a rounding mode; the modes of `nv_tileaa` have the same numbers.
inline mlir::nv_tileaa::RoundingMode
toTileAA(mlir::cuda_tile::RoundingMode mode) {
  using From = mlir::cuda_tile::RoundingMode;
  using To = mlir::nv_tileaa::RoundingMode;
  static_assert(uint32_t(From::NEAREST_EVEN) == uint32_t(To::NearestEven) &&
                uint32_t(From::ZERO) == uint32_t(To::Zero) &&
                uint32_t(From::NEGATIVE_INF) == uint32_t(To::NegativeInf) &&
                uint32_t(From::POSITIVE_INF) == uint32_t(To::PositiveInf) &&
                uint32_t(From::APPROX) == uint32_t(To::Approx) &&
                uint32_t(From::FULL) == uint32_t(To::Full));
  return static_cast<mlir::nv_tileaa::RoundingMode>(mode);
}

/// Adds the patterns of one file.
using PopulatePatterns = void(const mlir::TypeConverter &converter,
                              mlir::RewritePatternSet &patterns,
                              CudaTileConversion &conversion);
PopulatePatterns populateAccessPatterns, populateArithmeticPatterns,
    populateControlPatterns, populateConversionPatterns, populateMemoryPatterns,
    populateShapePatterns, populateSpecialistPatterns;

} // namespace tileir

#endif // PASSES_TILEAA_PATTERNS_LOWERING_H
