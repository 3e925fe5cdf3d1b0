// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_PIPELINE_UNSPECIALIZEDPIPELINE_TD
#define PASSES_TILEAS_PIPELINE_UNSPECIALIZEDPIPELINE_TD

include "mlir/Pass/PassBase.td"

def UnspecializedPipeline
    : Pass<"unspecialized-pipeline", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Software-pipelines the copies of a loop";
  let description = [{
    Moves the copies of iteration i + N - 1 of a loop that fills pipelines of N
    slots to iteration i, after the first wait of the body and before the reads
    of the slots: one stream of instructions, without warp specialization. The
    copies of the first N - 1 iterations move before the loop. Every copy is
    predicated on the existence of its iteration, so that any number of
    iterations, zero included, is right and no epilogue is needed. With
    pipelines of different depths the smallest counts. Slots that an MMA reads
    into the next iteration are not free: copies in groups run as many
    iterations less ahead, TMA copies move after the last release of the body
    instead.

    The backward slice of the copies, pure operations and iter-args that they
    alone compute, runs ahead as well. A loop whose copies depend on more, or
    that has fewer iterations than slots, stays as it is, with a remark.

    If single threads do all the work, TMA copies and `tcgen05.mma`, the loop
    stays as it is, with N slots: copies and MMAs get warps of their own
    (`tileas-split-copy-and-mma-warps`), and the copies run ahead without a schedule.

    If `tileas-materialize-schedule` wrote places (`nv_tile.aws.order`), the
    copies of each pipeline move there, as far as that is between the first wait
    and the first release. Loads into registers that it places a stage ahead of
    the rest are issued at that place for the next iteration, if there is one;
    the first ones move before the loop. The schedule attributes are erased.

    `num-stages` limits N; with 0 and 1 no copy runs ahead.

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
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s : !slot -> tensor<32x32xf32, #l>
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c1] : tensor<32x32xf32, #l>, !v[i32, i32]
      scf.yield %j1, %k1 : !i, !i
    }
    ```

    Output:

    ```mlir
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !staged -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %any = arith.cmpi slt, %c0, %n : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %any : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %any {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %any : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%old = %j0, %k = %k0, %j = %j1) -> (!i, !i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      // … the next iteration %q, and %more if there is one
      %w = nv_tileas.pipeline.acquire %p[%j] if %more : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %more {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %more : !p
      %j2 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> tensor<32x32xf32, #l>
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c1] : tensor<32x32xf32, #l>, !v[i32, i32]
      scf.yield %old, %k1, %j2 : !i, !i, !i
    }
    %e = nv_tileas.pipeline.iterator %p producer from %r#1 : !p -> !i
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "unsigned", /*default=*/"2",
           "Maximum number of slots; more slots hide a longer memory latency">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect",
  ];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Loops whose copies run ahead">,
    Statistic<"numEarlyLoads", "num-early-loads",
              "Loads into registers that run an iteration ahead">,
  ];
}

#endif // PASSES_TILEAS_PIPELINE_UNSPECIALIZEDPIPELINE_TD
