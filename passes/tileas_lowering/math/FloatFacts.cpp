// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/tileas_lowering/math/FloatFacts.h"
#include "passes/tileas_lowering/math/Division.h"

#include "passes/analysis/ReduceOrder.h"
#include "passes/tileas_lowering/Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tileir::lowering {

/// Maximum number of operations that the search for one property looks through.
static constexpr unsigned kMaxSteps = 8;

/// Returns whether each element of the result is one of the operand's.
static bool movesElements(Operation *op) {
  return isa<nv_tileas::ConvertLayoutOp, nv_tileas::ExpandDimsOp,
             nv_tileas::BroadcastOp, nv_tileas::SplatOp, nv_tileas::PermuteOp,
             nv_tileas::ViewOp>(op);
}

/// Returns whether each element of the result is one of the operand's and each
/// element of the operand is in the result.
static bool movesAll(Operation *op) {
  return isa<nv_tileas::ConvertLayoutOp, nv_tileas::ExpandDimsOp,
             nv_tileas::PermuteOp, nv_tileas::ViewOp>(op);
}

static bool isExponential(Operation *op) {
  if (isa<math::ExpOp, math::Exp2Op>(op))
    return true;
  auto call = dyn_cast<nv_tileas::ElementwiseOp>(op);
  return call && call.getKind() == nv_tileas::ElementwiseKind::Intrinsic &&
         call.getCallee().starts_with("llvm.nvvm.ex2.approx");
}

static bool hasNoSign(Value tile, unsigned steps) {
  APFloat constant(0.0f);
  if (matchPattern(tile, m_ConstantFloat(&constant)))
    return !constant.isNegative();
  Operation *op = tile.getDefiningOp();
  if (!op || !steps)
    return false;
  auto all = [&](ValueRange values) {
    return llvm::all_of(
        values, [&](Value value) { return hasNoSign(value, steps - 1); });
  };
  if (isExponential(op) || isa<math::AbsFOp>(op))
    return true;
  if (movesElements(op))
    return all(op->getOperand(0));
  // A product of non-negative numbers is non-negative, as is a square.
  if (auto product = dyn_cast<arith::MulFOp>(op))
    return product.getLhs() == product.getRhs() || all(op->getOperands());
  return isa<arith::AddFOp, arith::ExtFOp, arith::TruncFOp>(op) &&
         all(op->getOperands());
}

/// Returns the source of `tile` before its elements were rearranged.
static Value getSource(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    if (!movesAll(op))
      break;
    tile = op->getOperand(0);
  }
  return tile;
}

/// Returns the tile that holds the elements of `tile` before they were moved.
static Value getUnmoved(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    if (!movesElements(op))
      break;
    tile = op->getOperand(0);
  }
  return tile;
}

/// Returns the reduction of one operand by `kind` to one number that is
/// broadcast to `tile`; null if `tile` holds other values.
static nv_tileas::ReduceOp getTotal(Value tile, nv_tileas::ReduceKind kind) {
  tile = getUnmoved(tile);
  auto reduce = tile.getDefiningOp<nv_tileas::ReduceOp>();
  if (!reduce || !isReductionBy(reduce, kind))
    return {};
  auto result = dyn_cast<RankedTensorType>(tile.getType());
  return result && result.getNumElements() != 1 ? nv_tileas::ReduceOp()
                                                : reduce;
}

/// Returns whether some element of `tile` is e^0 = 1, or NaN: `tile` holds
/// exponentials of numbers minus their maximum.
static bool containsOne(Value tile) {
  Operation *op = getSource(tile).getDefiningOp();
  if (!op || !isExponential(op))
    return false;
  auto difference = getSource(op->getOperand(0)).getDefiningOp<arith::SubFOp>();
  if (!difference)
    return false;
  auto largest = getTotal(difference.getRhs(), nv_tileas::ReduceKind::FMax);
  return largest &&
         getSource(largest.getOperand(0)) == getSource(difference.getLhs());
}

