// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized matmul.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

/// Emits a block-scaled MMA.
void Generator::scaledMmaOp() {
  struct Kind {
    const char *element, *scale;
    int64_t block;
  };
  static const std::vector<Kind> kinds = {{"f8E4M3FN", "f8E8M0FNU", 32},
                                          {"f8E5M2", "f8E8M0FNU", 32},
                                          {"f4E2M1FN", "f8E8M0FNU", 32},
                                          {"f4E2M1FN", "f8E8M0FNU", 16},
                                          {"f4E2M1FN", "f8E4M3FN", 16}};
  Kind kind = oneOf(kinds);
  int64_t m = int64_t(8) << below(3), n = int64_t(8) << below(3),
          blocks = int64_t(1) << below(2), k = kind.block * blocks;
  Shape batch;
  if (chance(20))
    batch = {2};
  auto shape = [&](int64_t rows, int64_t columns) {
    Shape result = batch;
    result.push_back(rows);
    result.push_back(columns);
    return result;
  };
  auto operand = [&](int64_t rows, int64_t columns) {
    TileType type{kind.element, shape(rows, columns)};
    if (kind.element != std::string("f4E2M1FN"))
      return get(type);
    Value wide = get({"f32", type.shape});
    return derive<ct::FToFOp>(type, wide.ssa);
  };
  auto scales = [&](int64_t rows, int64_t columns) {
    TileType type{kind.scale, shape(rows, columns)};
    // Tensor cores read f8E4M3FN scales without the sign: negative scales have
    // no defined result.
    if (kind.scale == std::string("f8E4M3FN"))
      return derive<ct::FToFOp>(type,
                                unary(op::absf, get({"f32", type.shape})).ssa);
    Place place = readPlace(kind.scale, powerAbove(type.count()));
    return loadElements(pointers(place, type.shape, /*isUnique=*/false), type);
  };
  Value a = operand(m, k), b = operand(k, n), c = get({"f32", shape(m, n)});
  Value sa = scales(m, blocks), sb = scales(blocks, n);
  define<ct::MmaFScaledOp>(c.type, a.ssa, b.ssa, c.ssa, sa.ssa, sb.ssa);
}

namespace {

struct MmaTypes {
  std::string in, acc;
};

} // namespace

static const std::vector<MmaTypes> kMmaTypes = {
    {"f16", "f32"},      {"f16", "f16"},    {"bf16", "f32"},
    {"tf32", "f32"},     {"f32", "f32"},    {"f64", "f64"},
    {"f8E4M3FN", "f32"}, {"f8E5M2", "f32"}, {"f8E4M3FN", "f16"},
    {"f8E5M2", "f16"},   {"f16", "f32"},    {"bf16", "f32"},
    {"i8", "i32"},       {"i8", "i32"},     {"i8", "i32"}};

Value Generator::matmul(const Value &a, const Value &b, const Value &c) {
  if (a.type.element == "i8") {
    using Signs = std::pair<bool, bool>;
    auto [isLeftSigned, isRightSigned] = oneOf<Signs>(
        {{true, true}, {false, true}, {true, false}, {false, false}});
    return define<ct::MmaIOp>(c.type, a.ssa, b.ssa, c.ssa, signOf(isLeftSigned),
                              signOf(isRightSigned));
  }
  bool isFast = a.type.element.rfind("f8", 0) == 0 && chance(30);
  return define<ct::MmaFOp>(c.type, a.ssa, b.ssa, c.ssa, isFast);
}

void Generator::mmaOp() {
  auto extent = [&]() -> int64_t {
    return chance(70) ? int64_t(8) << below(3) : int64_t(1) << below(3);
  };
  int64_t m = extent(), n = extent(), k = extent();
  Shape batch;
  if (chance(12)) {
    // Shapes of warpgroup instructions.
    m = int64_t(64) << below(2);
    n = int64_t(16) << below(3);
    k = int64_t(16) << below(2);
  } else if (chance(25)) {
    batch = {int64_t(1) << below(3)};
    m = std::min<int64_t>(m, 16);
    n = std::min<int64_t>(n, 16);
  }
  auto shape = [&](int64_t rows, int64_t columns) {
    Shape result = batch;
    result.push_back(rows);
    result.push_back(columns);
    return result;
  };
  MmaTypes kind = oneOf(kMmaTypes);
  Value a = get({kind.in, shape(m, k)}), b = get({kind.in, shape(k, n)}),
        c = get({kind.acc, shape(m, n)});
  matmul(a, b, c);
}

