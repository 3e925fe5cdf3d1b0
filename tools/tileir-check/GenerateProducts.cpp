// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random matrix products.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

/// A product whose operands have a scale for every block of elements.
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
    return derive("ftof " + wide.name + " : " + text(wide.type) + " -> " +
                      text(type),
                  type);
  };
  auto scales = [&](int64_t rows, int64_t columns) {
    TileType type{kind.scale, shape(rows, columns)};
    Place place = readPlace(kind.scale, powerAbove(type.count()));
    Value from = pointers(place, type.shape, /*isUnique=*/false);
    Value result{fresh(), type, std::nullopt};
    line(result.name + ", " + fresh() + " = load_ptr_tko weak " + from.name +
         " : " + text(from.type) + " -> " + text(type) + ", token");
    return result;
  };
  Value a = operand(m, k), b = operand(k, n), c = get({"f32", shape(m, n)});
  Value sa = scales(m, blocks), sb = scales(blocks, n);
  define("mmaf_scaled " + a.name + ", " + b.name + ", " + c.name + ", " +
             sa.name + ", " + sb.name + " : " + text(a.type) + ", " +
             text(b.type) + ", " + text(c.type) + ", " + text(sa.type) + ", " +
             text(sb.type),
         c.type);
}

namespace {

struct ProductKind {
  std::string in, acc;
};

} // namespace

static const std::vector<ProductKind> kProducts = {
    {"f16", "f32"},      {"f16", "f16"},    {"bf16", "f32"},
    {"tf32", "f32"},     {"f32", "f32"},    {"f64", "f64"},
    {"f8E4M3FN", "f32"}, {"f8E5M2", "f32"}, {"f8E4M3FN", "f16"},
    {"f8E5M2", "f16"},   {"f16", "f32"},    {"bf16", "f32"},
    {"i8", "i32"},       {"i8", "i32"},     {"i8", "i32"}};

Value Generator::product(const Value &a, const Value &b, const Value &c) {
  bool isWhole = a.type.element == "i8";
  std::string modifier =
      isWhole ? oneOf({" signed signed", " unsigned signed", " signed unsigned",
                       " unsigned unsigned"})
      : a.type.element.rfind("f8", 0) == 0 && chance(30) ? " fast_acc"
                                                         : "";
  return define((isWhole ? "mmai " : "mmaf ") + a.name + ", " + b.name + ", " +
                    c.name + modifier + " : " + text(a.type) + ", " +
                    text(b.type) + ", " + text(c.type),
                c.type);
}

