// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_TABLES_H
#define DIALECTS_CUDA_TILE_BYTECODE_TABLES_H

#include "dialects/cuda_tile/CudaTile.h"
#include "dialects/cuda_tile/bytecode/Cursor.h"
#include "dialects/cuda_tile/bytecode/OpTable.h"

#include "llvm/ADT/DenseMap.h"

namespace tileir::bytecode {

/// Name of a type in messages, and the version that introduced it.
struct TypeInfo {
  TypeTag tag;
  const char *name;
  BytecodeVersion since;
};

/// The row of `tag`, or null.
const TypeInfo *findTypeInfo(uint64_t tag);

/// The version that introduced this attribute of pointers.
inline BytecodeVersion pointerKindSince(mlir::cuda_tile::PointerKind kind) {
  return kind == mlir::cuda_tile::PointerKind::None ? kVersion13_4
                                                    : kVersion13_5;
}

/// Little-endian numbers of the file, in place and possibly unaligned.
template <typename T> class Numbers {
public:
  Numbers() = default;
  /// `bytes` holds whole numbers.
  explicit Numbers(llvm::ArrayRef<uint8_t> bytes) : bytes(bytes) {}

  size_t size() const { return bytes.size() / sizeof(T); }
  bool empty() const { return bytes.empty(); }
  T operator[](size_t i) const {
    assert(i < size() && "the reader checks its numbers");
    return llvm::support::endian::read<T, llvm::endianness::little>(
        bytes.data() + i * sizeof(T));
  }
  Numbers slice(size_t start, size_t count) const {
    return Numbers(bytes.slice(start * sizeof(T), count * sizeof(T)));
  }

private:
  llvm::ArrayRef<uint8_t> bytes;
};

/// The numbered items of a section: `count`, padding, offsets, data.
template <typename Offset> struct ItemTable {
  Numbers<Offset> starts;
  llvm::ArrayRef<uint8_t> data;

  size_t size() const { return starts.size(); }
  /// End of an item, the start of the next one.
  uint64_t end(size_t i) const {
    return i + 1 == starts.size() ? data.size() : starts[i + 1];
  }
  /// Only for a table whose offsets were checked.
  llvm::ArrayRef<uint8_t> operator[](size_t i) const {
    return data.slice(starts[i], end(i) - starts[i]);
  }
};
using Items = ItemTable<uint32_t>;

/// Reads a table with 32-bit offsets that fills the rest of `cursor`. `what`
/// names the items in messages.
mlir::LogicalResult readItems(Cursor &cursor, Section section,
                              llvm::StringRef what, Items &items);

/// The string, type and constant tables of a file, and the attributes made from
/// them. Types and constants are decoded at their first use.
class Tables {
public:
  Tables(mlir::MLIRContext *context, BytecodeVersion version)
      : context(context), version(version), unit(mlir::UnitAttr::get(context)) {
  }

  mlir::LogicalResult readStrings(llvm::ArrayRef<uint8_t> payload);
  mlir::LogicalResult readTypes(llvm::ArrayRef<uint8_t> payload);
  mlir::LogicalResult readConstants(llvm::ArrayRef<uint8_t> payload);

  /// Reads a string index and looks it up; false after a report of an index out
  /// of range, or silently when the index cannot be read.
  bool readString(Cursor &cursor, llvm::StringRef &value);
  bool getString(uint64_t index, llvm::StringRef &value);
  /// Reads a string as an attribute; null on failure.
  mlir::StringAttr readStringAttr(Cursor &cursor);

  uint64_t numTypes() const { return types.size(); }
  /// Returns a type; null when the index is out of range, when the type refers
  /// to itself, or after a reported error.
  mlir::Type getType(uint64_t index) {
    if (index < types.size() && types[index].visited)
      return types[index].type;
    return decodeType(index);
  }
  /// Reads a type; null also when the index cannot be read.
  mlir::Type readType(Cursor &cursor) {
    uint64_t index;
    return cursor.readVarInt(index) ? getType(index) : mlir::Type();
  }

