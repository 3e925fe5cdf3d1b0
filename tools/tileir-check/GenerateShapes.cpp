// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random shapes, reductions and products.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void Generator::shapeOp() {
  const Value *found =
      find([](const Value &value) { return !value.type.shape.empty(); });
  if (!found)
    return;
  Value value = *found;
  Shape shape = value.type.shape;
  switch (below(4)) {
  case 0: { // reshape
    int64_t count = countOf(shape);
    Shape next;
    for (int64_t left = count; left > 1;) {
      int64_t extent = int64_t(1) << between(1, 4);
      extent = std::min(extent, left);
      next.push_back(next.size() == 2 ? left : extent);
      left /= next.back();
    }
    if (chance(30))
      next.insert(next.begin() + below(next.size() + 1), 1);
    reshaped(value, next);
    return;
  }
  case 1: { // permute
    if (shape.size() < 2)
      return;
    std::vector<int64_t> order(shape.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    for (size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[below(i + 1)]);
    TileType type{value.type.element, {}};
    for (int64_t dim : order)
      type.shape.push_back(shape[dim]);
    define("permute " + value.name + " [" + text(order, ", ") +
               "] : " + text(value.type) + " -> " + text(type),
           type);
    pool.back().range = value.range;
    return;
  }
  case 2: { // broadcast along a new or a unit dimension
    Shape unit = shape, wide = shape;
    size_t at = below(shape.size() + 1);
    unit.insert(unit.begin() + at, 1);
    wide.insert(wide.begin() + at, int64_t(1) << between(0, 3));
    if (countOf(wide) <= 2048 && wide.size() <= 4)
      broadcastTo(reshaped(value, unit), wide);
    return;
  }
  default: // one element
    Shape ones(shape.size(), 1);
    TileType type{value.type.element, ones};
    std::string indices;
    for (int64_t extent : shape)
      indices += (indices.empty() ? "" : ", ") + index(extent).name;
    Value one = define("extract " + value.name + "[" + indices +
                           "] : " + text(value.type) + " -> " + text(type),
                       type);
    pool.back().range = one.range = value.range;
    reshaped(one, {});
  }
}

void Generator::catOp() {
  TileType type{chance(50) ? someFloat() : someInteger(), someShape()};
  if (type.shape.empty() || type.count() > 1024)
    return;
  Value a = get(type), b = get(type);
  size_t dim = below(type.shape.size());
  TileType result = type;
  result.shape[dim] *= 2;
  define("cat " + a.name + ", " + b.name + " dim = " + std::to_string(dim) +
             " : " + text(type) + ", " + text(type) + " -> " + text(result),
         result);
}

void Generator::extractOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() && value.type.count() > 1;
  });
  if (!found)
    return;
  Value value = *found;
  TileType type{value.type.element, {}};
  std::string indices;
  for (int64_t extent : value.type.shape) {
    int64_t part = int64_t(1) << below(3);
    part = std::min(part, extent);
    type.shape.push_back(extent / part);
    indices += (indices.empty() ? "" : ", ") + index(part).name;
  }
  define("extract " + value.name + "[" + indices + "] : " + text(value.type) +
             " -> " + text(type),
         type);
  pool.back().range = value.range;
}

void Generator::insertOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() && value.type.count() > 1;
  });
  if (!found)
    return;
  Value whole = *found;
  TileType type{whole.type.element, {}};
  std::string indices;
  for (int64_t extent : whole.type.shape) {
    int64_t parts = std::min(int64_t(1) << below(3), extent);
    type.shape.push_back(extent / parts);
    indices += (indices.empty() ? "" : ", ") + index(parts).name;
  }
  Value piece = get(type);
  define("insert " + piece.name + ", " + whole.name + "[" + indices +
             "] : " + text(type) + ", " + text(whole.type),
         whole.type);
}

