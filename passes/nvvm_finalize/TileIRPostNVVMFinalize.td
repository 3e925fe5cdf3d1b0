// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TILEIRPOSTNVVMFINALIZE_TD
#define PASSES_NVVM_FINALIZE_TILEIRPOSTNVVMFINALIZE_TD

include "mlir/Pass/PassBase.td"

def TileIRPostNVVMFinalize : Pass<"tileir-post-nvvm-finalize", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Checks a finished module and erases attributes of the tile pipeline";
  let description = [{
    Erases the attributes of the tile dialects except those that the serializer
    reads (`nv_tileaa.approx`, `nv_tileaa.ftz`,
    `nv_tileaa.libnvvm_use_nvgpucomp`), as the last pass before serialization.
    Before it does so, it applies the rules of `tileir-finalize-llvm-kernel`
    again (they change nothing on the output of that pass) and checks that chip
    and PTX version of the target support the kernels. It sets the kind of debug
    information and runs `verifySerializable`.

    Input:

    ```mlir
    gpu.module @m [#nvvm.target<chip = "sm_90a", features = "+ptx90">] attributes {nv_tileaa.num_warps = 4 : i32} { }
    ```

    Output:

    ```mlir
    gpu.module @m [#nvvm.target<chip = "sm_90a", features = "+ptx90">] { }
    ```
  }];
  let options = [
    Option<"debuginfoLevel", "debuginfo-level", "std::string",
           /*default=*/"\"none\"",
           "Kind of every compile unit: 'full', 'line-tables', "
           "'debug-directives'; 'none' leaves them as they are">,
  ];
  let statistics = [
    Statistic<"numErased", "num-erased",
              "Number of tile attributes that were erased">,
  ];
}

#endif // PASSES_NVVM_FINALIZE_TILEIRPOSTNVVMFINALIZE_TD
