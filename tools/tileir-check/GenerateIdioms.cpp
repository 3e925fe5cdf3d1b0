// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels of real producers consist of: rows that are normalised, products
// and attention over pointers and views, persistent loops.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

static const char *const kLeast = "0xFF800000"; // of f32

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

Value Generator::splat(const std::string &number, const TileType &type) {
  return define(
      "constant <" + type.element + ": " + number + "> : " + text(type), type);
}

Value Generator::unary(const std::string &op, const Value &a,
                       const std::string &suffix) {
  return define(op + " " + a.name + suffix + " : " + text(a.type), a.type);
}

/// A reduced value along the dimension again that it lost.
Value Generator::spread(const Value &reduced, const Shape &shape, size_t dim) {
  Shape unit = shape;
  unit[dim] = 1;
  return broadcastTo(reshaped(reduced, unit), shape);
}

/// The numbers 0, 1, … along one dimension.
Value Generator::along(const Shape &shape, size_t dim) {
  Shape unit(shape.size(), 1);
  unit[dim] = shape[dim];
  return broadcastTo(reshaped(iota("i32", shape[dim]), unit), shape);
}

Value Generator::below(const Value &places, const Value &limit) {
  TileType type{"i1", places.type.shape};
  Value wide = broadcastTo(limit, places.type.shape);
  return define("cmpi less_than " + places.name + ", " + wide.name +
                    ", signed : " + text(places.type) + " -> " + text(type),
                type);
}

Value Generator::chosen(const Value &which, const Value &yes, const Value &no) {
  return define("select " + which.name + ", " + yes.name + ", " + no.name +
                    " : " + text(which.type) + ", " + text(yes.type),
                yes.type);
}

Value Generator::exponential(const Value &value) {
  if (chance(50))
    return unary("exp", value);
  Value scale = splat("1.442695", value.type);
  Value scaled =
      binary("mulf", value, scale, chance(40) ? " flush_to_zero" : "");
  return unary("exp2", scaled, chance(50) ? " flush_to_zero" : "");
}

/// Rows of f32, loaded in a narrower type or not, and which dimension is one.
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
    x = chosen(inside, x, splat(kLeast, x.type));
  }
  Value most =
      reduceBy(x, dim, "maxf", chance(30) ? " propagate_nan" : "", kLeast);
  Value weights = exponential(binary("subf", x, spread(most, shape, dim)));
  Value sum = reduceBy(weights, dim, "addf", "", "0.0");
  keepNarrow(binary("divf", weights, spread(sum, shape, dim),
                    oneOf({"", "", " rounding<approx>", " rounding<full>"})));
}

void Generator::normRows() {
  size_t dim = 0;
  std::optional<Value> rows = someRows(dim);
  if (!rows)
    return;
  Value x = *rows;
  Shape shape = x.type.shape;
  std::string extent = std::to_string(shape[dim]) + ".0";
  auto mean = [&](const Value &value) {
    Value sum = reduceBy(value, dim, "addf", "", "0.0");
    return binary("divf", sum, splat(extent, sum.type));
  };
  bool isCentred = chance(50);
  if (isCentred)
    x = binary("subf", x, spread(mean(x), shape, dim));
  Value variance = mean(binary("mulf", x, x));
  Value safe = binary("addf", variance, splat("1.0e-5", variance.type));
  Value factor = unary("rsqrt", safe);
  Value y = binary("mulf", x, spread(factor, shape, dim));
  Shape unit(shape.size(), 1);
  unit[dim] = shape[dim];
  Value weight = get({oneOf({"f32", "f16"}), {shape[dim]}});
  weight = broadcastTo(reshaped(convert(weight, "f32"), unit), shape);
  keepNarrow(isCentred ? define("fma " + y.name + ", " + weight.name + ", " +
                                    x.name + " : " + text(y.type),
                                y.type)
                       : binary("mulf", y, weight));
}

