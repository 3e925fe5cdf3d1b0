// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/nv_tileaa/NVTileAA.h"
#include "passes/tileaa/CudaTileConversion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

namespace tileir {
namespace {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

/// A pattern for one operation of `cuda_tile` whose results have the converted
/// types.
template <typename SourceOp> struct Lowering : OpConversionPattern<SourceOp> {
  using OpConversionPattern<SourceOp>::OpConversionPattern;
  using Adaptor = typename SourceOp::Adaptor;

  Type getResultType(SourceOp op) const {
    return this->getTypeConverter()->convertType(op->getResult(0).getType());
  }

  /// Replaces `op` by `value` with the discardable attributes of `op`.
  static void replace(ConversionPatternRewriter &rewriter, SourceOp op,
                      Value value) {
    copyDiscardableAttrs(op, value.getDefiningOp());
    rewriter.replaceOp(op, value);
  }
};

/// One operation for one operation, without attributes.
template <typename SourceOp, typename TargetOp>
struct ElementwiseToUpstream final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result = TargetOp::create(rewriter, op.getLoc(),
                                   TypeRange(this->getResultType(op)),
                                   adaptor.getOperands());
    this->replace(rewriter, op, result);
    return success();
  }
};

arith::IntegerOverflowFlags toArith(cuda_tile::IntegerOverflow overflow) {
  switch (overflow) {
  case cuda_tile::IntegerOverflow::NONE:
    return arith::IntegerOverflowFlags::none;
  case cuda_tile::IntegerOverflow::NSW:
    return arith::IntegerOverflowFlags::nsw;
  case cuda_tile::IntegerOverflow::NUW:
    return arith::IntegerOverflowFlags::nuw;
  case cuda_tile::IntegerOverflow::NW:
    return arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  }
  llvm_unreachable("unknown overflow");
}

template <typename SourceOp, typename TargetOp>
struct OverflowToArith final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto result = TargetOp::create(rewriter, op.getLoc(),
                                   TypeRange(this->getResultType(op)),
                                   adaptor.getOperands());
    result.setOverflowFlags(toArith(op.getOverflow()));
    this->replace(rewriter, op, result);
    return success();
  }
};

bool isSigned(cuda_tile::Signedness signedness) {
  return signedness == cuda_tile::Signedness::Signed;
}

template <typename SourceOp, typename SignedOp, typename UnsignedOp>
struct SignedToArith final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = this->getResultType(op);
    Value result;
    if (isSigned(op.getSignedness()))
      result = SignedOp::create(rewriter, op.getLoc(), TypeRange(type),
                                adaptor.getOperands());
    else
      result = UnsignedOp::create(rewriter, op.getLoc(), TypeRange(type),
                                  adaptor.getOperands());
    this->replace(rewriter, op, result);
    return success();
  }
};

aa::RoundingMode toTileAA(cuda_tile::RoundingMode mode) {
  return static_cast<aa::RoundingMode>(mode);
}

bool isPlain(cuda_tile::RoundingMode mode, bool ftz) {
  return mode == cuda_tile::RoundingMode::NEAREST_EVEN && !ftz;
}

/// Upstream without modifiers, else the operation of `nv_tileaa`.
template <typename SourceOp, typename PlainOp, typename ModifiedOp>
struct RoundedBinary final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    Value result;
    if (isPlain(op.getRoundingMode(), op.getFlushToZero()))
      result = PlainOp::create(rewriter, op.getLoc(), lhs, rhs);
    else
      result = ModifiedOp::create(rewriter, op.getLoc(), lhs, rhs,
                                  toTileAA(op.getRoundingMode()),
                                  op.getFlushToZero());
    this->replace(rewriter, op, result);
    return success();
  }
};

struct FmaLowering final : Lowering<cuda_tile::FmaOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::FmaOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value result;
    if (isPlain(op.getRoundingMode(), op.getFlushToZero()))
      result = math::FmaOp::create(rewriter, op.getLoc(), adaptor.getLhs(),
                                   adaptor.getRhs(), adaptor.getAcc());
    else
      result = aa::FmaOp::create(rewriter, op.getLoc(), adaptor.getLhs(),
                                 adaptor.getRhs(), adaptor.getAcc(),
                                 toTileAA(op.getRoundingMode()),
                                 op.getFlushToZero());
    replace(rewriter, op, result);
    return success();
  }
};

