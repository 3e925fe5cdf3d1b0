// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_ACCUMULATORS_TILEASPLACEACCUMULATORS_TD
#define PASSES_TILEAS_ACCUMULATORS_TILEASPLACEACCUMULATORS_TD

include "mlir/Pass/PassBase.td"

def TileASPlaceAccumulators
    : Pass<"tileas-place-accumulators", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Keeps accumulators in tensor memory, or in registers of MMAs in flight";
  let description = [{
    Accumulators of `umma` move to tensor memory: a pipeline of one slot, which
    the MMAs of a whole loop fill (`async.dot_into`) and which threads read after
    the loop, if they only go round it. Commits of these MMAs release the slots of
    the operands (`empty = mbarrier`). Of two chained dots (attention) threads
    read the result of the first in each iteration, from one of `slots` slots; the
    accumulator of the second stays in tensor memory and is rescaled there
    (`tensor_rescale`) where the factor is one number for each row and a factor of
    one leaves it alone. The few numbers are computed before the many of which
    threads make A of the second dot, the rescale is moved before the first
    operation that waits for those, and what that dot does not need, sums of rows
    for instance, after it. Operands and scales that are `restaged` are stored by
    threads, which wait for each MMA unless the loop carries its accumulator
    alone. Scales are copied from shared to tensor memory
    (`async.tmem_copy`), into a buffer of each slot.

    An accumulator of `wgmma` that a loop only carries becomes a future of the
    loop: the MMA is in flight when the next iteration begins (`pending = 1`), if
    the pipelines of its operands have a slot to spare. The pipelines that such
    MMAs read say so.

    Input:

    ```mlir
    #atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = f16, b = f16, c = f32>
    #fragment = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
    #acc = #nv_tileas.layout<reg, [64, 64], mma<#fragment, acc, warps = [4, 1]>>
    #s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
    !operand = !nv_tileas.buffer<64x64xf16, #s>
    !future = !nv_tileas.future<tensor<64x64xf32, #acc>>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #acc>) : i32 {
      %f = nv_tileas.async.dot %a, %b, %acc {atom = #atom} : !operand, !operand, tensor<64x64xf32, #acc> -> !future
      %d = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> tensor<64x64xf32, #acc>
      scf.yield %d : tensor<64x64xf32, #acc>
    }
    ```

    Output:

    ```mlir
    %t = nv_tileas.async.to_async %zero : tensor<64x64xf32, #acc> -> !future
    %e = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %t) -> (!future) : i32 {
      %f = nv_tileas.async.dot %a, %b, %acc {atom = #atom} : !operand, !operand, !future -> !future
      %d = nv_tileas.dot_wait %f {pending = 1 : i32} : !future -> !future
      scf.yield %d : !future
    }
    %r = nv_tileas.dot_wait %e {pending = 0 : i32} : !future -> tensor<64x64xf32, #acc>
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
}

#endif // PASSES_TILEAS_ACCUMULATORS_TILEASPLACEACCUMULATORS_TD
