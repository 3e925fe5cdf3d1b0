// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_NVTILEAATYPES_TD
#define DIALECTS_NV_TILEAA_NVTILEAATYPES_TD

include "dialects/nv_tileaa/NVTileAABase.td"

class TileAA_Type<string className, string typeMnemonic>
    : TypeDef<TileAA_Dialect, className> {
  let mnemonic = typeMnemonic;
}

def TileAA_PtrType : TileAA_Type<"TAPointer", "ptr"> {
  let summary = "pointer to a number";
  let description = [{
    A 64-bit address with the pointee type and the memory space, in the
    numbering of the LLVM NVPTX back end: 0 generic, 1 global, 3 shared, 4
    constant, 5 local, 6 tensor memory, 7 shared::cluster. Space 1 is the
    default and is not printed.
  }];
  let parameters = (ins "::mlir::Type":$pointee,
                        DefaultValuedParameter<"unsigned", "1">:$space);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointee),
                  [{ return $_get(pointee.getContext(), pointee, 1); }]>];
  let assemblyFormat = "`<` $pointee (`,` $space^)? `>`";
  let genVerifyDecl = 1;
}

def TileAA_MemRefType : TileAA_Type<"TAMemRef", "memref"> {
  let summary = "strided array in memory";
  let description = [{
    A base address with sizes and strides, in elements; `?` is dynamic. Memref
    values with the same `scope` other than zero have one provenance root;
    different scopes do not prove that two memrefs are disjoint.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        ArrayRefParameter<"int64_t">:$strides,
                        "unsigned":$space, "unsigned":$scope);
  let builders = [TypeBuilderWithInferredContext<
      (ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
           "::llvm::ArrayRef<int64_t>":$strides,
           CArg<"unsigned", "1">:$space, CArg<"unsigned", "0">:$scope),
      [{ return $_get(elementType.getContext(), shape, elementType, strides,
                      space, scope); }]>];
  let extraClassDeclaration = [{
    unsigned getRank() const { return getShape().size(); }
    unsigned getNumDynamicSizes() const;
    unsigned getNumDynamicStrides() const;
    TAMemRefType withScope(unsigned scope) const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let skipDefaultBuilders = 0;
}

def TileAA_TiledViewType : TileAA_Type<"TATiledView", "tiled_view"> {
  let summary = "how a tile index addresses a memref";
  let description = [{
    For tile dimension `d` with the memref dimension `g = dims[d]`, the tile
    begins at element `coord[d] * steps[d]` of `g` and covers `tile[d]`
    elements. With `sparse = d` the coordinate of `d` is a tensor of row
    indices. Elements outside of the sizes of the memref load as the padding
    value (unspecified without one) and are skipped by stores.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tileShape,
                        "TAMemRefType":$source,
                        // All groups, one after the other.
                        ArrayRefParameter<"int32_t">:$dims,
                        // Empty when every group has one dimension.
                        ArrayRefParameter<"int32_t">:$groupSizes,
                        ArrayRefParameter<"int64_t">:$steps,
                        // Negative without a sparse dimension.
                        "int32_t":$sparseDim,
                        "PaddingValueAttr":$padding);
  let builders = [TypeBuilderWithInferredContext<
      (ins "::llvm::ArrayRef<int64_t>":$tileShape, "TAMemRefType":$source,
           "::llvm::ArrayRef<int32_t>":$dims,
           "::llvm::ArrayRef<int64_t>":$steps,
           CArg<"int32_t", "-1">:$sparseDim,
           CArg<"PaddingValueAttr", "{}">:$padding),
      [{ return $_get(source.getContext(), tileShape, source, dims,
                      ::llvm::ArrayRef<int32_t>(), steps, sparseDim,
                      padding); }]>];
  let extraClassDeclaration = [{
    unsigned getRank() const { return getTileShape().size(); }
    ::mlir::Type getElementType() const { return getSource().getElementType(); }
    /// The type of a tile loaded through this view.
    ::mlir::RankedTensorType getTileType() const;
    /// The memref dimension of tile dimension `d`. Only for views whose groups
    /// have one dimension each.
    int32_t getMemRefDim(unsigned d) const { return getDims()[d]; }
    bool hasSparseDim() const { return getSparseDim() >= 0; }
    TATiledViewType withSource(TAMemRefType source) const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TileAA_MemTokenType : TileAA_Type<"MemToken", "mem_token"> {
  let summary = "order edge between memory operations";
}

def TileAA_ProgramIdType : TileAA_Type<"ProgramId", "program_id"> {
  let summary = "identity of a tile block taken from the launch queue";
}

def TileAA_QueueType : TileAA_Type<"TAQueue", "queue"> {
  let summary = "channel between a producer and its consumers";
  let parameters = (ins ArrayRefParameter<"::mlir::Type">:$payloadTypes,
                        DefaultValuedParameter<"bool", "false">:$isolated);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

class TileAA_Constraint<string predicate, string summary>
    : Type<CPred<"::mlir::nv_tileaa::" # predicate # "($_self)">, summary,
           "::mlir::Type">;

def TileAA_Tile
    : TileAA_Constraint<"isTileOrScalar", "tile of numbers or pointers">;
def TileAA_NumberTile
    : TileAA_Constraint<"isNumberTile", "tile of numbers">;
def TileAA_IntTile
    : TileAA_Constraint<"isIntTile", "tile of integers">;
def TileAA_FloatTile
    : TileAA_Constraint<"isFloatTile", "tile of floats">;
def TileAA_MathTile
    : TileAA_Constraint<"isMathTile", "tile of f16, bf16, f32 or f64">;
def TileAA_PtrTile
    : TileAA_Constraint<"isPtrTile", "tile of pointers">;
def TileAA_BoolTile
    : TileAA_Constraint<"isBoolTile", "tile of i1">;
def TileAA_I64Tile
    : TileAA_Constraint<"isI64Tile", "tile of i64">;
def TileAA_Scalar
    : TileAA_Constraint<"isScalarTile", "scalar number or pointer">;
def TileAA_Tensor
    : TileAA_Constraint<"isTensorTile", "tensor of numbers or pointers">;
def TileAA_NumberTensor
    : TileAA_Constraint<"isNumberTensor", "tensor of numbers">;
def TileAA_Coordinate
    : TileAA_Constraint<"isCoordinate", "i32 or i64 or a 1-d tensor of integers">;

#endif // DIALECTS_NV_TILEAA_NVTILEAATYPES_TD
