// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_MMA_TILEASASSIGNMMA_TD
#define PASSES_TILEAS_MMA_TILEASASSIGNMMA_TD

include "mlir/Pass/PassBase.td"

def TileASAssignMma : Pass<"tileas-assign-mma", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Decides which MMA computes each dot";
  let description = [{
    Writes to each dot which MMA computes it: kind and shape of the instruction,
    the place of its operands and of its accumulator. It takes the best kind
    that the target has: `umma` for an accumulator that only goes around a loop,
    for two dots of a loop of which the second adds to a rescaled accumulator,
    or for operands that threads store; `wgmma` with 16 rows or more for each
    warp and an accumulator that fits its registers; otherwise the instruction
    of warps that the operation names. A remark says what was chosen, and why
    each better kind was refused.

    Later passes read the attribute: layouts of accumulators, the loads that
    become pipelines, the operations that multiply. If layouts, shared or tensor
    memory are not as a kind needs them, `tileas-materialize-mma` replaces it by
    the instruction of warps, with a remark.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
    #a = #nv_tileas.layout<reg, [64, 16], mma<#atom, a, warps = [4, 1]>>
    #b = #nv_tileas.layout<reg, [16, 64], mma<#atom, b, warps = [4, 1]>>
    #c = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
    %d = nv_tileas.dot %a, %b, %c {atom = #atom} : tensor<64x16xf16, #a>, tensor<16x64xf16, #b>, tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
    ```

    Output:

    ```mlir
    #mma = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], a = registers, b = shared<restaged>, acc = registers>
    %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #mma} : tensor<64x16xf16, #a>, tensor<16x64xf16, #b>, tensor<64x64xf32, #c> -> tensor<64x64xf32, #c>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

#endif // PASSES_TILEAS_MMA_TILEASASSIGNMMA_TD