/// Emits a dot that a loop accumulates, as in most kernels: the operands are
/// loaded in sections along K.
void Generator::matmulLoop() {
  if (depth >= 2)
    return;
  MmaTypes kind = oneOf(kMmaTypes);
  bool isLarge = chance(15);
  auto extent = [&] { return int64_t(isLarge ? 32 : 8) << below(3); };
  int64_t m = extent(), n = extent(), k = int64_t(16) << below(isLarge ? 2 : 3);
  if (isLarge && m * n > 64 * 64)
    n = 32;
  int64_t tripCount = between(1, isLarge ? 2 : 5), depthOfSum = tripCount * k;
  // The last section may exceed the tensor; zeros add nothing.
  int64_t ragged = chance(30) ? below(k) : 0;
  Value low = integer("i32", 0), step = integer("i32", 1),
        high = chance(50) ? scalarArgument("i32", tripCount)
                          : integer("i32", tripCount);

  struct Operand {
    mlir::Value view, other;
    bool isFirst;
    TileType tile;
  };
  auto operand = [&](bool isFirst) {
    Operand result;
    result.isFirst = isFirst;
    result.tile = {kind.in, isFirst ? Shape{m, k} : Shape{k, n}};
    int64_t parts = between(1, 3);
    Shape extents = isFirst ? Shape{m * parts, depthOfSum - ragged}
                            : Shape{depthOfSum - ragged, n * parts};
    // Row-major or transposed.
    bool isTransposedLayout = chance(40);
    if (isTransposedLayout)
      std::swap(extents[0], extents[1]);
    int64_t lead = extents[1];
    if (chance(40))
      lead = (lead + 15) / 16 * 16;
    else if (chance(20))
      lead += below(9);
    Place place = readPlace(kind.in, (extents[0] - 1) * lead + extents[1]);
    mlir::Value tensor = tensorView(kind.in, extents, {lead, 1}, place.base);
    std::optional<ct::PaddingValue> padding;
    if (ragged)
      padding = ct::PaddingValue::zero;
    result.view =
        isTransposedLayout
            ? partitionView(tensor, result.tile.shape, padding, {1, 0})
            : partitionView(tensor, result.tile.shape, padding);
    result.other = index(parts);
    return result;
  };
  Operand first = operand(true), second = operand(false);
  TileType accumulatorType{kind.acc, {m, n}};
  Value start = chance(60) ? splat(0, accumulatorType) : get(accumulatorType);
  auto body = [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    keep({in[0], {"i32", {}}, {{0, tripCount - 1}}});
    auto part = [&](const Operand &from) {
      Values indices = {in[0], from.other};
      if (from.isFirst)
        std::swap(indices[0], indices[1]);
      Value value = keep(loadTile(from.view, indices, from.tile, hints(true)));
      if (isBaseFloat(kind.in) && chance(15))
        value = unary(oneOf({op::negf, op::absf}), value);
      return value;
    };
    Value a = part(first), b = part(second);
    Value accumulator = matmul(a, b, {in[1], accumulatorType, std::nullopt});
    if (chance(20))
      someOps(1);
    emit<ct::ContinueOp>(Values{accumulator});
  };
  mlir::ValueRange results = forLoop(low, high, step, {start}, body);
  keep({results[0], accumulatorType, std::nullopt});
}

//===----------------------------------------------------------------------===//
// Whole kernels
//===----------------------------------------------------------------------===//

Value Generator::placesOf(const Value &tile, int64_t extent) {
  Value start = binary(op::muli, tile, integer("i32", extent));
  Value first = broadcastTo(start, {extent});
  return binary(op::addi, first, iota("i32", extent));
}

Value Generator::outerSum(const Value &down, const Value &right,
                          const Shape &shape) {
  Value first = broadcastTo(reshaped(down, {shape[0], 1}), shape);
  return binary(op::addi, first,
                broadcastTo(reshaped(right, {1, shape[1]}), shape));
}

