// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_TENSORMEMORYOPS_TD
#define DIALECTS_NV_TILEAS_OPS_TENSORMEMORYOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Tensor memory, and the MMAs that one thread issues on it (PTX ISA,
// "tcgen05").

def TileAS_TmemAllocOp : TileAS_Op<"tmem_alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>]> {
  let summary = "Allocates columns of tensor memory for the tile block";
  let description = [{
    Allocates all columns of a kernel at once; buffers in tensor memory are
    parts of them. Waits while other tile blocks of the SM hold the columns. All
    threads synchronize here: one warp allocates, the others read the address.
    With `cta_group` 2 the CTAs of a pair allocate the same columns, and all
    threads of the cluster synchronize.

    Constraints: (C1) `columns` is a power of two from 32 to 512; (C2)
    `cta_group` is 1 or 2.

    ```mlir
    nv_tileas.tmem_alloc {columns = 128 : i32}
    ```
  }];
  let arguments = (ins I32Attr:$columns,
                       DefaultValuedOptionalAttr<I32Attr, "1">:$cta_group);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TileAS_TmemDeallocOp : TileAS_Op<"tmem_dealloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Frees the columns of tensor memory";
  let description = [{
    All users of tensor memory must have passed a barrier before it, each after
    a fence of its own; with `cta_group` 2 a barrier of the cluster.

    Constraints: (C1), (C2) as for `tmem_alloc`, whose attributes these are.

    ```mlir
    nv_tileas.tmem_dealloc {columns = 128 : i32}
    ```
  }];
  let arguments = (ins I32Attr:$columns,
                       DefaultValuedOptionalAttr<I32Attr, "1">:$cta_group);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TileAS_AsyncDotIntoOp : TileAS_Op<"async.dot_into", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface>]> {
  let summary = "Starts an MMA of two tiles into tensor memory";
  let description = [{
    One thread issues it. `a` is M x K and `b` is K x N, in shared memory; `d`,
    the accumulator, is M x N, in tensor memory. The MMA adds to `d`, or
    overwrites it where `use_acc` is false. MMAs into one buffer execute in
    order. An MMA is complete after a wait for an mbarrier that a later
    `umma_commit` signals; until then no thread may write `a` or `b`, nor access
    `d` otherwise.

    With `scales` the scale of its block of K multiplies each element first:
    `scale_a` is M x K/V, `scale_b` is K/V x N, in tensor memory, to which an
    earlier `async.tmem_copy` copied them. Bytes hold two 4-bit elements along K:
    `a` is M x K/2 and `b` is K/2 x N bytes. Block-scaled MMAs have 128 rows, of
    which `d` may have fewer: row r of 64 or less is row r % 16 + r / 16 * 32 of
    `a`. Where `b` has fewer than 128 columns, their scales are the first ones of
    `scale_b`.

    An atom of 256 rows is one of a pair of CTAs, whose first CTA issues it: `a`
    and `d` have the rows of one CTA, and `b` has its half of the columns. It
    reads and writes the buffers of both CTAs, which lie at the same addresses.

    Writes of other threads to `a` and `b` must be visible to the asynchronous
    proxy, and their accesses to `d` must come before a barrier between the
    fences `tcgen05_before` and `tcgen05_after`.

    Constraints, in this order: (C1) A is MxK, B is KxN, D is MxN, or has a part
    of the 128 rows with scales; of a pair B is KxN/2, and an instruction has
    all N; (C2) the atom is `umma` and element types are
    its, integers have both signedness attributes; (C3) the extents are
    multiples of the atom's; (C4) A and B are unstaged, whole, in shared memory,
    and have a layout of matrix descriptors, with K contiguous for elements of 4
    bits, and in wide chunks for elements of more than 16 bits whose rows are
    contiguous; (C5) D is unstaged, whole and has the layout of accumulators of
    the atom's M; (C6) both operands have scales or neither has, of the same
    type and block, unstaged, whole and in the layout of scales, and the atom
    has 128 rows; elements of 4 bits have scales.

    ```mlir
    nv_tileas.async.dot_into %a, %b into %d use_acc %more {atom = #nv_tileas.mma_atom<umma, [128, 256, 16], a = bf16, b = bf16, c = f32>}
      : !nv_tileas.buffer<128x64xbf16, #s>, !nv_tileas.buffer<64x256xbf16, #t> -> !nv_tileas.buffer<128x256xf32, #d>
    ```
  }];
  let arguments = (ins
    TileAS_BufferType:$a,
    TileAS_BufferType:$b,
    TileAS_BufferType:$d,
    I1:$use_acc,
    Optional<TileAS_BufferType>:$scale_a,
    Optional<TileAS_BufferType>:$scale_b,
    TileAS_MmaAtomAttr:$atom,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_b);
  let assemblyFormat = [{
    $a `,` $b `into` $d `use_acc` $use_acc
    (`scales` $scale_a^ `,` $scale_b)? attr-dict `:`
    qualified(type($a)) `,` qualified(type($b))
    (`scales` qualified(type($scale_a))^ `,` qualified(type($scale_b)))?
    `->` qualified(type($d))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Elements of K in one element of the buffers.
    int64_t getPacking() {
      return getStorageBits(getAtom().getAType()) < 8 ? 2 : 1;
    }
    /// K, the common extent of operands A and B.
    int64_t getDepth() {
      return getB().getType().getShape()[0] * getPacking();
    }
  }];
}

