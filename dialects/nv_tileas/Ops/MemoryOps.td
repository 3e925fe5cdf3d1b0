// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_MEMORYOPS_TD
#define DIALECTS_NV_TILEAS_OPS_MEMORYOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Common rules of all accesses: a weak access has no scope, every other access
// has one. The token operand is optional, the token result always exists.
// Layouts of value, pointer and mask are equal.

class TileAS_AccessOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<mnemonic, !listconcat([
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<TileAS_MemoryOpInterface>], traits)> {
  let hasVerifier = 1;
}

// Common arguments of accesses, in their order.
defvar MemOrderArgs = (ins TileAA_MemSemanticAttr:$mem_semantic,
                           OptionalAttr<TileAA_MemScopeAttr>:$mem_scope);
defvar ViewArgs = (ins OptionalAttr<DenseBoolArrayAttr>:$in_bounds,
                       OptionalAttr<BoolAttr>:$allow_tma);
defvar HintArgs = (ins OptionalAttr<I32Attr>:$latency, UnitAttr:$is_volatile,
                       OptionalAttr<TileAA_CacheModifierAttr>:$cache_modifier,
                       OptionalAttr<TileAA_EvictionPolicyAttr>:$eviction_policy);
defvar AtomArgs = (ins OptionalAttr<TileAS_CopyAtomAttr>:$atom);

defvar MaskMatches = OptionalTypesMatchWith<
    "mask has the shape and layout of the pointers", "ptr", "mask",
    "::mlir::nv_tileas::getMaskType($_self)">;
def TileAS_LoadOp : TileAS_AccessOp<"load", [
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>,
    AttrSizedOperandSegments, MaskMatches,
    OptionalTypesMatchWith<"fallback has the type of the value", "value",
                           "other", "$_self">]> {
  let summary = "Loads through a tile of pointers";
  let description = [{
    Masked-off elements give `other`, or an undefined value without it. All
    threads load a scalar pointer.

    Constraints: (C1) `weak`, `relaxed` or `acquire`, scope exactly when not
    weak; (C2) the value is the pointee in the shape and layout of the pointers;
    (C3) `other` needs `mask`; (C4) the atom reads global memory.

    ```mlir
    %x, %t = nv_tileas.load weak %p mask %m other %z token %t0 : tensor<64x!nv_tileaa.ptr<f32>, #a> -> tensor<64xf32, #a>
    ```
  }];
  let arguments = !con(
    (ins TileAS_PtrTile:$ptr, Optional<TileAS_BoolTile>:$mask,
         Optional<TileAS_TileOrScalar>:$other,
         Optional<TileAS_MemToken>:$token),
    MemOrderArgs, HintArgs, (ins UnitAttr:$invariant), AtomArgs);
  let results = (outs TileAS_TileOrScalar:$value,
                      TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $ptr (`mask` $mask^)?
    (`other` $other^)? (`token` $token^)? attr-dict `:` type($ptr) `->` type($value)
  }];
}

def TileAS_StoreOp : TileAS_AccessOp<"store", [
    AttrSizedOperandSegments, MaskMatches]> {
  let summary = "Stores through a tile of pointers";
  let description = [{
    One thread stores a scalar.

    Constraints: (C1) `weak`, `relaxed` or `release`, scope exactly when not
    weak; (C2) the value is the pointee in the shape and layout of the pointers;
    (C3) the atom writes global memory.

    ```mlir
    %t = nv_tileas.store weak %p, %x mask %m token %t0 : tensor<64x!nv_tileaa.ptr<f32>, #a>, tensor<64xf32, #a>
    ```
  }];
  let arguments = !con(
    (ins TileAS_PtrTile:$ptr, TileAS_TileOrScalar:$value,
         Optional<TileAS_BoolTile>:$mask, Optional<TileAS_MemToken>:$token),
    MemOrderArgs, HintArgs, AtomArgs);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $ptr `,` $value
    (`mask` $mask^)? (`token` $token^)? attr-dict `:` type($ptr) `,` type($value)
  }];
}

