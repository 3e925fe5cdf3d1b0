// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASEXPANDPIPELINES_TD
#define PASSES_TILEAS_TILEASEXPANDPIPELINES_TD

include "mlir/Pass/PassBase.td"

def TileASExpandPipelines
    : Pass<"tileas-expand-pipelines", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Turns pipelines into stages, groups of copies and barriers";
  let description = [{
    First every pipeline is followed through its loops: each slot is acquired,
    filled, committed, waited for, read and released, in this order, and no more
    slots are under way than there are. Then iterators become numbers of stages,
    `acquire` and `wait` give views of the staged buffers, `commit` closes a
    group of copies, `wait` waits for groups and then for the other threads. A
    barrier stands before an `acquire` that would otherwise follow a `release`
    without one; what else had the bytes before is for `tileas-insert-barriers`.

    A pipeline that synchronises by `mbarrier`, filled by tensor copies, has a
    barrier object per slot, made at the entry of the function: `acquire` announces
    the bytes of the copies, `wait` waits for the phase of the slot, which
    iterators carry beside the stage, and `commit` is nothing. Where products in
    tensor memory are the one consumer, `release` is their commit to another
    object of the slot (`empty = mbarrier`), whose phase before `acquire` waits
    for. A pipeline that products fill is committed in the same way; the wait for
    it ends with a fence. Other producers with barrier objects, and other
    consumers with empty = mbarrier, are refused.

    Input, abridged:

    ```mlir
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !nv_tileas.buffer<[4] 64x64xf16, #s> -> !nv_tileas.pipeline<4, (buffer<64x64xf16, #s>)>
    %c = nv_tileas.pipeline.iterator %p consumer : !nv_tileas.pipeline<4, (buffer<64x64xf16, #s>)> -> !nv_tileas.pipeline_iterator<4>
    %s = nv_tileas.pipeline.wait %p[%c] {pending = 2 : i32} : !nv_tileas.pipeline<4, (buffer<64x64xf16, #s>)> -> !nv_tileas.buffer<64x64xf16, #s>
    ```

    Output, abridged:

    ```mlir
    %c = arith.constant 0 : i32
    nv_tileas.async.wait_group {pending = 2 : i32}
    nv_tileas.barrier agent
    %s = nv_tileas.view %b[%c] {ring} : !nv_tileas.buffer<[4] 64x64xf16, #s> -> !nv_tileas.buffer<64x64xf16, #s>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
}

#endif // PASSES_TILEAS_TILEASEXPANDPIPELINES_TD