static bool isAtLeastOne(Value tile, unsigned steps) {
  APFloat constant(0.0f);
  if (matchPattern(tile, m_ConstantFloat(&constant)))
    return constant >= APFloat(constant.getSemantics(), 1);
  Operation *op = tile.getDefiningOp();
  if (!op || !steps)
    return false;
  // A rounded sum of non-negative numbers is not below any of them.
  if (auto sum = getTotal(tile, nv_tileas::ReduceKind::FAdd))
    return containsOne(sum.getOperand(0));
  if (movesElements(op))
    return isAtLeastOne(op->getOperand(0), steps - 1);
  auto sum = dyn_cast<arith::AddFOp>(op);
  auto isOne = [&](Value value) { return isAtLeastOne(value, steps - 1); };
  auto isPositive = [&](Value value) { return hasNoSign(value, steps - 1); };
  return sum && ((isOne(sum.getLhs()) && isPositive(sum.getRhs())) ||
                 (isOne(sum.getRhs()) && isPositive(sum.getLhs())));
}

/// Returns whether all elements of `sum` are the sum of all elements of
/// `parts`.
static bool isSumOfAll(Value sum, Value parts) {
  auto reduce = getTotal(sum, nv_tileas::ReduceKind::FAdd);
  return reduce && getSource(reduce.getOperand(0)) == getSource(parts);
}

/// Returns whether `tile` is only summed and divided.
static bool isReadForQuotients(Value tile) {
  return llvm::all_of(tile.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto reduce = dyn_cast<nv_tileas::ReduceOp>(user))
      return isReductionBy(reduce, nv_tileas::ReduceKind::FAdd);
    return movesAll(user) ? isReadForQuotients(user->getResult(0))
                          : isa<arith::DivFOp>(user) && !use.getOperandNumber();
  });
}

/// Returns whether `tile` holds exponentials without any other use.
static bool isOfExponentials(Value tile) {
  Value source = getSource(tile);
  Operation *op = source.getDefiningOp();
  return op && isExponential(op) && isReadForQuotients(source);
}

/// Returns whether `total`, a sum of `tile` or copies of it, only divides
/// `tile`.
static bool isReadAsDivisor(Value total, Value tile) {
  return llvm::all_of(total.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return movesElements(user)
               ? isReadAsDivisor(user->getResult(0), tile)
               : isOpenDivision(user) && use.getOperandNumber() == 1 &&
                     getSource(user->getOperand(0)) == tile;
  });
}

/// Returns whether `tile`, a rearranged `source`, is only divided by the sum of
/// all its elements, and summed for this.
static bool isReadForShares(Value tile, Value source) {
  return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto reduce = dyn_cast<nv_tileas::ReduceOp>(user))
      return isReductionBy(reduce, nv_tileas::ReduceKind::FAdd) &&
             isReadAsDivisor(reduce.getResult(0), source);
    if (movesAll(user))
      return isReadForShares(user->getResult(0), source);
    return isOpenDivision(user) && !use.getOperandNumber() &&
           isSumOfAll(user->getOperand(1), user->getOperand(0));
  });
}

/// Returns whether `exp` only computes the softmax of a row: neither
/// exponentials nor their sum are used elsewhere.
static bool makesShares(math::ExpOp exp) {
  return isa<RankedTensorType>(exp.getType()) &&
         getElementTypeOrSelf(exp.getType()).isF32() &&
         exp.getFastmath() == arith::FastMathFlags::none &&
         containsOne(exp.getResult()) &&
         isReadForShares(exp.getResult(), exp.getResult());
}

/// Returns whether quotients of `tile` are truncated to 16 bits.
static bool areSharesNarrow(Value tile) {
  return llvm::all_of(tile.getUsers(), [](Operation *user) {
    if (movesAll(user))
      return areSharesNarrow(user->getResult(0));
    return !isa<arith::DivFOp>(user) ||
           llvm::all_of(user->getUsers(), llvm::IsaPred<arith::TruncFOp>);
  });
}

math::ExpOp getExponentialBesideOne(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return {};
  Value power = sum.getLhs(), one = sum.getRhs();
  if (!matchPattern(one, m_OneFloat()))
    std::swap(power, one);
  return matchPattern(one, m_OneFloat()) ? power.getDefiningOp<math::ExpOp>()
                                         : math::ExpOp();
}

