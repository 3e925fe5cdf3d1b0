// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_POINTEROPS_TD
#define DIALECTS_NV_TILEAS_OPS_POINTEROPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"
include "mlir/IR/SymbolInterfaces.td"

def TileAS_AddPtrOp : TileAS_Op<"addptr", [
    Pure, AllTypesMatch<["base", "result"]>]> {
  let summary = "Moves pointers by a number of elements";
  let description = [{
    The offset is sign-extended to 64 bits and scaled by the storage size of
    the pointee.

    Constraints: (C1) base and offset have one shape and layout.

    ```mlir
    %q = nv_tileas.addptr %p, %o : tensor<64x!nv_tileaa.ptr<f32>, #a>, tensor<64xi32, #a>
    ```
  }];
  let arguments = (ins TileAS_PtrTile:$base, TileAS_IntTile:$offset);
  let results = (outs TileAS_PtrTile:$result);
  let assemblyFormat = [{
    $base `,` $offset attr-dict `:` type($base) `,` type($offset)
  }];
  let hasVerifier = 1;
}

class TileAS_PtrCastOp<string mnemonic, Type from, Type to, string text>
    : TileAS_Op<mnemonic, [Pure]> {
  let summary = text;
  let arguments = (ins from:$source);
  let results = (outs to:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def TileAS_PtrToIntOp : TileAS_PtrCastOp<"ptr_to_int", TileAS_PtrTile,
    TileAS_IntTile, "Reads addresses as 64-bit integers"> {
  let description = [{
    Constraints: (C1) i64 elements; (C2) one shape and layout.

    ```mlir
    %i = nv_tileas.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i64
    ```
  }];
}

def TileAS_IntToPtrOp : TileAS_PtrCastOp<"int_to_ptr", TileAS_IntTile,
    TileAS_PtrTile, "Makes pointers from 64-bit integers"> {
  let description = [{
    Constraints: (C1) i64 elements; (C2) one shape and layout.

    ```mlir
    %p = nv_tileas.int_to_ptr %i : i64 -> !nv_tileaa.ptr<f32>
    ```
  }];
}

def TileAS_MakeMemRefOp : TileAS_Op<"make_memref", [
    Pure, AttrSizedOperandSegments]> {
  let summary = "Makes a strided memory object from a base address";
  let description = [{
    Sizes and strides, in elements, are given for the dynamic entries of the
    result type only.

    Constraints: (C1) counts match the type; (C2) pointee, space and element
    type agree.

    ```mlir
    %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?xf16, strides = [1]>
    ```
  }];
  let arguments = (ins TileAS_Ptr:$base, Variadic<I64>:$sizes,
                       Variadic<I64>:$strides);
  let results = (outs TileAS_MemRef:$result);
  let assemblyFormat = [{
    $base (`sizes` `[` $sizes^ `]`)? (`strides` `[` $strides^ `]`)? attr-dict `:`
    qualified(type($base)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAS_BlockTileOp : TileAS_Op<"block_tile", [Pure]> {
  let summary = "Splits a memory object into tiles";
  let description = [{
    Constraints: (C1) the view's source is the operand type.

    ```mlir
    %v = nv_tileas.block_tile %m : !nv_tileaa.memref<?xf16, strides = [1]> -> !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf16, strides = [1]>>
    ```
  }];
  let arguments = (ins TileAS_MemRef:$source);
  let results = (outs TileAS_View:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAS_GetDimSizeOp : TileAS_Op<"get_dim_size", [Pure]> {
  let summary = "Reads the size of a dimension of a memory object";
  let description = [{
    Constraints: (C1) `dim` is in range.

    ```mlir
    %n = nv_tileas.get_dim_size %m dim = 0 : !nv_tileaa.memref<?xf16, strides = [1]>
    ```
  }];
  let arguments = (ins TileAS_MemRef:$source, I32Attr:$dim);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $source `dim` `=` $dim attr-dict `:` qualified(type($source))
  }];
  let hasVerifier = 1;
}

def TileAS_GetGlobalOp : TileAS_Op<"get_global", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Returns the address of a global";
  let description = [{
    Constraints: (C1) the symbol is a `nv_tileaa.global` of the pointee type.

    ```mlir
    %g = nv_tileas.get_global @lut : !nv_tileaa.ptr<f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs TileAS_Ptr:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def TileAS_AllocaOp : TileAS_Op<"alloca", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>]> {
  let summary = "Allocates memory for the tile block";
  let description = [{
    Allocates `num_elem` elements of the pointee; `shareable` when other tile
    blocks may see the address.

    Constraints: (C1) a positive count; (C2) `alignment` is a power of two.

    ```mlir
    %p = nv_tileas.alloca 64 align 16 : !nv_tileaa.ptr<f32>
    ```
  }];
  let arguments = (ins I64Attr:$num_elem, I64Attr:$alignment,
                       UnitAttr:$shareable);
  let results = (outs TileAS_Ptr:$result);
  let assemblyFormat = [{
    $num_elem `align` $alignment (`shareable` $shareable^)? attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_POINTEROPS_TD
