// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_CONVERTTILEASTONVGPU_TD
#define PASSES_TILEAS_LOWERING_CONVERTTILEASTONVGPU_TD

include "mlir/Pass/PassBase.td"

def ConvertTileASToNVGPU : Pass<"convert-tileas-to-nvgpu"> {
  let summary = "Converts hardware atoms to NVVM operations";
  let description = [{
    Converts each `nv_tileas.atom.*`, which is one instruction, to the `nvgpu` or
    `nvvm` operation for it, or to an LLVM intrinsic if NVVM has no operation,
    and casts the words to the operand types. Integer MMAs wrap. No operation of
    `nv_tileas` remains.

    Input:

    ```mlir
    %w:2 = nv_tileas.atom.ldmatrix %p {num = 2 : i32} : !llvm.ptr<3> -> (i32, i32)
    ```

    Output:

    ```mlir
    %0 = nvvm.ldmatrix %p {eltType = #nvvm.ld_st_matrix_elt_type<b16>, layout = #nvvm.mma_layout<row>, num = 2 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %1 = llvm.extractvalue %0[0] : !llvm.struct<(i32, i32)>
    %2 = llvm.extractvalue %0[1] : !llvm.struct<(i32, i32)>
    ```
  }];
  let options = [
    Option<"useNvgpu", "use-nvgpu", "bool", /*default=*/"true",
           "Emit `nvgpu.mma.sync` where it means the same; else NVVM directly">,
  ];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect",
    "::mlir::nvgpu::NVGPUDialect",
    "::mlir::vector::VectorDialect",
  ];
  let statistics = [
    Statistic<"numAtoms", "num-atoms",
              "Matrix loads, stores and MMAs that were converted">,
  ];
}

#endif // PASSES_TILEAS_LOWERING_CONVERTTILEASTONVGPU_TD
