// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "passes/analysis/ReduceOrder.h"

#include "dialects/support/Heuristics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
namespace as = mlir::nv_tileas;

namespace tileir {

bool isKnownReduction(as::ReduceOp op) {
  as::ReduceAtomAttr atom = op.getAtomAttr();
  return op.getNumOperands() == 1 && atom &&
         atom.getKind() != as::ReduceKind::Generic;
}

bool isReductionBy(as::ReduceOp op, as::ReduceKind kind) {
  return isKnownReduction(op) && op.getAtomAttr().getKind() == kind;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Returns the extent of `tile` along `axis`.
static int64_t getExtent(Value tile, unsigned axis) {
  return cast<RankedTensorType>(tile.getType()).getDimSize(axis);
}

/// Returns the operand of `op` whose elements along `axis` are the result's,
/// and sets `axis` to the operand's dimension; null without one.
static Value getSourceAlong(Operation *op, unsigned &axis) {
  if (auto expand = dyn_cast<as::ExpandDimsOp>(op)) {
    if (axis == unsigned(expand.getAxis()))
      return {};
    if (axis > unsigned(expand.getAxis()))
      --axis;
    return op->getOperand(0);
  }
  if (isa<as::BroadcastOp>(op) &&
      getExtent(op->getOperand(0), axis) != getExtent(op->getResult(0), axis))
    return {};
  if (isa<as::BroadcastOp, as::ConvertLayoutOp, arith::ExtSIOp, arith::ExtUIOp>(
          op))
    return op->getOperand(0);
  return {};
}

/// Returns whether all elements of `tile` along `axis` are the same.
static bool isUniformAlong(Value tile, unsigned axis) {
  while (getExtent(tile, axis) != 1) {
    Operation *op = tile.getDefiningOp();
    if (!op)
      return false;
    SplatElementsAttr constant;
    if (isa<as::SplatOp>(op) || matchPattern(op, m_Constant(&constant)))
      return true;
    if (isa<as::BroadcastOp>(op) && getExtent(op->getOperand(0), axis) == 1)
      return true;
    tile = getSourceAlong(op, axis);
    if (!tile)
      return false;
  }
  return true;
}

/// Returns whether no two elements of `tile` along `axis` are equal.
static bool isDistinctAlong(Value tile, unsigned axis) {
  while (getExtent(tile, axis) != 1) {
    Operation *op = tile.getDefiningOp();
    if (!op)
      return false;
    if (isa<as::MakeRangeOp>(op))
      return llvm::Log2_64_Ceil(getExtent(tile, axis)) <=
             getElementTypeOrSelf(tile.getType()).getIntOrFloatBitWidth();
    if (isa<arith::AddIOp>(op)) {
      Value lhs = op->getOperand(0), rhs = op->getOperand(1);
      if (isUniformAlong(lhs, axis))
        tile = rhs;
      else if (isUniformAlong(rhs, axis))
        tile = lhs;
      else
        return false;
      continue;
    }
    tile = getSourceAlong(op, axis);
    if (!tile)
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

namespace {

/// Two elements that represent all pairs with the same results of comparison.
struct Sample {
  APFloat floats[2] = {APFloat(0.0f), APFloat(0.0f)};
  APInt integers[2];
  bool isFloat = false;

  /// Returns whether the two elements cannot be told apart. The language leaves
  /// the payload of a NaN open.
  bool isSame() const {
    if (!isFloat)
      return integers[0] == integers[1];
    return floats[0].bitwiseIsEqual(floats[1]) ||
           (floats[0].isNaN() && floats[1].isNaN());
  }
};

/// Value in a combiner: one side's component of an operand, or a known
/// condition.
struct Part {
  unsigned operand = 0, side = 0;
  std::optional<bool> condition;
};

/// Interprets a combiner on samples, one for each operand.
class Combiner {
public:
  Combiner(Block &body, ArrayRef<Sample> samples)
      : body(body), samples(samples) {}

  /// Returns what the combiner yields when side `element` is its element and
  /// the other side its accumulator; nothing where it does more than choose.
  std::optional<SmallVector<Part>> run(unsigned element);

private:
  std::optional<bool> compare(Operation *op) const;
  std::optional<bool> decide(Operation *op) const;
  std::optional<Part> evaluate(Operation *op) const;
  std::optional<bool> getCondition(Value value) const;

  Block &body;
  ArrayRef<Sample> samples;
  DenseMap<Value, Part> parts;
};

} // namespace

std::optional<bool> Combiner::getCondition(Value value) const {
  auto it = parts.find(value);
  return it == parts.end() ? std::nullopt : it->second.condition;
}

/// Compares two components of one operand.
std::optional<bool> Combiner::compare(Operation *op) const {
  auto left = parts.find(op->getOperand(0)),
       right = parts.find(op->getOperand(1));
  if (left == parts.end() || right == parts.end() || left->second.condition ||
      right->second.condition || left->second.operand != right->second.operand)
    return std::nullopt;
  const Sample &sample = samples[left->second.operand];
  unsigned a = left->second.side, b = right->second.side;
  if (auto cmp = dyn_cast<arith::CmpFOp>(op))
    return arith::applyCmpPredicate(cmp.getPredicate(), sample.floats[a],
                                    sample.floats[b]);
  return arith::applyCmpPredicate(cast<arith::CmpIOp>(op).getPredicate(),
                                  sample.integers[a], sample.integers[b]);
}

std::optional<bool> Combiner::decide(Operation *op) const {
  APInt constant;
  if (op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1) &&
      matchPattern(op, m_ConstantInt(&constant)))
    return !constant.isZero();
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return compare(op);
  if (!isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return std::nullopt;
  std::optional<bool> a = getCondition(op->getOperand(0)),
                      b = getCondition(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  return isa<arith::AndIOp>(op)  ? *a && *b
         : isa<arith::OrIOp>(op) ? *a || *b
                                 : *a != *b;
}

std::optional<Part> Combiner::evaluate(Operation *op) const {
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    std::optional<bool> condition = getCondition(select.getCondition());
    if (!condition)
      return std::nullopt;
    auto it =
        parts.find(*condition ? select.getTrueValue() : select.getFalseValue());
    return it == parts.end() ? std::nullopt : std::optional(it->second);
  }
  if (std::optional<bool> condition = decide(op))
    return Part{0, 0, condition};
  return std::nullopt;
}

std::optional<SmallVector<Part>> Combiner::run(unsigned element) {
  parts.clear();
  for (unsigned i = 0; i < samples.size(); ++i) {
    parts[body.getArgument(2 * i)] = {i, element, std::nullopt};
    parts[body.getArgument(2 * i + 1)] = {i, 1 - element, std::nullopt};
  }
  for (Operation &op : body.without_terminator()) {
    std::optional<Part> part = evaluate(&op);
    if (!part)
      return std::nullopt;
    parts[op.getResult(0)] = *part;
  }
  SmallVector<Part> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(parts.lookup(value));
  return results;
}

/// Pairs of elements of `type`, one of each kind that comparisons distinguish.
static SmallVector<Sample> getSamples(Type type) {
  SmallVector<Sample> samples;
  if (auto kind = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = kind.getFloatSemantics();
    if (!APFloat::semanticsHasNaN(semantics) ||
        !APFloat::semanticsHasZero(semantics) ||
        !APFloat::semanticsHasSignedRepr(semantics))
      return samples;
    APFloat zero = APFloat::getZero(semantics), one(semantics, 1),
            minus = APFloat::getZero(semantics, /*Negative=*/true),
            nan = APFloat::getNaN(semantics);
    for (auto &[a, b] :
         {std::pair(zero, one), std::pair(one, zero), std::pair(one, one),
          std::pair(zero, minus), std::pair(minus, zero), std::pair(nan, one),
          std::pair(one, nan), std::pair(nan, nan)}) {
      Sample &sample = samples.emplace_back();
      sample.isFloat = true;
      sample.floats[0] = a;
      sample.floats[1] = b;
    }
  } else if (type.isInteger()) {
    unsigned bits = type.getIntOrFloatBitWidth();
    APInt zero(bits, 0), one(bits, 1), all = APInt::getAllOnes(bits);
    for (auto &[a, b] :
         {std::pair(zero, one), std::pair(one, zero), std::pair(zero, zero),
          std::pair(zero, all), std::pair(all, zero)}) {
      Sample &sample = samples.emplace_back();
      sample.integers[0] = a;
      sample.integers[1] = b;
    }
  }
  return samples;
}

/// Returns whether the combiner `body` yields the same for either side of
/// `samples` as its element.
static bool choosesAlike(Block &body, ArrayRef<Sample> samples) {
  Combiner combiner(body, samples);
  std::optional<SmallVector<Part>> first = combiner.run(0);
  std::optional<SmallVector<Part>> second = combiner.run(1);
  if (!first || !second)
    return false;
  for (auto [a, b] : llvm::zip(*first, *second)) {
    if (a.condition != b.condition || a.operand != b.operand)
      return false;
    if (!a.condition && a.side != b.side && !samples[a.operand].isSame())
      return false;
  }
  return true;
}

bool isCommutative(as::ReduceOp op) {
  if (isKnownReduction(op))
    return true;
  unsigned numOperands = op.getNumOperands();
  if (numOperands > heuristics::maxSampledOperands)
    return false;
  SmallVector<SmallVector<Sample>> choices;
  for (Value operand : op.getOperands()) {
    choices.push_back(getSamples(getElementTypeOrSelf(operand.getType())));
    // The indices of two elements differ.
    if (isDistinctAlong(operand, op.getAxis()))
      llvm::erase_if(choices.back(),
                     [](const Sample &sample) { return sample.isSame(); });
  }
  Block &body = op.getBody().front();
  SmallVector<unsigned> choice(numOperands, 0);
  SmallVector<Sample> samples(numOperands);
  while (true) {
    for (unsigned i = 0; i < numOperands; ++i) {
      if (choices[i].empty())
        return false;
      samples[i] = choices[i][choice[i]];
    }
    if (!choosesAlike(body, samples))
      return false;
    unsigned i = 0;
    while (i < numOperands && ++choice[i] == choices[i].size())
      choice[i++] = 0;
    if (i == numOperands)
      return true;
  }
}

void noteCommutative(Operation *root) {
  root->walk([](as::ReduceOp op) {
    if (isCommutative(op))
      op->setDiscardableAttr(kCommutesAttr, UnitAttr::get(op.getContext()));
  });
}

} // namespace tileir
