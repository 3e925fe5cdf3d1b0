// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_MBARRIEROPS_TD
#define DIALECTS_NV_TILEAS_OPS_MBARRIEROPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Barrier objects in shared memory: what asynchronous work signals and threads
// wait for (PTX ISA, "mbarrier").

class TileAS_MbarrierOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<"mbarrier." # mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)>;

def TileAS_MbarrierAllocOp : TileAS_MbarrierOp<"alloc"> {
  let summary = "Makes barrier objects in shared memory";
  let description = [{
    They live to the end of the function. `smem_offset` is written by the
    allocation.

    Constraints: (C1) `smem_offset` is a multiple of 8 and not negative.

    ```mlir
    %m = nv_tileas.mbarrier.alloc {smem_offset = 196608 : i32} : !nv_tileas.mbarrier<[4]>
    ```
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$smem_offset);
  let results = (outs TileAS_Mbarriers:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def TileAS_MbarrierSlotOp : TileAS_Op<"mbarrier.slot", [Pure]> {
  let summary = "Takes one of several barrier objects";
  let description = [{
    A number that is no slot's is undefined.

    ```mlir
    %b = nv_tileas.mbarrier.slot %m[%i] : !nv_tileas.mbarrier<[4]>
    ```
  }];
  let arguments = (ins TileAS_Mbarriers:$barriers, I32:$index);
  let results = (outs TileAS_OneMbarrier:$result);
  let assemblyFormat = [{
    $barriers `[` $index `]` attr-dict `:` qualified(type($barriers))
  }];
}

def TileAS_MbarrierInitOp : TileAS_MbarrierOp<"init"> {
  let summary = "Starts barrier objects";
  let description = [{
    One thread does it. Phase 0 ends after `count` arrivals, and when all bytes
    that were announced are there. The others may use the objects behind a
    barrier, asynchronous work behind a fence before that. With `again` they were
    in use before, and nobody waits for them, arrives or signals any more.

    Constraints: (C1) `count` is from 1 to 2^20 - 1.

    ```mlir
    nv_tileas.mbarrier.init %m {count = 1 : i32} : !nv_tileas.mbarrier<[4]>
    ```
  }];
  let arguments = (ins TileAS_Mbarriers:$barriers, I32Attr:$count,
                       UnitAttr:$again);
  let assemblyFormat = "$barriers attr-dict `:` qualified(type($barriers))";
  let hasVerifier = 1;
}

def TileAS_MbarrierWaitOp : TileAS_MbarrierOp<"wait", [
    DeclareOpInterfaceMethods<TileAS_AsyncOpInterface,
                              ["getPendingGroups"]>]> {
  let summary = "Waits until the phase of a parity is over";
  let description = [{
    Every thread waits for itself. `parity` is 0 for the first phase and changes
    with each; on a new object a wait for 1 is over at once. What signalled the
    phase, tensor copies included, is visible behind the wait. When the
    condition is false nothing is waited for. With `products` the phase ends by
    an `umma_commit`, and all products are done that were issued before it. With
    `issuer` the elected thread waits for what it issues next, with its warp, and
    the other warps go on: they could miss a phase that the issuer is behind
    already.

    ```mlir
    nv_tileas.mbarrier.wait %b, %parity
    ```
  }];
  let arguments = (ins TileAS_OneMbarrier:$barrier, I32:$parity,
                       Optional<I1>:$condition, UnitAttr:$products,
                       UnitAttr:$issuer);
  let assemblyFormat = "$barrier `,` $parity (`if` $condition^)? attr-dict";
}

def TileAS_MbarrierArriveOp : TileAS_MbarrierOp<"arrive"> {
  let summary = "Arrives at a barrier object";
  let description = [{
    `by` says how often: once for each `warp`, behind all of its threads, once
    for each `thread`, once for the scope (`elected`, by one thread and for what
    it did alone), or once for each thread when the copies that it has issued so
    far are done: of all threads (`cp_async`), or of the first warp
    (`cp_async_warp`).

    Constraints: (C1) `cp_async` has no condition.

    ```mlir
    nv_tileas.mbarrier.arrive %b if %more {by = warp}
    ```
  }];
  let arguments = (ins TileAS_OneMbarrier:$barrier, Optional<I1>:$condition,
                       TileAS_ArrivalKindAttr:$by);
  let assemblyFormat = [{
    $barrier (`if` $condition^)? ` ` `{` `by` `=` custom<ArrivalKind>($by) `}`
    attr-dict
  }];
  let hasVerifier = 1;
}

def TileAS_MbarrierArriveExpectTxOp : TileAS_MbarrierOp<"arrive_expect_tx"> {
  let summary = "Arrives at a barrier object and announces bytes";
  let description = [{
    One thread of the scope does it. The phase does not end before asynchronous
    copies that signal the object have brought `bytes` bytes more.

    Constraints: (C1) `bytes` is from 0 to 2^20 - 1.

    ```mlir
    nv_tileas.mbarrier.arrive_expect_tx %b, 49152 if %more
    ```
  }];
  let arguments = (ins TileAS_OneMbarrier:$barrier, I32Attr:$bytes,
                       Optional<I1>:$condition);
  let assemblyFormat = [{
    $barrier `,` $bytes (`if` $condition^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_MBARRIEROPS_TD
