// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_SHAPE_TD
#define DIALECTS_NV_TILEAA_OPS_SHAPE_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

class TileAA_ShapeOp<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic,
          traits # [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                                   ["inferResultRanges"]>]> {
  let hasFolder = 1;
}

def TileAA_SplatOp : TileAA_ShapeOp<"splat"> {
  let summary = "Fills a tensor with a scalar";
  let description = [{
    (C1) The element type is the type of the scalar.

    ```mlir
    %0 = nv_tileaa.splat %s : f16 -> tensor<1x16xf16>
    ```
  }];
  let arguments = (ins TileAA_Scalar:$source);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAA_BroadcastOp : TileAA_ShapeOp<"broadcast"> {
  let summary = "Repeats a tensor along its dimensions of extent one";
  let description = [{
    (C1) Same rank and element type; each source extent is one or that of the
    result.

    ```mlir
    %0 = nv_tileaa.broadcast %t : tensor<1x16xf16> -> tensor<8x16xf16>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TileAA_ExpandDimsOp : TileAA_ShapeOp<"expand_dims"> {
  let summary = "Inserts dimensions of extent one";
  let description = [{
    `axes` are positions in the result, ascending. (C1) The result without them
    has the shape of the source, and their extents are one.

    ```mlir
    %0 = nv_tileaa.expand_dims %t axes = [1] : tensor<8x16xf16> -> tensor<8x1x16xf16>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source, DenseI32ArrayAttr:$axes);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = [{
    $source `axes` `=` $axes attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TileAA_ViewOp : TileAA_ShapeOp<"view"> {
  let summary = "Reshapes a tensor in row-major order";
  let description = [{
    (C1) Same element type and number of elements.

    ```mlir
    %0 = nv_tileaa.view %t : tensor<8x1x16xf16> -> tensor<128xf16>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TileAA_PermuteOp : TileAA_ShapeOp<"permute"> {
  let summary = "Reorders the dimensions of a tensor";
  let description = [{
    Result dimension `i` is source dimension `permutation[i]`. (C1)
    `permutation` is a permutation of the dimensions, and the shapes agree.

    ```mlir
    %0 = nv_tileaa.permute %t [1, 0] : tensor<8x16xf16> -> tensor<16x8xf16>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source, DenseI32ArrayAttr:$permutation);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TileAA_CatOp : TileAA_Op<"cat", [Pure]> {
  let summary = "Joins two tensors along one dimension";
  let description = [{
    (C1) All other extents are equal; the extent of `axis` is the sum.

    ```mlir
    %0 = nv_tileaa.cat %a, %b axis = 0
         : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<16x16xf16>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$lhs, TileAA_Tensor:$rhs, I32Attr:$axis);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `axis` `=` $axis attr-dict `:` type($lhs) `,` type($rhs) `->`
    type($result)
  }];
  let hasVerifier = 1;
}

def TileAA_ExtractOp : TileAA_ShapeOp<"extract"> {
  let summary = "Reads one element of a tensor";
  let description = [{
    An index outside the tensor is undefined. (C1) One index per dimension; the
    result is the element type.

    ```mlir
    %0 = nv_tileaa.extract %t[%i, %j] : tensor<16x16xf16> -> f16
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source, Variadic<I32>:$indices);
  let results = (outs TileAA_Scalar:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TileAA_ExtractSliceOp : TileAA_ShapeOp<"extract_slice"> {
  let summary = "Extracts a slice of a tensor";
  let description = [{
    Indices are element offsets and multiples of the extents of the result.
    (C1) Same rank; each extent of the result divides that of the source.

    ```mlir
    %0 = nv_tileaa.extract_slice %t[%i, %j] : tensor<16x16xf16> -> tensor<8x4xf16>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source, Variadic<I32>:$indices);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TileAA_InsertSliceOp : TileAA_Op<"insert_slice",
    [Pure, AllTypesMatch<["dest", "result"]>,
     DeclareOpInterfaceMethods<InferIntRangeInterface,
                               ["inferResultRanges"]>]> {
  let summary = "Replaces a slice of a tensor";
  let description = [{
    Indices are element offsets and multiples of the extents of the source.
    (C1) Same rank; each extent of the source divides that of the destination.

    ```mlir
    %0 = nv_tileaa.insert_slice %s into %t[%i, %j] : tensor<8x4xf16> into tensor<16x16xf16>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source, TileAA_Tensor:$dest,
                       Variadic<I32>:$indices);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = [{
    $source `into` $dest `[` $indices `]` attr-dict `:` type($source) `into`
    type($dest)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileAA_MakeRangeOp : TileAA_ShapeOp<"make_range"> {
  let summary = "Counts from one number up to another";
  let description = [{
    Values wrap in the element type. (C1) The result is one-dimensional with
    `end - start` elements.

    ```mlir
    %0 = nv_tileaa.make_range 0 to 64 : tensor<64xi32>
    ```
  }];
  let arguments = (ins I64Attr:$start, I64Attr:$end);
  let results = (outs TileAA_IntTile:$result);
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileAA_BitcastOp : TileAA_Op<"bitcast", [Pure]> {
  let summary = "Reads the bits of a tile as another type";
  let description = [{
    (C1) Either pointer tiles of equal shape and space, or tensors of rank one
    with equal storage, little-endian, the low nibble first.

    ```mlir
    %0 = nv_tileaa.bitcast %p : tensor<8x!nv_tileaa.ptr<f16>> -> tensor<8x!nv_tileaa.ptr<i16>>
    %1 = nv_tileaa.bitcast %t : tensor<128xf16> -> tensor<256xi8>
    ```
  }];
  let arguments = (ins TileAA_Tile:$source);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileAA_GenerateOp : TileAA_Op<"generate",
    [RecursiveMemoryEffects, RecursivelySpeculatable,
     SingleBlockImplicitTerminator<"::mlir::nv_tileaa::YieldOp">]> {
  let summary = "Computes a tensor element by element";
  let description = [{
    The block takes one index per dimension of the result and yields the
    element. (C1) The body is pure.

    ```mlir
    %0 = nv_tileaa.generate -> tensor<32xi32> {
    ^bb0(%i: index):
      %v = arith.index_cast %i : index to i32
      nv_tileaa.yield %v : i32
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs);
  let results = (outs TileAA_Tensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    ($inputs^ `:` type($inputs))? attr-dict `->` type($result) $body
  }];
  let hasRegionVerifier = 1;
}

#endif // DIALECTS_NV_TILEAA_OPS_SHAPE_TD
