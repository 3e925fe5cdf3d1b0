// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The random kernel as a whole, and the case that runs it.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Generator::someOp() {
  using Step = void (Generator::*)();
  static const std::vector<std::pair<int, Step>> steps = {
      {14, &Generator::floatOp},        {6, &Generator::functionOp},
      {14, &Generator::integerOp},      {8, &Generator::compareOp},
      {10, &Generator::conversionOp},   {9, &Generator::shapeOp},
      {4, &Generator::catOp},           {5, &Generator::extractOp},
      {3, &Generator::packOp},          {8, &Generator::reduceOp},
      {4, &Generator::scanOp},          {5, &Generator::mmaOp},
      {3, &Generator::assumeOp},        {5, &Generator::roundTrip},
      {3, &Generator::sharedAtomic},    {4, &Generator::ownAtomic},
      {3, &Generator::loadTable},       {4, &Generator::ifOp},
      {4, &Generator::forOp},           {3, &Generator::loopOp},
      {2, &Generator::assertOp},        {2, &Generator::printOp},
      {3, &Generator::insertOp},        {4, &Generator::nibbleOp},
      {2, &Generator::scaledMmaOp},     {2, &Generator::gridOp},
      {3, &Generator::affineOp},        {4, &Generator::productLoop},
      {3, &Generator::streamLoop},      {3, &Generator::promisingOp},
      {4, &Generator::branchPointerOp}, {4, &Generator::windowLoop},
      {3, &Generator::exitNest},        {4, &Generator::tupleReduceOp},
      {12, &Generator::idiomOp}};
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
    if (body.size() > 16000)
      return;
    someOp();
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void Generator::globals() {
  for (int64_t i = below(3); i > 0; --i) {
    Table table{"table" + std::to_string(i),
                oneOf({"i32", "f32", "f16", "i8", "i16", "i64", "f64", "bf16",
                       "i1", "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"}),
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
  for (std::string chip : {"sm_80", "sm_90", "sm_100", "sm_120", "default"}) {
    if (chance(50))
      continue;
    text += (isFirst ? "" : ", ") + chip + " = {num_worker_warps_per_cta = " +
            oneOf({"1", "2", "4", "4", "8", "8", "16"}) +
            (chance(30) ? ", occupancy = " + oneOf({"1", "2", "4"}) : "");
    if (chip != "sm_80" && chip != "default" && chance(20))
      text += ", num_cta_in_cga = " + oneOf({"1", "2"});
    text += "}";
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
      text += "\"value\": " + argument.value + "}";
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
    bool isLarge = chance(6);
    int64_t bits = isLarge ? between(11, 13) : between(0, 10);
    for (size_t rank = chance(15) ? between(4, 6) : between(1, 3); rank > 0;
         --rank) {
      int64_t part = rank == 1 ? bits : below(bits + 1);
      shape.push_back(int64_t(1) << std::min<int64_t>(part, isLarge ? 12 : 8));
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
  someOps(between(2, 9));
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

/// Elements in all buffers. Few kernels are larger, and they would take most of
/// the time.
static constexpr int64_t kMostElements = 1 << 15;

int64_t Generator::countElements() const {
  int64_t count = 0;
  for (const Buffer &buffer : buffers)
    count += buffer.count;
  return count;
}

RandomKernel generateKernel(uint64_t seed) {
  for (uint64_t attempt = 0;; ++attempt) {
    Generator generator(seed + (attempt << 40));
    RandomKernel kernel = generator.run();
    // One in 32 may be as large as it likes.
    if (generator.countElements() <= kMostElements || attempt == 8 ||
        seed % 32 == 0)
      return kernel;
  }
}

} // namespace tileir::check
