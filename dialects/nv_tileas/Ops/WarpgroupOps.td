// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_WARPGROUPOPS_TD
#define DIALECTS_NV_TILEAS_OPS_WARPGROUPOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Asynchronous MMAs of warpgroups.

def TileAS_TileOrFuture : AnyTypeOf<[TileAS_Tile, TileAS_FutureType],
    "tile with a register layout or a future of one">;

def TileAS_AsyncDotOp : TileAS_Op<"async.dot", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface>]> {
  let summary = "Starts an MMA of two tiles with an accumulator";
  let description = [{
    `a` is M x K, in shared memory or in registers, `b` is K x N in shared
    memory, `c` is M x N. The MMA is one group of `wgmma`; its registers hold
    the result after a `dot_wait` that covers the group. Until then no thread
    may write the buffers, nor the registers of `a`. Writes of other threads to
    the buffers must be visible to the asynchronous proxy: a `fence` by the
    writers, then a barrier.

    A `c` of type future is the result of the previous MMA, which may still be
    in flight.

    Constraints, in this order: (C1) A is MxK, B is KxN, C and the result are of
    MxN; (C2) element types are the atom's, integers have both signedness
    attributes; (C3) the extents are multiples of the atom's and N is the
    atom's; (C4) the accumulator has the layout of warpgroups whose rows are
    64-row blocks, distributed round-robin; (C5) a buffer is unstaged, in shared
    memory, has 8 lines or more, and has a layout of matrix descriptors, with K
    contiguous for elements of other than 16 bits; (C6) a tile A has the
    fragment layout that follows from the accumulator's.

    ```mlir
    %f = nv_tileas.async.dot %a, %b, %c {atom = #nv_tileas.mma_atom<wgmma, [64, 128, 16], a = f16, b = f16, c = f32>}
      : !nv_tileas.buffer<64x64xf16, #s>, !nv_tileas.buffer<64x128xf16, #t>, tensor<64x128xf32, #c>
      -> !nv_tileas.future<tensor<64x128xf32, #c>>
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$a,
    TileAS_BufferType:$b,
    TileAS_TileOrFuture:$c,
    TileAS_MmaAtomAttr:$atom,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_b);
  let results = (outs TileAS_FutureType:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c attr-dict `:` type($a) `,` qualified(type($b)) `,` type($c)
    `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// K, the common extent of operands A and B.
    int64_t getDepth() { return getB().getType().getShape()[0]; }
    /// The type of the accumulator in registers.
    ::mlir::RankedTensorType getAccType() { return getType().getTile(); }
  }];
}

def TileAS_DotWaitOp : TileAS_Op<"dot_wait", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface,
                              ["getPendingGroups"]>]> {
  let summary = "Waits for all MMAs except the youngest";
  let description = [{
    The result is a tile when the MMA is complete, and still a future when it
    may be among the `pending` youngest.

    Constraints: (C1) `pending` is not negative; (C2) the result is a tile or a
    future of the operand's tile, and a tile when `pending` is 0.

    ```mlir
    %g = nv_tileas.dot_wait %f {pending = 1 : i32} : !nv_tileas.future<tensor<64x128xf32, #c>> -> !nv_tileas.future<tensor<64x128xf32, #c>>
    %d = nv_tileas.dot_wait %g {pending = 0 : i32} : !nv_tileas.future<tensor<64x128xf32, #c>> -> tensor<64x128xf32, #c>
    ```
  }];
  let arguments = (ins TileAS_FutureType:$future, I32Attr:$pending);
  let results = (outs TileAS_TileOrFuture:$result);
  let assemblyFormat = [{
    $future attr-dict `:` qualified(type($future)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileAS_AsyncToAsyncOp : TileAS_Op<"async.to_async"> {
  let summary = "Converts a tile to the future of a completed MMA";
  let description = [{
    Makes the initial accumulator of a loop that carries futures. Each has
    registers of its own: two equal ones are not merged, because MMAs overwrite
    their initial accumulator.

    Constraints: (C1) the result is a future of the tile.

    ```mlir
    %f = nv_tileas.async.to_async %c : tensor<64x128xf32, #c> -> !nv_tileas.future<tensor<64x128xf32, #c>>
    ```
  }];
  let arguments = (ins TileAS_Tile:$tile);
  let results = (outs Res<TileAS_FutureType, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $tile attr-dict `:` type($tile) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAS_AsyncRescaleOp : TileAS_Op<"async.rescale", [
    AllTypesMatch<["future", "result"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Rescales an accumulator in registers, mostly by one";
  let description = [{
    Multiplies each element of the accumulator by the element of `factor`. A
    warp whose factors are all one continues at once, with MMAs in flight;
    another warp waits for all its MMAs first. No other operation may rely on
    this wait.

    Constraints: (C1) the factors are a tile of 32-bit floats, of the type of
    the accumulator.

    ```mlir
    %g = nv_tileas.async.rescale %f by %x : !nv_tileas.future<tensor<64x128xf32, #c>>, tensor<64x128xf32, #c>
    ```
  }];
  let arguments = (ins TileAS_FutureType:$future, TileAS_Tile:$factor);
  let results = (outs TileAS_FutureType:$result);
  let assemblyFormat = [{
    $future `by` $factor attr-dict `:` qualified(type($future)) `,` type($factor)
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_WARPGROUPOPS_TD
