// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_CORE_TD
#define DIALECTS_CUDA_TILE_OPS_CORE_TD

include "dialects/cuda_tile/CudaTileAttrs.td"
include "dialects/cuda_tile/CudaTileTypes.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// The operation chooses the names of its results.
def CudaTile_NamesResults
    : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

def CudaTile_ConstantOp : CudaTile_Op<"constant", "13.1",
    [ConstantLike, Pure, AllTypesMatch<["value", "result"]>,
     CudaTile_NamesResults]> {
  let summary = "Makes a tile from a literal";
  let description = [{
    A scalar literal fills the tile, nested brackets give every element.

    ```mlir
    %0 = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
    ```
  }];
  let arguments = (ins Builtin_DenseIntOrFPElementsAttr:$value);
  let results = (outs CudaTile_NumberTile:$result);
  let assemblyFormat = "custom<DenseLiteral>($value) attr-dict";
  let hasFolder = 1;
}

def CudaTile_IotaOp : CudaTile_Op<"iota", "13.1", [Pure]> {
  let summary = "Makes a vector of increasing integers";
  let description = [{
    The elements are 0, 1, ... N - 1, as unsigned numbers. (C1) The result has
    rank 1. (C2) Its element type can hold N - 1.

    ```mlir
    %0 = iota : tile<128xi32>
    ```
  }];
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = "attr-dict `:` custom<ShortType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_BroadcastOp : CudaTile_Op<"broadcast", "13.1",
    [Pure, SameOperandsAndResultElementType,
     AllRanksMatch<["source", "result"]>, CudaTile_NamesResults]> {
  let summary = "Repeats a tile along dimensions of extent one";
  let description = [{
    Never changes the rank. (C1) Every dimension of the source has extent one or
    that of the result.

    ```mlir
    %0 = broadcast %row : tile<1x128xi32> -> tile<8x128xi32>
    ```
  }];
  let arguments = (ins CudaTile_TileType:$source);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_ReshapeOp : CudaTile_Op<"reshape", "13.1",
    [Pure, SameOperandsAndResultElementType, CudaTile_NamesResults]> {
  let summary = "Reshapes a tile";
  let description = [{
    Keeps the row-major order of the elements. (C1) The number of elements is
    the same.

    ```mlir
    %0 = reshape %v : tile<128xi32> -> tile<1x128xi32>
    ```
  }];
  let arguments = (ins CudaTile_TileType:$source);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_PermuteOp : CudaTile_Op<"permute", "13.1",
    [Pure, CudaTile_AllElementTypesMatch<["source", "result"]>,
     AllRanksMatch<["source", "result"]>]> {
  let summary = "Reorders the dimensions of a tile";
  let description = [{
    Dimension `i` of the result is dimension `permutation[i]` of the source.
    (C1) The rank is at least 2. (C2) `permutation` is a permutation of the
    dimensions. (C3) The shape of the result is the permuted shape.

    ```mlir
    %0 = permute %m [1, 0] : tile<8x128xi32> -> tile<128x8xi32>
    ```
  }];
  let arguments = (ins CudaTile_TileType:$source,
                       DenseI32ArrayAttr:$permutation);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $source $permutation attr-dict `:` custom<ShortType>(type($source)) `->`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_CatOp : CudaTile_Op<"cat", "13.1",
    [Pure, AllRanksMatch<["lhs", "rhs", "result"]>,
     CudaTile_AllElementTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "Joins two tiles along a dimension";
  let description = [{
    The elements of `lhs` come first. (C1) `dim` is a dimension. (C2) The extent
    of the result there is the sum of the operands' extents, and the other
    extents agree.

    ```mlir
    %0 = cat %a, %b dim = 1 : tile<2x2xi32>, tile<2x2xi32> -> tile<2x4xi32>
    ```
  }];
  let arguments = (ins CudaTile_TileType:$lhs, CudaTile_TileType:$rhs,
                       I64Attr:$dim);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `dim` `=` $dim attr-dict `:`
    custom<ShortType>(type($lhs)) `,` custom<ShortType>(type($rhs)) `->`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_ExtractOp : CudaTile_Op<"extract", "13.1",
    [Pure, AllRanksMatch<["source", "result"]>]> {
  let summary = "Extracts an aligned slice of a tile";
  let description = [{
    The source is split into a grid of slices of the result's shape; the unsigned
    indices select one. An index outside of the grid is undefined. (C1) Element
    types agree. (C2) The result's extents divide the source's. (C3) There is one
    index per dimension.

    ```mlir
    %0 = extract %m[%r, %c] : tile<8x128xi32> -> tile<4x32xi32>
    ```
  }];
  let arguments = (ins CudaTile_TileType:$source,
                       Variadic<CudaTile_ScalarI32>:$indices);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` custom<ShortType>(type($source))
    `->` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_InsertOp : CudaTile_Op<"insert", "13.4",
    [Pure, AllTypesMatch<["destination", "result"]>]> {
  let summary = "Replaces an aligned slice of a tile";
  let description = [{
    The inverse of `extract`: the destination is split into a grid of slices of
    the source's shape, and the source replaces the slice at the unsigned
    indices. An index outside of the grid is undefined. (C1) Element types and
    ranks agree. (C2) The source's extents divide the destination's. (C3) There
    is one index per dimension.

    ```mlir
    %0 = insert %piece, %m[%r, %c] : tile<4x32xi32>, tile<8x128xi32>
    ```
  }];
  let arguments = (ins CudaTile_TileType:$source,
                       CudaTile_TileType:$destination,
                       Variadic<CudaTile_ScalarI32>:$indices);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $source `,` $destination `[` $indices `]` attr-dict `:`
    custom<ShortType>(type($source)) `,` custom<ShortType>(type($destination))
  }];
  let hasVerifier = 1;
}

def CudaTile_OffsetOp : CudaTile_Op<"offset", "13.1",
    [Pure, SameOperandsAndResultShape, AllTypesMatch<["result", "ptr"]>]> {
  let summary = "Advances pointers by elements";
  let description = [{
    Adds the signed offset times the size of the pointee. Neither the
    multiplication nor the addition may wrap.

    ```mlir
    %0 = offset %base, %i : tile<128xptr<f32>>, tile<128xi32> -> tile<128xptr<f32>>
    ```
  }];
  let arguments = (ins CudaTile_PointerTile:$ptr, CudaTile_IntTile:$offset);
  let results = (outs CudaTile_PointerTile:$result);
  let assemblyFormat = [{
    $ptr `,` $offset attr-dict `:` custom<ShortType>(type($ptr)) `,`
    custom<ShortType>(type($offset)) `->` custom<ShortType>(type($result))
  }];
}

def CudaTile_PackOp : CudaTile_Op<"pack", "13.3",
    [Pure, AllRanksMatch<["source", "result"]>]> {
  let summary = "Packs a vector into bytes";
  let description = [{
    Reinterprets the whole vector as little-endian bytes; elements below a byte
    fill it from the low bits. (C1) Both ranks are 1. (C2) The element widths
    differ. (C3) Both have the same size, in whole bytes.

    ```mlir
    %0 = pack %x : tile<64xf4E2M1FN> -> tile<32xi8>
    ```
  }];
  let arguments = (ins CudaTile_NumberOrI4Tile:$source);
  let results = (outs CudaTile_I8Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_UnpackOp : CudaTile_Op<"unpack", "13.3",
    [Pure, AllRanksMatch<["source", "result"]>]> {
  let summary = "Unpacks a vector from bytes";
  let description = [{
    The inverse of `pack`, with the same constraints.

    ```mlir
    %0 = unpack %bytes : tile<32xi8> -> tile<64xi4>
    ```
  }];
  let arguments = (ins CudaTile_I8Tile:$source);
  let results = (outs CudaTile_NumberOrI4Tile:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_SelectOp : CudaTile_Op<"select", "13.1",
    [Pure, AllTypesMatch<["val_if_true", "val_if_false", "result"]>,
     AllShapesMatch<["cond", "val_if_true", "val_if_false", "result"]>]> {
  let summary = "Selects each element from one of two tiles";
  let description = [{
    A scalar condition does not broadcast. (C1) f4E2M1FN elements must be
    converted first.

    ```mlir
    %0 = select %c, %x, %y : tile<4x8xi1>, tile<4x8xf32>
    ```
  }];
  let arguments = (ins CudaTile_I1Tile:$cond, CudaTile_TileType:$val_if_true,
                       CudaTile_TileType:$val_if_false);
  let results = (outs CudaTile_TileType:$result);
  let assemblyFormat = [{
    $cond `,` $val_if_true `,` $val_if_false attr-dict `:`
    custom<ShortType>(type($cond)) `,` custom<ShortType>(type($result))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Grid
//===----------------------------------------------------------------------===//

def CudaTile_GetTileBlockIdOp : CudaTile_Op<"get_tile_block_id", "13.1",
    [Pure, CudaTile_NamesResults]> {
  let summary = "Reads the coordinates of this tile block in the grid";
  let description = [{
    Each coordinate is at least 0 and below the value of `get_num_tile_blocks`.

    ```mlir
    %x, %y, %z = get_tile_block_id : tile<i32>
    ```
  }];
  let results = (outs CudaTile_ScalarI32:$blockId_x,
                      CudaTile_ScalarI32:$blockId_y,
                      CudaTile_ScalarI32:$blockId_z);
  let assemblyFormat = "attr-dict `:` custom<ShortType>(type($blockId_x))";
}

def CudaTile_GetNumTileBlocksOp : CudaTile_Op<"get_num_tile_blocks", "13.1",
    [Pure, CudaTile_NamesResults]> {
  let summary = "Reads the extents of the grid";
  let description = [{
    Extents without a value in the launch are 1.

    ```mlir
    %x, %y, %z = get_num_tile_blocks : tile<i32>
    ```
  }];
  let results = (outs CudaTile_ScalarI32:$gridSize_x,
                      CudaTile_ScalarI32:$gridSize_y,
                      CudaTile_ScalarI32:$gridSize_z);
  let assemblyFormat = "attr-dict `:` custom<ShortType>(type($gridSize_x))";
}

//===----------------------------------------------------------------------===//
// Modules, kernels, globals
//===----------------------------------------------------------------------===//

def CudaTile_ModuleOp : CudaTile_Op<"module", "13.1",
    !listconcat([IsolatedFromAbove, Symbol, SymbolTable,
                 DeclareOpInterfaceMethods<OpAsmOpInterface,
                                           ["getDefaultDialect"]>],
                GraphRegionNoTerminator.traits)> {
  let summary = "Holds kernels and globals";
  let description = [{
    (C1) Only functions have debug scopes.

    ```mlir
    cuda_tile.module @kernels attributes {producer = "frontend 1.0"} {
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       CudaTile_Since<"13.3", OptionalAttr<StrAttr>>:$producer);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name)>];
  let hasVerifier = 1;
}

def CudaTile_GlobalOp : CudaTile_Op<"global", "13.1", [Symbol]> {
  let summary = "Defines a vector in global memory";
  let description = [{
    The vector is initialised when the module is loaded, and exists as long as
    the module. A `private` one is invisible to the host and can be erased; a
    `constant` one is never written. `alignment` counts bytes, 0 leaves it to
    the compiler. (C1) The value has rank 1.

    ```mlir
    global private constant @coeff alignment = 32 <f32: [1.0, 0.5]> : tile<2xf32>
    ```
  }];
  let arguments = (ins
      SymbolNameAttr:$sym_name,
      Builtin_DenseIntOrFPElementsAttr:$value,
      DefaultValuedAttr<I64Attr, "0">:$alignment,
      CudaTile_Since<"13.3", UnitAttr>:$constant,
      CudaTile_Since<"13.3",
          DefaultValuedAttr<CudaTile_SymbolVisibilityAttr,
                            "::mlir::cuda_tile::SymbolVisibility::Public">>
          :$symbol_visibility);
  let assemblyFormat = [{
    custom<GlobalVisibility>($symbol_visibility) (`constant` $constant^)?
    $sym_name (`alignment` `=` $alignment^)? attr-dict
    custom<DenseLiteral>($value)
  }];
  let hasVerifier = 1;
}

def CudaTile_GetGlobalOp : CudaTile_Op<"get_global", "13.1",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Returns the address of a global";
  let description = [{
    The pointer points to element 0. (C1) The symbol is a global. (C2) The
    pointer has its element type.

    ```mlir
    %0 = get_global @coeff : tile<ptr<f32>>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs CudaTile_ScalarPointer:$result);
  let assemblyFormat =
      "$name attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_EntryOp : CudaTile_Op<"entry", "13.1",
    [FunctionOpInterface, IsolatedFromAbove,
     SingleBlockImplicitTerminator<"::mlir::cuda_tile::ReturnOp">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getDefaultDialect"]>]> {
  let summary = "Defines a kernel";
  let description = [{
    Every point of the launch grid runs the body once. (C1) There are no results.
    (C2) Tile arguments are scalars. (C3) Debug scopes of the body belong to the
    kernel's subprogram, which has the kernel's name.

    ```mlir
    entry @scale(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {occupancy = 4}> {
      return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs,
                       OptionalAttr<CudaTile_OptimizationHintsAttr>
                           :$optimization_hints);
  let regions = (region SizedRegion<1>:$body);
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>,
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type,
                   "::llvm::ArrayRef<::mlir::DictionaryAttr>":$argAttrs,
                   "::llvm::ArrayRef<::mlir::DictionaryAttr>":$resAttrs)>,
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

class CudaTile_AggregateOp<string mnemonic, list<string> asmMethods>
    : CudaTile_Op<mnemonic, "13.1",
          [RecursiveMemoryEffects,
           SingleBlockImplicitTerminator<"::mlir::cuda_tile::YieldOp">,
           DeclareOpInterfaceMethods<InferTypeOpInterface>,
           DeclareOpInterfaceMethods<OpAsmOpInterface, asmMethods>]> {
  let results = (outs Variadic<CudaTile_TileType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def CudaTile_ReduceOp : CudaTile_AggregateOp<"reduce",
    ["getDefaultDialect", "getAsmResultNames", "getAsmBlockArgumentNames"]> {
  let summary = "Combines the elements along a dimension";
  let description = [{
    The body gets an element and an accumulator for each operand and yields the
    next accumulators; it is associative and `identities` are neutral. The order
    of combination is not specified. (C1) Identities have the operands' element
    types. (C2) `dim` is a dimension. (C3) The body's arguments and yielded
    values are scalars of these types. (C4) The body is pure: it has no effect on
    memory and can be speculated; the newest release only requires the former.

    ```mlir
    %sum = reduce %a dim=1 identities=[0.000000e+00 : f32] : tile<8x64xf32> -> tile<8xf32>
    (%e: tile<f32>, %acc: tile<f32>) {
      %s = addf %e, %acc : tile<f32>
      yield %s : tile<f32>
    }
    ```
  }];
  let arguments = (ins Variadic<CudaTile_TileType>:$operands,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       ArrayAttr:$identities);
  let assemblyFormat = [{
    $operands attr-dict `dim` `` `=` `` $dim `identities` `` `=` `` $identities
    `:` custom<ShortTypes>(type($operands)) `->`
    custom<ShortTypes>(type($results)) custom<ArgumentRegion>($body)
  }];
}

def CudaTile_ScanOp : CudaTile_AggregateOp<"scan", ["getDefaultDialect"]> {
  let summary = "Combines the elements up to each along a dimension";
  let description = [{
    Like `reduce`, but the result holds every intermediate value: element `j`
    combines the elements 0 to j, or from the last down to j with `reverse`. The
    body gets the accumulator first, then the element, and need not commute. The
    constraints are those of `reduce`; (C5) results have the operands' types.

    ```mlir
    %pre = scan %b dim=0 reverse=false identities=[1 : i32] : tile<32xi32> -> tile<32xi32>
    (%acc: tile<i32>, %e: tile<i32>) {
      %p = muli %acc, %e : tile<i32>
      yield %p : tile<i32>
    }
    ```
  }];
  let arguments = (ins Variadic<CudaTile_TileType>:$operands,
                       ConfinedAttr<I32Attr, [IntNonNegative]>:$dim,
                       BoolAttr:$reverse, ArrayAttr:$identities);
  let assemblyFormat = [{
    $operands attr-dict `dim` `` `=` `` $dim `reverse` `` `=` `` $reverse
    `identities` `` `=` `` $identities `:` custom<ShortTypes>(type($operands))
    `->` custom<ShortTypes>(type($results)) custom<ArgumentRegion>($body)
  }];
}

#endif // DIALECTS_CUDA_TILE_OPS_CORE_TD
