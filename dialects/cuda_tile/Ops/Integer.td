// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_INTEGER_TD
#define DIALECTS_CUDA_TILE_OPS_INTEGER_TD

include "dialects/cuda_tile/CudaTileAttrs.td"
include "dialects/cuda_tile/CudaTileTypes.td"
include "dialects/cuda_tile/Ops/FloatingPoint.td"

def CudaTile_DefaultOverflow
    : DefaultValuedAttr<CudaTile_IntegerOverflowAttr,
                        "::mlir::cuda_tile::IntegerOverflow::NONE">;

class CudaTile_IntBinaryOp<string mnemonic, list<Trait> traits = [Pure]>
    : CudaTile_Op<mnemonic, "13.1",
                  !listconcat(traits,
                              [AllTypesMatch<["lhs", "rhs", "result"]>])> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat =
      "$lhs `,` $rhs attr-dict `:` custom<ShortType>(type($result))";
}

/// Class of addi, subi, muli and shli: the program may promise that they do not
/// wrap.
class CudaTile_OverflowBinaryOp<string mnemonic>
    : CudaTile_IntBinaryOp<mnemonic> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs,
                       CudaTile_DefaultOverflow:$overflow);
  let assemblyFormat = [{
    $lhs `,` $rhs (`overflow` `` $overflow^)? attr-dict `:`
    custom<ShortType>(type($result))
  }];
}

/// Class of operations whose result depends on the signedness of integers.
class CudaTile_SignedBinaryOp<string mnemonic, list<Trait> traits = [Pure]>
    : CudaTile_IntBinaryOp<mnemonic, traits> {
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs,
                       CudaTile_SignednessAttr:$signedness);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) attr-dict `:`
    custom<ShortType>(type($result))
  }];
}

def CudaTile_AbsIOp : CudaTile_Op<"absi", "13.1",
    [Pure, AllTypesMatch<["source", "result"]>, SameOperandsAndResultShape]> {
  let summary = "Computes the absolute value of signed integers";
  let description = [{
    The result is unsigned, so that the minimum maps to its exact magnitude.

    ```mlir
    %0 = absi %i : tile<64xi32>
    ```
  }];
  let arguments = (ins CudaTile_IntTile:$source);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat =
      "$source attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_NegIOp : CudaTile_Op<"negi", "13.1",
    [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "Negates signed integers";
  let description = [{
    0 - x; the minimum wraps to itself unless `no_signed_wrap` promises that it
    does not occur. (C1) `no_unsigned_wrap` is not allowed.

    ```mlir
    %0 = negi %i overflow<no_signed_wrap> : tile<64xi32>
    ```
  }];
  let arguments = (ins CudaTile_IntTile:$source,
                       CudaTile_Since<"13.2",
                                      CudaTile_DefaultOverflow>:$overflow);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = [{
    $source (`overflow` `` $overflow^)? attr-dict `:`
    custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_AddIOp : CudaTile_OverflowBinaryOp<"addi"> {
  let summary = "Adds integers";
  let description = [{
    Wraps. `no_signed_wrap`, `no_unsigned_wrap` and `no_wrap` promise that the
    operation does not wrap as a signed one, as an unsigned one, or as either; a
    broken promise is undefined.

    ```mlir
    %0 = addi %i, %j overflow<no_wrap> : tile<64xi32>
    ```
  }];
}

def CudaTile_SubIOp : CudaTile_OverflowBinaryOp<"subi"> {
  let summary = "Subtracts integers";
  let description = [{
    Wraps; the promises are those of `addi`.

    ```mlir
    %0 = subi %i, %j : tile<64xi32>
    ```
  }];
}

def CudaTile_MulIOp : CudaTile_OverflowBinaryOp<"muli"> {
  let summary = "Multiplies integers";
  let description = [{
    The low half of the product; the promises are those of `addi`.

    ```mlir
    %0 = muli %i, %j overflow<no_unsigned_wrap> : tile<64xi32>
    ```
  }];
}

def CudaTile_MulhiIOp : CudaTile_Op<"mulhii", "13.1",
    [Pure, AllTypesMatch<["x", "y", "result"]>]> {
  let summary = "Computes the high half of an unsigned product";
  let description = [{
    The high n bits of the 2n-bit product of two unsigned n-bit integers.

    ```mlir
    %0 = mulhii %i, %j : tile<64xi32>
    ```
  }];
  let arguments = (ins CudaTile_IntTile:$x, CudaTile_IntTile:$y);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat =
      "$x `,` $y attr-dict `:` custom<ShortType>(type($result))";
}

def CudaTile_DivIOp : CudaTile_SignedBinaryOp<"divi", [NoMemoryEffect]> {
  let summary = "Divides integers";
  let description = [{
    Truncates, or rounds up (`positive_inf`) or down (`negative_inf`). A zero
    divisor and the signed minimum over -1 are undefined. (C1) The mode is one of
    the three. (C2) Unsigned division does not round down: truncate instead.

    ```mlir
    %0 = divi %i, %j signed rounding<negative_inf> : tile<64xi32>
    ```
  }];
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs,
                       CudaTile_SignednessAttr:$signedness,
                       DefaultValuedAttr<CudaTile_RoundingModeAttr,
                           "::mlir::cuda_tile::RoundingMode::ZERO">:$rounding);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) (`rounding` `` $rounding^)?
    attr-dict `:` custom<ShortType>(type($result))
  }];
  let hasVerifier = 1;
}

