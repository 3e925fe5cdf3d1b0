// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_NVTILEAAENUMS_TD
#define DIALECTS_NV_TILEAA_NVTILEAAENUMS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/nv_tileaa/NVTileAABase.td"

// Where `cuda_tile` has the same enumeration, the numbers are the same.

class TileAA_Enum<string className, string summary, list<I32EnumCase> cases>
    : I32Enum<className, summary, cases> {
  let cppNamespace = "::mlir::nv_tileaa";
}

class TileAA_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<TileAA_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAA_RoundingMode : TileAA_Enum<"RoundingMode", "rounding mode", [
  I32EnumCase<"NearestEven", 0, "nearest_even">,
  I32EnumCase<"Zero", 1, "zero">,
  I32EnumCase<"NegativeInf", 2, "negative_inf">,
  I32EnumCase<"PositiveInf", 3, "positive_inf">,
  I32EnumCase<"Approx", 4, "approx">,
  I32EnumCase<"Full", 5, "full">,
]>;
def TileAA_RoundingModeAttr
    : TileAA_EnumAttr<TileAA_RoundingMode, "rounding_mode">;

def TileAA_Signedness : TileAA_Enum<"Signedness", "integer signedness", [
  I32EnumCase<"Unsigned", 0, "unsigned">,
  I32EnumCase<"Signed", 1, "signed">,
]>;
def TileAA_SignednessAttr : TileAA_EnumAttr<TileAA_Signedness, "signedness">;

def TileAA_MemSemantic : TileAA_Enum<"MemSemantic", "memory ordering", [
  I32EnumCase<"Weak", 0, "weak">,
  I32EnumCase<"Relaxed", 1, "relaxed">,
  I32EnumCase<"Acquire", 2, "acquire">,
  I32EnumCase<"Release", 3, "release">,
  I32EnumCase<"AcqRel", 4, "acq_rel">,
]>;
def TileAA_MemSemanticAttr
    : TileAA_EnumAttr<TileAA_MemSemantic, "mem_semantic">;

// `tl_blk` is one CTA, or the cluster of a tile block with several CTAs.
def TileAA_MemScope : TileAA_Enum<"MemScope", "memory scope", [
  I32EnumCase<"TlBlk", 0, "tl_blk">,
  I32EnumCase<"Gpu", 1, "gpu">,
  I32EnumCase<"Sys", 2, "sys">,
  I32EnumCase<"Cluster", 3, "cluster">,
]>;
def TileAA_MemScopeAttr : TileAA_EnumAttr<TileAA_MemScope, "mem_scope">;

def TileAA_RmwMode : TileAA_Enum<"RmwMode", "atomic read-modify-write mode", [
  I32EnumCase<"And", 0, "and">,
  I32EnumCase<"Or", 1, "or">,
  I32EnumCase<"Xor", 2, "xor">,
  I32EnumCase<"Add", 3, "add">,
  I32EnumCase<"AddF", 4, "addf">,
  I32EnumCase<"Max", 5, "max">,
  I32EnumCase<"Min", 6, "min">,
  I32EnumCase<"UMax", 7, "umax">,
  I32EnumCase<"UMin", 8, "umin">,
  I32EnumCase<"Xchg", 9, "xchg">,
]>;
def TileAA_RmwModeAttr : TileAA_EnumAttr<TileAA_RmwMode, "rmw_mode">;

def TileAA_CacheModifier : TileAA_Enum<"CacheModifier", "cache modifier", [
  I32EnumCase<"None", 0, "none">,
  I32EnumCase<"CA", 1, "ca">,
  I32EnumCase<"CG", 2, "cg">,
  I32EnumCase<"CS", 3, "cs">,
  I32EnumCase<"LU", 4, "lu">,
  I32EnumCase<"CV", 5, "cv">,
]>;
def TileAA_CacheModifierAttr
    : TileAA_EnumAttr<TileAA_CacheModifier, "cache_modifier">;

def TileAA_EvictionPolicy : TileAA_Enum<"EvictionPolicy", "eviction policy", [
  I32EnumCase<"None", 0, "none">,
  I32EnumCase<"Normal", 1, "normal">,
  I32EnumCase<"First", 2, "first">,
  I32EnumCase<"Last", 3, "last">,
]>;
def TileAA_EvictionPolicyAttr
    : TileAA_EnumAttr<TileAA_EvictionPolicy, "eviction_policy">;

def TileAA_PaddingValue : TileAA_Enum<"PaddingValue", "padding value", [
  I32EnumCase<"Zero", 0, "zero">,
  I32EnumCase<"NegZero", 1, "neg_zero">,
  I32EnumCase<"NaN", 2, "nan">,
  I32EnumCase<"PosInf", 3, "pos_inf">,
  I32EnumCase<"NegInf", 4, "neg_inf">,
]>;
def TileAA_PaddingValueAttr
    : TileAA_EnumAttr<TileAA_PaddingValue, "padding_value">;

def TileAA_Dim : TileAA_Enum<"Dim", "grid dimension", [
  I32EnumCase<"X", 0, "x">,
  I32EnumCase<"Y", 1, "y">,
  I32EnumCase<"Z", 2, "z">,
]>;
def TileAA_DimAttr : TileAA_EnumAttr<TileAA_Dim, "dim">;

def TileAA_GridDependency
    : TileAA_Enum<"GridDependency", "dependency between grids", [
  I32EnumCase<"Wait", 0, "wait">,
  I32EnumCase<"LaunchDependents", 1, "launch_dependents">,
]>;
def TileAA_GridDependencyAttr
    : TileAA_EnumAttr<TileAA_GridDependency, "grid_dependency">;

def TileAA_InputPrecision
    : TileAA_Enum<"InputPrecision", "precision of f32 dot inputs", [
  I32EnumCase<"IEEE", 0, "ieee">,
  I32EnumCase<"TF32", 1, "tf32">,
  I32EnumCase<"TF32x3", 2, "tf32x3">,
]>;
def TileAA_InputPrecisionAttr
    : TileAA_EnumAttr<TileAA_InputPrecision, "input_precision">;

#endif // DIALECTS_NV_TILEAA_NVTILEAAENUMS_TD
