// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_TENSORMEMORYOPS_TD
#define DIALECTS_NV_TILEAS_OPS_TENSORMEMORYOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Tensor memory, and the products that one thread issues for the unit beside it
// (PTX ISA, "tcgen05").

def TileAS_TmemAllocOp : TileAS_Op<"tmem_alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>]> {
  let summary = "Takes columns of tensor memory for the tile block";
  let description = [{
    All of them at once; buffers in tensor memory are parts of it. Waits while
    other tile blocks of the multiprocessor have the columns. All threads meet
    here: one warp allocates, the others read the address.

    Constraints: (C1) `columns` is a power of two from 32 to 512.

    ```mlir
    nv_tileas.tmem_alloc {columns = 128 : i32}
    ```
  }];
  let arguments = (ins I32Attr:$columns);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TileAS_TmemDeallocOp : TileAS_Op<"tmem_dealloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Gives the columns of tensor memory back";
  let description = [{
    Stands behind a barrier that all who use tensor memory have passed, each
    behind a fence of its own.

    Constraints: (C1) as for `tmem_alloc`, whose number this is.

    ```mlir
    nv_tileas.tmem_dealloc {columns = 128 : i32}
    ```
  }];
  let arguments = (ins I32Attr:$columns);
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def TileAS_AsyncDotIntoOp : TileAS_Op<"async.dot_into", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface>]> {
  let summary = "Starts to multiply two tiles into tensor memory";
  let description = [{
    One thread issues it. `a` is M x K and `b` is K x N, in shared memory; `d`
    is M x N, in tensor memory. The product is added to what `d` holds, or
    replaces it where `use_acc` is false. Products into one buffer follow each
    other in order. When one is done is known behind the wait for an object that
    an `umma_commit` after it signals; until then nobody may write `a` or `b`,
    nor touch `d` otherwise.

    With `scales` each element is multiplied by the scale of its block of K first:
    `scale_a` is M x K/V, `scale_b` is K/V x N, in tensor memory, where an
    `async.tmem_copy` before brought them. Elements of 4 bits lie two by two along
    K in bytes: `a` is M x K/2 and `b` is K/2 x N of them. Such products have 128
    rows, of which `d` may have fewer: row r of 64 or less is row
    r % 16 + r / 16 * 32 of `a`. Where `b` has fewer than 128 columns, the first
    scales of `scale_b` are theirs.

    What other threads wrote to `a` and `b` must be visible to the asynchronous
    proxy, what they did to `d` must come before a barrier between the fences
    `tcgen05_before` and `tcgen05_after`.

    Constraints, in this order: (C1) A is MxK, B is KxN, D is MxN, or has a part of
    the 128 rows where there are scales; (C2) the atom is `umma` and element types are
    its, integers have both signedness attributes; (C3) the extents are multiples of the atom's; (C4) A and B are
    unstaged, whole, in shared memory, and follow a form of matrix descriptors,
    with K contiguous for elements of 4 bits, and in wide chunks for elements of
    more than 16 bits whose rows are contiguous; (C5) D is unstaged,
    whole and has the layout of accumulators of the atom's M; (C6) there are
    scales of both factors or of none, of the same type and block, unstaged,
    whole and in the layout of scales, and the atom has 128 rows; elements of 4
    bits have scales.

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
    /// Elements of K in an element of the buffers.
    int64_t getPacking() {
      return getStorageBits(getAtom().getAType()) < 8 ? 2 : 1;
    }
    /// K, the extent that both factors share.
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
    The thread that issues products does it, and products that it issues
    afterwards read what is copied; those before it have read what was there. Or
    another thread does, and products wait for its commit. When it is done with
    `src` is known as for a product.

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
  let summary = "Multiplies a sum in tensor memory by factors that are mostly one";
  let description = [{
    Multiplies each element of the buffer by that of `factor`. A warp whose
    factors are all one leaves its rows alone: what was flushed or quieted by a
    multiplication is not.

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
  let summary = "Lets the products so far arrive at a barrier object";
  let description = [{
    The thread that issues products does it. The object gets one arrival when
    all products that were issued before are done; at once when none is left.

    ```mlir
    nv_tileas.umma_commit %b if %more
    ```
  }];
  let arguments = (ins TileAS_OneMbarrier:$barrier, Optional<I1>:$condition);
  let assemblyFormat = "$barrier (`if` $condition^)? attr-dict";
}

#endif // DIALECTS_NV_TILEAS_OPS_TENSORMEMORYOPS_TD
