// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_OPTIMIZEEXECUTIONUNITMAPPING_TD
#define PASSES_WARP_SPECIALIZE_OPTIMIZEEXECUTIONUNITMAPPING_TD

include "mlir/Pass/PassBase.td"

def OptimizeExecutionUnitMapping
    : Pass<"optimize-execution-unit-mapping", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Numbers the warps of agents";
  let description = [{
    Agents that have no `warp_id` yet get one. Agents that hold tiles start at
    warp 0, larger ones before smaller ones, each at a multiple of its own size.
    An agent of less than four warps with `max_regs` gets a group of four around
    it: registers belong to such groups, and the idle warps give up theirs with
    it. Agents that have numbers keep them.

    Input:

    ```mlir
    nv_tileaa.func kernel @k() {
      %p = ub.poison : i1
      scf.if %p {
      } {nv_tileas.agent = {max_regs = 24 : i32, num_warps = 1 : i32}}
      scf.if %p {
      } {nv_tileas.agent = {max_regs = 240 : i32, num_warps = 4 : i32}}
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func kernel @k() {
      %p = ub.poison : i1
      %q = ub.poison : i1
      scf.if %q {
        scf.if %p {
        } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
      } {nv_tileas.agent = {max_regs = 24 : i32, num_warps = 4 : i32, warp_id = 0 : i32}}
      scf.if %p {
      } {nv_tileas.agent = {max_regs = 240 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
      nv_tileaa.return
    }
    ```
  }];
  let statistics = [
    Statistic<"numMapped", "num-mapped", "Agents that got their warps">,
  ];
  let dependentDialects = [
    "::mlir::ub::UBDialect",
  ];
}

#endif // PASSES_WARP_SPECIALIZE_OPTIMIZEEXECUTIONUNITMAPPING_TD
