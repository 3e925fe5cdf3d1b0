// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for arithmetic and comparisons.

#include "passes/tileaa/patterns/Lowering.h"

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
struct OverflowToArith final : Lowering<SourceOp> {
  LogicalResult lower() {
    auto result = TargetOp::create(this->rewriter, this->loc,
                                   TypeRange(this->getResultType()),
                                   this->adaptor.getOperands());
    result.setOverflowFlags(toArith(this->op.getOverflow()));
    return this->replace(result);
  }
};

template <typename SourceOp, typename SignedOp, typename UnsignedOp>
struct SignedToArith final : Lowering<SourceOp> {
  LogicalResult lower() {
    Type type = this->getResultType();
    Value result;
    if (isSigned(this->op.getSignedness()))
      result = SignedOp::create(this->rewriter, this->loc, TypeRange(type),
                                this->adaptor.getOperands());
    else
      result = UnsignedOp::create(this->rewriter, this->loc, TypeRange(type),
                                  this->adaptor.getOperands());
    return this->replace(result);
  }
};

bool isPlain(cuda_tile::RoundingMode mode, bool ftz) {
  return mode == cuda_tile::RoundingMode::NEAREST_EVEN && !ftz;
}

/// Lowers to the upstream operation without modifiers, else to the operation of
/// `nv_tileaa`.
template <typename SourceOp, typename PlainOp, typename ModifiedOp>
struct RoundedBinary final : Lowering<SourceOp> {
  LogicalResult lower() {
    Value lhs = this->adaptor.getLhs(), rhs = this->adaptor.getRhs();
    Value result;
    if (isPlain(this->op.getRoundingMode(), this->op.getFlushToZero()))
      result = PlainOp::create(this->rewriter, this->loc, lhs, rhs);
    else
      result = ModifiedOp::create(this->rewriter, this->loc, lhs, rhs,
                                  toTileAA(this->op.getRoundingMode()),
                                  this->op.getFlushToZero());
    return this->replace(result);
  }
};

struct FmaLowering final : Lowering<cuda_tile::FmaOp> {
  LogicalResult lower() {
    Value result;
    if (isPlain(op.getRoundingMode(), op.getFlushToZero()))
      result = math::FmaOp::create(rewriter, loc, adaptor.getLhs(),
                                   adaptor.getRhs(), adaptor.getAcc());
    else
      result = aa::FmaOp::create(
          rewriter, loc, adaptor.getLhs(), adaptor.getRhs(), adaptor.getAcc(),
          toTileAA(op.getRoundingMode()), op.getFlushToZero());
    return replace(result);
  }
};

struct SqrtLowering final : Lowering<cuda_tile::SqrtOp> {
  LogicalResult lower() {
    Value result;
    if (isPlain(op.getRoundingMode(), op.getFlushToZero()))
      result = math::SqrtOp::create(rewriter, loc, adaptor.getSource());
    else
      result = aa::SqrtOp::create(rewriter, loc, adaptor.getSource(),
                                  toTileAA(op.getRoundingMode()),
                                  op.getFlushToZero());
    return replace(result);
  }
};

template <typename SourceOp, typename PlainOp, typename FtzOp>
struct FlushUnary final : Lowering<SourceOp> {
  LogicalResult lower() {
    Value result;
    if (this->op.getFlushToZero())
      result =
          FtzOp::create(this->rewriter, this->loc, this->adaptor.getSource(),
                        /*ftz=*/true);
    else
      result =
          PlainOp::create(this->rewriter, this->loc, this->adaptor.getSource());
    return this->replace(result);
  }
};

/// `approx` is the only fast-math flag of `cuda_tile`.
template <typename SourceOp, typename TargetOp>
struct ApproxUnary final : Lowering<SourceOp> {
  LogicalResult lower() {
    auto flags = this->op.getRoundingMode() == cuda_tile::RoundingMode::APPROX
                     ? arith::FastMathFlags::afn
                     : arith::FastMathFlags::none;
    auto result = TargetOp::create(this->rewriter, this->loc,
                                   this->adaptor.getSource(), flags);
    return this->replace(result);
  }
};

