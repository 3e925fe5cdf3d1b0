// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TILEIRGPUMODULEPREPARE_TD
#define PASSES_NVVM_FINALIZE_TILEIRGPUMODULEPREPARE_TD

include "mlir/Pass/PassBase.td"

def TileIRGPUModulePrepare : Pass<"tileir-gpu-module-prepare", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Checks the assumptions of the tile lowering about a module";
  let description = [{
    Reports an error at the kernel, before the tile lowering, for a module that
    cannot be compiled; later passes need no such checks:

    - the module names a target that has a tile lowering;
    - a kernel with more than one CTA per tile block runs on a target with
      clusters, and asks for at most 16; more than 8 gives a warning, because not
      every device runs such clusters;
    - `tileir.launch_abi` is `tile` or `plain`, `nv_tileaa.dynamic_persistent` is
      a unit attribute;
    - the names of kernels are unique.

    Kernels are `nv_tileaa.func kernel` or already `llvm.func` with
    `nvvm.kernel`. The pass writes only a missing `tileir.launch_abi`.

    Input:

    ```mlir
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
      llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>} { llvm.return }
    }
    ```

    Output; on `sm_80` an error:

    ```mlir
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a", tileir.launch_abi = "tile"} {
      llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 1, 1>} { llvm.return }
    }
    ```
  }];
  let statistics = [
    Statistic<"numKernels", "num-kernels",
              "Kernels that were checked">,
    Statistic<"numDefaults", "num-defaults",
              "Modules that got the default launch ABI">,
  ];
}

#endif // PASSES_NVVM_FINALIZE_TILEIRGPUMODULEPREPARE_TD
