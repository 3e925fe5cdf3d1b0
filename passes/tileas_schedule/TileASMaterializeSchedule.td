// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_TILEASMATERIALIZESCHEDULE_TD
#define PASSES_TILEAS_SCHEDULE_TILEASMATERIALIZESCHEDULE_TD

include "mlir/Pass/PassBase.td"

def TileASMaterializeSchedule : Pass<"tileas-materialize-schedule"> {
  let summary = "Reorders loop bodies by their modulo schedules";
  let description = [{
    Writes the schedule of each loop as attributes and reorders the body. An
    anchor gets its stage (`nv_tile.aws.stage`), its place in the body of the
    software-pipelined loop (`nv_tile.aws.order`) and its cycle
    (`tileas.schedule.cycle`). A loop gets its initiation interval
    (`tileas.schedule.ii`), the lower bound of the interval (`mii`), the number
    of stages, the generator and the version of the rate table. A non-anchor
    operation is placed before its first user. Later, `unspecialized-pipeline`
    makes the copies run ahead from their places.

    The schedules come from the analysis `ScheduleAnalysis` of
    `tileas-generate-schedule-constraints`. If that pass did not run, the
    constraints are built here, with a remark. If it ran and the IR has changed
    since, the pass fails instead of building them again.

    A modulo schedule assumes operations that start as soon as they are ready; a
    single instruction stream issues in order. If a model of in-order issue sees
    no gain, the order of the body does not change.

    One remark per loop reports the interval and its bounds, the limiting
    resource, the stages, the slots and bytes of the pipelines, the registers,
    and the chosen order, or why no operation runs ahead. `schedule-trace-file`
    names a file for the schedules, in the format of Perfetto and
    chrome://tracing, or as a page if the name ends in `.html`.

    `use-AUS` marks the loops as one instruction stream
    (`tileas.schedule.unspecialized`), and `tileas-specialize-agents` then leaves
    the kernel alone. Without it each agent executes its operations in this
    order, too, so the agents cannot deadlock on each other.

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
    Statistic<"sumII", "sum-ii", "Sum of the intervals">,
    Statistic<"sumMII", "sum-mii", "Sum of the lower bounds of the intervals">,
    Statistic<"numIIAttempts", "num-ii-attempts", "Intervals that were tried">,
    Statistic<"numEvictions", "num-evictions",
              "Operations that the search evicted">,
    Statistic<"numG1Rejects", "num-g1-rejects", "Placements held over">,
    Statistic<"numG2Rejects", "num-g2-rejects", "Placements rejected after the last stage">,
    Statistic<"numG3Rejects", "num-g3-rejects", "Placements rejected without a free slot">,
    Statistic<"numG4Rejects", "num-g4-rejects",
              "Placements rejected in another stage than the group's">,
    Statistic<"numQuantized", "num-quantized",
              "Loops that were solved in coarser slots of time">,
    Statistic<"numPipes", "num-pipes", "Pipelines of loops">,
  ];
}

#endif // PASSES_TILEAS_SCHEDULE_TILEASMATERIALIZESCHEDULE_TD
