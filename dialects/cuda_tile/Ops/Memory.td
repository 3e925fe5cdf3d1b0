// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_MEMORY_TD
#define DIALECTS_CUDA_TILE_OPS_MEMORY_TD

include "dialects/cuda_tile/Ops/Core.td"

/// Trait: `pointers` point to the element type of `values`, in the same shape.
class CudaTile_PointsTo<string pointers, string values>
    : PredOpTrait<"`" # pointers # "` type is expected a pointer type of `" #
                      values # "` type",
                  CPred<"::mlir::cuda_tile::isPointerTileOf($" # pointers #
                        ".getType(), $" # values # ".getType())">>;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

def CudaTile_MakeTokenOp : CudaTile_Op<"make_token", "13.1", [Pure]> {
  let summary = "Starts a chain of tokens";
  let description = [{
    No operation precedes the token.

    ```mlir
    %0 = make_token : token
    ```
  }];
  let results = (outs CudaTile_TokenType:$result);
  let assemblyFormat = "attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_JoinTokensOp : CudaTile_Op<"join_tokens", "13.1", [Pure]> {
  let summary = "Makes a token that is ordered after several tokens";
  let description = [{
    (C1) There are at least two.

    ```mlir
    %0 = join_tokens %a, %b : token
    ```
  }];
  let arguments = (ins Variadic<CudaTile_TokenType>:$tokens);
  let results = (outs CudaTile_TokenType:$result);
  let assemblyFormat =
      "$tokens attr-dict `:` custom<ShortType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_MemoryFenceAliasTkoOp
    : CudaTile_Op<"memory_fence_alias_tko", "13.4"> {
  let summary = "Orders accesses through different addresses of one memory";
  let description = [{
    Accesses before the operand precede accesses after the result, even where
    they reach the same memory through aliased addresses, such as a multicast and
    a unicast one.

    ```mlir
    %t = memory_fence_alias_tko %t0
    ```
  }];
  let arguments = (ins CudaTile_TokenType:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = "$token attr-dict";
}

//===----------------------------------------------------------------------===//
// Dependent grids
//===----------------------------------------------------------------------===//

class CudaTile_DependentGridOp<string mnemonic>
    : CudaTile_Op<mnemonic, "13.4"> {
  let arguments = (ins Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    (`token` `=` $token^)? attr-dict `->`
    custom<ShortType>(type($result_token))
  }];
}

def CudaTile_GdcWaitTkoOp : CudaTile_DependentGridOp<"gdc_wait_tko"> {
  let summary = "Waits for the grids on which this one depends";
  let description = [{
    These grids are complete, and their memory is visible to operations after
    the token. Without a programmatic launch it has no effect.

    ```mlir
    %t = gdc_wait_tko token = %t0 -> token
    ```
  }];
}

def CudaTile_GdcLaunchDependentsTkoOp
    : CudaTile_DependentGridOp<"gdc_launch_dependents_tko"> {
  let summary = "Allows grids that depend on this one to start";
  let description = [{
    Without a programmatic launch it has no effect.

    ```mlir
    %t = gdc_launch_dependents_tko token = %t0 -> token
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

def CudaTile_AllocaOp : CudaTile_Op<"alloca", "13.3"> {
  let summary = "Allocates scratch memory for the enclosing block";
  let description = [{
    The pointer points to `num_elem` elements in global memory, which exist as
    long as the block runs and belong to this tile block alone, unless `global`.
    (C1) The alignment is a power of two and (C2) at least that of the element.

    ```mlir
    %0 = alloca num_elem = 256, alignment = 16 global : tile<ptr<f32>>
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntMinValue<0>]>:$num_elem,
                       ConfinedAttr<I64Attr, [IntMinValue<0>]>:$alignment,
                       UnitAttr:$global);
  let results = (outs CudaTile_ScalarPointer:$result);
  let assemblyFormat = [{
    `num_elem` `=` $num_elem `,` `alignment` `=` $alignment
    (`global` $global^)? attr-dict `:` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_LoadPtrTkoOp : CudaTile_Op<"load_ptr_tko", "13.1",
    [AttrSizedOperandSegments, CudaTile_PointsTo<"source", "result">,
     PredOpTrait<"shape of 'mask' must match the shape of 'source'",
                 CPred<"::mlir::cuda_tile::isAbsentOrSameShape("
                       "getMask(), getSource())">>,
     PredOpTrait<"type of 'paddingValue' must match the type of 'result'",
                 CPred<"!getPaddingValue() || getPaddingValue().getType() == "
                       "getResult().getType()">>,
     CudaTile_NamesResults]> {
  let summary = "Loads elements through pointers";
  let description = [{
    Masked-off elements read as the padding value, or as any value without one.
    (C1) The ordering is weak, relaxed or acquire; all but weak have a scope.

    ```mlir
    %v, %t = load_ptr_tko weak %p, %m, %pad token=%t0 : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope,
      CudaTile_PointerTile:$source, Optional<CudaTile_I1Tile>:$mask,
      Optional<CudaTile_NumberTile>:$paddingValue,
      Optional<CudaTile_TokenType>:$token,
      OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_TileType:$result,
                      CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics ($memory_scope^)? $source (`,` $mask^)?
    (`,` $paddingValue^)? (`token` `` `=` `` $token^)?
    (`optimization_hints` `=` $optimization_hints^)? attr-dict `:`
    custom<ShortType>(type($source)) (`,` custom<ShortType>(type($mask))^)?
    (`,` custom<ShortType>(type($paddingValue))^)? `->`
    custom<ShortType>(type($result)) `,` custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_StorePtrTkoOp : CudaTile_Op<"store_ptr_tko", "13.1",
    [AttrSizedOperandSegments, CudaTile_PointsTo<"destination", "value">,
     PredOpTrait<"shape of 'destination' must match the shape of 'mask'",
                 CPred<"::mlir::cuda_tile::isAbsentOrSameShape("
                       "getMask(), getDestination())">>]> {
  let summary = "Stores elements through pointers";
  let description = [{
    Masked-off elements are not written. Of two elements with the same address
    any one may remain. (C1) The ordering is weak, relaxed or release; all but
    weak have a scope.

    ```mlir
    %t = store_ptr_tko release device %p, %v, %m token=%t0 : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope,
      CudaTile_PointerTile:$destination, CudaTile_TileType:$value,
      Optional<CudaTile_I1Tile>:$mask, Optional<CudaTile_TokenType>:$token,
      OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints);
  let results = (outs CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics ($memory_scope^)? $destination `,` $value
    (`,` $mask^)? (`token` `` `=` `` $token^)?
    (`optimization_hints` `=` $optimization_hints^)? attr-dict `:`
    custom<ShortType>(type($destination)) `,` custom<ShortType>(type($value))
    (`,` custom<ShortType>(type($mask))^)? `->`
    custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

def CudaTile_AtomicRMWTkoOp : CudaTile_Op<"atomic_rmw_tko", "13.1",
    [AttrSizedOperandSegments, AllShapesMatch<["pointers", "arg", "result"]>,
     AllTypesMatch<["arg", "result"]>, CudaTile_NamesResults]> {
  let summary = "Updates elements atomically";
  let description = [{
    Each element whose mask is true is one atomic update and gives the old value;
    masked-off elements give zero. (C1) Pointers point to the argument's element
    type. (C2) The mask has their shape. (C3) The mode is legal for the type.
    (C4) The ordering is not weak.

    ```mlir
    %o, %t = atomic_rmw_tko acq_rel sys %p, umax, %v, %m token=%t0 : tile<64xptr<i32>>, tile<64xi32>, tile<64xi1> -> tile<64xi32>, token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope,
      CudaTile_PointerTile:$pointers, CudaTile_AtomicRMWModeAttr:$mode,
      CudaTile_TileType:$arg, Optional<CudaTile_I1Tile>:$mask,
      Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TileType:$result,
                      CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $mode `,` $arg
    (`,` $mask^)? (`token` `` `=` `` $token^)? attr-dict `:`
    custom<ShortType>(type($pointers)) `,` custom<ShortType>(type($arg))
    (`,` custom<ShortType>(type($mask))^)? `->`
    custom<ShortType>(type($result)) `,` custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

def CudaTile_AtomicCASTkoOp : CudaTile_Op<"atomic_cas_tko", "13.1",
    [AttrSizedOperandSegments,
     AllShapesMatch<["pointers", "cmp", "val", "result"]>,
     AllTypesMatch<["cmp", "val", "result"]>, CudaTile_NamesResults]> {
  let summary = "Compares and swaps elements atomically";
  let description = [{
    Each element whose mask is true is replaced if its bits equal `cmp`, and
    gives the old value; masked-off elements give `cmp`. (C1) Pointers point to
    the value's element type. (C2) It has 32 or 64 bits. (C3) The mask has their
    shape. (C4) The ordering is not weak.

    ```mlir
    %o, %t = atomic_cas_tko relaxed tl_blk %p, %c, %v : tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope,
      CudaTile_PointerTile:$pointers, CudaTile_TileType:$cmp,
      CudaTile_TileType:$val, Optional<CudaTile_I1Tile>:$mask,
      Optional<CudaTile_TokenType>:$token);
  let results = (outs CudaTile_TileType:$result,
                      CudaTile_TokenType:$result_token);
  let assemblyFormat = [{
    $memory_ordering_semantics $memory_scope $pointers `,` $cmp `,` $val
    (`,` $mask^)? (`token` `` `=` `` $token^)? attr-dict `:`
    custom<ShortType>(type($pointers)) `,` custom<ShortType>(type($val))
    (`,` custom<ShortType>(type($mask))^)? `->`
    custom<ShortType>(type($result)) `,` custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_CUDA_TILE_OPS_MEMORY_TD
