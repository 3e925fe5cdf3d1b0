// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PASSES_NVVM_FINALIZE_TILEIRVERIFYLOWERED_TD
#define PASSES_NVVM_FINALIZE_TILEIRVERIFYLOWERED_TD

include "mlir/Pass/PassBase.td"

def TileIRVerifyLowered : Pass<"tileir-verify-lowered", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Fails at the first operation or value that the tile lowering left";
  let description = [{
    Fails at an operation of `cuda_tile`, `nv_tileaa` or `nv_tileas`, at an
    unrealized cast, or at a value whose type is or contains a type of these
    dialects or a tensor. The pass separates a fault of the tile lowering from
    one of the LLVM conversions that follow. It changes nothing.

    Input:

    ```mlir
    gpu.module @m {
      llvm.func @f(%p: !llvm.ptr) {
        %x = builtin.unrealized_conversion_cast %p : !llvm.ptr to tensor<4xf32>
        llvm.return
      }
    }
    ```

    Output: the error `'builtin.unrealized_conversion_cast' survived the tile
    lowering`.
  }];
}

#endif // PASSES_NVVM_FINALIZE_TILEIRVERIFYLOWERED_TD
