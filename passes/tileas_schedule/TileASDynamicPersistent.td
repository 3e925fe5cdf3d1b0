// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_SCHEDULE_TILEASDYNAMICPERSISTENT_TD
#define PASSES_TILEAS_SCHEDULE_TILEASDYNAMICPERSISTENT_TD

include "mlir/Pass/PassBase.td"

def TileASDynamicPersistent
    : Pass<"tileas-dynamic-persistent", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Makes kernels persistent with cluster launch control";
  let description = [{
    Wraps the body of each kernel into a loop over tile blocks (a dynamic
    persistent kernel), in modules with `nv_tileaa.dynamic_persistent`, from
    sm_100 on. At the start of an iteration an elected thread requests the next
    tile block (`clusterlaunchcontrol.try_cancel`), so that the response arrives
    while the current block is computed. At the end all threads wait on the
    mbarrier of the response, read it, and synchronize before the next request.
    The loop ends after a response without a tile block; no thread sends a
    request after it. The launch grid does not change.

    A kernel stays unchanged, with a remark, on older targets, whose launcher
    would have to start fewer CTAs, and if a tile block has several CTAs. The
    same holds for a statically persistent kernel, whose own loop steps by the
    extent of the grid. A kernel that already cancels tile blocks gets a
    warning.

    Input:

    ```mlir
    gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.dynamic_persistent} {
      nv_tileaa.func kernel @k(%n: i32) {
        %x = nv_tileas.get_program_id x
        "test.work"(%x, %n) : (i32, i32) -> ()
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    #answer = #nv_tileas.layout<smem, [4], linear<order = [0]>>
    gpu.module @m attributes {nv_tileaa.compute_capability = 100 : i32, nv_tileaa.dynamic_persistent} {
      nv_tileaa.func kernel @k(%n: i32) {
        %s = nv_tileas.alloc_tensor : !nv_tileas.buffer<4xi32, #answer>
        %m = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
        nv_tileas.mbarrier.init %m {count = 1 : i32} : !nv_tileas.mbarrier<[1]>
        nv_tileas.fence mbarrier_init
        nv_tileas.fence proxy_async_shared
        nv_tileas.barrier cta
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %b = nv_tileas.mbarrier.slot %m[%c0] : !nv_tileas.mbarrier<[1]>
        %first = nv_tileas.initial_program_id
        %r:2 = scf.while (%p = %first, %q = %c0) : (!nv_tileaa.program_id, i32) -> (!nv_tileaa.program_id, i32) {
          %v = nv_tileas.is_valid_program_id %p
          scf.condition(%v) %p, %q : !nv_tileaa.program_id, i32
        } do {
        ^bb0(%p: !nv_tileaa.program_id, %q: i32):
          nv_tileas.mbarrier.arrive_expect_tx %b, 16
          nv_tileas.clc_try_cancel %s signal %b : !nv_tileas.buffer<4xi32, #answer>
          %x = nv_tileas.get_program_id x of %p
          "test.work"(%x, %n) : (i32, i32) -> ()
          nv_tileas.mbarrier.wait %b, %q
          %next = nv_tileas.clc_query %s : !nv_tileas.buffer<4xi32, #answer>
          nv_tileas.fence proxy_async_shared
          nv_tileas.barrier cta
          %parity = arith.xori %q, %c1 : i32
          scf.yield %next, %parity : !nv_tileaa.program_id, i32
        }
        nv_tileaa.return
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect",
    "::mlir::nv_tileas::TileASDialect",
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Kernels that became loops">,
  ];
}

#endif // PASSES_TILEAS_SCHEDULE_TILEASDYNAMICPERSISTENT_TD
