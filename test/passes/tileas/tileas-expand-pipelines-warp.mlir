// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-expand-pipelines)))' --split-input-file --verify-diagnostics | FileCheck %s

// One warp copies a part of each slot beside the tensor copy: each of its threads arrives, only the bytes of the tensor copy
// are announced, and whoever multiplies lets the unit see what threads wrote.

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
#via = #nv_tileas.layout<reg, [64, 64], register = [[0, 1], [0, 2], [0, 4], [8, 0], [16, 0], [32, 0], [4, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = [[0, 0], [0, 0]]>
!ring = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!acc = !nv_tileas.buffer<64x64xf32, #d>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!view = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!p = !nv_tileas.pipeline<2, (buffer<64x64xbf16, #s>, buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<2>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @shared_ring
  // CHECK: %[[FULL:.*]] = nv_tileas.mbarrier.alloc
  // CHECK-NEXT: nv_tileas.mbarrier.init %[[FULL]] {count = 33 : i32}
  // CHECK: %[[EMPTY:.*]] = nv_tileas.mbarrier.alloc
  // CHECK-NEXT: nv_tileas.mbarrier.init %[[EMPTY]] {count = 1 : i32}
  // CHECK: scf.for
  // CHECK: nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer}
  // CHECK: nv_tileas.mbarrier.arrive_expect_tx %{{.*}}, 8192
  // CHECK: nv_tileas.async.tma_load
  // CHECK: nv_tileas.async.copy
  // CHECK: %[[OBJECT:.*]] = nv_tileas.mbarrier.slot %[[FULL]]
  // CHECK-NEXT: nv_tileas.mbarrier.arrive %[[OBJECT]] {by = cp_async_warp}
  // CHECK: %[[FILLED:.*]] = nv_tileas.mbarrier.slot %[[FULL]]
  // CHECK-NEXT: nv_tileas.mbarrier.wait %[[FILLED]], %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK: nv_tileas.async.dot_into
  // CHECK: nv_tileas.umma_commit
  // CHECK-NOT: commit_group
  nv_tileaa.func kernel @shared_ring(%map: !map, %view: !view, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %more = arith.constant true
    %d = nv_tileas.alloc_tensor : !acc
    %a = nv_tileas.alloc_tensor : !ring
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %a, %b {producer = tma, consumers = [umma], sync = mbarrier, empty = mbarrier} : !ring, !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
      %w:2 = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot, !slot
      %t0 = nv_tileas.async.tma_load %map[%i, %c0] into %w#0 : !map -> !slot
      %t1 = nv_tileas.async.copy %view[%i, %c0] into %w#1 {via = #via} : !view[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s:2 = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot, !slot
      nv_tileas.async.dot_into %s#0, %s#1 into %d use_acc %more {atom = #atom} : !slot, !slot -> !acc
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j1, %k1 : !i, !i
    }
    nv_tileaa.return
  }
}

// -----

// Threads of other warps would not arrive.

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#via = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!ring = !nv_tileas.buffer<[2] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!view = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, padding = zero>
!p = !nv_tileas.pipeline<2, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<2>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  nv_tileaa.func kernel @several(%view: !view) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %a = nv_tileas.alloc_tensor : !ring
    // expected-error @below {{the copies beside tensor copies must be those of one warp}}
    %p = nv_tileas.pipeline.create %a {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
    %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
    %t = nv_tileas.async.copy %view[%c0, %c0] into %w {via = #via} : !view[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j] : !p
    %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
    nv_tileaa.return
  }
}
