// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_TMAOPS_TD
#define DIALECTS_NV_TILEAS_OPS_TMAOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Copies of whole tiles by the unit that reads tensor maps (PTX ISA,
// "cp.async.bulk.tensor").

def TileAS_MakeTiledTmaDescOp : TileAS_Op<"make_tiled_tma_desc", [Pure]> {
  let summary = "Makes the tensor map of a view";
  let description = [{
    Stands at the entry of a kernel. Base, sizes and strides are functions of
    its arguments, so that the host can make the map. Whoever makes the
    operation knows that the base and all strides but the contiguous one are
    multiples of 16 bytes, and that no size is above 2^31 - 1.

    Constraints, in this order: (C1) the view has one memory dimension for each
    of at most 5 tile dimensions, none of them sparse, and the element type of
    the result; (C2) the box divides the tile; (C3) `order` begins with a
    dimension of stride 1, and static strides of the others are multiples of 16
    bytes; (C4) what is outside of the memory object reads as zero, or as
    anything.

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
    the memory object; what lies outside is written as zero. All bytes of the
    buffer are written, and signalled to the barrier object, whatever lies
    outside. When the condition is false nothing happens.

    In a pipeline the buffer is the slot of an `acquire` and there is no object
    yet: `tileas-expand-pipelines` gives the one of the slot.

    Constraints, in this order: (C1) one coordinate per dimension; (C2) the
    buffer is unstaged, whole, in shared memory, with the element type of the
    map; (C3) its layout is the one that the boxes of the map fill.

    ```mlir
    %t = nv_tileas.async.tma_load %d[%i, %j] into %s signal %b if %more
      : !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128> -> !nv_tileas.buffer<128x64xbf16, #s>
    ```
  }];
  let arguments = (ins TileAS_TmaDescType:$desc, Variadic<I32>:$coords,
                       TileAS_BufferType:$buffer,
                       Optional<TileAS_OneMbarrier>:$signal,
                       Optional<I1>:$condition,
                       Optional<TileAS_MemToken>:$token);
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
    to element `coords` of the memory object; what lies outside is not written.
    The buffer is read until an `async.bulk_wait` that covers the group. What is
    written is there for others at the end of the kernel.

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
    The thread that issues them waits for all but the youngest `pending`; a
    barrier behind it lets the others write to the buffers. If it is `complete`,
    the thread also waits until they have written memory, which the others see
    behind the barrier.

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
