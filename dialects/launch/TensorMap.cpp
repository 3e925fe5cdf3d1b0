// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/launch/TensorMap.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tileir {

using namespace mlir;

// Codes: launch-abi.md 6.2. Packed formats: 16 elements of 4 or 6 bits take 16
// bytes of shared memory, except for the dense one.
static constexpr MapElement elements[] = {
    {"u8", "UINT8", 0, false, 8, 128, false},
    {"u16", "UINT16", 1, false, 16, 256, false},
    {"u32", "UINT32", 2, false, 32, 512, false},
    {"s32", "INT32", 3, false, 32, 512, false},
    {"u64", "UINT64", 4, false, 64, 1024, false},
    {"s64", "INT64", 5, false, 64, 1024, false},
    {"f16", "FLOAT16", 6, false, 16, 256, true},
    {"f32", "FLOAT32", 7, false, 32, 512, true},
    {"f32.ftz", "FLOAT32_FTZ", 8, false, 32, 512, true},
    {"f64", "FLOAT64", 9, false, 64, 1024, true},
    {"bf16", "BFLOAT16", 10, false, 16, 256, true},
    {"tf32", "TFLOAT32", 7, true, 32, 512, true},
    {"tf32.ftz", "TFLOAT32_FTZ", 8, true, 32, 512, true},
    {"b4x16", "16U4_ALIGN8B", 11, false, 4, 64, false},
    {"b4x16_p64", "16U4_ALIGN16B", 12, false, 4, 128, false},
    {"b6x16_p32", "16U6_ALIGN16B", 13, false, 6, 128, false},
};

static constexpr StringLiteral interleaveNames[] = {"none", "16B", "32B"};
static constexpr StringLiteral l2PromotionNames[] = {"none", "64B", "128B",
                                                     "256B"};
/// Swizzle, then atomicity of the 128-byte swizzle.
static constexpr StringLiteral swizzleNames[] = {"none",
                                                 "32B",
                                                 "64B",
                                                 "128B",
                                                 "96B",
                                                 "128B_ATOM_32B",
                                                 "128B_ATOM_32B_FLIP_8B",
                                                 "128B_ATOM_64B"};
static constexpr unsigned swizzleSpans[] = {0, 32, 64, 128, 96};

/// Bits 3:0 of word 1 of a tiled map.
static constexpr uint32_t tiledKind = 2;
static constexpr uint64_t addressMask = ((uint64_t(1) << 53) - 1) << 4;
/// From this span on bit 21 of word 1 is set.
static constexpr int64_t largeTensorBytes = 131072;
static constexpr unsigned largeTensorBit = 21;

ArrayRef<MapElement> mapElements() { return elements; }

const MapElement *findMapElement(StringRef name) {
  for (const MapElement &element : elements)
    if (element.name == name)
      return &element;
  return nullptr;
}

const MapElement *mapElementOf(Type type) {
  if (type.isF16())
    return findMapElement("f16");
  if (type.isBF16())
    return findMapElement("bf16");
  if (isa<FloatTF32Type>(type))
    return findMapElement("tf32");
  if (type.isF32())
    return findMapElement("f32");
  if (type.isF64())
    return findMapElement("f64");
  if (!type.isIntOrFloat())
    return nullptr;
  switch (type.getIntOrFloatBitWidth()) {
  case 8:
    return findMapElement("u8");
  case 16:
    return type.isInteger() ? findMapElement("u16") : nullptr;
  case 32:
    return type.isInteger() ? findMapElement("u32") : nullptr;
  case 64:
    return type.isInteger() ? findMapElement("u64") : nullptr;
  default:
    return nullptr;
  }
}

StringRef TensorMapShape::interleaveName() const {
  return interleaveNames[interleave];
}
StringRef TensorMapShape::swizzleName() const {
  return swizzleNames[atomicity ? 4 + atomicity : swizzle];
}
StringRef TensorMapShape::l2PromotionName() const {
  return l2PromotionNames[l2Promotion];
}

unsigned TensorMapShape::innerBoxBytes() const {
  unsigned count = llvm::divideCeil(box[0], elementStrides[0]);
  return llvm::divideCeil(count * element->sharedBitsOf16, 16 * 8);
}

