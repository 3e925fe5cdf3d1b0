// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole randomized kernel, and the case that runs it.

#include "tools/tileir-check/GeneratorState.h"

#include "tools/cases/Json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Generator::pickStep(const Steps &steps) {
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

void Generator::someOp() {
  if (kind == Kind::Steered)
    steeredOp();
  else
    mixedOp();
}

void Generator::mixedOp() {
  static const Steps steps = {
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
      {3, &Generator::affineOp},        {4, &Generator::matmulLoop},
      {3, &Generator::streamLoop},      {3, &Generator::promisingOp},
      {4, &Generator::branchPointerOp}, {4, &Generator::windowLoop},
      {3, &Generator::exitNest},        {4, &Generator::tupleReduceOp},
      {12, &Generator::idiomOp}};
  pickStep(steps);
}

static constexpr unsigned kMaxOps = 240;

void Generator::someOps(int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    // A kernel that is too deep or too long is hard to read when it fails.
    if (numOps > kMaxOps)
      return;
    someOp();
  }
}

//===----------------------------------------------------------------------===//
// Whole kernels
//===----------------------------------------------------------------------===//

void Generator::globals() {
  for (int64_t i = below(3); i > 0; --i) {
    Table table{"table" + std::to_string(i),
                oneOf({"i32", "f32", "f16", "i8", "i16", "i64", "f64", "bf16",
                       "i1", "tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"}),
                int64_t(1) << between(0, 6)};
    std::vector<mlir::Attribute> elements;
    for (int64_t k = 0; k < table.count; ++k)
      elements.push_back(literal(table.element));
    auto visibility = chance(30) ? ct::SymbolVisibility::Private
                                 : ct::SymbolVisibility::Public;
    bool isConstant = chance(30);
    uint64_t alignment = chance(30) ? 64 : 0;
    ct::GlobalOp::create(builder, builder.getUnknownLoc(), table.name,
                         elementsOf({table.element, {table.count}}, elements),
                         alignment, isConstant, visibility);
    tables.push_back(table);
  }
}

