// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-expand-pipelines)))' --split-input-file --verify-diagnostics | FileCheck %s

// One warp copies a share of each slot beside the TMA copy: each of its threads arrives, only the bytes
// of the TMA copy are announced, and the MMA warp makes the threads' writes visible to the async proxy.

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

// Scales are copied to tensor memory with a commit of their own, for which the
// MMAs wait; slots are free when both these copies and the MMAs are complete.

#scaled_atom = #nv_tileas.mma_atom<umma, [128, 128, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32>
#x = #nv_tileas.layout<smem, [128, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 16], [2, 32], [4, 64], [8, 0], [16, 0], [32, 0], [64, 0]]>
#y = #nv_tileas.layout<smem, [128, 128], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [16, 1], [32, 2], [64, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#staged_a = #nv_tileas.layout<smem, [128, 4], offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#staged_b = #nv_tileas.layout<smem, [4, 128], offset = [[1, 0], [2, 0], [0, 32], [0, 64], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#scales_a = #nv_tileas.layout<tmem, [128, 4], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
#scales_b = #nv_tileas.layout<tmem, [4, 128], sub = [[1, 0], [2, 0]], col = [[0, 32], [0, 64]], row = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>
#sum = #nv_tileas.layout<tmem, [128, 128], tmem_acc<m = 128, bits = 32>>
#via_a = #nv_tileas.layout<reg, [128, 4], register = [[0, 1], [0, 2], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[0, 0], [0, 0]]>
#via_b = #nv_tileas.layout<reg, [4, 128], register = [[1, 0], [2, 0], [0, 32], [0, 64]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 0], [0, 0]]>
!xs = !nv_tileas.buffer<[2] 128x128xf8E4M3FN, #x>
!x = !nv_tileas.buffer<128x128xf8E4M3FN, #x>
!ys = !nv_tileas.buffer<[2] 128x128xf8E4M3FN, #y>
!y = !nv_tileas.buffer<128x128xf8E4M3FN, #y>
!as = !nv_tileas.buffer<[2] 128x4xf8E8M0FNU, #staged_a>
!a = !nv_tileas.buffer<128x4xf8E8M0FNU, #staged_a>
!bs = !nv_tileas.buffer<[2] 4x128xf8E8M0FNU, #staged_b>
!b = !nv_tileas.buffer<4x128xf8E8M0FNU, #staged_b>
!tas = !nv_tileas.buffer<[2] 128x4xf8E8M0FNU, #scales_a>
!ta = !nv_tileas.buffer<128x4xf8E8M0FNU, #scales_a>
!tbs = !nv_tileas.buffer<[2] 4x128xf8E8M0FNU, #scales_b>
!tb = !nv_tileas.buffer<4x128xf8E8M0FNU, #scales_b>
!sum = !nv_tileas.buffer<128x128xf32, #sum>
!map_x = !nv_tileas.tma_desc<128x128xf8E4M3FN, order = [1, 0], swizzle = b128>
!map_y = !nv_tileas.tma_desc<128x128xf8E4M3FN, order = [0, 1], swizzle = b128>
!view_a = !nv_tileaa.tiled_view<128x4 of !nv_tileaa.memref<?x?xf8E8M0FNU, strides = [?, 1]>, padding = zero>
!view_b = !nv_tileaa.tiled_view<4x128 of !nv_tileaa.memref<?x?xf8E8M0FNU, strides = [?, 1]>, dims = [1, 0], padding = zero>
!p = !nv_tileas.pipeline<2, (buffer<128x128xf8E4M3FN, #x>, buffer<128x128xf8E4M3FN, #y>, buffer<128x4xf8E8M0FNU, #staged_a>, buffer<4x128xf8E8M0FNU, #staged_b>, buffer<128x4xf8E8M0FNU, #scales_a>, buffer<4x128xf8E8M0FNU, #scales_b>)>
!i = !nv_tileas.pipeline_iterator<2>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @scales
  // CHECK: %[[FULL:.*]] = nv_tileas.mbarrier.alloc
  // CHECK-NEXT: nv_tileas.mbarrier.init %[[FULL]] {count = 33 : i32}
  // CHECK: %[[THERE:.*]] = nv_tileas.mbarrier.alloc
  // CHECK-NEXT: nv_tileas.mbarrier.init %[[THERE]] {count = 1 : i32}
  // CHECK: %[[EMPTY:.*]] = nv_tileas.mbarrier.alloc
  // CHECK-NEXT: nv_tileas.mbarrier.init %[[EMPTY]] {count = 2 : i32}
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[STAGE:.*]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[PHASE:.*]] = %{{.*}})
  // CHECK: nv_tileas.mbarrier.arrive_expect_tx %{{.*}}, 32768
  // CHECK: nv_tileas.mbarrier.arrive %{{.*}} {by = cp_async_warp}
  // CHECK: %[[FILLED:.*]] = nv_tileas.mbarrier.slot %[[FULL]][%[[STAGE]]]
  // CHECK-NEXT: nv_tileas.mbarrier.wait %[[FILLED]], %[[PHASE]] {issuer}
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.fence tcgen05_after
  // CHECK: nv_tileas.async.tmem_copy
  // CHECK-NEXT: nv_tileas.async.tmem_copy
  // CHECK-NEXT: %[[OBJECT:.*]] = nv_tileas.mbarrier.slot %[[THERE]][%[[STAGE]]]
  // CHECK-NEXT: %[[FREE:.*]] = nv_tileas.mbarrier.slot %[[EMPTY]][%[[STAGE]]]
  // CHECK-NEXT: nv_tileas.umma_commit %[[FREE]]
  // CHECK-NEXT: nv_tileas.umma_commit %[[OBJECT]]
  // CHECK-NEXT: nv_tileas.mbarrier.wait %[[OBJECT]], %[[PHASE]] {issuer}
  // CHECK-NEXT: nv_tileas.fence tcgen05_after
  // CHECK-NEXT: nv_tileas.async.dot_into
  // CHECK-NEXT: %[[DONE:.*]] = nv_tileas.mbarrier.slot %[[EMPTY]][%[[STAGE]]]
  // CHECK-NEXT: nv_tileas.umma_commit %[[DONE]]
  nv_tileaa.func kernel @scales(%mx: !map_x, %my: !map_y, %va: !view_a, %vb: !view_b, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %more = arith.constant true
    %d = nv_tileas.alloc_tensor : !sum
    %x = nv_tileas.alloc_tensor : !xs
    %y = nv_tileas.alloc_tensor : !ys
    %a = nv_tileas.alloc_tensor : !as
    %b = nv_tileas.alloc_tensor : !bs
    %ta = nv_tileas.alloc_tensor : !tas
    %tb = nv_tileas.alloc_tensor : !tbs
    %p = nv_tileas.pipeline.create %x, %y, %a, %b, %ta, %tb {producer = tma, consumers = [umma], sync = mbarrier, empty = mbarrier} : !xs, !ys, !as, !bs, !tas, !tbs -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
      %w:6 = nv_tileas.pipeline.acquire %p[%j] : !p -> !x, !y, !a, !b, !ta, !tb
      %t0 = nv_tileas.async.tma_load %mx[%c0, %i] into %w#0 : !map_x -> !x
      %t1 = nv_tileas.async.tma_load %my[%i, %c0] into %w#1 : !map_y -> !y
      %t2 = nv_tileas.async.copy %va[%c0, %i] into %w#2 {via = #via_a} : !view_a[i32, i32] -> !a
      %t3 = nv_tileas.async.copy %vb[%i, %c0] into %w#3 {via = #via_b} : !view_b[i32, i32] -> !b
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s:6 = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !x, !y, !a, !b, !ta, !tb
      nv_tileas.async.tmem_copy %s#2 into %s#4 : !a -> !ta
      nv_tileas.async.tmem_copy %s#3 into %s#5 : !b -> !tb
      nv_tileas.async.dot_into %s#0, %s#1 into %d use_acc %more scales %s#4, %s#5 {atom = #scaled_atom} : !x, !y scales !ta, !tb -> !sum
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
    // expected-error @below {{copies beside tensor copies must be copies of one warp}}
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