uint32_t TensorMapShape::modeWord() const {
  uint32_t word = tiledKind;
  word |= (rank() - 1) << 4;
  word |= element->code << 7;
  word |= interleave << 11;
  word |= (swizzle == 4 ? 0 : swizzle) << 13;
  word |= uint32_t(fillNaN) << 15;
  word |= uint32_t(element->roundToTf32) << 16;
  word |= l2Promotion << 17;
  word |= atomicity << 19;
  word |= uint32_t(swizzle == 4) << 22;
  return word;
}

uint64_t TensorMapShape::boxWords() const {
  uint64_t words = 0;
  for (unsigned d = 0; d < rank(); ++d) {
    words |= uint64_t(elementStrides[d] - 1) << (3 * d);
    words |= uint64_t(box[d] - 1) << (24 + 8 * d);
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {

/// Reads fields of one dictionary; reports the first wrong one.
class FieldReader {
public:
  FieldReader(DictionaryAttr attr, EmitError emitError)
      : attr(attr), emitError(emitError) {}

  InFlightDiagnostic fail() {
    return emitError() << "'" << launch::tensorMapName << "': ";
  }

  LogicalResult knows(ArrayRef<StringRef> names) {
    for (NamedAttribute field : attr)
      if (!llvm::is_contained(names, field.getName().getValue()))
        return fail() << "unknown field '" << field.getName().getValue() << "'";
    return success();
  }

  /// Reads an optional name from `names`.
  LogicalResult choice(StringRef field, ArrayRef<StringLiteral> names,
                       unsigned &value) {
    Attribute given = attr.get(field);
    if (!given)
      return success();
    auto text = dyn_cast<StringAttr>(given);
    const auto *found = text ? llvm::find(names, text.getValue()) : names.end();
    if (found == names.end())
      return fail() << "'" << field << "' expects one of '"
                    << llvm::join(names, "', '") << "', got " << given;
    value = unsigned(found - names.begin());
    return success();
  }

  LogicalResult integers(StringRef field, int64_t most,
                         SmallVectorImpl<unsigned> &values) {
    auto array = attr.getAs<DenseI64ArrayAttr>(field);
    if (!array)
      return fail() << "'" << field << "' expects array<i64: …>";
    for (int64_t value : array.asArrayRef()) {
      if (value < 1 || value > most)
        return fail() << "'" << field << "' holds " << value
                      << "; expected 1 to " << most;
      values.push_back(unsigned(value));
    }
    return success();
  }

  LogicalResult expressions(StringRef field, ArrayRef<unsigned> widths,
                            ExpressionGraph &graph,
                            SmallVectorImpl<ExpressionGraph::Id> &values,
                            ArrayRef<ExpressionGraph::Id> named) {
    auto array = attr.getAs<ArrayAttr>(field);
    if (!array)
      return fail() << "'" << field << "' expects an array of expressions";
    for (auto [i, one] : llvm::enumerate(array)) {
      std::string where = field.str() + "[" + std::to_string(i) + "]";
      // Named values may use earlier ones.
      ArrayRef<ExpressionGraph::Id> visible =
          &values == &namedValues ? ArrayRef(values) : named;
      FailureOr<ExpressionGraph::Id> id =
          expression(where, one, widths, graph, visible);
      if (failed(id))
        return failure();
      values.push_back(*id);
    }
    return success();
  }

  FailureOr<ExpressionGraph::Id>
  expression(StringRef where, Attribute given, ArrayRef<unsigned> widths,
             ExpressionGraph &graph, ArrayRef<ExpressionGraph::Id> named) {
    auto text = dyn_cast_if_present<StringAttr>(given);
    if (!text)
      return fail() << "'" << where << "' expects an expression";
    std::string problem;
    std::optional<ExpressionGraph::Id> id =
        graph.parse(text.getValue(), widths, named, problem);
    if (!id)
      return fail() << "'" << where << "': " << problem;
    return *id;
  }

  SmallVector<ExpressionGraph::Id> namedValues;

private:
  DictionaryAttr attr;
  EmitError emitError;
};

} // namespace

static LogicalResult checkShape(const TensorMapShape &shape,
                                FieldReader &reader) {
  unsigned inner = shape.innerBoxBytes();
  if (shape.swizzle && shape.interleave != 1 &&
      inner > swizzleSpans[shape.swizzle])
    return reader.fail() << "the innermost box takes " << inner
                         << " bytes, swizzle '" << shape.swizzleName()
                         << "' spans " << swizzleSpans[shape.swizzle]
                         << "; use a smaller box or a wider swizzle";
  if (inner % 16)
    return reader.fail() << "the innermost box takes " << inner
                         << " bytes; expected a multiple of 16";
  if (shape.interleave && shape.rank() < 3)
    return reader.fail() << "interleave '" << shape.interleaveName()
                         << "' needs rank 3 or more";
  if (shape.interleave == 2 && shape.swizzle != 1)
    return reader.fail() << "interleave '32B' needs swizzle '32B'";
  bool padded = shape.element->bits < 8 && shape.element->sharedBitsOf16 == 128;
  if (padded && (shape.box[0] != 128 || (shape.swizzle && shape.swizzle != 3)))
    return reader.fail() << "element '" << shape.element->name
                         << "' needs a box of 128 elements and a swizzle of "
                            "128 bytes or none";
  if (shape.fillNaN && !shape.element->isFloat)
    return reader.fail() << "'oob_fill' is 'nan', but '" << shape.element->name
                         << "' is no float format";
  return success();
}

static FailureOr<TensorMapShape> parseShape(DictionaryAttr attr,
                                            FieldReader &reader) {
  TensorMapShape shape;
  auto element = attr.getAs<StringAttr>("element");
  shape.element = element ? findMapElement(element.getValue()) : nullptr;
  if (!shape.element) {
    std::string names;
    for (const MapElement &one : elements)
      names += (names.empty() ? "'" : ", '") + one.name.str() + "'";
    return reader.fail() << "'element' expects one of " << names;
  }
  if (failed(reader.integers("box", 256, shape.box)))
    return failure();
  if (shape.box.empty() || shape.box.size() > 5)
    return reader.fail() << "'box' has " << shape.box.size()
                         << " dimensions; expected 1 to 5";
  if (attr.contains("element_strides")) {
    if (failed(reader.integers("element_strides", 8, shape.elementStrides)))
      return failure();
    if (shape.elementStrides.size() != shape.rank())
      return reader.fail() << "'element_strides' has "
                           << shape.elementStrides.size()
                           << " dimensions, 'box' " << shape.rank();
  } else {
    shape.elementStrides.assign(shape.rank(), 1);
  }
  unsigned swizzle = 0, fill = 0;
  static constexpr StringLiteral fillNames[] = {"zeros", "nan"};
  if (failed(reader.choice("swizzle", swizzleNames, swizzle)) ||
      failed(reader.choice("interleave", interleaveNames, shape.interleave)) ||
      failed(
          reader.choice("l2_promotion", l2PromotionNames, shape.l2Promotion)) ||
      failed(reader.choice("oob_fill", fillNames, fill)))
    return failure();
  shape.swizzle = swizzle > 4 ? 3 : swizzle;
  shape.atomicity = swizzle > 4 ? swizzle - 4 : 0;
  shape.fillNaN = fill;
  if (failed(checkShape(shape, reader)))
    return failure();
  return shape;
}

FailureOr<TensorMapShape> parseTensorMapShape(DictionaryAttr attr,
                                              EmitError emitError) {
  FieldReader reader(attr, emitError);
  if (failed(reader.knows({"element", "box", "element_strides", "swizzle",
                           "interleave", "l2_promotion", "oob_fill"})))
    return failure();
  return parseShape(attr, reader);
}

SmallVector<unsigned> parameterWidths(FunctionOpInterface kernel) {
  SmallVector<unsigned> widths;
  for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
    if (kernel.getArgAttr(i, launch::hiddenName))
      break;
    unsigned width = 0;
    if (kernel.getArgAttr(i, LLVM::LLVMDialect::getByValAttrName()))
      width = 0;
    else if (isa<LLVM::LLVMPointerType>(type))
      width = 64;
    else if (type.isInteger() &&
             llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                                type.getIntOrFloatBitWidth()))
      width = type.getIntOrFloatBitWidth();
    widths.push_back(width);
  }
  return widths;
}

