// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_UNSPECIALIZEDPIPELINE_TD
#define PASSES_TILEAS_UNSPECIALIZEDPIPELINE_TD

include "mlir/Pass/PassBase.td"

def UnspecializedPipeline
    : Pass<"unspecialized-pipeline", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Lets the copies of a loop run ahead of their use";
  let description = [{
    For a loop that fills pipelines of N slots, the copies of iteration i + N - 1
    are issued in iteration i, behind the first wait of the body and before what
    reads the slots: one stream of instructions, nothing specialized. The first
    N - 1 iterations' copies stand before the loop. Every copy is made under the
    condition that its iteration exists, so that any number of trips, none
    included, is right and no epilogue is needed. With pipelines of different
    depths the smallest counts. Slots that a product reads into the next iteration
    are not free: copies in groups run as many iterations less ahead, tensor
    copies stand behind the last release of the body instead.

    What the copies depend on, pure operations and the loop-carried values that
    they alone compute, is computed ahead as well. A loop whose copies depend on
    more than that, or that runs fewer times than there are stages, stays as it
    is, with a remark.

    Where single threads do everything, tensor copies and products in tensor
    memory, the loop stays as it is, with N slots: copies and products get warps
    of their own (`tileas-split-issuers`), and the copies run ahead by themselves.

    Where `tileas-materialize-schedule` wrote places (`nv_tile.aws.order`), the
    copies of each pipeline stand there, as far as that is between the first wait
    and the first release. Loads into registers that it has a stage ahead of the
    rest are made where it says for the next iteration, if there is one; the
    first ones stand before the loop. What it wrote on operations is removed.

    `num-stages` limits N; with 0 and 1 nothing runs ahead.

    Input:

    ```mlir
    scf.for %i = %lb to %n step %c1 iter_args(%j = %j0, %k = %k0) {
      %w = nv_tileas.pipeline.acquire %p[%j] : …
      %t = nv_tileas.async.copy %v[%m, %i] into %w …
      nv_tileas.pipeline.commit %p[%j] : …
      %s = nv_tileas.pipeline.wait %p[%k] {pending = 0} : …
      …
    ```

    Output, with 3 stages:

    ```mlir
    acquire, copy %v[%m, %lb], commit, if %lb < %n
    acquire, copy %v[%m, %lb + 1], commit, if %lb + 1 < %n
    scf.for %i = %lb to %n step %c1 iter_args(%k = %k0, %j = %j2) {
      %s = nv_tileas.pipeline.wait %p[%k] {pending = 1} : …
      acquire, copy %v[%m, %i + 2], commit, if %i + 2 < %n
      …
    ```
  }];
  let options = [
    Option<"numStages", "num-stages", "unsigned", /*default=*/"2",
           "Slots that are used at most; more hide a longer way to memory">,
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

#endif // PASSES_TILEAS_UNSPECIALIZEDPIPELINE_TD
