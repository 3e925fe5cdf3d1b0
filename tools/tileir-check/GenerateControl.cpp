// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random branches and loops, assertions and text.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

Value Generator::condition() {
  TileType boolean{"i1", {}};
  Value a = index(4);
  Value b = chance(50) ? integer("i32", below(3)) : get({"i32", {}});
  return define("cmpi " +
                    oneOf({"equal", "less_than", "greater_than", "not_equal"}) +
                    " " + a.name + ", " + b.name + ", signed : tile<i32> -> " +
                    text(boolean),
                boolean);
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

/// "%a, %b : tile<..>, tile<..>", or nothing.
static std::string operandList(const std::vector<std::string> &names,
                               const std::vector<std::string> &types) {
  std::string left, right;
  for (size_t i = 0; i < names.size(); ++i) {
    left += (i ? ", " : "") + names[i];
    right += (i ? ", " : "") + types[i];
  }
  return names.empty() ? "" : " " + left + " : " + right;
}

static std::string join(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &item : list)
    text += (text.empty() ? "" : ", ") + item;
  return text;
}

void Generator::ifOp() {
  if (depth >= 3)
    return;
  Value chosen = condition();
  std::vector<TileType> types;
  for (int64_t i = below(3); i > 0; --i)
    types.push_back({chance(50) ? someFloat() : someInteger(), someShape()});
  // Without it the order of what is written inside ends with the branch.
  bool yieldsToken = tokenFlows && chance(60);
  std::string name = fresh();
  std::vector<std::string> typeTexts;
  for (const TileType &type : types)
    typeTexts.push_back(text(type));
  if (yieldsToken)
    typeTexts.push_back("token");
  size_t count = typeTexts.size();
  bool hasElse = count > 0 || chance(40);
  std::string head = "if " + chosen.name;
  if (count > 0)
    head = name + (count > 1 ? ":" + std::to_string(count) : "") + " = " +
           head + " -> (" + join(typeTexts) + ")";
  line(head + " {");
  auto branch = [&] {
    inRegion([&] {
      if (!yieldsToken && loopDepth > 0)
        tokenFlows = false;
      someOps(between(0, 2));
      std::vector<std::string> names;
      for (const TileType &type : types)
        names.push_back(get(type).name);
      if (yieldsToken)
        names.push_back(token);
      if (count > 0)
        line("yield" + operandList(names, typeTexts));
    });
  };
  branch();
  if (hasElse) {
    line("} else {");
    branch();
  }
  line("}");
  auto result = [&](size_t i) {
    return count > 1 ? name + "#" + std::to_string(i) : name;
  };
  for (size_t i = 0; i < types.size(); ++i)
    keep({result(i), types[i], std::nullopt});
  if (yieldsToken)
    chain(result(types.size()));
}