/// The largest element and the sum of a row that comes in parts.
void Generator::onlineSoftmax() {
  if (depth >= 2)
    return;
  int64_t rows = int64_t(1) << below(4), columns = int64_t(8) << below(4);
  int64_t trips = between(1, 4), ragged = below(columns);
  int64_t length = trips * columns - ragged;
  TileType tile{oneOf({"f32", "f16", "bf16"}), {rows, columns}};
  Place place = readPlace(tile.element, rows * length);
  std::string tensorType;
  std::string tensor =
      tensorView({tile}, {rows, length}, {length, 1}, place.base, tensorType);
  std::string view = fresh(),
              type = "partition_view<tile=(" + text(tile.shape) +
                     "), padding_value = neg_inf, " + tensorType + ">";
  line(view + " = make_partition_view " + tensor + " : " + type);
  TileType state{"f32", {rows}};
  Value least = splat("-1.0e30", state), none = splat("0.0", state);
  Value low = integer("i32", 0), one = integer("i32", 1),
        high =
            chance(50) ? scalarArgument("i32", trips) : integer("i32", trips);
  std::string name = fresh(), part = fresh(), m = fresh(), l = fresh();
  std::string types = text(state) + ", " + text(state);
  line(name + ":2 = for " + part + " in (" + low.name + " to " + high.name +
       ", step " + one.name + ") : tile<i32> iter_values(" + m + " = " +
       least.name + ", " + l + " = " + none.name + ") -> (" + types + ") {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    Value x = convert(loaded("load_view_tko weak " + view + "[" + low.name +
                                 ", " + part + "] : " + type + ", tile<i32>",
                             tile),
                      "f32");
    Value best = binary("maxf", {m, state, std::nullopt},
                        reduceBy(x, 1, "maxf", "", kLeast));
    Value scale = exponential(binary("subf", {m, state, std::nullopt}, best));
    Value weights = exponential(binary("subf", x, spread(best, tile.shape, 1)));
    Value sum = reduceBy(weights, 1, "addf", "", "0.0");
    Value total = define("fma " + l + ", " + scale.name + ", " + sum.name +
                             " : " + text(state),
                         state);
    line("continue " + best.name + ", " + total.name + " : " + types);
    --loopDepth;
  });
  line("}");
  keep({name + "#0", state, std::nullopt});
  keep({name + "#1", state, std::nullopt});
}

void Generator::gateRows() {
  size_t dim = 0;
  std::optional<Value> rows = someRows(dim);
  if (!rows)
    return;
  Value x = *rows, one = splat("1.0", x.type);
  Value factor = convert(get({oneOf({"f16", "f32"}), x.type.shape}), "f32");
  Value gate = one;
  if (chance(50)) {
    Value sum = binary("addf", exponential(unary("negf", x)), one);
    gate = binary("divf", x, sum, chance(30) ? " rounding<approx>" : "");
  } else {
    Value cube = binary("mulf", binary("mulf", x, x), x);
    Value inner =
        define("fma " + cube.name + ", " + splat("0.044715", x.type).name +
                   ", " + x.name + " : " + text(x.type),
               x.type);
    Value bent = unary("tanh", binary("mulf", inner, splat("0.8", x.type)),
                       chance(30) ? " rounding<approx>" : "");
    gate = binary("mulf", x, binary("addf", bent, one));
  }
  keepNarrow(binary("mulf", gate, factor));
}

/// Halves of rows turned against each other.
void Generator::rotateRows() {
  Shape shape = someShape();
  if (shape.size() != 2 || shape[1] < 2 || countOf(shape) > 2048)
    return;
  Value x = get({oneOf({"f32", "f16"}), shape});
  TileType half{x.type.element, {shape[0], shape[1] / 2}};
  Value zero = integer("i32", 0), one = integer("i32", 1);
  auto part = [&](const Value &at) {
    Value result =
        define("extract " + x.name + "[" + zero.name + ", " + at.name +
                   "] : " + text(x.type) + " -> " + text(half),
               half);
    return convert(result, "f32");
  };
  Value left = part(zero), right = part(one);
  auto table = [&] {
    Value row = convert(get({oneOf({"f32", "f16"}), {half.shape[1]}}), "f32");
    return broadcastTo(reshaped(row, {1, half.shape[1]}), half.shape);
  };
  Value cosine = table(), sine = table();
  Value a =
      binary("subf", binary("mulf", left, cosine), binary("mulf", right, sine));
  Value b =
      binary("addf", binary("mulf", right, cosine), binary("mulf", left, sine));
  TileType whole{"f32", shape};
  keepNarrow(define("cat " + a.name + ", " + b.name +
                        " dim = 1 : " + text(a.type) + ", " + text(b.type) +
                        " -> " + text(whole),
                    whole));
}

/// The logarithm of a row's sum against the element that an index picks.
void Generator::crossEntropy() {
  size_t dim = 0;
  std::optional<Value> rows = someRows(dim);
  if (!rows)
    return;
  Value x = *rows;
  Shape shape = x.type.shape;
  Value most = reduceBy(x, dim, "maxf", "", kLeast);
  Value weights = exponential(binary("subf", x, spread(most, shape, dim)));
  Value sum = reduceBy(weights, dim, "addf", "", "0.0");
  Value total = binary("addf", unary("log", sum), most);
  Shape rest = most.type.shape;
  Value target = get({"i32", rest});
  target = limited(target, shape[dim]);
  Value places = along(shape, dim), wanted = spread(target, shape, dim);
  TileType boolean{"i1", shape};
  Value isWanted =
      define("cmpi equal " + places.name + ", " + wanted.name +
                 ", signed : " + text(places.type) + " -> " + text(boolean),
             boolean);
  Value picked = reduceBy(chosen(isWanted, x, splat("0.0", x.type)), dim,
                          "addf", "", "0.0");
  keepNarrow(binary("subf", total, picked));
}

