// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so
// RUN: %{opt} %s | %{opt} | FileCheck %s
// RUN: %{opt} %s --mlir-print-op-generic | %{opt} | FileCheck %s

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>, buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>

// CHECK-LABEL: func.func @pipelines(
func.func @pipelines(%a: !ring, %b: !ring, %c: i1) {
  // CHECK: %[[P0:.*]] = nv_tileas.pipeline.create %{{.*}}, %{{.*}} {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !nv_tileas.buffer<[3] 32x32xf32, #{{.*}}>, !nv_tileas.buffer<[3] 32x32xf32, #{{.*}}> -> !nv_tileas.pipeline<3, (buffer<32x32xf32, #{{.*}}>, buffer<32x32xf32, #{{.*}}>)>
  %p = nv_tileas.pipeline.create %a, %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring, !ring -> !p
  // CHECK: nv_tileas.pipeline.create {producer = umma, consumers = [generic, tma_store], sync = mbarrier, empty = mbarrier} : -> !nv_tileas.pipeline<1, ()>
  %h = nv_tileas.pipeline.create {producer = umma, consumers = [generic, tma_store], sync = mbarrier, empty = mbarrier} : -> !nv_tileas.pipeline<1, ()>
  // CHECK: %[[J:.*]] = nv_tileas.pipeline.iterator %[[P0]] producer : !nv_tileas.pipeline<3, {{.*}}> -> !nv_tileas.pipeline_iterator<3>
  %j = nv_tileas.pipeline.iterator %p producer : !p -> !i
  // CHECK: %[[K:.*]] = nv_tileas.pipeline.iterator %[[P0]] consumer : !nv_tileas.pipeline<3, {{.*}}> -> !nv_tileas.pipeline_iterator<3>
  %k = nv_tileas.pipeline.iterator %p consumer : !p -> !i
  // CHECK: nv_tileas.pipeline.iterator %[[P0]] producer from %[[K]] : !nv_tileas.pipeline<3, {{.*}}> -> !nv_tileas.pipeline_iterator<3>
  %f = nv_tileas.pipeline.iterator %p producer from %k : !p -> !i
  // CHECK: nv_tileas.pipeline.acquire %[[P0]][%[[J]]] if %{{.*}} : !nv_tileas.pipeline<3, {{.*}}> -> !nv_tileas.buffer<32x32xf32, #{{.*}}>, !nv_tileas.buffer<32x32xf32, #{{.*}}>
  %w:2 = nv_tileas.pipeline.acquire %p[%j] if %c : !p -> !slot, !slot
  // CHECK: nv_tileas.pipeline.commit %[[P0]][%[[J]]] if %{{.*}} : !nv_tileas.pipeline<3
  nv_tileas.pipeline.commit %p[%j] if %c : !p
  // CHECK: nv_tileas.pipeline.advance %[[J]] : !nv_tileas.pipeline_iterator<3>
  %j1 = nv_tileas.pipeline.advance %j : !i
  // CHECK: nv_tileas.pipeline.wait %[[P0]][%[[K]]] {consumer = 0 : i32, pending = 1 : i32} : !nv_tileas.pipeline<3, {{.*}}> -> !nv_tileas.buffer<32x32xf32, #{{.*}}>, !nv_tileas.buffer<32x32xf32, #{{.*}}>
  %r:2 = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 1 : i32} : !p -> !slot, !slot
  // CHECK: nv_tileas.pipeline.release %[[P0]][%[[K]]] if %{{.*}} {consumer = 0 : i32, pending = 0 : i32} : !nv_tileas.pipeline<3
  nv_tileas.pipeline.release %p[%k] if %c {consumer = 0 : i32} : !p
  return
}

// CHECK-LABEL: func.func @copies(
func.func @copies(%v: !v, %q: tensor<32x32x!nv_tileaa.ptr<f32>, #l>, %m: tensor<32x32xi1, #l>, %s: !slot, %i: i32, %c: i1, %t: !nv_tileaa.mem_token) {
  // CHECK: nv_tileas.async.copy %{{.*}}[%{{.*}}, %{{.*}}] into %{{.*}} if %{{.*}} token %{{.*}} in_bounds = [true, false] {via = #{{.*}}} : !nv_tileaa.tiled_view<{{.*}}>[i32, i32] -> !nv_tileas.buffer<32x32xf32, #{{.*}}>
  %0 = nv_tileas.async.copy %v[%i, %i] into %s if %c token %t in_bounds = [true, false] {via = #l} : !v[i32, i32] -> !slot
  // CHECK: nv_tileas.async.copy %{{.*}} into %{{.*}} mask %{{.*}} : tensor<32x32xi1, #{{.*}}> {via = #{{.*}}} : tensor<32x32x!nv_tileaa.ptr<f32>, #{{.*}}> -> !nv_tileas.buffer<32x32xf32, #{{.*}}>
  %1 = nv_tileas.async.copy %q into %s mask %m : tensor<32x32xi1, #l> {via = #l} : tensor<32x32x!nv_tileaa.ptr<f32>, #l> -> !slot
  // CHECK: nv_tileas.async.commit_group
  nv_tileas.async.commit_group
  // CHECK: nv_tileas.async.wait_group {pending = 2 : i32}
  nv_tileas.async.wait_group {pending = 2 : i32}
  return
}
