// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_TILEOPS_TD
#define DIALECTS_NV_TILEAS_OPS_TILEOPS_TD

include "dialects/nv_tileas/NVTileASTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TileAS_Op<string mnemonic, list<Trait> traits = []>
    : Op<TileAS_Dialect, mnemonic, traits>;

def TileAS_AllocTensorOp : TileAS_Op<"alloc_tensor",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Makes an undefined register tile or on-chip storage";
  let description = [{
    A tile result is undefined and takes no storage. A buffer result has storage
    of its own; `alignment` is in bytes. The allocation writes `smem_offset`,
    and for tensor memory `tmem_col`, the first column.

    Constraints: (C1) `alignment` is a power of two; (C2) `alignment` and
    `smem_offset` are for buffers; (C3) a buffer is whole; (C4) `smem_offset` is
    a multiple of the alignment; (C5) `tmem_col` is for a buffer in tensor
    memory, which has no other attribute.

    ```mlir
    %b = nv_tileas.alloc_tensor {alignment = 128 : i32} : !nv_tileas.buffer<64x64xf16, #smem>
    ```
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$alignment,
                       OptionalAttr<I32Attr>:$smem_offset,
                       OptionalAttr<I32Attr>:$tmem_col);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::IntegerAttr":$alignment,
                   "::mlir::IntegerAttr":$smem_offset), [{
      build($_builder, $_state, type, alignment, smem_offset,
            ::mlir::IntegerAttr());
    }]>,
  ];
  let results = (outs AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileAS_ExtractSliceOp : TileAS_Op<"extract_slice", [
    Pure, DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>]> {
  let summary = "Extracts an aligned slice of a tile";
  let description = [{
    `offsets` are element offsets, multiples of the result extents (undefined
    otherwise).

    Constraints: (C1) same rank and element type, result extents divide the
    source extents; (C2) one i32 offset per dimension. Where the layout of the
    result is the restriction of the source's, elements come from the thread's
    own registers, from other lanes by shuffles, or from other warps through
    memory of the result's size, depending on whether registers, lanes or warps
    distinguish slices. Otherwise the whole source goes through shared memory.

    ```mlir
    %r = nv_tileas.extract_slice %x[%i, %j] : tensor<64x64xf32, #a> -> tensor<16x64xf32, #b>
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, Variadic<I32>:$offsets);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $source `[` $offsets `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileAS_InsertSliceOp : TileAS_Op<"insert_slice", [
    Pure, DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>,
    AllTypesMatch<["dest", "result"]>]> {
  let summary = "Replaces an aligned slice of a tile";
  let description = [{
    Constraints as for `extract_slice`, with `dest` as the larger tile. Where the
    layout of `source` is the restriction of the result's, no data moves.

    ```mlir
    %r = nv_tileas.insert_slice %s into %d[%i, %j] : tensor<16x64xf32, #b> into tensor<64x64xf32, #a>
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, TileAS_Tile:$dest,
                       Variadic<I32>:$offsets);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $source `into` $dest `[` $offsets `]` attr-dict `:` type($source) `into` type($dest)
  }];
  let hasVerifier = 1;
}

def TileAS_ViewOp : TileAS_Op<"view", [Pure]> {
  let summary = "Reshapes a tile, or selects or reinterprets a buffer";
  let description = [{
    Tile form: row-major reshape; the layout of the result is the re-split
    layout of the source. Buffer form with a stage: one stage of a staged
    buffer, undefined unless it is below the number of stages; `ring` marks the
    views that a pipeline orders. Buffer form without: the same bytes with
    another shape; the layout is the re-split of the source's.

    Constraints: (C1) both tiles or both buffers; (C2) tiles have one element
    type and count; (C3) the result layout is the re-split of the source's;
    (C4) a stage is for staged buffers and gives the same buffer without
    stages; (C5) other buffers are unstaged and whole, with one element type and
    count and the re-split layout; (C6) `ring` is for stages.

    ```mlir
    %r = nv_tileas.view %x : tensor<64xf32, #a> -> tensor<1x64xf32, #b>
    %s = nv_tileas.view %b[%stage] : !nv_tileas.buffer<[3] 64xf32, #s> -> !nv_tileas.buffer<64xf32, #s>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$source,
                       Optional<I32>:$stage, UnitAttr:$ring);
  let results = (outs AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$result);
  let assemblyFormat = [{
    $source (`[` $stage^ `]`)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileAS_ExpandDimsOp : TileAS_Op<"expand_dims", [Pure]> {
  let summary = "Inserts a dimension of extent 1";
  let description = [{
    Constraints: (C1) `axis` is a dimension of the result, of extent 1; (C2) the
    other extents and the element type are the source's; (C3) the result layout
    is the source's with a zero component at `axis`.

    ```mlir
    %r = nv_tileas.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #a> -> tensor<64x1xf32, #b>
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, I32Attr:$axis);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_BroadcastOp : TileAS_Op<"broadcast", [Pure]> {
  let summary = "Repeats a tile along dimensions of extent 1";
  let description = [{
    Constraints: (C1) same rank and element type, every source extent is 1 or
    the result's; (C2) the source layout is the result's restricted to the
    source extents: bases of grown dimensions become zero in lanes and warps and
    vanish from registers.

    ```mlir
    %r = nv_tileas.broadcast %x : tensor<64x1xf32, #a> -> tensor<64x32xf32, #b>
    ```
  }];
  let arguments = (ins TileAS_Tile:$source);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileAS_PermuteOp : TileAS_Op<"permute", [Pure]> {
  let summary = "Permutes the dimensions of a tile or of an unstaged buffer";
  let description = [{
    Result dimension `i` is source dimension `permutation[i]`. No data moves.

    Constraints: (C1) `permutation` is one of the rank; (C2) shape and element
    type follow; (C3) the result layout is the permuted source layout.

    ```mlir
    %r = nv_tileas.permute %x [1, 0] : tensor<64x32xf32, #a> -> tensor<32x64xf32, #b>
    %t = nv_tileas.permute %s [1, 0] : !nv_tileas.buffer<64x32xf32, #s> -> !nv_tileas.buffer<32x64xf32, #t>
    ```
  }];
  let arguments = (ins AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$source,
                       DenseI32ArrayAttr:$permutation);
  let results = (outs AnyTypeOf<[TileAS_Tile, TileAS_BufferType]>:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileAS_CatOp : TileAS_Op<"cat", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "Joins two tiles along a dimension";
  let description = [{
    Constraints: (C1) `axis` is in range; (C2) the result extent at `axis` is
    twice the operands', the others agree; (C3) the operand layout is the
    result's without the register basis that selects the operand.

    ```mlir
    %r = nv_tileas.cat %x, %y {axis = 0 : i32} : tensor<32xf32, #a>, tensor<32xf32, #a> -> tensor<64xf32, #b>
    ```
  }];
  let arguments = (ins TileAS_Tile:$lhs, TileAS_Tile:$rhs, I32Attr:$axis);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileAS_ExtractOp : TileAS_Op<"extract", [
    Pure, DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>,
    TypesMatchWith<"result is an element of the tile", "source", "result",
                         "::mlir::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "Reads one element into all threads";
  let description = [{
    An out-of-range index is undefined.

    Constraints: (C1) one i32 index per dimension.

    ```mlir
    %s = nv_tileas.extract %x[%i, %j] : tensor<64x64xf32, #a> -> f32
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, Variadic<I32>:$indices);
  let results = (outs TileAS_TileElement:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileAS_SplatOp : TileAS_Op<"splat", [
    Pure, TypesMatchWith<"source is an element of the tile", "result", "source",
                         "::mlir::cast<::mlir::RankedTensorType>($_self).getElementType()">]> {
  let summary = "Fills a tile with one value";
  let description = [{
    ```mlir
    %r = nv_tileas.splat %s : f32 -> tensor<64x64xf32, #a>
    ```
  }];
  let arguments = (ins TileAS_TileElement:$source);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

def TileAS_MakeRangeOp : TileAS_Op<"make_range", [Pure]> {
  let summary = "Makes the tile start, start + 1, …";
  let description = [{
    Values wrap in the element type.

    Constraints: (C1) a rank-1 integer tile; (C2) `end - start` is its extent.

    ```mlir
    %r = nv_tileas.make_range 0 to 64 : tensor<64xi32, #a>
    ```
  }];
  let arguments = (ins I64Attr:$start, I64Attr:$end);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = "$start `to` $end attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def TileAS_BitcastOp : TileAS_Op<"bitcast", [Pure]> {
  let summary = "Reads the bits of a tile as another element type";
  let description = [{
    Pointer tiles keep shape and layout. Rank-1 tiles keep their bytes, lowest
    first; the layouts differ by low register bits.

    Constraints: (C1) pointer tiles of equal shape, or rank-1 tiles of equal
    storage size, or tiles of equal shape and element width; (C2) layouts are
    equal, or related by the low register bits that the width ratio adds.

    ```mlir
    %r = nv_tileas.bitcast %x : tensor<64xf32, #a> -> tensor<256xi8, #b>
    ```
  }];
  let arguments = (ins TileAS_TileOrScalar:$source);
  let results = (outs TileAS_TileOrScalar:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_ConvertLayoutOp : TileAS_Op<"convert_layout", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface,
      ["getScratchAlignment", "getScratchOperand"]>]> {
  let summary = "Moves a tile into another register layout";
  let description = [{
    The pair of layouts determines the cost: none, renamed registers, warp
    shuffles, or an exchange through shared memory (`scratch`, or storage that
    the lowering allocates).

    Constraints: (C1) same shape and element type.

    ```mlir
    %r = nv_tileas.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #b>
    ```
  }];
  let arguments = (ins TileAS_Tile:$source,
                       Optional<TileAS_BufferType>:$scratch);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $source (`via` $scratch^ `:` type($scratch))? attr-dict `:` type($source) `->` type($result)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$source), [{
      build($_builder, $_state, result, source, ::mlir::Value());
    }]>,
  ];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TileAS_FpToFpOp : TileAS_Op<"fp_to_fp", [Pure]> {
  let summary = "Converts between float types";
  let description = [{
    For the pairs and modifiers that `arith.extf` and `arith.truncf` lack:
    8-bit and 4-bit types, pairs of equal width, directed rounding, saturation to
    the finite range.

    Constraints: (C1) float tiles of equal shape and layout.

    ```mlir
    %r = nv_tileas.fp_to_fp %x rounding<nearest_even> saturate : tensor<64xf32, #a> -> tensor<64xf8E4M3FN, #a>
    ```
  }];
  let arguments = (ins TileAS_FloatTile:$source,
                       DefaultValuedAttr<TileAA_RoundingModeAttr,
                         "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding,
                       UnitAttr:$saturate);
  let results = (outs TileAS_FloatTile:$result);
  let assemblyFormat = [{
    $source (`rounding` `` $rounding^)? (`saturate` $saturate^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_TILEOPS_TD
