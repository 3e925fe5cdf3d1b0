// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_CONTROLOPS_TD
#define DIALECTS_NV_TILEAS_OPS_CONTROLOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def TileAS_YieldOp : TileAS_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "Ends a region and yields its values";
  let description = [{
    ```mlir
    nv_tileas.yield %s : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

def TileAS_GetProgramIdOp : TileAS_Op<"get_program_id", [Pure]> {
  let summary = "Reads the tile block's coordinate";
  let description = [{
    Returns the coordinate of the tile block that the CTA was launched for, or
    of the given one.

    ```mlir
    %i = nv_tileas.get_program_id x
    %j = nv_tileas.get_program_id x of %p
    ```
  }];
  let arguments = (ins TileAA_DimAttr:$dim,
                       Optional<TileAS_ProgramId>:$of);
  let builders = [
    OpBuilder<(ins "::mlir::Type":$type, "::mlir::nv_tileaa::DimAttr":$dim), [{
      build($_builder, $_state, type, dim, ::mlir::Value());
    }]>,
  ];
  let results = (outs I32:$result);
  let assemblyFormat = "custom<GridDim>($dim) (`of` $of^)? attr-dict";
}

def TileAS_GetNumProgramsOp : TileAS_Op<"get_num_programs", [Pure]> {
  let summary = "Reads the extent of the tile grid";
  let description = [{
    ```mlir
    %n = nv_tileas.get_num_programs x
    ```
  }];
  let arguments = (ins TileAA_DimAttr:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<GridDim>($dim) attr-dict";
}

def TileAS_AssumeOp : TileAS_Op<"assume", [
    Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "States facts about a value";
  let description = [{
    The behaviour is undefined when a fact does not hold. The predicates are
    those of `nv_tileaa.assume`.

    ```mlir
    %y = nv_tileas.assume %x [#nv_tileaa.div_by<16>] : i32
    ```
  }];
  let arguments = (ins
    AnyTypeOf<[TileAS_TileOrScalar, TileAS_MemRef]>:$value,
    ArrayAttr:$predicates);
  let results = (outs AnyTypeOf<[TileAS_TileOrScalar, TileAS_MemRef]>:$result);
  let assemblyFormat = "$value $predicates attr-dict `:` type($value)";
}

def TileAS_AssertOp : TileAS_Op<"assert", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Stops the kernel unless all elements are true";
  let description = [{
    Prints message and location. An empty message prints nothing: the kernel
    traps without a call.

    ```mlir
    nv_tileas.assert %c, "negative size" : tensor<64xi1, #a>
    ```
  }];
  let arguments = (ins TileAS_BoolTile:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict `:` type($condition)";
}

def TileAS_PrintOp : TileAS_Op<"print", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Prints values";
  let description = [{
    Formats `format` as C does, and prints every element of a tile with its
    conversion. One thread prints; elements reach it through scratch memory.

    ```mlir
    %t = nv_tileas.print "x = %f\n", %x : f32 token %t0
    ```
  }];
  let arguments = (ins StrAttr:$format, Variadic<TileAS_TileOrScalar>:$args,
                       Optional<TileAS_MemToken>:$token);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = [{
    $format (`,` $args^ `:` type($args))? (`token` $token^)? attr-dict
  }];
}

def TileAS_OptimizationBarrierOp : TileAS_Op<"optimization_barrier", [
    AllTypesMatch<["values", "results"]>]> {
  let summary = "Returns its operands and hides their defining ops";
  let description = [{
    No pass folds it or moves operations across it.

    ```mlir
    %y = nv_tileas.optimization_barrier %x : tensor<64xf32, #a>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def TileAS_GridDependencyOp : TileAS_Op<"grid_dependency", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Waits for the grids before this one, or lets the next start";
  let description = [{
    Has the semantics of the `nv_tileaa` operation. Every thread waits for
    itself: its later operations come after the wait.

    ```mlir
    %t1 = nv_tileas.grid_dependency wait token %t0
    ```
  }];
  let arguments = (ins TileAA_GridDependencyAttr:$kind,
                       Optional<TileAS_MemToken>:$token);
  let results = (outs TileAS_MemToken:$result_token);
  let assemblyFormat = "custom<GridDependency>($kind) (`token` $token^)? attr-dict";
}

def TileAS_BarrierOp : TileAS_Op<"barrier", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Waits until all threads of a scope arrive";
  let description = [{
    `barrier_id` is the number of a hardware barrier; 0 is the CTA's.

    Constraints: (C1) `barrier_id` is below 16 and not for clusters.

    ```mlir
    nv_tileas.barrier cta
    ```
  }];
  let arguments = (ins TileAS_BarrierScopeAttr:$scope,
                       OptionalAttr<I32Attr>:$barrier_id);
  let assemblyFormat = "custom<BarrierScope>($scope) attr-dict";
  let hasVerifier = 1;
}

def TileAS_FenceOp : TileAS_Op<"fence", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Orders the thread's memory accesses";
  let description = [{
    Constraints: (C1) a memory scope exactly for `scope`.

    `proxy_alias` is for memory with several addresses.

    ```mlir
    nv_tileas.fence scope {mem_scope = #nv_tileaa.mem_scope<gpu>}
    ```
  }];
  let arguments = (ins TileAS_FenceKindAttr:$kind,
                       OptionalAttr<TileAA_MemScopeAttr>:$mem_scope);
  let assemblyFormat = "custom<FenceKind>($kind) attr-dict";
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_CONTROLOPS_TD
