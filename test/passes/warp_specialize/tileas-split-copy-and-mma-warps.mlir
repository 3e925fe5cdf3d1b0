// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-split-copy-and-mma-warps)))' | FileCheck %s
// The former name.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-split-issuers)))' | FileCheck %s

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
!ring = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
!acc = !nv_tileas.buffer<64x64xf32, #d>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!objects = !nv_tileas.mbarrier<[2]>

#short_a = #nv_tileas.layout<smem, [64, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16], [8, 0], [16, 0], [32, 0]]>
#short_b = #nv_tileas.layout<smem, [32, 64], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [8, 2], [16, 4], [0, 8], [0, 16], [0, 32]]>
!short_ring_a = !nv_tileas.buffer<[2] 64x32xbf16, #short_a>
!short_ring_b = !nv_tileas.buffer<[2] 32x64xbf16, #short_b>
!short_a = !nv_tileas.buffer<64x32xbf16, #short_a>
!short_b = !nv_tileas.buffer<32x64xbf16, #short_b>
!map_a = !nv_tileas.tma_desc<64x32xbf16, order = [1, 0], swizzle = b64>
!map_b = !nv_tileas.tma_desc<32x64xbf16, order = [0, 1], swizzle = b64>

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
!x = !nv_tileas.buffer<128x128xf8E4M3FN, #x>
!y = !nv_tileas.buffer<128x128xf8E4M3FN, #y>
!staged_a = !nv_tileas.buffer<128x4xf8E8M0FNU, #staged_a>
!staged_b = !nv_tileas.buffer<4x128xf8E8M0FNU, #staged_b>
!scales_a = !nv_tileas.buffer<128x4xf8E8M0FNU, #scales_a>
!scales_b = !nv_tileas.buffer<4x128xf8E8M0FNU, #scales_b>
!sum = !nv_tileas.buffer<128x128xf32, #sum>
!map_x = !nv_tileas.tma_desc<128x128xf8E4M3FN, order = [1, 0], swizzle = b128>
!map_y = !nv_tileas.tma_desc<128x128xf8E4M3FN, order = [0, 1], swizzle = b128>
!view_a = !nv_tileaa.tiled_view<128x4 of !nv_tileaa.memref<?x?xf8E8M0FNU, strides = [?, 1]>, padding = zero>
!view_b = !nv_tileaa.tiled_view<4x128 of !nv_tileaa.memref<?x?xf8E8M0FNU, strides = [?, 1]>, dims = [1, 0], padding = zero>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // The stage is carried by the outer loop, each warp's own; the other warps keep the previous value.
  // CHECK-LABEL: nv_tileaa.func kernel @split
  // CHECK: scf.for {{.*}} iter_args(%[[STAGE:.*]] = %{{.*}}, %[[PHASE:.*]] = %{{.*}})
  // CHECK: %[[WARP:.*]] = gpu.subgroup_id : index
  // CHECK: %[[ONE:.*]] = arith.constant 1 : index
  // CHECK: %[[COPIES:.*]] = arith.cmpi eq, %[[WARP]], %[[ONE]] : index
  // CHECK: %[[A:.*]]:2 = scf.if %[[COPIES]] -> (i32, i32) {
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[STAGE]], %{{.*}} = %[[PHASE]])
  // CHECK: nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.mbarrier.arrive_expect_tx %{{.*}}, 8192
  // CHECK: nv_tileas.async.tma_load
  // CHECK-NOT: async.dot_into
  // CHECK: scf.yield
  // CHECK: } else {
  // CHECK: scf.yield %[[STAGE]], %[[PHASE]] : i32, i32
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 1 : i32}}
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : index
  // CHECK: %[[PRODUCTS:.*]] = arith.cmpi eq, %[[WARP]], %[[ZERO]] : index
  // CHECK: %[[B:.*]]:2 = scf.if %[[PRODUCTS]] -> (i32, i32) {
  // CHECK-NOT: tma_load
  // CHECK: nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer}
  // CHECK: nv_tileas.async.dot_into
  // CHECK: nv_tileas.umma_commit
  // CHECK: } else {
  // CHECK: scf.yield %[[A]]#0, %[[A]]#1 : i32, i32
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
  // CHECK: scf.yield %[[B]]#0, %[[B]]#1 : i32, i32
  nv_tileaa.func kernel @split(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %full = nv_tileas.mbarrier.alloc : !objects
    %empty = nv_tileas.mbarrier.alloc : !objects
    %ring = nv_tileas.alloc_tensor : !ring
    %d = nv_tileas.alloc_tensor : !acc
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %outer:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s0 = %c0, %p0 = %c0) -> (i32, i32) : i32 {
      %inner:2 = scf.for %k = %c0 to %n step %c1 iter_args(%stage = %s0, %phase = %p0) -> (i32, i32) : i32 {
        %e = nv_tileas.mbarrier.slot %empty[%stage] : !objects
        %f = nv_tileas.mbarrier.slot %full[%stage] : !objects
        %before = arith.xori %phase, %c1 : i32
        nv_tileas.mbarrier.wait %e, %before {issuer}
        nv_tileas.mbarrier.arrive_expect_tx %f, 8192
        %x = nv_tileas.view %ring[%stage] {ring} : !ring -> !buffer
        %t = nv_tileas.async.tma_load %map[%k, %i] into %x signal %f : !map -> !buffer
        nv_tileas.mbarrier.wait %f, %phase {issuer}
        %more = arith.cmpi ne, %k, %c0 : i32
        nv_tileas.async.dot_into %x, %x into %d use_acc %more {atom = #atom} : !buffer, !buffer -> !acc
        nv_tileas.umma_commit %e
        %next = arith.addi %stage, %c1 : i32
        %end = arith.cmpi eq, %next, %c2 : i32
        %stage1 = arith.select %end, %c0, %next : i32
        %turn = arith.extui %end : i1 to i32
        %phase1 = arith.xori %phase, %turn : i32
        scf.yield %stage1, %phase1 : i32, i32
      }
      nv_tileas.barrier cta
      scf.yield %inner#0, %inner#1 : i32, i32
    }
    nv_tileaa.return
  }

  // Two MMAs per slot are few: an iteration issues those of all slots,
  // whose indices are constants. The remainder loop runs the rest.
  // CHECK-LABEL: nv_tileaa.func kernel @rounds
  // CHECK-SAME: %[[N:[a-z0-9]+]]: i32)
  // CHECK-DAG: %[[RING_A:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[2] 64x32xbf16
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
  // CHECK: {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 1 : i32}}
  // CHECK: %[[RUNS:.*]] = arith.cmpi sgt, %[[N]], %[[C0]]
  // CHECK: %[[REST:.*]] = arith.remui %[[N]], %{{.*}}
  // CHECK: %[[WHOLE:.*]] = arith.subi %[[N]], %[[REST]]
  // CHECK: %[[END:.*]] = arith.select %[[RUNS]], %[[WHOLE]], %[[C0]]
  // CHECK: %[[ROUNDS:.*]] = scf.for %[[K:.*]] = %[[C0]] to %[[END]] step %{{.*}} iter_args(%[[PHASE:.*]] = %[[C0]]) -> (i32)
  // CHECK: nv_tileas.mbarrier.slot %{{.*}}[%[[C0]]]
  // CHECK: nv_tileas.view %[[RING_A]][%[[C0]]]
  // CHECK: nv_tileas.mbarrier.wait %{{.*}}, %[[PHASE]]
  // CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[K]], %[[C0]]
  // CHECK: nv_tileas.async.dot_into {{.*}} use_acc %[[MORE]]
  // CHECK: nv_tileas.umma_commit
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: nv_tileas.mbarrier.slot %{{.*}}[%[[ONE]]]
  // CHECK: nv_tileas.view %[[RING_A]][%[[ONE]]]
  // CHECK: nv_tileas.mbarrier.wait %{{.*}}, %[[PHASE]]
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: nv_tileas.async.dot_into {{.*}} use_acc %[[TRUE]]
  // CHECK: nv_tileas.umma_commit
  // CHECK: %[[TURNED:.*]] = arith.xori %[[PHASE]], %{{.*}} : i32
  // CHECK: scf.yield %[[TURNED]] : i32
  // CHECK: scf.for %{{.*}} = %[[END]] to %[[N]] step %[[C1]] iter_args(%[[STAGE:.*]] = %[[C0]], %{{.*}} = %[[ROUNDS]])
  // CHECK: nv_tileas.view %[[RING_A]][%[[STAGE]]]
  // CHECK: nv_tileas.async.dot_into
  // CHECK: scf.yield
  // CHECK: {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
  nv_tileaa.func kernel @rounds(%ma: !map_a, %mb: !map_b, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %full = nv_tileas.mbarrier.alloc : !objects
    %empty = nv_tileas.mbarrier.alloc : !objects
    %ring_a = nv_tileas.alloc_tensor : !short_ring_a
    %ring_b = nv_tileas.alloc_tensor : !short_ring_b
    %d = nv_tileas.alloc_tensor : !acc
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %end:2 = scf.for %k = %c0 to %n step %c1 iter_args(%stage = %c0, %phase = %c0) -> (i32, i32) : i32 {
      %e = nv_tileas.mbarrier.slot %empty[%stage] : !objects
      %f = nv_tileas.mbarrier.slot %full[%stage] : !objects
      %before = arith.xori %phase, %c1 : i32
      nv_tileas.mbarrier.wait %e, %before {issuer}
      nv_tileas.mbarrier.arrive_expect_tx %f, 8192
      %a = nv_tileas.view %ring_a[%stage] {ring} : !short_ring_a -> !short_a
      %b = nv_tileas.view %ring_b[%stage] {ring} : !short_ring_b -> !short_b
      %t0 = nv_tileas.async.tma_load %ma[%c0, %k] into %a signal %f : !map_a -> !short_a
      %t1 = nv_tileas.async.tma_load %mb[%k, %c0] into %b signal %f : !map_b -> !short_b
      nv_tileas.mbarrier.wait %f, %phase {issuer}
      %more = arith.cmpi ne, %k, %c0 : i32
      nv_tileas.async.dot_into %a, %b into %d use_acc %more {atom = #atom} : !short_a, !short_b -> !acc
      nv_tileas.umma_commit %e
      %next = arith.addi %stage, %c1 : i32
      %last = arith.cmpi eq, %next, %c2 : i32
      %stage1 = arith.select %last, %c0, %next : i32
      %turn = arith.extui %last : i1 to i32
      %phase1 = arith.xori %phase, %turn : i32
      scf.yield %stage1, %phase1 : i32, i32
    }
    nv_tileaa.return
  }

  // All threads synchronize in the loop, and its final state is used.
  // CHECK-LABEL: nv_tileaa.func kernel @kept
  // CHECK-NOT: gpu.subgroup_id
  // CHECK-NOT: scf.if
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @kept(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %full = nv_tileas.mbarrier.alloc : !objects
    %empty = nv_tileas.mbarrier.alloc : !objects
    %ring = nv_tileas.alloc_tensor : !ring
    %d = nv_tileas.alloc_tensor : !acc
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %more = arith.constant true
    scf.for %k = %c0 to %n step %c1 : i32 {
      %e = nv_tileas.mbarrier.slot %empty[%c0] : !objects
      %f = nv_tileas.mbarrier.slot %full[%c0] : !objects
      nv_tileas.mbarrier.wait %e, %c1 {issuer}
      nv_tileas.mbarrier.arrive_expect_tx %f, 8192
      %x = nv_tileas.view %ring[%c0] {ring} : !ring -> !buffer
      %t = nv_tileas.async.tma_load %map[%k, %c0] into %x signal %f : !map -> !buffer
      nv_tileas.barrier cta
      nv_tileas.mbarrier.wait %f, %c0 {issuer}
      nv_tileas.async.dot_into %x, %x into %d use_acc %more {atom = #atom} : !buffer, !buffer -> !acc
      nv_tileas.umma_commit %e
    }
    %end = scf.for %k = %c0 to %n step %c1 iter_args(%phase = %c0) -> (i32) : i32 {
      %e = nv_tileas.mbarrier.slot %empty[%c0] : !objects
      %f = nv_tileas.mbarrier.slot %full[%c0] : !objects
      nv_tileas.mbarrier.wait %e, %c1 {issuer}
      nv_tileas.mbarrier.arrive_expect_tx %f, 8192
      %x = nv_tileas.view %ring[%c0] {ring} : !ring -> !buffer
      %t = nv_tileas.async.tma_load %map[%k, %c0] into %x signal %f : !map -> !buffer
      nv_tileas.mbarrier.wait %f, %phase {issuer}
      nv_tileas.async.dot_into %x, %x into %d use_acc %more {atom = #atom} : !buffer, !buffer -> !acc
      nv_tileas.umma_commit %e
      %phase1 = arith.xori %phase, %c1 : i32
      scf.yield %phase1 : i32
    }
    %f = nv_tileas.mbarrier.slot %full[%end] : !objects
    nv_tileas.mbarrier.wait %f, %c0
    nv_tileaa.return
  }

  // One warp copies scales beside operands; their copy to tensor memory, and the fence before it, belong to the other one.
  // CHECK-LABEL: nv_tileaa.func kernel @scaled
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.mbarrier.arrive_expect_tx %{{.*}}, 32768
  // CHECK-NEXT: nv_tileas.async.tma_load
  // CHECK-NEXT: nv_tileas.async.tma_load
  // CHECK-NEXT: nv_tileas.async.copy
  // CHECK-NEXT: nv_tileas.async.copy
  // CHECK-NEXT: nv_tileas.mbarrier.arrive %{{.*}} {by = cp_async_warp}
  // CHECK-NEXT: }
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 1 : i32}}
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.async.tmem_copy
  // CHECK-NEXT: nv_tileas.async.tmem_copy
  // CHECK-NEXT: nv_tileas.async.dot_into
  // CHECK-NEXT: nv_tileas.umma_commit
  // CHECK-NEXT: }
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
  nv_tileaa.func kernel @scaled(%mx: !map_x, %my: !map_y, %va: !view_a, %vb: !view_b, %n: i32, %more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %full = nv_tileas.mbarrier.alloc : !objects
    %empty = nv_tileas.mbarrier.alloc : !objects
    %x = nv_tileas.alloc_tensor : !x
    %y = nv_tileas.alloc_tensor : !y
    %sa = nv_tileas.alloc_tensor : !staged_a
    %sb = nv_tileas.alloc_tensor : !staged_b
    %ta = nv_tileas.alloc_tensor : !scales_a
    %tb = nv_tileas.alloc_tensor : !scales_b
    %d = nv_tileas.alloc_tensor : !sum
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %e = nv_tileas.mbarrier.slot %empty[%c0] : !objects
    %f = nv_tileas.mbarrier.slot %full[%c0] : !objects
    scf.for %k = %c0 to %n step %c1 : i32 {
      nv_tileas.mbarrier.wait %e, %c1 {issuer}
      nv_tileas.mbarrier.arrive_expect_tx %f, 32768
      %t0 = nv_tileas.async.tma_load %mx[%c0, %k] into %x signal %f : !map_x -> !x
      %t1 = nv_tileas.async.tma_load %my[%k, %c0] into %y signal %f : !map_y -> !y
      %t2 = nv_tileas.async.copy %va[%c0, %k] into %sa {via = #via_a} : !view_a[i32, i32] -> !staged_a
      %t3 = nv_tileas.async.copy %vb[%k, %c0] into %sb {via = #via_b} : !view_b[i32, i32] -> !staged_b
      nv_tileas.mbarrier.arrive %f {by = cp_async_warp}
      nv_tileas.mbarrier.wait %f, %c0 {issuer}
      nv_tileas.fence proxy_async_shared
      nv_tileas.async.tmem_copy %sa into %ta : !staged_a -> !scales_a
      nv_tileas.async.tmem_copy %sb into %tb : !staged_b -> !scales_b
      nv_tileas.async.dot_into %x, %y into %d use_acc %more scales %ta, %tb {atom = #scaled_atom} : !x, !y scales !scales_a, !scales_b -> !sum
      nv_tileas.umma_commit %e
    }
    nv_tileaa.return
  }

  // A third warp copies scales to tensor memory if MMAs wait for a commit
  // after that; the slot then has two commits, of which the first is its own.
  // CHECK-LABEL: nv_tileaa.func kernel @scales_apart
  // CHECK: %[[EMPTY:.*]] = nv_tileas.mbarrier.slot
  // CHECK-NEXT: %[[FULL:.*]] = nv_tileas.mbarrier.slot
  // CHECK-NEXT: %[[THERE:.*]] = nv_tileas.mbarrier.slot
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.mbarrier.wait %[[EMPTY]], %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.mbarrier.arrive_expect_tx %[[FULL]], 32768
  // CHECK-NEXT: nv_tileas.async.tma_load
  // CHECK-NEXT: nv_tileas.async.tma_load
  // CHECK-NEXT: nv_tileas.async.copy
  // CHECK-NEXT: nv_tileas.async.copy
  // CHECK-NEXT: nv_tileas.mbarrier.arrive %[[FULL]] {by = cp_async_warp}
  // CHECK-NEXT: }
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 1 : i32}}
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.mbarrier.wait %[[FULL]], %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.fence proxy_async_shared
  // CHECK-NEXT: nv_tileas.fence tcgen05_after
  // CHECK-NEXT: nv_tileas.async.tmem_copy
  // CHECK-NEXT: nv_tileas.async.tmem_copy
  // CHECK-NEXT: nv_tileas.umma_commit %[[EMPTY]]
  // CHECK-NEXT: nv_tileas.umma_commit %[[THERE]]
  // CHECK-NEXT: }
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 2 : i32}}
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.mbarrier.wait %[[FULL]], %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.mbarrier.wait %[[THERE]], %{{.*}} {issuer}
  // CHECK-NEXT: nv_tileas.fence tcgen05_after
  // CHECK-NEXT: nv_tileas.async.dot_into
  // CHECK-NEXT: nv_tileas.umma_commit %[[EMPTY]]
  // CHECK-NEXT: }
  // CHECK-NEXT: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 0 : i32}}
  nv_tileaa.func kernel @scales_apart(%mx: !map_x, %my: !map_y, %va: !view_a, %vb: !view_b, %n: i32, %more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %full = nv_tileas.mbarrier.alloc : !objects
    %empty = nv_tileas.mbarrier.alloc : !objects
    %there = nv_tileas.mbarrier.alloc : !objects
    %x = nv_tileas.alloc_tensor : !x
    %y = nv_tileas.alloc_tensor : !y
    %sa = nv_tileas.alloc_tensor : !staged_a
    %sb = nv_tileas.alloc_tensor : !staged_b
    %ta = nv_tileas.alloc_tensor : !scales_a
    %tb = nv_tileas.alloc_tensor : !scales_b
    %d = nv_tileas.alloc_tensor : !sum
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %e = nv_tileas.mbarrier.slot %empty[%c0] : !objects
    %f = nv_tileas.mbarrier.slot %full[%c0] : !objects
    %s = nv_tileas.mbarrier.slot %there[%c0] : !objects
    scf.for %k = %c0 to %n step %c1 : i32 {
      nv_tileas.mbarrier.wait %e, %c1 {issuer}
      nv_tileas.mbarrier.arrive_expect_tx %f, 32768
      %t0 = nv_tileas.async.tma_load %mx[%c0, %k] into %x signal %f : !map_x -> !x
      %t1 = nv_tileas.async.tma_load %my[%k, %c0] into %y signal %f : !map_y -> !y
      %t2 = nv_tileas.async.copy %va[%c0, %k] into %sa {via = #via_a} : !view_a[i32, i32] -> !staged_a
      %t3 = nv_tileas.async.copy %vb[%k, %c0] into %sb {via = #via_b} : !view_b[i32, i32] -> !staged_b
      nv_tileas.mbarrier.arrive %f {by = cp_async_warp}
      nv_tileas.mbarrier.wait %f, %c0 {issuer}
      nv_tileas.fence proxy_async_shared
      nv_tileas.fence tcgen05_after
      nv_tileas.async.tmem_copy %sa into %ta : !staged_a -> !scales_a
      nv_tileas.async.tmem_copy %sb into %tb : !staged_b -> !scales_b
      nv_tileas.umma_commit %e
      nv_tileas.umma_commit %s
      nv_tileas.mbarrier.wait %s, %c0 {issuer}
      nv_tileas.fence tcgen05_after
      nv_tileas.async.dot_into %x, %y into %d use_acc %more scales %ta, %tb {atom = #scaled_atom} : !x, !y scales !scales_a, !scales_b -> !sum
      nv_tileas.umma_commit %e
    }
    nv_tileaa.return
  }
}