struct SqrtLowering final : Lowering<cuda_tile::SqrtOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::SqrtOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value result;
    if (isPlain(op.getRoundingMode(), op.getFlushToZero()))
      result = math::SqrtOp::create(rewriter, op.getLoc(), adaptor.getSource());
    else
      result = aa::SqrtOp::create(rewriter, op.getLoc(), adaptor.getSource(),
                                  toTileAA(op.getRoundingMode()),
                                  op.getFlushToZero());
    replace(rewriter, op, result);
    return success();
  }
};

template <typename SourceOp, typename PlainOp, typename FtzOp>
struct FlushUnary final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value result;
    if (op.getFlushToZero())
      result = FtzOp::create(rewriter, op.getLoc(), adaptor.getSource(),
                             /*ftz=*/true);
    else
      result = PlainOp::create(rewriter, op.getLoc(), adaptor.getSource());
    this->replace(rewriter, op, result);
    return success();
  }
};

/// `approx` is the only fast-math flag that the source dialect knows.
template <typename SourceOp, typename TargetOp>
struct ApproxUnary final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto flags = op.getRoundingMode() == cuda_tile::RoundingMode::APPROX
                     ? arith::FastMathFlags::afn
                     : arith::FastMathFlags::none;
    auto result =
        TargetOp::create(rewriter, op.getLoc(), adaptor.getSource(), flags);
    this->replace(rewriter, op, result);
    return success();
  }
};

template <typename SourceOp, typename NaNOp, typename NumOp, typename FtzOp>
struct Extremum final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs();
    Value result;
    if (op.getFlushToZero())
      result = FtzOp::create(rewriter, op.getLoc(), lhs, rhs,
                             op.getPropagateNan(), /*ftz=*/true);
    else if (op.getPropagateNan())
      result = NaNOp::create(rewriter, op.getLoc(), lhs, rhs);
    else
      result = NumOp::create(rewriter, op.getLoc(), lhs, rhs);
    this->replace(rewriter, op, result);
    return success();
  }
};

arith::CmpFPredicate toArith(cuda_tile::ComparisonPredicate predicate,
                             bool ordered) {
  using P = cuda_tile::ComparisonPredicate;
  using A = arith::CmpFPredicate;
  switch (predicate) {
  case P::EQUAL:
    return ordered ? A::OEQ : A::UEQ;
  case P::NOT_EQUAL:
    return ordered ? A::ONE : A::UNE;
  case P::LESS_THAN:
    return ordered ? A::OLT : A::ULT;
  case P::LESS_THAN_OR_EQUAL:
    return ordered ? A::OLE : A::ULE;
  case P::GREATER_THAN:
    return ordered ? A::OGT : A::UGT;
  case P::GREATER_THAN_OR_EQUAL:
    return ordered ? A::OGE : A::UGE;
  }
  llvm_unreachable("unknown predicate");
}

arith::CmpIPredicate toArithInt(cuda_tile::ComparisonPredicate predicate,
                                bool isSigned) {
  using P = cuda_tile::ComparisonPredicate;
  using A = arith::CmpIPredicate;
  switch (predicate) {
  case P::EQUAL:
    return A::eq;
  case P::NOT_EQUAL:
    return A::ne;
  case P::LESS_THAN:
    return isSigned ? A::slt : A::ult;
  case P::LESS_THAN_OR_EQUAL:
    return isSigned ? A::sle : A::ule;
  case P::GREATER_THAN:
    return isSigned ? A::sgt : A::ugt;
  case P::GREATER_THAN_OR_EQUAL:
    return isSigned ? A::sge : A::uge;
  }
  llvm_unreachable("unknown predicate");
}

struct CmpFLowering final : Lowering<cuda_tile::CmpFOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::CmpFOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    bool ordered =
        op.getComparisonOrdering() == cuda_tile::ComparisonOrdering::ORDERED;
    replace(rewriter, op,
            arith::CmpFOp::create(rewriter, op.getLoc(),
                                  toArith(op.getComparisonPredicate(), ordered),
                                  adaptor.getLhs(), adaptor.getRhs()));
    return success();
  }
};

