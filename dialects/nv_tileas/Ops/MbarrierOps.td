// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_MBARRIEROPS_TD
#define DIALECTS_NV_TILEAS_OPS_MBARRIEROPS_TD

include "dialects/nv_tileas/Ops/TileOps.td"

// Mbarriers in shared memory: asynchronous work signals them, threads wait for
// them (PTX ISA, "mbarrier").

class TileAS_MbarrierOp<string mnemonic, list<Trait> traits = []>
    : TileAS_Op<"mbarrier." # mnemonic, !listconcat(
        [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)>;

def TileAS_MbarrierAllocOp : TileAS_MbarrierOp<"alloc"> {
  let summary = "Allocates mbarriers in shared memory";
  let description = [{
    They are live to the end of the function. The allocation of shared memory
    writes `smem_offset`.

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
  let summary = "Selects one of several mbarriers";
  let description = [{
    An index outside of them is undefined.

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
  let summary = "Initializes mbarriers";
  let description = [{
    One thread executes it. Phase 0 ends after `count` arrivals and all announced
    bytes. Other threads may use the mbarriers after a barrier, asynchronous work
    after a fence before this barrier. With `again` the mbarriers are in use
    already, and no thread waits, arrives or signals any more.

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
  let summary = "Waits for the end of the phase of a parity";
  let description = [{
    Every thread waits for itself. `parity` is 0 for the first phase and
    alternates; on a new mbarrier a wait for 1 returns at once. Data of the
    signalling operations, tensor copies included, is visible after the wait.
    When the condition is false the thread does not wait. With `products` an
    `umma_commit` ends the phase, and all MMAs issued before it are complete.
    With `issuer` only the warp of the elected thread waits, for the work that
    the thread issues next, and the other warps continue: they could miss a
    phase, since the elected thread may already be past it. With `leader` only
    the first CTA of each pair waits.

    ```mlir
    nv_tileas.mbarrier.wait %b, %parity
    ```
  }];
  let arguments = (ins TileAS_OneMbarrier:$barrier, I32:$parity,
                       Optional<I1>:$condition, UnitAttr:$products,
                       UnitAttr:$issuer, UnitAttr:$leader);
  let assemblyFormat = "$barrier `,` $parity (`if` $condition^)? attr-dict";
}

def TileAS_MbarrierArriveOp : TileAS_MbarrierOp<"arrive"> {
  let summary = "Arrives at an mbarrier";
  let description = [{
    `by` gives the number of arrivals: one for each `warp`, after all of its
    threads; one for each `thread`; one for the scope (`elected`, by one thread
    and for its own work only); or one for each thread when its copies issued so
    far are complete, for all threads (`cp_async`) or for the first warp
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
  let summary = "Arrives at an mbarrier and announces bytes";
  let description = [{
    One thread of the scope executes it. The phase does not end before
    asynchronous copies that signal the mbarrier have copied `bytes` further
    bytes. With `leader` only the first CTA of each pair executes it.

    Constraints: (C1) `bytes` is from 0 to 2^20 - 1.

    ```mlir
    nv_tileas.mbarrier.arrive_expect_tx %b, 49152 if %more
    ```
  }];
  let arguments = (ins TileAS_OneMbarrier:$barrier, I32Attr:$bytes,
                       Optional<I1>:$condition, UnitAttr:$leader);
  let assemblyFormat = [{
    $barrier `,` $bytes (`if` $condition^)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_MBARRIEROPS_TD
