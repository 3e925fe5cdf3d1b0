// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random values: elementwise operations, shapes, reductions, products.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

bool isFloat(const std::string &element) { return element[0] != 'i'; }

bool isBaseFloat(const std::string &element) {
  return element == "f16" || element == "bf16" || element == "f32" ||
         element == "f64";
}

int widthOf(const std::string &element) {
  if (element == "f16" || element == "bf16")
    return 16;
  if (element == "f32" || element == "tf32")
    return 32;
  if (element == "f64")
    return 64;
  return isFloat(element) ? 8 : std::stoi(element.substr(1));
}

static bool isInteger(const Value &value) {
  return !isFloat(value.type.element);
}

std::string Generator::text(const Shape &shape, const char *separator) {
  std::string result;
  for (int64_t extent : shape)
    result += (result.empty() ? "" : separator) + std::to_string(extent);
  return result;
}

std::string Generator::text(const TileType &type) {
  return "tile<" + text(type.shape) + (type.shape.empty() ? "" : "x") +
         type.element + ">";
}

std::string Generator::someFloat() {
  return oneOf({"f32", "f32", "f32", "f16", "f16", "bf16", "bf16", "f64"});
}

std::string Generator::someInteger(bool withBool) {
  if (withBool && chance(10))
    return "i1";
  return oneOf({"i32", "i32", "i32", "i8", "i16", "i64"});
}

Shape Generator::someShape() { return oneOf(shapes); }

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

Value Generator::define(const std::string &text, const TileType &type) {
  Value value{fresh(), type, std::nullopt};
  line(value.name + " = " + text);
  return keep(value);
}

const Value *Generator::find(const std::function<bool(const Value &)> &fits) {
  std::vector<const Value *> found;
  for (const Value &value : pool)
    if (fits(value))
      found.push_back(&value);
  if (found.empty())
    return nullptr;
  // Rather a recent one.
  size_t a = below(found.size()), b = below(found.size());
  return found[std::max(a, b)];
}

std::string Generator::literal(const std::string &element) {
  if (element == "i1")
    return oneOf({"true", "false"});
  if (!isFloat(element)) {
    int64_t most = (int64_t(1) << (widthOf(element) - 1)) - 1;
    if (widthOf(element) == 64)
      most = INT64_MAX;
    if (chance(10))
      return std::to_string(oneOf<int64_t>({most, -most - 1, -1}));
    return std::to_string(between(-20, 20));
  }
  // Numbers of all formats; the scale format has powers of two alone.
  if (element == "f8E8M0FNU")
    return oneOf({"1.0", "2.0", "0.5", "8.0", "0.0625"});
  if (isBaseFloat(element) && chance(8)) {
    const char *infinity = element == "f16"    ? "0x7C00"
                           : element == "bf16" ? "0x7F80"
                           : element == "f32"  ? "0x7F800000"
                                               : "0x7FF0000000000000";
    const char *nan = element == "f16"    ? "0x7E00"
                      : element == "bf16" ? "0x7FC0"
                      : element == "f32"  ? "0x7FC00000"
                                          : "0x7FF8000000000000";
    return chance(50) ? infinity : nan;
  }
  return oneOf({"0.0", "-0.0", "1.0", "-1.0", "0.5", "2.0", "-3.0", "1.25",
                "-0.375", "7.0", "12.0", "-14.0", "0.0625"});
}

static std::string nest(const Shape &shape, size_t dim,
                        const std::function<std::string()> &leaf) {
  if (dim == shape.size())
    return leaf();
  std::string text = "[";
  for (int64_t i = 0; i < shape[dim]; ++i)
    text += (i ? ", " : "") + nest(shape, dim + 1, leaf);
  return text + "]";
}

Value Generator::constant(const TileType &type) {
  bool isSplat = type.count() > 16 || type.count() == 1 || chance(50);
  std::string value =
      isSplat ? literal(type.element)
              : nest(type.shape, 0, [&] { return literal(type.element); });
  Value result = define(
      "constant <" + type.element + ": " + value + "> : " + text(type), type);
  if (isSplat && !isFloat(type.element) && type.element != "i1") {
    int64_t number = std::stoll(value);
    result.range = {{number, number}};
    pool.back().range = result.range;
  }
  return result;
}

Value Generator::integer(const std::string &element, int64_t number,
                         const Shape &shape) {
  TileType type{element, shape};
  std::string literal = element == "i1" ? (number & 1 ? "true" : "false")
                                        : std::to_string(number);
  Value value = define(
      "constant <" + element + ": " + literal + "> : " + text(type), type);
  if (element != "i1")
    value.range = {{number, number}};
  pool.back().range = value.range;
  return value;
}

