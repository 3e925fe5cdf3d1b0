// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_FLOATINGPOINT_TD
#define DIALECTS_CUDA_TILE_OPS_FLOATINGPOINT_TD

include "dialects/cuda_tile/CudaTileAttrs.td"
include "dialects/cuda_tile/CudaTileTypes.td"

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

class CudaTile_FloatUnaryOp<string mnemonic, string since,
                            list<Trait> traits = []>
    : CudaTile_Op<mnemonic, since,
                  !listconcat([Pure, AllTypesMatch<["source", "result"]>],
                              traits)> {
  let arguments = (ins CudaTile_BaseFloatTile:$source);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat =
      "$source attr-dict `:` custom<ShortType>(type($result))";
}

class CudaTile_FloatBinaryOp<string mnemonic, string since,
                             list<Trait> traits = []>
    : CudaTile_Op<mnemonic, since,
                  !listconcat([Pure, AllTypesMatch<["lhs", "rhs", "result"]>],
                              traits)> {
  let arguments = (ins CudaTile_BaseFloatTile:$lhs,
                       CudaTile_BaseFloatTile:$rhs);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` custom<ShortType>(type($result))";
}

/// Class of addf, subf, mulf and divf: rounding and flush of subnormals are
/// modifiers.
class CudaTile_RoundedBinaryOp<string mnemonic, string since,
                               string rounding = "IEEERounding">
    : CudaTile_FloatBinaryOp<mnemonic, since> {
  let arguments = (ins CudaTile_BaseFloatTile:$lhs,
                       CudaTile_BaseFloatTile:$rhs,
                       CudaTile_RoundingModeAttr:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat =
      "$lhs `,` $rhs custom<" # rounding # ">($rounding_mode) "
      "(`flush_to_zero` $flush_to_zero^)? attr-dict `:` "
      "custom<ShortType>(type($result))";
  let hasVerifier = 1;
}

class CudaTile_FloatExtremumOp<string mnemonic, string since>
    : CudaTile_FloatBinaryOp<mnemonic, since> {
  let arguments = (ins CudaTile_BaseFloatTile:$lhs,
                       CudaTile_BaseFloatTile:$rhs,
                       UnitAttr:$propagate_nan,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat =
      "$lhs `,` $rhs oilist(`flush_to_zero` $flush_to_zero | "
      "`propagate_nan` $propagate_nan) attr-dict `:` "
      "custom<ShortType>(type($result))";
  let hasVerifier = 1;
}

def CudaTile_AbsFOp : CudaTile_FloatUnaryOp<"absf", "13.1",
    [SameOperandsAndResultShape]> {
  let summary = "Clears the sign of floats";
  let description = [{
    Clears the sign bit of every element; the payload of a NaN stays.

    ```mlir
    %0 = absf %x : tile<16xf32>
    ```
  }];
}

def CudaTile_NegFOp : CudaTile_FloatUnaryOp<"negf", "13.1",
    [SameOperandsAndResultShape]> {
  let summary = "Flips the sign of floats";
  let description = [{
    Flips the sign bit of every element; the payload of a NaN stays.

    ```mlir
    %0 = negf %x : tile<16xf32>
    ```
  }];
}

def CudaTile_CeilOp : CudaTile_FloatUnaryOp<"ceil", "13.1",
    [SameOperandsAndResultShape]> {
  let summary = "Rounds floats up to integers";
  let description = [{
    The smallest integer that is not below the element, as a float. Zeros,
    infinities and NaNs pass through.

    ```mlir
    %0 = ceil %x : tile<16xf32>
    ```
  }];
}

def CudaTile_FloorOp : CudaTile_FloatUnaryOp<"floor", "13.1",
    [SameOperandsAndResultShape]> {
  let summary = "Rounds floats down to integers";
  let description = [{
    The largest integer that is not above the element, as a float. Zeros,
    infinities and NaNs pass through.

    ```mlir
    %0 = floor %x : tile<8xf16>
    ```
  }];
}

def CudaTile_AddFOp : CudaTile_RoundedBinaryOp<"addf", "13.1"> {
  let hasCanonicalizer = 1;
  let summary = "Adds floats";
  let description = [{
    IEEE addition in the given rounding mode. (C1) The mode is an IEEE one.
    (C2) `flush_to_zero` is for f32 only.

    ```mlir
    %0 = addf %x, %y rounding<zero> flush_to_zero : tile<16xf32>
    ```
  }];
}

def CudaTile_SubFOp : CudaTile_RoundedBinaryOp<"subf", "13.1"> {
  let summary = "Subtracts floats";
  let description = [{
    IEEE subtraction in the given rounding mode. (C1) The mode is an IEEE one.
    (C2) `flush_to_zero` is for f32 only.

    ```mlir
    %0 = subf %x, %y : tile<16xf32>
    ```
  }];
}

def CudaTile_MulFOp : CudaTile_RoundedBinaryOp<"mulf", "13.1"> {
  let summary = "Multiplies floats";
  let description = [{
    IEEE multiplication in the given rounding mode. (C1) The mode is an IEEE
    one. (C2) `flush_to_zero` is for f32 only; zeros keep their sign.

    ```mlir
    %0 = mulf %x, %y flush_to_zero : tile<16xf32>
    ```
  }];
}

def CudaTile_DivFOp : CudaTile_RoundedBinaryOp<"divf", "13.1", "DivRounding"> {
  let summary = "Divides floats";
  let description = [{
    IEEE division, or for f32 one of two faster divisions: `approx` multiplies
    by the reciprocal and is exact to 2 ulp while the divisor's magnitude is in
    [2^-126, 2^126]; `full` scales first and is exact to 2 ulp everywhere. (C1)
    The mode is an IEEE one, `approx` or `full`. (C2) `flush_to_zero`, (C3)
    `approx` and (C4) `full` are for f32 only.

    ```mlir
    %0 = divf %x, %y rounding<approx> : tile<16xf32>
    ```
  }];
}

def CudaTile_FmaOp : CudaTile_Op<"fma", "13.1",
    [Pure, AllTypesMatch<["lhs", "rhs", "acc", "result"]>]> {
  let summary = "Multiplies and adds floats with one rounding";
  let description = [{
    Computes lhs * rhs + acc exactly and rounds once. (C1) The mode is an IEEE
    one. (C2) `flush_to_zero` is for f32 only.

    ```mlir
    %0 = fma %x, %y, %z rounding<positive_inf> : tile<16xf32>
    ```
  }];
  let arguments = (ins CudaTile_BaseFloatTile:$lhs,
                       CudaTile_BaseFloatTile:$rhs,
                       CudaTile_BaseFloatTile:$acc,
                       CudaTile_RoundingModeAttr:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc custom<IEEERounding>($rounding_mode)
    (`flush_to_zero` $flush_to_zero^)? attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_RemFOp : CudaTile_FloatBinaryOp<"remf", "13.1"> {
  let summary = "Computes the remainder of a truncating float division";
  let description = [{
    Computes x - trunc(x / y) * y with the sign of x. A zero divisor, an infinite
    dividend or a NaN give a NaN; a finite x over an infinite y gives x.

    ```mlir
    %0 = remf %x, %y : tile<16xf32>
    ```
  }];
}

def CudaTile_MaxFOp : CudaTile_FloatExtremumOp<"maxf", "13.1"> {
  let summary = "Computes the maximum of two floats";
  let description = [{
    With one NaN the result is the number, with `propagate_nan` the NaN; two
    NaNs give the canonical NaN. +0 is larger than -0. (C1) `flush_to_zero` is
    for f32 only.

    ```mlir
    %0 = maxf %x, %y flush_to_zero propagate_nan : tile<16xf32>
    ```
  }];
}

def CudaTile_MinFOp : CudaTile_FloatExtremumOp<"minf", "13.1"> {
  let summary = "Computes the minimum of two floats";
  let description = [{
    With one NaN the result is the number, with `propagate_nan` the NaN; two
    NaNs give the canonical NaN. -0 is smaller than +0. (C1) `flush_to_zero` is
    for f32 only.

    ```mlir
    %0 = minf %x, %y propagate_nan : tile<16xf32>
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Mathematical functions
//===----------------------------------------------------------------------===//

/// Class of exp and tanh: accurate, or approximated by hardware.
class CudaTile_ApproxUnaryOp<string mnemonic, string roundingSince>
    : CudaTile_FloatUnaryOp<mnemonic, "13.1"> {
  let arguments = (ins
      CudaTile_BaseFloatTile:$source,
      CudaTile_Since<roundingSince,
                     DefaultValuedAttr<CudaTile_RoundingModeAttr,
                         "::mlir::cuda_tile::RoundingMode::FULL">>:$rounding_mode);
  let assemblyFormat = [{
    $source custom<FullRounding>($rounding_mode) attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

/// Class of exp2 and rsqrt, which may flush subnormals.
class CudaTile_FlushUnaryOp<string mnemonic>
    : CudaTile_FloatUnaryOp<mnemonic, "13.1"> {
  let arguments = (ins CudaTile_BaseFloatTile:$source,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source (`flush_to_zero` $flush_to_zero^)? attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_CosOp : CudaTile_FloatUnaryOp<"cos", "13.1"> {
  let summary = "Computes cosines";
  let description = [{
    The cosine of every element, in radians. f16 and bf16 are computed in f32.

    ```mlir
    %0 = cos %x : tile<32xf32>
    ```
  }];
}

def CudaTile_CosHOp : CudaTile_FloatUnaryOp<"cosh", "13.1"> {
  let summary = "Computes hyperbolic cosines";
  let description = [{
    The hyperbolic cosine of every element. f16 and bf16 are computed in f32.

    ```mlir
    %0 = cosh %x : tile<32xf32>
    ```
  }];
}

def CudaTile_SinOp : CudaTile_FloatUnaryOp<"sin", "13.1"> {
  let summary = "Computes sines";
  let description = [{
    The sine of every element, in radians. f16 and bf16 are computed in f32.

    ```mlir
    %0 = sin %x : tile<32xf32>
    ```
  }];
}

def CudaTile_SinHOp : CudaTile_FloatUnaryOp<"sinh", "13.1"> {
  let summary = "Computes hyperbolic sines";
  let description = [{
    The hyperbolic sine of every element. f16 and bf16 are computed in f32.

    ```mlir
    %0 = sinh %x : tile<32xf32>
    ```
  }];
}

def CudaTile_TanOp : CudaTile_FloatUnaryOp<"tan", "13.1"> {
  let summary = "Computes tangents";
  let description = [{
    The tangent of every element, in radians. f16 and bf16 are computed in f32.

    ```mlir
    %0 = tan %x : tile<32xf32>
    ```
  }];
}

def CudaTile_TanHOp : CudaTile_ApproxUnaryOp<"tanh", "13.2"> {
  let summary = "Computes hyperbolic tangents";
  let description = [{
    The hyperbolic tangent of every element, exact to 2 ulp; `approx` uses the
    hardware's instruction. (C1) The mode is `approx` or `full`. (C2) `approx` is
    for f32 only.

    ```mlir
    %0 = tanh %x rounding<approx> : tile<32xf32>
    ```
  }];
}

def CudaTile_ExpOp : CudaTile_ApproxUnaryOp<"exp", "13.3"> {
  let summary = "Computes powers of e";
  let description = [{
    e to the power of every element; `approx` multiplies by log2(e) and uses the
    hardware's power of two. (C1) The mode is `approx` or `full`. (C2) `approx`
    is for f32 only.

    ```mlir
    %0 = exp %x rounding<approx> : tile<32xf32>
    ```
  }];
}

def CudaTile_Exp2Op : CudaTile_FlushUnaryOp<"exp2"> {
  let summary = "Computes powers of two";
  let description = [{
    Two to the power of every element. (C1) `flush_to_zero` is for f32 only.

    ```mlir
    %0 = exp2 %x flush_to_zero : tile<32xf32>
    ```
  }];
}

def CudaTile_LogOp : CudaTile_FloatUnaryOp<"log", "13.1"> {
  let summary = "Computes natural logarithms";
  let description = [{
    The logarithm of every element to base e.

    ```mlir
    %0 = log %x : tile<32xf32>
    ```
  }];
}

def CudaTile_Log2Op : CudaTile_FloatUnaryOp<"log2", "13.1"> {
  let summary = "Computes binary logarithms";
  let description = [{
    The logarithm of every element to base 2.

    ```mlir
    %0 = log2 %x : tile<f64>
    ```
  }];
}

def CudaTile_SqrtOp : CudaTile_FloatUnaryOp<"sqrt", "13.1"> {
  let summary = "Computes square roots";
  let description = [{
    The square root in the given rounding mode, or the hardware's approximation.
    (C1) The mode is an IEEE one or `approx`. (C2) `flush_to_zero` and (C3)
    `approx` are for f32 only.

    ```mlir
    %0 = sqrt %d rounding<negative_inf> : tile<f64>
    ```
  }];
  let arguments = (ins CudaTile_BaseFloatTile:$source,
                       CudaTile_RoundingModeAttr:$rounding_mode,
                       UnitAttr:$flush_to_zero);
  let assemblyFormat = [{
    $source custom<SqrtRounding>($rounding_mode)
    (`flush_to_zero` $flush_to_zero^)? attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_RsqrtOp : CudaTile_FlushUnaryOp<"rsqrt"> {
  let summary = "Computes reciprocal square roots";
  let description = [{
    One over the square root of every element. (C1) `flush_to_zero` is for f32
    only.

    ```mlir
    %0 = rsqrt %x : tile<32xf32>
    ```
  }];
}

def CudaTile_PowOp : CudaTile_Op<"pow", "13.1",
    [Pure, AllTypesMatch<["result", "source", "exponent"]>,
     AllRanksMatch<["result", "source", "exponent"]>]> {
  let summary = "Raises floats to float powers";
  let description = [{
    Computes `source` to the power of `exponent`. `fpowf` is another spelling of
    the name.

    ```mlir
    %0 = pow %x, %y : tile<32xf32>
    ```
  }];
  let arguments = (ins CudaTile_BaseFloatTile:$source,
                       CudaTile_BaseFloatTile:$exponent);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat =
      "$source `,` $exponent attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_FPowIOp : CudaTile_Op<"fpowi", "13.4",
    [Pure, AllTypesMatch<["result", "source"]>,
     AllShapesMatch<["source", "exponent"]>]> {
  let summary = "Raises floats to integer powers";
  let description = [{
    Computes `source` to the power of the signed `exponent`.

    ```mlir
    %0 = fpowi %x, %n : tile<32xf32>, tile<32xi32>
    ```
  }];
  let arguments = (ins CudaTile_BaseFloatTile:$source,
                       CudaTile_TileOf<[CudaTile_I1, CudaTile_I8, CudaTile_I16,
                                        CudaTile_I32]>:$exponent);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat = [{
    $source `,` $exponent attr-dict `:` custom<ShortType>(type($source)) `,`
    custom<ShortType>(type($exponent))
  }];
}

def CudaTile_Atan2Op : CudaTile_Op<"atan2", "13.2",
    [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "Computes the angle of a point";
  let description = [{
    The arctangent of x / y in the quadrant of the signs of both: the first
    operand is the numerator.

    ```mlir
    %0 = atan2 %y, %x : tile<32xf32>
    ```
  }];
  let arguments = (ins CudaTile_BaseFloatTile:$x, CudaTile_BaseFloatTile:$y);
  let results = (outs CudaTile_BaseFloatTile:$result);
  let assemblyFormat =
      "$x `,` $y attr-dict `:` custom<ShortType>(type($result))";
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

class CudaTile_CompareOp<string mnemonic>
    : CudaTile_Op<mnemonic, "13.1",
          [Pure, AllTypesMatch<["lhs", "rhs"]>,
           TypesMatchWith<"Result type has i1 element type and same shape as "
                          "operands",
                          "lhs", "result",
                          "::mlir::cuda_tile::getI1TileLike($_self)">]>;

def CudaTile_CmpFOp : CudaTile_CompareOp<"cmpf"> {
  let summary = "Compares floats";
  let description = [{
    An ordered comparison is false when either side is a NaN, an unordered one
    true.

    ```mlir
    %0 = cmpf less_than ordered %x, %y : tile<4x8xf32> -> tile<4x8xi1>
    ```
  }];
  let arguments = (ins
      CudaTile_ComparisonPredicateAttr:$comparison_predicate,
      CudaTile_ComparisonOrderingAttr:$comparison_ordering,
      CudaTile_BaseFloatTile:$lhs, CudaTile_BaseFloatTile:$rhs);
  let results = (outs CudaTile_I1Tile:$result);
  let assemblyFormat = [{
    custom<Predicate>($comparison_predicate)
    custom<Ordering>($comparison_ordering)
    $lhs `,` $rhs attr-dict `:` custom<ShortType>(type($lhs)) `->`
    custom<ShortType>(type($result))
  }];
}

//===----------------------------------------------------------------------===//
// Matrix multiplication
//===----------------------------------------------------------------------===//

def CudaTile_MmaFOperand : CudaTile_TileOf<[
    CudaTile_F16, CudaTile_BF16, CudaTile_F32, CudaTile_F64, CudaTile_TF32,
    CudaTile_F8E4M3FN, CudaTile_F8E5M2], "mmaf operand tile type">;
def CudaTile_MmaFAcc : CudaTile_TileOf<[
    CudaTile_F16, CudaTile_F32, CudaTile_F64], "mmaf acc/result tile type">;
def CudaTile_MmaFScaledOperand : CudaTile_TileOf<[
    CudaTile_F8E4M3FN, CudaTile_F8E5M2, CudaTile_F4E2M1FN],
    "mmaf_scaled operand tile type">;
def CudaTile_MmaFScaledScale : CudaTile_TileOfNewest<
    [CudaTile_F8E4M3FN, CudaTile_F8E8M0FNU], "mmaf_scaled scale tile type">;
def CudaTile_MmaFScaledAcc
    : CudaTile_TileOf<[CudaTile_F32], "mmaf_scaled result tile type">;

def CudaTile_MmaFOp : CudaTile_Op<"mmaf", "13.1",
    [Pure, AllTypesMatch<["acc", "result"]>,
     AllRanksMatch<["lhs", "rhs", "acc"]>,
     CudaTile_AllElementTypesMatch<["lhs", "rhs"]>]> {
  let summary = "Multiplies float matrices and adds an accumulator";
  let description = [{
    Multiplies MxK by KxN and adds an MxN accumulator, with an optional leading
    batch dimension. Multiplications are exact; additions have the precision of
    the accumulator, in any order. `fast_acc` lets Hopper keep f8 accumulators in
    the tensor core for the whole loop. (C1) The shapes agree. (C2) The
    accumulator is f16 or f32 for f8 and f16, f32 for bf16, tf32 and f32, f64 for
    f64.

    ```mlir
    %0 = mmaf %a, %b, %c : tile<64x32xbf16>, tile<32x128xbf16>, tile<64x128xf32>
    ```
  }];
  let arguments = (ins CudaTile_MmaFOperand:$lhs, CudaTile_MmaFOperand:$rhs,
                       CudaTile_MmaFAcc:$acc,
                       CudaTile_Since<"13.3", UnitAttr>:$fast_acc);
  let results = (outs CudaTile_MmaFAcc:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc (`fast_acc` $fast_acc^)? attr-dict `:`
    custom<ShortType>(type($lhs)) `,` custom<ShortType>(type($rhs)) `,`
    custom<ShortType>(type($acc))
  }];
  let hasVerifier = 1;
}

def CudaTile_MmaFScaledOp : CudaTile_Op<"mmaf_scaled", "13.3",
    [Pure, AllTypesMatch<["acc", "result"]>,
     AllRanksMatch<["lhs", "rhs", "acc", "lhs_scale", "rhs_scale"]>,
     CudaTile_AllElementTypesMatch<["lhs", "rhs"]>,
     CudaTile_AllElementTypesMatch<["lhs_scale", "rhs_scale"]>]> {
  let summary = "Multiplies block-scaled float matrices and adds an accumulator";
  let description = [{
    Each run of V elements along K shares a scale: element (i, k) of the left
    side is multiplied by element (i, k / V) of its scale. Undefined for negative
    scales. (C1) The shapes agree. (C2) The scale type is legal for the elements.
    (C3) V divides K and is 32 for f8, 16 for f4 with f8E4M3FN scales, 16 or 32
    for f4 with f8E8M0FNU or fnv8E5M3FNU scales.

    ```mlir
    %0 = mmaf_scaled %x, %y, %z, %sx, %sy : tile<128x64xf8E5M2>, tile<64x128xf8E5M2>, tile<128x128xf32>, tile<128x2xf8E8M0FNU>, tile<2x128xf8E8M0FNU>
    ```
  }];
  let arguments = (ins CudaTile_MmaFScaledOperand:$lhs,
                       CudaTile_MmaFScaledOperand:$rhs,
                       CudaTile_MmaFScaledAcc:$acc,
                       CudaTile_MmaFScaledScale:$lhs_scale,
                       CudaTile_MmaFScaledScale:$rhs_scale);
  let results = (outs CudaTile_MmaFScaledAcc:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc `,` $lhs_scale `,` $rhs_scale attr-dict `:`
    custom<ShortType>(type($lhs)) `,` custom<ShortType>(type($rhs)) `,`
    custom<ShortType>(type($acc)) `,` custom<ShortType>(type($lhs_scale)) `,`
    custom<ShortType>(type($rhs_scale))
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_CUDA_TILE_OPS_FLOATINGPOINT_TD
