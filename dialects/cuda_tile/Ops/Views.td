// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_VIEWS_TD
#define DIALECTS_CUDA_TILE_OPS_VIEWS_TD

include "dialects/cuda_tile/Ops/Core.td"

//===----------------------------------------------------------------------===//
// Making views
//===----------------------------------------------------------------------===//

def CudaTile_MakeTensorViewOp : CudaTile_Op<"make_tensor_view", "13.1",
    [NoMemoryEffect, AttrSizedOperandSegments, CudaTile_NamesResults]> {
  let summary = "Describes a tensor in global memory";
  let description = [{
    Operands give the dynamic extents and strides of the type, as unsigned
    numbers. (C1) The base points to the element type and has the pointer
    attribute of the view. (C2) There is one operand per dynamic extent and
    stride. (C3) They all have the same type.

    ```mlir
    %tv = make_tensor_view %p, shape = [%rows, 96], strides = [96, 1] : tile<i32> -> tensor_view<?x96xf32, strides=[96,1]>
    ```
  }];
  let arguments = (ins CudaTile_ScalarPointer:$base,
                       Variadic<CudaTile_ScalarInt>:$dynamicShape,
                       Variadic<CudaTile_ScalarInt>:$dynamicStrides);
  let results = (outs CudaTile_TensorViewType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

class CudaTile_MakeViewOp<string mnemonic, string since, Type viewType>
    : CudaTile_Op<mnemonic, since, [Pure, CudaTile_NamesResults]> {
  let arguments = (ins CudaTile_TensorViewType:$tensor_view);
  let results = (outs viewType:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_MakePartitionViewOp : CudaTile_MakeViewOp<"make_partition_view",
    "13.1", CudaTile_PartitionViewType> {
  let summary = "Splits a tensor into tiles";
  let description = [{
    (C1) The operand is the tensor in the view's type.

    ```mlir
    %pv = make_partition_view %tv : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>>
    ```
  }];
}

def CudaTile_MakeStridedViewOp : CudaTile_MakeViewOp<"make_strided_view",
    "13.3", CudaTile_StridedViewType> {
  let summary = "Splits a tensor into tiles that may overlap";
  let description = [{
    (C1) The operand is the tensor in the view's type.

    ```mlir
    %sv = make_strided_view %tv : strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>
    ```
  }];
}

def CudaTile_MakeGatherScatterViewOp
    : CudaTile_MakeViewOp<"make_gather_scatter_view", "13.3",
                          CudaTile_GatherScatterViewType> {
  let summary = "Views a tensor by selected rows";
  let description = [{
    Indices of accesses through the view are tensor coordinates, also the scalar
    ones. (C1) The operand is the tensor in the view's type.

    ```mlir
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

def CudaTile_GetTensorShapeOp : CudaTile_Op<"get_tensor_shape", "13.1",
    [NoMemoryEffect]> {
  let summary = "Reads the extents of a tensor";
  let description = [{
    The extents are unsigned; an extent out of the type's range is undefined.
    (C1) There is one result per dimension.

    ```mlir
    %d0, %d1 = get_tensor_shape %tv : tensor_view<?x96xf32, strides=[96,1]> -> tile<i64>
    ```
  }];
  let arguments = (ins CudaTile_TensorViewType:$src);
  let results = (outs Variadic<CudaTile_ScalarInt>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_GetIndexSpaceShapeOp
    : CudaTile_Op<"get_index_space_shape", "13.1", [NoMemoryEffect]> {
  let summary = "Reads the number of tiles of a view in each dimension";
  let description = [{
    The numbers are unsigned; a number out of the type's range is undefined. The
    rows of a gather count one by one. (C1) There is one result per index.

    ```mlir
    %n = get_index_space_shape %pv : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>> -> tile<i32>
    ```
  }];
  let arguments = (ins CudaTile_TileView:$src);
  let results = (outs Variadic<CudaTile_ScalarInt>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

/// One flag per index: the program promises that the tile is inside of the
/// tensor in this dimension. Without the attribute there is no promise.
def CudaTile_Inbounds : OptionalAttr<DenseBoolArrayAttr>;

def CudaTile_LoadViewTkoOp : CudaTile_Op<"load_view_tko", "13.1",
    [AttrSizedOperandSegments, CudaTile_NamesResults]> {
  let summary = "Loads a tile of a view";
  let description = [{
    Elements outside of the tensor read as the view's padding value, or as any
    value without one. (C1) There is one index per dimension of the index space.
    (C2) The tile has the type of the view's tiles. (C3) The index types are
    legal for the view. (C4) The ordering is weak, relaxed or acquire; all but
    weak have a scope. (C5) `inbounds` has one flag per index: where it is true
    the program promises that the tile is inside of the tensor in this dimension.

    ```mlir
    %w, %t = load_view_tko weak %pv[%i] token = %t0 : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope,
      CudaTile_TileView:$view, Variadic<CudaTile_IntTile>:$index,
      Optional<CudaTile_TokenType>:$token,
      OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
      CudaTile_Since<"13.4", CudaTile_Inbounds>:$inbounds);
  let results = (outs CudaTile_TileType:$tile,
                      CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_StoreViewTkoOp : CudaTile_Op<"store_view_tko", "13.1",
    [AttrSizedOperandSegments]> {
  let summary = "Stores a tile of a view";
  let description = [{
    Elements outside of the tensor are not written. The constraints are those of
    `load_view_tko`, but (C4) the ordering is weak, relaxed or release.

    ```mlir
    %t = store_view_tko weak %w, %pv[%i] token = %t0 : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope,
      CudaTile_TileType:$tile, CudaTile_TileView:$view,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
      OptionalAttr<CudaTile_OptimizationHintsAttr>:$optimization_hints,
      CudaTile_Since<"13.4", CudaTile_Inbounds>:$inbounds);
  let results = (outs CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def CudaTile_AtomicRedViewTkoOp : CudaTile_Op<"atomic_red_view_tko", "13.3",
    [AttrSizedOperandSegments]> {
  let summary = "Updates a tile of a view atomically";
  let description = [{
    Each element inside of the tensor is one relaxed atomic update; old values are
    dropped. (C1) The view neither gathers nor pads. (C2) The value has the type
    of its tiles. (C3) The mode is legal for the type and is not `xchg`. (C4) The
    ordering is relaxed, the scope not `sys`. (C5) There is one scalar index per
    dimension.

    ```mlir
    %t = atomic_red_view_tko relaxed device %pv[%i], addf, %w token = %t0 : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope,
      CudaTile_TileView:$view, Variadic<CudaTile_IntTile>:$index,
      CudaTile_AtomicRMWModeAttr:$mode, CudaTile_TileType:$value,
      Optional<CudaTile_TokenType>:$token,
      CudaTile_Since<"13.5", CudaTile_Inbounds>:$inbounds);
  let results = (outs CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Access to all copies at a multicast address
//===----------------------------------------------------------------------===//

class CudaTile_MultimemOp<string mnemonic, list<Trait> traits = []>
    : CudaTile_Op<mnemonic, "13.5",
                  !listconcat([AttrSizedOperandSegments], traits)> {
  let results = (outs CudaTile_TokenType:$result_token);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

defvar CudaTile_MultimemReduction =
    DefaultValuedAttr<CudaTile_MultimemReductionKindAttr,
                      "::mlir::cuda_tile::MultimemReductionKind::ADD">;

def CudaTile_MultimemLoadReduceViewTkoOp
    : CudaTile_MultimemOp<"multimem_load_reduce_view_tko",
                          [CudaTile_NamesResults]> {
  let summary = "Loads a tile from every device and combines the copies";
  let description = [{
    (C1) Elements are f16, bf16, f32, f64 or integers of 32 or 64 bits. (C2) The
    reduction is legal for them: `min` and `max` of floats are for f16 and bf16,
    the bitwise and the unsigned ones for integers. (C3) The view is a partition
    view of a multicast tensor. (C4) Index, tile and `inbounds` are legal for the
    view. (C5) The ordering is weak, relaxed or acquire; all but weak have a
    scope.

    ```mlir
    %v, %t = multimem_load_reduce_view_tko relaxed sys %pv[%i] token = %t0 inbounds = [true] : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32>, token -> tile<64xf32>, token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope,
      CudaTile_TileView:$view, Variadic<CudaTile_IntTile>:$index,
      Optional<CudaTile_TokenType>:$token,
      CudaTile_MultimemReduction:$reduction, CudaTile_Inbounds:$inbounds);
  let results = (outs CudaTile_TileType:$reduced_values,
                      CudaTile_TokenType:$result_token);
}

def CudaTile_MultimemReduceViewTkoOp
    : CudaTile_MultimemOp<"multimem_reduce_view_tko"> {
  let summary = "Combines a tile with the copy of every device";
  let description = [{
    Applies the reduction to each copy. The constraints are those of
    `multimem_load_reduce_view_tko`, but (C2) floats are only added, and (C5) the
    ordering is relaxed or release.

    ```mlir
    %t = multimem_reduce_view_tko relaxed sys %pv, %v[%i] token = %t0 inbounds = [true] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(64), tensor_view<?xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xi32>, tile<i32>, token -> token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      CudaTile_MemoryScopeAttr:$memory_scope,
      CudaTile_TileView:$view, CudaTile_TileType:$tile,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
      CudaTile_MultimemReduction:$reduction, CudaTile_Inbounds:$inbounds);
}

def CudaTile_MultimemStoreViewTkoOp
    : CudaTile_MultimemOp<"multimem_store_view_tko"> {
  let summary = "Stores a tile to every device";
  let description = [{
    Writes each copy. The constraints are those of
    `multimem_load_reduce_view_tko`, but (C5) the ordering is weak, relaxed or
    release.

    ```mlir
    %t = multimem_store_view_tko weak %pv, %v[%i] token = %t0 inbounds = [true] : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xf32>, tile<i32>, token -> token
    ```
  }];
  let arguments = (ins
      CudaTile_MemoryOrderingSemanticsAttr:$memory_ordering_semantics,
      OptionalAttr<CudaTile_MemoryScopeAttr>:$memory_scope,
      CudaTile_TileView:$view, CudaTile_TileType:$tile,
      Variadic<CudaTile_IntTile>:$index, Optional<CudaTile_TokenType>:$token,
      CudaTile_Inbounds:$inbounds);
}

#endif // DIALECTS_CUDA_TILE_OPS_VIEWS_TD
