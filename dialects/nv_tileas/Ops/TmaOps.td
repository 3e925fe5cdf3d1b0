// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_TMAOPS_TD
#define DIALECTS_NV_TILEAS_OPS_TMAOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Copies of whole tiles by tensor maps (PTX ISA, "cp.async.bulk.tensor").

def TileAS_MakeTiledTmaDescOp : TileAS_Op<"make_tiled_tma_desc", [Pure]> {
  let summary = "Makes the tensor map of a view";
  let description = [{
    The operation is at the entry of a kernel. Base, sizes and strides are
    functions of its arguments, so that the host can build the map. Its creator
    guarantees that the base and all strides except the contiguous one are
    multiples of 16 bytes, and that no size is above 2^31 - 1.

    Constraints, in this order: (C1) the view has one memory dimension for each
    of at most 5 tile dimensions, none of them sparse, and the element type of
    the result; (C2) the box divides the tile; (C3) `order` begins with a
    dimension of stride 1, and static strides of the others are multiples of 16
    bytes; (C4) elements outside of the memory object read as zero, or are
    undefined.

    ```mlir
    %d = nv_tileas.make_tiled_tma_desc %v : !nv_tileaa.tiled_view<…>
      -> !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
    ```
  }];
  let arguments = (ins TileAS_View:$view);
  let results = (outs TileAS_TmaDescType:$result);
  let assemblyFormat = [{
    $view attr-dict `:` qualified(type($view)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

// Copies between a buffer and the memory object of a tensor map. They are weak,
// and no thread holds the tile.
class TileAS_TensorCopyOp<string mnemonic>
    : TileAS_Op<mnemonic, [
        AttrSizedOperandSegments,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        TileAS_MemoryOpInterface,
        DeclareOpInterfaceMethods<TileAS_StorageEffectOpInterface>,
        DeclareOpInterfaceMethods<TileAS_AsyncOpInterface>]> {
  let hasVerifier = 1;
  string memoryInterface = [{
    ::mlir::nv_tileaa::MemSemantic getAccessSemantic() {
      return ::mlir::nv_tileaa::MemSemantic::Weak;
    }
    ::std::optional<::mlir::nv_tileaa::MemScope> getAccessScope() {
      return ::std::nullopt;
    }
    ::mlir::Value getAccessMask() { return {}; }
    ::mlir::Value getStoredValue() { return {}; }
    ::mlir::Type getAccessedTile() { return {}; }
    ::llvm::SmallVector<::mlir::Value> getAddressOperands() {
      ::llvm::SmallVector<::mlir::Value> operands = {getDesc()};
      ::llvm::append_range(operands, getCoords());
      return operands;
    }
  }];
}

def TileAS_AsyncTmaLoadOp : TileAS_TensorCopyOp<"async.tma_load"> {
  let summary = "Starts to copy a tile to shared memory by a tensor map";
  let description = [{
    One thread of the scope issues it. The tile begins at element `coords` of
    the memory object; elements outside of it are written as zero. The copy
    writes all bytes of the buffer and signals all of them to the mbarrier, also
    those outside. When the condition is false nothing happens. With `cta_group`
    2 the mbarrier is that of the first CTA of the pair, at the same address.

    In a pipeline the buffer is the slot of an `acquire`, without an mbarrier:
    `tileas-expand-pipelines` adds the slot's.

    Constraints, in this order: (C1) one coordinate per dimension; (C2) the
    buffer is unstaged, whole, in shared memory, with the element type of the
    map; (C3) its layout is the one that the boxes of the map fill; (C4)
    `cta_group` is 1 or 2.

    ```mlir
    %t = nv_tileas.async.tma_load %d[%i, %j] into %s signal %b if %more
      : !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128> -> !nv_tileas.buffer<128x64xbf16, #s>
    ```
  }];
  let arguments = (ins TileAS_TmaDescType:$desc, Variadic<I32>:$coords,
                       TileAS_BufferType:$buffer,
                       Optional<TileAS_OneMbarrier>:$signal,
                       Optional<I1>:$condition,
                       Optional<TileAS_MemToken>:$token,
                       DefaultValuedOptionalAttr<I32Attr, "1">:$cta_group);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    $desc `[` $coords `]` `into` $buffer (`signal` $signal^)?
    (`if` $condition^)? (`token` $token^)? attr-dict `:` qualified(type($desc))
    `->` qualified(type($buffer))
  }];
  let extraClassDeclaration = memoryInterface # [{
    ::mlir::nv_tileas::MemoryKind getMemoryKind() {
      return ::mlir::nv_tileas::MemoryKind::Load;
    }
  }];
}

def TileAS_AsyncTmaStoreOp : TileAS_TensorCopyOp<"async.tma_store"> {
  let summary = "Starts to copy a tile from shared memory by a tensor map";
  let description = [{
    One thread of the scope issues it and closes a group with it. The tile goes
    to element `coords` of the memory object; elements outside of it are not
    written. The buffer is read until an `async.bulk_wait` that covers the
    group. Other threads see the written memory at the end of the kernel.

    Constraints, in this order: (C1) one coordinate per dimension; (C2) the
    buffer is unstaged, whole, in shared memory, with the element type of the
    map; (C3) its layout is the one that the boxes of the map fill.

    ```mlir
    %t = nv_tileas.async.tma_store %s to %d[%i, %j]
      : !nv_tileas.buffer<128x64xbf16, #s> -> !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
    ```
  }];
  let arguments = (ins TileAS_BufferType:$buffer, TileAS_TmaDescType:$desc,
                       Variadic<I32>:$coords, Optional<TileAS_MemToken>:$token);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    $buffer `to` $desc `[` $coords `]` (`token` $token^)? attr-dict `:`
    qualified(type($buffer)) `->` qualified(type($desc))
  }];
  let extraClassDeclaration = memoryInterface # [{
    ::mlir::nv_tileas::MemoryKind getMemoryKind() {
      return ::mlir::nv_tileas::MemoryKind::Store;
    }
  }];
}

def TileAS_AsyncBulkWaitOp : TileAS_Op<"async.bulk_wait", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface,
                              ["getPendingGroups"]>]> {
  let summary = "Waits until tensor stores have read their buffers";
  let description = [{
    The issuing thread waits for all groups except the youngest `pending`; after
    a following barrier the other threads may write the buffers. With `complete`
    the thread also waits until the stores have written memory, which the other
    threads see after the barrier.

    Constraints: (C1) `pending` is not negative.

    ```mlir
    nv_tileas.async.bulk_wait {pending = 0 : i32}
    ```
  }];
  let arguments = (ins I32Attr:$pending, UnitAttr:$complete);
  let assemblyFormat = "(`complete` $complete^)? attr-dict";
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_TMAOPS_TD
