// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for arithmetic and comparisons.

#include "passes/tileaa/patterns/ComputePatterns.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include "mlir/IR/Matchers.h"

namespace tileir {

using namespace mlir;
namespace aa = mlir::nv_tileaa;

namespace {

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
struct OverflowToArith final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

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

template <typename SourceOp, typename SignedOp, typename UnsignedOp>
struct SignedToArith final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

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

bool isPlain(cuda_tile::RoundingMode mode, bool ftz) {
  return mode == cuda_tile::RoundingMode::NEAREST_EVEN && !ftz;
}

/// Lowers to the upstream operation without modifiers, else to the operation of
/// `nv_tileaa`.
template <typename SourceOp, typename PlainOp, typename ModifiedOp>
struct RoundedBinary final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

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

struct FmaLowering final : ComputePattern<cuda_tile::FmaOp> {
  using ComputePattern::ComputePattern;

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

struct SqrtLowering final : ComputePattern<cuda_tile::SqrtOp> {
  using ComputePattern::ComputePattern;

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
struct FlushUnary final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

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

/// `approx` is the only fast-math flag of `cuda_tile`.
template <typename SourceOp, typename TargetOp>
struct ApproxUnary final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

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
struct Extremum final : ComputePattern<SourceOp> {
  using ComputePattern<SourceOp>::ComputePattern;

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

struct CmpFLowering final : ComputePattern<cuda_tile::CmpFOp> {
  using ComputePattern::ComputePattern;

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

/// Returns whether the numbers `value` are computed from booleans alone, each
/// as zero or one, by operations that also work on booleans. C++ front ends
/// keep masks in bytes, which no later pass would recognize as masks.
bool isMadeOfBooleans(Value value, llvm::SmallPtrSetImpl<Operation *> &seen) {
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return op;
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return getElementTypeOrSelf(extend.getIn().getType()).isInteger(1);
  return isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, aa::BroadcastOp,
             aa::ExpandDimsOp, aa::ViewOp, aa::SplatOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isMadeOfBooleans(operand, seen);
         });
}

/// Returns the booleans of such numbers; `made` caches those that exist.
Value makeBooleans(ConversionPatternRewriter &rewriter, Value value,
                   DenseMap<Value, Value> &made) {
  if (Value known = made.lookup(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (auto extend = dyn_cast<arith::ExtUIOp>(op))
    return extend.getIn();
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(makeBooleans(rewriter, operand, made));
  Type type = rewriter.getI1Type();
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    type = tile.clone(type);
  Operation *booleans =
      rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                      TypeRange(type), op->getAttrs());
  return made[value] = booleans->getResult(0);
}

struct CmpILowering final : ComputePattern<cuda_tile::CmpIOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::CmpIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (op.getComparisonPredicate() ==
            cuda_tile::ComparisonPredicate::NOT_EQUAL &&
        matchPattern(adaptor.getRhs(), m_Zero()) &&
        isMadeOfBooleans(adaptor.getLhs(), seen)) {
      DenseMap<Value, Value> made;
      rewriter.replaceOp(op, makeBooleans(rewriter, adaptor.getLhs(), made));
      return success();
    }
    replace(rewriter, op,
            arith::CmpIOp::create(rewriter, op.getLoc(),
                                  toArithInt(op.getComparisonPredicate(),
                                             isSigned(op.getSignedness())),
                                  adaptor.getLhs(), adaptor.getRhs()));
    return success();
  }
};

struct DivILowering final : ComputePattern<cuda_tile::DivIOp> {
  using ComputePattern::ComputePattern;

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
        return rewriter.notifyMatchFailure(
            op, "unsigned division has no floor of its own");
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

struct NegILowering final : ComputePattern<cuda_tile::NegIOp> {
  using ComputePattern::ComputePattern;

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

/// An integer power is one of f32, or of f64, which holds every exponent.
struct FPowILowering final : ComputePattern<cuda_tile::FPowIOp> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::FPowIOp op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = getResultType(op);
    Type element = getElementTypeOrSelf(type);
    Value base = adaptor.getSource(), exponent = adaptor.getExponent();
    Type work = element.isF64() ? element : Type(rewriter.getF32Type());
    Type workType = aa::withElementType(type, work);
    if (element != work)
      base = arith::ExtFOp::create(rewriter, loc, workType, base);
    Type i32 = aa::withElementType(type, rewriter.getI32Type());
    Value result;
    if (work.isF32()) {
      if (exponent.getType() != i32)
        exponent = arith::ExtSIOp::create(rewriter, loc, i32, exponent);
      result = math::FPowIOp::create(rewriter, loc, base, exponent);
    } else {
      result = math::PowFOp::create(
          rewriter, loc, base,
          arith::SIToFPOp::create(rewriter, loc, workType, exponent));
    }
    if (element != work)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    replace(rewriter, op, result);
    return success();
  }
};

/// Lowers to the library function at once: the folder of `math.atan2` makes a
/// NaN of two zeros.
struct Atan2Lowering final : ComputePattern<cuda_tile::Atan2Op> {
  using ComputePattern::ComputePattern;

  LogicalResult
  matchAndRewrite(cuda_tile::Atan2Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type type = getResultType(op);
    Type element = getElementTypeOrSelf(type);
    bool isNarrow = element.getIntOrFloatBitWidth() < 32;
    Type work =
        isNarrow ? aa::withElementType(type, rewriter.getF32Type()) : type;
    SmallVector<Value> inputs(adaptor.getOperands());
    if (isNarrow)
      for (Value &input : inputs)
        input = arith::ExtFOp::create(rewriter, loc, work, input);
    Value result = aa::ExternElementwiseOp::create(
        rewriter, loc, work, element.isF64() ? "__nv_atan2" : "__nv_atan2f",
        inputs, /*pure=*/true);
    if (isNarrow)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    replace(rewriter, op, result);
    return success();
  }
};

} // namespace

void populateArithmeticPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  using namespace cuda_tile;
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
      ElementwiseToUpstream<TanOp, math::TanOp>, Atan2Lowering,
      ElementwiseToUpstream<PowOp, math::PowFOp>, FPowILowering,
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
      NegILowering, CmpILowering>(converter, patterns.getContext());
}

} // namespace tileir
