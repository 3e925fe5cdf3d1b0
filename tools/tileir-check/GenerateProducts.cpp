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

} // namespace tileir::check