FailureOr<TensorMapRecipe> parseTensorMapRecipe(FunctionOpInterface kernel,
                                                unsigned index) {
  auto emitError = [&]() -> InFlightDiagnostic {
    return kernel.emitError() << "hidden tensor map " << index << ": ";
  };
  auto attr =
      kernel.getArgAttrOfType<DictionaryAttr>(index, launch::tensorMapName);
  if (!attr)
    return emitError() << "'" << launch::tensorMapName
                       << "' expects a dictionary that says how the map is "
                          "made of the visible parameters";
  FieldReader reader(attr, emitError);
  if (failed(reader.knows({"element", "base", "extents", "strides", "values",
                           "box", "element_strides", "swizzle", "interleave",
                           "l2_promotion", "oob_fill"})))
    return failure();
  FailureOr<TensorMapShape> shape = parseShape(attr, reader);
  if (failed(shape))
    return failure();

  TensorMapRecipe recipe;
  recipe.shape = *shape;
  SmallVector<unsigned> widths = parameterWidths(kernel);
  SmallVector<ExpressionGraph::Id> &named = reader.namedValues;
  if (attr.contains("values") &&
      failed(reader.expressions("values", widths, recipe.graph, named, {})))
    return failure();
  FailureOr<ExpressionGraph::Id> base =
      reader.expression("base", attr.get("base"), widths, recipe.graph, named);
  if (failed(base) ||
      failed(reader.expressions("extents", widths, recipe.graph, recipe.extents,
                                named)) ||
      failed(reader.expressions("strides", widths, recipe.graph, recipe.strides,
                                named)))
    return failure();
  recipe.base = *base;
  if (recipe.graph[*base].width != 64)
    return reader.fail() << "'base' is i" << recipe.graph[*base].width
                         << "; expected i64";
  unsigned rank = shape->rank();
  if (recipe.extents.size() != rank || recipe.strides.size() != rank - 1)
    return reader.fail() << "rank " << rank << " needs " << rank
                         << " extents and " << rank - 1 << " strides, got "
                         << recipe.extents.size() << " and "
                         << recipe.strides.size();
  for (ExpressionGraph::Id stride : recipe.strides) {
    const ExpressionGraph::Node &node = recipe.graph[stride];
    if (node.op == ExprOp::Constant && (node.value % 16 || node.value >> 40))
      return reader.fail() << "stride " << node.value
                           << " is no multiple of 16 below 2^40";
  }
  return recipe;
}

