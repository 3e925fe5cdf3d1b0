// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_TILEASGENERATESCHEDULECONSTRAINTS_TD
#define PASSES_TILEAS_SCHEDULE_TILEASGENERATESCHEDULECONSTRAINTS_TD

include "mlir/Pass/PassBase.td"

def TileASGenerateScheduleConstraints
    : Pass<"tileas-generate-schedule-constraints"> {
  let summary = "Builds dependence graphs of loops and modulo-schedules them";
  let description = [{
    Builds a dependence graph of every innermost loop with at least two anchors
    and known effects, and searches for a modulo schedule. The nodes are the
    anchors: operations that occupy a functional unit of the SM, or that effects
    order. An edge is a dependence with a delay in cycles and a distance in
    iterations; non-anchor operations (scalars, views, constants) between two
    anchors are part of the edge. Functional units, durations and latencies come
    from the rate table of the target. The depth of a multi-buffered pipeline
    bounds how far its copies run ahead; shared memory and registers bound the
    depth. The search adds constraints and solves again until a schedule fits,
    at most `max-constraint-iterations` times; then the loop runs serially, with
    a remark.

    The result is the analysis `ScheduleAnalysis`, which
    `tileas-materialize-schedule` uses. The pass marks the IR with
    `tileas.schedule.node` on anchors, and with `tileas.schedule.fingerprint` and
    `tileas.schedule.options` on functions. Passes in between must keep the
    graphs: they may move, fold and merge non-anchor operations and remove unused
    results.

    The attributes `tileas.schedule.constraint.gid`, `leader_gid`, `max_depth`
    and `force_serial_execution` on loops and anchors constrain the schedule;
    `tileas.schedule.latency`, `occupancy`, `max_ii` and `max_buffers` override
    the tables.

    `enable-random-delay` adds random delays, for tests of later passes: the
    schedule differs and stays legal.

    Input:

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

    Output:

    ```mlir
    nv_tileaa.func kernel @k(%m: !nv_tileaa.memref<?xf32, strides = [1]>, %n: i32) attributes {tileas.schedule.fingerprint = …, tileas.schedule.options = …} {
      // … %v, %c0 and %c1
      scf.for %i = %c0 to %n step %c1 : i32 {
        %x, %t = nv_tileas.tiled_load weak %v[%i] {tileas.schedule.node = 0 : i32} : !v[i32] -> tensor<128xf32, #l>
        %y = arith.mulf %x, %x {tileas.schedule.node = 1 : i32} : tensor<128xf32, #l>
        %u = nv_tileas.tiled_store weak %y, %v[%i] {tileas.schedule.node = 2 : i32} : tensor<128xf32, #l>, !v[i32]
      }
      nv_tileaa.return
    }
    ```
  }];
  let options = [
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"0",
           "Warps of a function without attributes that say; 0: 4">,
    Option<"computeCapability", "compute-capability", "std::string",
           /*default=*/"", "Target; empty reads the module's attribute">,
    Option<"scheduler", "scheduler", "std::string", /*default=*/"\"default\"",
           "'default', 'serial', 'fast' or 'cost-based'">,
    Option<"v2OptLevel", "v2-opt-level", "unsigned", /*default=*/"2",
           "Effort, 0 to 3">,
    Option<"rrtSizeThreshold", "rrt-size-threshold", "unsigned",
           /*default=*/"4096",
           "Maximum number of time slots of a reservation table; 0: any number">,
    Option<"maxConstraintIterations", "max-constraint-iterations", "unsigned",
           /*default=*/"10", "Maximum number of searches for a schedule that fits">,
    Option<"maxSchedulableOps", "max-schedulable-ops", "unsigned",
           /*default=*/"20000", "Anchors of a loop above which it is serial">,
    Option<"enableRandomDelay", "enable-random-delay", "bool",
           /*default=*/"false", "Lengthen delays at random">,
    Option<"randomDelaySeed", "random-delay-seed", "uint64_t",
           /*default=*/"0", "Seed of the random delays">,
  ];
  let statistics = [
    Statistic<"numRegions", "num-regions", "Loops that were considered">,
    Statistic<"numAnchors", "num-anchors", "Operations that schedules place">,
    Statistic<"numEdges", "num-edges", "Dependences between them">,
    Statistic<"numSerialRegions", "num-serial-regions",
              "Loops whose iterations do not overlap">,
    Statistic<"numConstraintIterations", "num-constraint-iterations",
              "Searches for schedules that fit">,
    Statistic<"numNotConverged", "num-not-converged",
              "Loops for which none was found">,
    Statistic<"numConstraintsAdded", "num-constraints-added",
              "Constraints that the searches added">,
    Statistic<"numLatencyClamped", "latency-clamped",
              "Latencies above what the model knows">,
  ];
}

#endif // PASSES_TILEAS_SCHEDULE_TILEASGENERATESCHEDULECONSTRAINTS_TD
