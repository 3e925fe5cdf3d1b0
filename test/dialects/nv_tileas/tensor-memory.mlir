// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so
// RUN: %{opt} %s | %{opt} | FileCheck %s
// RUN: %{opt} %s --mlir-print-op-generic | %{opt} | FileCheck %s

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
// 64 x 64 of two bytes, rows of 128 bytes, swizzled.
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
!acc = !nv_tileas.buffer<64x64xf32, #d>

// Rows of 128 bytes, swizzled, K contiguous; the scale of each 32 of them.
#scaled = #nv_tileas.mma_atom<umma, [128, 128, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32>
#a = #nv_tileas.layout<smem, [128, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 16], [2, 32], [4, 64], [8, 0], [16, 0], [32, 0], [64, 0]]>
#b = #nv_tileas.layout<smem, [128, 128], offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [16, 1], [32, 2], [64, 4], [0, 8], [0, 16], [0, 32], [0, 64]]>
#sum = #nv_tileas.layout<tmem, [128, 128], tmem_acc<m = 128, bits = 32>>
#staged = #nv_tileas.layout<smem, [128, 4], offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#sa = #nv_tileas.layout<tmem, [128, 4], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
#sb = #nv_tileas.layout<tmem, [4, 128], sub = [[1, 0], [2, 0]], col = [[0, 32], [0, 64]], row = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>
!scales = !nv_tileas.buffer<128x4xf8E8M0FNU, #staged>
!scale_a = !nv_tileas.buffer<128x4xf8E8M0FNU, #sa>
!scale_b = !nv_tileas.buffer<4x128xf8E8M0FNU, #sb>

// CHECK-LABEL: func.func @products(
func.func @products(%x: !buffer, %y: !buffer, %more: i1, %b: !nv_tileas.mbarrier, %phase: i32) {
  // CHECK: nv_tileas.tmem_alloc {columns = 64 : i32}
  nv_tileas.tmem_alloc {columns = 64 : i32}
  // CHECK: %[[D:.*]] = nv_tileas.alloc_tensor {tmem_col = 0 : i32} : !nv_tileas.buffer<64x64xf32, #
  %d = nv_tileas.alloc_tensor {tmem_col = 0 : i32} : !acc
  // CHECK: nv_tileas.async.dot_into %{{.*}}, %{{.*}} into %[[D]] use_acc %{{.*}} {atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>} : !nv_tileas.buffer<64x64xbf16, #[[S:.*]]>, !nv_tileas.buffer<64x64xbf16, #[[S]]> -> !nv_tileas.buffer<64x64xf32, #
  nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #atom} : !buffer, !buffer -> !acc
  // CHECK: nv_tileas.umma_commit %{{.*}} if %{{.*}}
  nv_tileas.umma_commit %b if %more
  // CHECK: nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {products}
  nv_tileas.mbarrier.wait %b, %phase {products}
  // CHECK: nv_tileas.fence tcgen05_after
  nv_tileas.fence tcgen05_after
  // CHECK: nv_tileas.fence tcgen05_before
  nv_tileas.fence tcgen05_before
  // CHECK: nv_tileas.tmem_dealloc {columns = 64 : i32}
  nv_tileas.tmem_dealloc {columns = 64 : i32}
  return
}

// CHECK-LABEL: func.func @scaled_products(
func.func @scaled_products(%x: !nv_tileas.buffer<128x128xf8E4M3FN, #a>, %y: !nv_tileas.buffer<128x128xf8E4M3FN, #b>, %s: !scales, %sa: !scale_a, %sb: !scale_b, %d: !nv_tileas.buffer<128x128xf32, #sum>, %more: i1) {
  // CHECK: nv_tileas.async.tmem_copy %{{.*}} into %[[SA:.*]] : !nv_tileas.buffer<128x4xf8E8M0FNU, #{{.*}}> -> !nv_tileas.buffer<128x4xf8E8M0FNU, #
  nv_tileas.async.tmem_copy %s into %sa : !scales -> !scale_a
  // CHECK: nv_tileas.async.dot_into {{.*}} scales %[[SA]], %{{.*}} {atom = {{.*}}} : {{.*}} scales !nv_tileas.buffer<128x4xf8E8M0FNU, #{{.*}}>, !nv_tileas.buffer<4x128xf8E8M0FNU, #{{.*}}> -> !nv_tileas.buffer<128x128xf32, #
  nv_tileas.async.dot_into %x, %y into %d use_acc %more scales %sa, %sb {atom = #scaled} : !nv_tileas.buffer<128x128xf8E4M3FN, #a>, !nv_tileas.buffer<128x128xf8E4M3FN, #b> scales !scale_a, !scale_b -> !nv_tileas.buffer<128x128xf32, #sum>
  return
}

#reg = #nv_tileas.layout<reg, [128, 128], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [8, 1]>>

// CHECK-LABEL: func.func @rescale(
func.func @rescale(%d: !nv_tileas.buffer<128x128xf32, #sum>, %x: tensor<128x128xf32, #reg>) {
  // CHECK: nv_tileas.tensor_rescale %{{.*}} by %{{.*}} : !nv_tileas.buffer<128x128xf32, #{{.*}}>, tensor<128x128xf32, #
  nv_tileas.tensor_rescale %d by %x : !nv_tileas.buffer<128x128xf32, #sum>, tensor<128x128xf32, #reg>
  return
}

#pair = #nv_tileas.mma_atom<umma, [256, 128, 16], a = bf16, b = bf16, c = f32>
#rows = #nv_tileas.layout<smem, [128, 64], swizzled<b128, major = 1, bits = 16>>

// CHECK-LABEL: func.func @pair(
func.func @pair(%x: !nv_tileas.buffer<128x64xbf16, #rows>, %y: !buffer, %d: !nv_tileas.buffer<128x128xf32, #sum>, %more: i1, %b: !nv_tileas.mbarrier, %phase: i32) {
  // CHECK: nv_tileas.tmem_alloc {columns = 128 : i32, cta_group = 2 : i32}
  nv_tileas.tmem_alloc {columns = 128 : i32, cta_group = 2 : i32}
  // CHECK: nv_tileas.mbarrier.arrive_expect_tx %{{.*}}, 49152 {leader}
  nv_tileas.mbarrier.arrive_expect_tx %b, 49152 {leader}
  // CHECK: nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer, leader}
  nv_tileas.mbarrier.wait %b, %phase {issuer, leader}
  // CHECK: nv_tileas.async.dot_into {{.*}} {atom = #nv_tileas.mma_atom<umma, [256, 128, 16], a = bf16, b = bf16, c = f32>} : !nv_tileas.buffer<128x64xbf16, #{{.*}}>, !nv_tileas.buffer<64x64xbf16, #{{.*}}> -> !nv_tileas.buffer<128x128xf32, #
  nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #pair} : !nv_tileas.buffer<128x64xbf16, #rows>, !buffer -> !nv_tileas.buffer<128x128xf32, #sum>
  // CHECK: nv_tileas.umma_commit %{{.*}} {cta_group = 2 : i32}
  nv_tileas.umma_commit %b {cta_group = 2 : i32}
  // CHECK: nv_tileas.tmem_dealloc {columns = 128 : i32, cta_group = 2 : i32}
  nv_tileas.tmem_dealloc {columns = 128 : i32, cta_group = 2 : i32}
  return
}