DictionaryAttr tensorMapAttr(MLIRContext *context,
                             const TensorMapRecipe &recipe) {
  Builder b(context);
  const TensorMapShape &shape = recipe.shape;
  // A node that several expressions share gets a name; its own operands come
  // first.
  SmallVector<ExpressionGraph::Id> roots = {recipe.base};
  llvm::append_range(roots, recipe.extents);
  llvm::append_range(roots, recipe.strides);
  llvm::DenseMap<ExpressionGraph::Id, unsigned> names;
  SmallVector<Attribute> values;
  for (ExpressionGraph::Id id : recipe.graph.sharedParts(roots)) {
    values.push_back(b.getStringAttr(recipe.graph.print(id, names)));
    names[id] = unsigned(values.size() - 1);
  }
  auto text = [&](ExpressionGraph::Id id) {
    return b.getStringAttr(recipe.graph.print(id, names));
  };
  auto texts = [&](ArrayRef<ExpressionGraph::Id> ids) {
    SmallVector<Attribute> out;
    for (ExpressionGraph::Id id : ids)
      out.push_back(text(id));
    return b.getArrayAttr(out);
  };
  auto integers = [&](ArrayRef<unsigned> values) {
    SmallVector<int64_t> wide(values.begin(), values.end());
    return b.getDenseI64ArrayAttr(wide);
  };
  SmallVector<NamedAttribute> fields = {
      b.getNamedAttr("element", b.getStringAttr(shape.element->name)),
      b.getNamedAttr("base", text(recipe.base)),
      b.getNamedAttr("extents", texts(recipe.extents)),
      b.getNamedAttr("strides", texts(recipe.strides)),
      b.getNamedAttr("box", integers(shape.box)),
      b.getNamedAttr("swizzle", b.getStringAttr(shape.swizzleName()))};
  if (!values.empty())
    fields.push_back(b.getNamedAttr("values", b.getArrayAttr(values)));
  if (llvm::any_of(shape.elementStrides, [](unsigned s) { return s != 1; }))
    fields.push_back(
        b.getNamedAttr("element_strides", integers(shape.elementStrides)));
  if (shape.interleave)
    fields.push_back(
        b.getNamedAttr("interleave", b.getStringAttr(shape.interleaveName())));
  if (shape.l2Promotion != 2)
    fields.push_back(b.getNamedAttr("l2_promotion",
                                    b.getStringAttr(shape.l2PromotionName())));
  if (shape.fillNaN)
    fields.push_back(
        b.getNamedAttr("oob_fill", b.getStringAttr(shape.fillName())));
  return b.getDictionaryAttr(fields);
}

