// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_MATH_TD
#define DIALECTS_NV_TILEAA_OPS_MATH_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

//===----------------------------------------------------------------------===//
// Elementwise math with modifiers; everything without is arith and math.
//===----------------------------------------------------------------------===//

class TileAA_MathOp<string mnemonic, list<Trait> traits = []>
    : TileAA_Op<mnemonic, traits # [Pure, SameOperandsAndResultType,
                                    Elementwise, Scalarizable, Vectorizable,
                                    Tensorizable]> {
  let results = (outs TileAA_MathTile:$result);
  let hasVerifier = 1;
}

class TileAA_RoundedBinaryOp<string mnemonic, list<Trait> traits = []>
    : TileAA_MathOp<mnemonic, traits> {
  let arguments = (ins
    TileAA_MathTile:$lhs,
    TileAA_MathTile:$rhs,
    DefaultValuedAttr<TileAA_RoundingModeAttr,
                      "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding,
    UnitAttr:$ftz
  );
  let assemblyFormat = [{
    $lhs `,` $rhs (`rounding` `` $rounding^)? (`ftz` $ftz^)? attr-dict `:`
    type($result)
  }];
}

def TileAA_AddFOp : TileAA_RoundedBinaryOp<"addf", [Commutative]> {
  let summary = "Adds floats with a rounding mode or flush-to-zero";
  let description = [{
    (C1) Rounding is one of the four IEEE modes. (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.addf %a, %b rounding<zero> : tensor<64xf32>
    ```
  }];
}

def TileAA_SubFOp : TileAA_RoundedBinaryOp<"subf"> {
  let summary = "Subtracts floats with a rounding mode or flush-to-zero";
  let description = [{
    (C1) Rounding is one of the four IEEE modes. (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.subf %a, %b rounding<negative_inf> ftz : tensor<64xf32>
    ```
  }];
}

def TileAA_MulFOp : TileAA_RoundedBinaryOp<"mulf", [Commutative]> {
  let summary = "Multiplies floats with a rounding mode or flush-to-zero";
  let description = [{
    (C1) Rounding is one of the four IEEE modes. (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.mulf %a, %b ftz : tensor<64xf32>
    ```
  }];
}

def TileAA_DivFOp : TileAA_RoundedBinaryOp<"divf"> {
  let summary = "Divides floats with a rounding mode or flush-to-zero";
  let description = [{
    (C1) `approx` and `full` need f32. (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.divf %a, %b rounding<approx> ftz : tensor<64xf32>
    ```
  }];
}

def TileAA_FmaOp : TileAA_MathOp<"fma"> {
  let summary = "Multiplies and adds with one rounding";
  let description = [{
    (C1) Rounding is one of the four IEEE modes. (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.fma %a, %b, %c rounding<positive_inf> : tensor<64xf32>
    ```
  }];
  let arguments = (ins
    TileAA_MathTile:$a,
    TileAA_MathTile:$b,
    TileAA_MathTile:$c,
    DefaultValuedAttr<TileAA_RoundingModeAttr,
                      "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding,
    UnitAttr:$ftz
  );
  let assemblyFormat = [{
    $a `,` $b `,` $c (`rounding` `` $rounding^)? (`ftz` $ftz^)? attr-dict `:`
    type($result)
  }];
}

def TileAA_SqrtOp : TileAA_MathOp<"sqrt"> {
  let summary = "Computes a square root with a rounding mode or flush-to-zero";
  let description = [{
    (C1) Rounding is an IEEE mode or `approx`; `approx` needs f32. (C2) `ftz`
    needs f32.

    ```mlir
    %0 = nv_tileaa.sqrt %a rounding<approx> : tensor<64xf32>
    ```
  }];
  let arguments = (ins
    TileAA_MathTile:$source,
    DefaultValuedAttr<TileAA_RoundingModeAttr,
                      "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding,
    UnitAttr:$ftz
  );
  let assemblyFormat = [{
    $source (`rounding` `` $rounding^)? (`ftz` $ftz^)? attr-dict `:`
    type($result)
  }];
}

class TileAA_FtzUnaryOp<string mnemonic> : TileAA_MathOp<mnemonic> {
  let arguments = (ins TileAA_MathTile:$source, UnitAttr:$ftz);
  let assemblyFormat = "$source (`ftz` $ftz^)? attr-dict `:` type($result)";
}

def TileAA_RsqrtOp : TileAA_FtzUnaryOp<"rsqrt"> {
  let summary = "Computes a reciprocal square root with flush-to-zero";
  let description = [{
    (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.rsqrt %a ftz : tensor<64xf32>
    ```
  }];
}

def TileAA_Exp2Op : TileAA_FtzUnaryOp<"exp2"> {
  let summary = "Raises two to a power with flush-to-zero";
  let description = [{
    (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.exp2 %a ftz : tensor<64xf32>
    ```
  }];
}

class TileAA_MinMaxOp<string mnemonic> : TileAA_MathOp<mnemonic, [Commutative]> {
  let arguments = (ins TileAA_MathTile:$lhs, TileAA_MathTile:$rhs,
                       UnitAttr:$propagate_nan, UnitAttr:$ftz);
  let assemblyFormat = [{
    $lhs `,` $rhs (`propagate_nan` $propagate_nan^)? (`ftz` $ftz^)? attr-dict
    `:` type($result)
  }];
}

def TileAA_MaxFOp : TileAA_MinMaxOp<"maxf"> {
  let summary = "Returns the larger float with flush-to-zero";
  let description = [{
    +0.0 is larger than -0.0. With a NaN operand the result is NaN with
    `propagate_nan` and the other operand without. (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.maxf %a, %b propagate_nan ftz : tensor<64xf32>
    ```
  }];
}

def TileAA_MinFOp : TileAA_MinMaxOp<"minf"> {
  let summary = "Returns the smaller float with flush-to-zero";
  let description = [{
    -0.0 is smaller than +0.0. With a NaN operand the result is NaN with
    `propagate_nan` and the other operand without. (C2) `ftz` needs f32.

    ```mlir
    %0 = nv_tileaa.minf %a, %b ftz : tensor<64xf32>
    ```
  }];
}

def TileAA_ClampFOp : TileAA_MathOp<"clampf"> {
  let summary = "Clamps a float to a range";
  let description = [{
    Computes `min(max(value, lo), hi)`. Canonicalization forms it from a pair of
    upstream minimum and maximum with constant limits.

    ```mlir
    %0 = nv_tileaa.clampf %a, %lo, %hi : tensor<64xf32>
    ```
  }];
  let arguments = (ins TileAA_MathTile:$value, TileAA_MathTile:$lo,
                       TileAA_MathTile:$hi, UnitAttr:$propagate_nan);
  let assemblyFormat = [{
    $value `,` $lo `,` $hi (`propagate_nan` $propagate_nan^)? attr-dict `:`
    type($result)
  }];
  let hasVerifier = 0;
}

def TileAA_MulhiUIOp : TileAA_Op<"mulhiui",
    [Pure, Commutative, SameOperandsAndResultType, Elementwise, Scalarizable,
     Vectorizable, Tensorizable]> {
  let summary = "Returns the upper half of the unsigned product";
  let description = [{
    The upper N bits of the 2N-bit product of two unsigned N-bit integers.

    ```mlir
    %0 = nv_tileaa.mulhiui %i, %j : tensor<64xi32>
    ```
  }];
  let arguments = (ins TileAA_IntTile:$lhs, TileAA_IntTile:$rhs);
  let results = (outs TileAA_IntTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
  let hasFolder = 1;
}

def TileAA_FpToFpOp : TileAA_Op<"fp_to_fp",
    [Pure, SameOperandsAndResultShape, Elementwise, Scalarizable, Vectorizable,
     Tensorizable]> {
  let summary = "Converts between float types";
  let description = [{
    The only float conversion of the dialect; it covers pairs of equal width.
    (C1) The element types differ. (C2) A result of f8E8M0FNU rounds to `zero`
    or `positive_inf`, other f8 and f4 results to `nearest_even`, f64 to f32 by
    any IEEE mode, all others to `nearest_even` or `zero`. With `saturate`
    values beyond the range of the result become its largest finite value.

    ```mlir
    %0 = nv_tileaa.fp_to_fp %a : tensor<64xf32> -> tensor<64xbf16>
    %1 = nv_tileaa.fp_to_fp %a saturate : tensor<64xf32> -> tensor<64xf8E4M3FN>
    ```
  }];
  let arguments = (ins
    TileAA_NumberTile:$source,
    DefaultValuedAttr<TileAA_RoundingModeAttr,
                      "::mlir::nv_tileaa::RoundingMode::NearestEven">:$rounding,
    UnitAttr:$saturate
  );
  let results = (outs TileAA_NumberTile:$result);
  let assemblyFormat = [{
    $source (`rounding` `` $rounding^)? (`saturate` $saturate^)? attr-dict `:`
    type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TileAA_ExternElementwiseOp : TileAA_Op<"extern_elementwise",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Calls a scalar device function per element";
  let description = [{
    ```mlir
    %0 = nv_tileaa.extern_elementwise "my_erfinv" (%a) pure = true
         : (tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$symbol, Variadic<TileAA_Tile>:$inputs,
                       BoolAttr:$pure);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = [{
    $symbol ` ` `(` $inputs `)` `pure` `=` $pure attr-dict `:`
    functional-type($inputs, $result)
  }];
}

def TileAA_ElementwiseInlineAsmOp : TileAA_Op<"elementwise_inline_asm",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Runs PTX text per group of elements";
  let description = [{
    ```mlir
    %0 = nv_tileaa.elementwise_inline_asm "lop3.b32 $0, $1, $2, 0, 0x6a;" "=r,r,r" (%i, %j)
         pure = true packed = 1 : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints,
                       Variadic<TileAA_Tile>:$inputs, BoolAttr:$pure,
                       ConfinedAttr<I32Attr, [IntPositive]>:$packed);
  let results = (outs Variadic<TileAA_Tile>:$results);
  let assemblyFormat = [{
    $asm_string $constraints ` ` `(` $inputs `)` `pure` `=` $pure `packed` `=`
    $packed attr-dict `:` functional-type($inputs, $results)
  }];
}

def TileAA_CallElementwiseIntrinsicOp
    : TileAA_Op<"call_elementwise_intrinsic",
                [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Calls an LLVM intrinsic per element";
  let description = [{
    ```mlir
    %0 = nv_tileaa.call_elementwise_intrinsic "llvm.nvvm.lg2.approx.f" (%a) pure = true
         : (tensor<64xf32>) -> tensor<64xf32>
    ```
  }];
  let arguments = (ins StrAttr:$intrinsic, Variadic<TileAA_Tile>:$inputs,
                       BoolAttr:$pure);
  let results = (outs TileAA_Tile:$result);
  let assemblyFormat = [{
    $intrinsic ` ` `(` $inputs `)` `pure` `=` $pure attr-dict `:`
    functional-type($inputs, $result)
  }];
}

#endif // DIALECTS_NV_TILEAA_OPS_MATH_TD
