// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_MMA_TILEASMATERIALIZEMMA_TD
#define PASSES_TILEAS_MMA_TILEASMATERIALIZEMMA_TD

include "mlir/Pass/PassBase.td"

def TileASMaterializeMma
    : Pass<"tileas-materialize-mma", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Replaces dots by the MMAs that are assigned to them";
  let description = [{
    `wgmma`: the dot becomes `async.dot` and `dot_wait`, which read B, and unless
    it is in registers A, from shared memory. An operand in a layout without a
    descriptor, as rows of bytes along N are, is restaged: threads store it in
    every iteration, to two alternating buffers where the MMA is in flight when
    the next iteration begins. An A that all iterations of a loop read is copied
    to shared memory once, before the loop, where that has room: by a tensor copy
    through a pipeline of one slot, or by the threads that computed it. A dot with
    `promote` steps becomes MMAs of so many steps of K, each of which f32 adds to
    the accumulator, in as many columns as a thread has registers for.

    Warps (`mma_sync`, `mma_bs`) read operands that are copies of buffers from the
    buffers. With one operand in registers the dot becomes dots of a few steps of
    K, so that few fragments are live at once. Where a thread of a loop has no
    registers for both operands, threads store both first. An A that all
    iterations read, and of which several warps hold the same fragments, is stored
    before the loop where registers are short. Operands that threads convert are
    stored to buffers, a part of K at a time where they are large.

    `umma`: a dot whose operands are no slots where it needs them, that reads
    slots with other readers, for which tensor memory has no columns or shared
    memory no room for what threads restage, is left to warps, with a remark. The
    others stay: `tileas-place-accumulators` replaces them.

    A dot that cannot have the kind that is assigned to it is computed by warps,
    with a remark that says why; its attribute says so.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
    #mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = shared<restaged>, b = shared<restaged>, acc = registers>
    #acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [2, 2]>>
    #a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [2, 2]>>
    #b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [2, 2]>>
    #s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    !slot = !nv_tileas.buffer<64x64xbf16, #s>
    %a = nv_tileas.copy %x : !slot -> tensor<64x64xbf16, #a>
    %b = nv_tileas.copy %y : !slot -> tensor<64x64xbf16, #b>
    %d = nv_tileas.dot %a, %b, %acc {atom = #atom, mma = #mma} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    ```

    Output:

    ```mlir
    #s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    !slot = !nv_tileas.buffer<64x64xbf16, #s>
    %d = nv_tileas.dot %x, %y, %acc {atom = #atom, mma = #mma} : !slot, !slot, tensor<64x64xf32, #acc> -> tensor<64x64xf32, #acc>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
}

#endif // PASSES_TILEAS_MMA_TILEASMATERIALIZEMMA_TD