template <typename SourceOp, typename NaNOp, typename NumOp, typename FtzOp>
struct Extremum final : Lowering<SourceOp> {
  LogicalResult lower() {
    Value lhs = this->adaptor.getLhs(), rhs = this->adaptor.getRhs();
    Value result;
    if (this->op.getFlushToZero())
      result = FtzOp::create(this->rewriter, this->loc, lhs, rhs,
                             this->op.getPropagateNan(), /*ftz=*/true);
    else if (this->op.getPropagateNan())
      result = NaNOp::create(this->rewriter, this->loc, lhs, rhs);
    else
      result = NumOp::create(this->rewriter, this->loc, lhs, rhs);
    return this->replace(result);
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
  LogicalResult lower() {
    bool ordered =
        op.getComparisonOrdering() == cuda_tile::ComparisonOrdering::ORDERED;
    return replace(arith::CmpFOp::create(
        rewriter, loc, toArith(op.getComparisonPredicate(), ordered),
        adaptor.getLhs(), adaptor.getRhs()));
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

struct CmpILowering final : Lowering<cuda_tile::CmpIOp> {
  LogicalResult lower() {
    llvm::SmallPtrSet<Operation *, 8> seen;
    if (op.getComparisonPredicate() ==
            cuda_tile::ComparisonPredicate::NOT_EQUAL &&
        matchPattern(adaptor.getRhs(), m_Zero()) &&
        isMadeOfBooleans(adaptor.getLhs(), seen)) {
      DenseMap<Value, Value> made;
      rewriter.replaceOp(op, makeBooleans(rewriter, adaptor.getLhs(), made));
      return success();
    }
    return replace(arith::CmpIOp::create(
        rewriter, loc,
        toArithInt(op.getComparisonPredicate(), isSigned(op.getSignedness())),
        adaptor.getLhs(), adaptor.getRhs()));
  }
};

struct DivILowering final : Lowering<cuda_tile::DivIOp> {
  LogicalResult lower() {
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
    return replace(result);
  }
};

struct NegILowering final : Lowering<cuda_tile::NegIOp> {
  LogicalResult lower() {
    Value source = adaptor.getSource();
    Value zero = arith::ConstantOp::create(
        rewriter, loc, rewriter.getZeroAttr(source.getType()));
    auto result = arith::SubIOp::create(rewriter, loc, zero, source);
    result.setOverflowFlags(toArith(op.getOverflow()));
    return replace(result);
  }
};

/// An integer power is one of f32, or of f64, which holds every exponent.
struct FPowILowering final : Lowering<cuda_tile::FPowIOp> {
  LogicalResult lower() {
    Type type = getResultType();
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
    return replace(result);
  }
};

/// Lowers to the library function at once: the folder of `math.atan2` makes a
/// NaN of two zeros.
struct Atan2Lowering final : Lowering<cuda_tile::Atan2Op> {
  LogicalResult lower() {
    Type type = getResultType();
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
    return replace(result);
  }
};

} // namespace

void populateArithmeticPatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns,
                                CudaTileConversion &conversion) {
  using namespace cuda_tile;
  addLowerings<
      // Floats.
      SameOp<AbsFOp, math::AbsFOp>, SameOp<CeilOp, math::CeilOp>,
      SameOp<CosOp, math::CosOp>, SameOp<CosHOp, math::CoshOp>,
      SameOp<FloorOp, math::FloorOp>, SameOp<LogOp, math::LogOp>,
      SameOp<Log2Op, math::Log2Op>, SameOp<SinOp, math::SinOp>,
      SameOp<SinHOp, math::SinhOp>, SameOp<TanOp, math::TanOp>, Atan2Lowering,
      SameOp<PowOp, math::PowFOp>, FPowILowering, SameOp<NegFOp, arith::NegFOp>,
      SameOp<RemFOp, arith::RemFOp>,
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
      SameOp<AbsIOp, math::AbsIOp>, SameOp<AndIOp, arith::AndIOp>,
      SameOp<OrIOp, arith::OrIOp>, SameOp<XOrIOp, arith::XOrIOp>,
      SameOp<MulhiIOp, aa::MulhiUIOp>, OverflowToArith<AddIOp, arith::AddIOp>,
      OverflowToArith<SubIOp, arith::SubIOp>,
      OverflowToArith<MulIOp, arith::MulIOp>,
      OverflowToArith<ShLIOp, arith::ShLIOp>,
      OverflowToArith<TruncIOp, arith::TruncIOp>,
      SignedToArith<ShRIOp, arith::ShRSIOp, arith::ShRUIOp>,
      SignedToArith<RemIOp, arith::RemSIOp, arith::RemUIOp>,
      SignedToArith<MaxIOp, arith::MaxSIOp, arith::MaxUIOp>,
      SignedToArith<MinIOp, arith::MinSIOp, arith::MinUIOp>, DivILowering,
      NegILowering, CmpILowering>(converter, patterns, conversion);
}

} // namespace tileir
