// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_TILEASMATERIALIZESCHEDULE_TD
#define PASSES_TILEAS_SCHEDULE_TILEASMATERIALIZESCHEDULE_TD

include "mlir/Pass/PassBase.td"

def TileASMaterializeSchedule : Pass<"tileas-materialize-schedule"> {
  let summary = "Orders the bodies of loops as their schedules say";
  let description = [{
    Uses the analysis `ScheduleAnalysis` of `tileas-generate-schedule-constraints`.
    Where there is none and nothing says that there was one, constraints are built
    here, with a remark; where there was one and the IR is another now, that is an
    error, never built again in silence.

    Anchors get their stage (`nv_tile.aws.stage`), their place in the body of the
    pipelined loop (`nv_tile.aws.order`) and their cycle (`tileas.schedule.cycle`),
    loops the interval (`tileas.schedule.ii`), its lower bound (`mii`), the number of
    stages, the generator and the version of the table of rates. Then the body is put in
    that order, glue before its first user; `unspecialized-pipeline` lets copies
    run ahead to the places that they have. A schedule is for a machine that
    starts operations when they are ready; one stream of instructions waits
    instead. Where a model of that stream sees no gain, the order stays as it was.

    A remark per loop says the interval and its bounds, what binds it, stages,
    slots and bytes of rings, registers and the order that was chosen, or why
    nothing runs ahead. With `schedule-trace-file` the schedules are written to
    a file in the form that Perfetto and chrome://tracing open; with the ending
    `.html` as a page.

    With `use-AUS` the loops are marked as written for one stream of
    instructions (`tileas.schedule.unspecialized`), and
    `tileas-specialize-agents` makes no agents of the kernel. Without it agents
    run this order, too, each its part of it: so they cannot wait for each other
    in a circle.

    Input, whose constraints are built on demand:

    ```mlir
    #l = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
    !v = !nv_tileaa.tiled_view<128 of !nv_tileaa.memref<?xf32, strides = [1]>>
    nv_tileaa.func kernel @k(%m: !nv_tileaa.memref<?xf32, strides = [1]>, %n: i32) {
      %v = nv_tileas.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]> -> !v
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      scf.for %i = %c0 to %n step %c1 : i32 {
        %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<128xf32, #l>
        %y = arith.mulf %x, %x : tensor<128xf32, #l>
        %u = nv_tileas.tiled_store weak %y, %v[%i] : tensor<128xf32, #l>, !v[i32]
      }
      nv_tileaa.return
    }
    ```

    Output; `…` is what the tables of the target say:

    ```mlir
    nv_tileaa.func kernel @k(%m: !nv_tileaa.memref<?xf32, strides = [1]>, %n: i32) {
      // … %v, %c0 and %c1
      scf.for %i = %c0 to %n step %c1 : i32 {
        %x, %t = nv_tileas.tiled_load weak %v[%i] {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32, tileas.schedule.cycle = …} : !v[i32] -> tensor<128xf32, #l>
        %y = arith.mulf %x, %x {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 2 : i32, tileas.schedule.cycle = …} : tensor<128xf32, #l>
        %u = nv_tileas.tiled_store weak %y, %v[%i] {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 2 : i32, tileas.schedule.cycle = …} : tensor<128xf32, #l>, !v[i32]
      } {tileas.schedule.generator = "cost-based", tileas.schedule.ii = …, tileas.schedule.mii = …, tileas.schedule.model_version = …, tileas.schedule.num_stages = 3 : i32}
      nv_tileaa.return
    }
    ```
  }];
  let options = [
    Option<"v2OptLevel", "v2-opt-level", "int", /*default=*/"-1",
           "Effort, 0 to 3; -1: that of the constraints">,
    Option<"useAUS", "use-AUS", "bool", /*default=*/"false",
           "Keep the kernel one stream where agents would be possible">,
    Option<"light", "light", "bool", /*default=*/"false",
           "Keep the order of the body">,
    Option<"enableScheduleRewrite", "enable-schedule-rewrite", "bool",
           /*default=*/"true", "Reorder bodies; else only attributes">,
    Option<"scheduleTraceFile", "schedule-trace-file", "std::string",
           /*default=*/"", "File for the schedules; empty writes none">,
  ];
  let statistics = [
    Statistic<"numPipelinedLoops", "num-pipelined-loops",
              "Loops whose iterations overlap">,
    Statistic<"numReordered", "num-reordered-loops",
              "Loops whose body has another order">,
    Statistic<"sumII", "sum-ii", "Intervals, added up">,
    Statistic<"sumMII", "sum-mii", "Their lower bounds, added up">,
    Statistic<"numIIAttempts", "num-ii-attempts", "Intervals that were tried">,
    Statistic<"numEvictions", "num-evictions",
              "Operations that lost their place while one was sought">,
    Statistic<"numG1Rejects", "num-g1-rejects", "Places held over">,
    Statistic<"numG2Rejects", "num-g2-rejects", "Places behind a last stage">,
    Statistic<"numG3Rejects", "num-g3-rejects", "Places that were taken">,
    Statistic<"numG4Rejects", "num-g4-rejects",
              "Places in another stage than the group's">,
    Statistic<"numQuantized", "num-quantized",
              "Loops that were solved in coarser slots of time">,
    Statistic<"numPipes", "num-pipes", "Rings of loops">,
  ];
}

#endif // PASSES_TILEAS_SCHEDULE_TILEASMATERIALIZESCHEDULE_TD
