// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized reductions and scans.

#include "tools/tileir-check/GeneratorState.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

namespace tileir::check {

std::vector<Generator::Combination>
Generator::combinationsOf(const std::string &element) {
  Modifiers isSigned = readAs(ct::Signedness::Signed),
            isUnsigned = readAs(ct::Signedness::Unsigned), propagatesNan;
  propagatesNan.propagatesNan = true;
  if (isFloat(element))
    return {{op::addf, {}}, {op::addf, {}}, {op::mulf, {}},
            {op::maxf, {}}, {op::minf, {}}, {op::maxf, propagatesNan}};
  if (element == "i1")
    return {{op::andi, {}}, {op::ori, {}}, {op::xori, {}}};
  return {{op::addi, {}},        {op::addi, {}},       {op::muli, {}},
          {op::andi, {}},        {op::ori, {}},        {op::xori, {}},
          {op::maxi, isSigned},  {op::mini, isSigned}, {op::maxi, isUnsigned},
          {op::mini, isUnsigned}};
}

mlir::TypedAttr Generator::leastOf(const std::string &element) {
  if (isFloat(element))
    return number(element, -std::numeric_limits<double>::infinity());
  return builder.getIntegerAttr(
      elementType(element), llvm::APInt::getSignedMinValue(widthOf(element)));
}

mlir::TypedAttr Generator::identityOf(const Combination &combination,
                                      const std::string &element) {
  Elementwise op = combination.op;
  bool isSigned = combination.with.sign == ct::Signedness::Signed;
  if (op == op::maxf || (op == op::maxi && isSigned))
    return leastOf(element);
  if (isFloat(element))
    return number(element, op == op::minf
                               ? std::numeric_limits<double>::infinity()
                           : op == op::mulf ? 1.0
                                            : 0.0);
  if (op == op::mini && isSigned)
    return builder.getIntegerAttr(
        elementType(element), llvm::APInt::getSignedMaxValue(widthOf(element)));
  int64_t value = op == op::muli                     ? 1
                  : op == op::andi || op == op::mini ? -1
                                                     : 0;
  return number(element, value);
}

mlir::ValueRange Generator::aggregate(
    const std::vector<Value> &operands, size_t dim,
    std::optional<bool> isReversed, llvm::ArrayRef<mlir::Attribute> identities,
    const std::function<Values(mlir::Block::BlockArgListType)> &body) {
  std::vector<mlir::Type> types, scalars;
  for (const Value &operand : operands) {
    TileType type = operand.type;
    if (!isReversed)
      type.shape.erase(type.shape.begin() + dim);
    types.push_back(typeOf(type));
    scalars.insert(scalars.end(), 2, typeOf({type.element, {}}));
  }
  Values in(operands.begin(), operands.end());
  mlir::ArrayAttr neutral = builder.getArrayAttr(identities);
  mlir::Operation *made =
      isReversed ? emit<ct::ScanOp>(types, in, dim, *isReversed, neutral)
                       .getOperation()
                 : emit<ct::ReduceOp>(types, in, dim, neutral).getOperation();
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block *block = builder.createBlock(
      &made->getRegion(0), {}, scalars,
      std::vector<mlir::Location>(scalars.size(), builder.getUnknownLoc()));
  Values results = body(block->getArguments());
  emit<ct::YieldOp>(results);
  return made->getResults();
}

void Generator::reduceOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() &&
           (isInteger(value) || isBaseFloat(value.type.element));
  });
  if (!found)
    return;
  Value value = *found;
  size_t dim = below(value.type.shape.size());
  std::string element = value.type.element;
  if (element != "i1" && chance(25)) {
    reducePlaces(value, dim);
    return;
  }
  Combination combination = oneOf(combinationsOf(element));
  reduceBy(value, dim, combination.op, combination.with);
}

/// Reduces to the maximum and its index; the first of equal ones.
void Generator::reducePlaces(Value value, size_t dim) {
  using Predicate = ct::ComparisonPredicate;
  const std::string element = value.type.element;
  Shape shape = value.type.shape;
  if (isFloat(element))
    value = binary(op::maxf, value, splat(-1000, value.type));
  Value places = along(shape, dim);
  mlir::Attribute identities[] = {leastOf(element),
                                  number("i32", int64_t(INT32_MAX))};
  mlir::ValueRange results = aggregate(
      {value, places}, dim, {}, identities,
      [&](mlir::Block::BlockArgListType in) -> Values {
        auto test = [&](Predicate predicate, mlir::Value x,
                        mlir::Value y) -> mlir::Value {
          if (mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(x)))
            return emit<ct::CmpFOp>(predicate, ct::ComparisonOrdering::ORDERED,
                                    x, y);
          return emit<ct::CmpIOp>(predicate, x, y, ct::Signedness::Signed);
        };
        mlir::Value greater = test(Predicate::GREATER_THAN, in[0], in[1]);
        mlir::Value equal = test(Predicate::EQUAL, in[0], in[1]);
        mlir::Value first = test(Predicate::LESS_THAN, in[2], in[3]);
        mlir::Value tie = emit(op::andi, {equal, first});
        mlir::Value takes = emit(op::ori, {greater, tie});
        mlir::Value best = emit<ct::SelectOp>(takes, in[0], in[1]);
        mlir::Value at = emit<ct::SelectOp>(takes, in[2], in[3]);
        return {best, at};
      });
  int64_t extent = shape[dim];
  shape.erase(shape.begin() + dim);
  keep({results[0], {element, shape}, std::nullopt});
  keep({results[1], {"i32", shape}, {{0, extent - 1}}});
}