LogicalResult proveTensorMap(FunctionOpInterface kernel,
                             const TensorMapRecipe &recipe,
                             EmitError emitError) {
  auto known = [&](unsigned index) {
    unsigned zeros = 0;
    for (StringRef name : {LLVM::LLVMDialect::getAlignAttrName(),
                           StringRef(launch::divisibleByName)})
      if (auto attr = kernel.getArgAttrOfType<IntegerAttr>(index, name))
        if (int64_t value = attr.getInt())
          zeros = std::max(zeros, unsigned(llvm::countr_zero(uint64_t(value))));
    return zeros;
  };
  // 32 bytes with interleave 32B and for padded formats, else 16.
  bool padded = recipe.shape.element->bits < 8 &&
                recipe.shape.element->sharedBitsOf16 == 128;
  unsigned zeros = recipe.shape.interleave == 2 ? 5 : 4;
  auto check = [&](ExpressionGraph::Id id, unsigned least,
                   const Twine &what) -> LogicalResult {
    if (recipe.graph.trailingZeros(id, known) >= least)
      return success();
    return emitError() << what << " '" << recipe.graph.summary(id)
                       << "' is not known to be divisible by " << (1u << least)
                       << "; add '" << launch::divisibleByName
                       << "' to a parameter or load without a tensor map";
  };
  if (failed(check(recipe.base, padded ? 5 : zeros, "base")))
    return failure();
  for (auto [i, stride] : llvm::enumerate(recipe.strides))
    if (failed(check(stride, zeros, "stride " + Twine(i + 1))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static Value constant(ImplicitLocOpBuilder &b, unsigned width, uint64_t value) {
  Type type = b.getIntegerType(width);
  return LLVM::ConstantOp::create(
      b, type, IntegerAttr::get(type, APInt(width, value, false, true)));
}

static LLVM::ICmpPredicate predicate(ExprOp op) {
  using P = LLVM::ICmpPredicate;
  switch (op) {
  case ExprOp::Eq:
    return P::eq;
  case ExprOp::Ne:
    return P::ne;
  case ExprOp::ULt:
  case ExprOp::UMin:
    return P::ult;
  case ExprOp::ULe:
    return P::ule;
  case ExprOp::UGt:
  case ExprOp::UMax:
    return P::ugt;
  case ExprOp::UGe:
    return P::uge;
  case ExprOp::SLt:
  case ExprOp::SMin:
    return P::slt;
  case ExprOp::SLe:
    return P::sle;
  case ExprOp::SGt:
  case ExprOp::SMax:
    return P::sgt;
  case ExprOp::SGe:
    return P::sge;
  default:
    llvm_unreachable("not a comparison");
  }
}

/// Emits a division that gives zero for a zero divisor and does not overflow.
static Value emitDivision(ImplicitLocOpBuilder &b, ExprOp op, unsigned width,
                          Value x, Value y) {
  Value zero = constant(b, width, 0), one = constant(b, width, 1);
  Value isZero = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, y, zero);
  Value unsafe = isZero;
  if (op == ExprOp::SDiv || op == ExprOp::SRem) {
    Value isMin =
        LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, x,
                             constant(b, width, uint64_t(1) << (width - 1)));
    Value isMinusOne = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::eq, y,
                                            constant(b, width, ~uint64_t(0)));
    Value overflows = LLVM::AndOp::create(b, isMin, isMinusOne);
    unsafe = LLVM::OrOp::create(b, unsafe, overflows);
  }
  // With divisor one the quotient is the dividend and the remainder zero.
  Value divisor = LLVM::SelectOp::create(b, unsafe, one, y);
  Value result;
  if (op == ExprOp::UDiv)
    result = LLVM::UDivOp::create(b, x, divisor);
  else if (op == ExprOp::SDiv)
    result = LLVM::SDivOp::create(b, x, divisor);
  else if (op == ExprOp::URem)
    result = LLVM::URemOp::create(b, x, divisor);
  else
    result = LLVM::SRemOp::create(b, x, divisor);
  return LLVM::SelectOp::create(b, isZero, zero, result);
}