void Generator::mmaOp() {
  auto extent = [&]() -> int64_t {
    return chance(70) ? int64_t(8) << below(3) : int64_t(1) << below(3);
  };
  int64_t m = extent(), n = extent(), k = extent();
  Shape batch;
  if (chance(12)) {
    // What instructions of whole warp groups take.
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
  ProductKind kind = oneOf(kProducts);
  Value a = get({kind.in, shape(m, k)}), b = get({kind.in, shape(k, n)}),
        c = get({kind.acc, shape(m, n)});
  product(a, b, c);
}

/// A product that a loop sums up, as in most kernels: the operands are loaded
/// part by part, each part behind the one before.
void Generator::productLoop() {
  if (depth >= 2)
    return;
  ProductKind kind = oneOf(kProducts);
  bool isLarge = chance(15);
  auto extent = [&] { return int64_t(isLarge ? 32 : 8) << below(3); };
  int64_t m = extent(), n = extent(), k = int64_t(16) << below(isLarge ? 2 : 3);
  if (isLarge && m * n > 64 * 64)
    n = 32;
  int64_t trips = between(1, isLarge ? 2 : 5), depthOfSum = trips * k;
  // The last part may stick out; zeros add nothing.
  int64_t ragged = chance(30) ? below(k) : 0;
  Value low = integer("i32", 0), step = integer("i32", 1),
        high =
            chance(50) ? scalarArgument("i32", trips) : integer("i32", trips);

  struct Operand {
    std::string view, type, other;
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
    // By rows or by columns.
    bool isTurned = chance(40);
    if (isTurned)
      std::swap(extents[0], extents[1]);
    int64_t lead = extents[1];
    if (chance(40))
      lead = (lead + 15) / 16 * 16;
    else if (chance(20))
      lead += below(9);
    ViewRequest request;
    request.tile = result.tile;
    Place place = readPlace(kind.in, (extents[0] - 1) * lead + extents[1]);
    std::string tensorType;
    std::string tensor =
        tensorView(request, extents, {lead, 1}, place.base, tensorType);
    result.type = "partition_view<tile=(" + text(result.tile.shape) + "), " +
                  (ragged ? "padding_value = zero, " : "") + tensorType +
                  (isTurned ? ", dim_map=[1, 0]>" : ">");
    result.view = fresh();
    line(result.view + " = make_partition_view " + tensor + " : " +
         result.type);
    result.other = index(parts).name;
    return result;
  };
  Operand first = operand(true), second = operand(false);
  TileType sumType{kind.acc, {m, n}};
  Value start = chance(60)
                    ? define("constant <" + kind.acc +
                                 (isFloat(kind.acc) ? ": 0.0> : " : ": 0> : ") +
                                 text(sumType),
                             sumType)
                    : get(sumType);
  std::string name = fresh(), variable = fresh(), carried = fresh();
  line(name + " = for " + variable + " in (" + low.name + " to " + high.name +
       ", step " + step.name + ") : tile<i32> iter_values(" + carried + " = " +
       start.name + ") -> (" + text(sumType) + ") {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    keep({variable, {"i32", {}}, {{0, trips - 1}}});
    auto part = [&](const Operand &from) {
      Value value =
          keep(loaded("load_view_tko weak " + from.view + "[" +
                          (from.isFirst ? from.other + ", " + variable
                                        : variable + ", " + from.other) +
                          "]" + hints(true) + " : " + from.type + ", tile<i32>",
                      from.tile));
      if (isBaseFloat(kind.in) && chance(15))
        value = define(oneOf({"negf ", "absf "}) + value.name + " : " +
                           text(from.tile),
                       from.tile);
      return value;
    };
    Value a = part(first), b = part(second);
    Value sum = product(a, b, {carried, sumType, std::nullopt});
    if (chance(20))
      someOps(1);
    line("continue " + sum.name + " : " + text(sumType));
    --loopDepth;
  });
  line("}");
  keep({name, sumType, std::nullopt});
}

//===----------------------------------------------------------------------===//
// Whole kernels
//===----------------------------------------------------------------------===//

