// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_ADDRESS_TD
#define DIALECTS_NV_TILEAA_OPS_ADDRESS_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

include "mlir/IR/SymbolInterfaces.td"

def TileAA_AddPtrOp : TileAA_Op<"addptr",
    [Pure, Elementwise, Scalarizable, Vectorizable, Tensorizable,
     AllTypesMatch<["base", "result"]>]> {
  let summary = "Steps pointers by a number of elements";
  let description = [{
    The address grows by the sign-extended offset times the storage size of the
    pointee. The multiplication must not overflow as a signed 64-bit one, the
    addition not as an unsigned one. (C1) Equal shapes.

    ```mlir
    %0 = nv_tileaa.addptr %p, %i : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xi32>
    ```
  }];
  let arguments = (ins TileAA_PtrTile:$base, TileAA_IntTile:$offset);
  let results = (outs TileAA_PtrTile:$result);
  let assemblyFormat = [{
    $base `,` $offset attr-dict `:` type($base) `,` type($offset)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def TileAA_IntToPtrOp : TileAA_Op<"int_to_ptr",
    [Pure, SameOperandsAndResultShape,
     DeclareOpInterfaceMethods<TileAAAliasRootInterface>]> {
  let summary = "Converts integers to pointers";
  let description = [{
    The result has unknown provenance.

    ```mlir
    %0 = nv_tileaa.int_to_ptr %bits : i64 -> !nv_tileaa.ptr<f32>
    ```
  }];
  let arguments = (ins TileAA_I64Tile:$source);
  let results = (outs TileAA_PtrTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
}

def TileAA_PtrToIntOp : TileAA_Op<"ptr_to_int",
    [Pure, SameOperandsAndResultShape]> {
  let summary = "Returns the addresses of pointers as integers";
  let description = [{
    ```mlir
    %0 = nv_tileaa.ptr_to_int %p : tensor<8x!nv_tileaa.ptr<f16>> -> tensor<8xi64>
    ```
  }];
  let arguments = (ins TileAA_PtrTile:$source);
  let results = (outs TileAA_I64Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasFolder = 1;
}

def TileAA_MakeMemRefOp : TileAA_Op<"make_memref",
    [Pure, AttrSizedOperandSegments]> {
  let summary = "Describes a strided array at an address";
  let description = [{
    Operands give the sizes and strides that are dynamic in the type, in order.
    (C1) Their counts match the type. (C2) Element type, space and scope agree
    with base and type.

    ```mlir
    %0 = nv_tileaa.make_memref %p sizes[%m] strides[%ld] scope 1
         : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x64xf16, strides = [?, 1], scope = 1>
    ```
  }];
  let arguments = (ins
    TileAA_PtrType:$base,
    Variadic<I64>:$sizes,
    Variadic<I64>:$strides,
    OptionalAttr<I32Attr>:$alias_scope
  );
  let results = (outs TileAA_MemRefType:$result);
  let assemblyFormat = [{
    $base (`sizes` `[` $sizes^ `]`)? (`strides` `[` $strides^ `]`)?
    (`scope` $alias_scope^)? attr-dict `:` qualified(type($base)) `->`
    qualified(type($result))
  }];
  let extraClassDeclaration = [{
    /// The operand with the size or stride of `dim`, null when static.
    ::mlir::Value getDynamicSize(unsigned dim);
    ::mlir::Value getDynamicStride(unsigned dim);
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def TileAA_BlockTileOp : TileAA_Op<"block_tile", [Pure]> {
  let summary = "Splits a memref into tiles";
  let description = [{
    (C1) The source of the view is the type of the memref.

    ```mlir
    %0 = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
         -> !nv_tileaa.tiled_view<32x16 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
    ```
  }];
  let arguments = (ins TileAA_MemRefType:$source);
  let results = (outs TileAA_TiledViewType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` qualified(type($source)) `->`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def TileAA_GetDimSizeOp : TileAA_Op<"get_dim_size",
    [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                     ["inferResultRanges"]>]> {
  let summary = "Returns the size of a memref dimension";
  let description = [{
    (C1) The dimension exists.

    ```mlir
    %0 = nv_tileaa.get_dim_size %m dim = 0 : !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
    ```
  }];
  let arguments = (ins TileAA_MemRefType:$source, I32Attr:$dim);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $source `dim` `=` $dim attr-dict `:` qualified(type($source))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TileAA_GlobalOp : TileAA_Op<"global",
    [Symbol, HasParent<"::mlir::gpu::GPUModuleOp">,
     DeclareOpInterfaceMethods<TileAAAliasRootInterface>]> {
  let summary = "Defines an array in global memory";
  let description = [{
    (C1) The value has rank one. (C2) The alignment is a power of two.

    ```mlir
    nv_tileaa.global constant @lut align 128 = dense<[0.0, 0.5]> : tensor<2xf32>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    ElementsAttr:$value,
    OptionalAttr<I64Attr>:$alignment,
    UnitAttr:$constant
  );
  let assemblyFormat = [{
    ($sym_visibility^)? (`constant` $constant^)? $sym_name
    (`align` $alignment^)? `=` $value attr-dict
  }];
  let hasVerifier = 1;
}

def TileAA_GetGlobalOp : TileAA_Op<"get_global",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
     DeclareOpInterfaceMethods<TileAAAliasRootInterface>]> {
  let summary = "Returns the address of a global";
  let description = [{
    (C1) The symbol is a global of the module. (C2) The pointee is its element
    type.

    ```mlir
    %0 = nv_tileaa.get_global @lut : !nv_tileaa.ptr<f32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs TileAA_PtrType:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def TileAA_AllocaOp : TileAA_Op<"alloca",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
     DeclareOpInterfaceMethods<TileAAAliasRootInterface>]> {
  let summary = "Allocates memory for the tile block";
  let description = [{
    The memory is valid until the enclosing function or loop body ends. (C1) The
    alignment is a power of two and not below the size of an element.

    ```mlir
    %0 = nv_tileaa.alloca 64 align 16 shareable : !nv_tileaa.ptr<f32>
    ```
  }];
  let arguments = (ins
    ConfinedAttr<I64Attr, [IntPositive]>:$num_elem,
    OptionalAttr<I64Attr>:$alignment,
    UnitAttr:$shareable
  );
  let results = (outs TileAA_PtrType:$result);
  let assemblyFormat = [{
    $num_elem (`align` $alignment^)? (`shareable` $shareable^)? attr-dict `:`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAA_OPS_ADDRESS_TD