Value Generator::reduceBy(const Value &value, size_t dim, Elementwise op,
                          const Modifiers &with) {
  const std::string &element = value.type.element;
  TileType result = value.type;
  result.shape.erase(result.shape.begin() + dim);
  mlir::ValueRange reduced =
      aggregate({value}, dim, {}, {identityOf({op, with}, element)},
                [&](mlir::Block::BlockArgListType in) -> Values {
                  return {emit(op, {in[0], in[1]}, with)};
                });
  return keep({reduced[0], result, std::nullopt});
}

/// Reduces several operands of different types at once; two of them may form
/// the maximum and the next element.
void Generator::tupleReduceOp() {
  Shape shape = someShape();
  if (shape.empty())
    return;
  const Combination most{op::maxi, {}}, least{op::mini, {}};
  std::vector<Value> operands;
  std::vector<Combination> combinations;
  std::vector<mlir::Attribute> identities;
  bool hasPair = chance(40);
  for (int64_t i = hasPair ? between(2, 3) : between(2, 4); i > 0; --i) {
    bool isPair = hasPair && i <= 2;
    std::string element = isPair       ? std::string("i32")
                          : chance(30) ? someFloat()
                                       : someInteger();
    // Float sums depend on their order; minima and maxima do not.
    Combination combination = oneOf(combinationsOf(element));
    combinations.push_back(isPair ? most : combination);
    operands.push_back(get({element, shape}));
    identities.push_back(identityOf(combinations.back(), element));
  }
  size_t dim = below(shape.size());
  std::optional<bool> isReversed;
  if (chance(35))
    isReversed = oneOf({true, false});
  mlir::ValueRange results =
      aggregate(operands, dim, isReversed, identities,
                [&](mlir::Block::BlockArgListType in) {
                  Values next;
                  for (size_t i = 0; i < operands.size(); ++i) {
                    mlir::Value now = in[2 * i], before = in[2 * i + 1];
                    if (hasPair && i + 1 == operands.size()) {
                      mlir::Value smaller =
                          emit(least.op, {in[2 * i - 2], in[2 * i - 1]});
                      mlir::Value later = emit(most.op, {now, before});
                      next.push_back(emit(most.op, {smaller, later}));
                      continue;
                    }
                    next.push_back(emit(combinations[i].op, {now, before},
                                        combinations[i].with));
                  }
                  return next;
                });
  if (!isReversed)
    shape.erase(shape.begin() + dim);
  for (size_t i = 0; i < operands.size(); ++i)
    keep({results[i], {operands[i].type.element, shape}, std::nullopt});
}

/// Composes functions x -> ax + b: their order matters.
void Generator::affineOp() {
  TileType type{someInteger(/*withBool=*/false), someShape()};
  if (type.shape.empty())
    return;
  Value factor = get(type), summand = get(type);
  size_t dim = below(type.shape.size());
  TileType result = type;
  std::optional<bool> isReversed;
  if (chance(50))
    isReversed = oneOf({true, false});
  else
    result.shape.erase(result.shape.begin() + dim);
  mlir::Attribute identities[] = {number(type.element, int64_t(1)),
                                  number(type.element, int64_t(0))};
  mlir::ValueRange results =
      aggregate({factor, summand}, dim, isReversed, identities,
                [&](mlir::Block::BlockArgListType in) -> Values {
                  mlir::Value a = in[0], before = in[1], b = in[2], sum = in[3];
                  mlir::Value both = emit(op::muli, {before, a});
                  mlir::Value scaled = emit(op::muli, {sum, a});
                  return {both, emit(op::addi, {scaled, b})};
                });
  keep({results[0], result, std::nullopt});
  keep({results[1], result, std::nullopt});
}

void Generator::scanOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() &&
           (isInteger(value) || isBaseFloat(value.type.element));
  });
  if (!found)
    return;
  Value value = *found;
  size_t dim = below(value.type.shape.size());
  Combination combination = oneOf(combinationsOf(value.type.element));
  bool isReversed = oneOf({true, false});
  mlir::ValueRange results = aggregate(
      {value}, dim, isReversed, {identityOf(combination, value.type.element)},
      [&](mlir::Block::BlockArgListType in) -> Values {
        return {emit(combination.op, {in[0], in[1]}, combination.with)};
      });
  keep({results[0], value.type, std::nullopt});
}

} // namespace tileir::check
