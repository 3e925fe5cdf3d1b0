// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations shared by the pattern files of arithmetic, conversions, shapes
// and control flow.

#ifndef PASSES_TILEAA_PATTERNS_COMPUTEPATTERNS_H
#define PASSES_TILEAA_PATTERNS_COMPUTEPATTERNS_H

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tileir {

/// A pattern for one operation of `cuda_tile` whose results have the converted
/// types.
template <typename SourceOp>
struct ComputePattern : mlir::OpConversionPattern<SourceOp> {
  using mlir::OpConversionPattern<SourceOp>::OpConversionPattern;
  using Adaptor = typename SourceOp::Adaptor;

  mlir::Type getResultType(SourceOp op) const {
    return this->getTypeConverter()->convertType(op->getResult(0).getType());
  }

  /// Replaces `op` by `value` with the discardable attributes of `op`.
  static void replace(mlir::ConversionPatternRewriter &rewriter, SourceOp op,
                      mlir::Value value) {
    copyDiscardableAttrs(op, value.getDefiningOp());
    rewriter.replaceOp(op, value);
  }
};

/// Replaces one operation by one operation without attributes.
template <typename SourceOp, typename TargetOp>
struct ElementwiseToUpstream final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

  llvm::LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    auto result = TargetOp::create(rewriter, op.getLoc(),
                                   mlir::TypeRange(this->getResultType(op)),
                                   adaptor.getOperands());
    this->replace(rewriter, op, result);
    return mlir::success();
  }
};

/// Replaces one operation by one operation whose only operand is its source, or
/// by the source where the type stays.
template <typename SourceOp, typename TargetOp>
struct RetypeLowering final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

  llvm::LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::Type type = this->getResultType(op);
    mlir::Value source = adaptor.getSource();
    if (type == source.getType())
      rewriter.replaceOp(op, source);
    else
      this->replace(rewriter, op,
                    TargetOp::create(rewriter, op.getLoc(), type, source));
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

// Adds the patterns of one file each.
void populateArithmeticPatterns(const mlir::TypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
void populateConversionPatterns(const mlir::TypeConverter &converter,
                                mlir::RewritePatternSet &patterns);
void populateShapePatterns(const mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateControlPatterns(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);

} // namespace tileir

#endif // PASSES_TILEAA_PATTERNS_COMPUTEPATTERNS_H