/// The elements that a test takes, one behind the other.
void Generator::compactRows() {
  if (!isOrdered())
    return;
  Shape shape = someShape();
  int64_t count = countOf(shape);
  if (shape.empty() || count > 1024)
    return;
  Value x = reshaped(get({someInteger(/*withBool=*/false), shape}), {count});
  Value limit = splat(std::to_string(between(-3, 20)), x.type);
  TileType boolean{"i1", {count}}, number{"i32", {count}};
  Value taken =
      define("cmpi greater_than " + x.name + ", " + limit.name +
                 ", signed : " + text(x.type) + " -> " + text(boolean),
             boolean);
  Value ones = define("exti " + taken.name + " unsigned : " + text(boolean) +
                          " -> " + text(number),
                      number);
  std::string a = fresh(), b = fresh(), c = fresh();
  Value upTo =
      define("scan " + ones.name +
                 " dim=0 reverse=false identities=[0 : i32] : " + text(number) +
                 " -> " + text(number),
             number);
  line("(" + a + ": tile<i32>, " + b + ": tile<i32>) {");
  line("  " + c + " = addi " + a + ", " + b + " : tile<i32>");
  line("  yield " + c + " : tile<i32>");
  line("}");
  Value places = binary("subi", upTo, integer("i32", 1, {count}));
  Place own = ownPlace(x.type.element, count);
  TileType pointer = pointerTo(x.type.element, {}),
           pointers = pointerTo(x.type.element, {count}),
           unit = pointerTo(x.type.element, {1});
  Value first = derive("reshape " + own.base + " : " + text(pointer) + " -> " +
                           text(unit),
                       unit);
  Value base = count == 1 ? first
                          : derive("broadcast " + first.name + " : " +
                                       text(unit) + " -> " + text(pointers),
                                   pointers);
  Value to =
      derive("offset " + base.name + ", " + places.name + " : " +
                 text(pointers) + ", " + text(number) + " -> " + text(pointers),
             pointers);
  std::string next = fresh();
  line(next + " = store_ptr_tko weak " + to.name + ", " + x.name + ", " +
       taken.name + tokenOperand(false) + " : " + text(pointers) + ", " +
       text(x.type) + ", " + text(boolean) + " -> token");
  chain(next);
}

/// A tile block takes every tile whose turn it is.
void Generator::persistentRows() {
  if (depth > 0)
    return;
  TileType tile{someElement(), someShape()};
  if (tile.shape.empty() || tile.count() > 1024)
    return;
  int64_t tiles = between(1, 2 * blocks + 1);
  Shape extents = tile.shape, strides(tile.shape.size());
  extents[0] = tiles * tile.shape[0] - below(tile.shape[0]);
  int64_t stride = 1;
  for (size_t i = extents.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= extents[i];
  }
  Place place = readPlace(tile.element, stride);
  Buffer &buffer = newBuffer(tile.element, stride, /*isOutput=*/true);
  buffer.init = "zeros";
  std::string result = "%" + buffer.name;
  auto view = [&](const std::string &base, bool isPadded, std::string &type) {
    std::string tensorType, made = fresh();
    std::string tensor = tensorView({tile}, extents, strides, base, tensorType);
    type = "partition_view<tile=(" + text(tile.shape) + "), " +
           (isPadded ? "padding_value = zero, " : "") + tensorType + ">";
    line(made + " = make_partition_view " + tensor + " : " + type);
    return made;
  };
  std::string fromType, toType;
  std::string from = view(place.base, true, fromType),
              to = view(result, false, toType);
  TileType scalar{"i32", {}};
  Value across = define("muli %gx, %gy : tile<i32>", scalar);
  Value step = define("muli " + across.name + ", %gz : tile<i32>", scalar);
  Value high = scalarArgument("i32", tiles);
  std::string variable = fresh(), zeros;
  for (size_t i = 1; i < tile.shape.size(); ++i)
    zeros += ", " + integer("i32", 0).name;
  line("for " + variable + " in (" + block.name + " to " + high.name +
       ", step " + step.name + ") : tile<i32> {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    keep({variable, scalar, {{0, tiles - 1}}});
    Value x =
        keep(loaded("load_view_tko weak " + from + "[" + variable + zeros +
                        "]" + hints(true) + " : " + fromType + ", tile<i32>",
                    tile));
    Value y = combined(x, get(tile));
    if (chance(40))
      someOps(1);
    line(fresh() + " = store_view_tko weak " + y.name + ", " + to + "[" +
         variable + zeros + "]" + hints(true) + " : " + text(tile) + ", " +
         toType + ", tile<i32> -> token");
    line("continue");
    --loopDepth;
  });
  line("}");
}

void Generator::idiomOp() {
  using Step = void (Generator::*)();
  static const std::vector<Step> steps = {
      &Generator::softmaxRows,    &Generator::normRows,
      &Generator::onlineSoftmax,  &Generator::gateRows,
      &Generator::rotateRows,     &Generator::crossEntropy,
      &Generator::compactRows,    &Generator::persistentRows,
      &Generator::pointerProduct, &Generator::attentionStep};
  return (this->*oneOf(steps))();
}

} // namespace tileir::check