ct::OptimizationHintsAttr Generator::entryHints() {
  bool isSteered = kind == Kind::Steered;
  if (!chance(isSteered ? 60 : 30))
    return {};
  llvm::SmallVector<mlir::NamedAttribute> chips;
  for (llvm::StringRef chip :
       {"sm_80", "sm_90", "sm_100", "sm_120", "default"}) {
    if (chance(50))
      continue;
    llvm::SmallVector<mlir::NamedAttribute> hints;
    auto add = [&](const char *name, int64_t value) {
      hints.push_back(
          builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
    };
    add("num_worker_warps_per_cta", oneOf({1, 2, 4, 4, 8, 8, 16}));
    if (isSteered ? chance(60) : chance(30))
      add("occupancy",
          isSteered ? oneOf({1, 2, 3, 4, 6, 8, 16, 32}) : oneOf({1, 2, 4}));
    if (chip != "sm_80" && chip != "default" && chance(20))
      add("num_cta_in_cga", isSteered ? oneOf({1, 2, 2, 4}) : oneOf({1, 2}));
    chips.push_back(
        builder.getNamedAttr(chip, builder.getDictionaryAttr(hints)));
  }
  if (chips.empty())
    return {};
  return ct::OptimizationHintsAttr::get(builder.getContext(),
                                        builder.getDictionaryAttr(chips));
}

std::string Generator::caseText() const {
  cases::JsonTree list = cases::JsonTree::array();
  for (const Argument &argument : arguments) {
    cases::JsonTree entry = {{"name", argument.name},
                             {"dtype", argument.element}};
    if (!argument.isBuffer) {
      entry["value"] = cases::JsonTree::parse(argument.value);
      list.push_back(std::move(entry));
      continue;
    }
    const Buffer &buffer = buffers[argument.buffer];
    entry["shape"] = {buffer.count};
    entry["init"] = buffer.init;
    if (buffer.init == "normal" || buffer.init == "uniform" ||
        buffer.init.compare(0, 9, "integers:") == 0)
      entry["seed"] = buffer.seed;
    if (buffer.isOutput)
      entry["output"] = true;
    list.push_back(std::move(entry));
  }
  return cases::printJson({{"kernel", "kernel.tileirbc"},
                           {"entry", "k"},
                           {"grid", {grid[0], grid[1], grid[2]}},
                           {"args", std::move(list)}});
}

/// Generates a few shapes, so that values combine.
void Generator::drawShapes() {
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
}

/// Reads the position in the launch grid.
void Generator::readGrid() {
  TileType scalar{"i32", {}};
  auto at = emit<ct::GetTileBlockIdOp>();
  auto extents = emit<ct::GetNumTileBlocksOp>();
  for (int axis = 0; axis < 3; ++axis)
    keep({at->getResult(axis), scalar, {{0, grid[axis] - 1}}});
  for (int axis = 0; axis < 3; ++axis) {
    gridValues[axis] = extents->getResult(axis);
    keep({gridValues[axis], scalar, {{grid[axis], grid[axis]}}});
  }
  mlir::Value plane = emit(op::muli, {at->getResult(2), gridValues[1]});
  mlir::Value line = emit(op::addi, {plane, at->getResult(1)});
  mlir::Value first = emit(op::muli, {line, gridValues[0]});
  block = keep(
      {emit(op::addi, {first, at->getResult(0)}), scalar, {{0, blocks - 1}}});
}

/// Stores the last results, which are compared.
void Generator::storeLast() {
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
}

RandomKernel Generator::run() {
  for (int64_t axis = 0; axis < 3; ++axis)
    if (chance(axis == 0 ? 50 : 15))
      grid[axis] = between(2, 3);
  blocks = grid[0] * grid[1] * grid[2];
  if (kind == Kind::Steered)
    drawSteeredShapes();
  else
    drawShapes();
  mlir::Location loc = builder.getUnknownLoc();
  module = ct::ModuleOp::create(builder, loc, "kernels");
  builder.setInsertionPointToEnd(&module->getBody().front());
  globals();
  entry =
      ct::EntryOp::create(builder, loc, "k", builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(&entry.getBody().front());
  readGrid();
  token = emit<ct::MakeTokenOp>();

  for (int64_t i = between(1, 3); i > 0; --i)
    load({chance(60) ? someFloat() : someInteger(), someShape()});
  if (chance(20))
    load({oneOf({"tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"}), someShape()});
  someOps(between(2, 9));
  if (chance(10))
    earlyReturn();
  storeLast();
  emit<ct::ReturnOp>();

  entry.setFunctionType(
      builder.getFunctionType(entry.getBody().getArgumentTypes(), {}));
  if (ct::OptimizationHintsAttr hints = entryHints())
    entry.setOptimizationHintsAttr(hints);
  RandomKernel kernel;
  kernel.module = std::move(module);
  kernel.caseText = caseText();
  kernel.files = std::move(files);
  return kernel;
}

/// Maximum elements of all buffers. Few kernels are larger, and they would take
/// most of the time.
static constexpr int64_t kMaxElements = 1 << 15;

int64_t Generator::countElements() const {
  int64_t count = 0;
  for (const Buffer &buffer : buffers)
    count += buffer.count;
  return count;
}

RandomKernel generateKernel(uint64_t seed, Kind kind,
                            mlir::MLIRContext *context) {
  for (uint64_t attempt = 0;; ++attempt) {
    Generator generator(seed + (attempt << 40), kind, context);
    RandomKernel kernel = generator.run();
    // One in 32 may be of any size.
    if (generator.countElements() <= kMaxElements || attempt == 8 ||
        seed % 32 == 0)
      return kernel;
  }
}

} // namespace tileir::check