def TileAS_AtomicRmwOp : TileAS_AccessOp<"atomic_rmw", [
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>,
    AttrSizedOperandSegments, MaskMatches,
    AllTypesMatch<["value", "old"]>]> {
  let summary = "Combines values into memory atomically";
  let description = [{
    `old` is the previous value in memory; undefined where masked off. One
    thread executes each element; for a scalar one thread executes it and
    broadcasts the result.

    Constraints: (C1) not weak, with a scope; (C2) the value is the pointee in
    the shape and layout of the pointers; (C3) integer modes on i32 and i64,
    `addf` on f16, bf16, f32 and f64, `xchg` on 32 and 64 bits.

    ```mlir
    %x, %t = nv_tileas.atomic_rmw add relaxed gpu %p, %y mask %m : tensor<64x!nv_tileaa.ptr<i32>, #a>, tensor<64xi32, #a>
    ```
  }];
  let arguments = !con(
    (ins TileAS_PtrTile:$ptr, TileAS_TileOrScalar:$value,
         Optional<TileAS_BoolTile>:$mask, Optional<TileAS_MemToken>:$token,
         TileAA_RmwModeAttr:$rmw_mode), MemOrderArgs);
  let results = (outs TileAS_TileOrScalar:$old,
                      TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<RmwMode>($rmw_mode) custom<MemOrder>($mem_semantic, $mem_scope) $ptr `,` $value
    (`mask` $mask^)? (`token` $token^)? attr-dict `:` type($ptr) `,` type($value)
  }];
}

def TileAS_AtomicCasOp : TileAS_AccessOp<"atomic_cas", [
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>,
    AttrSizedOperandSegments, MaskMatches,
    AllTypesMatch<["cmp", "value", "old"]>]> {
  let summary = "Compares and swaps in memory atomically";
  let description = [{
    Compares bits. Masked-off elements return `cmp`.

    Constraints: (C1) not weak, with a scope; (C2) the value is the pointee in
    the shape and layout of the pointers; (C3) 32- or 64-bit elements.

    ```mlir
    %x, %t = nv_tileas.atomic_cas acq_rel gpu %p, %c, %n : tensor<64x!nv_tileaa.ptr<i32>, #a>, tensor<64xi32, #a>
    ```
  }];
  let arguments = !con(
    (ins TileAS_PtrTile:$ptr, TileAS_TileOrScalar:$cmp,
         TileAS_TileOrScalar:$value, Optional<TileAS_BoolTile>:$mask,
         Optional<TileAS_MemToken>:$token), MemOrderArgs);
  let results = (outs TileAS_TileOrScalar:$old,
                      TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $ptr `,` $cmp `,` $value
    (`mask` $mask^)? (`token` $token^)? attr-dict `:` type($ptr) `,` type($value)
  }];
}

// Tiled accesses: coordinates count tiles (times the view's steps), `offsets`
// are elements inside of the tile. `in_bounds[d]` says that tile dimension d
// needs no predicate.

def TileAS_TiledLoadOp : TileAS_AccessOp<"tiled_load", [
    AttrSizedOperandSegments]> {
  let summary = "Loads a tile of a view";
  let description = [{
    Elements outside of the memory object give the padding value of the view, or
    an undefined value without it.

    Constraints: (C1) `weak`, `relaxed` or `acquire`, scope exactly when not
    weak; (C2) one coordinate per dimension, all i32 or all i64; (C3) no offsets
    or one i32 per dimension; (C4) shape and element type of the view; (C5) one
    `in_bounds` entry per dimension; (C6) the view has no sparse dimension; (C7)
    the atom reads global memory.

    ```mlir
    %x, %t = nv_tileas.tiled_load weak %v[%i, %j] token %t0 in_bounds = [true, false]
      : !nv_tileaa.tiled_view<…>[i32, i32] -> tensor<64x32xf16, #a>
    ```
  }];
  let arguments = !con(
    (ins TileAS_View:$view, Variadic<AnyTypeOf<[I32, I64]>>:$coords,
         Variadic<I32>:$offsets, Optional<TileAS_MemToken>:$token),
    MemOrderArgs, ViewArgs, HintArgs, (ins UnitAttr:$invariant), AtomArgs);
  let results = (outs TileAS_Tile:$value, TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $view `[` $coords `]`
    (`offsets` `[` $offsets^ `]`)? (`token` $token^)? (`in_bounds` `=` $in_bounds^)?
    attr-dict `:` qualified(type($view)) `[` type($coords) `]` `->` type($value)
  }];
}

