// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASENUMS_TD
#define DIALECTS_NV_TILEAS_NVTILEASENUMS_TD

include "dialects/nv_tileas/NVTileASBase.td"

class TileAS_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::nv_tileas";
}

def TileAS_CopyKind : TileAS_Enum<"CopyKind", "hardware primitive of a copy", [
  I32EnumCase<"Unknown", 0, "unknown">,
  I32EnumCase<"Universal", 1, "universal">,
  I32EnumCase<"Ldg", 2, "ldg">,
  I32EnumCase<"Stg", 3, "stg">,
  I32EnumCase<"Lds", 4, "lds">,
  I32EnumCase<"Sts", 5, "sts">,
  I32EnumCase<"Ldgsts", 6, "ldgsts">,
  I32EnumCase<"Ldsm", 7, "ldsm">,
  I32EnumCase<"Stsm", 8, "stsm">,
]>;

def TileAS_MmaKind : TileAS_Enum<"MmaKind", "hardware primitive of an MMA", [
  I32EnumCase<"Fma", 0, "fma">,
  I32EnumCase<"MmaSync", 1, "mma_sync">,
  I32EnumCase<"Wgmma", 2, "wgmma">,
  I32EnumCase<"Umma", 3, "umma">,
  I32EnumCase<"MmaBs", 4, "mma_bs">,
]>;

def TileAS_MmaOperand : TileAS_Enum<"MmaOperand", "how an MMA gets an operand", [
  I32EnumCase<"Registers", 0, "registers">,
  I32EnumCase<"Pipeline", 1, "pipeline">,
  I32EnumCase<"Invariant", 2, "invariant">,
  I32EnumCase<"Restaged", 3, "restaged">,
]>;

def TileAS_ReduceKind : TileAS_Enum<"ReduceKind", "what a combiner computes", [
  I32EnumCase<"Generic", 0, "generic">,
  I32EnumCase<"Add", 1, "add">,
  I32EnumCase<"Mul", 2, "mul">,
  I32EnumCase<"Min", 3, "min">,
  I32EnumCase<"Max", 4, "max">,
  I32EnumCase<"UMin", 5, "umin">,
  I32EnumCase<"UMax", 6, "umax">,
  I32EnumCase<"And", 7, "and">,
  I32EnumCase<"Or", 8, "or">,
  I32EnumCase<"Xor", 9, "xor">,
  I32EnumCase<"FAdd", 10, "fadd">,
  I32EnumCase<"FMul", 11, "fmul">,
  I32EnumCase<"FMin", 12, "fmin">,
  I32EnumCase<"FMax", 13, "fmax">,
]>;

def TileAS_ReduceImpl : TileAS_Enum<"ReduceImpl", "how lanes are combined", [
  I32EnumCase<"Auto", 0, "auto">,
  I32EnumCase<"Redux", 1, "redux">,
  I32EnumCase<"Shfl", 2, "shfl">,
  I32EnumCase<"Tree", 3, "tree">,
]>;

def TileAS_ElementwiseKind : TileAS_Enum<"ElementwiseKind", "what an elementwise operation calls", [
  I32EnumCase<"Intrinsic", 0, "intrinsic">,
  I32EnumCase<"Extern", 1, "extern">,
  I32EnumCase<"Asm", 2, "asm">,
]>;

def TileAS_BarrierScope : TileAS_Enum<"BarrierScope", "which threads synchronize at a barrier", [
  I32EnumCase<"Agent", 0, "agent">,
  I32EnumCase<"CTA", 1, "cta">,
  I32EnumCase<"Cluster", 2, "cluster">,
]>;

def TileAS_FenceKind : TileAS_Enum<"FenceKind", "what a fence orders", [
  I32EnumCase<"ProxyAsyncShared", 0, "proxy_async_shared">,
  I32EnumCase<"ProxyAsyncGlobal", 1, "proxy_async_global">,
  I32EnumCase<"MbarrierInit", 2, "mbarrier_init">,
  I32EnumCase<"Scope", 3, "scope">,
  I32EnumCase<"ProxyAlias", 4, "proxy_alias">,
  I32EnumCase<"Tcgen05Before", 5, "tcgen05_before">,
  I32EnumCase<"Tcgen05After", 6, "tcgen05_after">,
]>;

