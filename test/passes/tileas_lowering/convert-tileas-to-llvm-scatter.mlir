// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores to rows by their indices.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#rows = #nv_tileas.layout<reg, [32], slice<1, #mat>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!g = !nv_tileaa.tiled_view<32x32 of !m, sparse = 0>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 1 : i32} {
  // One vector a row, where its index is inside the array: eight rows of four elements a thread.
  // CHECK-LABEL: llvm.func @scatter(
  //  CHECK-SAME:   %{{[^,]*}}, %[[N:[a-z0-9]*]]: i64, %[[ROW:[a-z0-9]*]]: i32,
  //       CHECK:   %[[R:.*]] = llvm.sext %[[ROW]] : i32 to i64
  //       CHECK:   llvm.shl %[[R]], %{{.*}} : i64
  //       CHECK:   %[[IN:.*]] = llvm.icmp "ult" %{{.*}}, %[[N]] : i64
  //       CHECK:   "@$5 st.global.v4.b32 [$0], {$1, $2, $3, $4};", "l,f,f,f,f,b" {{.*}}, %[[IN]] :
  // CHECK-COUNT-7: "@$5 st.global.v4.b32
  //   CHECK-NOT:   st.global
  //       CHECK:   llvm.return
  nv_tileaa.func @scatter(%p: !nv_tileaa.ptr<f32>, %n: i64, %idx: tensor<32xi32, #rows>, %x: tensor<32x32xf32, #mat>, %i: i32) {
    %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
    %v = nv_tileas.block_tile %m : !m -> !g
    %t = nv_tileas.scatter_store weak %x, %v[%idx, %i] in_bounds = [false, true] {nv_tileas.contiguous = array<i32: 1, 4>, nv_tileas.align = 16 : i32} : tensor<32x32xf32, #mat>, !g[tensor<32xi32, #rows>, i32]
    nv_tileaa.return
  }
}
