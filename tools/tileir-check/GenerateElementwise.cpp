// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized elementwise operations and conversions.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

using Mode = ct::RoundingMode;

/// Returns modifiers of an arithmetic operation.
Modifiers Generator::roundingOf(const std::string &element, bool isDivision) {
  Modifiers result;
  if (chance(25))
    result.rounding =
        oneOf({Mode::ZERO, Mode::NEGATIVE_INF, Mode::POSITIVE_INF});
  else if (isDivision && element == "f32" && chance(30))
    result.rounding = oneOf({Mode::APPROX, Mode::FULL});
  result.flushesToZero = element == "f32" && chance(15);
  return result;
}

void Generator::floatOp() {
  TileType type{someFloat(), someShape()};
  Elementwise op =
      oneOf({op::addf, op::subf, op::mulf, op::divf, op::fma, op::remf,
             op::maxf, op::minf, op::absf, op::negf, op::ceil, op::floor,
             op::sqrt, op::addf, op::mulf, op::fma});
  Value a = get(type);
  if (op == op::absf || op == op::negf || op == op::ceil || op == op::floor) {
    unary(op, a);
    return;
  }
  if (op == op::sqrt) {
    Modifiers with = roundingOf(type.element, false);
    if (type.element == "f32" && chance(20))
      with = rounded(Mode::APPROX);
    unary(op, a, with);
    return;
  }
  Value b = get(type);
  if (op == op::remf) {
    binary(op, a, b);
    return;
  }
  if (op == op::maxf || op == op::minf) {
    Modifiers with = flushed(type.element == "f32" && chance(20));
    with.propagatesNan = chance(40);
    binary(op, a, b, with);
    return;
  }
  Modifiers with = roundingOf(type.element, op == op::divf);
  if (op == op::fma)
    fma(a, b, get(type), with);
  else
    binary(op, a, b, with);
}

void Generator::functionOp() {
  TileType type{someFloat(), someShape()};
  Elementwise op = oneOf({op::cos, op::sin, op::tan, op::cosh, op::sinh,
                          op::tanh, op::exp, op::exp2, op::log, op::log2,
                          op::rsqrt, op::pow, op::atan2, op::fpowi});
  Value a = get(type);
  if (op == op::fpowi) {
    std::string exponent = oneOf({"i32", "i32", "i8", "i16", "i1"});
    binary(op, a, get({exponent, type.shape}));
    return;
  }
  if (op == op::pow || op == op::atan2) {
    binary(op, a, get(type));
    return;
  }
  Modifiers with;
  bool isSingle = type.element == "f32";
  if (isSingle && (op == op::exp || op == op::tanh) && chance(40))
    with = rounded(Mode::APPROX);
  if (isSingle && (op == op::exp2 || op == op::rsqrt) && chance(40))
    with = flushed(true);
  unary(op, a, with);
}

void Generator::integerOp() {
  TileType type{someInteger(), someShape()};
  bool isBool = type.element == "i1";
  Elementwise op =
      oneOf({op::addi, op::subi, op::muli, op::andi, op::ori, op::xori,
             op::maxi, op::mini, op::shli, op::shri, op::divi, op::remi,
             op::mulhii, op::absi, op::negi, op::addi});
  Value a = get(type);
  Modifiers with =
      readAs(oneOf({ct::Signedness::Signed, ct::Signedness::Unsigned}));
  if (op == op::absi || op == op::negi) {
    unary(op, a);
    return;
  }
  if (op == op::shli || op == op::shri) {
    int64_t width = widthOf(type.element); // one bit is not shifted at all
    Value any = get(type);
    binary(op, a,
           binary(op::andi, any, integer(type.element, width - 1, type.shape)),
           with);
    return;
  }
  if (isBool && (op == op::divi || op == op::remi)) {
    binary(op, a, integer(type.element, 1, type.shape),
           readAs(ct::Signedness::Unsigned));
    return;
  }
  if (op == op::divi || op == op::remi) {
    Value divisor = positive(type);
    if (op == op::divi && chance(40))
      with.rounding = with.sign == ct::Signedness::Signed
                          ? oneOf({Mode::POSITIVE_INF, Mode::NEGATIVE_INF})
                          : Mode::POSITIVE_INF;
    binary(op, a, divisor, with);
    return;
  }
  binary(op, a, get(type), with);
}

/// Returns a divisor that causes neither a division by zero nor an overflow.
Value Generator::positive(const TileType &type) {
  if (chance(40))
    return integer(type.element, oneOf<int64_t>({1, 2, 3, 5, 7, 8, 16, 100}),
                   type.shape);
  Value any = get(type);
  Value even = binary(op::andi, any, integer(type.element, 30, type.shape));
  return binary(op::ori, even, integer(type.element, 1, type.shape));
}

/// Emits operations with no-wrap flags that hold.
void Generator::promisingOp() {
  TileType type{someInteger(/*withBool=*/false), someShape()};
  auto masked = [&](int64_t mask) {
    Value any = get(type);
    return binary(op::andi, any, integer(type.element, mask, type.shape));
  };
  auto flags = oneOf({ct::IntegerOverflow::NW, ct::IntegerOverflow::NSW,
                      ct::IntegerOverflow::NUW});
  switch (below(5)) {
  case 0: {
    Elementwise op = oneOf({op::addi, op::muli});
    Value a = masked(7), b = masked(15);
    binary(op, a, b, promising(flags));
    return;
  }
  case 1: { // never below zero
    Value low = masked(7);
    Value a = binary(op::ori, low, integer(type.element, 8, type.shape));
    binary(op::subi, a, masked(7), promising(flags));
    return;
  }
  case 2: {
    Value a = masked(7), b = masked(3);
    binary(op::shli, a, b, promising(flags));
    return;
  }
  case 3:
    unary(op::negi, masked(63), promising(ct::IntegerOverflow::NSW));
    return;
  default:
    if (type.element == "i8")
      return;
    std::vector<std::string> narrower = {"i8"};
    if (widthOf(type.element) > 16)
      narrower.push_back("i16");
    if (widthOf(type.element) > 32)
      narrower.push_back("i32");
    TileType result{oneOf(narrower), type.shape};
    define<ct::TruncIOp>(result, masked(127).ssa, flags);
  }
}

void Generator::compareOp() {
  using Predicate = ct::ComparisonPredicate;
  TileType type{chance(50) ? someFloat() : someInteger(), someShape()};
  TileType boolean{"i1", type.shape};
  Predicate predicate =
      oneOf({Predicate::EQUAL, Predicate::NOT_EQUAL, Predicate::LESS_THAN,
             Predicate::LESS_THAN_OR_EQUAL, Predicate::GREATER_THAN,
             Predicate::GREATER_THAN_OR_EQUAL});
  Value a = get(type), b = get(type), result;
  if (isFloat(type.element)) {
    auto ordering = oneOf(
        {ct::ComparisonOrdering::ORDERED, ct::ComparisonOrdering::UNORDERED});
    result = define<ct::CmpFOp>(boolean, predicate, ordering, a.ssa, b.ssa);
  } else {
    auto sign = oneOf({ct::Signedness::Signed, ct::Signedness::Unsigned});
    result = define<ct::CmpIOp>(boolean, predicate, a.ssa, b.ssa, sign);
  }
  if (chance(70)) {
    TileType chosenType{someElement(), type.shape};
    Value yes = get(chosenType), no = get(chosenType);
    chosen(result, yes, no);
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
        define<ct::BitcastOp>(type, value.ssa);
        return;
      }
  }
  convert(value, to);
}

} // namespace tileir::check
