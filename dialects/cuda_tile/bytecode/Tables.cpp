// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/Tables.h"

#include "llvm/ADT/StringExtras.h"

namespace tileir::bytecode {

using namespace mlir;
using namespace mlir::cuda_tile;

using ErrorFn = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult readItems(Cursor &cursor, Section section, StringRef what,
                        Items &items) {
  uint64_t count;
  if (!cursor.readVarInt(count))
    return failure();
  uint64_t room = cursor.remaining();
  uint64_t limit = room / sizeof(uint32_t);
  if (count > limit)
    return cursor.fail("number of " + what + " (" + Twine(count) +
                       ") exceeds the maximum of " + Twine(limit) +
                       " that can fit in the remaining payload of " +
                       Twine(room) + " bytes.");
  // An empty table may end without its padding.
  (void)cursor.skipPadding(sizeof(uint32_t));
  ArrayRef<uint8_t> starts;
  if (!cursor.readBytes(count * sizeof(uint32_t), starts))
    return section == Section::Debug
               ? cursor.fail("failed to skip debug info offsets")
               : failure();
  if (count == 0)
    return success();
  items.starts = Numbers<uint32_t>(starts);
  cursor.readBytes(cursor.remaining(), items.data);
  for (uint64_t i = 0; i != count; ++i)
    if (items.starts[i] > items.end(i) || items.end(i) > items.data.size())
      return cursor.fail("invalid item range in section " +
                         Twine(unsigned(section)) + ": item " + Twine(i) +
                         " starts at " + Twine(items.starts[i]) +
                         " and ends at " + Twine(items.end(i)));
  return success();
}

//===----------------------------------------------------------------------===//
// Strings
//===----------------------------------------------------------------------===//

LogicalResult Tables::readStrings(ArrayRef<uint8_t> payload) {
  Cursor cursor(payload, context);
  if (failed(readItems(cursor, Section::String, "strings", stringItems)))
    return failure();
  stringAttrs.resize(stringItems.size());
  return success();
}

bool Tables::getString(uint64_t index, StringRef &value) {
  if (index >= stringItems.size()) {
    error() << "string index " << index << " out of bounds";
    return false;
  }
  value = llvm::toStringRef(stringItems[index]);
  return true;
}

bool Tables::readString(Cursor &cursor, StringRef &value) {
  uint64_t index;
  return cursor.readVarInt(index) && getString(index, value);
}

StringAttr Tables::readStringAttr(Cursor &cursor) {
  uint64_t index;
  StringRef text;
  if (!cursor.readVarInt(index) || !getString(index, text))
    return {};
  StringAttr &attr = stringAttrs[index];
  if (!attr)
    attr = StringAttr::get(context, text);
  return attr;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static constexpr TypeInfo kTypes[] = {
    {TypeTag::I1, "Int1", kVersion13_1},
    {TypeTag::I8, "Int8", kVersion13_1},
    {TypeTag::I16, "Int16", kVersion13_1},
    {TypeTag::I32, "Int32", kVersion13_1},
    {TypeTag::I64, "Int64", kVersion13_1},
    {TypeTag::F16, "Float16", kVersion13_1},
    {TypeTag::BF16, "BFloat16", kVersion13_1},
    {TypeTag::F32, "Float32", kVersion13_1},
    {TypeTag::TF32, "TFloat32", kVersion13_1},
    {TypeTag::F64, "Float64", kVersion13_1},
    {TypeTag::F8E4M3FN, "Float8E4M3FN", kVersion13_1},
    {TypeTag::F8E5M2, "Float8E5M2", kVersion13_1},
    {TypeTag::Pointer, "PointerType", kVersion13_1},
    {TypeTag::Tile, "TileType", kVersion13_1},
    {TypeTag::TensorView, "TensorViewType", kVersion13_1},
    {TypeTag::PartitionView, "PartitionViewType", kVersion13_1},
    {TypeTag::Function, "FunctionType", kVersion13_1},
    {TypeTag::Token, "TokenType", kVersion13_1},
    {TypeTag::F8E8M0FNU, "Float8E8M0FNU", kVersion13_2},
    {TypeTag::F4E2M1FN, "Float4E2M1FN", kVersion13_3},
    {TypeTag::GatherScatterView, "GatherScatterViewType", kVersion13_3},
    {TypeTag::StridedView, "StridedViewType", kVersion13_3},
    {TypeTag::I4, "Int4", kVersion13_3},
    {TypeTag::FNV8E5M3FNU, "FloatNV8E5M3FNU", kVersion13_4},
    {TypeTag::TestEvolved, "TestingBytecodeTestEvolvedType", kVersion250_0},
};

const TypeInfo *findTypeInfo(uint64_t tag) {
  const TypeInfo *info = llvm::find_if(
      kTypes, [&](const TypeInfo &row) { return uint64_t(row.tag) == tag; });
  return info == std::end(kTypes) ? nullptr : info;
}

LogicalResult Tables::readTypes(ArrayRef<uint8_t> payload) {
  Cursor cursor(payload, context);
  if (failed(readItems(cursor, Section::Type, "types", typeItems)))
    return failure();
  types.resize(typeItems.size());
  return success();
}

Type Tables::decodeType(uint64_t index) {
  if (index >= types.size())
    return {};
  auto failNesting = [&]() -> Type {
    error() << "nesting too deep";
    return {};
  };
  if (typeDepth == kMaxDepth)
    return failNesting();
  // Set before the type is complete: a type that refers to itself finds null.
  types[index].visited = true;
  unsigned outerDepth = std::exchange(partDepth, 0);
  ++typeDepth;
  Type type = parseType(index);
  --typeDepth;
  // A decoded entry is not decoded again, so `typeDepth` alone does not bound
  // the nesting.
  unsigned depth = std::exchange(partDepth, outerDepth) + 1;
  if (type && depth > kMaxDepth)
    return failNesting();
  types[index].depth = static_cast<uint16_t>(depth);
  return types[index].type = type;
}

/// Reads a type that is a part of the current one.
Type Tables::readPart(Cursor &cursor) {
  uint64_t index;
  if (!cursor.readVarInt(index))
    return {};
  Type type = getType(index);
  if (type)
    partDepth = std::max<unsigned>(partDepth, types[index].depth);
  return type;
}

Type Tables::parseType(uint64_t index) {
  Cursor cursor(typeItems[index], context);
  uint64_t tag;
  if (!cursor.readVarInt(tag))
    return {};
  const TypeInfo *info = findTypeInfo(tag);
  if (!info || (info->since >= kVersion250_0 && version < info->since)) {
    if (tag >= kFirstPreviewTypeTag && tag <= kLastPreviewTypeTag)
      cursor.error()
          << "malformed bytecode: encountered public-preview type tag " << tag
          << " but the header does not advertise preview content";
    else
      error() << "unknown type tag: " << tag;
    return {};
  }
  if (version < info->since) {
    error() << "type '" << info->name << "' requires bytecode version "
            << info->since.str() << "+, file version is " << version.str();
    return {};
  }
  Cursor fields = cursor.rest();
  Type type = parseTypeBody(fields, tag);
  if (type && !fields.empty()) {
    (void)fields.fail("unexpected trailing bytes in type " + Twine(index));
    return {};
  }
  return type;
}

Type Tables::parseTypeBody(Cursor &cursor, uint64_t tag) {
  switch (TypeTag(tag)) {
  case TypeTag::I1:
    return IntegerType::get(context, 1);
  case TypeTag::I4:
    return IntegerType::get(context, 4);
  case TypeTag::I8:
    return IntegerType::get(context, 8);
  case TypeTag::I16:
    return IntegerType::get(context, 16);
  case TypeTag::I32:
    return IntegerType::get(context, 32);
  case TypeTag::I64:
    return IntegerType::get(context, 64);
  case TypeTag::F16:
    return Float16Type::get(context);
  case TypeTag::BF16:
    return BFloat16Type::get(context);
  case TypeTag::F32:
    return Float32Type::get(context);
  case TypeTag::TF32:
    return FloatTF32Type::get(context);
  case TypeTag::F64:
    return Float64Type::get(context);
  case TypeTag::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case TypeTag::F8E5M2:
    return Float8E5M2Type::get(context);
  case TypeTag::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case TypeTag::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case TypeTag::FNV8E5M3FNU:
    return FloatNV8E5M3FNUType::get(context);
  case TypeTag::Token:
    return TokenType::get(context);
  case TypeTag::Pointer:
    return parsePointer(cursor);
  case TypeTag::Tile:
    return parseTile(cursor);
  case TypeTag::TensorView:
    return parseTensorView(cursor);
  case TypeTag::PartitionView:
  case TypeTag::GatherScatterView:
  case TypeTag::StridedView:
    return parseView(cursor, TypeTag(tag));
  case TypeTag::Function:
    return parseFunction(cursor);
  case TypeTag::TestEvolved:
    return parseTestEvolved(cursor);
  }
  llvm_unreachable("every tag of the table has a case");
}

/// Reads the flags word of a type, which announces its optional fields.
bool Tables::readTypeFlags(Cursor &cursor, uint64_t known, uint64_t &flags) {
  if (!cursor.readVarInt(flags)) {
    (void)cursor.fail("failed to read optional parameter flags");
    return false;
  }
  if (flags & ~known) {
    (void)cursor.fail("unused bits set in optional parameter flags");
    return false;
  }
  return true;
}

bool Tables::readPointerKind(Cursor &cursor, PointerKindAttr &kind) {
  uint64_t value;
  if (!cursor.readVarInt(value)) {
    (void)cursor.fail("failed to read VarInt for enum attribute.");
    return false;
  }
  std::optional<PointerKind> symbol;
  if (value <= UINT32_MAX)
    symbol = symbolizePointerKind(static_cast<uint32_t>(value));
  if (!symbol) {
    (void)cursor.fail("invalid integer value for enum type: " + Twine(value));
    return false;
  }
  if (version < pointerKindSince(*symbol)) {
    (void)cursor.fail("enum value " + Twine(value) +
                      " is not available in bytecode version " + version.str());
    return false;
  }
  kind = PointerKindAttr::get(context, *symbol);
  return true;
}

Type Tables::parsePointer(Cursor &cursor) {
  uint64_t flags = 0;
  if (version >= kVersion13_4 && !readTypeFlags(cursor, 1, flags))
    return {};
  Type pointee = readPart(cursor);
  if (!pointee) {
    (void)cursor.fail("failed to get pointeeType type");
    return {};
  }
  PointerKindAttr kind;
  if (flags & 1 && !readPointerKind(cursor, kind))
    return {};
  return PointerType::getChecked(ErrorFn([&] { return cursor.error(); }),
                                 context, pointee, kind);
}

Type Tables::parseTile(Cursor &cursor) {
  Type element = readPart(cursor);
  if (!element) {
    (void)cursor.fail("failed to get elementType type");
    return {};
  }
  SmallVector<int64_t> shape;
  if (failed(cursor.readArray(shape, "failed to read shape")))
    return {};
  if (llvm::any_of(shape, ShapedType::isDynamic)) {
    (void)cursor.fail("failed to read shape");
    return {};
  }
  return TileType::getChecked(ErrorFn([&] { return cursor.error(); }), context,
                              ArrayRef(shape), element);
}

Type Tables::parseTensorView(Cursor &cursor) {
  uint64_t flags = 0;
  if (version >= kVersion13_4 && !readTypeFlags(cursor, 1, flags))
    return {};
  Type element = readPart(cursor);
  if (!element) {
    (void)cursor.fail("failed to get elementType type");
    return {};
  }
  SmallVector<int64_t> shape, strides;
  if (failed(cursor.readArray(shape, "failed to read shape")) ||
      failed(cursor.readArray(strides, "failed to read strides")))
    return {};
  PointerKindAttr kind;
  if (flags & 1 && !readPointerKind(cursor, kind))
    return {};
  return TensorViewType::getChecked(ErrorFn([&] { return cursor.error(); }),
                                    context, element, ArrayRef(shape),
                                    ArrayRef(strides), kind);
}

bool Tables::readPadding(Cursor &cursor, PaddingValueAttr &padding) {
  uint64_t value;
  if (!cursor.readVarInt(value)) {
    (void)cursor.fail("failed to read VarInt for enum attribute.");
    return false;
  }
  std::optional<PaddingValue> symbol;
  if (value <= UINT32_MAX)
    symbol = symbolizePaddingValue(static_cast<uint32_t>(value));
  if (!symbol) {
    (void)cursor.fail("invalid integer value for enum type: " + Twine(value));
    return false;
  }
  padding = PaddingValueAttr::get(context, *symbol);
  return true;
}

/// Parses one of the three view types, which share their fields. `flags`
/// precede the fields from 13.3 on; before, a byte announces the padding value.
Type Tables::parseView(Cursor &cursor, TypeTag tag) {
  bool hasFlagsWord = version >= kVersion13_3;
  uint64_t flags = 0;
  if (hasFlagsWord && !readTypeFlags(cursor, 1, flags))
    return {};
  SmallVector<int32_t> tileShape, traversal, dimMap;
  if (failed(cursor.readArray(tileShape, "failed to read tile_shape data")))
    return {};
  if (tag == TypeTag::StridedView &&
      failed(
          cursor.readArray(traversal, "failed to read traversal_strides data")))
    return {};
  Type inner = readPart(cursor);
  if (!inner) {
    (void)cursor.fail("failed to get tensor_view type");
    return {};
  }
  auto tensorView = dyn_cast<TensorViewType>(inner);
  if (!tensorView) {
    cursor.error() << "expected ::mlir::cuda_tile::TensorViewType but got "
                   << inner;
    return {};
  }
  uint64_t sparseDim = 0;
  if (tag == TypeTag::GatherScatterView) {
    if (!cursor.readVarInt(sparseDim)) {
      (void)cursor.fail("failed to read sparse_dim");
      return {};
    }
    if (sparseDim > UINT32_MAX) {
      (void)cursor.fail("sparse_dim value " + Twine(sparseDim) +
                        " exceeds uint32_t range");
      return {};
    }
  } else if (failed(cursor.readArray(dimMap, "failed to read dim_map"))) {
    return {};
  }
  if (!hasFlagsWord) {
    uint8_t present;
    if (!cursor.readByte(present)) {
      (void)cursor.fail("failed to read padding_value");
      return {};
    }
    flags = present != 0;
  }
  PaddingValueAttr padding;
  if (flags & 1 && !readPadding(cursor, padding))
    return {};
  auto tileShapeAttr = DenseI32ArrayAttr::get(context, tileShape);
  auto emitError = [&] { return cursor.error(); };
  ErrorFn onError(emitError);
  ArrayRef<int32_t> dims(dimMap);
  if (tag == TypeTag::PartitionView)
    return PartitionViewType::getChecked(onError, context, tileShapeAttr,
                                         tensorView, dims, padding);
  if (tag == TypeTag::StridedView)
    return StridedViewType::getChecked(
        onError, context, tileShapeAttr,
        DenseI32ArrayAttr::get(context, traversal), tensorView, dims, padding);
  return GatherScatterViewType::getChecked(
      onError, context, tileShapeAttr, tensorView, int32_t(sparseDim), padding);
}

Type Tables::parseFunction(Cursor &cursor) {
  auto readTypes = [&](SmallVectorImpl<Type> &list, StringRef count,
                       StringRef item) -> LogicalResult {
    uint64_t number;
    if (failed(cursor.readCount(number, count)))
      return failure();
    for (uint64_t i = 0; i != number; ++i) {
      Type type = readPart(cursor);
      // Functions are not values; with nested functions a short file could give
      // a type with an endless text.
      if (!type || isa<FunctionType>(type))
        return cursor.fail(item);
      list.push_back(type);
    }
    return success();
  };
  SmallVector<Type> inputs, results;
  if (failed(readTypes(inputs, "failed to read number of parameters",
                       "failed to get parameter type")) ||
      failed(readTypes(results, "failed to read number of results",
                       "failed to get result type")))
    return {};
  return FunctionType::get(context, inputs, results);
}

/// Parses the type of the tests, all of whose fields except its base are newer.
Type Tables::parseTestEvolved(Cursor &cursor) {
  bool grown = version >= kVersion250_1;
  uint64_t flags = 0;
  if (grown && !readTypeFlags(cursor, 3, flags))
    return {};
  auto fail = [&](StringRef field) {
    (void)cursor.fail("failed to get " + field + " type");
    return Type();
  };
  Type base = readPart(cursor);
  if (!base)
    return fail("baseType");
  Type added = IntegerType::get(context, 32), optional;
  if (grown && !(added = readPart(cursor)))
    return fail("newType");
  PaddingValueAttr padding;
  if (flags & 1 && !readPadding(cursor, padding))
    return {};
  if (flags & 2 && !(optional = readPart(cursor)))
    return fail("optionalType");
  return TestingBytecodeTestEvolvedType::getChecked(
      ErrorFn([&] { return cursor.error(); }), context, base, added, padding,
      optional);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

LogicalResult Tables::readConstants(ArrayRef<uint8_t> payload) {
  Cursor cursor(payload, context);
  uint64_t count;
  if (!cursor.readVarInt(count))
    return failure();
  if (count == 0)
    return success();
  if (!cursor.skipPadding(sizeof(uint64_t)))
    return failure();
  if (count > cursor.remaining() / sizeof(uint64_t))
    return cursor.fail("insufficient data for constant indices");
  ArrayRef<uint8_t> starts;
  cursor.readBytes(count * sizeof(uint64_t), starts);
  constantItems.starts = Numbers<uint64_t>(starts);
  cursor.readBytes(cursor.remaining(), constantItems.data);
  uint64_t size = constantItems.data.size();
  for (uint64_t i = 0; i != count; ++i) {
    uint64_t start = constantItems.starts[i], end = constantItems.end(i);
    if (end < start)
      return cursor.fail("invalid constant start indices: end (" + Twine(end) +
                         ") is less than start (" + Twine(start) +
                         ") for constant " + Twine(i));
    if (end > size)
      return cursor.fail(
          "constant " + Twine(i) +
          " extends beyond available data: size=" + Twine(end - start) +
          ", start=" + Twine(start) + ", total data size=" + Twine(size));
  }
  constants.resize(count);
  return success();
}

/// Converts `i1` data to the packed encoding; false when it has none of the
/// encodings of producers.
static bool normalizeBools(ArrayRef<uint8_t> raw, uint64_t count,
                           SmallVectorImpl<char> &data) {
  if (raw.size() == 1 && (raw[0] == 0x00 || raw[0] == 0xFF)) {
    data.assign(1, static_cast<char>(raw[0]));
    return true;
  }
  if (raw.size() == llvm::divideCeil(count, 8)) {
    data.assign(raw.begin(), raw.end());
    // Bits beyond the last element must be equal in equal constants.
    if (count % 8)
      data.back() &= static_cast<char>((1u << (count % 8)) - 1);
    if (count == 1)
      data[0] = data[0] & 1 ? static_cast<char>(0xFF) : 0;
    return true;
  }
  if (raw.size() == count && count > 1 &&
      llvm::all_of(raw, [](uint8_t byte) { return byte <= 1; })) {
    data.assign(llvm::divideCeil(count, 8), 0);
    for (uint64_t i = 0; i != count; ++i)
      data[i / 8] |= static_cast<char>(raw[i] << (i % 8));
    return true;
  }
  // One byte for more than eight elements: its low bit is the value of all.
  if (raw.size() == 1 && count > 8) {
    data.assign(1, raw[0] & 1 ? static_cast<char>(0xFF) : 0);
    return true;
  }
  return false;
}

/// Returns whether the bits above the width of each element are zero.
static bool fitsWidth(ArrayRef<uint8_t> raw, unsigned width) {
  unsigned bytes = llvm::divideCeil(width, 8);
  if (width % 8 == 0)
    return true;
  for (size_t i = bytes - 1; i < raw.size(); i += bytes)
    if (raw[i] >> (width % 8))
      return false;
  return true;
}

DenseElementsAttr Tables::getConstant(uint64_t index, Type type,
                                      const Cursor &user) {
  if (index >= constants.size()) {
    (void)user.fail("constant index " + Twine(index) + " out of bounds");
    return {};
  }
  ConstantItem &item = constants[index];
  if (item.value && item.type == type)
    return item.value;
  if (!type) {
    (void)user.fail("provided type is null");
    return {};
  }
  auto tile = dyn_cast<TileType>(type);
  if (!tile || !tile.getElementType().isIntOrFloat()) {
    // The reference requires the type of a tile.
    Cursor(constantItems[index], context).error()
        << "expect Cuda Tile integer or float type but got: " << Type(tile);
    return {};
  }
  if (!item.value) {
    item = {type, decodeConstant(index, tile)};
    return item.value;
  }
  DenseElementsAttr &value = retypedConstants[{index, type}];
  if (!value)
    value = decodeConstant(index, tile);
  return value;
}

DenseElementsAttr Tables::decodeConstant(uint64_t index, TileType tile) {
  Cursor cursor(constantItems[index], context);
  uint64_t size;
  if (!cursor.readVarInt(size)) {
    (void)cursor.fail("failed to read the size of the data buffer");
    return {};
  }
  ArrayRef<uint8_t> raw;
  if (!cursor.readBytes(size, raw)) {
    (void)cursor.fail("failed to read the raw byte data");
    return {};
  }
  auto shaped = cast<ShapedType>(Type(tile));
  unsigned width = tile.getElementType().getIntOrFloatBitWidth();
  SmallVector<char> bools;
  ArrayRef<char> data(reinterpret_cast<const char *>(raw.data()), raw.size());
  bool valid;
  if (width == 1) {
    valid = normalizeBools(raw, shaped.getNumElements(), bools);
    data = bools;
  } else {
    valid = !raw.empty() && fitsWidth(raw, width);
  }
  bool splat;
  if (!valid || !DenseElementsAttr::isValidRawBuffer(shaped, data, splat)) {
    (void)cursor.fail("failed to validate buffer size and format");
    return {};
  }
  return DenseElementsAttr::getFromRawBuffer(shaped, data);
}

} // namespace tileir::bytecode