void Generator::forOp() {
  if (depth >= 2)
    return;
  std::string element = oneOf({"i32", "i32", "i32", "i64", "i16", "i8"});
  int64_t low = between(0, 2), step = between(1, 3), trips = between(0, 3);
  int64_t high = low + step * trips - (trips > 0 ? below(step) : 0);
  auto bound = [&](int64_t number) {
    return element != "i8" && chance(40) ? scalarArgument(element, number)
                                         : integer(element, number);
  };
  Value from = bound(low), to = bound(high), by = bound(step);
  std::vector<Value> inits;
  for (int64_t i = between(chance(80) ? 1 : 0, 2); i > 0; --i)
    inits.push_back(
        get({chance(50) ? someFloat() : someInteger(), someShape()}));
  bool carriesToken = tokenFlows && chance(60);
  std::vector<std::string> typeTexts, carried, starts;
  for (const Value &init : inits) {
    typeTexts.push_back(text(init.type));
    carried.push_back(fresh());
    starts.push_back(carried.back() + " = " + init.name);
  }
  if (carriesToken) {
    typeTexts.push_back("token");
    carried.push_back(fresh());
    starts.push_back(carried.back() + " = " + token);
  }
  size_t count = typeTexts.size();
  std::string name = fresh(), variable = fresh();
  std::string head = std::string("for ") + (chance(25) ? "unsigned " : "") +
                     variable + " in (" + from.name + " to " + to.name +
                     ", step " + by.name + ") : " + text(from.type);
  if (count > 0)
    head = name + (count > 1 ? ":" + std::to_string(count) : "") + " = " +
           head + " iter_values(" + join(starts) + ") -> (" + join(typeTexts) +
           ")";
  line(head + " {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = carriesToken;
    keep({variable, {element, {}}, {{low, std::max(high - 1, low)}}});
    for (size_t i = 0; i < inits.size(); ++i)
      keep({carried[i], inits[i].type, std::nullopt});
    if (carriesToken)
      chain(carried.back());
    auto next = [&] {
      std::vector<std::string> names;
      for (const Value &init : inits)
        names.push_back(get(init.type).name);
      if (carriesToken)
        names.push_back(token);
      line("continue" + operandList(names, typeTexts));
    };
    someOps(between(1, 3));
    if (chance(20)) {
      Value early = condition();
      line("if " + early.name + " {");
      inRegion(next);
      line("}");
      someOps(1);
    }
    next();
    --loopDepth;
  });
  line("}");
  auto result = [&](size_t i) {
    return count > 1 ? name + "#" + std::to_string(i) : name;
  };
  for (size_t i = 0; i < inits.size(); ++i)
    keep({result(i), inits[i].type, std::nullopt});
  if (carriesToken)
    chain(result(inits.size()));
}

void Generator::loopOp() {
  if (depth >= 2)
    return;
  // A counter ends it.
  Value zero = integer("i32", 0);
  int64_t trips = between(0, 3);
  Value limit =
      chance(50) ? scalarArgument("i32", trips) : integer("i32", trips);
  Value init = get({chance(50) ? someFloat() : someInteger(), someShape()});
  TileType resultType{chance(50) ? someFloat() : someInteger(), someShape()};
  bool carriesToken = tokenFlows && chance(60);
  std::string counter = fresh(), carried = fresh(), tokenName = fresh(),
              name = fresh();
  std::vector<std::string> inTypes = {"tile<i32>", text(init.type)},
                           outTypes = {text(resultType)};
  std::string starts =
      counter + " = " + zero.name + ", " + carried + " = " + init.name;
  if (carriesToken) {
    inTypes.push_back("token");
    outTypes.push_back("token");
    starts += ", " + tokenName + " = " + token;
  }
  line(name + (carriesToken ? ":2" : "") + " = loop iter_values(" + starts +
       ") : " + join(inTypes) + " -> " + join(outTypes) + " {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = carriesToken;
    if (carriesToken)
      chain(tokenName);
    keep({counter, {"i32", {}}, {{0, trips}}});
    keep({carried, init.type, std::nullopt});
    if (chance(50))
      someOps(1);
    TileType boolean{"i1", {}};
    Value done = define("cmpi greater_than_or_equal " + counter + ", " +
                            limit.name + ", signed : tile<i32> -> tile<i1>",
                        boolean);
    line("if " + done.name + " {");
    inRegion([&] {
      if (!carriesToken)
        tokenFlows = false;
      std::vector<std::string> names = {get(resultType).name};
      if (carriesToken)
        names.push_back(token);
      line("break" + operandList(names, outTypes));
    });
    line("}");
    someOps(between(1, 2));
    Value one = integer("i32", 1);
    Value next = define("addi " + counter + ", " + one.name + " : tile<i32>",
                        {"i32", {}});
    std::vector<std::string> names = {next.name, get(init.type).name};
    if (carriesToken)
      names.push_back(token);
    line("continue" + operandList(names, inTypes));
    --loopDepth;
  });
  line("}");
  keep({carriesToken ? name + "#0" : name, resultType, std::nullopt});
  if (carriesToken)
    chain(name + "#1");
}

