// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_PROPAGATEEXECUTIONUNIT_TD
#define PASSES_WARP_SPECIALIZE_PROPAGATEEXECUTIONUNIT_TD

include "mlir/Pass/PassBase.td"

def PropagateExecutionUnit
    : Pass<"propagate-execution-unit", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Lets the warps of each agent come to it";
  let description = [{
    Behind `optimize-execution-unit-mapping`: an agent that has numbers and a
    poison condition gets the condition that holds in its warps alone, and where
    it has `max_regs` its warps take those registers first (`setmaxnreg`).

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
    Statistic<"numAgents", "num-agents", "Agents that warps come to">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::NVVM::NVVMDialect",
  ];
}

#endif // PASSES_WARP_SPECIALIZE_PROPAGATEEXECUTIONUNIT_TD
