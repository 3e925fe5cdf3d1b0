// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-expand-pipelines)))' | FileCheck %s

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {

  // One iteration issues, waits and reads: nothing is in flight after
  // the wait, and a barrier keeps the copies of the next iteration after
  // the reads. Both sides use one slot index, counted once, in bytes.
  // CHECK-LABEL: nv_tileaa.func kernel @unskewed
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32,
  // CHECK-NOT: pipeline
  // CHECK: scf.for {{.*}} iter_args(%[[J:.*]] = %{{.*}}, %[[K:.*]] = %{{.*}}) -> (i32, i32)
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NEXT: %[[C12:.*]] = arith.constant 12 : i32
  // CHECK-NEXT: %[[KW:.*]] = arith.shrui %[[K]], %[[C12]] exact : i32
  // CHECK-NEXT: %[[W:.*]] = nv_tileas.view %[[B]][%[[KW]]] {ring}
  // CHECK-NEXT: nv_tileas.async.copy %{{.*}} into %[[W]]
  // CHECK-NEXT: nv_tileas.async.commit_group
  // CHECK: nv_tileas.async.wait_group {pending = 0 : i32}
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK: %[[KS:.*]] = arith.shrui %[[K]], %{{.*}} exact : i32
  // CHECK-NEXT: %[[S:.*]] = nv_tileas.view %[[B]][%[[KS]]] {ring}
  // CHECK-NEXT: nv_tileas.copy %[[S]]
  // CHECK-NOT: pipeline
  // CHECK: %[[STEP:.*]] = arith.constant 4096 : i32
  // CHECK: %[[NEXT:.*]] = arith.addi %[[K]], %[[STEP]] : i32
  // CHECK: %[[ALL:.*]] = arith.constant 12288 : i32
  // CHECK: %[[END:.*]] = arith.cmpi eq, %[[NEXT]], %[[ALL]] : i32
  // CHECK: %[[K1:.*]] = arith.select %[[END]],
  // CHECK: scf.yield %[[J]], %[[K1]]
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @unskewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j1, %k1 : !i, !i
    }
    nv_tileaa.return
  }

  // The barrier of the wait is all that an iteration has, and nothing was in the slots before the first copies.
  // CHECK-LABEL: nv_tileaa.func kernel @skewed
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.copy
  // CHECK: nv_tileas.async.commit_group
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.copy
  // CHECK: nv_tileas.async.commit_group
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.async.wait_group {pending = 1 : i32}
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.async.copy
  // CHECK-NEXT: nv_tileas.async.commit_group
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @skewed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %h0 = arith.cmpi sgt, %n, %c0 : i32
    %h1 = arith.cmpi sgt, %n, %c1 : i32
    %w0 = nv_tileas.pipeline.acquire %p[%j0] if %h0 : !p -> !slot
    %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j0] if %h0 : !p
    %j1 = nv_tileas.pipeline.advance %j0 : !i
    %w1 = nv_tileas.pipeline.acquire %p[%j1] if %h1 : !p -> !slot
    %t1 = nv_tileas.async.copy %v[%c1, %c0] into %w1 if %h1 {via = #l} : !v[i32, i32] -> !slot
    nv_tileas.pipeline.commit %p[%j1] if %h1 : !p
    %j2 = nv_tileas.pipeline.advance %j1 : !i
    %c2 = arith.constant 2 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j2, %k = %k0) -> (!i, !i) : i32 {
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot
      %q = arith.addi %i, %c2 : i32
      %h = arith.cmpi slt, %q, %n : i32
      %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
      %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] if %h : !p
      %j3 = nv_tileas.pipeline.advance %j : !i
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j3, %k1 : !i, !i
    }
    nv_tileaa.return
  }

  // Between two runs of the inner loop the bytes of the pipeline may be
  // reused. Whether a copy runs ahead is compared with values known before.
  // CHECK-LABEL: nv_tileaa.func kernel @nested
  // CHECK-NOT: nv_tileas.alloc_tensor
  // CHECK: scf.for %{{.*}} = %{{.*}} to %[[N:[a-z0-9]*]] step
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32,
  // CHECK-NEXT: nv_tileas.view %[[B]]
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK-NEXT: %[[WHOLE:.*]] = arith.subi %[[N]], %[[LOWER:.*]] : i32
  // CHECK-NEXT: %[[LONG:.*]] = arith.cmpi ugt, %[[WHOLE]], %[[ONE]] : i32
  // CHECK-NEXT: %[[LAST:.*]] = arith.subi %[[N]], %[[ONE]] : i32
  // CHECK-NEXT: %[[LIMIT:.*]] = arith.select %[[LONG]], %[[LAST]], %[[LOWER]] : i32
  // CHECK: scf.for %[[I:.*]] = %[[LOWER]] to %[[N]] step
  // CHECK: arith.cmpi slt, %[[I]], %[[LIMIT]] : i32
  // CHECK-NOT: arith.cmpi ugt
  // CHECK: scf.yield
  // CHECK-NEXT: }
  // CHECK-NEXT: nv_tileas.dealloc %[[B]]
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @nested(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %o:2 = scf.for %tile = %c0 to %n step %c1 iter_args(%jo = %j0, %ko = %k0) -> (!i, !i) : i32 {
      %h0 = arith.cmpi sgt, %n, %c0 : i32
      %w0 = nv_tileas.pipeline.acquire %p[%jo] if %h0 : !p -> !slot
      %t0 = nv_tileas.async.copy %v[%c0, %c0] into %w0 if %h0 {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%jo] if %h0 : !p
      %j1 = nv_tileas.pipeline.advance %jo : !i
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j1, %k = %ko) -> (!i, !i) : i32 {
        %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
        %q = arith.addi %i, %c1 : i32
        %left = arith.subi %n, %i : i32
        %h = arith.cmpi ugt, %left, %c1 : i32
        %w = nv_tileas.pipeline.acquire %p[%j] if %h : !p -> !slot
        %t = nv_tileas.async.copy %v[%q, %c0] into %w if %h {via = #l} : !v[i32, i32] -> !slot
        nv_tileas.pipeline.commit %p[%j] if %h : !p
        %j2 = nv_tileas.pipeline.advance %j : !i
        %x = nv_tileas.copy %s : !slot -> !t
        %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
        nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
        %k1 = nv_tileas.pipeline.advance %k : !i
        scf.yield %j2, %k1 : !i, !i
      }
      %j3 = nv_tileas.pipeline.iterator %p producer from %r#1 : !p -> !i
      scf.yield %j3, %r#1 : !i, !i
    }
    nv_tileas.dealloc %b : !ring
    nv_tileaa.return
  }
}