/// A loop that carries pointers from one part of an input to the next.
void Generator::streamLoop() {
  if (depth >= 2)
    return;
  TileType type{someElement(), someShape()};
  int64_t count = type.count();
  if (type.shape.empty() || count > 1024 || type.element == "f8E8M0FNU")
    return;
  std::string element = oneOf({"i32", "i32", "i64", "i16"});
  int64_t trips = between(1, 4),
          stride = chance(70) ? count : between(1, count);
  int64_t used = (trips - 1) * stride + count;
  bool isMasked = chance(40);
  Place place = readPlace(type.element, used);
  Value places = reshaped(iota("i32", count), type.shape);
  Value base = broadcastTo(
      {place.base, pointerTo(type.element, {}), std::nullopt}, type.shape);
  // Pointers are no operands of random operations.
  auto isPointer = [](const Value &value) {
    return value.type.element.compare(0, 4, "ptr<") == 0;
  };
  pool.erase(std::remove_if(pool.begin(), pool.end(), isPointer), pool.end());
  TileType pointer = pointerTo(type.element, type.shape);
  Value from = derive("offset " + base.name + ", " + places.name + " : " +
                          text(pointer) + ", " + text(places.type) + " -> " +
                          text(pointer),
                      pointer);
  Value low = integer(element, 0), high = integer(element, trips),
        by = integer(element, 1);
  Value next = chance(50)
                   ? integer("i32", stride, type.shape)
                   : broadcastTo(scalarArgument("i32", stride), type.shape);
  bool isMoved = isFloat(type.element) && !isBaseFloat(type.element);
  Value start = get(type);
  std::string name = fresh(), variable = fresh(), pointers = fresh(),
              carried = fresh();
  std::string types = text(pointer) + ", " + text(type);
  line(name + ":2 = for " + variable + " in (" + low.name + " to " + high.name +
       ", step " + by.name + ") : tile<" + element + "> iter_values(" +
       pointers + " = " + from.name + ", " + carried + " = " + start.name +
       ") -> (" + types + ") {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    keep({variable, {element, {}}, {{0, trips - 1}}});
    std::string operands = pointers, operandTypes = text(pointer);
    if (isMasked) {
      Value chosen = mask(type.shape), padding = get(type);
      operands += ", " + chosen.name + ", " + padding.name;
      operandTypes += ", " + text(chosen.type) + ", " + text(type);
    }
    Value value = keep(loaded("load_ptr_tko weak " + operands + hints(false) +
                                  " : " + operandTypes,
                              type));
    Value sum{carried, type, std::nullopt};
    if (isMoved) {
      Value chosen = mask(type.shape);
      sum = define("select " + chosen.name + ", " + value.name + ", " +
                       sum.name + " : " + text(chosen.type) + ", " + text(type),
                   type);
    } else {
      sum = isFloat(type.element)
                ? binary(oneOf({"addf", "maxf", "minf", "subf"}), sum, value)
                : binary(oneOf({"addi", "xori", "ori", "muli"}), sum, value);
    }
    if (chance(30))
      someOps(1);
    Value moved =
        derive("offset " + pointers + ", " + next.name + " : " + text(pointer) +
                   ", " + text(next.type) + " -> " + text(pointer),
               pointer);
    line("continue " + moved.name + ", " + sum.name + " : " + types);
    --loopDepth;
  });
  line("}");
  keep({name + "#1", type, std::nullopt});
}

void Generator::earlyReturn() {
  Value chosen = condition();
  line("if " + chosen.name + " {");
  inRegion([&] {
    store(get({someFloat(), someShape()}));
    line("return");
  });
  line("}");
}

//===----------------------------------------------------------------------===//
// Assertions and text
//===----------------------------------------------------------------------===//

void Generator::assertOp() {
  int64_t count = int64_t(1) << between(0, 7);
  Value places = iota("i32", count);
  Value limit = integer("i32", count, {count});
  TileType type{"i1", {count}};
  Value holds =
      define("cmpi less_than " + places.name + ", " + limit.name +
                 ", signed : " + text(places.type) + " -> " + text(type),
             type);
  line("assert " + holds.name + ", \"is in range\" : " + text(type));
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
  std::string next = fresh();
  std::string format = widthOf(value.type.element) == 64 ? "%lld" : "%d";
  line(next + " = print_tko \"value " + format + "\\0A\", " + value.name +
       tokenOperand(false) + " : " + text(value.type) + " -> token");
  chain(next);
}

} // namespace tileir::check
