// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random values: types, leaves, conversions.

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
  if (element == "f4E2M1FN")
    return 4;
  return isFloat(element) ? 8 : std::stoi(element.substr(1));
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

std::string Generator::someElement() {
  if (chance(15))
    return oneOf({"tf32", "f8E4M3FN", "f8E5M2", "f8E8M0FNU"});
  return chance(50) ? someFloat() : someInteger();
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
  if (chance(type.shape.empty() ? 20 : 3))
    return broadcastTo(keep(numberArgument(type.element)), type.shape);
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
  // Bytes do not reach far, and a limit is a positive number of its type.
  unsigned width = widthOf(value.type.element);
  if (width < 16 || (width < 32 && limit >= int64_t(1) << (width - 1)))
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
    if (element == "i1" && chance(60)) {
      Value zero = integer(from, 0, value.type.shape);
      return define("cmpi not_equal " + value.name + ", " + zero.name +
                        ", signed : " + text(value.type) + " -> " + text(type),
                    type);
    }
    bool widens = widthOf(from) < widthOf(element);
    bool isSigned = chance(50);
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
      result.range = {{isSigned ? -1 : 0, isSigned ? 0 : 1}};
    pool.back().range = result.range;
    return result;
  }
  if (!isFloat(from)) {
    if (element == "f8E8M0FNU")
      return convert(convert(value, "f32"), element);
    return cast("itof", chance(50) ? " unsigned" : " signed");
  }
  if (isFloat(element)) {
    if (element == "f8E8M0FNU")
      return cast("ftof",
                  oneOf({" rounding<zero>", " rounding<positive_inf>"}));
    if (from == "f32" && element == "tf32" && chance(40))
      return cast("ftof",
                  oneOf({" rounding<zero>", " rounding<nearest_away>"}));
    if (isBaseFloat(element) && widthOf(element) < widthOf(from) && chance(15))
      return cast("ftof", " rounding<zero>");
    // Nothing is lost, whatever the mode.
    if (from == "f32" && element == "f64" && chance(15))
      return cast("ftof", oneOf({" rounding<zero>", " rounding<negative_inf>",
                                 " rounding<positive_inf>",
                                 " rounding<nearest_away>"}));
    return cast("ftof", "");
  }
  if (chance(25)) {
    bool isSigned = chance(60);
    return cast("ftoi", std::string(isSigned ? " signed" : " unsigned") +
                            " saturating");
  }
  // Float to integer: what does not fit is undefined.
  if (!isBaseFloat(from))
    return convert(convert(value, "f32"), element);
  if (element == "i1" && chance(40)) {
    Value zero = define("constant <" + from + ": 0.0> : " + text(value.type),
                        value.type);
    return define("cmpf greater_than ordered " + value.name + ", " + zero.name +
                      " : " + text(value.type) + " -> " + text(type),
                  type);
  }
  bool isSigned = chance(60), isBool = element == "i1";
  int64_t most = isBool ? 1 : widthOf(element) == 8 ? 100 : 30000;
  int64_t least = isSigned ? -most : 0;
  if (isBool && isSigned)
    most = 0;
  auto splat = [&](int64_t number) {
    return define("constant <" + from + ": " + std::to_string(number) +
                      ".0> : " + text(value.type),
                  value.type);
  };
  Value low = splat(least), top = splat(most);
  Value clamped = binary("minf", binary("maxf", value, low), top);
  Value result =
      define("ftoi " + clamped.name + (isSigned ? " signed" : " unsigned") +
                 " : " + text(value.type) + " -> " + text(type),
             type);
  if (!isBool)
    pool.back().range = result.range = {{least, most}};
  return result;
}

void Generator::assumeOp() {
  // True is -1 to the bounds of an assumption.
  const Value *found = find([](const Value &value) {
    return value.range.has_value() && value.type.element != "i1";
  });
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