/// A product over tiles of pointers, as Triton's kernels write it: tile blocks
/// by rows and columns, indices that wrap around, a mask for the last part.
void Generator::pointerProduct() {
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
  int64_t trips = (inner + k - 1) / k, columnTiles = (columns + n - 1) / n;
  Place a = readPlace(element, rows * inner),
        b = readPlace(element, inner * columns);
  TileType scalar{"i32", {}};
  Value across = scalarArgument("i32", columnTiles),
        numRows = scalarArgument("i32", rows),
        numColumns = scalarArgument("i32", columns),
        numInner = scalarArgument("i32", inner);
  if (inner % 16 == 0 && chance(50))
    numInner =
        define("assume div_by<16>, " + numInner.name + " : tile<i32>", scalar);
  Value row = binary("divi", block, across, " signed"),
        column = binary("remi", block, across, " signed");
  auto places = [&](const Value &tile, int64_t extent) {
    Value start = binary("muli", tile, integer("i32", extent));
    return binary("addi", broadcastTo(start, {extent}), iota("i32", extent));
  };
  Value atRow = places(row, m), atColumn = places(column, n);
  auto wrapped = [&](const Value &at, const Value &limit) {
    return binary("remi", at, broadcastTo(limit, at.type.shape), " signed");
  };
  Value fromRow = wrapped(atRow, numRows),
        fromColumn = wrapped(atColumn, numColumns);
  auto grid = [&](const Value &down, const Value &right, const Shape &shape) {
    Value first = broadcastTo(reshaped(down, {shape[0], 1}), shape);
    return binary("addi", first,
                  broadcastTo(reshaped(right, {1, shape[1]}), shape));
  };
  auto scaled = [&](const Value &at, const Value &by) {
    return binary("muli", at, broadcastTo(by, at.type.shape));
  };
  auto pointersAt = [&](const std::string &base, const std::string &kind,
                        const Value &offsets) {
    TileType one = pointerTo(kind, {}), unit = pointerTo(kind, {1, 1}),
             wide = pointerTo(kind, offsets.type.shape);
    Value first = derive(
        "reshape " + base + " : " + text(one) + " -> " + text(unit), unit);
    Value all = derive("broadcast " + first.name + " : " + text(unit) + " -> " +
                           text(wide),
                       wide);
    return derive("offset " + all.name + ", " + offsets.name + " : " +
                      text(wide) + ", " + text(offsets.type) + " -> " +
                      text(wide),
                  wide);
  };
  Value atInner = iota("i32", k);
  Value fromA = pointersAt(a.base, element,
                           grid(scaled(fromRow, numInner), atInner, {m, k}));
  Value fromB = pointersAt(
      b.base, element, grid(scaled(atInner, numColumns), fromColumn, {k, n}));
  TileType typeA{element, {m, k}}, typeB{element, {k, n}},
      typeC{sumElement, {m, n}};
  bool isWhole = element == "i8";
  Value none = splat(isWhole ? "0" : "0.0", typeC),
        zeroA = splat(isWhole ? "0" : "0.0", typeA),
        zeroB = splat(isWhole ? "0" : "0.0", typeB);
  Value stepA = integer("i32", k, {m, k});
  Value stepB =
      broadcastTo(binary("muli", numColumns, integer("i32", k)), typeB.shape);
  Value low = integer("i32", 0), one = integer("i32", 1),
        high = scalarArgument("i32", trips);
  std::string name = fresh(), part = fresh(), pa = fresh(), pb = fresh(),
              sum = fresh();
  std::string types =
      text(fromA.type) + ", " + text(fromB.type) + ", " + text(typeC);
  line(name + ":3 = for " + part + " in (" + low.name + " to " + high.name +
       ", step " + one.name + ") : tile<i32> iter_values(" + pa + " = " +
       fromA.name + ", " + pb + " = " + fromB.name + ", " + sum + " = " +
       none.name + ") -> (" + types + ") {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    Value done =
        define("muli " + part + ", " + integer("i32", k).name + " : tile<i32>",
               scalar);
    Value left = binary("subi", numInner, done);
    Value inside = below(atInner, left);
    auto operand = [&](const std::string &from, const Value &zero,
                       const Shape &unit) {
      Value chosen = broadcastTo(reshaped(inside, unit), zero.type.shape);
      TileType pointer = pointerTo(element, zero.type.shape);
      return loaded("load_ptr_tko weak " + from + ", " + chosen.name + ", " +
                        zero.name + " : " + text(pointer) + ", " +
                        text(chosen.type) + ", " + text(zero.type),
                    zero.type);
    };
    Value x = operand(pa, zeroA, {1, k}), y = operand(pb, zeroB, {k, 1});
    Value total = product(x, y, {sum, typeC, std::nullopt});
    auto next = [&](const std::string &from, const TileType &type,
                    const Value &by) {
      return derive("offset " + from + ", " + by.name + " : " + text(type) +
                        ", " + text(by.type) + " -> " + text(type),
                    type)
          .name;
    };
    std::string nextA = next(pa, fromA.type, stepA),
                nextB = next(pb, fromB.type, stepB);
    line("continue " + nextA + ", " + nextB + ", " + total.name + " : " +
         types);
    --loopDepth;
  });
  line("}");
  Value result = keep({name + "#2", typeC, std::nullopt});
  // What lies inside is written, each tile by one tile block.
  Buffer &buffer = newBuffer(sumElement, rows * columns, /*isOutput=*/true);
  buffer.init = "zeros";
  std::string base = "%" + buffer.name;
  Value to = pointersAt(base, sumElement,
                        grid(scaled(atRow, numColumns), atColumn, typeC.shape));
  Value rowsInside = below(atRow, numRows),
        columnsInside = below(atColumn, numColumns);
  Value inside =
      binary("andi", broadcastTo(reshaped(rowsInside, {m, 1}), typeC.shape),
             broadcastTo(reshaped(columnsInside, {1, n}), typeC.shape));
  line(fresh() + " = store_ptr_tko weak " + to.name + ", " + result.name +
       ", " + inside.name + " : " + text(to.type) + ", " + text(typeC) + ", " +
       text(inside.type) + " -> token");
}

