// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-specialize-agents,tileas-resolve-agent-boundary,tileas-check-register-budget,optimize-execution-unit-mapping,propagate-execution-unit)))' --remark-format=emitRemark --remarks-filter-missed=tileas --remarks-filter-passed=tileas 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAY --input-file=%t.err
// The steps of both agents become mbarriers that they wait on.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-specialize-agents,tileas-resolve-agent-boundary,tileas-check-register-budget,optimize-execution-unit-mapping,propagate-execution-unit,tileas-expand-pipelines)))' | FileCheck %s --check-prefix=OBJECTS

#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#l8 = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>
#row = #nv_tileas.layout<reg, [1, 64], blocked<per_thread = [1, 2], lanes = [1, 32], warps = [1, 4], order = [1, 0]>>
#rows = #nv_tileas.layout<reg, [2, 64], blocked<per_thread = [2, 2], lanes = [1, 32], warps = [1, 4], order = [1, 0]>>
!ring = !nv_tileas.buffer<[12] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!p = !nv_tileas.pipeline<12, (buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<12>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
// Copies run through both loops by themselves; what they depend on goes with them.
// CHECK-LABEL: func kernel @tiles
// CHECK: %[[P:.*]] = nv_tileas.pipeline.create {{.*}}empty = mbarrier
// CHECK: %[[F:.*]] = nv_tileas.pipeline.iterator %[[P]] producer
// CHECK: %[[WARP:.*]] = gpu.subgroup_id
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: %[[MINE:.*]] = arith.cmpi eq, %[[WARP]], %[[FOUR]]
// CHECK: scf.if %[[MINE]] {
// CHECK:   scf.for %[[T:.*]] = {{.*}} iter_args(%{{.*}} = %[[F]]) -> (!nv_tileas.pipeline_iterator<12>)
// CHECK:     %[[ROW:.*]] = arith.muli %[[T]]
// CHECK:     scf.for {{.*}} -> (!nv_tileas.pipeline_iterator<12>)
// CHECK-NEXT:  pipeline.acquire
// CHECK-NEXT:  async.tma_load {{.*}}[%[[ROW]],
// CHECK-NEXT:  pipeline.commit
// CHECK-NEXT:  pipeline.advance
// CHECK-NEXT:  scf.yield
// CHECK-NOT: nv_tileas.copy
// CHECK: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 4 : i32}}
// CHECK: scf.if
// CHECK-NOT: tma_load
// Numbers that are used only after the loops are computed there.
// CHECK-NOT: arith.divui
// CHECK:     pipeline.wait
// CHECK-NEXT: nv_tileas.copy
// CHECK-NEXT: nv_tileas.copy
// CHECK-NEXT: pipeline.release
// CHECK:   arith.divui
// CHECK-NEXT: nv_tileas.store
// CHECK:   nv_tileas.dealloc
// CHECK: } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 0 : i32}}
// CHECK-NEXT: nv_tileaa.return
// SAY: SpecializeAgents | {{.*}}Function=tiles | {{.*}}"copies have a warp of their own", Rings=1, Warps=4
// OBJECTS-LABEL: func kernel @tiles
// OBJECTS: mbarrier.init %[[FULL:.*]] {count = 1 : i32}
// OBJECTS: mbarrier.init %[[EMPTY:.*]] {count = 4 : i32}
// OBJECTS: barrier cta
// OBJECTS: scf.if
// OBJECTS: mbarrier.slot %[[EMPTY]]
// OBJECTS-NEXT: mbarrier.wait {{.*}} {issuer}
// OBJECTS-NEXT: mbarrier.slot %[[FULL]]
// OBJECTS-NEXT: arrive_expect_tx
// OBJECTS: warp_id = 4
// OBJECTS: mbarrier.slot %[[FULL]]
// OBJECTS-NEXT: mbarrier.wait
// OBJECTS: nv_tileas.copy
// OBJECTS: mbarrier.slot %[[EMPTY]]
// OBJECTS-NEXT: mbarrier.arrive {{.*}} {by = warp}
// OBJECTS-NOT: nv_tileas.barrier
// OBJECTS: nv_tileaa.return
nv_tileaa.func kernel @tiles(%map: !map, %m: i32, %n: i32, %o: !slot, %to: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %b = nv_tileas.alloc_tensor : !ring
  %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
  %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
  %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
  %late = arith.divui %m, %c64 : i32
  %q:2 = scf.for %y = %c0 to %m step %c1 iter_args(%d = %j, %e = %k) -> (!i, !i) : i32 {
    %row = arith.muli %y, %c64 : i32
    %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %d, %g = %e) -> (!i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
      %t = nv_tileas.async.tma_load %map[%row, %x] into %w : !map -> !slot
      nv_tileas.pipeline.commit %p[%f] : !p
      %f1 = nv_tileas.pipeline.advance %f : !i
      %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %v = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
      nv_tileas.copy %v, %o : tensor<64x64xbf16, #l>, !slot
      nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
      %g1 = nv_tileas.pipeline.advance %g : !i
      scf.yield %f1, %g1 : !i, !i
    }
    scf.yield %r#0, %r#1 : !i, !i
  }
  %u = nv_tileas.store weak %to, %late {atom = #nv_tileas.copy_atom<stg, bits = 32>} : !nv_tileaa.ptr<i32>, i32
  nv_tileas.dealloc %b : !ring
  nv_tileaa.return
}

// MMAs of the previous iteration still read their slot when a warp arrives: the producer of a slot waits for the
// arrivals of the following iteration. MMAs in flight with their registers wait for those of the copying warps.
// OBJECTS-LABEL: func kernel @lag
// OBJECTS: scf.for
// OBJECTS: %[[HERE:.*]] = arith.shrui %[[AT:.*]], %
// OBJECTS: %[[STEP:.*]] = arith.addi %[[AT]]
// OBJECTS: %[[NEXT:.*]] = arith.select {{.*}}, %[[STEP]]
// OBJECTS: %[[BEHIND:.*]] = arith.shrui %[[NEXT]], %
// OBJECTS: mbarrier.slot %{{.*}}[%[[BEHIND]]]
// OBJECTS-NEXT: mbarrier.wait
// OBJECTS-NEXT: mbarrier.slot %{{.*}}[%[[HERE]]]
// OBJECTS-NEXT: arrive_expect_tx
nv_tileaa.func kernel @lag(%map: !map, %n: i32, %o: !slot) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = nv_tileas.alloc_tensor : !ring
  %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
  %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
  %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
  %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
    %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
    %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
    nv_tileas.pipeline.commit %p[%f] : !p
    %f1 = nv_tileas.pipeline.advance %f : !i
    %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    %v = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
    nv_tileas.copy %v, %o : tensor<64x64xbf16, #l>, !slot
    nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 1 : i32} : !p
    %g1 = nv_tileas.pipeline.advance %g : !i
    scf.yield %f1, %g1 : !i, !i
  }
  nv_tileaa.return
}