def CudaTile_RemIOp : CudaTile_Op<"remi", "13.1",
    [Pure, AllTypesMatch<["result", "lhs", "rhs"]>,
     AllShapesMatch<["result", "lhs", "rhs"]>]> {
  let summary = "Computes the remainder of a truncating integer division";
  let description = [{
    Computes x - trunc(x / y) * y; a signed result has the sign of x. A zero
    divisor is undefined.

    ```mlir
    %0 = remi %i, %j signed : tile<64xi32>
    ```
  }];
  let arguments = (ins CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs,
                       CudaTile_SignednessAttr:$signedness);
  let results = (outs CudaTile_IntTile:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<Signedness>($signedness) attr-dict `:`
    custom<ShortType>(type($result))
  }];
}

def CudaTile_ShLIOp : CudaTile_OverflowBinaryOp<"shli"> {
  let summary = "Shifts integers left";
  let description = [{
    Fills with zeros. The amount is unsigned; an amount of the width or more
    gives an undefined value. The promises are those of a multiplication.

    ```mlir
    %0 = shli %i, %n : tile<64xi32>
    ```
  }];
}

def CudaTile_ShRIOp : CudaTile_SignedBinaryOp<"shri"> {
  let summary = "Shifts integers right";
  let description = [{
    Fills with zeros (`unsigned`) or with the sign (`signed`). The amount is
    unsigned; an amount of the width or more gives an undefined value.

    ```mlir
    %0 = shri %i, %n unsigned : tile<64xi32>
    ```
  }];
}

def CudaTile_MaxIOp : CudaTile_SignedBinaryOp<"maxi"> {
  let summary = "Computes the maximum of two integers";
  let description = [{
    Compares in the given signedness.

    ```mlir
    %0 = maxi %i, %j signed : tile<64xi32>
    ```
  }];
}

def CudaTile_MinIOp : CudaTile_SignedBinaryOp<"mini"> {
  let summary = "Computes the minimum of two integers";
  let description = [{
    Compares in the given signedness.

    ```mlir
    %0 = mini %i, %j unsigned : tile<64xi32>
    ```
  }];
}

def CudaTile_AndIOp : CudaTile_IntBinaryOp<"andi"> {
  let summary = "Computes the bitwise and";
  let description = [{
    ```mlir
    %0 = andi %i, %j : tile<64xi32>
    ```
  }];
}

def CudaTile_OrIOp : CudaTile_IntBinaryOp<"ori"> {
  let summary = "Computes the bitwise or";
  let description = [{
    ```mlir
    %0 = ori %i, %j : tile<64xi32>
    ```
  }];
}

def CudaTile_XOrIOp : CudaTile_IntBinaryOp<"xori"> {
  let summary = "Computes the bitwise exclusive or";
  let description = [{
    ```mlir
    %0 = xori %p, %true : tile<i1>
    ```
  }];
}

def CudaTile_CmpIOp : CudaTile_CompareOp<"cmpi"> {
  let summary = "Compares integers";
  let description = [{
    Compares in the given signedness; a signed i1 that is true is -1.

    ```mlir
    %0 = cmpi greater_than_or_equal %i, %j, unsigned : tile<4x8xi32> -> tile<4x8xi1>
    ```
  }];
  let arguments = (ins
      CudaTile_ComparisonPredicateAttr:$comparison_predicate,
      CudaTile_IntTile:$lhs, CudaTile_IntTile:$rhs,
      CudaTile_SignednessAttr:$signedness);
  let results = (outs CudaTile_I1Tile:$result);
  let assemblyFormat = [{
    custom<Predicate>($comparison_predicate) $lhs `,` $rhs `,`
    custom<Signedness>($signedness) attr-dict `:` custom<ShortType>(type($lhs))
    `->` custom<ShortType>(type($result))
  }];
}

def CudaTile_MmaIOperand
    : CudaTile_TileOf<[CudaTile_I8], "mmai operand tile type">;
def CudaTile_MmaIAcc : CudaTile_TileOf<[CudaTile_I32], "mmai acc tile type">;
def CudaTile_MmaIResult
    : CudaTile_TileOf<[CudaTile_I32], "mmai result tile type">;

def CudaTile_MmaIOp : CudaTile_Op<"mmai", "13.1",
    [Pure, AllTypesMatch<["acc", "result"]>,
     AllRanksMatch<["lhs", "rhs", "acc"]>,
     CudaTile_AllElementTypesMatch<["lhs", "rhs"]>]> {
  let summary = "Multiplies integer matrices and adds an accumulator";
  let description = [{
    Each operand has its own signedness; the accumulator is signed and wraps.
    (C1) The shapes agree.

    ```mlir
    %0 = mmai %u, %v, %w unsigned signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
    ```
  }];
  let arguments = (ins CudaTile_MmaIOperand:$lhs, CudaTile_MmaIOperand:$rhs,
                       CudaTile_MmaIAcc:$acc,
                       CudaTile_SignednessAttr:$signedness_lhs,
                       CudaTile_SignednessAttr:$signedness_rhs);
  let results = (outs CudaTile_MmaIResult:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $acc custom<Signedness>($signedness_lhs)
    custom<Signedness>($signedness_rhs) attr-dict `:`
    custom<ShortType>(type($lhs)) `,` custom<ShortType>(type($rhs)) `,`
    custom<ShortType>(type($acc))
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_CUDA_TILE_OPS_INTEGER_TD