void Generator::packOp() {
  const Value *found = find([](const Value &value) {
    return value.type.shape.size() == 1 && value.type.element != "tf32" &&
           (widthOf(value.type.element) > 1 || value.type.count() >= 8);
  });
  if (!found)
    return;
  Value value = *found;
  int64_t bytes = value.type.count() * widthOf(value.type.element) / 8;
  if (bytes > 4096)
    return;
  Value packed = value;
  if (widthOf(value.type.element) != 8) {
    TileType type{"i8", {bytes}};
    packed = define("pack " + value.name + " : " + text(value.type) + " -> " +
                        text(type),
                    type);
  }
  std::string to = oneOf({"i16", "i32", "f32", "f16", "i64", "bf16", "i1"});
  if (packed.type.element != "i8" || bytes * 8 % widthOf(to) != 0 || chance(30))
    return;
  TileType type{to, {bytes * 8 / widthOf(to)}};
  define("unpack " + packed.name + " : " + text(packed.type) + " -> " +
             text(type),
         type);
}

//===----------------------------------------------------------------------===//
// Reductions and products
//===----------------------------------------------------------------------===//

namespace {

/// A combination and its neutral element.
struct Combination {
  std::string op, suffix, identity;
};

} // namespace

static std::string typedNumber(const std::string &element,
                               const std::string &number) {
  return element == "i1" ? number : number + " : " + element;
}

/// The end of a float type's range, as bits.
static std::string infinity(const std::string &element, bool isNegative) {
  if (element == "f16")
    return isNegative ? "0xFC00" : "0x7C00";
  if (element == "bf16")
    return isNegative ? "0xFF80" : "0x7F80";
  if (element == "f32")
    return isNegative ? "0xFF800000" : "0x7F800000";
  return isNegative ? "0xFFF0000000000000" : "0x7FF0000000000000";
}

static std::vector<Combination> combinationsOf(const std::string &element) {
  if (isFloat(element))
    return {{"addf", "", "0.0"},
            {"addf", "", "0.0"},
            {"mulf", "", "1.0"},
            {"maxf", "", infinity(element, true)},
            {"minf", "", infinity(element, false)},
            {"maxf", " propagate_nan", infinity(element, true)}};
  if (element == "i1")
    return {{"andi", "", "true"}, {"ori", "", "false"}, {"xori", "", "false"}};
  int width = widthOf(element);
  int64_t most = width == 64 ? INT64_MAX : (int64_t(1) << (width - 1)) - 1;
  return {{"addi", "", "0"},
          {"addi", "", "0"},
          {"muli", "", "1"},
          {"andi", "", "-1"},
          {"ori", "", "0"},
          {"xori", "", "0"},
          {"maxi", " signed", std::to_string(-most - 1)},
          {"mini", " signed", std::to_string(most)},
          {"maxi", " unsigned", "0"},
          {"mini", " unsigned", "-1"}};
}

