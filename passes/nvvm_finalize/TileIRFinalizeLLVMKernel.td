// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TILEIRFINALIZELLVMKERNEL_TD
#define PASSES_NVVM_FINALIZE_TILEIRFINALIZELLVMKERNEL_TD

include "mlir/Pass/PassBase.td"

def TileIRFinalizeLLVMKernel : Pass<"tileir-finalize-llvm-kernel", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Normalizes launch attributes and linkage, and checks the limits of kernels";
  let description = [{
    Rewrites the launch attributes and the linkage of every kernel to one form,
    and checks limits, as the first pass after every function has become
    `llvm.func`.

    - `nvvm.reqntid` overrides `nvvm.maxntid`; with `tileir.launch_abi` on the
      module each kernel gets `nvvm.reqntid` and `nvvm.minctasm = 1`.
    - Dimensions are padded to three. Cluster attributes are erased on targets
      without clusters; in the tile form a cluster of several CTAs gets
      `nvvm.blocksareclusters`, a cluster of one loses its attributes.
    - Kernels have external linkage, all other definitions internal linkage.
    - Block, cluster and register bounds, parameter bytes and static shared
      memory stay within the target's limits, else an error at the kernel.

    Input:

    ```mlir
    llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.maxntid = array<i32: 256>} {
      llvm.return
    }
    ```

    Output:

    ```mlir
    llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
      llvm.return
    }
    ```
  }];
  let dependentDialects = ["::mlir::NVVM::NVVMDialect"];
  let statistics = [
    Statistic<"numKernels", "num-kernels",
              "Kernels that were finalized">,
  ];
}

#endif // PASSES_NVVM_FINALIZE_TILEIRFINALIZELLVMKERNEL_TD
