// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASASSIGNMMA_TD
#define PASSES_TILEAS_TILEASASSIGNMMA_TD

include "mlir/Pass/PassBase.td"

def TileASAssignMma : Pass<"tileas-assign-mma", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Decides which MMA computes each dot";
  let description = [{
    Writes to each dot which MMA computes it: kind and shape of the instruction,
    from where it reads its operands, where its accumulator is. The best kind that
    the target has is taken: `umma` of an accumulator that only goes round a loop,
    of two dots of a loop of which the second adds to a rescaled accumulator, or of
    operands that threads store; `wgmma` of 16 rows or more for each warp whose
    accumulator fits its registers; otherwise the instruction of warps that the
    operation names. A remark says what was chosen, and why no better kind was.

    Later passes read the attribute: layouts of accumulators, which loads become
    pipelines, the operations that multiply. `tileas-materialize-mma` takes a
    kind back for which layouts, shared or tensor memory are not as it needs them,
    and says so in a remark.

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

#endif // PASSES_TILEAS_TILEASASSIGNMMA_TD
