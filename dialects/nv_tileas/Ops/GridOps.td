// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_GRIDOPS_TD
#define DIALECTS_NV_TILEAS_OPS_GRIDOPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Tile blocks that a CTA takes from the launch queue (PTX ISA,
// "clusterlaunchcontrol").

def TileAS_InitialProgramIdOp : TileAS_Op<"initial_program_id", [Pure]> {
  let summary = "Returns the tile block that the CTA was launched for";
  let description = [{
    ```mlir
    %p = nv_tileas.initial_program_id
    ```
  }];
  let results = (outs TileAS_ProgramId:$result);
  let assemblyFormat = "attr-dict";
}

def TileAS_IsValidProgramIdOp : TileAS_Op<"is_valid_program_id", [Pure]> {
  let summary = "Returns whether a tile block exists";
  let description = [{
    True for the first one, and for one from the launch queue.

    ```mlir
    %v = nv_tileas.is_valid_program_id %p
    ```
  }];
  let arguments = (ins TileAS_ProgramId:$program_id);
  let results = (outs I1:$result);
  let assemblyFormat = "$program_id attr-dict";
}

def TileAS_ClcTryCancelOp : TileAS_Op<"clc_try_cancel", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Requests a tile block that was not launched yet";
  let description = [{
    One thread of the CTA issues the request: the thread that announces bytes at
    mbarriers. The response arrives in the buffer, as 16 bytes that are signalled
    to the mbarrier. After a response without a tile block no thread may issue
    another request. The readers of the previous response must fence and then
    synchronize with the next requester; `tileas-insert-barriers` does not insert
    this synchronization.

    Constraints: (C1) the buffer is unstaged, of 16 bytes in shared memory.

    ```mlir
    nv_tileas.clc_try_cancel %s signal %b : !nv_tileas.buffer<4xi32, #s>
    ```
  }];
  let arguments = (ins TileAS_BufferType:$buffer, TileAS_OneMbarrier:$signal);
  let assemblyFormat = [{
    $buffer `signal` $signal attr-dict `:` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TileAS_ClcQueryOp : TileAS_Op<"clc_query", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "Reads the response to a request for a tile block";
  let description = [{
    Each thread reads for itself, after its wait for the response. Without a
    tile block the coordinates are 0.

    Constraints: (C1) the buffer is unstaged, of 16 bytes in shared memory.

    ```mlir
    %p = nv_tileas.clc_query %s : !nv_tileas.buffer<4xi32, #s>
    ```
  }];
  let arguments = (ins TileAS_BufferType:$buffer);
  let results = (outs TileAS_ProgramId:$result);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_GRIDOPS_TD