/// Attention: two products and the sum of a row, part by part.
void Generator::attentionStep() {
  if (depth >= 1)
    return;
  std::string element = oneOf({"f16", "bf16", "f16", "f32"});
  int64_t m = int64_t(16) << below(2), n = int64_t(16) << below(2),
          d = int64_t(16) << below(3), trips = between(1, 3);
  int64_t ragged = chance(40) ? below(n) : 0, length = trips * n - ragged;
  TileType row{element, {m, d}}, part{element, {n, d}}, turned{element, {d, n}},
      scores{"f32", {m, n}}, state{"f32", {m}}, sums{"f32", {m, d}};
  Value q = get(row);
  auto makeSource = [&](std::string &type) {
    Place place = readPlace(element, length * d);
    std::string tensorType, view = fresh();
    std::string tensor =
        tensorView({part}, {length, d}, {d, 1}, place.base, tensorType);
    type = "partition_view<tile=(" + text(part.shape) +
           "), padding_value = zero, " + tensorType + ">";
    line(view + " = make_partition_view " + tensor + " : " + type);
    return view;
  };
  std::string keyType, valueType;
  std::string keys = makeSource(keyType), values = makeSource(valueType);
  bool isCausal = chance(50);
  Value least = splat("-1.0e30", state), none = splat("0.0", state),
        zero = splat("0.0", sums), noScores = splat("0.0", scores),
        masked = splat("-1.0e30", scores), scale = splat("0.25", scores);
  Value atRow = along(scores.shape, 0), atColumn = along(scores.shape, 1);
  Value low = integer("i32", 0), one = integer("i32", 1),
        high = scalarArgument("i32", trips),
        limit = scalarArgument("i32", length);
  std::string name = fresh(), step = fresh(), best = fresh(), total = fresh(),
              sum = fresh();
  std::string types = text(state) + ", " + text(state) + ", " + text(sums);
  line(name + ":3 = for " + step + " in (" + low.name + " to " + high.name +
       ", step " + one.name + ") : tile<i32> iter_values(" + best + " = " +
       least.name + ", " + total + " = " + none.name + ", " + sum + " = " +
       zero.name + ") -> (" + types + ") {");
  inRegion([&] {
    ++loopDepth;
    tokenFlows = false;
    auto read = [&](const std::string &view, const std::string &type) {
      return loaded("load_view_tko weak " + view + "[" + step + ", " +
                        low.name + "]" + hints(true) + " : " + type +
                        ", tile<i32>",
                    part);
    };
    Value key = read(keys, keyType);
    key = define("permute " + key.name + " [1, 0] : " + text(part) + " -> " +
                     text(turned),
                 turned);
    Value s = binary("mulf", product(q, key, noScores), scale);
    Value start =
        define("muli " + step + ", " + integer("i32", n).name + " : tile<i32>",
               {"i32", {}});
    Value column = binary("addi", atColumn, broadcastTo(start, scores.shape));
    Value inside = below(column, limit);
    if (isCausal) {
      TileType boolean{"i1", scores.shape};
      inside = binary(
          "andi", inside,
          define("cmpi less_than_or_equal " + column.name + ", " + atRow.name +
                     ", signed : " + text(column.type) + " -> " + text(boolean),
                 boolean));
    }
    s = chosen(inside, s, masked);
    Value most = reduceBy(s, 1, "maxf", "", "0xFF800000");
    Value now = binary("maxf", {best, state, std::nullopt}, most);
    Value factor =
        exponential(binary("subf", {best, state, std::nullopt}, now));
    Value weights =
        exponential(binary("subf", s, spread(now, scores.shape, 1)));
    Value added = reduceBy(weights, 1, "addf", "", "0.0");
    Value grown = define("fma " + total + ", " + factor.name + ", " +
                             added.name + " : " + text(state),
                         state);
    Value smaller = binary("mulf", {sum, sums, std::nullopt},
                           spread(factor, sums.shape, 1));
    Value narrow = convert(weights, element);
    Value nextSum = product(narrow, read(values, valueType), smaller);
    line("continue " + now.name + ", " + grown.name + ", " + nextSum.name +
         " : " + types);
    --loopDepth;
  });
  line("}");
  Value all{name + "#1", state, std::nullopt};
  keepNarrow(binary("divf", {name + "#2", sums, std::nullopt},
                    spread(all, sums.shape, 1)));
}

} // namespace tileir::check
