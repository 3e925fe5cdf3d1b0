// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_PIPELINE_TILEASEXPANDPIPELINES_TD
#define PASSES_TILEAS_PIPELINE_TILEASEXPANDPIPELINES_TD

include "mlir/Pass/PassBase.td"

def TileASExpandPipelines
    : Pass<"tileas-expand-pipelines", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Expands pipelines to slots, groups of copies and mbarriers";
  let description = [{
    Checks first, along the loops of every pipeline, that each slot is acquired,
    filled, committed, waited for, read and released in this order, and that no
    more slots are in flight than there are. Then iterators become slot indices,
    `acquire` and `wait` become views of the multi-buffered memory, `commit`
    closes a group of copies, `wait` waits for groups and then for the other
    threads. A barrier precedes an `acquire` that would otherwise follow a
    `release` without one; `tileas-insert-barriers` orders the former users of
    the bytes.

    A pipeline that synchronizes by `mbarrier`, filled by TMA, has an mbarrier
    for each slot, initialized at the entry of the function: `acquire` announces
    the bytes of the copies, `wait` waits for the phase of the slot, which
    iterators carry beside the slot index, and `commit` is nothing. If
    `tcgen05.mma` is the one consumer, `release` is its commit to another
    mbarrier of the slot (`empty = mbarrier`), whose phase `acquire` waits for.
    A pipeline that MMAs fill is committed in the same way; the wait for it ends
    with a fence. Other producers with mbarriers, and other consumers with empty
    = mbarrier, are refused.

    A pipeline of any kind that starts again in each iteration of an enclosing
    loop counts its phases from zero: before it all threads synchronize, its
    mbarriers are re-initialized, and all threads synchronize once more. If MMAs
    release slots, the iteration ends with a wait for the last commits.

    If several warpgroups compute between two asynchronous dots, warps do not
    synchronize. Each warp arrives at an mbarrier after its wait for the dots
    that read the slot, and the copying warp waits for all of them before its
    `acquire`; the others continue, so that the MMAs of one warpgroup run while
    another computes.

    Two CTAs of a cluster that multiply together (an MMA of 256 rows) have slots
    at the same addresses. The copies of both signal the `full` mbarrier of the
    first CTA, which expects the bytes of both, waits and issues the MMAs. Their
    commits arrive at the mbarriers of both CTAs. After the loops each CTA waits
    for the last commit of each slot, so that no signal reaches a CTA that has
    ended. Barriers of the cluster stand at the entry, and where an accumulator
    is used again.

    In a cluster, tensor copies of what several CTAs need (`tileir.shared_axes`)
    stay shared where warps free the slots, at the entry of the function, and each
    CTA has boxes of its own: each copies its share for all, arrivals and waits
    name the peers (`tileir.peers`), and barriers of the cluster stand before the
    pipeline and at the end of the function. Elsewhere the attribute is removed.

    Input:

    ```mlir
    #l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
    #s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
    !v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
    !staged = !nv_tileas.buffer<[2] 32x32xf32, #s>
    !slot = !nv_tileas.buffer<32x32xf32, #s>
    !p = !nv_tileas.pipeline<2, (buffer<32x32xf32, #s>)>
    !i = !nv_tileas.pipeline_iterator<2>
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !staged -> !p
    %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
    %t = nv_tileas.async.copy %v[%i, %i] into %w {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j] : !p
    %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    %x = nv_tileas.copy %s : !slot -> tensor<32x32xf32, #l>
    nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
    ```

    Output:

    ```mlir
    // … %z and %y, both 0, and %n, bits of a slot
    %c0 = arith.constant 0 : i32
    %w = nv_tileas.view %b[%c0] {ring} : !staged -> !slot
    %t = nv_tileas.async.copy %v[%i, %i] into %w {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.async.commit_group
    nv_tileas.async.wait_group {pending = 0 : i32}
    nv_tileas.barrier agent
    // … the same of the consumer
    %d0 = arith.constant 0 : i32
    %s = nv_tileas.view %b[%d0] {ring} : !staged -> !slot
    %x = nv_tileas.copy %s : !slot -> tensor<32x32xf32, #l>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
  let statistics = [
    Statistic<"numPipelines", "num-pipelines",
              "Pipelines that were expanded">,
  ];
}

#endif // PASSES_TILEAS_PIPELINE_TILEASEXPANDPIPELINES_TD
