// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TESTTILEASWRAPAGENT_TD
#define PASSES_TILEAS_LOWERING_TESTTILEASWRAPAGENT_TD

include "mlir/Pass/PassBase.td"

def TestTileASWrapAgent
    : Pass<"test-tileas-wrap-agent", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Puts the body of a kernel into an agent";
  let description = [{
    For tests: what a kernel does must not depend on which warps do it. All of
    its body but the end moves into one agent, and the launch gets as many more
    warps as lie before it, which do nothing. An agent of more warps than
    `first-warp` starts at a multiple of their number. What is no kernel, or has
    agents, stays as it is.

    Comes before `tileas-legalize-layouts`.

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