Value Generator::scaled(const Value &places, const Value &by) {
  return binary(op::muli, places, broadcastTo(by, places.type.shape));
}

/// Stores the elements of a tile inside a matrix of `room` elements, an output
/// that tile blocks share.
void Generator::storeInside(const Value &value, const Value &atRow,
                            const Value &atColumn, const Value &numRows,
                            const Value &numColumns, int64_t room) {
  const Shape &shape = value.type.shape;
  Buffer &buffer = newBuffer(value.type.element, room, /*isOutput=*/true);
  buffer.init = "zeros";
  mlir::Value base = buffer.base;
  mlir::Value to =
      pointersAt(base, outerSum(scaled(atRow, numColumns), atColumn, shape));
  Value rowsInside = below(atRow, numRows),
        columnsInside = below(atColumn, numColumns);
  Value down = broadcastTo(reshaped(rowsInside, {shape[0], 1}), shape);
  Value right = broadcastTo(reshaped(columnsInside, {1, shape[1]}), shape);
  Value inside = binary(op::andi, down, right);
  emit<ct::StorePtrTkoOp>(ct::MemoryOrderingSemantics::WEAK,
                          ct::MemoryScopeAttr(), to, value.ssa, inside.ssa,
                          mlir::Value(), ct::OptimizationHintsAttr());
}

/// Emits a matmul over tiles of pointers, as in Triton kernels: tile blocks by
/// rows and columns, indices that wrap around, a mask for the last section.
void Generator::pointerMatmul() {
  if (depth > 0)
    return;
  std::string element = oneOf({"f16", "bf16", "f32", "i8", "f16"});
  std::string sumElement = element == "i8" ? "i32" : "f32";
  int64_t m = int64_t(16) << below(2), n = int64_t(16) << below(2),
          k = int64_t(16) << below(2);
  int64_t rows = between(1, 2 * m), columns = between(1, 2 * n),
          inner = between(1, 3 * k);
  if (chance(50))
    inner = (inner + 15) / 16 * 16;
  int64_t tripCount = (inner + k - 1) / k, columnTiles = (columns + n - 1) / n;
  Place a = readPlace(element, rows * inner),
        b = readPlace(element, inner * columns);
  TileType scalar{"i32", {}};
  Value across = scalarArgument("i32", columnTiles),
        numRows = scalarArgument("i32", rows),
        numColumns = scalarArgument("i32", columns),
        numInner = scalarArgument("i32", inner);
  if (inner % 16 == 0 && chance(50))
    numInner = define<ct::AssumeOp>(scalar, numInner.ssa, divisibleBy(16));
  Value row = binary(op::divi, block, across),
        column = binary(op::remi, block, across);
  Value atRow = placesOf(row, m), atColumn = placesOf(column, n);
  auto wrapped = [&](const Value &at, const Value &limit) {
    return binary(op::remi, at, broadcastTo(limit, at.type.shape));
  };
  Value fromRow = wrapped(atRow, numRows),
        fromColumn = wrapped(atColumn, numColumns);
  Value atInner = iota("i32", k);
  Value offsetsA = outerSum(scaled(fromRow, numInner), atInner, {m, k});
  mlir::Value fromA = pointersAt(a.base, offsetsA);
  Value offsetsB = outerSum(scaled(atInner, numColumns), fromColumn, {k, n});
  mlir::Value fromB = pointersAt(b.base, offsetsB);
  TileType typeA{element, {m, k}}, typeB{element, {k, n}},
      typeC{sumElement, {m, n}};
  Value none = splat(0, typeC), zeroA = splat(0, typeA),
        zeroB = splat(0, typeB);
  Value stepA = integer("i32", k, {m, k});
  Value stepB =
      broadcastTo(binary(op::muli, numColumns, integer("i32", k)), typeB.shape);
  Value low = integer("i32", 0), one = integer("i32", 1),
        high = scalarArgument("i32", tripCount);
  auto body = [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    Value part{in[0], scalar, std::nullopt};
    Value done = binary(op::muli, part, integer("i32", k));
    Value left = binary(op::subi, numInner, done);
    Value inside = below(atInner, left);
    auto operand = [&](mlir::Value from, const Value &zero, const Shape &unit) {
      Value mask = broadcastTo(reshaped(inside, unit), zero.type.shape);
      return loadElements(from, zero.type, mask, zero);
    };
    Value x = operand(in[1], zeroA, {1, k}), y = operand(in[2], zeroB, {k, 1});
    Value total = matmul(x, y, {in[3], typeC, std::nullopt});
    mlir::Value nextA = offset(in[1], stepA), nextB = offset(in[2], stepB);
    emit<ct::ContinueOp>(Values{nextA, nextB, total});
  };
  mlir::ValueRange results =
      forLoop(low, high, one, {fromA, fromB, none}, body);
  Value result = keep({results[2], typeC, std::nullopt});
  storeInside(result, atRow, atColumn, numRows, numColumns, rows * columns);
}