static Value emitShift(ImplicitLocOpBuilder &b, ExprOp op, unsigned width,
                       Value x, Value y) {
  Value fits = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::ult, y,
                                    constant(b, width, width));
  if (op == ExprOp::AShr) {
    Value amount =
        LLVM::SelectOp::create(b, fits, y, constant(b, width, width - 1));
    return LLVM::AShrOp::create(b, x, amount);
  }
  Value amount = LLVM::SelectOp::create(b, fits, y, constant(b, width, 0));
  Value shifted = op == ExprOp::Shl
                      ? LLVM::ShlOp::create(b, x, amount).getResult()
                      : LLVM::LShrOp::create(b, x, amount).getResult();
  return LLVM::SelectOp::create(b, fits, shifted, constant(b, width, 0));
}

static Value emitBinary(ImplicitLocOpBuilder &b, ExprOp op, unsigned width,
                        Value x, Value y) {
  switch (op) {
  case ExprOp::Add:
    return LLVM::AddOp::create(b, x, y);
  case ExprOp::Sub:
    return LLVM::SubOp::create(b, x, y);
  case ExprOp::Mul:
    return LLVM::MulOp::create(b, x, y);
  case ExprOp::And:
    return LLVM::AndOp::create(b, x, y);
  case ExprOp::Or:
    return LLVM::OrOp::create(b, x, y);
  case ExprOp::Xor:
    return LLVM::XOrOp::create(b, x, y);
  case ExprOp::UDiv:
  case ExprOp::SDiv:
  case ExprOp::URem:
  case ExprOp::SRem:
    return emitDivision(b, op, width, x, y);
  case ExprOp::Shl:
  case ExprOp::LShr:
  case ExprOp::AShr:
    return emitShift(b, op, width, x, y);
  case ExprOp::UMin:
  case ExprOp::UMax:
  case ExprOp::SMin:
  case ExprOp::SMax:
    return LLVM::SelectOp::create(
        b, LLVM::ICmpOp::create(b, predicate(op), x, y), x, y);
  default:
    return LLVM::ICmpOp::create(b, predicate(op), x, y);
  }
}

SmallVector<Value>
emitExpressions(ImplicitLocOpBuilder &b, const ExpressionGraph &graph,
                llvm::function_ref<Value(unsigned, unsigned)> argument) {
  SmallVector<Value> values;
  for (ExpressionGraph::Id id = 0; id < graph.size(); ++id) {
    const ExpressionGraph::Node &node = graph[id];
    auto operand = [&](unsigned i) { return values[node.operands[i]]; };
    Type type = b.getIntegerType(node.width);
    switch (node.op) {
    case ExprOp::Constant:
      values.push_back(constant(b, node.width, node.value));
      break;
    case ExprOp::Argument:
      values.push_back(argument(unsigned(node.value), node.width));
      break;
    case ExprOp::Select:
      values.push_back(
          LLVM::SelectOp::create(b, operand(0), operand(1), operand(2)));
      break;
    case ExprOp::Trunc:
      values.push_back(LLVM::TruncOp::create(b, type, operand(0)));
      break;
    case ExprOp::ZExt:
      values.push_back(LLVM::ZExtOp::create(b, type, operand(0)));
      break;
    case ExprOp::SExt:
      values.push_back(LLVM::SExtOp::create(b, type, operand(0)));
      break;
    default:
      values.push_back(emitBinary(b, node.op, graph[node.operands[0]].width,
                                  operand(0), operand(1)));
    }
  }
  return values;
}

