// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random elementwise operations and conversions.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

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
  std::string op =
      oneOf({"cos", "sin", "tan", "cosh", "sinh", "tanh", "exp", "exp2", "log",
             "log2", "rsqrt", "pow", "atan2", "fpowi"});
  Value a = get(type);
  if (op == "fpowi") {
    Value b = get({oneOf({"i32", "i32", "i8", "i16", "i1"}), type.shape});
    define(op + " " + a.name + ", " + b.name + " : " + text(type) + ", " +
               text(b.type),
           type);
    return;
  }
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
  std::string op =
      oneOf({"addi", "subi", "muli", "andi", "ori", "xori", "maxi", "mini",
             "shli", "shri", "divi", "remi", "mulhii", "absi", "negi", "addi"});
  Value a = get(type);
  std::string sign = oneOf({" signed", " unsigned"});
  if (op == "absi" || op == "negi") {
    define(op + " " + a.name + " : " + text(type), type);
    return;
  }
  if (op == "shli" || op == "shri") {
    int64_t width = widthOf(type.element); // one bit is not shifted at all
    Value amount =
        binary("andi", get(type), integer(type.element, width - 1, type.shape));
    binary(op, a, amount, op == "shri" ? sign : "");
    return;
  }
  if (isBool && (op == "divi" || op == "remi")) {
    binary(op, a, integer(type.element, 1, type.shape), " unsigned");
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
  binary(op, a, b);
}

/// Promises not to wrap, which hold.
void Generator::promisingOp() {
  TileType type{someInteger(/*withBool=*/false), someShape()};
  auto masked = [&](int64_t mask) {
    return binary("andi", get(type), integer(type.element, mask, type.shape));
  };
  std::string flags = oneOf({" overflow<no_wrap>", " overflow<no_signed_wrap>",
                             " overflow<no_unsigned_wrap>"});
  switch (below(5)) {
  case 0:
    binary(oneOf({"addi", "muli"}), masked(7), masked(15), flags);
    return;
  case 1: // never below zero
    binary("subi",
           binary("ori", masked(7), integer(type.element, 8, type.shape)),
           masked(7), flags);
    return;
  case 2:
    binary("shli", masked(7), masked(3), flags);
    return;
  case 3: {
    Value a = masked(63);
    define("negi " + a.name + " overflow<no_signed_wrap> : " + text(type),
           type);
    return;
  }
  default:
    if (type.element == "i8")
      return;
    std::vector<std::string> narrower = {"i8"};
    if (widthOf(type.element) > 16)
      narrower.push_back("i16");
    if (widthOf(type.element) > 32)
      narrower.push_back("i32");
    TileType result{oneOf(narrower), type.shape};
    Value a = masked(127);
    define("trunci " + a.name + flags + " : " + text(type) + " -> " +
               text(result),
           result);
  }
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
    TileType chosen{someElement(), type.shape};
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

} // namespace tileir::check
