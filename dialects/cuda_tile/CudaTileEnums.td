// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_CUDATILEENUMS_TD
#define DIALECTS_CUDA_TILE_CUDATILEENUMS_TD

include "dialects/cuda_tile/CudaTileBase.td"
include "mlir/IR/EnumAttr.td"

class CudaTile_EnumCase<string symbol, int value, string keyword,
                        string since = "13.1">
    : I32EnumCase<symbol, value, keyword> {
  string sinceVersion = since;
}

/// A case of an enum that is stored as an i32 integer attribute.
class CudaTile_IntEnumCase<string symbol, int value, string keyword,
                           string since = "13.1">
    : I32EnumAttrCase<symbol, value, keyword> {
  string sinceVersion = since;
}

class CudaTile_Enum<string name, string summary, list<EnumCase> cases,
                    string since = "13.1">
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::cuda_tile";
  string sinceVersion = since;
}

class CudaTile_IntEnum<string name, string summary,
                       list<I32EnumAttrCase> cases, string since = "13.1">
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::cuda_tile";
  string sinceVersion = since;
}

// The summaries are part of diagnostics that clients expect.

//===----------------------------------------------------------------------===//
// Enums with an attribute of their own
//===----------------------------------------------------------------------===//

def CudaTile_Signedness : CudaTile_Enum<
    "Signedness", "signedness", [
      CudaTile_EnumCase<"Unsigned", 0, "unsigned">,
      CudaTile_EnumCase<"Signed", 1, "signed">,
    ]>;

def CudaTile_IntegerOverflow : CudaTile_Enum<
    "IntegerOverflow", "integer overflow", [
      CudaTile_EnumCase<"NONE", 0, "none">,
      CudaTile_EnumCase<"NSW", 1, "no_signed_wrap">,
      CudaTile_EnumCase<"NUW", 2, "no_unsigned_wrap">,
      CudaTile_EnumCase<"NW", 3, "no_wrap">,
    ]>;

def CudaTile_RoundingMode : CudaTile_Enum<
    "RoundingMode", "rounding mode", [
      CudaTile_EnumCase<"NEAREST_EVEN", 0, "nearest_even">,
      CudaTile_EnumCase<"ZERO", 1, "zero">,
      CudaTile_EnumCase<"NEGATIVE_INF", 2, "negative_inf">,
      CudaTile_EnumCase<"POSITIVE_INF", 3, "positive_inf">,
      CudaTile_EnumCase<"APPROX", 4, "approx">,
      CudaTile_EnumCase<"FULL", 5, "full">,
      CudaTile_EnumCase<"NEAREST_INT_TO_ZERO", 6, "nearest_int_to_zero">,
      CudaTile_EnumCase<"NEAREST_AWAY", 7, "nearest_away", "13.4">,
    ]>;

def CudaTile_ComparisonOrdering : CudaTile_Enum<
    "ComparisonOrdering", "comparison_ordering", [
      CudaTile_EnumCase<"UNORDERED", 0, "unordered">,
      CudaTile_EnumCase<"ORDERED", 1, "ordered">,
    ]>;

def CudaTile_ComparisonPredicate : CudaTile_Enum<
    "ComparisonPredicate", "cmp_predicate", [
      CudaTile_EnumCase<"EQUAL", 0, "equal">,
      CudaTile_EnumCase<"NOT_EQUAL", 1, "not_equal">,
      CudaTile_EnumCase<"LESS_THAN", 2, "less_than">,
      CudaTile_EnumCase<"LESS_THAN_OR_EQUAL", 3, "less_than_or_equal">,
      CudaTile_EnumCase<"GREATER_THAN", 4, "greater_than">,
      CudaTile_EnumCase<"GREATER_THAN_OR_EQUAL", 5, "greater_than_or_equal">,
    ]>;

def CudaTile_PaddingValue : CudaTile_Enum<
    "PaddingValue", "load padding value for out of bound access", [
      CudaTile_EnumCase<"zero", 0, "zero">,
      CudaTile_EnumCase<"neg_zero", 1, "neg_zero">,
      CudaTile_EnumCase<"nan", 2, "nan">,
      CudaTile_EnumCase<"pos_inf", 3, "pos_inf">,
      CudaTile_EnumCase<"neg_inf", 4, "neg_inf">,
    ]>;

