// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=4})))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=2})))' | FileCheck %s --check-prefix=TWO
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=1})))' | FileCheck %s --check-prefix=OFF
// The result expands: the states of the slots are right.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-expand-pipelines)))' -o /dev/null

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

  // Three slots, so two iterations ahead, each under the condition that
  // this iteration exists; one group may be in flight after a wait.
  // CHECK-LABEL: nv_tileaa.func kernel @simple
  // CHECK: %[[P:.*]] = nv_tileas.pipeline.create
  // CHECK: %[[J0:.*]] = nv_tileas.pipeline.iterator %[[P]] producer
  // CHECK: %[[K0:.*]] = nv_tileas.pipeline.iterator %[[P]] consumer
  // CHECK: %[[H0:.*]] = arith.cmpi slt, %[[LB:.*]], %[[N:.*]] : i32
  // CHECK: %[[W0:.*]] = nv_tileas.pipeline.acquire %[[P]][%[[J0]]] if %[[H0]]
  // CHECK-NEXT: nv_tileas.async.copy %{{.*}}[%[[LB]], %{{.*}}] into %[[W0]] if %[[H0]]
  // CHECK-NEXT: nv_tileas.pipeline.commit %[[P]][%[[J0]]] if %[[H0]]
  // CHECK-NEXT: %[[J1:.*]] = nv_tileas.pipeline.advance %[[J0]]
  // CHECK: %[[ONE:.*]] = arith.addi %[[LB]], %{{.*}} : i32
  // CHECK: %[[L1:.*]] = arith.cmpi ugt, %{{.*}}, %{{.*}} : i32
  // CHECK: %[[H1:.*]] = arith.andi %{{.*}}, %[[L1]] : i1
  // CHECK: nv_tileas.pipeline.acquire %[[P]][%[[J1]]] if %[[H1]]
  // CHECK-NEXT: nv_tileas.async.copy %{{.*}}[%[[ONE]], %{{.*}}]
  // CHECK: %[[J2:.*]] = nv_tileas.pipeline.advance %[[J1]]
  // CHECK: scf.for %[[I:.*]] = %[[LB]] to %[[N]] step %{{.*}} iter_args(%{{.*}} = %[[J0]], %[[K:.*]] = %[[K0]], %[[J:.*]] = %[[J2]])
  // CHECK-NEXT: nv_tileas.pipeline.wait %[[P]][%[[K]]] {consumer = 0 : i32, pending = 1 : i32}
  // CHECK: %[[Q:.*]] = arith.addi %[[I]], %{{.*}} : i32
  // CHECK: %[[LEFT:.*]] = arith.subi %[[N]], %[[I]] : i32
  // CHECK: %[[H:.*]] = arith.cmpi ugt, %[[LEFT]], %{{.*}} : i32
  // CHECK: %[[W:.*]] = nv_tileas.pipeline.acquire %[[P]][%[[J]]] if %[[H]]
  // CHECK-NEXT: nv_tileas.async.copy %{{.*}}[%[[Q]], %{{.*}}] into %[[W]] if %[[H]]
  // CHECK-NEXT: nv_tileas.pipeline.commit %[[P]][%[[J]]] if %[[H]]
  // CHECK: nv_tileas.copy
  // CHECK-NOT: nv_tileas.pipeline.acquire
  // CHECK: nv_tileaa.return
  // Two slots are used of three.
  // TWO-LABEL: nv_tileaa.func kernel @simple
  // TWO: nv_tileas.alloc_tensor : !nv_tileas.buffer<[2] 32x32xf32,
  // TWO: nv_tileas.pipeline.acquire
  // TWO-NOT: nv_tileas.pipeline.acquire
  // TWO: scf.for
  // TWO: nv_tileas.pipeline.wait {{.*}} pending = 0 : i32}
  // OFF-LABEL: nv_tileaa.func kernel @simple
  // OFF: nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32,
  // OFF-NOT: nv_tileas.pipeline.acquire
  // OFF: scf.for
  nv_tileaa.func kernel @simple(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
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

  // A value that the copies alone advance runs ahead with them.
  // CHECK-LABEL: nv_tileaa.func kernel @carried
  // CHECK: nv_tileas.async.copy %{{.*}}[%[[AT0:.*]], %{{.*}}] into
  // CHECK: %[[AT1:.*]] = arith.addi %[[AT0]], %[[N:.*]] : i32
  // CHECK: nv_tileas.async.copy %{{.*}}[%[[AT1]], %{{.*}}] into
  // CHECK: %[[AT2:.*]] = arith.addi %[[AT1]], %[[N]] : i32
  // CHECK: scf.for {{.*}} iter_args({{.*}}%[[AT:[^ ]*]] = %[[AT2]])
  // CHECK: nv_tileas.async.copy %{{.*}}[%[[AT]], %{{.*}}] into
  nv_tileaa.func kernel @carried(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0, %at = %c1) -> (!i, !i, i32) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%at, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%at, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      %next = arith.addi %at, %n : i32
      scf.yield %j1, %k1, %next : !i, !i, i32
    }
    nv_tileaa.return
  }

  // After the inner loop the producer continues where the consumer is.
  // CHECK-LABEL: nv_tileaa.func kernel @nested
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
  // CHECK: nv_tileas.pipeline.acquire
  // CHECK: %[[R:.*]]:3 = scf.for
  // CHECK: }
  // CHECK: %[[J:.*]] = nv_tileas.pipeline.iterator %{{.*}} producer from %[[R]]#1
  // CHECK: scf.yield %[[J]], %[[R]]#1
  nv_tileaa.func kernel @nested(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %o:2 = scf.for %g = %c0 to %n step %c1 iter_args(%jo = %j0, %ko = %k0) -> (!i, !i) : i32 {
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %jo, %k = %ko) -> (!i, !i) : i32 {
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
      scf.yield %r#0, %r#1 : !i, !i
    }
    nv_tileaa.return
  }

  // Copies at the place of the schedule, after the read; its attributes
  // are gone. The first copies are before the loop as without a schedule.
  // CHECK-LABEL: nv_tileaa.func kernel @placed
  // CHECK-NOT: nv_tile.aws
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.pipeline.wait {{.*}} pending = 1 : i32}
  // CHECK-NOT: nv_tileas.pipeline.acquire
  // CHECK: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.pipeline.acquire {{.*}} if
  // CHECK-NEXT: nv_tileas.async.copy {{.*}} if
  // CHECK-NEXT: nv_tileas.pipeline.commit {{.*}} if
  // CHECK: nv_tileas.tiled_store
  // CHECK-NOT: nv_tile.aws
  // OFF-LABEL: nv_tileaa.func kernel @placed
  // OFF-NOT: nv_tile.aws
  nv_tileaa.func kernel @placed(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32} : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 0 : i32, via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] {nv_tile.aws.order = 4 : i32, nv_tile.aws.stage = 0 : i32} : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 1 : i32} : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] {nv_tile.aws.order = 5 : i32, nv_tile.aws.stage = 1 : i32} : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, nv_tile.aws.order = 6 : i32, nv_tile.aws.stage = 1 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j1, %k1 : !i, !i
    }
    nv_tileaa.return
  }

  // Fewer trips than stages: as it was.
  // CHECK-LABEL: nv_tileaa.func kernel @short
  // CHECK-NOT: nv_tileas.pipeline.acquire
  // CHECK: scf.for
  // CHECK-NEXT: nv_tileas.pipeline.acquire
  nv_tileaa.func kernel @short(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
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
}