/// Emits attention: two dots and a row sum, section by section.
void Generator::attentionStep() {
  if (depth >= 1)
    return;
  std::string element = oneOf({"f16", "bf16", "f16", "f32"});
  int64_t m = int64_t(16) << below(2), n = int64_t(16) << below(2),
          d = int64_t(16) << below(3), tripCount = between(1, 3);
  int64_t ragged = chance(40) ? below(n) : 0, length = tripCount * n - ragged;
  TileType row{element, {m, d}}, part{element, {n, d}},
      transposed{element, {d, n}}, scores{"f32", {m, n}}, state{"f32", {m}},
      accumulators{"f32", {m, d}};
  Value q = get(row);
  auto makeSource = [&] {
    Place place = readPlace(element, length * d);
    mlir::Value tensor = tensorView(element, {length, d}, {d, 1}, place.base);
    return partitionView(tensor, part.shape, ct::PaddingValue::zero);
  };
  mlir::Value keys = makeSource(), values = makeSource();
  bool isCausal = chance(50);
  Value least = splat(-1.0e30, state), none = splat(0, state),
        zero = splat(0, accumulators), noScores = splat(0, scores),
        masked = splat(-1.0e30, scores), scale = splat(0.25, scores);
  Value atRow = along(scores.shape, 0), atColumn = along(scores.shape, 1);
  Value low = integer("i32", 0), one = integer("i32", 1),
        high = scalarArgument("i32", tripCount),
        limit = scalarArgument("i32", length);
  auto body = [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    Value step{in[0], {"i32", {}}, std::nullopt},
        best{in[1], state, std::nullopt}, total{in[2], state, std::nullopt},
        accumulator{in[3], accumulators, std::nullopt};
    auto read = [&](mlir::Value view) {
      return loadTile(view, {step, low}, part, hints(true));
    };
    Value key = define<ct::PermuteOp>(transposed, read(keys).ssa,
                                      llvm::ArrayRef<int32_t>{1, 0});
    Value s = binary(op::mulf, matmul(q, key, noScores), scale);
    Value start = binary(op::muli, step, integer("i32", n));
    Value column = binary(op::addi, atColumn, broadcastTo(start, scores.shape));
    Value inside = below(column, limit);
    if (isCausal)
      inside = binary(
          op::andi, inside,
          compare(ct::ComparisonPredicate::LESS_THAN_OR_EQUAL, column, atRow));
    s = chosen(inside, s, masked);
    Value most = reduceBy(s, 1, op::maxf);
    Value now = binary(op::maxf, best, most);
    Value factor = exponential(binary(op::subf, best, now));
    Value weights =
        exponential(binary(op::subf, s, spread(now, scores.shape, 1)));
    Value added = reduceBy(weights, 1, op::addf);
    Value grown = fma(total, factor, added);
    Value smaller =
        binary(op::mulf, accumulator, spread(factor, accumulators.shape, 1));
    Value narrow = convert(weights, element);
    Value nextAccumulator = matmul(narrow, read(values), smaller);
    emit<ct::ContinueOp>(Values{now, grown, nextAccumulator});
  };
  mlir::ValueRange results = forLoop(low, high, one, {least, none, zero}, body);
  Value all{results[1], state, std::nullopt};
  keepNarrow(binary(op::divf, {results[2], accumulators, std::nullopt},
                    spread(all, accumulators.shape, 1)));
}

} // namespace tileir::check