def TileAS_TiledStoreOp : TileAS_AccessOp<"tiled_store", [
    AttrSizedOperandSegments]> {
  let summary = "Stores a tile into a view";
  let description = [{
    Elements outside the memory object are skipped.

    Constraints: (C1) `weak`, `relaxed` or `release`, scope exactly when not
    weak; (C2) to (C6) as for `tiled_load`; (C7) the atom writes global memory.

    ```mlir
    %t = nv_tileas.tiled_store weak %x, %v[%i, %j] token %t0
      : tensor<64x32xf16, #a>, !nv_tileaa.tiled_view<…>[i32, i32]
    ```
  }];
  let arguments = !con(
    (ins TileAS_Tile:$value, TileAS_View:$view,
         Variadic<AnyTypeOf<[I32, I64]>>:$coords, Variadic<I32>:$offsets,
         Optional<TileAS_MemToken>:$token),
    MemOrderArgs, ViewArgs, HintArgs, AtomArgs);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $value `,` $view `[` $coords `]`
    (`offsets` `[` $offsets^ `]`)? (`token` $token^)? (`in_bounds` `=` $in_bounds^)?
    attr-dict `:` type($value) `,` qualified(type($view)) `[` type($coords) `]`
  }];
}

def TileAS_TiledAtomicRmwOp : TileAS_AccessOp<"tiled_atomic_rmw", [
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>,
    AttrSizedOperandSegments]> {
  let summary = "Combines a tile into a view atomically";
  let description = [{
    Elements outside the memory object are skipped. Without `old` it is a
    reduction.

    Constraints: (C1) relaxed, scope not `sys`; (C2) to (C6) as for
    `tiled_load`; (C7) no 8-bit and no 16-bit integer elements, 16-bit floats
    with `add`, `max` and `min` alone, no `addf`, no `xchg`; (C8) `old` has the
    type of `value`.

    ```mlir
    %t = nv_tileas.tiled_atomic_rmw add relaxed gpu %v[%i, %j], %y token %t0
      : !nv_tileaa.tiled_view<…>[i32, i32], tensor<64x32xf32, #a>
    ```
  }];
  let arguments = !con(
    (ins TileAS_View:$view, Variadic<AnyTypeOf<[I32, I64]>>:$coords,
         Variadic<I32>:$offsets, TileAS_Tile:$value,
         Optional<TileAS_MemToken>:$token, TileAA_RmwModeAttr:$rmw_mode),
    MemOrderArgs, ViewArgs);
  let results = (outs Optional<TileAS_Tile>:$old,
                      TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<RmwMode>($rmw_mode) custom<MemOrder>($mem_semantic, $mem_scope)
    $view `[` $coords `]` (`offsets` `[` $offsets^ `]`)? `,` $value (`token` $token^)?
    (`in_bounds` `=` $in_bounds^)? attr-dict `:`
    qualified(type($view)) `[` type($coords) `]` `,` type($value) (`->` type($old)^)?
  }];
}

