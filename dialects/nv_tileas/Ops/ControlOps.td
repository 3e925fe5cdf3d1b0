// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_CONTROLOPS_TD
#define DIALECTS_NV_TILEAS_OPS_CONTROLOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"

def TileAS_YieldOp : TileAS_Op<"yield", [
    Pure, ReturnLike, Terminator, ParentOneOf<["ReduceOp", "ScanOp"]>]> {
  let summary = "Ends a region and gives its values";
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
    Of the tile block that the CTA was launched for, or of a given one.

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
    Undefined when a fact does not hold. The predicates are those of
    `nv_tileaa.assume`.

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
    Prints message and place. An empty message prints nothing and calls nothing:
    the kernel traps.

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
    `format` is as in C; every element of a tile is printed with its conversion.
    One thread prints. Elements reach it through scratch memory.

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
  let summary = "Returns its operands and hides where they come from";
  let description = [{
    Nothing is folded or moved across it.

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
    As the operation of `nv_tileaa`. Every thread does it for itself: what it
    does afterwards comes after the wait.

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
    `barrier_id` names a hardware barrier; 0 is the CTA's.

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

    `proxy_alias` is for memory that is reached through several addresses.

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
