// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_TESTING_TD
#define DIALECTS_CUDA_TILE_OPS_TESTING_TD

include "dialects/cuda_tile/Ops/Core.td"

def CudaTile_TestingBytecodeTestNewAttributeOp
    : CudaTile_Op<"testing$bytecode_test_new_attribute", "250.0"> {
  let summary = "Grows attributes in the tests of the bytecode";
  let description = [{
    ```mlir
    testing$bytecode_test_new_attribute new_flag new_param = 7
    ```
  }];
  let arguments = (ins
      CudaTile_Since<"250.1", UnitAttr>:$new_flag,
      CudaTile_Since<"250.1", DefaultValuedAttr<I32Attr, "42">>:$new_param);
  let assemblyFormat =
      "(`new_flag` $new_flag^)? (`new_param` `=` $new_param^)? attr-dict";
}

def CudaTile_TestingFuncOp : CudaTile_Op<"testing$func", "250.0",
    [FunctionOpInterface, IsolatedFromAbove,
     SingleBlockImplicitTerminator<"::mlir::cuda_tile::ReturnOp">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getDefaultDialect"]>]> {
  let summary = "Defines a function for tests";
  let description = [{
    Like `entry`, but with results and tiles of any rank as arguments.

    ```mlir
    testing$func @twice(%x: tile<8xf32>) -> tile<8xf32> {
      %y = addf %x, %x : tile<8xf32>
      return %y : tile<8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
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

def CudaTile_TestingBytecodeTestEvolutionOp
    : CudaTile_Op<"testing$bytecode_test_evolution", "250.0",
                  [AttrSizedOperandSegments]> {
  let summary = "Grows operands and results in the tests of the bytecode";
  let description = [{
    ```mlir
    %t = testing$bytecode_test_evolution(%x : !cuda_tile.tile<i32>) -> token
    ```
  }];
  let arguments = (ins
      Variadic<CudaTile_TileType>:$inputs,
      CudaTile_Since<"250.1", Optional<CudaTile_TokenType>>:$optional_token,
      CudaTile_Since<"250.1", OptionalAttr<I32Attr>>:$new_attr,
      OptionalAttr<CudaTile_BytecodeTestPriorityAttr>:$priority,
      CudaTile_Since<"250.1",
                     OptionalAttr<CudaTile_BytecodeTestValueAttr>>:$test_attr);
  let results = (outs CudaTile_Since<"250.1",
                                     CudaTile_TokenType>:$result_token);
  let assemblyFormat = [{
    `(` $inputs `:` type($inputs) `)` (`new_attr` `=` $new_attr^)?
    (`token` `=` $optional_token^ `:` custom<ShortType>(type($optional_token)))?
    (`priority` `=` $priority^)? (`test_attr` `=` $test_attr^)? `->`
    custom<ShortType>(type($result_token)) attr-dict
  }];
}

#endif // DIALECTS_CUDA_TILE_OPS_TESTING_TD
