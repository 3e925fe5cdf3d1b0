// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_CONVERTCUDATILETOTILEAA_TD
#define PASSES_TILEAA_CONVERTCUDATILETOTILEAA_TD

include "mlir/Pass/PassBase.td"

def ConvertCudaTileToTileAA : Pass<"convert-cudatile-to-tileaa"> {
  let summary = "Converts cuda_tile kernels to nv_tileaa, the alias-aware tile IR";
  let description = [{
    Converts the `cuda_tile.module`s in a `gpu.module` to `nv_tileaa.func`
    kernels and globals of this `gpu.module`. `cuda_tile` says what a kernel
    means; `nv_tileaa` has every address, memory order and known fact in SSA. On
    a `builtin.module`, an input of tests, the pass first wraps each
    `cuda_tile.module` into a `gpu.module`.

    Early exits of loops and kernels become values, and a `loop` without
    `continue` becomes its body. Arithmetic without modifiers becomes `arith` and
    `math`. Optimization hints become `kernel_spec`, `latency` and `allow_tma`; a
    kernel whose number of warps or CTAs comes from a hint or an option is marked
    with `nv_tileaa.fixed_warps` or `nv_tileaa.fixed_ctas`. The pass reports
    unsupported operations at the user's operations before it changes anything.
    Operations of other dialects stay as they are, and so does a module without
    `cuda_tile`.

    Input, with `compute-capability=sm_90`:

    ```mlir
    gpu.module @m {
      cuda_tile.module @m {
        entry @k(%p: tile<ptr<f32>>, %x: tile<f32>) {
          %t = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
          return
        }
      }
    }
    ```

    Output:

    ```mlir
    gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.target_spec = "sm_90"} {
      nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32>, %x: f32)
          attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
        %tok = nv_tileaa.store weak %p, %x : !nv_tileaa.ptr<f32>, f32
        nv_tileaa.return
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::cuda_tile::CudaTileDialect",
    "::mlir::gpu::GPUDialect",
    "::mlir::LLVM::LLVMDialect",
    "::mlir::math::MathDialect",
    "::mlir::nv_tileaa::TileAADialect",
    "::mlir::scf::SCFDialect",
    "::mlir::ub::UBDialect",
  ];
  let options = [
    Option<"computeCapability", "compute-capability", "std::string",
           /*default=*/"",
           "Target, as sm_90 or sm_90a; wins over the attributes of the module">,
    Option<"numWarps", "num-warps", "unsigned", /*default=*/"4",
           "Worker warps of a CTA where no hint says otherwise">,
    Option<"numCtas", "num-ctas", "unsigned", /*default=*/"1",
           "CTAs of a tile block where no hint says otherwise">,
    Option<"fixedWarps", "fixed-warps", "bool", /*default=*/"false",
           "num-warps was asked for: mark every kernel with nv_tileaa.fixed_warps, as a hint does">,
    Option<"fixedCtas", "fixed-ctas", "bool", /*default=*/"false",
           "num-ctas was asked for: mark every kernel with nv_tileaa.fixed_ctas, as a hint does">,
    Option<"strictHints", "strict-hints", "bool", /*default=*/"false",
           "Make an optimization hint that cannot be used an error">,
    Option<"keepAssumes", "keep-assumes", "bool", /*default=*/"true",
           "Keep the assumptions of the program; false drops them, to find a wrong one">,
  ];
  let statistics = [
    Statistic<"numOpsConverted", "num-ops-converted",
              "Number of cuda_tile operations">,
    Statistic<"numUpstreamOps", "num-upstream-ops",
              "Number of upstream operations after it">,
    Statistic<"numTileAAOps", "num-tileaa-ops",
              "Number of nv_tileaa operations after it">,
    Statistic<"numLoopsRestructured", "num-loops-restructured",
              "Number of loops whose exits were moved">,
    Statistic<"numExitTests", "num-exit-tests",
              "Number of tests inserted after partial exits">,
    Statistic<"numSingleTrips", "num-single-trips",
              "Number of loops of one iteration that became their bodies">,
    Statistic<"numHintsApplied", "num-hints-applied",
              "Number of optimization hints that had an effect">,
    Statistic<"numHintsIgnored", "num-hints-ignored",
              "Number of optimization hints without effect">,
    Statistic<"numAssumes", "num-assumes", "Number of assumptions">,
  ];
}

#endif // PASSES_TILEAA_CONVERTCUDATILETOTILEAA_TD
