// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TILEIRPOSTNVVMFINALIZE_TD
#define PASSES_NVVM_FINALIZE_TILEIRPOSTNVVMFINALIZE_TD

include "mlir/Pass/PassBase.td"

def TileIRPostNVVMFinalize : Pass<"tileir-post-nvvm-finalize", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Checks a finished module and drops what only the tile pipeline needed";
  let description = [{
    The last word before serialization. Applies the rules of
    `tileir-finalize-llvm-kernel` once more (they change nothing on its output),
    checks that chip and PTX version of the target are enough for the kernels,
    erases the attributes of the tile dialects except those that the serializer
    reads (`nv_tileaa.approx`, `nv_tileaa.ftz`,
    `nv_tileaa.libnvvm_use_nvgpucomp`), sets the kind of debug information, and
    runs `verifySerializable`.

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
