// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_PROPAGATEEXECUTIONUNIT_TD
#define PASSES_WARP_SPECIALIZE_PROPAGATEEXECUTIONUNIT_TD

include "mlir/Pass/PassBase.td"

def PropagateExecutionUnit
    : Pass<"propagate-execution-unit", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Guards each agent with a condition on the warp index";
  let description = [{
    Replaces the poison condition of each mapped agent by a comparison of the
    warp index, true in the warps of the agent alone. An agent with `max_regs`
    begins with `setmaxnreg`. Runs after `optimize-execution-unit-mapping`.

    Input:

    ```mlir
    nv_tileaa.func kernel @k() {
      %p = ub.poison : i1
      scf.if %p {
      } {nv_tileas.agent = {max_regs = 24 : i32, num_warps = 4 : i32, warp_id = 8 : i32}}
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func kernel @k() {
      %warp = gpu.subgroup_id : index
      %first = arith.constant 8 : index
      %number = arith.subi %warp, %first : index
      %count = arith.constant 4 : index
      %mine = arith.cmpi ult, %number, %count : index
      scf.if %mine {
        nvvm.setmaxregister decrease 24
      } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 8 : i32}}
      nv_tileaa.return
    }
    ```
  }];
  let statistics = [
    Statistic<"numAgents", "num-agents", "Agents with an assigned range of warps">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::NVVM::NVVMDialect",
  ];
}

#endif // PASSES_WARP_SPECIALIZE_PROPAGATEEXECUTIONUNIT_TD