def TileAS_AsyncTmemCopyOp : TileAS_Op<"async.tmem_copy", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface>]> {
  let summary = "Starts to copy scales from shared to tensor memory";
  let description = [{
    The thread that issues MMAs executes it: its later MMAs read the copied
    scales, its earlier MMAs have read the previous ones. Another thread may
    execute it if the MMAs wait for its commit. The read of `src` is complete as
    for an MMA.

    Constraints: (C1) both buffers are unstaged and whole, of the same shape and
    element type; (C2) `dst` is in the layout of scales in tensor memory, `src` in
    theirs in shared memory.

    ```mlir
    nv_tileas.async.tmem_copy %s into %t
      : !nv_tileas.buffer<128x4xf8E8M0FNU, #s> -> !nv_tileas.buffer<128x4xf8E8M0FNU, #t>
    ```
  }];
  let arguments = (ins TileAS_BufferType:$src, TileAS_BufferType:$dst);
  let assemblyFormat = [{
    $src `into` $dst attr-dict `:` qualified(type($src)) `->`
    qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TileAS_TensorRescaleOp : TileAS_Op<"tensor_rescale", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>]> {
  let summary = "Rescales an accumulator in tensor memory, mostly by one";
  let description = [{
    Multiplies each element of the buffer by the element of `factor`. A warp
    whose factors are all one skips its rows, so that their denormals are not
    flushed and their NaNs not quieted.

    Constraints: (C1) the buffer is in tensor memory, unstaged and whole; (C2)
    its elements are 32-bit floats, and the factors a tile of its shape and
    element type.

    ```mlir
    nv_tileas.tensor_rescale %b by %x : !nv_tileas.buffer<64x64xf32, #t>, tensor<64x64xf32, #c>
    ```
  }];
  let arguments = (ins TileAS_BufferType:$buffer, TileAS_Tile:$factor);
  let assemblyFormat = [{
    $buffer `by` $factor attr-dict `:` qualified(type($buffer)) `,` type($factor)
  }];
  let hasVerifier = 1;
}

def TileAS_UmmaCommitOp : TileAS_Op<"umma_commit", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Signals an mbarrier when all earlier MMAs are complete";
  let description = [{
    The thread that issues MMAs executes it. The mbarrier gets one arrival when
    all MMAs issued before are complete; at once when none is in flight. With
    `cta_group` 2 the first CTA of a pair executes it, and the mbarriers of both
    CTAs get an arrival.

    Constraints: (C1) `cta_group` is 1 or 2.

    ```mlir
    nv_tileas.umma_commit %b if %more
    ```
  }];
  let arguments = (ins TileAS_OneMbarrier:$barrier, Optional<I1>:$condition,
                       DefaultValuedOptionalAttr<I32Attr, "1">:$cta_group);
  let assemblyFormat = "$barrier (`if` $condition^)? attr-dict";
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_TENSORMEMORYOPS_TD
