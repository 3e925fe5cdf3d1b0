// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Randomized values: types, leaves, conversions.

#include "tools/tileir-check/GeneratorState.h"

#include "llvm/ADT/StringSwitch.h"

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

mlir::Type Generator::elementType(const std::string &element) {
  if (isInteger(element))
    return builder.getIntegerType(widthOf(element));
  mlir::MLIRContext *context = builder.getContext();
  return llvm::StringSwitch<mlir::Type>(element)
      .Case("f16", builder.getF16Type())
      .Case("bf16", builder.getBF16Type())
      .Case("f32", builder.getF32Type())
      .Case("tf32", builder.getTF32Type())
      .Case("f64", builder.getF64Type())
      .Case("f8E4M3FN", mlir::Float8E4M3FNType::get(context))
      .Case("f8E5M2", mlir::Float8E5M2Type::get(context))
      .Case("f8E8M0FNU", mlir::Float8E8M0FNUType::get(context))
      .Case("f4E2M1FN", mlir::Float4E2M1FNType::get(context));
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

mlir::TypedAttr Generator::number(const std::string &element, int64_t value) {
  if (element == "i1")
    return builder.getIntegerAttr(builder.getI1Type(),
                                  llvm::APInt(1, value & 1));
  return builder.getIntegerAttr(elementType(element), value);
}

mlir::DenseIntOrFPElementsAttr
Generator::elementsOf(const TileType &type,
                      llvm::ArrayRef<mlir::Attribute> elements) {
  return mlir::cast<mlir::DenseIntOrFPElementsAttr>(
      mlir::DenseElementsAttr::get(mlir::cast<mlir::ShapedType>(typeOf(type)),
                                   elements));
}

const Value *Generator::find(const std::function<bool(const Value &)> &fits) {
  std::vector<const Value *> found;
  for (const Value &value : pool)
    if (fits(value))
      found.push_back(&value);
  if (found.empty())
    return nullptr;
  // Prefers recent values.
  size_t a = below(found.size()), b = below(found.size());
  return found[std::max(a, b)];
}

mlir::Attribute Generator::literal(const std::string &element) {
  if (element == "i1")
    return number(element, int64_t(oneOf({1, 0})));
  if (!isFloat(element)) {
    int64_t most = (int64_t(1) << (widthOf(element) - 1)) - 1;
    if (widthOf(element) == 64)
      most = INT64_MAX;
    if (chance(10))
      return number(element, oneOf<int64_t>({most, -most - 1, -1}));
    return number(element, between(-20, 20));
  }
  // Numbers of all formats; the scale format has only powers of two.
  if (element == "f8E8M0FNU")
    return number(element, oneOf({1.0, 2.0, 0.5, 8.0, 0.0625}));
  if (isBaseFloat(element) && chance(8))
    return number(element, chance(50)
                               ? std::numeric_limits<double>::infinity()
                               : std::numeric_limits<double>::quiet_NaN());
  return number(element, oneOf({0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1.25,
                                -0.375, 7.0, 12.0, -14.0, 0.0625}));
}

Value Generator::constant(const TileType &type) {
  bool isSplat = type.count() > 16 || type.count() == 1 || chance(50);
  std::vector<mlir::Attribute> elements;
  for (int64_t i = isSplat ? 1 : type.count(); i > 0; --i)
    elements.push_back(literal(type.element));
  Value result = define<ct::ConstantOp>(type, elementsOf(type, elements));
  if (isSplat && !isFloat(type.element) && type.element != "i1") {
    int64_t value = mlir::cast<mlir::IntegerAttr>(elements[0]).getInt();
    result.range = {{value, value}};
    pool.back().range = result.range;
  }
  return result;
}

Value Generator::integer(const std::string &element, int64_t value,
                         const Shape &shape) {
  TileType type{element, shape};
  Value result =
      define<ct::ConstantOp>(type, elementsOf(type, {number(element, value)}));
  if (element != "i1")
    result.range = {{value, value}};
  pool.back().range = result.range;
  return result;
}

Value Generator::splat(double value, const TileType &type) {
  mlir::Attribute element = isFloat(type.element)
                                ? number(type.element, value)
                                : number(type.element, int64_t(value));
  return define<ct::ConstantOp>(type, elementsOf(type, {element}));
}

Value Generator::iota(const std::string &element, int64_t count) {
  TileType type{element, {count}};
  Value value = define<ct::IotaOp>(type);
  // Read as signed, long ranges of narrow types become negative.
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
  Value result = define<ct::ReshapeOp>(type, value.ssa);
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
  Value result = define<ct::BroadcastOp>(type, unit.ssa);
  pool.back().range = result.range = value.range;
  return result;
}

Value Generator::unary(Elementwise op, const Value &a, const Modifiers &with) {
  return keep({emit(op, {a}, with), a.type, std::nullopt});
}

Value Generator::binary(Elementwise op, const Value &a, const Value &b,
                        const Modifiers &with) {
  return keep({emit(op, {a, b}, with), a.type, std::nullopt});
}

Value Generator::fma(const Value &a, const Value &b, const Value &c,
                     const Modifiers &with) {
  return keep({emit(op::fma, {a, b, c}, with), a.type, std::nullopt});
}

Value Generator::compare(ct::ComparisonPredicate predicate, const Value &a,
                         const Value &b) {
  TileType type{"i1", a.type.shape};
  if (isFloat(a.type.element))
    return define<ct::CmpFOp>(type, predicate, ct::ComparisonOrdering::ORDERED,
                              a.ssa, b.ssa);
  return define<ct::CmpIOp>(type, predicate, a.ssa, b.ssa,
                            ct::Signedness::Signed);
}

Value Generator::chosen(const Value &which, const Value &yes, const Value &no) {
  return define<ct::SelectOp>(yes.type, which.ssa, yes.ssa, no.ssa);
}

Value Generator::limited(const Value &value, int64_t limit) {
  if (value.isBelow(limit))
    return value;
  Value wide = value;
  // Bytes have a short range, and a limit is a positive number of its type.
  unsigned width = widthOf(value.type.element);
  if (width < 16 || (width < 32 && limit >= int64_t(1) << (width - 1)))
    wide = convert(value, "i32");
  Value divisor = integer(wide.type.element, limit, wide.type.shape);
  Value result =
      chance(50) && (limit & (limit - 1)) == 0
          ? binary(op::andi, wide,
                   integer(wide.type.element, limit - 1, wide.type.shape))
          : binary(op::remi, wide, divisor, readAs(ct::Signedness::Unsigned));
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
  if (from == element)
    return value;
  if (isInteger(from) && isInteger(element))
    return convertInteger(value, element);
  if (isFloat(from) && isFloat(element))
    return convertFloat(value, element);
  if (isFloat(from))
    return floatToInteger(value, element);
  if (element == "f8E8M0FNU")
    return convert(convert(value, "f32"), element);
  auto sign = chance(50) ? ct::Signedness::Unsigned : ct::Signedness::Signed;
  return define<ct::IToFOp>({element, value.type.shape}, value.ssa, sign,
                            ct::RoundingMode::NEAREST_EVEN);
}

Value Generator::convertInteger(const Value &value,
                                const std::string &element) {
  const std::string &from = value.type.element;
  TileType type{element, value.type.shape};
  if (element == "i1" && chance(60))
    return compare(ct::ComparisonPredicate::NOT_EQUAL, value,
                   integer(from, 0, value.type.shape));
  bool isSigned = chance(50);
  if (value.range && (*value.range)[0] < 0)
    isSigned = true;
  Value result = widthOf(from) < widthOf(element)
                     ? define<ct::ExtIOp>(type, value.ssa, signOf(isSigned))
                     : define<ct::TruncIOp>(type, value.ssa);
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

Value Generator::convertFloat(const Value &value, const std::string &element) {
  using Mode = ct::RoundingMode;
  const std::string &from = value.type.element;
  auto cast = [&](Mode mode) {
    return define<ct::FToFOp>({element, value.type.shape}, value.ssa, mode);
  };
  if (element == "f8E8M0FNU")
    return cast(oneOf({Mode::ZERO, Mode::POSITIVE_INF}));
  if (from == "f32" && element == "tf32" && chance(40))
    return cast(oneOf({Mode::ZERO, Mode::NEAREST_AWAY}));
  if (from == "f64" && element == "f32" && chance(40))
    return cast(oneOf({Mode::ZERO, Mode::NEGATIVE_INF, Mode::POSITIVE_INF}));
  if (isBaseFloat(element) && widthOf(element) < widthOf(from) && chance(15))
    return cast(Mode::ZERO);
  // The conversion is exact in every mode.
  if (from == "f32" && element == "f64" && chance(15))
    return cast(oneOf({Mode::ZERO, Mode::NEGATIVE_INF, Mode::POSITIVE_INF,
                       Mode::NEAREST_AWAY}));
  return cast(Mode::NEAREST_EVEN);
}

Value Generator::floatToInteger(const Value &value,
                                const std::string &element) {
  const std::string &from = value.type.element;
  TileType type{element, value.type.shape};
  auto cast = [&](const Value &source, bool isSigned, bool saturates) {
    return define<ct::FToIOp>(type, source.ssa, signOf(isSigned),
                              ct::RoundingMode::NEAREST_INT_TO_ZERO, saturates);
  };
  if (chance(25))
    return cast(value, /*isSigned=*/chance(60), /*saturates=*/true);
  // A number that does not fit is undefined.
  if (!isBaseFloat(from))
    return convert(convert(value, "f32"), element);
  if (element == "i1" && chance(40))
    return compare(ct::ComparisonPredicate::GREATER_THAN, value,
                   splat(0, value.type));
  bool isSigned = chance(60), isBool = element == "i1";
  int64_t most = isBool ? 1 : widthOf(element) == 8 ? 100 : 30000;
  int64_t least = isSigned ? -most : 0;
  if (isBool && isSigned)
    most = 0;
  Value low = splat(double(least), value.type),
        top = splat(double(most), value.type);
  Value clamped = binary(op::minf, binary(op::maxf, value, low), top);
  Value result = cast(clamped, isSigned, /*saturates=*/false);
  if (!isBool)
    pool.back().range = result.range = {{least, most}};
  return result;
}

void Generator::assumeOp() {
  // True counts as -1 in the bounds of an assumption.
  const Value *found = find([](const Value &value) {
    return value.range.has_value() && value.type.element != "i1";
  });
  if (!found)
    return;
  Value value = *found;
  auto [low, high] = *value.range;
  mlir::MLIRContext *context = builder.getContext();
  ct::AssumePredicateAttrInterface predicate;
  if (low == high && chance(50)) {
    predicate = ct::SameElementsAttr::get(
        context, builder.getDenseI64ArrayAttr(value.type.shape));
  } else {
    std::optional<int64_t> least, most;
    if (chance(80))
      least = low;
    if (chance(80))
      most = high;
    predicate = ct::BoundedAttr::get(context, least, most);
  }
  define<ct::AssumeOp>(value.type, value.ssa, predicate);
  pool.back().range = value.range;
}

} // namespace tileir::check
