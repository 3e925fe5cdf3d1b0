// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for constants and shapes.

#include "passes/tileaa/patterns/ComputePatterns.h"
#include "passes/tileaa/patterns/UnsignedFloat.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

struct ConstantLowering final : ComputePattern<cuda_tile::ConstantOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::ConstantOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dense = cast<DenseElementsAttr>(op.getValue());
    if (isUnsignedFloat(dense.getElementType()))
      dense = carryUnsignedFloat(
          dense,
          RankedTensorType::get(dense.getType().getShape(),
                                carryUnsignedFloat(dense.getElementType())));
    TypedAttr value;
    if (auto type = dyn_cast<RankedTensorType>(getResultType(op)))
      value = dense.reshape(type);
    else
      value = cast<TypedAttr>(*dense.value_begin<Attribute>());
    replace(rewriter, op,
            arith::ConstantOp::create(rewriter, op.getLoc(), value));
    return success();
  }
};

struct IotaLowering final : ComputePattern<cuda_tile::IotaOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::IotaOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(getResultType(op));
    replace(rewriter, op,
            aa::MakeRangeOp::create(rewriter, op.getLoc(), type, 0,
                                    type.getDimSize(0)));
    return success();
  }
};

/// Positions in `to` of its additional unit dimensions; none when the shapes
/// differ in more.
std::optional<SmallVector<int32_t>> getAddedDims(ArrayRef<int64_t> from,
                                                 ArrayRef<int64_t> to) {
  SmallVector<int32_t> axes;
  size_t next = 0;
  for (auto [d, extent] : llvm::enumerate(to)) {
    if (next < from.size() && from[next] == extent)
      ++next;
    else if (extent == 1)
      axes.push_back(d);
    else
      return std::nullopt;
  }
  if (next != from.size())
    return std::nullopt;
  return axes;
}

Value createI32(ConversionPatternRewriter &rewriter, Location loc,
                int64_t number) {
  return arith::ConstantIntOp::create(rewriter, loc, rewriter.getI32Type(),
                                      number);
}

struct ReshapeLowering final : ComputePattern<cuda_tile::ReshapeOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::ReshapeOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = getResultType(op);
    Value source = adaptor.getSource();
    if (type == source.getType()) {
      rewriter.replaceOp(op, source);
      return success();
    }
    auto from = dyn_cast<RankedTensorType>(source.getType());
    auto to = dyn_cast<RankedTensorType>(type);
    Value result;
    if (!from) {
      result = aa::SplatOp::create(rewriter, loc, type, source);
    } else if (!to) {
      SmallVector<Value> indices(from.getRank(), createI32(rewriter, loc, 0));
      result = aa::ExtractOp::create(rewriter, loc, type, source, indices);
    } else if (std::optional<SmallVector<int32_t>> axes =
                   getAddedDims(from.getShape(), to.getShape())) {
      result = aa::ExpandDimsOp::create(rewriter, loc, type, source, *axes);
    } else {
      result = aa::ViewOp::create(rewriter, loc, type, source);
    }
    replace(rewriter, op, result);
    return success();
  }
};

struct PermuteLowering final : ComputePattern<cuda_tile::PermuteOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::PermuteOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replace(rewriter, op,
            aa::PermuteOp::create(rewriter, op.getLoc(), getResultType(op),
                                  adaptor.getSource(), op.getPermutation()));
    return success();
  }
};

struct CatLowering final : ComputePattern<cuda_tile::CatOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::CatOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replace(rewriter, op,
            aa::CatOp::create(rewriter, op.getLoc(), getResultType(op),
                              adaptor.getLhs(), adaptor.getRhs(),
                              static_cast<uint32_t>(op.getDim())));
    return success();
  }
};

/// The index counts slices; `nv_tileaa` takes element offsets.
SmallVector<Value> getOffsets(ConversionPatternRewriter &rewriter, Location loc,
                              ValueRange indices, ArrayRef<int64_t> piece) {
  SmallVector<Value> offsets;
  for (auto [index, extent] : llvm::zip(indices, piece)) {
    if (extent == 1) {
      offsets.push_back(index);
      continue;
    }
    auto product = arith::MulIOp::create(rewriter, loc, index,
                                         createI32(rewriter, loc, extent));
    product.setOverflowFlags(arith::IntegerOverflowFlags::nuw);
    offsets.push_back(product);
  }
  return offsets;
}

struct ExtractLowering final : ComputePattern<cuda_tile::ExtractOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::ExtractOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(getResultType(op));
    if (!type) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    replace(rewriter, op,
            aa::ExtractSliceOp::create(
                rewriter, op.getLoc(), type, adaptor.getSource(),
                getOffsets(rewriter, op.getLoc(), adaptor.getIndices(),
                           type.getShape())));
    return success();
  }
};

struct InsertLowering final : ComputePattern<cuda_tile::InsertOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::InsertOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto piece = dyn_cast<RankedTensorType>(adaptor.getSource().getType());
    if (!piece) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    replace(rewriter, op,
            aa::InsertSliceOp::create(
                rewriter, op.getLoc(), adaptor.getSource(),
                adaptor.getDestination(),
                getOffsets(rewriter, op.getLoc(), adaptor.getIndices(),
                           piece.getShape())));
    return success();
  }
};

} // namespace

void populateShapePatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns) {
  patterns.add<ConstantLowering, IotaLowering,
               RetypeLowering<cuda_tile::BroadcastOp, aa::BroadcastOp>,
               ReshapeLowering, PermuteLowering, CatLowering, ExtractLowering,
               InsertLowering,
               ElementwiseToUpstream<cuda_tile::SelectOp, arith::SelectOp>>(
      converter, patterns.getContext());
}

} // namespace tileir
