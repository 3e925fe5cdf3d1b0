// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TILEIRLEGALIZELLVMKERNEL_TD
#define PASSES_NVVM_FINALIZE_TILEIRLEGALIZELLVMKERNEL_TD

include "mlir/Pass/PassBase.td"

def TileIRLegalizeLLVMKernel : Pass<"tileir-legalize-llvm-kernel", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Rewrites kernel signatures to the launch ABI";
  let description = [{
    Rewrites the parameters of each kernel to the form that a launcher sees,
    before the first LLVM conversion: number, order, types and offsets do not
    change afterwards. Works on `llvm.func`, `gpu.func` and `func.func` kernels.

    - A kernel has a body, no result, and a name that ptxas accepts.
    - `gpu.known_block_size` and `gpu.known_cluster_size` (and the attributes of
      `gpu.func` of the same meaning) become `nvvm.reqntid` and `nvvm.cluster_dim`.
    - A by-value aggregate becomes a pointer with `llvm.byval` and an explicit
      `llvm.align`, loaded at entry.
    - Hidden parameters (`tileir.hidden`) come after the visible ones, the
      workspace first; tensor maps get `llvm.align = 64` and `nvvm.grid_constant`.
    - A call of `__tileir_make_tensor_map` (base, extents, strides in bytes; the
      constant fields in `tileir.tensormap`) becomes a tensor map: a hidden
      parameter with a recipe when its operands are integer expressions of the
      visible parameters, else code that builds it in the CTA's own memory or in
      the workspace. `llvm.align` and `tileir.divisible_by` must prove that base
      and strides are divisible by 16.
    - A memref parameter is an error: it has no launch ABI.

    Input:

    ```mlir
    llvm.func @k(%s: !llvm.struct<(i32, i64)>) attributes {nvvm.kernel} {
      llvm.return
    }
    ```

    Output:

    ```mlir
    llvm.func @k(%s: !llvm.ptr {llvm.align = 8 : i64, llvm.byval = !llvm.struct<(i32, i64)>}) attributes {nvvm.kernel} {
      %0 = llvm.load %s : !llvm.ptr -> !llvm.struct<(i32, i64)>
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect"];
  let statistics = [
    Statistic<"numByValue", "num-by-value",
              "Number of aggregates that are passed by pointer now">,
    Statistic<"numHostMaps", "num-host-maps",
              "Number of tensor maps that the host fills">,
    Statistic<"numDeviceMaps", "num-device-maps",
              "Number of tensor maps that kernels build">,
  ];
}

#endif // PASSES_NVVM_FINALIZE_TILEIRLEGALIZELLVMKERNEL_TD