struct CmpILowering final : Lowering<cuda_tile::CmpIOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::CmpIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replace(rewriter, op,
            arith::CmpIOp::create(rewriter, op.getLoc(),
                                  toArithInt(op.getComparisonPredicate(),
                                             isSigned(op.getSignedness())),
                                  adaptor.getLhs(), adaptor.getRhs()));
    return success();
  }
};

struct DivILowering final : Lowering<cuda_tile::DivIOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::DivIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value lhs = adaptor.getLhs(), rhs = adaptor.getRhs(), result;
    bool isSignedOp = isSigned(op.getSignedness());
    switch (op.getRounding()) {
    case cuda_tile::RoundingMode::POSITIVE_INF:
      result = isSignedOp
                   ? Value(arith::CeilDivSIOp::create(rewriter, loc, lhs, rhs))
                   : Value(arith::CeilDivUIOp::create(rewriter, loc, lhs, rhs));
      break;
    case cuda_tile::RoundingMode::NEGATIVE_INF:
      if (!isSignedOp)
        return failure();
      result = arith::FloorDivSIOp::create(rewriter, loc, lhs, rhs);
      break;
    default:
      result = isSignedOp
                   ? Value(arith::DivSIOp::create(rewriter, loc, lhs, rhs))
                   : Value(arith::DivUIOp::create(rewriter, loc, lhs, rhs));
    }
    replace(rewriter, op, result);
    return success();
  }
};

struct NegILowering final : Lowering<cuda_tile::NegIOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::NegIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = adaptor.getSource();
    Value zero = arith::ConstantOp::create(
        rewriter, op.getLoc(), rewriter.getZeroAttr(source.getType()));
    auto result = arith::SubIOp::create(rewriter, op.getLoc(), zero, source);
    result.setOverflowFlags(toArith(op.getOverflow()));
    replace(rewriter, op, result);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// tf32, f8 and f4: upstream converts integers to and from the others only.
bool isNarrowFloat(Type type) {
  return isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType>(getElementTypeOrSelf(type));
}

bool saturates(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(
      getElementTypeOrSelf(type));
}

/// Whether every value of the first type is one of the second.
bool isExact(Type from, Type to) {
  const llvm::fltSemantics &source =
      cast<FloatType>(getElementTypeOrSelf(from)).getFloatSemantics();
  const llvm::fltSemantics &target =
      cast<FloatType>(getElementTypeOrSelf(to)).getFloatSemantics();
  return APFloat::isRepresentableBy(source, target);
}

Value toF32(ConversionPatternRewriter &rewriter, Location loc, Value value) {
  if (!isNarrowFloat(value.getType()))
    return value;
  return aa::FpToFpOp::create(
      rewriter, loc,
      aa::withElementType(value.getType(), rewriter.getF32Type()), value,
      aa::RoundingMode::NearestEven, /*saturate=*/false);
}

struct FToFLowering final : Lowering<cuda_tile::FToFOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::FToFOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
    Value source = adaptor.getFrom();
    aa::RoundingMode mode = toTileAA(op.getRoundingMode());
    // Where nothing is lost the mode does not matter.
    if (isExact(source.getType(), type) &&
        !isa<Float8E8M0FNUType>(getElementTypeOrSelf(type)))
      mode = aa::RoundingMode::NearestEven;
    replace(rewriter, op,
            aa::FpToFpOp::create(rewriter, op.getLoc(), type, source, mode,
                                 saturates(type)));
    return success();
  }
};

struct FToILowering final : Lowering<cuda_tile::FToIOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::FToIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value source = toF32(rewriter, op.getLoc(), adaptor.getFrom());
    Type type = getResultType(op);
    Value result = isSigned(op.getSignedness())
                       ? Value(arith::FPToSIOp::create(rewriter, op.getLoc(),
                                                       type, source))
                       : Value(arith::FPToUIOp::create(rewriter, op.getLoc(),
                                                       type, source));
    replace(rewriter, op, result);
    return success();
  }
};

