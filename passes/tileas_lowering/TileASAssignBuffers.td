// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_TILEASASSIGNBUFFERS_TD
#define PASSES_TILEAS_LOWERING_TILEASASSIGNBUFFERS_TD

include "mlir/Pass/PassBase.td"

def TileASAssignBuffers
    : Pass<"tileas-assign-buffers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Gives buffers and scratch memory their place in shared memory";
  let description = [{
    A buffer lives from its `alloc_tensor` to its `dealloc`, without one to the
    end of the function, and through every loop that it is in without one; memory
    that a block allocates lives all the time, if it can be in shared memory;
    scratch memory lives while its operation runs. Offsets are written as
    `smem_offset` and `nv_tileas.scratch_offset`, bytes and alignment of all of
    it as `nv_tileas.smem_bytes` and `nv_tileas.smem_align` of the function.

    What never lives at the same time may have the same bytes. That costs
    barriers, so by default buffers lie apart, with one region behind them for
    all scratch memory, unless that does not fit or lets fewer CTAs run on an SM.
    In that region operations take turns, so that one does not wait until the one
    before has read its part, as long as as many CTAs run.

    Input:

    ```mlir
    #a = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
    #c = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [4, 1], lanes = [8, 4], warps = [1, 4], order = [0, 1]>>
    !b = !nv_tileas.buffer<32x32xf16, #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>>
    nv_tileaa.func @f(%x: tensor<32x32xf32, #a>) -> tensor<32x32xf32, #c> {
      %b = nv_tileas.alloc_tensor : !b
      nv_tileas.dealloc %b : !b
      %y = nv_tileas.convert_layout %x : tensor<32x32xf32, #a> -> tensor<32x32xf32, #c>
      nv_tileaa.return %y : tensor<32x32xf32, #c>
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func @f(%x: tensor<32x32xf32, #a>) -> tensor<32x32xf32, #c> attributes {nv_tileas.smem_align = 128 : i32, nv_tileas.smem_bytes = 6144 : i32} {
      %b = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
      nv_tileas.dealloc %b : !b
      %y = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 2048 : i32} : tensor<32x32xf32, #a> -> tensor<32x32xf32, #c>
      nv_tileaa.return %y : tensor<32x32xf32, #c>
    }
    ```
  }];
  let options = [
    Option<"share", "share", "std::string", /*default=*/"\"auto\"",
           "`always`: what does not live at once may share bytes, `never`, or "
           "`auto`: where that lets more CTAs run">,
  ];
  let statistics = [
    Statistic<"smemBytes", "smem-bytes", "bytes of shared memory">,
  ];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

#endif // PASSES_TILEAS_LOWERING_TILEASASSIGNBUFFERS_TD