def CudaTile_SymbolVisibility : CudaTile_Enum<
    "SymbolVisibility", "who can refer to a global", [
      CudaTile_EnumCase<"Public", 0, "public", "13.3">,
      CudaTile_EnumCase<"Private", 1, "private", "13.3">,
    ], "13.3">;

def CudaTile_PointerKind : CudaTile_Enum<
    "PointerKind", "which addresses a pointer may hold", [
      CudaTile_EnumCase<"None", 0, "none", "13.4">,
      CudaTile_EnumCase<"Unicast", 1, "unicast", "13.5">,
      CudaTile_EnumCase<"Multicast", 2, "multicast", "13.5">,
    ], "13.4">;

def CudaTile_MultimemReductionKind : CudaTile_Enum<
    "MultimemReductionKind", "how the copies of a multicast address combine", [
      CudaTile_EnumCase<"ADD", 0, "add", "13.5">,
      CudaTile_EnumCase<"MIN", 1, "min", "13.5">,
      CudaTile_EnumCase<"MAX", 2, "max", "13.5">,
      CudaTile_EnumCase<"AND", 3, "and", "13.5">,
      CudaTile_EnumCase<"OR", 4, "or", "13.5">,
      CudaTile_EnumCase<"XOR", 5, "xor", "13.5">,
      CudaTile_EnumCase<"UMIN", 6, "umin", "13.5">,
      CudaTile_EnumCase<"UMAX", 7, "umax", "13.5">,
    ], "13.5">;

def CudaTile_DISubprogramFlags : CudaTile_Enum<
    "DISubprogramFlags", "what is special about a subprogram", [
      CudaTile_EnumCase<"None", 0, "none", "13.5">,
      CudaTile_EnumCase<"Declaration", 1, "declaration", "13.5">,
    ], "13.5">;

def CudaTile_BytecodeTestPriority : CudaTile_Enum<
    "BytecodeTestPriority", "enum of the bytecode evolution tests", [
      CudaTile_EnumCase<"Low", 0, "low", "250.0">,
      CudaTile_EnumCase<"Normal", 1, "normal", "250.0">,
      CudaTile_EnumCase<"High", 2, "high", "250.0">,
    ], "250.0">;

//===----------------------------------------------------------------------===//
// Enums stored as i32
//===----------------------------------------------------------------------===//

def CudaTile_MemoryOrderingSemanticsAttr : CudaTile_IntEnum<
    "MemoryOrderingSemantics", "memory ordering semantics", [
      CudaTile_IntEnumCase<"WEAK", 0, "weak">,
      CudaTile_IntEnumCase<"RELAXED", 1, "relaxed">,
      CudaTile_IntEnumCase<"ACQUIRE", 2, "acquire">,
      CudaTile_IntEnumCase<"RELEASE", 3, "release">,
      CudaTile_IntEnumCase<"ACQ_REL", 4, "acq_rel">,
    ]>;

def CudaTile_MemoryScopeAttr : CudaTile_IntEnum<
    "MemoryScope", "memory scope", [
      CudaTile_IntEnumCase<"TL_BLK", 0, "tl_blk">,
      CudaTile_IntEnumCase<"DEVICE", 1, "device">,
      CudaTile_IntEnumCase<"SYS", 2, "sys">,
    ]>;

def CudaTile_AtomicRMWModeAttr : CudaTile_IntEnum<
    "AtomicRMWMode", "atomic read-modify-write mode", [
      CudaTile_IntEnumCase<"AND", 0, "and">,
      CudaTile_IntEnumCase<"OR", 1, "or">,
      CudaTile_IntEnumCase<"XOR", 2, "xor">,
      CudaTile_IntEnumCase<"ADD", 3, "add">,
      CudaTile_IntEnumCase<"ADDF", 4, "addf">,
      CudaTile_IntEnumCase<"MAX", 5, "max">,
      CudaTile_IntEnumCase<"MIN", 6, "min">,
      CudaTile_IntEnumCase<"UMAX", 7, "umax">,
      CudaTile_IntEnumCase<"UMIN", 8, "umin">,
      CudaTile_IntEnumCase<"XCHG", 9, "xchg">,
    ]>;

#endif // DIALECTS_CUDA_TILE_CUDATILEENUMS_TD
