// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_MEMORY_TILEASASSIGNBUFFERS_TD
#define PASSES_TILEAS_LOWERING_MEMORY_TILEASASSIGNBUFFERS_TD

include "mlir/Pass/PassBase.td"

def TileASAssignBuffers
    : Pass<"tileas-assign-buffers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Assigns shared memory offsets to buffers and scratch memory";
  let description = [{
    Assigns an offset in shared memory to each buffer and each operation with
    scratch memory, by live ranges. A buffer is live from its `alloc_tensor` to
    its `dealloc`. Without a `dealloc` it is live to the end of the function and
    throughout every loop around it. An allocation of the program that fits into
    shared memory is live throughout, scratch memory while its operation runs.
    The pass writes offsets as `smem_offset` and `nv_tileas.scratch_offset`, and
    total bytes and alignment as `nv_tileas.smem_bytes` and
    `nv_tileas.smem_align` of the function.

    Requests with disjoint live ranges may share bytes, at the cost of barriers.
    By default buffers therefore share no bytes, and one region after them serves
    all scratch memory, unless this layout does not fit or allows fewer CTAs per
    SM. Operations alternate within the scratch region, so that an operation need
    not wait until the previous one has read its scratch memory, as long as the
    number of CTAs per SM stays the same.

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

#endif // PASSES_TILEAS_LOWERING_MEMORY_TILEASASSIGNBUFFERS_TD
