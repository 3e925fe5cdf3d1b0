// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_STAGE_TILEASSTAGEREGISTEROPERANDS_TD
#define PASSES_TILEAS_STAGE_TILEASSTAGEREGISTEROPERANDS_TD

include "mlir/Pass/PassBase.td"

def TileASStageRegisterOperands : Pass<"tileas-stage-register-operands"> {
  let summary = "Stages operands of dots that take too many registers in shared memory";
  let description = [{
    Stages both operands of a multiply-add dot in shared memory if a thread
    would hold more than `max-registers` 32-bit registers of them; the dot reads a
    few steps of K at a time. With `mma-sync` the operands of tensor-core dots
    are staged, too; the operands of f64 dots outside of loops are staged if
    their fragments exceed the registers of a thread.

    A buffer has the widest swizzle that its rows fill; its contiguous dimension
    is the one of the memory the operand was loaded from. It is live from the
    copy to the dot. `tileas-insert-barriers` adds the barriers.

    If shared memory of the target cannot hold both operands at once, the dot
    becomes a chain of dots over slabs of K that use the same memory one after
    the other, each copied from registers of its own.

    Input:

    ```mlir
    #fma = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
    #c = #nv_tileas.layout<reg, [32, 32], register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
    #a = #nv_tileas.layout<reg, [32, 128], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [4, 0], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>
    #b = #nv_tileas.layout<reg, [128, 32], register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>
    %d = nv_tileas.dot %a, %b, %c {atom = #fma} : tensor<32x128xf32, #a>, tensor<128x32xf32, #b>, tensor<32x32xf32, #c> -> tensor<32x32xf32, #c>
    ```

    Output:

    ```mlir
    #s = #nv_tileas.layout<smem, [32, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [0, 32], [0, 64]]>
    #t = #nv_tileas.layout<smem, [128, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 4], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0], [64, 0]]>
    %x = nv_tileas.alloc_tensor : !nv_tileas.buffer<32x128xf32, #s>
    nv_tileas.copy %a, %x : tensor<32x128xf32, #a>, !nv_tileas.buffer<32x128xf32, #s>
    %y = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x32xf32, #t>
    nv_tileas.copy %b, %y : tensor<128x32xf32, #b>, !nv_tileas.buffer<128x32xf32, #t>
    %d = nv_tileas.dot %x, %y, %c {atom = #fma} : !nv_tileas.buffer<32x128xf32, #s>, !nv_tileas.buffer<128x32xf32, #t>, tensor<32x32xf32, #c> -> tensor<32x32xf32, #c>
    nv_tileas.dealloc %x : !nv_tileas.buffer<32x128xf32, #s>
    nv_tileas.dealloc %y : !nv_tileas.buffer<128x32xf32, #t>
    ```
  }];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
  let options = [
    Option<"maxRegisters", "max-registers", "int64_t", /*default=*/"64",
           "Maximum number of 32-bit registers of a thread for both operands">,
    Option<"maxWords", "max-words", "int64_t", /*default=*/"0",
           "Former name of max-registers">,
    Option<"mmaSync", "mma-sync", "bool", /*default=*/"false",
           "Stage the operands of tensor-core dots of any size">,
  ];
  let statistics = [
    Statistic<"numStaged", "num-staged", "Dots with operands in shared memory">,
  ];
}

#endif // PASSES_TILEAS_STAGE_TILEASSTAGEREGISTEROPERANDS_TD