struct IToFLowering final : Lowering<cuda_tile::IToFOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::IToFOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
    Type direct = isNarrowFloat(type)
                      ? aa::withElementType(type, rewriter.getF32Type())
                      : type;
    Value source = adaptor.getFrom();
    Value result = isSigned(op.getSignedness())
                       ? Value(arith::SIToFPOp::create(rewriter, op.getLoc(),
                                                       direct, source))
                       : Value(arith::UIToFPOp::create(rewriter, op.getLoc(),
                                                       direct, source));
    if (direct != type)
      result =
          aa::FpToFpOp::create(rewriter, op.getLoc(), type, result,
                               aa::RoundingMode::NearestEven, saturates(type));
    replace(rewriter, op, result);
    return success();
  }
};

struct ExtILowering final : Lowering<cuda_tile::ExtIOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::ExtIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
    Value result = isSigned(op.getSignedness())
                       ? Value(arith::ExtSIOp::create(rewriter, op.getLoc(),
                                                      type, adaptor.getFrom()))
                       : Value(arith::ExtUIOp::create(rewriter, op.getLoc(),
                                                      type, adaptor.getFrom()));
    replace(rewriter, op, result);
    return success();
  }
};

struct BitcastLowering final : Lowering<cuda_tile::BitcastOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::BitcastOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
    if (type == adaptor.getSource().getType()) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    replace(rewriter, op,
            arith::BitcastOp::create(rewriter, op.getLoc(), type,
                                     adaptor.getSource()));
    return success();
  }
};

