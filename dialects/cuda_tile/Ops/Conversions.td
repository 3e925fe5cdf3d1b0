// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_CONVERSIONS_TD
#define DIALECTS_CUDA_TILE_OPS_CONVERSIONS_TD

include "dialects/cuda_tile/CudaTileAttrs.td"
include "dialects/cuda_tile/CudaTileTypes.td"
include "dialects/cuda_tile/Ops/Integer.td"

class CudaTile_ConversionOp<string mnemonic, Type fromType, Type toType>
    : CudaTile_Op<mnemonic, "13.1", [Pure, AllShapesMatch<["from", "to"]>]> {
  let arguments = (ins fromType:$from);
  let results = (outs toType:$to);
}

/// Conversions that keep the bits.
class CudaTile_BitConversionOp<string mnemonic, Type sourceType,
                               Type resultType>
    : CudaTile_Op<mnemonic, "13.1",
                  [Pure, AllShapesMatch<["source", "result"]>]> {
  let arguments = (ins sourceType:$source);
  let results = (outs resultType:$result);
  let assemblyFormat = [{
    $source attr-dict `:` custom<ShortType>(type($source)) `->`
    custom<ShortType>(type($result))
  }];
}

def CudaTile_ExtIOp : CudaTile_ConversionOp<"exti", CudaTile_IntOrI4Tile,
                                            CudaTile_IntOrI4Tile> {
  let summary = "Widens integers";
  let description = [{
    Extends with zeros or with the sign. (C1) The result is wider.

    ```mlir
    %0 = exti %b8 unsigned : tile<32xi8> -> tile<32xi32>
    ```
  }];
  let arguments = (ins CudaTile_IntOrI4Tile:$from,
                       CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) attr-dict `:`
    custom<ShortType>(type($from)) `->` custom<ShortType>(type($to))
  }];
  let hasVerifier = 1;
}

def CudaTile_TruncIOp : CudaTile_ConversionOp<"trunci", CudaTile_IntOrI4Tile,
                                              CudaTile_IntOrI4Tile> {
  let summary = "Narrows integers";
  let description = [{
    Drops high bits. `no_signed_wrap` promises that they equal the new sign,
    `no_unsigned_wrap` that they are zero. (C1) The result is narrower.

    ```mlir
    %0 = trunci %w overflow<no_signed_wrap> : tile<32xi32> -> tile<32xi4>
    ```
  }];
  let arguments = (ins CudaTile_IntOrI4Tile:$from,
                       CudaTile_DefaultOverflow:$overflow);
  let assemblyFormat = [{
    $from (`overflow` `` $overflow^)? attr-dict `:`
    custom<ShortType>(type($from)) `->` custom<ShortType>(type($to))
  }];
  let hasVerifier = 1;
}

def CudaTile_FToFOp : CudaTile_ConversionOp<"ftof", CudaTile_FloatTile,
                                            CudaTile_FloatTile> {
  let summary = "Converts floats to another float type";
  let description = [{
    Rounds the value to the result type. Conversions to f8 and f4 saturate;
    f8E8M0FNU clamps to its range. (C1) The types differ. (C2) The rounding mode
    is legal for the conversion: `zero` or `positive_inf` to f8E8M0FNU,
    `nearest_even` to the other types of 8 and 4 bits, `nearest_even`, `zero` or
    `nearest_away` from f32 to tf32, any IEEE mode from f64 to f32,
    `nearest_even` or `zero` for other narrowing ones, any IEEE mode or
    `nearest_away` for widening ones.

    ```mlir
    %0 = ftof %x rounding<positive_inf> : tile<32xf32> -> tile<32xf8E8M0FNU>
    ```
  }];
  let arguments = (ins CudaTile_FloatTile:$from,
                       DefaultValuedAttr<CudaTile_RoundingModeAttr,
                           "::mlir::cuda_tile::RoundingMode::NEAREST_EVEN">
                           :$rounding_mode);
  let assemblyFormat = [{
    $from custom<ConversionRounding>($rounding_mode) attr-dict `:`
    custom<ShortType>(type($from)) `->` custom<ShortType>(type($to))
  }];
  let hasVerifier = 1;
}