Value Generator::iota(const std::string &element, int64_t count) {
  TileType type{element, {count}};
  Value value = define("iota : " + text(type), type);
  // Read as signed, long ranges of narrow types turn negative.
  if (widthOf(element) > 8 || count <= 128)
    value.range = {{0, count - 1}};
  pool.back().range = value.range;
  return value;
}

Value Generator::get(const TileType &type) {
  if (chance(75))
    if (const Value *known =
            find([&](const Value &value) { return value.type == type; }))
      return *known;
  if (chance(45))
    if (const Value *other = find([&](const Value &value) {
          return value.type.shape == type.shape &&
                 value.type.element != type.element;
        })) {
      Value copy = *other;
      return convert(copy, type.element);
    }
  if (!type.shape.empty() && chance(25))
    if (const Value *scalar = find([&](const Value &value) {
          return value.type.shape.empty() && value.type.element == type.element;
        })) {
      Value copy = *scalar;
      return broadcastTo(copy, type.shape);
    }
  if (!isFloat(type.element) && type.element != "i1" && chance(20) &&
      !type.shape.empty() && type.count() <= 128) {
    Value range = iota(type.element, type.count());
    return reshaped(range, type.shape);
  }
  if (type.count() > 1 && buffers.size() < 8 && chance(80))
    return load(type);
  return constant(type);
}

//===----------------------------------------------------------------------===//
// Small steps
//===----------------------------------------------------------------------===//

Value Generator::reshaped(const Value &value, const Shape &shape) {
  if (value.type.shape == shape)
    return value;
  TileType type{value.type.element, shape};
  Value result = define("reshape " + value.name + " : " + text(value.type) +
                            " -> " + text(type),
                        type);
  pool.back().range = result.range = value.range;
  return result;
}

Value Generator::broadcastTo(const Value &value, const Shape &shape) {
  if (value.type.shape == shape)
    return value;
  Value unit = value;
  if (value.type.shape.size() != shape.size())
    unit = reshaped(value, Shape(shape.size(), 1));
  if (unit.type.shape == shape)
    return unit;
  TileType type{value.type.element, shape};
  Value result = define("broadcast " + unit.name + " : " + text(unit.type) +
                            " -> " + text(type),
                        type);
  pool.back().range = result.range = value.range;
  return result;
}

Value Generator::binary(const std::string &op, const Value &a, const Value &b,
                        const std::string &suffix) {
  return define(op + " " + a.name + ", " + b.name + suffix + " : " +
                    text(a.type),
                a.type);
}

Value Generator::limited(const Value &value, int64_t limit) {
  if (value.isBelow(limit))
    return value;
  Value wide = value;
  if (widthOf(value.type.element) < 16)
    wide = convert(value, "i32");
  Value divisor = integer(wide.type.element, limit, wide.type.shape);
  Value result =
      chance(50) && (limit & (limit - 1)) == 0
          ? binary("andi", wide,
                   integer(wide.type.element, limit - 1, wide.type.shape))
          : binary("remi", wide, divisor, " unsigned");
  pool.back().range = result.range = {{0, limit - 1}};
  return result;
}

Value Generator::index(int64_t limit, const std::string &element) {
  if (limit > 1 && chance(60)) {
    const Value *known = find([&](const Value &value) {
      return value.type == TileType{element, {}} && value.isBelow(limit);
    });
    if (known && chance(70))
      return *known;
    known = find([&](const Value &value) {
      return value.type.shape.empty() && isInteger(value) &&
             widthOf(value.type.element) >= 16;
    });
    if (known) {
      Value copy = *known;
      copy = limited(copy, limit);
      if (copy.type.element != element) {
        copy = convert(copy, element);
        pool.back().range = copy.range = {{0, limit - 1}};
      }
      return copy;
    }
  }
  return integer(element, below(limit));
}

