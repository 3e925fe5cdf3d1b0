// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_GRID_TD
#define DIALECTS_NV_TILEAA_OPS_GRID_TD

include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferIntRangeInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/nv_tileaa/NVTileAAAttrs.td"
include "dialects/nv_tileaa/NVTileAAInterfaces.td"
include "dialects/nv_tileaa/NVTileAATypes.td"

def TileAA_GetProgramIdOp : TileAA_Op<"get_program_id",
    [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                     ["inferResultRanges"]>]> {
  let summary = "Returns a coordinate of the tile block";
  let description = [{
    Between 0 and 2^24 - 2. It differs from the id of the CTA when a tile block
    has several.

    ```mlir
    %0 = nv_tileaa.get_program_id x
    %1 = nv_tileaa.get_program_id y of %pid
    ```
  }];
  let arguments = (ins TileAA_DimAttr:$dim,
                       Optional<TileAA_ProgramIdType>:$of);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<Keyword>($dim) (`of` $of^)? attr-dict";
}

def TileAA_GetNumProgramsOp : TileAA_Op<"get_num_programs",
    [Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                     ["inferResultRanges"]>]> {
  let summary = "Returns an extent of the launch grid in tile blocks";
  let description = [{
    Between 1 and 2^24 - 1.

    ```mlir
    %0 = nv_tileaa.get_num_programs y
    ```
  }];
  let arguments = (ins TileAA_DimAttr:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "custom<Keyword>($dim) attr-dict";
}

def TileAA_GridDependencyOp : TileAA_Op<"grid_dependency"> {
  let summary = "Waits for the grids before this one, or lets the next start";
  let description = [{
    `wait`: the grids on which this one depends are complete, and their writes
    are visible after the token. `launch_dependents`: grids that depend on this
    one may start. Without programmatic launch, or below sm_90, neither has an
    effect.

    ```mlir
    %1 = nv_tileaa.grid_dependency wait token %0
    ```
  }];
  let arguments = (ins TileAA_GridDependencyAttr:$kind,
                       Optional<TileAA_MemTokenType>:$token);
  let results = (outs TileAA_MemTokenType:$result_token);
  let assemblyFormat = "custom<Keyword>($kind) (`token` $token^)? attr-dict";
}

def TileAA_CancelNextProgramIdOp : TileAA_Op<"cancel_next_program_id",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Takes the next tile block from the launch queue";
  let description = [{
    ```mlir
    %pid, %t = nv_tileaa.cancel_next_program_id
    ```
  }];
  let arguments = (ins Optional<TileAA_MemTokenType>:$token);
  let results = (outs TileAA_ProgramIdType:$program_id,
                      TileAA_MemTokenType:$result_token);
  let assemblyFormat = "(`token` $token^)? attr-dict";
}

def TileAA_IsValidProgramIdOp : TileAA_Op<"is_valid_program_id", [Pure]> {
  let summary = "Returns whether the launch queue had a tile block";
  let description = [{
    ```mlir
    %0 = nv_tileaa.is_valid_program_id %pid
    ```
  }];
  let arguments = (ins TileAA_ProgramIdType:$program_id);
  let results = (outs I1:$result);
  let assemblyFormat = "$program_id attr-dict";
}

def TileAA_CreateQueueOp : TileAA_Op<"create_queue",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Makes a queue of the given depth";
  let description = [{
    ```mlir
    %q = nv_tileaa.create_queue depth = 3 : !nv_tileaa.queue<tensor<64x32xf16>>
    ```
  }];
  let arguments = (ins ConfinedAttr<I32Attr, [IntPositive]>:$depth);
  let results = (outs TileAA_QueueType:$result);
  let assemblyFormat = "`depth` `=` $depth attr-dict `:` qualified(type($result))";
}

def TileAA_QueuePutOp : TileAA_Op<"queue.put",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, SingleBlock]> {
  let summary = "Computes a payload and pushes it to a queue";
  let description = [{
    (C1) The region yields the payload types.

    ```mlir
    nv_tileaa.queue.put %q : !nv_tileaa.queue<tensor<64x32xf16>> {
      nv_tileaa.queue.yield %v : tensor<64x32xf16>
    }
    ```
  }];
  let arguments = (ins TileAA_QueueType:$queue);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$queue attr-dict `:` qualified(type($queue)) $body";
  let hasRegionVerifier = 1;
}

def TileAA_QueueGetOp : TileAA_Op<"queue.get",
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, SingleBlock]> {
  let summary = "Pops a payload from a queue";
  let description = [{
    (C1) The region takes the payload types and yields the results.

    ```mlir
    %r = nv_tileaa.queue.get %q consumer 1 : !nv_tileaa.queue<tensor<64x32xf16>>
         -> tensor<64x32xf16> {
    ^bb0(%a: tensor<64x32xf16>):
      nv_tileaa.queue.yield %a : tensor<64x32xf16>
    }
    ```
  }];
  let arguments = (ins TileAA_QueueType:$queue,
                       OptionalAttr<I32Attr>:$consumer_idx);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $queue (`consumer` $consumer_idx^)? attr-dict `:` qualified(type($queue))
    `->` type($results) $body
  }];
  let hasRegionVerifier = 1;
}

def TileAA_QueueYieldOp : TileAA_Op<"queue.yield",
    [Pure, Terminator, ReturnLike,
     ParentOneOf<["QueueGetOp", "QueuePutOp"]>]> {
  let summary = "Ends the region of a queue operation";
  let description = [{
    ```mlir
    nv_tileaa.queue.yield %v : tensor<64x32xf16>
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // DIALECTS_NV_TILEAA_OPS_GRID_TD