void Generator::reduceOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() &&
           (isInteger(value) || isBaseFloat(value.type.element));
  });
  if (!found)
    return;
  Value value = *found;
  size_t dim = below(value.type.shape.size());
  TileType result = value.type;
  result.shape.erase(result.shape.begin() + dim);
  std::string element = value.type.element, scalar = "tile<" + element + ">";
  std::string head = " dim=" + std::to_string(dim) + " identities=[";
  if (element != "i1" && chance(25)) {
    // The largest and where it is; the first of equal ones.
    if (isFloat(element)) {
      Value least =
          define("constant <" + element + ": -1000.0> : " + text(value.type),
                 value.type);
      value = binary("maxf", value, least);
    }
    Value places = iota("i32", value.type.shape[dim]);
    Shape unit(value.type.shape.size(), 1);
    unit[dim] = value.type.shape[dim];
    places = broadcastTo(reshaped(places, unit), value.type.shape);
    TileType index{"i32", result.shape};
    std::string a = fresh(), b = fresh(), i = fresh(), j = fresh();
    int64_t most = widthOf(element) == 64
                       ? INT64_MAX
                       : (int64_t(1) << (widthOf(element) - 1)) - 1;
    std::string least =
        isFloat(element) ? infinity(element, true) : std::to_string(-most - 1);
    std::string pair = fresh();
    line(pair + ":2 = reduce " + value.name + ", " + places.name + head +
         typedNumber(element, least) +
         ", 2147483647 : i32] : " + text(value.type) + ", " +
         text(places.type) + " -> " + text(result) + ", " + text(index));
    line("(" + a + ": " + scalar + ", " + b + ": " + scalar + ", " + i +
         ": tile<i32>, " + j + ": tile<i32>) {");
    std::string compare = isFloat(element) ? "cmpf" : "cmpi";
    auto test = [&](const std::string &predicate, const std::string &x,
                    const std::string &y, const std::string &kind,
                    const std::string &type) {
      std::string name = fresh();
      line("  " + name + " = " + kind + " " + predicate +
           (kind == "cmpf" ? " ordered " : " ") + x + ", " + y +
           (kind == "cmpi" ? ", signed : " : " : ") + type + " -> tile<i1>");
      return name;
    };
    std::string greater = test("greater_than", a, b, compare, scalar);
    std::string equal = test("equal", a, b, compare, scalar);
    std::string first = test("less_than", i, j, "cmpi", "tile<i32>");
    std::string tie = fresh(), takes = fresh(), best = fresh(), at = fresh();
    line("  " + tie + " = andi " + equal + ", " + first + " : tile<i1>");
    line("  " + takes + " = ori " + greater + ", " + tie + " : tile<i1>");
    line("  " + best + " = select " + takes + ", " + a + ", " + b +
         " : tile<i1>, " + scalar);
    line("  " + at + " = select " + takes + ", " + i + ", " + j +
         " : tile<i1>, tile<i32>");
    line("  yield " + best + ", " + at + " : " + scalar + ", tile<i32>");
    line("}");
    keep({pair + "#0", result, std::nullopt});
    keep({pair + "#1", index, {{0, value.type.shape[dim] - 1}}});
    return;
  }
  Combination combination = oneOf(combinationsOf(element));
  std::string a = fresh(), b = fresh(), c = fresh();
  define("reduce " + value.name + head +
             typedNumber(element, combination.identity) +
             "] : " + text(value.type) + " -> " + text(result),
         result);
  line("(" + a + ": " + scalar + ", " + b + ": " + scalar + ") {");
  line("  " + c + " = " + combination.op + " " + a + ", " + b +
       combination.suffix + " : " + scalar);
  line("  yield " + c + " : " + scalar);
  line("}");
}

void Generator::scanOp() {
  const Value *found = find([](const Value &value) {
    return !value.type.shape.empty() &&
           (isInteger(value) || isBaseFloat(value.type.element));
  });
  if (!found)
    return;
  Value value = *found;
  size_t dim = below(value.type.shape.size());
  std::string element = value.type.element, scalar = "tile<" + element + ">";
  Combination combination = oneOf(combinationsOf(element));
  std::string a = fresh(), b = fresh(), c = fresh();
  define("scan " + value.name + " dim=" + std::to_string(dim) +
             " reverse=" + oneOf({"true", "false"}) + " identities=[" +
             typedNumber(element, combination.identity) +
             "] : " + text(value.type) + " -> " + text(value.type),
         value.type);
  line("(" + a + ": " + scalar + ", " + b + ": " + scalar + ") {");
  line("  " + c + " = " + combination.op + " " + a + ", " + b +
       combination.suffix + " : " + scalar);
  line("  yield " + c + " : " + scalar);
  line("}");
}

