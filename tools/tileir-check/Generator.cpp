// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random kernel as a whole: control flow, and the case that runs it.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Generator::someOp() {
  using Step = void (Generator::*)();
  static const std::vector<std::pair<int, Step>> steps = {
      {14, &Generator::floatOp},      {6, &Generator::functionOp},
      {14, &Generator::integerOp},    {8, &Generator::compareOp},
      {10, &Generator::conversionOp}, {9, &Generator::shapeOp},
      {4, &Generator::catOp},         {5, &Generator::extractOp},
      {3, &Generator::packOp},        {8, &Generator::reduceOp},
      {4, &Generator::scanOp},        {5, &Generator::mmaOp},
      {3, &Generator::assumeOp},      {5, &Generator::roundTrip},
      {3, &Generator::sharedAtomic},  {4, &Generator::ownAtomic},
      {3, &Generator::loadTable},     {4, &Generator::ifOp},
      {4, &Generator::forOp},         {3, &Generator::loopOp},
      {2, &Generator::assertOp},      {2, &Generator::printOp},
      {3, &Generator::insertOp},      {4, &Generator::nibbleOp},
      {2, &Generator::scaledMmaOp},   {2, &Generator::gridOp}};
  int total = 0;
  for (const auto &[weight, step] : steps)
    total += weight;
  int64_t pick = below(total);
  for (const auto &[weight, step] : steps) {
    pick -= weight;
    if (pick < 0)
      return (this->*step)();
  }
}

void Generator::someOps(int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    // Too deep or too long a kernel is hard to read when it fails.
    if (body.size() > 24000)
      return;
    someOp();
  }
}

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

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void Generator::globals() {
  for (int64_t i = below(3); i > 0; --i) {
    Table table{"table" + std::to_string(i),
                oneOf({"i32", "f32", "f16", "i8", "i16", "i64", "f64", "bf16"}),
                int64_t(1) << between(0, 6)};
    std::string values;
    for (int64_t k = 0; k < table.count; ++k)
      values += (k ? ", " : "") + literal(table.element);
    tableText += std::string("  global ") + (chance(30) ? "private " : "") +
                 (chance(30) ? "constant " : "") + "@" + table.name +
                 (chance(30) ? " alignment = 64" : "") + " <" + table.element +
                 ": [" + values + "]> : tile<" + std::to_string(table.count) +
                 "x" + table.element + ">\n";
    tables.push_back(table);
  }
}

std::string Generator::entryHints() {
  if (!chance(30))
    return "";
  std::string text = " optimization_hints=<";
  bool isFirst = true;
  for (const char *chip : {"sm_80", "sm_90"}) {
    if (chance(30))
      continue;
    text += (isFirst ? "" : ", ") + std::string(chip) +
            " = {num_worker_warps_per_cta = " + oneOf({"4", "8"}) +
            (chance(30) ? ", occupancy = " + oneOf({"1", "2"}) : "") + "}";
    isFirst = false;
  }
  return isFirst ? "" : text + ">";
}

std::string Generator::caseText() const {
  std::string text = "{\"kernel\": \"kernel.tileirbc\", \"entry\": \"k\", "
                     "\"grid\": [" +
                     std::to_string(grid[0]) + ", " + std::to_string(grid[1]) +
                     ", " + std::to_string(grid[2]) + "], \"args\": [";
  bool isFirst = true;
  for (const Argument &argument : arguments) {
    text += std::string(isFirst ? "" : ",") + "\n    {\"name\": \"" +
            argument.name.substr(1) + "\", \"dtype\": \"" + argument.element +
            "\", ";
    isFirst = false;
    if (!argument.isBuffer) {
      text += "\"value\": " + std::to_string(argument.value) + "}";
      continue;
    }
    const Buffer &buffer = buffers[argument.buffer];
    text += "\"shape\": [" + std::to_string(buffer.count) + "], \"init\": \"" +
            buffer.init + "\"";
    if (buffer.init == "normal" || buffer.init == "uniform" ||
        buffer.init.compare(0, 9, "integers:") == 0)
      text += ", \"seed\": " + std::to_string(buffer.seed);
    text += buffer.isOutput ? ", \"output\": true}" : "}";
  }
  return text + "\n]}\n";
}

RandomKernel Generator::run() {
  for (int64_t axis = 0; axis < 3; ++axis)
    if (chance(axis == 0 ? 50 : 15))
      grid[axis] = between(2, 3);
  blocks = grid[0] * grid[1] * grid[2];
  // A few shapes, so that values meet.
  for (int64_t i = between(1, 3); i > 0; --i) {
    Shape shape;
    int64_t bits = between(0, 10);
    for (size_t rank = between(1, 3); rank > 0; --rank) {
      int64_t part = rank == 1 ? bits : below(bits + 1);
      shape.push_back(int64_t(1) << std::min<int64_t>(part, 8));
      bits -= part;
    }
    shapes.push_back(shape);
  }
  if (chance(30))
    shapes.push_back({});
  globals();

  // Where in the launch grid this is.
  line("%x, %y, %z = get_tile_block_id : tile<i32>");
  line("%gx, %gy, %gz = get_num_tile_blocks : tile<i32>");
  TileType scalar{"i32", {}};
  const char *names[] = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis)
    keep({std::string("%") + names[axis], scalar, {{0, grid[axis] - 1}}});
  for (int axis = 0; axis < 3; ++axis)
    keep({std::string("%g") + names[axis], scalar, {{grid[axis], grid[axis]}}});
  line("%zy = muli %z, %gy : tile<i32>");
  line("%yz = addi %zy, %y : tile<i32>");
  line("%row = muli %yz, %gx : tile<i32>");
  line("%block = addi %row, %x : tile<i32>");
  block = keep({"%block", scalar, {{0, blocks - 1}}});
  line("%start = make_token : token");
  token = "%start";

  for (int64_t i = between(1, 3); i > 0; --i)
    load({chance(60) ? someFloat() : someInteger(), someShape()});
  if (chance(20))
    load({oneOf({"tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"}), someShape()});
  someOps(between(2, 12));
  if (chance(10))
    earlyReturn();
  // What was computed last is what is looked at.
  size_t stores = 0;
  std::vector<Value> values = pool;
  for (size_t i = values.size(); i-- > 0 && stores < 4;) {
    const TileType &type = values[i].type;
    bool isPlain = type.element == "i1" || widthOf(type.element) >= 8;
    if (!isPlain || (type.count() == 1 && !chance(20)) || chance(30))
      continue;
    store(values[i]);
    ++stores;
  }
  if (stores == 0)
    store(get({someFloat(), someShape()}));
  line("return");

  RandomKernel kernel;
  std::string parameters;
  for (const Argument &argument : arguments)
    parameters += (parameters.empty() ? "" : ", ") + argument.name + ": tile<" +
                  (argument.isBuffer ? "ptr<" + argument.element + ">"
                                     : argument.element) +
                  ">";
  kernel.module = "cuda_tile.module @kernels {\n" + tableText + "  entry @k(" +
                  parameters + ")" + entryHints() + " {\n" + body + "  }\n}\n";
  kernel.caseText = caseText();
  kernel.files = std::move(files);
  return kernel;
}

RandomKernel generateKernel(uint64_t seed) { return Generator(seed).run(); }

} // namespace tileir::check
