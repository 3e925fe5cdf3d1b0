// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_TOKEN_TD
#define DIALECTS_NV_TILEAA_OPS_TOKEN_TD

include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

def TileAA_CreateMemTokenOp : TileAA_Op<"create_mem_token", [Pure]> {
  let summary = "Makes a token without dependencies";
  let description = [{
    ```mlir
    %0 = nv_tileaa.create_mem_token
    ```
  }];
  let results = (outs TileAA_MemTokenType:$result);
  let assemblyFormat = "attr-dict";
}

def TileAA_JoinMemTokenOp : TileAA_Op<"join_mem_token", [Pure]> {
  let summary = "Makes a token that is ordered after all operands";
  let description = [{
    ```mlir
    %0 = nv_tileaa.join_mem_token %a, %b
    %1 = nv_tileaa.join_mem_token ()
    ```
  }];
  let arguments = (ins Variadic<TileAA_MemTokenType>:$tokens);
  let results = (outs TileAA_MemTokenType:$result);
  let assemblyFormat = "custom<Tokens>($tokens) attr-dict";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TileAA_AliasFenceOp : TileAA_Op<"alias_fence"> {
  let summary = "Orders accesses to memory that has several addresses";
  let description = [{
    Accesses before the operand are ordered before accesses after the result,
    even where they reach the same memory through different addresses, such as
    the address of one device and an address that several devices share.

    ```mlir
    %1 = nv_tileaa.alias_fence token %0
    ```
  }];
  let arguments = (ins TileAA_MemTokenType:$token);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = "`token` $token attr-dict";
}

def TileAA_MarkForReuseOp : TileAA_Op<"mark_for_reuse"> {
  let summary = "Allows the buffers of queues to share storage";
  let description = [{
    (C1) All operands are queues.

    ```mlir
    nv_tileaa.mark_for_reuse %q : !nv_tileaa.queue<tensor<8x32xf16>>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$queues);
  let assemblyFormat = "$queues attr-dict `:` type($queues)";
  let hasVerifier = 1;
}

def TileAA_AssumeOp : TileAA_Op<"assume",
    [Pure, AllTypesMatch<["value", "result"]>,
     DeclareOpInterfaceMethods<InferIntRangeInterface,
                               ["inferResultRanges"]>]> {
  let summary = "States facts about a value";
  let description = [{
    The facts hold for the result only. Where a fact is false the result and all values
    computed from it are undefined; the operation itself may move before its branch or loop.
    (C1) Each predicate fits the type of the value.

    ```mlir
    %1 = nv_tileaa.assume %n [#nv_tileaa.div_by<8>, #nv_tileaa.bounded<1, ?>] : i32
    ```
  }];
  let arguments = (ins AnyType:$value, ArrayAttr:$predicates);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$value $predicates attr-dict `:` type($value)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TileAA_AssertOp : TileAA_Op<"assert",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Traps when any element is false";
  let description = [{
    ```mlir
    nv_tileaa.assert %c, "n must stay positive" : i1
    ```
  }];
  let arguments = (ins TileAA_BoolTile:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
  let hasCanonicalizer = 1;
}

def TileAA_OptimizationBarrierOp : TileAA_Op<"optimization_barrier"> {
  let summary = "Passes values on, opaque to the optimizer";
  let description = [{
    No pass moves operations across it or folds it. (C1) Results have the types
    of the operands.

    ```mlir
    %0 = nv_tileaa.optimization_barrier %f : f32 -> f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $values attr-dict `:` type($values) `->` type($results)
  }];
  let hasVerifier = 1;
}

def TileAA_PragmaOp : TileAA_Op<"pragma",
    [RecursiveMemoryEffects, RecursivelySpeculatable,
     DeclareOpInterfaceMethods<RegionBranchOpInterface>,
     SingleBlockImplicitTerminator<"::mlir::nv_tileaa::YieldOp">]> {
  let summary = "Attaches directives to a region that runs in place";
  let description = [{
    ```mlir
    %0 = nv_tileaa.pragma {unroll = 4 : i32} -> (f32) {
      nv_tileaa.yield %f : f32
    }
    ```
  }];
  let arguments = (ins DictionaryAttr:$directives);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $directives (`->` `(` type($results)^ `)`)? attr-dict-with-keyword $body
  }];
}

def TileAA_MessageOp : TileAA_Op<"message",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Leaves a note for the host";
  let description = [{
    ```mlir
    nv_tileaa.message "tuned for 4 warps"
    ```
  }];
  let arguments = (ins StrAttr:$text);
  let assemblyFormat = "$text attr-dict";
}

def TileAA_PrintOp : TileAA_Op<"print",
    [AttrSizedOperandSegments,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Prints values in a C format";
  let description = [{
    (C1) As many conversions as operands.

    ```mlir
    %1 = nv_tileaa.print "n=%d\0A", %n : i32 token %0
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<TileAA_Tile>:$args,
                       Optional<TileAA_MemTokenType>:$token);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = [{
    $format (`,` $args^ `:` type($args))? (`token` $token^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAA_OPS_TOKEN_TD