/// Returns x if `tile` is 1 + e^-x, else null.
static Value getGated(Value tile) {
  math::ExpOp exp = getExponentialBesideOne(tile);
  auto negated =
      exp ? exp.getOperand().getDefiningOp<arith::NegFOp>() : arith::NegFOp();
  return negated ? negated.getOperand() : Value();
}

/// Returns whether `division` is 1 / (1 + e^-x) and its only user, in the same
/// block, multiplies it by x.
static bool isGate(arith::DivFOp division) {
  Value gated = getGated(division.getRhs());
  if (!gated || !matchPattern(division.getLhs(), m_OneFloat()) ||
      !division->hasOneUse())
    return false;
  auto product = dyn_cast<arith::MulFOp>(*division->user_begin());
  return product && product->getBlock() == division->getBlock() &&
         product.getFastmath() == arith::FastMathFlags::none &&
         llvm::is_contained(product->getOperands(), gated);
}

/// Returns whether each element of the f32 `tile` is an f16 number.
static bool isOfF16(Value tile) {
  auto wide = getUnmoved(tile).getDefiningOp<arith::ExtFOp>();
  return wide && getElementTypeOrSelf(wide.getIn().getType()).isF16();
}

static bool isSumOfExactProducts(nv_tileas::ReduceOp reduce) {
  if (!isReductionBy(reduce, nv_tileas::ReduceKind::FAdd))
    return false;
  auto product = reduce.getOperand(0).getDefiningOp<arith::MulFOp>();
  if (!product || !getElementTypeOrSelf(product.getType()).isF32())
    return false;
  // Products of bf16 numbers may underflow or overflow f32.
  return isOfF16(product.getLhs()) && isOfF16(product.getRhs());
}

/// The properties, in the order of the members.
static constexpr llvm::StringLiteral kFactsAttr = "operand_facts";

/// On sums.
static constexpr llvm::StringLiteral kExactProductsAttr = "of_exact_products";

/// On exponentials: whether their quotients have 16 bits.
static constexpr llvm::StringLiteral kSharesAttr = "makes_narrow_shares";

bool isScaledExponential(Operation *op) {
  auto isNarrow = op->getAttrOfType<BoolAttr>(kSharesAttr);
  return isNarrow && isNarrow.getValue();
}

bool addsExactDots(Operation *op) { return op->hasAttr(kExactProductsAttr); }

void noteFloatFacts(Operation *module) {
  // Flushed or approximate exponentials have instructions of their own.
  if (!module->hasAttr(nv_tileaa::kFtzAttr) &&
      !module->hasAttr(nv_tileaa::kApproxAttr)) {
    auto unit = UnitAttr::get(module->getContext());
    module->walk([&](math::ExpOp exp) {
      if (makesShares(exp))
        exp->setDiscardableAttr(
            kSharesAttr, BoolAttr::get(module->getContext(),
                                       areSharesNarrow(exp.getResult())));
    });
    module->walk([&](nv_tileas::ReduceOp reduce) {
      if (isSumOfExactProducts(reduce))
        reduce->setDiscardableAttr(kExactProductsAttr, unit);
    });
  }
  module->walk([](arith::DivFOp division) {
    if (!isOpenDivision(division))
      return;
    Value dividend = division.getLhs(), divisor = division.getRhs();
    bool hasNoSignHere = hasNoSign(dividend, kMaxSteps);
    Operation *source = getSource(dividend).getDefiningOp();
    std::array<bool, 6> facts = {hasNoSignHere,
                                 hasNoSignHere && isSumOfAll(divisor, dividend),
                                 isAtLeastOne(divisor, kMaxSteps),
                                 isOfExponentials(dividend),
                                 source && source->hasAttr(kSharesAttr),
                                 isGate(division)};
    division->setDiscardableAttr(
        kFactsAttr, DenseBoolArrayAttr::get(division.getContext(), facts));
  });
}

DivisionFacts getDivisionFacts(Operation *division) {
  auto facts = division->getAttrOfType<DenseBoolArrayAttr>(kFactsAttr);
  if (!facts)
    return {};
  return {facts[0], facts[1], facts[2], facts[3], facts[4], facts[5]};
}

} // namespace tileir::lowering