Value Generator::convert(const Value &value, const std::string &element) {
  const std::string &from = value.type.element;
  TileType type{element, value.type.shape};
  auto cast = [&](const std::string &op, const std::string &modifier) {
    return define(op + " " + value.name + modifier + " : " + text(value.type) +
                      " -> " + text(type),
                  type);
  };
  if (from == element)
    return value;
  if (!isFloat(from) && !isFloat(element)) {
    if (element == "i1") {
      Value zero = integer(from, 0, value.type.shape);
      return define("cmpi not_equal " + value.name + ", " + zero.name +
                        ", signed : " + text(value.type) + " -> " + text(type),
                    type);
    }
    bool widens = widthOf(from) < widthOf(element);
    bool isSigned = from != "i1" && chance(50);
    if (value.range && (*value.range)[0] < 0)
      isSigned = true;
    Value result = widens ? cast("exti", isSigned ? " signed" : " unsigned")
                          : cast("trunci", "");
    int64_t most = widthOf(element) == 64
                       ? INT64_MAX
                       : (int64_t(1) << (widthOf(element) - 1)) - 1;
    if (value.range && (*value.range)[0] >= -most && (*value.range)[1] <= most)
      result.range = value.range;
    else if (from == "i1")
      result.range = {{0, 1}};
    pool.back().range = result.range;
    return result;
  }
  if (!isFloat(from)) {
    if (element == "f8E8M0FNU")
      return convert(convert(value, "f32"), element);
    return cast("itof", chance(50) || from == "i1" ? " unsigned" : " signed");
  }
  if (isFloat(element)) {
    if (element == "f8E8M0FNU")
      return cast("ftof",
                  oneOf({" rounding<zero>", " rounding<positive_inf>"}));
    return cast("ftof", "");
  }
  // Float to integer: what does not fit is undefined.
  if (!isBaseFloat(from))
    return convert(convert(value, "f32"), element);
  if (element == "i1") {
    Value zero = define("constant <" + from + ": 0.0> : " + text(value.type),
                        value.type);
    return define("cmpf greater_than ordered " + value.name + ", " + zero.name +
                      " : " + text(value.type) + " -> " + text(type),
                  type);
  }
  bool isSigned = chance(60);
  std::string high = widthOf(element) == 8 ? "100.0" : "30000.0";
  Value low = define("constant <" + from + ": " +
                         (isSigned ? "-" + high : std::string("0.0")) +
                         "> : " + text(value.type),
                     value.type);
  Value top =
      define("constant <" + from + ": " + high + "> : " + text(value.type),
             value.type);
  Value clamped = binary("minf", binary("maxf", value, low), top);
  Value result =
      define("ftoi " + clamped.name + (isSigned ? " signed" : " unsigned") +
                 " : " + text(value.type) + " -> " + text(type),
             type);
  int64_t most = widthOf(element) == 8 ? 100 : 30000;
  pool.back().range = result.range = {{isSigned ? -most : 0, most}};
  return result;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

/// Modifiers of an arithmetic operation.
std::string Generator::roundingOf(const std::string &element, bool isDivision) {
  std::string text;
  if (chance(25))
    text += oneOf({" rounding<zero>", " rounding<negative_inf>",
                   " rounding<positive_inf>"});
  else if (isDivision && element == "f32" && chance(30))
    text += oneOf({" rounding<approx>", " rounding<full>"});
  if (element == "f32" && chance(15))
    text += " flush_to_zero";
  return text;
}

void Generator::floatOp() {
  TileType type{someFloat(), someShape()};
  std::string op =
      oneOf({"addf", "subf", "mulf", "divf", "fma", "remf", "maxf", "minf",
             "absf", "negf", "ceil", "floor", "sqrt", "addf", "mulf", "fma"});
  Value a = get(type);
  if (op == "absf" || op == "negf" || op == "ceil" || op == "floor") {
    define(op + " " + a.name + " : " + text(type), type);
    return;
  }
  if (op == "sqrt") {
    std::string rounding = roundingOf(type.element, false);
    if (type.element == "f32" && chance(20))
      rounding = " rounding<approx>";
    define("sqrt " + a.name + rounding + " : " + text(type), type);
    return;
  }
  Value b = get(type);
  if (op == "remf") {
    binary(op, a, b);
    return;
  }
  if (op == "maxf" || op == "minf") {
    std::string modifiers;
    if (type.element == "f32" && chance(20))
      modifiers += " flush_to_zero";
    if (chance(40))
      modifiers += " propagate_nan";
    binary(op, a, b, modifiers);
    return;
  }
  std::string rounding = roundingOf(type.element, op == "divf");
  if (op == "fma") {
    Value c = get(type);
    define("fma " + a.name + ", " + b.name + ", " + c.name + rounding + " : " +
               text(type),
           type);
    return;
  }
  binary(op, a, b, rounding);
}

void Generator::functionOp() {
  TileType type{someFloat(), someShape()};
  std::string op = oneOf({"cos", "sin", "tan", "cosh", "sinh", "tanh", "exp",
                          "exp2", "log", "log2", "rsqrt", "pow", "atan2"});
  Value a = get(type);
  if (op == "pow" || op == "atan2") {
    Value b = get(type);
    binary(op, a, b);
    return;
  }
  std::string modifier;
  bool isSingle = type.element == "f32";
  if (isSingle && (op == "exp" || op == "tanh") && chance(40))
    modifier = " rounding<approx>";
  if (isSingle && (op == "exp2" || op == "rsqrt") && chance(40))
    modifier = " flush_to_zero";
  define(op + " " + a.name + modifier + " : " + text(type), type);
}

void Generator::integerOp() {
  TileType type{someInteger(), someShape()};
  bool isBool = type.element == "i1";
  std::string op = isBool
                       ? oneOf({"andi", "ori", "xori", "addi", "maxi", "muli"})
                       : oneOf({"addi", "subi", "muli", "andi", "ori", "xori",
                                "maxi", "mini", "shli", "shri", "divi", "remi",
                                "mulhii", "absi", "negi", "addi"});
  Value a = get(type);
  std::string sign = oneOf({" signed", " unsigned"});
  if (op == "absi" || op == "negi") {
    define(op + " " + a.name + " : " + text(type), type);
    return;
  }
  if (op == "shli" || op == "shri") {
    int64_t width = widthOf(type.element);
    Value amount =
        binary("andi", get(type), integer(type.element, width - 1, type.shape));
    binary(op, a, amount, op == "shri" ? sign : "");
    return;
  }
  if (op == "divi" || op == "remi") {
    // Positive, so that neither zero nor an overflow is left.
    Value divisor =
        chance(40)
            ? integer(type.element, oneOf<int64_t>({1, 2, 3, 5, 7, 8, 16, 100}),
                      type.shape)
            : binary("ori",
                     binary("andi", get(type),
                            integer(type.element, 30, type.shape)),
                     integer(type.element, 1, type.shape));
    if (op == "divi" && chance(40))
      sign +=
          sign == " signed"
              ? oneOf({" rounding<positive_inf>", " rounding<negative_inf>"})
              : " rounding<positive_inf>";
    binary(op, a, divisor, sign);
    return;
  }
  Value b = get(type);
  if (op == "maxi" || op == "mini") {
    binary(op, a, b, sign);
    return;
  }
  // A promise not to wrap is only given where it holds.
  std::string flags;
  if ((op == "addi" || op == "muli") && !isBool && chance(25)) {
    a = binary("andi", a, integer(type.element, 7, type.shape));
    b = binary("andi", b, integer(type.element, 15, type.shape));
    flags = oneOf({" overflow<no_wrap>", " overflow<no_signed_wrap>",
                   " overflow<no_unsigned_wrap>"});
  }
  binary(op, a, b, flags);
}

void Generator::compareOp() {
  TileType type{chance(50) ? someFloat() : someInteger(), someShape()};
  TileType boolean{"i1", type.shape};
  std::string predicate =
      oneOf({"equal", "not_equal", "less_than", "less_than_or_equal",
             "greater_than", "greater_than_or_equal"});
  Value a = get(type), b = get(type);
  Value result =
      isFloat(type.element)
          ? define("cmpf " + predicate + oneOf({" ordered ", " unordered "}) +
                       a.name + ", " + b.name + " : " + text(type) + " -> " +
                       text(boolean),
                   boolean)
          : define("cmpi " + predicate + " " + a.name + ", " + b.name +
                       oneOf({", signed", ", unsigned"}) + " : " + text(type) +
                       " -> " + text(boolean),
                   boolean);
  if (chance(70)) {
    TileType chosen{chance(50) ? someFloat() : someInteger(), type.shape};
    Value yes = get(chosen), no = get(chosen);
    define("select " + result.name + ", " + yes.name + ", " + no.name + " : " +
               text(boolean) + ", " + text(chosen),
           chosen);
  }
}

void Generator::conversionOp() {
  Shape shape = someShape();
  auto anyElement = [&] {
    return chance(35)   ? someInteger()
           : chance(60) ? someFloat()
                        : oneOf({"tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"});
  };
  std::string from = anyElement(), to = anyElement();
  Value value = get({from, shape});
  if (chance(25)) {
    static const std::vector<std::vector<std::string>> alike = {
        {"i8", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"},
        {"i16", "f16", "bf16"},
        {"i32", "f32"},
        {"i64", "f64"}};
    for (const std::vector<std::string> &group : alike)
      if (std::find(group.begin(), group.end(), from) != group.end()) {
        TileType type{oneOf(group), shape};
        define("bitcast " + value.name + " : " + text(value.type) + " -> " +
                   text(type),
               type);
        return;
      }
  }
  convert(value, to);
}

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

void Generator::packOp() {
  const Value *found = find([](const Value &value) {
    return value.type.shape.size() == 1 && widthOf(value.type.element) > 1 &&
           value.type.element != "tf32";
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
  std::string to = oneOf({"i16", "i32", "f32", "f16", "i64", "bf16"});
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

void Generator::assumeOp() {
  const Value *found =
      find([](const Value &value) { return value.range.has_value(); });
  if (!found)
    return;
  Value value = *found;
  auto [low, high] = *value.range;
  std::string predicate;
  if (low == high && chance(50)) {
    predicate = "same_elements<[" + text(value.type.shape, ", ") + "]>";
  } else {
    predicate = "bounded<" + (chance(80) ? std::to_string(low) : "?") + ", " +
                (chance(80) ? std::to_string(high) : "?") + ">";
  }
  define("assume " + predicate + ", " + value.name + " : " + text(value.type),
         value.type);
  pool.back().range = value.range;
}

} // namespace tileir::check
