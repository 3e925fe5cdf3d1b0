// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_DOT_TD
#define DIALECTS_NV_TILEAA_OPS_DOT_TD

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

def TileAA_DotOp : TileAA_Op<"dot",
    [Pure, AttrSizedOperandSegments, AllTypesMatch<["c", "result"]>]> {
  let summary = "Multiplies two matrices and adds an accumulator";
  let description = [{
    Computes `a * b + c`, with an optional leading batch dimension. Signedness
    attributes say how integer inputs are read; block-scaled inputs have one
    scale for each block of K. (C1) Element types follow the table of
    accumulators. (C2) K, M, N and batch agree. (C3) Scales come in pairs and
    match type, block and shape. (C4) `fast_acc` needs 8-bit floats,
    `input_precision` needs f32.

    ```mlir
    %0 = nv_tileaa.dot %a, %b, %c
         : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32>
    %1 = nv_tileaa.dot %p, %q, %r signs(signed, unsigned)
         : tensor<16x64xi8>, tensor<64x16xi8>, tensor<16x16xi32>
    ```
  }];
  let arguments = (ins
    TileAA_NumberTensor:$a,
    TileAA_NumberTensor:$b,
    TileAA_NumberTensor:$c,
    Optional<TileAA_NumberTensor>:$sfa,
    Optional<TileAA_NumberTensor>:$sfb,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_a,
    OptionalAttr<TileAA_SignednessAttr>:$signedness_b,
    UnitAttr:$fast_acc,
    OptionalAttr<TileAA_InputPrecisionAttr>:$input_precision
  );
  let results = (outs TileAA_NumberTensor:$result);
  let assemblyFormat = [{
    $a `,` $b `,` $c
    (`signs` `(` custom<Keyword>($signedness_a)^ `,` custom<Keyword>($signedness_b) `)`)?
    (`scales` `(` $sfa^ `,` $sfb `)`)? (`fast_acc` $fast_acc^)? attr-dict `:`
    type($a) `,` type($b) `,` type($c)
    (`scales` `(` type($sfa)^ `,` type($sfb) `)`)?
  }];
  let hasVerifier = 1;
}

class TileAA_ReductionOp<string mnemonic>
    : TileAA_Op<mnemonic,
          [RecursiveMemoryEffects, RecursivelySpeculatable,
           SingleBlockImplicitTerminator<"::mlir::nv_tileaa::YieldOp">]> {
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def TileAA_ReduceOp : TileAA_ReductionOp<"reduce"> {
  let summary = "Combines the elements along one dimension";
  let description = [{
    The block takes `(elem0, acc0, elem1, acc1, ...)`, the current elements
    before their accumulators, and yields the new accumulators. The order of
    combination is open. (C1) At least one operand, one result, one identity per
    operand. (C2) The axis exists. (C3) The body is pure.

    ```mlir
    %0 = nv_tileaa.reduce %x axis = 1 identities = [0.0 : f32]
         : tensor<64x128xf32> -> tensor<64xf32> {
    ^bb0(%elem: f32, %acc: f32):
      %s = arith.addf %acc, %elem : f32
      nv_tileaa.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Variadic<TileAA_NumberTensor>:$operands, I32Attr:$axis,
                       ArrayAttr:$identities);
  let results = (outs Variadic<TileAA_NumberTile>:$results);
  let assemblyFormat = [{
    $operands `axis` `=` $axis `identities` `=` $identities attr-dict `:`
    type($operands) `->` type($results) $body
  }];
}

def TileAA_ScanOp : TileAA_ReductionOp<"scan"> {
  let summary = "Computes running combinations along one dimension";
  let description = [{
    The result includes the element itself; `reverse` starts at the end. The
    block is that of `reduce`, with the accumulator before the element. (C1) At
    least one operand, one result, one identity per operand. (C2) The axis
    exists. (C3) The body is pure.

    ```mlir
    %0 = nv_tileaa.scan %x axis = 0 reverse identities = [0.0 : f32]
         : tensor<64xf32> -> tensor<64xf32> {
    ^bb0(%acc: f32, %elem: f32):
      %s = arith.addf %acc, %elem : f32
      nv_tileaa.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Variadic<TileAA_NumberTensor>:$operands, I32Attr:$axis,
                       UnitAttr:$reverse, ArrayAttr:$identities);
  let results = (outs Variadic<TileAA_NumberTensor>:$results);
  let assemblyFormat = [{
    $operands `axis` `=` $axis (`reverse` $reverse^)? `identities` `=`
    $identities attr-dict `:` type($operands) `->` type($results) $body
  }];
}

def TileAA_HistogramOp : TileAA_Op<"histogram", [Pure]> {
  let summary = "Counts the occurrences of each bin number";
  let description = [{
    The result has one element for each bin; other values are not counted.

    ```mlir
    %0 = nv_tileaa.histogram %x : tensor<256xi32> -> tensor<16xi32>
    ```
  }];
  let arguments = (ins TileAA_IntTile:$source);
  let results = (outs TileAA_IntTile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
}

#endif // DIALECTS_NV_TILEAA_OPS_DOT_TD
