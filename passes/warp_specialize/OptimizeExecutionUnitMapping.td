// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_OPTIMIZEEXECUTIONUNITMAPPING_TD
#define PASSES_WARP_SPECIALIZE_OPTIMIZEEXECUTIONUNITMAPPING_TD

include "mlir/Pass/PassBase.td"

def OptimizeExecutionUnitMapping
    : Pass<"optimize-execution-unit-mapping", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Maps agents to warps";
  let description = [{
    Assigns a `warp_id` to each agent that has none. Agents with tiles start at
    warp 0, larger agents before smaller ones, each at a multiple of its size. An
    agent of fewer than four warps with `max_regs` is wrapped into an agent of
    four: `setmaxnreg` acts on whole warpgroups, so the idle warps change their
    registers with it. Agents with a `warp_id` keep it.

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
