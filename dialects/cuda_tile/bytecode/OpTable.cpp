// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/cuda_tile/bytecode/OpTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

namespace tileir {

namespace {
// Shorthands for the rows.
constexpr BytecodeVersion v1 = kVersion13_1, v2 = kVersion13_2,
                          v3 = kVersion13_3, v4 = kVersion13_4,
                          v5 = kVersion13_5, t0 = kVersion250_0,
                          t1 = kVersion250_1;
constexpr bool kCounted = true, kPlain = false;
constexpr bool kSegments = true, kJoined = false;
constexpr FieldKind Single = FieldKind::Single, Optional = FieldKind::Optional,
                    Variadic = FieldKind::Variadic;
constexpr AttrCode I32 = AttrCode::I32, I64 = AttrCode::I64,
                   Bool = AttrCode::Bool, String = AttrCode::String,
                   Symbol = AttrCode::Symbol, Dense = AttrCode::Dense,
                   I32Array = AttrCode::I32Array, Inbounds = AttrCode::Inbounds,
                   TypedArray = AttrCode::TypedArray, Hints = AttrCode::Hints,
                   Predicate = AttrCode::Predicate, Unit = AttrCode::Unit,
                   Rounding = AttrCode::Rounding, Overflow = AttrCode::Overflow,
                   Signedness = AttrCode::Signedness,
                   Comparison = AttrCode::Comparison,
                   ComparisonOrdering = AttrCode::ComparisonOrdering,
                   MemoryOrdering = AttrCode::MemoryOrdering,
                   MemoryScope = AttrCode::MemoryScope,
                   AtomicMode = AttrCode::AtomicMode,
                   MultimemReduction = AttrCode::MultimemReduction,
                   Priority = AttrCode::Priority,
                   TestValue = AttrCode::TestValue;
} // namespace

// One line for each row: opcode, since, name, class, results, attributes,
// operands, whether results are counted, whether operands have segments,
// regions. A field is a name, its kind, its flag bit, its version, and its
// value in older files. Ascending by opcode; 0x19 to 0x24 and 0x34 to 0x39 are
// unassigned.
// clang-format off
static constexpr OpRecord kRecords[] = {
    {0x00, v1, "absf", "AbsFOp", {{"result"}}, {}, {{"source"}}},
    {0x01, v1, "absi", "AbsIOp", {{"result"}}, {}, {{"source"}}},
    {0x02, v1, "addf", "AddFOp", {{"result"}}, {{"rounding_mode", Rounding}, {"flush_to_zero", Unit, 0}}, {{"lhs"}, {"rhs"}}},
    {0x03, v1, "addi", "AddIOp", {{"result"}}, {{"overflow", Overflow}}, {{"lhs"}, {"rhs"}}},
    {0x04, v1, "andi", "AndIOp", {{"result"}}, {}, {{"lhs"}, {"rhs"}}},
    {0x05, v1, "assert", "AssertOp", {}, {{"message", String}}, {{"condition"}}},
    {0x06, v1, "assume", "AssumeOp", {{"result"}}, {{"predicate", Predicate}}, {{"value"}}},
    {0x07, v1, "atomic_cas_tko", "AtomicCASTkoOp", {{"result"}, {"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope}}, {{"pointers"}, {"cmp"}, {"val"}, {"mask", Optional, 0}, {"token", Optional, 1}}, kPlain, kSegments},
    {0x08, v1, "atomic_rmw_tko", "AtomicRMWTkoOp", {{"result"}, {"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope}, {"mode", AtomicMode}}, {{"pointers"}, {"arg"}, {"mask", Optional, 0}, {"token", Optional, 1}}, kPlain, kSegments},
    {0x09, v1, "bitcast", "BitcastOp", {{"result"}}, {}, {{"source"}}},
    {0x0A, v1, "break", "BreakOp", {}, {}, {{"operands", Variadic}}, kCounted},
    {0x0B, v1, "broadcast", "BroadcastOp", {{"result"}}, {}, {{"source"}}},
    {0x0C, v1, "cat", "CatOp", {{"result"}}, {{"dim", I64}}, {{"lhs"}, {"rhs"}}},
    {0x0D, v1, "ceil", "CeilOp", {{"result"}}, {}, {{"source"}}},
    {0x0E, v1, "cmpf", "CmpFOp", {{"result"}}, {{"comparison_predicate", Comparison}, {"comparison_ordering", ComparisonOrdering}}, {{"lhs"}, {"rhs"}}},
    {0x0F, v1, "cmpi", "CmpIOp", {{"result"}}, {{"comparison_predicate", Comparison}, {"signedness", Signedness}}, {{"lhs"}, {"rhs"}}},
    {0x10, v1, "constant", "ConstantOp", {{"result"}}, {{"value", Dense}}, {}},
    {0x11, v1, "continue", "ContinueOp", {}, {}, {{"operands", Variadic}}, kCounted},
    {0x12, v1, "cos", "CosOp", {{"result"}}, {}, {{"source"}}},
    {0x13, v1, "cosh", "CosHOp", {{"result"}}, {}, {{"source"}}},
    {0x14, v1, "divf", "DivFOp", {{"result"}}, {{"rounding_mode", Rounding}, {"flush_to_zero", Unit, 0}}, {{"lhs"}, {"rhs"}}},
    {0x15, v1, "divi", "DivIOp", {{"result"}}, {{"signedness", Signedness}, {"rounding", Rounding}}, {{"lhs"}, {"rhs"}}},
    {0x17, v1, "exp", "ExpOp", {{"result"}}, {{"rounding_mode", Rounding, -1, v3, 5}}, {{"source"}}},
    {0x18, v1, "exp2", "Exp2Op", {{"result"}}, {{"flush_to_zero", Unit, 0}}, {{"source"}}},
    {0x25, v1, "exti", "ExtIOp", {{"to"}}, {{"signedness", Signedness}}, {{"from"}}},
    {0x26, v1, "extract", "ExtractOp", {{"result"}}, {}, {{"source"}, {"indices", Variadic}}, kCounted},
    {0x27, v1, "floor", "FloorOp", {{"result"}}, {}, {{"source"}}},
    {0x28, v1, "fma", "FmaOp", {{"result"}}, {{"rounding_mode", Rounding}, {"flush_to_zero", Unit, 0}}, {{"lhs"}, {"rhs"}, {"acc"}}},
    {0x29, v1, "for", "ForOp", {{"resultValues", Variadic}}, {{"unsignedCmp", Unit, 0, v2}}, {{"lowerBound"}, {"upperBound"}, {"step"}, {"initValues", Variadic}}, kCounted, kJoined, 1},
    {0x2A, v1, "ftof", "FToFOp", {{"to"}}, {{"rounding_mode", Rounding}}, {{"from"}}},
    {0x2B, v1, "ftoi", "FToIOp", {{"to"}}, {{"signedness", Signedness}, {"rounding_mode", Rounding}, {"saturating", Unit, 0, v4}}, {{"from"}}},
    {0x2C, v1, "get_global", "GetGlobalOp", {{"result"}}, {{"name", Symbol}}, {}},
    {0x2D, v1, "get_index_space_shape", "GetIndexSpaceShapeOp", {{"result", Variadic}}, {}, {{"src"}}, kCounted},
    {0x2E, v1, "get_num_tile_blocks", "GetNumTileBlocksOp", {{"gridSize_x"}, {"gridSize_y"}, {"gridSize_z"}}, {}, {}},
    {0x2F, v1, "get_tensor_shape", "GetTensorShapeOp", {{"result", Variadic}}, {}, {{"src"}}, kCounted},
    {0x30, v1, "get_tile_block_id", "GetTileBlockIdOp", {{"blockId_x"}, {"blockId_y"}, {"blockId_z"}}, {}, {}},
    {0x32, v1, "if", "IfOp", {{"results", Variadic}}, {}, {{"condition"}}, kCounted, kJoined, 2},
    {0x33, v1, "int_to_ptr", "IntToPtrOp", {{"result"}}, {}, {{"source"}}},
    {0x3A, v1, "iota", "IotaOp", {{"result"}}, {}, {}},
    {0x3B, v1, "itof", "IToFOp", {{"to"}}, {{"signedness", Signedness}, {"rounding_mode", Rounding}}, {{"from"}}},
    {0x3C, v1, "join_tokens", "JoinTokensOp", {{"result"}}, {}, {{"tokens", Variadic}}, kCounted},
    {0x3D, v1, "load_ptr_tko", "LoadPtrTkoOp", {{"result"}, {"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope, 0}, {"optimization_hints", Hints, 1}}, {{"source"}, {"mask", Optional, 2}, {"paddingValue", Optional, 3}, {"token", Optional, 4}}, kPlain, kSegments},
    {0x3E, v1, "load_view_tko", "LoadViewTkoOp", {{"tile"}, {"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope, 0}, {"optimization_hints", Hints, 1}, {"inbounds", Inbounds, -1, v4}}, {{"view"}, {"index", Variadic}, {"token", Optional, 2}}, kCounted, kSegments},
    {0x3F, v1, "log", "LogOp", {{"result"}}, {}, {{"source"}}},
    {0x40, v1, "log2", "Log2Op", {{"result"}}, {}, {{"source"}}},
    {0x41, v1, "loop", "LoopOp", {{"resultValues", Variadic}}, {}, {{"initValues", Variadic}}, kCounted, kJoined, 1},
    {0x42, v1, "make_partition_view", "MakePartitionViewOp", {{"result"}}, {}, {{"tensor_view"}}},
    {0x43, v1, "make_tensor_view", "MakeTensorViewOp", {{"result"}}, {}, {{"base"}, {"dynamicShape", Variadic}, {"dynamicStrides", Variadic}}, kCounted, kSegments},
    {0x44, v1, "make_token", "MakeTokenOp", {{"result"}}, {}, {}},
    {0x45, v1, "maxf", "MaxFOp", {{"result"}}, {{"propagate_nan", Unit, 0}, {"flush_to_zero", Unit, 1}}, {{"lhs"}, {"rhs"}}},
    {0x46, v1, "maxi", "MaxIOp", {{"result"}}, {{"signedness", Signedness}}, {{"lhs"}, {"rhs"}}},
    {0x47, v1, "minf", "MinFOp", {{"result"}}, {{"propagate_nan", Unit, 0}, {"flush_to_zero", Unit, 1}}, {{"lhs"}, {"rhs"}}},
    {0x48, v1, "mini", "MinIOp", {{"result"}}, {{"signedness", Signedness}}, {{"lhs"}, {"rhs"}}},
    {0x49, v1, "mmaf", "MmaFOp", {{"result"}}, {{"fast_acc", Unit, 0, v3}}, {{"lhs"}, {"rhs"}, {"acc"}}},
    {0x4A, v1, "mmai", "MmaIOp", {{"result"}}, {{"signedness_lhs", Signedness}, {"signedness_rhs", Signedness}}, {{"lhs"}, {"rhs"}, {"acc"}}},
    {0x4C, v1, "mulf", "MulFOp", {{"result"}}, {{"rounding_mode", Rounding}, {"flush_to_zero", Unit, 0}}, {{"lhs"}, {"rhs"}}},
    {0x4D, v1, "mulhii", "MulhiIOp", {{"result"}}, {}, {{"x"}, {"y"}}},
    {0x4E, v1, "muli", "MulIOp", {{"result"}}, {{"overflow", Overflow}}, {{"lhs"}, {"rhs"}}},
    {0x4F, v1, "negf", "NegFOp", {{"result"}}, {}, {{"source"}}},
    {0x50, v1, "negi", "NegIOp", {{"result"}}, {{"overflow", Overflow, -1, v2, 0}}, {{"source"}}},
    {0x51, v1, "offset", "OffsetOp", {{"result"}}, {}, {{"ptr"}, {"offset"}}},
    {0x52, v1, "ori", "OrIOp", {{"result"}}, {}, {{"lhs"}, {"rhs"}}},
    {0x53, v1, "permute", "PermuteOp", {{"result"}}, {{"permutation", I32Array}}, {{"source"}}},
    {0x54, v1, "pow", "PowOp", {{"result"}}, {}, {{"source"}, {"exponent"}}},
    {0x55, v1, "print_tko", "PrintTkoOp", {{"result_token", Single, -1, v2}}, {{"str", String}}, {{"args", Variadic}, {"token", Optional, 0, v2}}, kCounted, kSegments},
    {0x56, v1, "ptr_to_int", "PtrToIntOp", {{"result"}}, {}, {{"source"}}},
    {0x57, v1, "ptr_to_ptr", "PtrToPtrOp", {{"result"}}, {}, {{"source"}}},
    {0x58, v1, "reduce", "ReduceOp", {{"results", Variadic}}, {{"dim", I32}, {"identities", TypedArray}}, {{"operands", Variadic}}, kCounted, kJoined, 1},
    {0x59, v1, "remf", "RemFOp", {{"result"}}, {}, {{"lhs"}, {"rhs"}}},
    {0x5A, v1, "remi", "RemIOp", {{"result"}}, {{"signedness", Signedness}}, {{"lhs"}, {"rhs"}}},
    {0x5B, v1, "reshape", "ReshapeOp", {{"result"}}, {}, {{"source"}}},
    {0x5C, v1, "return", "ReturnOp", {}, {}, {{"operands", Variadic}}, kCounted},
    {0x5D, v1, "rsqrt", "RsqrtOp", {{"result"}}, {{"flush_to_zero", Unit, 0}}, {{"source"}}},
    {0x5E, v1, "scan", "ScanOp", {{"results", Variadic}}, {{"dim", I32}, {"reverse", Bool}, {"identities", TypedArray}}, {{"operands", Variadic}}, kCounted, kJoined, 1},
    {0x5F, v1, "select", "SelectOp", {{"result"}}, {}, {{"cond"}, {"val_if_true"}, {"val_if_false"}}},
    {0x60, v1, "shli", "ShLIOp", {{"result"}}, {{"overflow", Overflow}}, {{"lhs"}, {"rhs"}}},
    {0x61, v1, "shri", "ShRIOp", {{"result"}}, {{"signedness", Signedness}}, {{"lhs"}, {"rhs"}}},
    {0x62, v1, "sin", "SinOp", {{"result"}}, {}, {{"source"}}},
    {0x63, v1, "sinh", "SinHOp", {{"result"}}, {}, {{"source"}}},
    {0x64, v1, "sqrt", "SqrtOp", {{"result"}}, {{"rounding_mode", Rounding}, {"flush_to_zero", Unit, 0}}, {{"source"}}},
    {0x65, v1, "store_ptr_tko", "StorePtrTkoOp", {{"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope, 0}, {"optimization_hints", Hints, 1}}, {{"destination"}, {"value"}, {"mask", Optional, 2}, {"token", Optional, 3}}, kPlain, kSegments},
    {0x66, v1, "store_view_tko", "StoreViewTkoOp", {{"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope, 0}, {"optimization_hints", Hints, 1}, {"inbounds", Inbounds, -1, v4}}, {{"tile"}, {"view"}, {"index", Variadic}, {"token", Optional, 2}}, kCounted, kSegments},
    {0x67, v1, "subf", "SubFOp", {{"result"}}, {{"rounding_mode", Rounding}, {"flush_to_zero", Unit, 0}}, {{"lhs"}, {"rhs"}}},
    {0x68, v1, "subi", "SubIOp", {{"result"}}, {{"overflow", Overflow}}, {{"lhs"}, {"rhs"}}},
    {0x69, v1, "tan", "TanOp", {{"result"}}, {}, {{"source"}}},
    {0x6A, v1, "tanh", "TanHOp", {{"result"}}, {{"rounding_mode", Rounding, -1, v2, 5}}, {{"source"}}},
    {0x6B, v1, "trunci", "TruncIOp", {{"to"}}, {{"overflow", Overflow}}, {{"from"}}},
    {0x6C, v1, "xori", "XOrIOp", {{"result"}}, {}, {{"lhs"}, {"rhs"}}},
    {0x6D, v1, "yield", "YieldOp", {}, {}, {{"operands", Variadic}}, kCounted},
    {0x6E, v2, "atan2", "Atan2Op", {{"result"}}, {}, {{"x"}, {"y"}}},
    {0x6F, v3, "pack", "PackOp", {{"result"}}, {}, {{"source"}}},
    {0x70, v3, "unpack", "UnpackOp", {{"result"}}, {}, {{"source"}}},
    {0x71, v3, "alloca", "AllocaOp", {{"result"}}, {{"num_elem", I64}, {"alignment", I64}, {"global", Unit, 0}}, {}},
    {0x72, v3, "mmaf_scaled", "MmaFScaledOp", {{"result"}}, {}, {{"lhs"}, {"rhs"}, {"acc"}, {"lhs_scale"}, {"rhs_scale"}}},
    {0x73, v3, "make_gather_scatter_view", "MakeGatherScatterViewOp", {{"result"}}, {}, {{"tensor_view"}}},
    {0x74, v3, "make_strided_view", "MakeStridedViewOp", {{"result"}}, {}, {{"tensor_view"}}},
    {0x75, v3, "atomic_red_view_tko", "AtomicRedViewTkoOp", {{"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope}, {"mode", AtomicMode}, {"inbounds", Inbounds, -1, v5}}, {{"view"}, {"index", Variadic}, {"value"}, {"token", Optional, 0}}, kCounted, kSegments},
    {0x76, v4, "insert", "InsertOp", {{"result"}}, {}, {{"source"}, {"destination"}, {"indices", Variadic}}, kCounted},
    // An optional operand makes the operands counted, but not the results.
    {0x77, v4, "gdc_launch_dependents_tko", "GdcLaunchDependentsTkoOp", {{"result_token"}}, {}, {{"token", Optional}}},
    {0x78, v4, "gdc_wait_tko", "GdcWaitTkoOp", {{"result_token"}}, {}, {{"token", Optional}}},
    {0x79, v4, "fpowi", "FPowIOp", {{"result"}}, {}, {{"source"}, {"exponent"}}},
    {0x7A, v4, "memory_fence_alias_tko", "MemoryFenceAliasTkoOp", {{"result_token"}}, {}, {{"token"}}},
    {0x7B, v5, "multimem_load_reduce_view_tko", "MultimemLoadReduceViewTkoOp", {{"reduced_values"}, {"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope, 0}, {"reduction", MultimemReduction}, {"inbounds", Inbounds, -1, v5}}, {{"view"}, {"index", Variadic}, {"token", Optional, 1}}, kCounted, kSegments},
    {0x7C, v5, "multimem_reduce_view_tko", "MultimemReduceViewTkoOp", {{"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope}, {"reduction", MultimemReduction}, {"inbounds", Inbounds, -1, v5}}, {{"view"}, {"tile"}, {"index", Variadic}, {"token", Optional, 0}}, kCounted, kSegments},
    {0x7D, v5, "multimem_store_view_tko", "MultimemStoreViewTkoOp", {{"result_token"}}, {{"memory_ordering_semantics", MemoryOrdering}, {"memory_scope", MemoryScope, 0}, {"inbounds", Inbounds, -1, v5}}, {{"view"}, {"tile"}, {"index", Variadic}, {"token", Optional, 1}}, kCounted, kSegments},
    // Rows of tests. 0x3001 is a function.
    {0x3000, t0, "testing$bytecode_test_new_attribute", "TestingBytecodeTestNewAttributeOp", {}, {{"new_flag", Unit, 0, t1}, {"new_param", I32, -1, t1, 42}}, {}},
    {0x3002, t0, "testing$bytecode_test_evolution", "TestingBytecodeTestEvolutionOp", {{"result_token", Single, -1, t1}}, {{"new_attr", I32, 1, t1}, {"priority", Priority, 0}, {"test_attr", TestValue, 2, t1}}, {{"inputs", Variadic}, {"optional_token", Optional, 3, t1}}, kCounted, kSegments},
};
// clang-format on

BytecodeVersion enumCaseSince(AttrCode code, uint64_t value) {
  switch (code) {
  case AttrCode::Rounding:
    return value == 7 ? v4 : v1;
  case AttrCode::MultimemReduction:
    return v5;
  case AttrCode::Priority:
    return value == 2 ? t1 : t0;
  default:
    return v1;
  }
}

bool OpRecord::countsOperands() const {
  return !hasSegments &&
         llvm::any_of(operandFields(), [](const ValueField &field) {
           return field.kind != FieldKind::Single;
         });
}

bool OpRecord::hasFlags(BytecodeVersion version) const {
  for (const AttrField &field : attrFields())
    if (field.flag >= 0 && version >= field.since)
      return true;
  for (const ValueField &field : operandFields())
    if (field.flag >= 0 && version >= field.since)
      return true;
  return false;
}

uint64_t OpRecord::knownFlags() const {
  uint64_t bits = 0;
  for (const AttrField &field : attrFields())
    if (field.flag >= 0)
      bits |= uint64_t(1) << field.flag;
  for (const ValueField &field : operandFields())
    if (field.flag >= 0)
      bits |= uint64_t(1) << field.flag;
  return bits;
}

llvm::ArrayRef<OpRecord> opRecords() { return kRecords; }

namespace {
/// Rows by opcode; rows of tests have no entry.
struct DirectTable {
  static constexpr unsigned kSize = 0x80;
  int8_t rows[kSize] = {};

  constexpr DirectTable() {
    for (int8_t &row : rows)
      row = -1;
    int8_t number = 0;
    for (const OpRecord &record : kRecords) {
      if (record.opcode < kSize)
        rows[record.opcode] = number;
      ++number;
    }
  }
};
} // namespace

const OpRecord *findOpRecord(uint32_t opcode) {
  static_assert(std::size(kRecords) <= INT8_MAX, "rows are numbered by int8_t");
  static constexpr DirectTable direct;
  if (opcode < DirectTable::kSize)
    return direct.rows[opcode] < 0 ? nullptr : &kRecords[direct.rows[opcode]];
  const OpRecord *record = llvm::find_if(
      kRecords, [&](const OpRecord &row) { return row.opcode == opcode; });
  return record != std::end(kRecords) ? record : nullptr;
}

const OpRecord *findOpRecord(llvm::StringRef name) {
  static const llvm::StringMap<const OpRecord *> byName = [] {
    llvm::StringMap<const OpRecord *> map;
    for (const OpRecord &record : kRecords)
      map[record.name] = &record;
    return map;
  }();
  return byName.lookup(name);
}

} // namespace tileir
