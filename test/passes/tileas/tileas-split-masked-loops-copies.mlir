// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-split-masked-loops{min-elements=1024})))' | FileCheck %s
// The result expands: the states of the slots are right from one part to the next.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=3},tileas-split-masked-loops{min-elements=1024},tileas-expand-pipelines)))' -o /dev/null

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#c1 = #nv_tileas.layout<reg, [1, 32], register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 0], [0, 0]], warp = [[0, 0], [0, 0]]>
#c = #nv_tileas.layout<reg, [32], register = [[1], [2]], lane = [[4], [8], [16], [0], [0]], warp = [[0], [0]]>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m {

  // Two iterations ahead: the copies of the first part are of iterations that exist, of rows of whole tiles, and of a column
  // %j that is one of the two of the array.
  // CHECK-LABEL: nv_tileaa.func kernel @rows
  // CHECK-SAME: %[[SIZE:[a-z0-9]+]]: i64, %[[N:[a-z0-9]+]]: i32, %[[J:[a-z0-9]+]]: i32
  // CHECK: %[[LESS:.*]] = arith.addi %[[SIZE]], %c-32_i64 : i64
  // CHECK: arith.floordivsi %[[LESS]], %c32_i64
  // CHECK: arith.minsi
  // CHECK: arith.addi %{{.*}}, %c-2_i64
  // CHECK: arith.minsi
  // CHECK: %[[CUT:.*]] = arith.trunci
  // CHECK: %[[A:.*]]:{{[0-9]}} = scf.for %{{.*}} = %c0_i32 to %[[CUT]]
  // CHECK: nv_tileas.pipeline.wait
  // CHECK: nv_tileas.pipeline.acquire %{{.*}} if %
  // CHECK: nv_tileas.async.copy %{{.*}} into %{{[^ ]*}} in_bounds = [true, true]
  // CHECK: scf.yield
  // CHECK: scf.for %{{.*}} = %[[CUT]] to %[[N]] step %{{.*}} iter_args({{.*}} = %[[A]]#0,
  // CHECK: arith.cmpi ugt
  // CHECK: nv_tileas.async.copy %{{.*}} into %{{.*}} if %
  // CHECK-NOT: in_bounds
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @rows(%ptr: !nv_tileaa.ptr<f32>, %size: i64, %n: i32, %j: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %m = nv_tileas.make_memref %ptr sizes[%size] : !nv_tileaa.ptr<f32> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%pj = %j0, %pk = %k0) -> (!i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%pj] : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %j] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%pj] : !p
      %nj = nv_tileas.pipeline.advance %pj : !i
      %s = nv_tileas.pipeline.wait %p[%pk] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      nv_tileas.pipeline.release %p[%pk] {consumer = 0 : i32} : !p
      %nk = nv_tileas.pipeline.advance %pk : !i
      scf.yield %nj, %nk : !i, !i
    }
    nv_tileas.dealloc %b : !ring
    nv_tileaa.return
  }

  // An array without a known layout: the loop is not split.
  // CHECK-LABEL: nv_tileaa.func kernel @unknown
  // CHECK: scf.for
  // CHECK-NOT: scf.for
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @unknown(%v: !v, %n: i32, %j: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%pj = %j0, %pk = %k0) -> (!i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%pj] : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %j] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%pj] : !p
      %nj = nv_tileas.pipeline.advance %pj : !i
      %s = nv_tileas.pipeline.wait %p[%pk] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      nv_tileas.pipeline.release %p[%pk] {consumer = 0 : i32} : !p
      %nk = nv_tileas.pipeline.advance %pk : !i
      scf.yield %nj, %nk : !i, !i
    }
    nv_tileas.dealloc %b : !ring
    nv_tileaa.return
  }

  // A loop with masks, too: the first part ends where the masks begin to matter, and before a copy two iterations ahead may
  // reach over the last row. Whether the column is one of the array, and whether the iteration exists, is still looked at.
  // CHECK-LABEL: nv_tileaa.func kernel @masked
  // CHECK: %[[CUT:.*]] = arith.trunci
  // CHECK: scf.for %{{.*}} = %c0_i32 to %[[CUT]]
  // CHECK-NOT: arith.select
  // CHECK: nv_tileas.async.copy %{{.*}} if %{{[^ ]*}} in_bounds = [true, false]
  // CHECK-NOT: arith.select
  // CHECK: scf.for %{{.*}} = %[[CUT]] to
  // CHECK: nv_tileas.async.copy %{{.*}} if %
  // CHECK-NOT: in_bounds
  // CHECK: arith.select
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @masked(%ptr: !nv_tileaa.ptr<f32>, %size: i64, %n: i32, %j: i32, %end: i32, %x0: !t) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %m = nv_tileas.make_memref %ptr sizes[%size] : !nv_tileaa.ptr<f32> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c32 = arith.constant 32 : i32
    %low = arith.constant dense<0.0> : !t
    %columns = nv_tileas.make_range 0 to 32 : tensor<32xi32, #c>
    %columns1 = nv_tileas.expand_dims %columns {axis = 0 : i32} : tensor<32xi32, #c> -> tensor<1x32xi32, #c1>
    %ends = nv_tileas.splat %end : i32 -> tensor<1x32xi32, #c1>
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x0, %pj = %j0, %pk = %k0) -> (!t, !i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%pj] : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %j] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%pj] : !p
      %nj = nv_tileas.pipeline.advance %pj : !i
      %s = nv_tileas.pipeline.wait %p[%pk] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      nv_tileas.pipeline.release %p[%pk] {consumer = 0 : i32} : !p
      %nk = nv_tileas.pipeline.advance %pk : !i
      %first = arith.muli %i, %c32 : i32
      %first1 = nv_tileas.splat %first : i32 -> tensor<1x32xi32, #c1>
      %keys = arith.addi %first1, %columns1 : tensor<1x32xi32, #c1>
      %in = arith.cmpi slt, %keys, %ends : tensor<1x32xi32, #c1>
      %mask = nv_tileas.broadcast %in : tensor<1x32xi1, #c1> -> tensor<32x32xi1, #l>
      %y = arith.select %mask, %x, %low : tensor<32x32xi1, #l>, !t
      %sum = arith.addf %a, %y : !t
      scf.yield %sum, %nj, %nk : !t, !i, !i
    }
    nv_tileas.dealloc %b : !ring
    nv_tileaa.return
  }
}
