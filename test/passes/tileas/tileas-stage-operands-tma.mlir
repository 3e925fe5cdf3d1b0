// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators,unspecialized-pipeline{num-stages=3},tileas-expand-pipelines)))' | FileCheck %s --check-prefix=AHEAD

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !m, padding = zero>
!t = tensor<64x64xbf16, #l>
!acc = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // Both operands by TMA copies, with maps at the entry. A coordinate that may be too large is
  // clamped; the test for memory without elements uses the coordinate that the loop does not change.
  // CHECK-LABEL: nv_tileaa.func kernel @gemm
  // CHECK: %[[VIEW:.*]] = nv_tileas.block_tile
  // CHECK-NEXT: %[[D:.*]] = nv_tileas.make_tiled_tma_desc %[[VIEW]] : {{.*}} -> !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
  // CHECK: nv_tileas.pipeline.create {{.*}} {producer = tma, consumers = [wgmma], sync = mbarrier, empty = barrier} : !nv_tileas.buffer<[5] 64x64xbf16,
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
  // CHECK: %[[W:.*]]:2 = nv_tileas.pipeline.acquire
  // CHECK: %[[LIMIT:.*]] = arith.constant 33554432 : i32
  // CHECK: %[[HELD:.*]] = arith.minui %{{.*}}, %[[LIMIT]] : i32
  // CHECK: %[[ROW:.*]] = arith.muli %[[HELD]],
  // CHECK: %[[COL:.*]] = arith.muli %[[I]],
  // CHECK: %[[EMPTY:.*]] = arith.ori
  // CHECK: %[[AT:.*]] = arith.select %[[EMPTY]], %{{.*}}, %[[ROW]] : i32
  // CHECK: nv_tileas.async.tma_load %[[D]][%[[AT]], %[[COL]]] into %[[W]]#0 :
  // CHECK: nv_tileas.async.tma_load %[[D]][
  // CHECK: nv_tileas.pipeline.commit
  // CHECK: nv_tileas.async.dot
  // CHECK-NEXT: nv_tileas.dot_wait {{.*}} {pending = 1 : i32}
  // CHECK-NEXT: nv_tileas.pipeline.release {{.*}} {consumer = 0 : i32, pending = 1 : i32}
  // Two iterations ahead with three slots: the copies wait for the previous MMA.
  // AHEAD-LABEL: nv_tileaa.func kernel @gemm
  // AHEAD: %[[M:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[3]>
  // AHEAD-NEXT: nv_tileas.mbarrier.init %[[M]] {count = 1 : i32}
  // AHEAD-NEXT: nv_tileas.fence mbarrier_init
  // AHEAD-NEXT: nv_tileas.fence proxy_async_shared
  // AHEAD-NEXT: nv_tileas.barrier cta
  // AHEAD: nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 64x64xbf16,
  // AHEAD: nv_tileas.mbarrier.arrive_expect_tx %{{.*}}, 16384 if
  // AHEAD: nv_tileas.mbarrier.arrive_expect_tx %{{.*}}, 16384 if
  // AHEAD-NOT: nv_tileas.mbarrier.arrive_expect_tx
  // AHEAD: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[K:.*]] = %{{.*}}, %[[J:.*]] = %{{.*}}, %[[PH:.*]] = %{{.*}})
  // AHEAD-NEXT: %[[FULL:.*]] = nv_tileas.mbarrier.slot %[[M]][%[[K]]]
  // AHEAD-NEXT: nv_tileas.mbarrier.wait %[[FULL]], %[[PH]]
  // AHEAD: nv_tileas.view %{{.*}}[%[[K]]] {ring}
  // AHEAD: nv_tileas.async.dot
  // AHEAD-NEXT: nv_tileas.dot_wait {{.*}} {pending = 1 : i32}
  // AHEAD: nv_tileas.barrier agent
  // AHEAD-NEXT: %[[FREE:.*]] = nv_tileas.mbarrier.slot %[[M]][%[[J]]]
  // AHEAD-NEXT: nv_tileas.mbarrier.arrive_expect_tx %[[FREE]], 16384 if %[[MORE:.*]]
  // AHEAD: nv_tileas.async.tma_load %{{.*}} signal %[[FREE]] if %[[MORE]]
  // AHEAD: nv_tileas.async.tma_load %{{.*}} signal %[[FREE]] if %[[MORE]]
  // AHEAD-NOT: nv_tileas.barrier
  // AHEAD: scf.yield
  nv_tileaa.func kernel @gemm(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i64
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %trips = arith.ceildivui %k, %c64 : i64
    %n = arith.trunci %trips : i64 to i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %e, %te = nv_tileas.tiled_load weak %v[%x, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %f, %tf = nv_tileas.tiled_load weak %v[%i, %x] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %a = nv_tileas.convert_layout %e : !t -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %f : !t -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }
}
