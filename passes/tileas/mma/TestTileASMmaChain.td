// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_MMA_TESTTILEASMMACHAIN_TD
#define PASSES_TILEAS_MMA_TESTTILEASMMACHAIN_TD

include "mlir/Pass/PassBase.td"

def TestTileASMmaChain
    : Pass<"test-tileas-mma-chain", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Reports how the dots of each loop feed each other";
  let description = [{
    For tests and for questions about attention: a remark at every dot of a loop
    body says what it adds to, whether the loop carries the result on, and from
    which other dots of the iteration A is computed, through which operations.
    Changes nothing.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
    #a = #nv_tileas.layout<reg, [64, 16], mma<#atom, a, warps = [4, 1]>>
    #b = #nv_tileas.layout<reg, [16, 64], mma<#atom, b, warps = [4, 1]>>
    #c = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
    %r = scf.for %i = %lb to %ub step %step iter_args(%s = %zero) -> (tensor<64x64xf32, #c>) : i32 {
      %d = nv_tileas.dot %a, %b, %s {atom = #atom} : tensor<64x16xf16, #a>, tensor<16x64xf16, #b>, tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
      scf.yield %d : tensor<64x64xf32, #c>
    }
    ```

    Remark: `dot 0 adds to iter-arg 0, carried`
  }];
}

#endif // PASSES_TILEAS_MMA_TESTTILEASMMACHAIN_TD