def CudaTile_FToIOp : CudaTile_ConversionOp<"ftoi", CudaTile_FloatTile,
                                            CudaTile_IntTile> {
  let summary = "Converts floats to integers";
  let description = [{
    Truncates. The result for a NaN, an infinity or a value out of range is
    undefined; with `saturating` it is 0 for a NaN and the nearest limit of the
    result's type, in the given signedness, for the others. Without `saturating`
    an i1 is whether the number differs from zero. (C1) The only rounding mode is
    `nearest_int_to_zero`.

    ```mlir
    %0 = ftoi %x signed : tile<32xf32> -> tile<32xi16>
    ```
  }];
  let arguments = (ins CudaTile_FloatTile:$from,
                       CudaTile_SignednessAttr:$signedness,
                       CudaTile_RoundingModeAttr:$rounding_mode,
                       CudaTile_Since<"13.4", UnitAttr>:$saturating);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) custom<IntRounding>($rounding_mode)
    (`saturating` $saturating^)? attr-dict `:` custom<ShortType>(type($from)) `->`
    custom<ShortType>(type($to))
  }];
  let hasVerifier = 1;
}

def CudaTile_IToFOp : CudaTile_ConversionOp<"itof", CudaTile_IntTile,
                                            CudaTile_FloatTile> {
  let summary = "Converts integers to floats";
  let description = [{
    Rounds to nearest even. (C1) A conversion to f8E8M0FNU needs another float
    type in between. (C2) The only rounding mode is `nearest_even`.

    ```mlir
    %0 = itof %w unsigned : tile<32xi32> -> tile<32xbf16>
    ```
  }];
  let arguments = (ins CudaTile_IntTile:$from,
                       CudaTile_SignednessAttr:$signedness,
                       CudaTile_RoundingModeAttr:$rounding_mode);
  let assemblyFormat = [{
    $from custom<Signedness>($signedness) custom<IEEERounding>($rounding_mode)
    attr-dict `:` custom<ShortType>(type($from)) `->`
    custom<ShortType>(type($to))
  }];
  let hasVerifier = 1;
}

def CudaTile_BitcastOp : CudaTile_BitConversionOp<"bitcast",
    CudaTile_NumberTile, CudaTile_NumberTile> {
  let summary = "Reinterprets the bits of numbers as another type";
  let description = [{
    (C1) Both element types have the same width in bits; tf32 counts as 19.

    ```mlir
    %0 = bitcast %x : tile<32xf32> -> tile<32xi32>
    ```
  }];
  let hasVerifier = 1;
}

def CudaTile_IntToPtrOp : CudaTile_BitConversionOp<"int_to_ptr",
    CudaTile_I64Tile, CudaTile_PointerTile> {
  let summary = "Converts integers to addresses";
  let description = [{
    ```mlir
    %0 = int_to_ptr %a : tile<32xi64> -> tile<32xptr<f16>>
    ```
  }];
}

def CudaTile_PtrToIntOp : CudaTile_BitConversionOp<"ptr_to_int",
    CudaTile_PointerTile, CudaTile_I64Tile> {
  let summary = "Converts addresses to unsigned integers";
  let description = [{
    ```mlir
    %0 = ptr_to_int %p : tile<32xptr<f16>> -> tile<32xi64>
    ```
  }];
}

def CudaTile_PtrToPtrOp : CudaTile_BitConversionOp<"ptr_to_ptr",
    CudaTile_PointerTile, CudaTile_PointerTile> {
  let summary = "Changes the pointee type of pointers";
  let description = [{
    Keeps the address and its provenance.

    ```mlir
    %0 = ptr_to_ptr %p : tile<32xptr<f16>> -> tile<32xptr<i8>>
    ```
  }];
}

#endif // DIALECTS_CUDA_TILE_OPS_CONVERSIONS_TD
