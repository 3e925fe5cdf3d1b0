// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so
// RUN: %{opt} %s | %{opt} | FileCheck %s
// RUN: %{opt} %s --mlir-print-op-generic | %{opt} | FileCheck %s

#s = #nv_tileas.layout<smem, [128, 64], swizzled<b128, major = 1, bits = 16>>
!slot = !nv_tileas.buffer<128x64xbf16, #s>
!v = !nv_tileaa.tiled_view<128x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!d = !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>

// CHECK-LABEL: func.func @mbarriers(
func.func @mbarriers(%i: i32, %parity: i32, %c: i1) {
  // CHECK: %[[M:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[4]>
  %m = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[4]>
  // CHECK: nv_tileas.mbarrier.alloc {smem_offset = 64 : i32} : !nv_tileas.mbarrier<[1]>
  %n = nv_tileas.mbarrier.alloc {smem_offset = 64 : i32} : !nv_tileas.mbarrier<[1]>
  // CHECK: nv_tileas.mbarrier.init %[[M]] {count = 1 : i32} : !nv_tileas.mbarrier<[4]>
  nv_tileas.mbarrier.init %m {count = 1 : i32} : !nv_tileas.mbarrier<[4]>
  // CHECK: nv_tileas.mbarrier.init %[[M]] {again, count = 1 : i32} : !nv_tileas.mbarrier<[4]>
  nv_tileas.mbarrier.init %m {again, count = 1 : i32} : !nv_tileas.mbarrier<[4]>
  // CHECK: %[[B:.*]] = nv_tileas.mbarrier.slot %[[M]][%{{.*}}] : !nv_tileas.mbarrier<[4]>
  %b = nv_tileas.mbarrier.slot %m[%i] : !nv_tileas.mbarrier<[4]>
  // CHECK: nv_tileas.mbarrier.arrive_expect_tx %[[B]], 49152 if %{{.*}}
  nv_tileas.mbarrier.arrive_expect_tx %b, 49152 if %c
  // CHECK: nv_tileas.mbarrier.arrive_expect_tx %[[B]], 16
  nv_tileas.mbarrier.arrive_expect_tx %b, 16
  // CHECK: nv_tileas.mbarrier.arrive %[[B]] if %{{.*}} {by = warp}
  nv_tileas.mbarrier.arrive %b if %c {by = warp}
  // CHECK: nv_tileas.mbarrier.arrive %[[B]] {by = thread}
  nv_tileas.mbarrier.arrive %b {by = thread}
  // CHECK: nv_tileas.mbarrier.arrive %[[B]] {by = elected}
  nv_tileas.mbarrier.arrive %b {by = elected}
  // CHECK: nv_tileas.mbarrier.arrive %[[B]] {by = cp_async}
  nv_tileas.mbarrier.arrive %b {by = cp_async}
  // CHECK: nv_tileas.mbarrier.arrive %[[B]] if %{{.*}} {by = cp_async_warp}
  nv_tileas.mbarrier.arrive %b if %c {by = cp_async_warp}
  // CHECK: nv_tileas.mbarrier.wait %[[B]], %{{.*}} if %{{.*}}
  nv_tileas.mbarrier.wait %b, %parity if %c
  // CHECK: nv_tileas.mbarrier.wait %[[B]], %{{[a-z0-9]+$}}
  nv_tileas.mbarrier.wait %b, %parity
  return
}

// CHECK-LABEL: func.func @tensor_copies(
func.func @tensor_copies(%v: !v, %s: !slot, %b: !nv_tileas.mbarrier, %i: i32, %c: i1, %t: !nv_tileaa.mem_token) {
  // CHECK: %[[D:.*]] = nv_tileas.make_tiled_tma_desc %{{.*}} : !nv_tileaa.tiled_view<{{.*}}> -> !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
  %d = nv_tileas.make_tiled_tma_desc %v : !v -> !d
  // CHECK: nv_tileas.async.tma_load %[[D]][%{{.*}}, %{{.*}}] into %{{.*}} : !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128> -> !nv_tileas.buffer<128x64xbf16, #{{.*}}>
  %0 = nv_tileas.async.tma_load %d[%i, %i] into %s : !d -> !slot
  // CHECK: nv_tileas.async.tma_load %[[D]][%{{.*}}, %{{.*}}] into %{{.*}} signal %{{.*}} if %{{.*}} token %{{.*}} :
  %1 = nv_tileas.async.tma_load %d[%i, %i] into %s signal %b if %c token %t : !d -> !slot
  // CHECK: nv_tileas.async.tma_store %{{.*}} to %[[D]][%{{.*}}, %{{.*}}] : !nv_tileas.buffer<128x64xbf16, #{{.*}}> -> !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
  %2 = nv_tileas.async.tma_store %s to %d[%i, %i] : !slot -> !d
  // CHECK: nv_tileas.async.tma_store %{{.*}} to %[[D]][%{{.*}}, %{{.*}}] token %{{.*}} :
  %3 = nv_tileas.async.tma_store %s to %d[%i, %i] token %t : !slot -> !d
  // CHECK: nv_tileas.async.bulk_wait {pending = 1 : i32}
  nv_tileas.async.bulk_wait {pending = 1 : i32}
  // CHECK: nv_tileas.async.bulk_wait complete {pending = 0 : i32}
  nv_tileas.async.bulk_wait complete {pending = 0 : i32}
  return
}

#answer = #nv_tileas.layout<smem, [4], linear<order = [0]>>
// CHECK-LABEL: func.func @launch_queue(
func.func @launch_queue(%s: !nv_tileas.buffer<4xi32, #answer>, %b: !nv_tileas.mbarrier) -> !nv_tileaa.program_id {
  // CHECK: nv_tileas.clc_try_cancel %{{.*}} signal %{{.*}} : !nv_tileas.buffer<4xi32, #{{.*}}>
  nv_tileas.clc_try_cancel %s signal %b : !nv_tileas.buffer<4xi32, #answer>
  // CHECK: nv_tileas.clc_query %{{.*}} : !nv_tileas.buffer<4xi32, #{{.*}}>
  %p = nv_tileas.clc_query %s : !nv_tileas.buffer<4xi32, #answer>
  return %p : !nv_tileaa.program_id
}
