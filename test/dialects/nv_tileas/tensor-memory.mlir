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
