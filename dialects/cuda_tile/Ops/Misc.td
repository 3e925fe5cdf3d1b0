// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_MISC_TD
#define DIALECTS_CUDA_TILE_OPS_MISC_TD

include "dialects/cuda_tile/Ops/Core.td"

def CudaTile_AssumeOp : CudaTile_Op<"assume", "13.1",
    [AllTypesMatch<["value", "result"]>, CudaTile_NamesResults]> {
  let summary = "States a fact about a value";
  let description = [{
    The result is the operand, with the fact; a false fact is undefined. (C1)
    The predicate is legal for the type.

    ```mlir
    %0 = assume div_by<16>, %p : tile<ptr<f16>>
    ```
  }];
  let arguments = (ins AnyType:$value, CudaTile_AssumePredicateAttr:$predicate);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    custom<AssumePredicate>($predicate) `,` $value attr-dict `:`
    custom<ShortType>(type($value))
  }];
  let hasFolder = 1;
  let hasVerifier = 1;
}

def CudaTile_PrintTkoOp : CudaTile_Op<"print_tko", "13.1",
    [AttrSizedOperandSegments]> {
  let summary = "Prints values from the kernel";
  let description = [{
    The string has the formats of C. A tile prints its elements in row-major
    order in nested brackets, each with its format. (C1) There is one operand
    per format.

    ```mlir
    %t = print_tko "block %d of %d: 100%%\0A", %bx, %gx token=%t0 : tile<i32>, tile<i32> -> token
    ```
  }];
  let arguments = (ins StrAttr:$str, Variadic<CudaTile_TileType>:$args,
                       CudaTile_Since<"13.2",
                                      Optional<CudaTile_TokenType>>:$token);
  let results = (outs CudaTile_Since<"13.2", CudaTile_TokenType>:$result_token);
  let assemblyFormat = [{
    $str (`,` $args^)? (`token` `` `=` `` $token^)? attr-dict
    (`:` custom<ShortTypes>(type($args))^)? `->`
    custom<ShortType>(type($result_token))
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_CUDA_TILE_OPS_MISC_TD
