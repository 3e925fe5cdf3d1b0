// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_CONVERTTARGETTONVVM_TD
#define PASSES_NVVM_FINALIZE_CONVERTTARGETTONVVM_TD

include "mlir/Pass/PassBase.td"

def ConvertTargetToNVVM : Pass<"convert-target-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Attaches the NVVM target of a module";
  let description = [{
    Attaches one `#nvvm.target` to the module; only this pass decides about chip
    suffix and PTX version. The chip comes from `nv_tileaa.target_spec`, else
    `nv_tileaa.compute_capability`, else an existing `#nvvm.target`. The pass
    replaces an existing target and keeps its linked files and
    `ptxas-cmd-options`. From sm_90 on the chip gets the suffix `a`, unless the
    user asked for a suffix, or `arch-suffix=minimal` is given and no operation
    needs the suffix (`nv_tileas.needs_accelerated_arch`). The PTX version is
    always the newest that LLVM generates; MLIR's own check of operations against
    the chip is off, because it is narrower than the hardware. A chip that LLVM
    does not know (`sm_107`) keeps its name here; the serializer generates code
    for its family (`sm_100f`).

    Input:

    ```mlir
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} { }
    ```

    Output:

    ```mlir
    gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90",
      flags = {"-Xopt", "-fma=0", "-pragma-unroll-threshold=9900000"}, verifyTarget = false>]
      attributes {nv_tileaa.target_spec = "sm_90"} { }
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let options = [
    Option<"archSuffix", "arch-suffix", "std::string",
           /*default=*/"\"accelerated\"",
           "'accelerated': the 'a' chip from sm_90 on; 'minimal': the plain "
           "chip where it is enough">,
    Option<"optLevel", "opt-level", "int", /*default=*/"3",
           "Level 0 to 3 that the target records for the LLVM optimizer">,
    Option<"debug", "debug", "bool", /*default=*/"false",
           "Record that full debug information is wanted">,
  ];
  let statistics = [
    Statistic<"numAccelerated", "num-accelerated",
              "Modules for a chip with its suffix">,
  ];
}

#endif // PASSES_NVVM_FINALIZE_CONVERTTARGETTONVVM_TD
