// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_CUDA_TILE_OPS_CONTROLFLOW_TD
#define DIALECTS_CUDA_TILE_OPS_CONTROLFLOW_TD

include "dialects/cuda_tile/Ops/Core.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

class CudaTile_TerminatorOp<string mnemonic, Type operandType,
                            list<Trait> traits>
    : CudaTile_Op<mnemonic, "13.1", !listconcat(traits, [Terminator])> {
  let arguments = (ins Variadic<operandType>:$operands);
  let builders = [OpBuilder<(ins), [{ /* no operands */ }]>];
  let assemblyFormat =
      "attr-dict ($operands^ `:` custom<ShortTypes>(type($operands)))?";
}

def CudaTile_YieldOp : CudaTile_TerminatorOp<"yield", CudaTile_AnyType,
    [Pure, ReturnLike, ParentOneOf<["IfOp", "ReduceOp", "ScanOp"]>]> {
  let summary = "Yields the results of the enclosing region";
  let description = [{
    ```mlir
    yield %a : tile<i32>
    ```
  }];
}

def CudaTile_ContinueOp : CudaTile_TerminatorOp<"continue", CudaTile_AnyType,
    [ParentOneOf<["ForOp", "IfOp", "LoopOp"]>]> {
  let summary = "Starts the next iteration of the enclosing loop";
  let description = [{
    (C1) Only `if` is between it and the loop. (C2) The operands are the values
    that the loop carries.

    ```mlir
    continue %n : tile<f32>
    ```
  }];
  let hasVerifier = 1;
}

def CudaTile_BreakOp : CudaTile_TerminatorOp<"break", CudaTile_AnyType,
    [ReturnLike, ParentOneOf<["IfOp", "LoopOp"]>]> {
  let summary = "Leaves the enclosing loop";
  let description = [{
    (C1) Only `if` is between it and the `loop`. (C2) The operands are the
    loop's results.

    ```mlir
    break %x : tile<f32>
    ```
  }];
  let hasVerifier = 1;
}

def CudaTile_ReturnOp
    : CudaTile_TerminatorOp<"return", AnyType, [ReturnLike]> {
  let summary = "Leaves the enclosing function";
  let description = [{
    (C1) Only `if` is between it and the function; in the newest release also
    `loop`. (C2) The operands are the function's results; a kernel has none.

    ```mlir
    return
    ```
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

def CudaTile_IfOp : CudaTile_Op<"if", "13.1",
    [RecursiveMemoryEffects,
     SingleBlockImplicitTerminator<"::mlir::cuda_tile::IfTerminator">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getDefaultDialect"]>]> {
  let summary = "Runs one of two regions";
  let description = [{
    A region ends in `yield`, or leaves the `if` by `break`, `continue` or
    `return`. (C1) Yielded values have the types of the results. (C2) Results
    need both regions. (C3) Views are no results.

    ```mlir
    %r = if %c -> (tile<i32>) {
      yield %a : tile<i32>
    } else {
      yield %b : tile<i32>
    }
    ```
  }];
  let arguments = (ins CudaTile_ScalarI1:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$thenRegion,
                        MaxSizedRegion<1>:$elseRegion);
  let assemblyFormat = [{
    $condition (`->` `(` custom<ShortTypes>(type($results))^ `)`)?
    custom<BranchRegion>($thenRegion) (`else` custom<BranchRegion>($elseRegion)^)?
    attr-dict
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getThenBlock() { return &getThenRegion().front(); }
    ::mlir::Block *getElseBlock() {
      return getElseRegion().empty() ? nullptr : &getElseRegion().front();
    }
    ::mlir::Operation *getThenTerminator() {
      return getThenBlock()->getTerminator();
    }
    ::mlir::Operation *getElseTerminator() {
      return getElseBlock() ? getElseBlock()->getTerminator() : nullptr;
    }
  }];
}

def CudaTile_ForOp : CudaTile_Op<"for", "13.1",
    [RecursiveMemoryEffects, AutomaticAllocationScope,
     AllTypesMatch<["lowerBound", "upperBound", "step"]>,
     SingleBlockImplicitTerminator<"::mlir::cuda_tile::ContinueOp">,
     DeclareOpInterfaceMethods<OpAsmOpInterface,
         ["getDefaultDialect", "getAsmResultNames",
          "getAsmBlockArgumentNames"]>]> {
  let summary = "Runs its region over a range of integers";
  let description = [{
    The induction variable starts at the lower bound and grows by the positive
    step while it is below the upper bound, as unsigned numbers with `unsigned`.
    Without an iteration the results are the initial values. (C1) The region has
    the induction variable as its first argument. (C2) Initial values, region
    arguments and results have the same types. (C3) Views are not carried.

    ```mlir
    %f = for unsigned %iv in (%lo to %hi, step %st) : tile<i32> iter_values(%acc = %zero) -> (tile<f32>) {
      %n = addf %acc, %x : tile<f32>
      continue %n : tile<f32>
    }
    ```
  }];
  let arguments = (ins CudaTile_ScalarInt:$lowerBound,
                       CudaTile_ScalarInt:$upperBound,
                       CudaTile_ScalarInt:$step,
                       Variadic<AnyType>:$initValues,
                       CudaTile_Since<"13.2", UnitAttr>:$unsignedCmp);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lowerBound, "::mlir::Value":$upperBound,
                   "::mlir::Value":$step,
                   CArg<"::mlir::ValueRange", "{}">:$initValues,
                   CArg<"bool", "false">:$unsignedCmp)>,
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBody() { return &getRegion().front(); }
    ::mlir::Value getInductionVar() { return getBody()->getArgument(0); }
    ::mlir::Block::BlockArgListType getRegionIterValues() {
      return getBody()->getArguments().drop_front();
    }
  }];
}

def CudaTile_LoopOp : CudaTile_Op<"loop", "13.1",
    [RecursiveMemoryEffects, AutomaticAllocationScope,
     SingleBlockImplicitTerminator<"::mlir::cuda_tile::LoopTerminator">,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getDefaultDialect"]>]> {
  let summary = "Runs its region until a break";
  let description = [{
    `continue` yields the carried values of the next iteration, `break` the
    results. (C1) Initial values and region arguments have the same types. (C2)
    Views are neither carried nor results.

    ```mlir
    %w = loop iter_values(%i = %lo) : tile<i32> -> tile<f32> {
      %done = cmpi greater_than %i, %hi, signed : tile<i32> -> tile<i1>
      if %done {
        break %x : tile<f32>
      }
      %n = addi %i, %st : tile<i32>
      continue %n : tile<i32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$initValues);
  let results = (outs Variadic<AnyType>:$resultValues);
  let regions = (region SizedRegion<1>:$region);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block *getBody() { return &getRegion().front(); }
    ::mlir::Block::BlockArgListType getRegionIterValues() {
      return getBody()->getArguments();
    }
  }];
}

def CudaTile_AssertOp : CudaTile_Op<"assert", "13.1"> {
  let summary = "Reports false elements to the host";
  let description = [{
    Every false element prints the message and its index, and the host gets an
    error. Execution may continue.

    ```mlir
    assert %mask, "negative extent" : tile<8xi1>
    ```
  }];
  let arguments = (ins CudaTile_I1Tile:$condition, StrAttr:$message);
  let assemblyFormat = [{
    $condition `,` $message attr-dict `:` custom<ShortType>(type($condition))
  }];
}

#endif // DIALECTS_CUDA_TILE_OPS_CONTROLFLOW_TD
