// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for constants and shapes.

#include "passes/tileaa/patterns/Lowering.h"
#include "passes/tileaa/patterns/UnsignedFloat.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

struct ConstantLowering final : Lowering<cuda_tile::ConstantOp> {
  LogicalResult lower() {
    auto dense = cast<DenseElementsAttr>(op.getValue());
    if (isUnsignedFloat(dense.getElementType()))
      dense = carryUnsignedFloat(
          dense,
          RankedTensorType::get(dense.getType().getShape(),
                                carryUnsignedFloat(dense.getElementType())));
    TypedAttr value;
    if (auto type = dyn_cast<RankedTensorType>(getResultType()))
      value = dense.reshape(type);
    else
      value = cast<TypedAttr>(*dense.value_begin<Attribute>());
    return replace(arith::ConstantOp::create(rewriter, loc, value));
  }
};

struct IotaLowering final : Lowering<cuda_tile::IotaOp> {
  LogicalResult lower() {
    auto type = cast<RankedTensorType>(getResultType());
    return replace(
        aa::MakeRangeOp::create(rewriter, loc, type, 0, type.getDimSize(0)));
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

struct ReshapeLowering final : Lowering<cuda_tile::ReshapeOp> {
  LogicalResult lower() {
    Type type = getResultType();
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
    return replace(result);
  }
};

struct PermuteLowering final : Lowering<cuda_tile::PermuteOp> {
  LogicalResult lower() {
    return replace(aa::PermuteOp::create(rewriter, loc, getResultType(),
                                         adaptor.getSource(),
                                         op.getPermutation()));
  }
};

struct CatLowering final : Lowering<cuda_tile::CatOp> {
  LogicalResult lower() {
    return replace(aa::CatOp::create(rewriter, loc, getResultType(),
                                     adaptor.getLhs(), adaptor.getRhs(),
                                     static_cast<uint32_t>(op.getDim())));
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

struct ExtractLowering final : Lowering<cuda_tile::ExtractOp> {
  LogicalResult lower() {
    auto type = dyn_cast<RankedTensorType>(getResultType());
    if (!type) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    return replace(aa::ExtractSliceOp::create(
        rewriter, loc, type, adaptor.getSource(),
        getOffsets(rewriter, loc, adaptor.getIndices(), type.getShape())));
  }
};

struct InsertLowering final : Lowering<cuda_tile::InsertOp> {
  LogicalResult lower() {
    auto piece = dyn_cast<RankedTensorType>(adaptor.getSource().getType());
    if (!piece) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    return replace(aa::InsertSliceOp::create(
        rewriter, loc, adaptor.getSource(), adaptor.getDestination(),
        getOffsets(rewriter, loc, adaptor.getIndices(), piece.getShape())));
  }
};

} // namespace

void populateShapePatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns,
                           CudaTileConversion &conversion) {
  addLowerings<ConstantLowering, IotaLowering,
               RetypeLowering<cuda_tile::BroadcastOp, aa::BroadcastOp>,
               ReshapeLowering, PermuteLowering, CatLowering, ExtractLowering,
               InsertLowering, SameOp<cuda_tile::SelectOp, arith::SelectOp>>(
      converter, patterns, conversion);
}

} // namespace tileir
