// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_BYTECODE_OPTABLE_H
#define DIALECTS_CUDA_TILE_BYTECODE_OPTABLE_H

#include "dialects/cuda_tile/bytecode/Versions.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace tileir {

/// Encoding of an attribute of an operation. The operation determines the kind,
/// so there is no tag before the value.
enum class AttrCode : uint8_t {
  None,
  /// Varint of the zero-extended value of an i32 or i64 attribute.
  I32,
  I64,
  /// One byte.
  Bool,
  /// Varint string index.
  String,
  Symbol,
  /// Varint type index.
  Type,
  /// Varint constant index; the type is that of the operation's first result.
  Dense,
  I32Array,
  /// Varint count, then a byte each: one flag per index. All false equals the
  /// absence of the attribute.
  Inbounds,
  /// Varint count, then self-contained typed attributes.
  TypedArray,
  /// Varint count, then key and self-contained value of each entry.
  Hints,
  /// A self-contained attribute with the assume predicate interface.
  Predicate,
  /// A flag bit without a value.
  Unit,
  // Enums, all varints.
  Rounding,
  Overflow,
  Signedness,
  Comparison,
  ComparisonOrdering,
  MemoryOrdering,
  MemoryScope,
  AtomicMode,
  MultimemReduction,
  /// Used by tests.
  Priority,
  /// Zigzag varint; used by tests.
  TestValue,
};
constexpr unsigned kNumAttrCodes = unsigned(AttrCode::TestValue) + 1;

/// An attribute of an operation, in encoding order.
struct AttrField {
  const char *name = nullptr;
  AttrCode code = AttrCode::None;
  /// Flag bit for the presence of an optional attribute, or -1.
  int8_t flag = -1;
  BytecodeVersion since = kVersion13_1;
  /// Value of a required attribute in files older than `since`.
  int8_t fallback = -1;
};

/// The version that introduced case `value` of the enum `code`.
BytecodeVersion enumCaseSince(AttrCode code, uint64_t value);

enum class FieldKind : uint8_t { Single, Optional, Variadic };

/// An operand or a result of an operation, in encoding order.
struct ValueField {
  const char *name = nullptr;
  FieldKind kind = FieldKind::Single;
  /// Flag bit of an optional operand; -1 when the number of operands determines
  /// its presence.
  int8_t flag = -1;
  BytecodeVersion since = kVersion13_1;
};

/// One row of the table, with all facts for the decoding of an operation.
struct OpRecord {
  static constexpr int kMaxFields = 6;

  uint32_t opcode;
  BytecodeVersion since;
  /// Without the dialect prefix.
  const char *name;
  /// The C++ class, for messages.
  const char *className;
  ValueField results[kMaxFields];
  AttrField attrs[kMaxFields];
  ValueField operands[kMaxFields];
  /// True if the number of results precedes their types.
  bool countsResults = false;
  /// True if operands are encoded by declared operand, with counts of their
  /// own.
  bool hasSegments = false;
  uint8_t numRegions = 0;

  llvm::ArrayRef<ValueField> resultFields() const { return fields(results); }
  llvm::ArrayRef<AttrField> attrFields() const { return fields(attrs); }
  llvm::ArrayRef<ValueField> operandFields() const { return fields(operands); }

  /// Returns whether the number of operands precedes them.
  bool countsOperands() const;

  /// Returns whether files of `version` have a flags word.
  bool hasFlags(BytecodeVersion version) const;

  /// The flag bits that have a meaning in some version.
  uint64_t knownFlags() const;

private:
  template <typename T>
  static llvm::ArrayRef<T> fields(const T (&array)[kMaxFields]) {
    int count = 0;
    while (count != kMaxFields && array[count].name)
      ++count;
    return {array, static_cast<size_t>(count)};
  }
};

/// The row of `opcode`, or null. `entry`, `global`, `module` and `testing$func`
/// have none: they never occur in a function body.
const OpRecord *findOpRecord(uint32_t opcode);
/// The row of the operation `name` (without the dialect), or null.
const OpRecord *findOpRecord(llvm::StringRef name);

/// All rows, ascending by opcode.
llvm::ArrayRef<OpRecord> opRecords();

} // namespace tileir

#endif // DIALECTS_CUDA_TILE_BYTECODE_OPTABLE_H