/// pack, unpack, ptr_to_ptr.
template <typename SourceOp> struct ToTileBitcast final : Lowering<SourceOp> {
  using Lowering<SourceOp>::Lowering;

  LogicalResult
  matchAndRewrite(SourceOp op, typename SourceOp::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = this->getResultType(op);
    if (type == adaptor.getSource().getType()) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    this->replace(rewriter, op,
                  aa::BitcastOp::create(rewriter, op.getLoc(), type,
                                        adaptor.getSource()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Constants and shapes
//===----------------------------------------------------------------------===//

struct ConstantLowering final : Lowering<cuda_tile::ConstantOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::ConstantOp op, Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto dense = cast<DenseElementsAttr>(op.getValue());
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

struct IotaLowering final : Lowering<cuda_tile::IotaOp> {
  using Lowering::Lowering;

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

struct BroadcastLowering final : Lowering<cuda_tile::BroadcastOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::BroadcastOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getResultType(op);
    if (type == adaptor.getSource().getType()) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    replace(rewriter, op,
            aa::BroadcastOp::create(rewriter, op.getLoc(), type,
                                    adaptor.getSource()));
    return success();
  }
};

/// Positions in `to` of the unit dimensions that `from` lacks; none when the
/// shapes differ by more.
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
  using Lowering::Lowering;

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

struct PermuteLowering final : Lowering<cuda_tile::PermuteOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::PermuteOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replace(rewriter, op,
            aa::PermuteOp::create(rewriter, op.getLoc(), getResultType(op),
                                  adaptor.getSource(), op.getPermutation()));
    return success();
  }
};

struct CatLowering final : Lowering<cuda_tile::CatOp> {
  using Lowering::Lowering;

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

/// The index counts pieces; `extract_slice` counts elements.
struct ExtractLowering final : Lowering<cuda_tile::ExtractOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::ExtractOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto type = dyn_cast<RankedTensorType>(getResultType(op));
    if (!type) {
      rewriter.replaceOp(op, adaptor.getSource());
      return success();
    }
    SmallVector<Value> offsets;
    for (auto [index, extent] :
         llvm::zip(adaptor.getIndices(), type.getShape())) {
      if (extent == 1) {
        offsets.push_back(index);
        continue;
      }
      auto product = arith::MulIOp::create(rewriter, loc, index,
                                           createI32(rewriter, loc, extent));
      product.setOverflowFlags(arith::IntegerOverflowFlags::nuw);
      offsets.push_back(product);
    }
    replace(rewriter, op,
            aa::ExtractSliceOp::create(rewriter, loc, type, adaptor.getSource(),
                                       offsets));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

struct IfLowering final : Lowering<cuda_tile::IfOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::IfOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    auto result =
        scf::IfOp::create(rewriter, op.getLoc(), types, adaptor.getCondition(),
                          /*addThenBlock=*/false,
                          /*addElseBlock=*/false);
    rewriter.inlineRegionBefore(op.getThenRegion(), result.getThenRegion(),
                                result.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getElseRegion(), result.getElseRegion(),
                                result.getElseRegion().end());
    copyDiscardableAttrs(op, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct ForLowering final : Lowering<cuda_tile::ForOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::ForOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (failed(
            rewriter.convertRegionTypes(&op.getRegion(), *getTypeConverter())))
      return failure();
    auto loop = scf::ForOp::create(
        rewriter, op.getLoc(), adaptor.getLowerBound(), adaptor.getUpperBound(),
        adaptor.getStep(), adaptor.getInitValues(),
        /*bodyBuilder=*/nullptr, op.getUnsignedCmp());
    rewriter.eraseBlock(loop.getBody());
    rewriter.inlineRegionBefore(op.getRegion(), loop.getRegion(),
                                loop.getRegion().end());
    copyDiscardableAttrs(op, loop);
    rewriter.replaceOp(op, loop);
    return success();
  }
};

/// In normal form the body ends with `if %go { continue } else { break }` and
/// a terminator that is never reached.
struct LoopLowering final : Lowering<cuda_tile::LoopOp> {
  using Lowering::Lowering;

  LogicalResult
  matchAndRewrite(cuda_tile::LoopOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Block *body = op.getBody();
    Operation *unreachable = body->getTerminator();
    auto last = dyn_cast_or_null<cuda_tile::IfOp>(unreachable->getPrevNode());
    if (!last || !last.getElseTerminator())
      return rewriter.notifyMatchFailure(op, "not in normal form");
    auto next = dyn_cast<cuda_tile::ContinueOp>(last.getThenTerminator());
    auto leave = dyn_cast<cuda_tile::BreakOp>(last.getElseTerminator());
    if (!next || !leave)
      return rewriter.notifyMatchFailure(op, "not in normal form");

    size_t numCarried = op.getInitValues().size();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getInitValues().getTypes(),
                                                types)) ||
        failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return failure();
    SmallVector<Value> exitOperands{last.getCondition()};
    llvm::append_range(exitOperands, next.getOperands());
    llvm::append_range(exitOperands, leave.getOperands());

    auto loop = scf::WhileOp::create(rewriter, op.getLoc(), types,
                                     adaptor.getInitValues());
    // The operands of the condition still have the types of `cuda_tile`; the
    // pattern of the terminator below gets them converted.
    rewriter.setInsertionPoint(unreachable);
    cuda_tile::YieldOp::create(rewriter, op.getLoc(), exitOperands);
    rewriter.eraseOp(unreachable);
    rewriter.eraseOp(last);
    if (failed(
            rewriter.convertRegionTypes(&op.getRegion(), *getTypeConverter())))
      return failure();
    rewriter.inlineRegionBefore(op.getRegion(), loop.getBefore(),
                                loop.getBefore().end());
    SmallVector<Location> locs(types.size(), op.getLoc());
    Block *after = rewriter.createBlock(&loop.getAfter(), {}, types, locs);
    scf::YieldOp::create(rewriter, op.getLoc(),
                         after->getArguments().take_front(numCarried));
    copyDiscardableAttrs(op, loop);
    rewriter.replaceOp(op, loop.getResults().drop_front(numCarried));
    return success();
  }
};

struct YieldLowering final : OpConversionPattern<cuda_tile::YieldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::YieldOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Operation *parent = op->getParentOp();
    ValueRange operands = adaptor.getOperands();
    if (isa<scf::WhileOp>(parent))
      rewriter.replaceOpWithNewOp<scf::ConditionOp>(op, operands.front(),
                                                    operands.drop_front());
    else if (isa<aa::ReduceOp, aa::ScanOp>(parent))
      rewriter.replaceOpWithNewOp<aa::YieldOp>(op, operands);
    else if (isa<scf::IfOp>(parent))
      rewriter.replaceOpWithNewOp<scf::YieldOp>(op, operands);
    else
      return failure();
    return success();
  }
};

struct ContinueLowering final : OpConversionPattern<cuda_tile::ContinueOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(cuda_tile::ContinueOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<scf::ForOp>(op->getParentOp()))
      return failure();
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, adaptor.getOperands());
    return success();
  }
};

