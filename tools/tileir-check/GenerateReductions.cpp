// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random reductions and scans.

#include "tools/tileir-check/GeneratorState.h"

#include <algorithm>

namespace tileir::check {

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
  reduceBy(value, dim, combination.op, combination.suffix,
           combination.identity);
}

Value Generator::reduceBy(const Value &value, size_t dim, const std::string &op,
                          const std::string &suffix,
                          const std::string &identity) {
  const std::string &element = value.type.element;
  std::string scalar = "tile<" + element + ">";
  TileType result = value.type;
  result.shape.erase(result.shape.begin() + dim);
  std::string a = fresh(), b = fresh(), c = fresh();
  Value reduced =
      define("reduce " + value.name + " dim=" + std::to_string(dim) +
                 " identities=[" + typedNumber(element, identity) +
                 "] : " + text(value.type) + " -> " + text(result),
             result);
  line("(" + a + ": " + scalar + ", " + b + ": " + scalar + ") {");
  line("  " + c + " = " + op + " " + a + ", " + b + suffix + " : " + scalar);
  line("  yield " + c + " : " + scalar);
  line("}");
  return reduced;
}

/// Several operands of different types at once; two of them may go together as
/// the largest element and the one after it.
void Generator::tupleReduceOp() {
  Shape shape = someShape();
  if (shape.empty())
    return;
  struct Part {
    TileType type;
    Combination combination;
    std::string now, before, next;
  };
  std::vector<Part> parts;
  std::string operands, operandTypes, identities;
  bool hasPair = chance(40);
  for (int64_t i = hasPair ? between(2, 3) : between(2, 4); i > 0; --i) {
    bool isPair = hasPair && i <= 2;
    Part part;
    part.type = {isPair       ? std::string("i32")
                 : chance(30) ? someFloat()
                              : someInteger(),
                 shape};
    // Sums of floats depend on their order; what is least or most does not.
    part.combination = oneOf(combinationsOf(part.type.element));
    if (isPair)
      part.combination = {"maxi", " signed", "-2147483648"};
    Value value = get(part.type);
    bool isFirst = parts.empty();
    operands += (isFirst ? "" : ", ") + value.name;
    operandTypes += (isFirst ? "" : ", ") + text(part.type);
    identities += (isFirst ? "" : ", ") +
                  typedNumber(part.type.element, part.combination.identity);
    part.now = fresh();
    part.before = fresh();
    part.next = fresh();
    parts.push_back(part);
  }
  size_t dim = below(shape.size());
  bool isScan = chance(35);
  Shape resultShape = shape;
  if (!isScan)
    resultShape.erase(resultShape.begin() + dim);
  std::string resultTypes, arguments, yielded, yieldedTypes;
  for (const Part &part : parts) {
    std::string scalar = "tile<" + part.type.element + ">";
    const char *comma = resultTypes.empty() ? "" : ", ";
    resultTypes += comma + text(TileType{part.type.element, resultShape});
    arguments +=
        comma + part.now + ": " + scalar + ", " + part.before + ": " + scalar;
    yielded += comma + part.next;
    yieldedTypes += comma + scalar;
  }
  std::string name = fresh();
  line(name + ":" + std::to_string(parts.size()) +
       (isScan ? " = scan " : " = reduce ") + operands +
       " dim=" + std::to_string(dim) +
       (isScan ? " reverse=" + oneOf({"true", "false"}) : "") +
       " identities=[" + identities + "] : " + operandTypes + " -> " +
       resultTypes);
  line("(" + arguments + ") {");
  std::string smaller = fresh(), later = fresh();
  for (size_t i = 0; i < parts.size(); ++i) {
    const Part &part = parts[i];
    std::string scalar = "tile<" + part.type.element + ">";
    bool isSecond = hasPair && i + 1 == parts.size();
    if (isSecond) {
      const Part &most = parts[i - 1];
      line("  " + smaller + " = mini " + most.now + ", " + most.before +
           " signed : " + scalar);
      line("  " + later + " = maxi " + part.now + ", " + part.before +
           " signed : " + scalar);
      line("  " + part.next + " = maxi " + smaller + ", " + later +
           " signed : " + scalar);
      continue;
    }
    line("  " + part.next + " = " + part.combination.op + " " + part.now +
         ", " + part.before + part.combination.suffix + " : " + scalar);
  }
  line("  yield " + yielded + " : " + yieldedTypes);
  line("}");
  for (size_t i = 0; i < parts.size(); ++i)
    keep({name + "#" + std::to_string(i),
          {parts[i].type.element, resultShape},
          std::nullopt});
}

/// Functions x -> ax + b, one after the other: their order matters.
void Generator::affineOp() {
  TileType type{someInteger(/*withBool=*/false), someShape()};
  if (type.shape.empty())
    return;
  Value factor = get(type), summand = get(type);
  size_t dim = below(type.shape.size());
  bool isScan = chance(50);
  TileType result = type;
  if (!isScan)
    result.shape.erase(result.shape.begin() + dim);
  std::string scalar = "tile<" + type.element + ">";
  std::string a = fresh(), before = fresh(), b = fresh(), sum = fresh(),
              both = fresh(), scaled = fresh(), moved = fresh(), pair = fresh();
  line(pair + ":2 = " + (isScan ? "scan " : "reduce ") + factor.name + ", " +
       summand.name + " dim=" + std::to_string(dim) +
       (isScan ? " reverse=" + oneOf({"true", "false"}) : "") +
       " identities=[1 : " + type.element + ", 0 : " + type.element +
       "] : " + text(type) + ", " + text(type) + " -> " + text(result) + ", " +
       text(result));
  line("(" + a + ": " + scalar + ", " + before + ": " + scalar + ", " + b +
       ": " + scalar + ", " + sum + ": " + scalar + ") {");
  line("  " + both + " = muli " + before + ", " + a + " : " + scalar);
  line("  " + scaled + " = muli " + sum + ", " + a + " : " + scalar);
  line("  " + moved + " = addi " + scaled + ", " + b + " : " + scalar);
  line("  yield " + both + ", " + moved + " : " + scalar + ", " + scalar);
  line("}");
  keep({pair + "#0", result, std::nullopt});
  keep({pair + "#1", result, std::nullopt});
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

} // namespace tileir::check
