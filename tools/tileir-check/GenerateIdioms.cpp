// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idioms of real producers' kernels: row normalization, matmul and attention
// over pointers and views, persistent loops.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

static constexpr double kMin = -std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

/// Broadcasts a reduced value along the dimension that it lost.
Value Generator::spread(const Value &reduced, const Shape &shape, size_t dim) {
  Shape unit = shape;
  unit[dim] = 1;
  return broadcastTo(reshaped(reduced, unit), shape);
}

/// Returns the numbers 0, 1, … along one dimension.
Value Generator::along(const Shape &shape, size_t dim) {
  Shape unit(shape.size(), 1);
  unit[dim] = shape[dim];
  return broadcastTo(reshaped(iota("i32", shape[dim]), unit), shape);
}

Value Generator::below(const Value &places, const Value &limit) {
  Value wide = broadcastTo(limit, places.type.shape);
  return compare(ct::ComparisonPredicate::LESS_THAN, places, wide);
}

Value Generator::exponential(const Value &value) {
  if (chance(50))
    return unary(op::exp, value);
  Value scale = splat(1.442695, value.type);
  Value scaled = binary(op::mulf, value, scale, flushed(chance(40)));
  return unary(op::exp2, scaled, flushed(chance(50)));
}

/// Returns rows of f32, possibly loaded in a narrower type, and their
/// dimension.
std::optional<Value> Generator::someRows(size_t &dim) {
  Shape shape = someShape();
  if (shape.empty() || countOf(shape) > 2048)
    return std::nullopt;
  dim = chance(75) ? shape.size() - 1 : size_t(below(shape.size()));
  Value narrow = get({oneOf({"f32", "f16", "bf16"}), shape});
  return convert(narrow, "f32");
}