struct PoisonLowering final : OpConversionPattern<ub::PoisonOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ub::PoisonOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Type type = getTypeConverter()->convertType(op.getType());
    if (!type)
      return failure();
    rewriter.replaceOpWithNewOp<ub::PoisonOp>(op, type, op.getValue());
    return success();
  }
};

} // namespace

void populateCudaTileToTileAAComputePatterns(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  using namespace cuda_tile;
  MLIRContext *context = patterns.getContext();
  patterns.add<
      // Floats.
      ElementwiseToUpstream<AbsFOp, math::AbsFOp>,
      ElementwiseToUpstream<CeilOp, math::CeilOp>,
      ElementwiseToUpstream<CosOp, math::CosOp>,
      ElementwiseToUpstream<CosHOp, math::CoshOp>,
      ElementwiseToUpstream<FloorOp, math::FloorOp>,
      ElementwiseToUpstream<LogOp, math::LogOp>,
      ElementwiseToUpstream<Log2Op, math::Log2Op>,
      ElementwiseToUpstream<SinOp, math::SinOp>,
      ElementwiseToUpstream<SinHOp, math::SinhOp>,
      ElementwiseToUpstream<TanOp, math::TanOp>,
      ElementwiseToUpstream<Atan2Op, math::Atan2Op>,
      ElementwiseToUpstream<PowOp, math::PowFOp>,
      ElementwiseToUpstream<NegFOp, arith::NegFOp>,
      ElementwiseToUpstream<RemFOp, arith::RemFOp>,
      RoundedBinary<AddFOp, arith::AddFOp, aa::AddFOp>,
      RoundedBinary<SubFOp, arith::SubFOp, aa::SubFOp>,
      RoundedBinary<MulFOp, arith::MulFOp, aa::MulFOp>,
      RoundedBinary<DivFOp, arith::DivFOp, aa::DivFOp>, FmaLowering,
      SqrtLowering, FlushUnary<Exp2Op, math::Exp2Op, aa::Exp2Op>,
      FlushUnary<RsqrtOp, math::RsqrtOp, aa::RsqrtOp>,
      ApproxUnary<ExpOp, math::ExpOp>, ApproxUnary<TanHOp, math::TanhOp>,
      Extremum<MaxFOp, arith::MaximumFOp, arith::MaxNumFOp, aa::MaxFOp>,
      Extremum<MinFOp, arith::MinimumFOp, arith::MinNumFOp, aa::MinFOp>,
      CmpFLowering,
      // Integers.
      ElementwiseToUpstream<AbsIOp, math::AbsIOp>,
      ElementwiseToUpstream<AndIOp, arith::AndIOp>,
      ElementwiseToUpstream<OrIOp, arith::OrIOp>,
      ElementwiseToUpstream<XOrIOp, arith::XOrIOp>,
      ElementwiseToUpstream<MulhiIOp, aa::MulhiUIOp>,
      OverflowToArith<AddIOp, arith::AddIOp>,
      OverflowToArith<SubIOp, arith::SubIOp>,
      OverflowToArith<MulIOp, arith::MulIOp>,
      OverflowToArith<ShLIOp, arith::ShLIOp>,
      OverflowToArith<TruncIOp, arith::TruncIOp>,
      SignedToArith<ShRIOp, arith::ShRSIOp, arith::ShRUIOp>,
      SignedToArith<RemIOp, arith::RemSIOp, arith::RemUIOp>,
      SignedToArith<MaxIOp, arith::MaxSIOp, arith::MaxUIOp>,
      SignedToArith<MinIOp, arith::MinSIOp, arith::MinUIOp>, DivILowering,
      NegILowering, CmpILowering,
      // Conversions.
      BitcastLowering, ExtILowering, FToFLowering, FToILowering, IToFLowering,
      ToTileBitcast<PackOp>, ToTileBitcast<UnpackOp>, ToTileBitcast<PtrToPtrOp>,
      // Constants and shapes.
      ConstantLowering, IotaLowering, BroadcastLowering, ReshapeLowering,
      PermuteLowering, CatLowering, ExtractLowering,
      ElementwiseToUpstream<SelectOp, arith::SelectOp>,
      // Control flow.
      IfLowering, ForLowering, LoopLowering, YieldLowering, ContinueLowering,
      PoisonLowering>(converter, context);
}

} // namespace tileir