def TileAS_PipelineProducer : TileAS_Enum<"PipelineProducer", "what fills the slots of a pipeline", [
  I32EnumCase<"Tma", 0, "tma">,
  I32EnumCase<"Bulk", 1, "bulk">,
  I32EnumCase<"CpAsync", 2, "cp_async">,
  I32EnumCase<"Generic", 3, "generic">,
  I32EnumCase<"Umma", 4, "umma">,
  I32EnumCase<"Clc", 5, "clc">,
]>;

def TileAS_PipelineConsumer : TileAS_Enum<"PipelineConsumer", "what reads the slots of a pipeline", [
  I32EnumCase<"Generic", 0, "generic">,
  I32EnumCase<"Wgmma", 1, "wgmma">,
  I32EnumCase<"Umma", 2, "umma">,
  I32EnumCase<"TmaStore", 3, "tma_store">,
]>;

def TileAS_PipelineSync : TileAS_Enum<"PipelineSync", "how consumers learn that a slot is full", [
  I32EnumCase<"Group", 0, "group">,
  I32EnumCase<"Mbarrier", 1, "mbarrier">,
]>;

def TileAS_PipelineEmpty : TileAS_Enum<"PipelineEmpty", "how the producer learns that a slot is free", [
  I32EnumCase<"Mbarrier", 0, "mbarrier">,
  I32EnumCase<"Barrier", 1, "barrier">,
]>;

def TileAS_PipelineSide : TileAS_Enum<"PipelineSide", "which side of a pipeline an iterator walks", [
  I32EnumCase<"Producer", 0, "producer">,
  I32EnumCase<"Consumer", 1, "consumer">,
]>;

def TileAS_ArrivalKind : TileAS_Enum<"ArrivalKind", "which threads or units arrive at an mbarrier", [
  I32EnumCase<"Warp", 0, "warp">,
  I32EnumCase<"Thread", 1, "thread">,
  I32EnumCase<"Elected", 2, "elected">,
  I32EnumCase<"CpAsync", 3, "cp_async">,
  I32EnumCase<"CpAsyncWarp", 4, "cp_async_warp">,
]>;

def TileAS_TmaSwizzle : TileAS_Enum<"TmaSwizzle", "how a tensor copy swizzles the lines of a box", [
  I32EnumCase<"None", 0, "none">,
  I32EnumCase<"B32", 1, "b32">,
  I32EnumCase<"B64", 2, "b64">,
  I32EnumCase<"B128", 3, "b128">,
  I32EnumCase<"B128Wide", 4, "b128_wide">,
]>;

class TileAS_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<TileAS_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

def TileAS_ElementwiseKindAttr : TileAS_EnumAttr<TileAS_ElementwiseKind, "elementwise_kind">;
def TileAS_BarrierScopeAttr : TileAS_EnumAttr<TileAS_BarrierScope, "barrier_scope">;
def TileAS_FenceKindAttr : TileAS_EnumAttr<TileAS_FenceKind, "fence_kind">;
def TileAS_PipelineProducerAttr : TileAS_EnumAttr<TileAS_PipelineProducer, "pipeline_producer">;
def TileAS_PipelineConsumerAttr : TileAS_EnumAttr<TileAS_PipelineConsumer, "pipeline_consumer">;
def TileAS_PipelineSyncAttr : TileAS_EnumAttr<TileAS_PipelineSync, "pipeline_sync">;
def TileAS_PipelineEmptyAttr : TileAS_EnumAttr<TileAS_PipelineEmpty, "pipeline_empty">;
def TileAS_PipelineSideAttr : TileAS_EnumAttr<TileAS_PipelineSide, "pipeline_side">;
def TileAS_ArrivalKindAttr : TileAS_EnumAttr<TileAS_ArrivalKind, "arrival_kind">;

#endif // DIALECTS_NV_TILEAS_NVTILEASENUMS_TD
