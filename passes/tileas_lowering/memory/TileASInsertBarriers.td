// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_LOWERING_MEMORY_TILEASINSERTBARRIERS_TD
#define PASSES_TILEAS_LOWERING_MEMORY_TILEASINSERTBARRIERS_TD

include "mlir/Pass/PassBase.td"

def TileASInsertBarriers
    : Pass<"tileas-insert-barriers", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Inserts barriers and proxy fences between conflicting accesses";
  let description = [{
    Inserts a barrier before each operation that accesses bytes of shared memory
    with a pending conflicting access of other threads, and before each access to
    global memory that a token orders after another access if program order of
    each thread does not suffice. The exchange of an operation with scratch
    memory counts as a barrier. Accesses through `ring` views of one buffer are
    ordered by their pipeline, which has barriers of its own. A barrier precedes
    a release, and a barrier follows an acquire.

    Offsets are assigned already (`tileas-assign-buffers`): conflicts are between
    bytes, whatever buffer they belong to. The pass marks the function as
    `nv_tileas.ordered` and skips marked functions.

    The async proxy (TMA, `wgmma`) sees the writes of threads only after a proxy
    fence in the writing threads and a barrier after the fence. The pass inserts
    both before an operation that reads or overwrites such bytes through the
    async proxy.

    Input:

    ```mlir
    #a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
    #c = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
    !b = !nv_tileas.buffer<64x64xf16, #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>>
    nv_tileaa.func @f(%x: tensor<64x64xf16, #a>) -> tensor<64x64xf16, #c> attributes {nv_tileas.smem_align = 128 : i32, nv_tileas.smem_bytes = 8192 : i32} {
      %b = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
      nv_tileas.copy %x, %b : tensor<64x64xf16, #a>, !b
      %y = nv_tileas.copy %b : !b -> tensor<64x64xf16, #c>
      nv_tileaa.return %y : tensor<64x64xf16, #c>
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func @f(%x: tensor<64x64xf16, #a>) -> tensor<64x64xf16, #c> attributes {nv_tileas.ordered, nv_tileas.smem_align = 128 : i32, nv_tileas.smem_bytes = 8192 : i32} {
      %b = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
      nv_tileas.copy %x, %b : tensor<64x64xf16, #a>, !b
      nv_tileas.barrier cta
      %y = nv_tileas.copy %b : !b -> tensor<64x64xf16, #c>
      nv_tileaa.return %y : tensor<64x64xf16, #c>
    }
    ```
  }];
  let statistics = [
    Statistic<"numBarriers", "num-barriers", "barriers inserted">,
    Statistic<"numVisits", "num-visits",
              "accesses, barriers and loops looked at, again and again">,
  ];
  let dependentDialects = ["::mlir::nv_tileas::TileASDialect"];
}

#endif // PASSES_TILEAS_LOWERING_MEMORY_TILEASINSERTBARRIERS_TD
