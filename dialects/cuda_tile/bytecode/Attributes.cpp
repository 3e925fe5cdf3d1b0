// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Tables.h"

#include "mlir/IR/Builders.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

/// Reports `message` and returns a null attribute.
static Attribute failAttr(const Cursor &cursor, const Twine &message) {
  (void)cursor.fail(message);
  return {};
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Attribute Tables::readInteger(Cursor &cursor, Type type) {
  auto integer = dyn_cast_if_present<IntegerType>(type);
  if (!integer) {
    cursor.error() << "unsupported type for inline scalar parsing: " << type;
    return {};
  }
  unsigned width = integer.getWidth();
  if (width == 1) {
    uint8_t byte;
    if (!cursor.readByte(byte))
      return failAttr(cursor, "failed to read byte for inline bool (i1)");
    return IntegerAttr::get(type, byte != 0);
  }
  uint64_t value;
  if (!cursor.readVarInt(value))
    return failAttr(cursor, "failed to read VarInt for inline integer (width=" +
                                Twine(width) + ")");
  if (width < 64 && value >> width)
    return failAttr(cursor, "value " + Twine(value) + " does not fit in " +
                                Twine(width) + " bits");
  return IntegerAttr::get(type, APInt(width, value));
}

/// Reads the bits of a float. A 64-bit pattern with its top bit set also occurs
/// as an unbounded zigzag number of 65 bits.
bool Tables::readAPInt(Cursor &cursor, unsigned width, APInt &value) {
  auto tooWide = [&](uint64_t raw, StringRef stop) {
    (void)cursor.fail("value " + Twine(raw) + " does not fit in " +
                      Twine(width) + " bits" + stop);
    return false;
  };
  if (width <= 8) {
    uint8_t byte;
    if (!cursor.readByte(byte)) {
      (void)cursor.fail("failed to read byte for APInt (<= 8 bits).");
      return false;
    }
    if (width < 8 && byte >> width)
      return tooWide(byte, ".");
    value = APInt(width, byte);
    return true;
  }
  assert(width <= 64 && "no float type of the dialect is wider");
  uint64_t raw;
  bool bit64;
  if (!cursor.readVarInt65(raw, bit64)) {
    (void)cursor.fail("failed to read signed varint for APInt (<= 64 bits).");
    return false;
  }
  uint64_t bits = static_cast<uint64_t>(Cursor::unzigzag(raw));
  if (width == 64 && bit64)
    bits = (raw >> 1) | (uint64_t(1) << 63);
  if (width < 64 && bits >> width)
    return tooWide(bits, "");
  value = APInt(width, bits);
  return true;
}

Attribute Tables::readFloat(Cursor &cursor) {
  auto type = dyn_cast_if_present<FloatType>(readType(cursor));
  if (!type)
    return failAttr(cursor, "failed to read valid FloatType for FloatAttr");
  APInt bits;
  if (!readAPInt(cursor, type.getWidth(), bits))
    return {};
  return FloatAttr::get(type, APFloat(type.getFloatSemantics(), bits));
}

//===----------------------------------------------------------------------===//
// Enums
//===----------------------------------------------------------------------===//

/// Makes the attribute of the enum case `value`.
template <typename AttrT, typename EnumT>
static Attribute enumAttr(MLIRContext *context, std::optional<EnumT> value) {
  return value ? AttrT::get(context, *value) : AttrT();
}

/// Makes the attribute of an enum stored as an i32.
template <typename EnumT>
static Attribute intEnumAttr(MLIRContext *context, std::optional<EnumT> value) {
  if (!value)
    return {};
  return IntegerAttr::get(IntegerType::get(context, 32),
                          static_cast<int64_t>(*value));
}

static Attribute makeEnum(MLIRContext *context, AttrCode code, uint32_t value) {
  switch (code) {
  case AttrCode::Rounding:
    return enumAttr<RoundingModeAttr>(context, symbolizeRoundingMode(value));
  case AttrCode::Overflow:
    return enumAttr<IntegerOverflowAttr>(context,
                                         symbolizeIntegerOverflow(value));
  case AttrCode::Signedness:
    return enumAttr<SignednessAttr>(context, symbolizeSignedness(value));
  case AttrCode::Comparison:
    return enumAttr<ComparisonPredicateAttr>(
        context, symbolizeComparisonPredicate(value));
  case AttrCode::ComparisonOrdering:
    return enumAttr<ComparisonOrderingAttr>(context,
                                            symbolizeComparisonOrdering(value));
  case AttrCode::MemoryOrdering:
    return intEnumAttr(context, symbolizeMemoryOrderingSemantics(value));
  case AttrCode::MemoryScope:
    return intEnumAttr(context, symbolizeMemoryScope(value));
  case AttrCode::AtomicMode:
    return intEnumAttr(context, symbolizeAtomicRMWMode(value));
  case AttrCode::MultimemReduction:
    return enumAttr<MultimemReductionKindAttr>(
        context, symbolizeMultimemReductionKind(value));
  case AttrCode::Priority:
    return enumAttr<BytecodeTestPriorityAttr>(
        context, symbolizeBytecodeTestPriority(value));
  default:
    return {};
  }
}

Attribute Tables::readEnum(Cursor &cursor, AttrCode code) {
  uint64_t value;
  if (!cursor.readVarInt(value))
    return failAttr(cursor, "failed to read VarInt for enum attribute.");
  Attribute attr;
  if (value < kMaxEnumCases)
    attr = getEnum(code, static_cast<unsigned>(value));
  if (!attr)
    return failAttr(cursor,
                    "invalid integer value for enum type: " + Twine(value));
  if (version < enumCaseSince(code, value))
    return failAttr(cursor, "enum value " + Twine(value) +
                                " is not available in bytecode version " +
                                version.str());
  return attr;
}

Attribute Tables::getEnum(AttrCode code, unsigned value) {
  assert(value < kMaxEnumCases && "no enum has more cases");
  Attribute &cached = enumCache[unsigned(code)][value];
  if (!cached)
    cached = makeEnum(context, code, value);
  return cached;
}

Attribute Tables::getDefault(const AttrField &field) {
  assert(field.fallback >= 0 && "such fields state what older files mean");
  if (field.code == AttrCode::I32)
    return IntegerAttr::get(IntegerType::get(context, 32), field.fallback);
  return getEnum(field.code, static_cast<unsigned>(field.fallback));
}

//===----------------------------------------------------------------------===//
// Aggregates
//===----------------------------------------------------------------------===//

Attribute Tables::readElements(Cursor &cursor, unsigned depth) {
  uint64_t count;
  if (failed(cursor.readCount(count, "failed to read size for ArrayAttr.")))
    return {};
  SmallVector<Attribute> elements;
  for (uint64_t i = 0; i != count; ++i) {
    Attribute element = readAttr(cursor, depth + 1);
    if (!element)
      return failAttr(cursor, "failed to parse ArrayAttr element " + Twine(i));
    elements.push_back(element);
  }
  return ArrayAttr::get(context, elements);
}

DictionaryAttr Tables::readDictionary(Cursor &cursor, unsigned depth) {
  uint64_t count;
  if (failed(cursor.readCount(count, "failed to read size for DictionaryAttr")))
    return {};
  SmallVector<NamedAttribute> entries;
  llvm::SmallDenseSet<StringRef> keys;
  for (uint64_t i = 0; i != count; ++i) {
    StringRef key;
    if (!readString(cursor, key)) {
      (void)cursor.fail("failed to read key for DictionaryAttr element " +
                        Twine(i));
      return {};
    }
    if (key.empty()) {
      (void)cursor.fail(
          "invalid empty attribute name for DictionaryAttr element " +
          Twine(i));
      return {};
    }
    if (!keys.insert(key).second) {
      (void)cursor.fail(
          "failed to parse DictionaryAttr, duplicate key found: " + key);
      return {};
    }
    Attribute value = readAttr(cursor, depth + 1);
    if (!value) {
      (void)cursor.fail("failed to parse DictionaryAttr value for key " + key);
      return {};
    }
    entries.emplace_back(StringAttr::get(context, key), value);
  }
  return DictionaryAttr::get(context, entries);
}

/// Reads an `i32[]` or `i64[]`. Rejects the extreme values of the width: other
/// parts of the format give them a meaning.
template <typename T>
static LogicalResult readIntegers(Cursor &cursor, SmallVectorImpl<T> &values,
                                  StringRef what) {
  if (failed(cursor.readArray(values, what)))
    return failure();
  for (T value : values)
    if (value == std::numeric_limits<T>::min() ||
        value == std::numeric_limits<T>::max())
      return cursor.fail("array contains unsupported value " + Twine(value));
  return success();
}

//===----------------------------------------------------------------------===//
// Assume predicates
//===----------------------------------------------------------------------===//

/// Reads the flags byte and its one or two numbers.
static LogicalResult
readOptionalPair(Cursor &cursor, StringRef attr,
                 std::pair<StringRef, std::optional<int64_t> &> first,
                 std::pair<StringRef, std::optional<int64_t> &> second) {
  uint8_t flags;
  if (!cursor.readByte(flags))
    return cursor.fail("failed to read flags byte for " + attr);
  if (flags > 3)
    return cursor.fail("malformed bytecode: unknown flag bits in " + attr);
  for (auto [bit, field] : {std::pair(1, &first), std::pair(2, &second)}) {
    if (!(flags & bit))
      continue;
    int64_t value;
    if (!cursor.readSignedVarInt(value))
      return cursor.fail("failed to read " + field->first + " " + attr);
    field->second = value;
  }
  return success();
}

Attribute Tables::readDivBy(Cursor &cursor) {
  uint64_t divisor;
  if (!cursor.readVarInt(divisor))
    return failAttr(cursor, "failed to read divisor for DivByAttr");
  std::optional<int64_t> every, along;
  if (failed(readOptionalPair(cursor, "DivByAttr",
                              {"value for 'every' in", every},
                              {"value for 'along' in", along})))
    return {};
  return DivByAttr::get(context, divisor, every, along);
}

Attribute Tables::readSameElements(Cursor &cursor) {
  SmallVector<int64_t> values;
  if (failed(readIntegers(
          cursor, values,
          "failed to read DenseI64ArrayAttr for SameElementsAttr")))
    return {};
  return SameElementsAttr::get(context,
                               DenseI64ArrayAttr::get(context, values));
}

Attribute Tables::readBounded(Cursor &cursor) {
  std::optional<int64_t> lower, upper;
  if (failed(readOptionalPair(cursor, "BoundedAttr", {"lower bound for", lower},
                              {"upper bound for", upper})))
    return {};
  return BoundedAttr::get(context, lower, upper);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Attribute Tables::readAttr(Cursor &cursor, unsigned depth) {
  if (depth == kMaxDepth)
    return failAttr(cursor, "nesting too deep");
  uint64_t tag;
  if (!cursor.readVarInt(tag))
    return failAttr(
        cursor, "failed to read AttributeTag for self-contained attribute.");
  switch (tag) {
  case uint64_t(AttrTag::Integer): {
    auto type = dyn_cast_if_present<IntegerType>(readType(cursor));
    if (!type)
      return failAttr(cursor,
                      "failed to read valid IntegerType for IntegerAttr");
    return readInteger(cursor, type);
  }
  case uint64_t(AttrTag::Float):
    return readFloat(cursor);
  case uint64_t(AttrTag::Bool):
    return readInteger(cursor, IntegerType::get(context, 1));
  case uint64_t(AttrTag::Type):
    return readInlineAttr(cursor, AttrCode::Type, {});
  case uint64_t(AttrTag::String):
    return readInlineAttr(cursor, AttrCode::String, {});
  case uint64_t(AttrTag::Array):
    return readElements(cursor, depth);
  case uint64_t(AttrTag::Dense): {
    Type type = readType(cursor);
    if (!type)
      return failAttr(cursor, "failed to read valid MLIR Type for "
                              "self-contained DenseElementsAttr");
    return readInlineAttr(cursor, AttrCode::Dense, type);
  }
  case uint64_t(AttrTag::DivBy):
    return readDivBy(cursor);
  case uint64_t(AttrTag::SameElements):
    return readSameElements(cursor);
  case uint64_t(AttrTag::Dictionary):
    return readDictionary(cursor, depth);
  case uint64_t(AttrTag::OptimizationHints):
    return readHints(cursor, depth);
  case uint64_t(AttrTag::Bounded):
    return readBounded(cursor);
  case uint64_t(AttrTag::MultimemReductionKind):
    if (version < kVersion13_5) {
      error() << "attribute 'MultimemReductionKindAttr' requires bytecode "
                 "version 13.5+, targeting "
              << version.str();
      return {};
    }
    return readEnum(cursor, AttrCode::MultimemReduction);
  case uint64_t(AttrTag::TestValue):
    if (version >= kVersion250_1)
      return readInlineAttr(cursor, AttrCode::TestValue, {});
    [[fallthrough]];
  default:
    if (tag >= kFirstPreviewAttrTag && tag <= kLastPreviewAttrTag)
      return failAttr(cursor,
                      "malformed bytecode: encountered public-preview "
                      "attribute tag " +
                          Twine(tag) +
                          " but the header does not advertise preview content");
    return failAttr(cursor, "unsupported AttributeTag " + Twine(tag) +
                                " for self-contained attribute");
  }
}

Attribute Tables::readHints(Cursor &cursor, unsigned depth) {
  DictionaryAttr entries = readDictionary(cursor, depth);
  if (!entries)
    return {};
  return OptimizationHintsAttr::getChecked([&] { return cursor.error(); },
                                           context, entries);
}

Attribute Tables::readInlineAttr(Cursor &cursor, AttrCode code,
                                 Type resultType) {
  switch (code) {
  case AttrCode::None:
  case AttrCode::Unit:
    return unit;
  case AttrCode::I32:
    return readInteger(cursor, IntegerType::get(context, 32));
  case AttrCode::I64:
    return readInteger(cursor, IntegerType::get(context, 64));
  case AttrCode::Bool:
    return readInteger(cursor, IntegerType::get(context, 1));
  case AttrCode::String: {
    StringAttr text = readStringAttr(cursor);
    return text ? text : failAttr(cursor, "failed to read StringAttr.");
  }
  case AttrCode::Symbol: {
    StringRef name;
    if (!readString(cursor, name))
      return failAttr(cursor, "failed to read string for FlatSymbolRefAttr.");
    if (name.empty())
      return failAttr(cursor, "empty symbol reference is invalid");
    return FlatSymbolRefAttr::get(context, name);
  }
  case AttrCode::Type: {
    Type type = readType(cursor);
    if (!type)
      return failAttr(cursor, "failed to get referenced type for TypeAttr");
    return TypeAttr::get(type);
  }
  case AttrCode::Dense: {
    uint64_t index;
    if (!cursor.readVarInt(index))
      return failAttr(cursor, "failed to read constant index");
    return getConstant(index, resultType, cursor);
  }
  case AttrCode::I32Array: {
    SmallVector<int32_t> values;
    if (failed(readIntegers(cursor, values,
                            "failed to read DenseI32ArrayAttr values.")))
      return {};
    return DenseI32ArrayAttr::get(context, values);
  }
  case AttrCode::Inbounds: {
    uint64_t count;
    ArrayRef<uint8_t> bytes;
    if (!cursor.readVarInt(count) || !cursor.readBytes(count, bytes))
      return failAttr(cursor, "failed to read DenseBoolArrayAttr values.");
    return DenseBoolArrayAttr::get(
        context,
        llvm::map_to_vector(bytes, [](uint8_t byte) { return byte != 0; }));
  }
  case AttrCode::TestValue: {
    int64_t value;
    if (!cursor.readSignedVarInt(value))
      return failAttr(cursor, "failed to read value of BytecodeTestValueAttr");
    return BytecodeTestValueAttr::get(context, value);
  }
  case AttrCode::TypedArray: {
    Attribute array = readElements(cursor, 0);
    if (array &&
        !llvm::all_of(cast<ArrayAttr>(array), llvm::IsaPred<TypedAttr>))
      return failAttr(cursor,
                      "ArrayAttr contains non-TypedAttr elements or is null");
    return array;
  }
  case AttrCode::Hints:
    return readHints(cursor, 0);
  case AttrCode::Predicate: {
    Attribute predicate = readAttr(cursor);
    if (!predicate)
      return failAttr(cursor, "failed to parse self-contained attribute for "
                              "AssumePredicateAttrInterface");
    if (!isa<AssumePredicateAttrInterface>(predicate))
      return failAttr(cursor, "failed to cast parsed attribute to "
                              "AssumePredicateAttrInterface");
    return predicate;
  }
  default:
    return readEnum(cursor, code);
  }
}

} // namespace tileir::bytecode