// The schedule of the loop was asked to stay that of one stream.
// SAY: SpecializeAgents | {{.*}}Function=one_stream | Reason="the schedule of a loop is for one stream of instructions", {{.*}}"Failed to give copies a warp of their own"
// CHECK-LABEL: func kernel @one_stream
// CHECK-NOT: nv_tileas.agent
// CHECK: nv_tileaa.return
nv_tileaa.func kernel @one_stream(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = nv_tileas.alloc_tensor : !ring
  %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
  %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
  %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
  %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
    %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
    %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
    nv_tileas.pipeline.commit %p[%f] : !p
    %f1 = nv_tileas.pipeline.advance %f : !i
    %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    %v = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
    nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
    %g1 = nv_tileas.pipeline.advance %g : !i
    scf.yield %f1, %g1 : !i, !i
  } {tileas.schedule.unspecialized}
  nv_tileaa.return
}

// All threads of the cluster meet at an exchange of tiles.
// SAY: SpecializeAgents | {{.*}}Function=exchange | Reason="all threads of a cluster exchange tiles", {{.*}}"Failed to give copies a warp of their own"
// CHECK-LABEL: func kernel @exchange
// CHECK-NOT: nv_tileas.agent
// CHECK: nv_tileaa.return
nv_tileaa.func kernel @exchange(%map: !map, %n: i32, %v0: tensor<1x64xf32, #row>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = nv_tileas.alloc_tensor : !ring
  %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
  %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
  %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
  %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
    %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
    %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
    nv_tileas.pipeline.commit %p[%f] : !p
    %f1 = nv_tileas.pipeline.advance %f : !i
    %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    %v = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
    nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
    %g1 = nv_tileas.pipeline.advance %g : !i
    scf.yield %f1, %g1 : !i, !i
  }
  %all = nv_tileas.cluster_gather %v0 dim = 0 axes = 1 : tensor<1x64xf32, #row> -> tensor<2x64xf32, #rows>
  nv_tileaa.return
}

// A number from memory decides what is copied: only warps that have it can.
// SAY: SpecializeAgents | {{.*}}Function=counted | Reason="a copy depends on 'nv_tileas.load'", {{.*}}"Failed to give copies a warp of their own"
// CHECK-LABEL: func kernel @counted
// CHECK-NOT: nv_tileas.agent
// CHECK: nv_tileaa.return
nv_tileaa.func kernel @counted(%map: !map, %from: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n, %u = nv_tileas.load weak %from {atom = #nv_tileas.copy_atom<ldg, bits = 32>} : !nv_tileaa.ptr<i32> -> i32
  %b = nv_tileas.alloc_tensor : !ring
  %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
  %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
  %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
  %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
    %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
    %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
    nv_tileas.pipeline.commit %p[%f] : !p
    %f1 = nv_tileas.pipeline.advance %f : !i
    %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    %v = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
    nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
    %g1 = nv_tileas.pipeline.advance %g : !i
    scf.yield %f1, %g1 : !i, !i
  }
  nv_tileaa.return
}

// A hint gives 16 CTAs an SM: 24 registers are all that each of 160 threads would have.
// SAY: SpecializeAgents | {{.*}}Function=occupied | Reason="a hint leaves too few registers for another warp", {{.*}}"Failed to give copies a warp of their own"
// CHECK-LABEL: func kernel @occupied
// CHECK-NOT: nv_tileas.agent
// CHECK: nv_tileaa.return
nv_tileaa.func kernel @occupied(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 16>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %b = nv_tileas.alloc_tensor : !ring
  %p = nv_tileas.pipeline.create %b {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
  %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
  %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
  %r:2 = scf.for %x = %c0 to %n step %c1 iter_args(%f = %j, %g = %k) -> (!i, !i) : i32 {
    %w = nv_tileas.pipeline.acquire %p[%f] : !p -> !slot
    %t = nv_tileas.async.tma_load %map[%x, %c0] into %w : !map -> !slot
    nv_tileas.pipeline.commit %p[%f] : !p
    %f1 = nv_tileas.pipeline.advance %f : !i
    %s = nv_tileas.pipeline.wait %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
    %v = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
    nv_tileas.pipeline.release %p[%g] {consumer = 0 : i32, pending = 0 : i32} : !p
    %g1 = nv_tileas.pipeline.advance %g : !i
    scf.yield %f1, %g1 : !i, !i
  }
  nv_tileaa.return
}
}