void Generator::keepNarrow(const Value &value) {
  Value result = convert(value, oneOf({"f32", "f16", "bf16"}));
  if (chance(60))
    store(result);
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void Generator::softmaxRows() {
  size_t dim = 0;
  std::optional<Value> rows = someRows(dim);
  if (!rows)
    return;
  Value x = *rows;
  Shape shape = x.type.shape;
  if (chance(50)) {
    Value limit = scalarArgument("i32", between(1, shape[dim]));
    Value inside = below(along(shape, dim), limit);
    x = chosen(inside, x, splat(kMin, x.type));
  }
  Modifiers with;
  with.propagatesNan = chance(30);
  Value most = reduceBy(x, dim, op::maxf, with);
  Value weights = exponential(binary(op::subf, x, spread(most, shape, dim)));
  Value sum = reduceBy(weights, dim, op::addf);
  Value wide = spread(sum, shape, dim);
  keepNarrow(binary(op::divf, weights, wide,
                    rounded(oneOf<std::optional<ct::RoundingMode>>(
                        {std::nullopt, std::nullopt, ct::RoundingMode::APPROX,
                         ct::RoundingMode::FULL}))));
}

void Generator::normRows() {
  size_t dim = 0;
  std::optional<Value> rows = someRows(dim);
  if (!rows)
    return;
  Value x = *rows;
  Shape shape = x.type.shape;
  auto mean = [&](const Value &value) {
    Value sum = reduceBy(value, dim, op::addf);
    return binary(op::divf, sum, splat(double(shape[dim]), sum.type));
  };
  bool isCentred = chance(50);
  if (isCentred)
    x = binary(op::subf, x, spread(mean(x), shape, dim));
  Value variance = mean(binary(op::mulf, x, x));
  Value safe = binary(op::addf, variance, splat(1.0e-5, variance.type));
  Value factor = unary(op::rsqrt, safe);
  Value y = binary(op::mulf, x, spread(factor, shape, dim));
  Shape unit(shape.size(), 1);
  unit[dim] = shape[dim];
  Value weight = get({oneOf({"f32", "f16"}), {shape[dim]}});
  weight = broadcastTo(reshaped(convert(weight, "f32"), unit), shape);
  keepNarrow(isCentred ? fma(y, weight, x) : binary(op::mulf, y, weight));
}

/// Emits a running maximum and sum of a row that is loaded in sections.
void Generator::onlineSoftmax() {
  if (depth >= 2)
    return;
  int64_t rows = int64_t(1) << below(4), columns = int64_t(8) << below(4);
  int64_t tripCount = between(1, 4), ragged = below(columns);
  int64_t length = tripCount * columns - ragged;
  TileType tile{oneOf({"f32", "f16", "bf16"}), {rows, columns}};
  Place place = readPlace(tile.element, rows * length);
  mlir::Value tensor =
      tensorView(tile.element, {rows, length}, {length, 1}, place.base);
  mlir::Value view =
      partitionView(tensor, tile.shape, ct::PaddingValue::neg_inf);
  TileType state{"f32", {rows}};
  Value least = splat(-1.0e30, state), none = splat(0, state);
  Value low = integer("i32", 0), one = integer("i32", 1),
        high = chance(50) ? scalarArgument("i32", tripCount)
                          : integer("i32", tripCount);
  auto body = [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    Value m{in[1], state, std::nullopt}, l{in[2], state, std::nullopt};
    Value x = convert(loadTile(view, {low, in[0]}, tile), "f32");
    Value best = binary(op::maxf, m, reduceBy(x, 1, op::maxf));
    Value scale = exponential(binary(op::subf, m, best));
    Value weights =
        exponential(binary(op::subf, x, spread(best, tile.shape, 1)));
    Value sum = reduceBy(weights, 1, op::addf);
    emit<ct::ContinueOp>(Values{best, fma(l, scale, sum)});
  };
  mlir::ValueRange results = forLoop(low, high, one, {least, none}, body);
  keep({results[0], state, std::nullopt});
  keep({results[1], state, std::nullopt});
}

void Generator::gateRows() {
  size_t dim = 0;
  std::optional<Value> rows = someRows(dim);
  if (!rows)
    return;
  Value x = *rows, one = splat(1, x.type);
  Value factor = convert(get({oneOf({"f16", "f32"}), x.type.shape}), "f32");
  auto approximate = [&]() -> Modifiers {
    return chance(30) ? rounded(ct::RoundingMode::APPROX) : Modifiers();
  };
  Value gate = one;
  if (chance(50)) {
    Value sum = binary(op::addf, exponential(unary(op::negf, x)), one);
    gate = binary(op::divf, x, sum, approximate());
  } else {
    Value cube = binary(op::mulf, binary(op::mulf, x, x), x);
    Value inner = fma(cube, splat(0.044715, x.type), x);
    Value scaled = binary(op::mulf, inner, splat(0.8, x.type));
    Value bent = unary(op::tanh, scaled, approximate());
    gate = binary(op::mulf, x, binary(op::addf, bent, one));
  }
  keepNarrow(binary(op::mulf, gate, factor));
}

/// Rotates pairs of half rows by angles (rotary embedding).
void Generator::rotateRows() {
  Shape shape = someShape();
  if (shape.size() != 2 || shape[1] < 2 || countOf(shape) > 2048)
    return;
  Value x = get({oneOf({"f32", "f16"}), shape});
  TileType half{x.type.element, {shape[0], shape[1] / 2}};
  Value zero = integer("i32", 0), one = integer("i32", 1);
  auto part = [&](const Value &at) {
    Value result = define<ct::ExtractOp>(half, x.ssa, Values{zero, at});
    return convert(result, "f32");
  };
  Value left = part(zero), right = part(one);
  auto table = [&] {
    Value row = convert(get({oneOf({"f32", "f16"}), {half.shape[1]}}), "f32");
    return broadcastTo(reshaped(row, {1, half.shape[1]}), half.shape);
  };
  Value cosine = table(), sine = table();
  auto sum = [&](Elementwise op, const Value &x, const Value &y) {
    Value first = binary(op::mulf, x, cosine);
    return binary(op, first, binary(op::mulf, y, sine));
  };
  Value a = sum(op::subf, left, right), b = sum(op::addf, right, left);
  keepNarrow(define<ct::CatOp>({"f32", shape}, a.ssa, b.ssa, uint64_t(1)));
}

/// Emits the logarithm of a row's sum minus the element at an index.
void Generator::crossEntropy() {
  size_t dim = 0;
  std::optional<Value> rows = someRows(dim);
  if (!rows)
    return;
  Value x = *rows;
  Shape shape = x.type.shape;
  Value most = reduceBy(x, dim, op::maxf);
  Value weights = exponential(binary(op::subf, x, spread(most, shape, dim)));
  Value sum = reduceBy(weights, dim, op::addf);
  Value total = binary(op::addf, unary(op::log, sum), most);
  Shape rest = most.type.shape;
  Value target = get({"i32", rest});
  target = limited(target, shape[dim]);
  Value places = along(shape, dim), wanted = spread(target, shape, dim);
  Value isWanted = compare(ct::ComparisonPredicate::EQUAL, places, wanted);
  Value selected =
      reduceBy(chosen(isWanted, x, splat(0, x.type)), dim, op::addf);
  keepNarrow(binary(op::subf, total, selected));
}

/// Stores the elements that pass a test contiguously.
void Generator::compactRows() {
  if (!isOrdered())
    return;
  Shape shape = someShape();
  int64_t count = countOf(shape);
  if (shape.empty() || count > 1024)
    return;
  Value x = reshaped(get({someInteger(/*withBool=*/false), shape}), {count});
  Value limit = splat(double(between(-3, 20)), x.type);
  TileType number{"i32", {count}};
  Value taken = compare(ct::ComparisonPredicate::GREATER_THAN, x, limit);
  Value ones = define<ct::ExtIOp>(number, taken.ssa, ct::Signedness::Unsigned);
  mlir::ValueRange sums = aggregate(
      {ones}, 0, /*isReversed=*/false, {this->number("i32", int64_t(0))},
      [&](mlir::Block::BlockArgListType in) -> Values {
        return {emit(op::addi, {in[0], in[1]})};
      });
  Value upTo = keep({sums[0], number, std::nullopt});
  Value places = binary(op::subi, upTo, integer("i32", 1, {count}));
  Place own = ownPlace(x.type.element, count);
  mlir::Value to = offset(spreadScalar(own.base, {count}), places);
  chain(emit<ct::StorePtrTkoOp>(ct::MemoryOrderingSemantics::WEAK,
                                ct::MemoryScopeAttr(), to, x.ssa, taken.ssa,
                                token, ct::OptimizationHintsAttr()));
}

/// Emits a loop in which a tile block takes every n-th tile.
void Generator::persistentRows() {
  if (depth > 0)
    return;
  TileType tile{someElement(), someShape()};
  if (tile.shape.empty() || tile.count() > 1024)
    return;
  int64_t tiles = between(1, 2 * blocks + 1);
  Shape extents = tile.shape;
  extents[0] = tiles * tile.shape[0] - below(tile.shape[0]);
  Shape strides = stridesOf(extents);
  Place place = readPlace(tile.element, countOf(extents));
  Buffer &buffer = newBuffer(tile.element, countOf(extents), /*isOutput=*/true);
  buffer.init = "zeros";
  mlir::Value result = buffer.base;
  auto view = [&](mlir::Value base, std::optional<ct::PaddingValue> padding) {
    mlir::Value tensor = tensorView(tile.element, extents, strides, base);
    return partitionView(tensor, tile.shape, padding);
  };
  mlir::Value from = view(place.base, ct::PaddingValue::zero),
              to = view(result, std::nullopt);
  TileType scalar{"i32", {}};
  Value across = keep(
      {emit(op::muli, {gridValues[0], gridValues[1]}), scalar, std::nullopt});
  Value step =
      keep({emit(op::muli, {across, gridValues[2]}), scalar, std::nullopt});
  Value high = scalarArgument("i32", tiles);
  Values zeros;
  for (size_t i = 1; i < tile.shape.size(); ++i)
    zeros.push_back(integer("i32", 0));
  forLoop(block, high, step, {}, [&](mlir::Block::BlockArgListType in) {
    tokenFlows = false;
    keep({in[0], scalar, {{0, tiles - 1}}});
    Values indices = {in[0]};
    indices.insert(indices.end(), zeros.begin(), zeros.end());
    Value x = keep(loadTile(from, indices, tile, hints(true)));
    Value y = combined(x, get(tile));
    if (chance(40))
      someOps(1);
    storeTile(y, to, indices, mlir::Value(), hints(true));
    emit<ct::ContinueOp>();
  });
}

void Generator::idiomOp() {
  using Step = void (Generator::*)();
  static const std::vector<Step> steps = {
      &Generator::softmaxRows,   &Generator::normRows,
      &Generator::onlineSoftmax, &Generator::gateRows,
      &Generator::rotateRows,    &Generator::crossEntropy,
      &Generator::compactRows,   &Generator::persistentRows,
      &Generator::pointerMatmul, &Generator::attentionStep};
  return (this->*oneOf(steps))();
}

} // namespace tileir::check
