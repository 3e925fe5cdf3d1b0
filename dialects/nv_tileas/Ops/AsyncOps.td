// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_ASYNCOPS_TD
#define DIALECTS_NV_TILEAS_OPS_ASYNCOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Asynchronous copies from global to shared memory, and waits for them.

def TileAS_AsyncCopyOp : TileAS_Op<"async.copy", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_MemoryOpInterface,
                              ["getAccessSemantic", "getAccessScope"]>,
    DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface>]> {
  let summary = "Starts to copy a tile from global to shared memory";
  let description = [{
    Copies a tile of a view, or the elements at a tile of pointers, into a
    buffer. The layout `via` determines the thread that copies each element.
    Elements outside of the memory object, and masked-off ones, are written as
    zero. When the condition is false nothing is written.

    The issuing thread sees the bytes after an `async.wait_group` that covers
    the group of the copy, other threads after a barrier that follows it.

    Constraints: (C1) the buffer is unstaged, in shared memory, with the shape
    and element type of the source; (C2) `via` is a register layout of that
    shape, for pointers their layout; (C3) a view has one coordinate per
    dimension, all i32 or all i64, no sparse dimension, and zero for padding if
    any; (C4) pointers have no coordinates, a mask is for pointers.

    ```mlir
    %t = nv_tileas.async.copy %v[%i, %j] into %s if %more in_bounds = [true, false] {via = #l}
      : !nv_tileaa.tiled_view<…>[i32, i32] -> !nv_tileas.buffer<64x32xf16, #s>
    %t = nv_tileas.async.copy %p into %s mask %m : tensor<64x32xi1, #l> {via = #l} : tensor<64x32x!nv_tileaa.ptr<f16>, #l> -> !nv_tileas.buffer<64x32xf16, #s>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[TileAS_View, TileAS_PtrTile]>:$source,
    Variadic<AnyTypeOf<[I32, I64]>>:$coords,
    TileAS_BufferType:$buffer, Optional<TileAS_BoolTile>:$mask,
    Optional<I1>:$condition, Optional<TileAS_MemToken>:$token,
    OptionalAttr<DenseBoolArrayAttr>:$in_bounds, TileAS_LayoutAttr:$via);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    $source (`[` $coords^ `]`)? `into` $buffer (`mask` $mask^ `:` type($mask))?
    (`if` $condition^)? (`token` $token^)? (`in_bounds` `=` $in_bounds^)? attr-dict
    `:` qualified(type($source)) (`[` type($coords)^ `]`)? `->` qualified(type($buffer))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The copied tile, in the layout `via`.
    ::mlir::RankedTensorType getTileType();
  }];
}

def TileAS_AsyncCommitGroupOp : TileAS_Op<"async.commit_group", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface>]> {
  let summary = "Closes the group of the copies since the last one";
  let description = [{
    A group may be empty.

    ```mlir
    nv_tileas.async.commit_group
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TileAS_AsyncWaitGroupOp : TileAS_Op<"async.wait_group", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface,
                              ["getPendingGroups"]>]> {
  let summary = "Waits for all but the youngest groups of copies";
  let description = [{
    Waits for the copies of the executing thread; a barrier after it makes the
    copies of other threads visible.

    Constraints: (C1) `pending` is not negative.

    ```mlir
    nv_tileas.async.wait_group {pending = 2 : i32}
    ```
  }];
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_ASYNCOPS_TD
