// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TESTTILEASWRAPAGENT_TD
#define PASSES_TILEAS_LOWERING_TESTTILEASWRAPAGENT_TD

include "mlir/Pass/PassBase.td"

def TestTileASWrapAgent
    : Pass<"test-tileas-wrap-agent", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Moves the body of a kernel into an agent";
  let description = [{
    Moves the body of a kernel, except the terminator, into one agent, and adds
    idle warps before the agent to the launch. A test pass: the results of a
    kernel must not depend on the warps that execute it. The agent starts at
    `first-warp`, rounded up to a multiple of its size if it has more warps. Other
    functions, and kernels with agents, do not change.

    Runs before `tileas-legalize-layouts`.

    Input:

    ```mlir
    nv_tileaa.func kernel @k() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      "test.work"() : () -> ()
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func kernel @k() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
      %warp = gpu.subgroup_id : index
      %first = arith.constant 4 : index
      %inside = arith.subi %warp, %first : index
      %count = arith.constant 4 : index
      %mine = arith.cmpi ult, %inside, %count : index
      scf.if %mine {
        "test.work"() : () -> ()
      } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
      nv_tileaa.return
    }
    ```
  }];
  let options = [
    Option<"firstWarp", "first-warp", "unsigned", "4",
           "The first warp of the agent">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::scf::SCFDialect",
  ];
}

#endif // PASSES_TILEAS_LOWERING_TESTTILEASWRAPAGENT_TD