std::array<Value, 8> emitTensorMapWords(ImplicitLocOpBuilder &b,
                                        const TensorMapShape &shape, Value base,
                                        ValueRange extents,
                                        ValueRange strides) {
  Type i64 = b.getI64Type();
  auto number = [&](uint64_t value) { return constant(b, 64, value); };
  auto widen = [&](Value value) -> Value {
    if (isa<LLVM::LLVMPointerType>(value.getType()))
      return LLVM::PtrToIntOp::create(b, i64, value);
    if (value.getType() == i64)
      return value;
    return LLVM::ZExtOp::create(b, i64, value);
  };
  auto band = [&](Value value, uint64_t bits) -> Value {
    return LLVM::AndOp::create(b, value, number(bits));
  };
  auto bor = [&](Value x, Value y) -> Value {
    return LLVM::OrOp::create(b, x, y);
  };
  auto shl = [&](Value value, unsigned bits) -> Value {
    return bits ? LLVM::ShlOp::create(b, value, number(bits)).getResult()
                : value;
  };
  auto shr = [&](Value value, unsigned bits) -> Value {
    return LLVM::LShrOp::create(b, value, number(bits));
  };
  constexpr uint64_t low32 = 0xffffffff;
  unsigned rank = shape.rank();

  SmallVector<Value, 5> last;              // extent - 1
  SmallVector<Value, 4> bytes, sixteenths; // strides, and strides >> 4
  for (Value extent : extents)
    last.push_back(LLVM::SubOp::create(b, widen(extent), number(1)));
  for (Value stride : strides) {
    bytes.push_back(widen(stride));
    sixteenths.push_back(shr(bytes.back(), 4));
  }
  unsigned bits = shape.element->bits;
  Value span = LLVM::MulOp::create(b, widen(extents[0]),
                                   number(bits < 8 ? bits : bits / 8));
  if (bits < 8)
    span = shr(span, 3);
  for (unsigned d = 1; d < rank; ++d)
    span = LLVM::AddOp::create(b, span,
                               LLVM::MulOp::create(b, last[d], bytes[d - 1]));
  Value isLarge = LLVM::ICmpOp::create(b, LLVM::ICmpPredicate::uge, span,
                                       number(largeTensorBytes));
  Value largeBit = shl(LLVM::ZExtOp::create(b, i64, isLarge), largeTensorBit);

  /// Combines two 32-bit fields; a null one is zero.
  auto pair = [&](Value low, Value high) -> Value {
    Value word = low ? band(low, low32) : number(0);
    return high ? bor(word, shl(high, 32)) : word;
  };
  auto stride = [&](unsigned d) -> Value {
    return d < rank ? sixteenths[d - 1] : Value();
  };
  auto extent = [&](unsigned d) -> Value {
    return d < rank ? last[d] : Value();
  };
  // Bits 35:32 of the strides, four bits each.
  Value high;
  for (unsigned d = 1; d < rank; ++d) {
    Value nibble = shl(band(shr(sixteenths[d - 1], 32), 15), 4 * (d - 1));
    high = high ? bor(high, nibble) : nibble;
  }
  uint64_t box = shape.boxWords();
  std::array<Value, 8> words;
  words[0] = band(widen(base), addressMask);
  words[1] = pair(bor(number(shape.modeWord()), largeBit), stride(1));
  words[2] = pair(stride(2), stride(3));
  words[3] = pair(stride(4), high);
  words[4] = pair(extent(0), extent(1));
  words[5] = pair(extent(2), extent(3));
  words[6] = bor(pair(extent(4), Value()), number(box << 32));
  words[7] = number(box >> 32);
  return words;
}

} // namespace tileir
