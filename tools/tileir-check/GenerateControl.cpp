// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized branches and loops, assertions and prints.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

Value Generator::condition() {
  using Predicate = ct::ComparisonPredicate;
  if (kind == Kind::Steered && chance(60))
    return steeringCondition();
  Value a = index(4);
  Value b = chance(50) ? integer("i32", below(3)) : get({"i32", {}});
  return compare(oneOf({Predicate::EQUAL, Predicate::LESS_THAN,
                        Predicate::GREATER_THAN, Predicate::NOT_EQUAL}),
                 a, b);
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

mlir::ValueRange Generator::forLoop(const Value &low, const Value &high,
                                    const Value &step, const Values &inits,
                                    const LoopBody &body, bool isUnsigned) {
  auto loop = emit<ct::ForOp>(low, high, step, inits, isUnsigned);
  inRegion(loop.getBody(), [&] {
    ++loopDepth;
    body(loop.getBody()->getArguments());
    --loopDepth;
  });
  return loop->getResults();
}

mlir::ValueRange Generator::openLoop(mlir::TypeRange results,
                                     const Values &inits,
                                     const LoopBody &body) {
  auto loop = emit<ct::LoopOp>(results, inits);
  mlir::Block &block = loop.getRegion().emplaceBlock();
  for (mlir::Value init : inits)
    block.addArgument(init.getType(), init.getLoc());
  inRegion(&block, [&] {
    ++loopDepth;
    body(block.getArguments());
    --loopDepth;
  });
  return loop->getResults();
}

mlir::ValueRange Generator::branch(const Value &condition,
                                   mlir::TypeRange results,
                                   const std::function<void()> &yes,
                                   const std::function<void()> &no) {
  auto branch = emit<ct::IfOp>(results, condition);
  auto fill = [&](mlir::Region &region, const std::function<void()> &body) {
    mlir::Block &block = region.emplaceBlock();
    inRegion(&block, [&] {
      body();
      if (block.empty() ||
          !block.back().hasTrait<mlir::OpTrait::IsTerminator>())
        ct::YieldOp::create(builder, builder.getUnknownLoc());
    });
  };
  fill(branch.getThenRegion(), yes);
  if (no)
    fill(branch.getElseRegion(), no);
  return branch->getResults();
}

void Generator::ifOp() {
  if (depth >= 3)
    return;
  Value chosen = condition();
  std::vector<TileType> types;
  for (int64_t i = below(3); i > 0; --i)
    types.push_back({chance(50) ? someFloat() : someInteger(), someShape()});
  // Otherwise the order of the writes inside ends with the branch.
  bool yieldsToken = tokenFlows && chance(60);
  std::vector<mlir::Type> yielded;
  for (const TileType &type : types)
    yielded.push_back(typeOf(type));
  if (yieldsToken)
    yielded.push_back(tokenType());
  bool hasElse = !yielded.empty() || chance(40);
  auto body = [&] {
    if (!yieldsToken && loopDepth > 0)
      tokenFlows = false;
    someOps(between(0, 2));
    Values values;
    for (const TileType &type : types)
      values.push_back(get(type));
    if (yieldsToken)
      values.push_back(token);
    if (!yielded.empty())
      emit<ct::YieldOp>(values);
  };
  mlir::ValueRange results =
      branch(chosen, yielded, body,
             hasElse ? std::function<void()>(body) : std::function<void()>());
  for (size_t i = 0; i < types.size(); ++i)
    keep({results[i], types[i], std::nullopt});
  if (yieldsToken)
    chain(results.back());
}

void Generator::forOp() {
  if (depth >= 2)
    return;
  std::string element = oneOf({"i32", "i32", "i32", "i64", "i16", "i8"});
  int64_t low = between(0, 2), step = between(1, 3), tripCount = between(0, 3);
  int64_t high = low + step * tripCount - (tripCount > 0 ? below(step) : 0);
  auto bound = [&](int64_t number) {
    return element != "i8" && chance(40) ? scalarArgument(element, number)
                                         : integer(element, number);
  };
  Value from = bound(low), to = bound(high), by = bound(step);
  std::vector<Value> carried;
  for (int64_t i = between(chance(80) ? 1 : 0, 2); i > 0; --i)
    carried.push_back(
        get({chance(50) ? someFloat() : someInteger(), someShape()}));
  bool carriesToken = tokenFlows && chance(60);
  Values inits(carried.begin(), carried.end());
  if (carriesToken)
    inits.push_back(token);
  bool isUnsigned = chance(25);
  auto body = [&](mlir::Block::BlockArgListType in) {
    tokenFlows = carriesToken;
    keep({in[0], {element, {}}, {{low, std::max(high - 1, low)}}});
    for (size_t i = 0; i < carried.size(); ++i)
      keep({in[1 + i], carried[i].type, std::nullopt});
    if (carriesToken)
      chain(in.back());
    auto next = [&] {
      Values values;
      for (const Value &value : carried)
        values.push_back(get(value.type));
      if (carriesToken)
        values.push_back(token);
      emit<ct::ContinueOp>(values);
    };
    someOps(between(1, 3));
    if (chance(20)) {
      branch(condition(), {}, next);
      someOps(1);
    }
    next();
  };
  mlir::ValueRange results = forLoop(from, to, by, inits, body, isUnsigned);
  for (size_t i = 0; i < carried.size(); ++i)
    keep({results[i], carried[i].type, std::nullopt});
  if (carriesToken)
    chain(results.back());
}

void Generator::loopOp() {
  if (depth >= 2)
    return;
  // A counter terminates it.
  Value zero = integer("i32", 0);
  int64_t tripCount = between(0, 3);
  Value limit =
      chance(50) ? scalarArgument("i32", tripCount) : integer("i32", tripCount);
  Value init = get({chance(50) ? someFloat() : someInteger(), someShape()});
  TileType resultType{chance(50) ? someFloat() : someInteger(), someShape()};
  bool carriesToken = tokenFlows && chance(60);
  Values inits = {zero, init};
  std::vector<mlir::Type> types = {typeOf(resultType)};
  if (carriesToken) {
    inits.push_back(token);
    types.push_back(tokenType());
  }
  auto withToken = [&](Values values) {
    if (carriesToken)
      values.push_back(token);
    return values;
  };
  mlir::ValueRange results =
      openLoop(types, inits, [&](mlir::Block::BlockArgListType in) {
        tokenFlows = carriesToken;
        if (carriesToken)
          chain(in[2]);
        Value counter = keep({in[0], {"i32", {}}, {{0, tripCount}}});
        keep({in[1], init.type, std::nullopt});
        if (chance(50))
          someOps(1);
        Value done = compare(ct::ComparisonPredicate::GREATER_THAN_OR_EQUAL,
                             counter, limit);
        branch(done, {}, [&] {
          if (!carriesToken)
            tokenFlows = false;
          emit<ct::BreakOp>(withToken({get(resultType)}));
        });
        someOps(between(1, 2));
        Value next = binary(op::addi, counter, integer("i32", 1));
        emit<ct::ContinueOp>(withToken({next, get(init.type)}));
      });
  keep({results[0], resultType, std::nullopt});
  if (carriesToken)
    chain(results[1]);
}

/// Emits a loop with pointers as iter-args that step through an input.
void Generator::streamLoop() {
  if (depth >= 2)
    return;
  TileType type{someElement(), someShape()};
  int64_t count = type.count();
  if (type.shape.empty() || count > 1024 || type.element == "f8E8M0FNU")
    return;
  std::string element = oneOf({"i32", "i32", "i64", "i16"});
  int64_t tripCount = between(1, 4),
          stride = chance(70) ? count : between(1, count);
  int64_t used = (tripCount - 1) * stride + count;
  bool isMasked = chance(40);
  Place place = readPlace(type.element, used);
  Value places = reshaped(iota("i32", count), type.shape);
  mlir::Value from = offset(spreadScalar(place.base, type.shape), places);
  Value low = integer(element, 0), high = integer(element, tripCount),
        by = integer(element, 1);
  Value next = chance(50)
                   ? integer("i32", stride, type.shape)
                   : broadcastTo(scalarArgument("i32", stride), type.shape);
  bool isMoved = isFloat(type.element) && !isBaseFloat(type.element);
  Value start = get(type);
  auto body = [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    keep({in[0], {element, {}}, {{0, tripCount - 1}}});
    mlir::Value chosenElements, padding;
    if (isMasked) {
      chosenElements = mask(type.shape);
      padding = get(type);
    }
    Value value =
        keep(loadElements(in[1], type, chosenElements, padding, hints(false)));
    Value sum{in[2], type, std::nullopt};
    if (isMoved)
      sum = chosen(mask(type.shape), value, sum);
    else if (isFloat(type.element))
      sum = binary(oneOf({op::addf, op::maxf, op::minf, op::subf}), sum, value);
    else
      sum = binary(oneOf({op::addi, op::xori, op::ori, op::muli}), sum, value);
    if (chance(30))
      someOps(1);
    emit<ct::ContinueOp>(Values{offset(in[1], next), sum});
  };
  mlir::ValueRange results = forLoop(low, high, by, {from, start}, body);
  keep({results[1], type, std::nullopt});
}

void Generator::earlyReturn() {
  Value chosen = condition();
  branch(chosen, {}, [&] {
    store(get({someFloat(), someShape()}));
    emit<ct::ReturnOp>();
  });
}

//===----------------------------------------------------------------------===//
// Assertions and text
//===----------------------------------------------------------------------===//

void Generator::assertOp() {
  int64_t count = int64_t(1) << between(0, 7);
  Value places = iota("i32", count);
  Value limit = integer("i32", count, {count});
  Value holds = compare(ct::ComparisonPredicate::LESS_THAN, places, limit);
  emit<ct::AssertOp>(holds.ssa, "is in range");
}

void Generator::printOp() {
  // Several tile blocks print in any order.
  if (blocks != 1 || !isOrdered())
    return;
  const Value *found = find([](const Value &value) {
    return value.type.count() <= 16 && !isFloat(value.type.element) &&
           value.type.element != "i1";
  });
  if (!found)
    return;
  Value value = *found;
  std::string format = widthOf(value.type.element) == 64 ? "%lld" : "%d";
  chain(emit<ct::PrintTkoOp>("value " + format + "\n", Values{value}, token));
}

} // namespace tileir::check