/// Elements of 4 bits are no operands of most operations: they come, move and
/// go here.
void Generator::nibbleOp() {
  bool isFloating = chance(60);
  std::string element = isFloating ? "f4E2M1FN" : "i4";
  Shape shape = someShape();
  int64_t count = countOf(shape);
  if (count < 4 || count > 2048)
    return;
  Value narrow;
  if (isFloating && chance(40)) {
    // Out of memory, where two share a byte.
    narrow = loadNibbles(count);
  } else {
    Value wide = get({isFloating ? someFloat() : someInteger(false), shape});
    TileType type{element, shape};
    narrow = derive(std::string(isFloating ? "ftof " : "trunci ") + wide.name +
                        " : " + text(wide.type) + " -> " + text(type),
                    type);
  }
  for (int64_t steps = below(3); steps > 0; --steps) {
    TileType type = narrow.type;
    switch (below(4)) {
    case 0:
      type.shape = {2, count / 2};
      if (narrow.type.shape.size() == 2)
        type.shape = {count};
      if (type == narrow.type)
        break;
      narrow = derive("reshape " + narrow.name + " : " + text(narrow.type) +
                          " -> " + text(type),
                      type);
      break;
    case 1:
      if (type.shape.size() != 2)
        break;
      std::swap(type.shape[0], type.shape[1]);
      narrow =
          derive("permute " + narrow.name + " [1, 0] : " + text(narrow.type) +
                     " -> " + text(type),
                 type);
      break;
    case 2:
      if (count > 1024)
        break;
      type.shape.back() *= 2;
      count *= 2;
      narrow = derive("cat " + narrow.name + ", " + narrow.name +
                          " dim = " + std::to_string(type.shape.size() - 1) +
                          " : " + text(narrow.type) + ", " + text(narrow.type) +
                          " -> " + text(type),
                      type);
      break;
    default:
      if (type.shape.size() != 1)
        break;
      TileType bytes{"i8", {count / 2}};
      Value packed = define("pack " + narrow.name + " : " + text(type) +
                                " -> " + text(bytes),
                            bytes);
      narrow = derive("unpack " + packed.name + " : " + text(bytes) + " -> " +
                          text(type),
                      type);
    }
  }
  if (isFloating && chance(50) && isOrdered())
    storeNibbles(narrow);
  TileType back{isFloating ? someFloat() : someInteger(false),
                narrow.type.shape};
  define(isFloating ? "ftof " + narrow.name + " : " + text(narrow.type) +
                          " -> " + text(back)
                    : "exti " + narrow.name + oneOf({" signed", " unsigned"}) +
                          " : " + text(narrow.type) + " -> " + text(back),
         back);
}

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

void Generator::mmaOp() {
  auto extent = [&]() -> int64_t {
    return chance(70) ? int64_t(8) << below(3) : int64_t(1) << below(3);
  };
  int64_t m = extent(), n = extent(), k = extent();
  Shape batch;
  if (chance(25)) {
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
  std::string in, acc;
  bool isInteger = chance(20);
  if (isInteger) {
    in = "i8";
    acc = "i32";
  } else {
    static const std::vector<std::pair<const char *, const char *>> kinds = {
        {"f16", "f32"},      {"f16", "f16"},    {"bf16", "f32"},
        {"tf32", "f32"},     {"f32", "f32"},    {"f64", "f64"},
        {"f8E4M3FN", "f32"}, {"f8E5M2", "f32"}, {"f8E4M3FN", "f16"},
        {"f8E5M2", "f16"},   {"f16", "f32"},    {"bf16", "f32"}};
    auto kind = oneOf(kinds);
    in = kind.first;
    acc = kind.second;
  }
  Value a = get({in, shape(m, k)}), b = get({in, shape(k, n)}),
        c = get({acc, shape(m, n)});
  std::string modifier = isInteger
                             ? oneOf({" signed signed", " unsigned signed",
                                      " signed unsigned", " unsigned unsigned"})
                         : in.rfind("f8", 0) == 0 && chance(30) ? " fast_acc"
                                                                : "";
  define((isInteger ? "mmai " : "mmaf ") + a.name + ", " + b.name + ", " +
             c.name + modifier + " : " + text(a.type) + ", " + text(b.type) +
             ", " + text(c.type),
         c.type);
}

} // namespace tileir::check