def TileAS_GatherLoadOp : TileAS_AccessOp<"gather_load", [
    AttrSizedOperandSegments]> {
  let summary = "Loads rows of a view, selected by an index tile";
  let description = [{
    The coordinate of the sparse dimension is a tile of indices into the memory
    object; the others are as for `tiled_load`.

    Constraints: (C1) `weak`, `relaxed` or `acquire`, scope exactly when not
    weak; (C2) one coordinate per dimension, the sparse one a rank-1 integer
    tile of the view's extent; (C4), (C5), (C7) as for `tiled_load`; (C6) the
    view has a sparse dimension.

    ```mlir
    %x, %t = nv_tileas.gather_load weak %v[%rows, %j]
      : !nv_tileaa.tiled_view<…, sparse = 0>[tensor<32xi32, #i>, i32] -> tensor<32x64xf32, #a>
    ```
  }];
  let arguments = !con(
    (ins TileAS_View:$view, Variadic<TileAS_IntTile>:$coords,
         Optional<TileAS_MemToken>:$token),
    MemOrderArgs, ViewArgs, HintArgs, (ins UnitAttr:$invariant), AtomArgs);
  let results = (outs TileAS_Tile:$value, TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $view `[` $coords `]`
    (`token` $token^)? (`in_bounds` `=` $in_bounds^)?
    attr-dict `:` qualified(type($view)) `[` type($coords) `]` `->` type($value)
  }];
}

def TileAS_ScatterStoreOp : TileAS_AccessOp<"scatter_store", [
    AttrSizedOperandSegments]> {
  let summary = "Stores rows of a view, selected by an index tile";
  let description = [{
    Of two rows with equal indices either may remain.

    Constraints: (C1) `weak`, `relaxed` or `release`, scope exactly when not
    weak; (C2), (C4) to (C6) as for `gather_load`; (C7) the atom writes global
    memory.

    ```mlir
    %t = nv_tileas.scatter_store weak %x, %v[%rows, %j]
      : tensor<32x64xf32, #a>, !nv_tileaa.tiled_view<…, sparse = 0>[tensor<32xi32, #i>, i32]
    ```
  }];
  let arguments = !con(
    (ins TileAS_Tile:$value, TileAS_View:$view,
         Variadic<TileAS_IntTile>:$coords, Optional<TileAS_MemToken>:$token),
    MemOrderArgs, ViewArgs, HintArgs, AtomArgs);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    custom<MemOrder>($mem_semantic, $mem_scope) $value `,` $view `[` $coords `]`
    (`token` $token^)? (`in_bounds` `=` $in_bounds^)?
    attr-dict `:` type($value) `,` qualified(type($view)) `[` type($coords) `]`
  }];
}

def TileAS_CopyOp : TileAS_Op<"copy", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>]> {
  let summary = "Moves a tile between registers and a buffer";
  let description = [{
    With `dst` the source tile is written to the buffer `dst`; without it the
    source buffer is read into the result.

    Constraints: (C1) either tile to `dst`, or buffer to result; (C2) shapes and
    element types are equal; (C3) the atom admits the direction.

    ```mlir
    nv_tileas.copy %x, %b : tensor<64x64xf16, #a>, !nv_tileas.buffer<64x64xf16, #s>
    %y = nv_tileas.copy %b : !nv_tileas.buffer<64x64xf16, #s> -> tensor<64x64xf16, #a>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$src,
    Optional<TileAS_BufferType>:$dst,
    OptionalAttr<TileAS_CopyAtomAttr>:$atom);
  let results = (outs Optional<TileAS_Tile>:$result);
  let assemblyFormat = [{
    $src (`,` $dst^)? attr-dict `:` type($src) (`,` type($dst)^)? (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

def TileAS_CreateMemTokenOp : TileAS_Op<"create_mem_token", [Pure]> {
  let summary = "Makes a token without dependencies";
  let description = [{
    ```mlir
    %t = nv_tileas.create_mem_token
    ```
  }];
  let results = (outs TileAS_MemToken:$result);
  let assemblyFormat = "attr-dict";
}

def TileAS_JoinMemTokenOp : TileAS_Op<"join_mem_token", [Pure]> {
  let summary = "Makes a token that is ordered after all operands";
  let description = [{
    ```mlir
    %t = nv_tileas.join_mem_token %t0, %t1
    ```
  }];
  let arguments = (ins Variadic<TileAS_MemToken>:$tokens);
  let results = (outs TileAS_MemToken:$result);
  let assemblyFormat = "($tokens^)? attr-dict";
  let hasFolder = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_MEMORYOPS_TD