  uint64_t numConstants() const { return constants.size(); }
  /// Returns the data of a constant as elements of `type`; null after an error.
  mlir::DenseElementsAttr getConstant(uint64_t index, mlir::Type type,
                                      const Cursor &user);

  /// Reads an attribute of the kind `code` of its operation; null after an
  /// error. `resultType` is the type of dense elements.
  mlir::Attribute readInlineAttr(Cursor &cursor, AttrCode code,
                                 mlir::Type resultType);
  /// The case `value` of the enum `code`.
  mlir::Attribute getEnum(AttrCode code, unsigned value);
  /// Returns the value of the required attribute `field` in files older than
  /// it.
  mlir::Attribute getDefault(const AttrField &field);
  /// Reads an attribute that begins with its tag; null after an error.
  mlir::Attribute readAttr(Cursor &cursor, unsigned depth = 0);

  mlir::MLIRContext *getContext() const { return context; }
  BytecodeVersion getVersion() const { return version; }

private:
  struct TypeItem {
    mlir::Type type;
    bool visited = false;
    uint16_t depth = 0;
  };
  /// A constant with the type of its first user.
  struct ConstantItem {
    mlir::Type type;
    mlir::DenseElementsAttr value;
  };

  mlir::Type decodeType(uint64_t index);
  mlir::DenseElementsAttr decodeConstant(uint64_t index,
                                         mlir::cuda_tile::TileType type);
  mlir::Type parseType(uint64_t index);
  mlir::Type readPart(Cursor &cursor);
  mlir::Type parseTypeBody(Cursor &cursor, uint64_t tag);
  mlir::Type parsePointer(Cursor &cursor);
  mlir::Type parseTile(Cursor &cursor);
  mlir::Type parseTensorView(Cursor &cursor);
  mlir::Type parseView(Cursor &cursor, TypeTag tag);
  mlir::Type parseFunction(Cursor &cursor);
  mlir::Type parseTestEvolved(Cursor &cursor);
  bool readTypeFlags(Cursor &cursor, uint64_t known, uint64_t &flags);
  bool readPointerKind(Cursor &cursor, mlir::cuda_tile::PointerKindAttr &kind);
  bool readPadding(Cursor &cursor, mlir::cuda_tile::PaddingValueAttr &padding);

  mlir::Attribute readInteger(Cursor &cursor, mlir::Type type);
  mlir::Attribute readFloat(Cursor &cursor);
  mlir::Attribute readEnum(Cursor &cursor, AttrCode code);
  mlir::Attribute readElements(Cursor &cursor, unsigned depth);
  mlir::DictionaryAttr readDictionary(Cursor &cursor, unsigned depth);
  mlir::Attribute readHints(Cursor &cursor, unsigned depth);
  mlir::Attribute readDivBy(Cursor &cursor);
  mlir::Attribute readSameElements(Cursor &cursor);
  mlir::Attribute readBounded(Cursor &cursor);
  bool readAPInt(Cursor &cursor, unsigned width, llvm::APInt &value);

  mlir::InFlightDiagnostic error() const {
    return mlir::emitError(mlir::UnknownLoc::get(context));
  }

  mlir::MLIRContext *context;
  BytecodeVersion version;
  mlir::UnitAttr unit;
  Items stringItems;
  /// Attributes of used strings, by number.
  llvm::SmallVector<mlir::StringAttr, 0> stringAttrs;
  Items typeItems;
  llvm::SmallVector<TypeItem, 0> types;
  unsigned typeDepth = 0;
  /// Maximum depth among the parts of the current type.
  unsigned partDepth = 0;
  ItemTable<uint64_t> constantItems;
  llvm::SmallVector<ConstantItem, 0> constants;
  /// Constants with further types; few producers share data among types.
  llvm::DenseMap<std::pair<uint64_t, mlir::Type>, mlir::DenseElementsAttr>
      retypedConstants;
  /// Enum attributes by code and value; every enum has fewer cases.
  static constexpr unsigned kMaxEnumCases = 16;
  mlir::Attribute enumCache[kNumAttrCodes][kMaxEnumCases];
};

} // namespace tileir::bytecode

#endif // DIALECTS_CUDA_TILE_BYTECODE_TABLES_H
