// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so | FileCheck %s --strict-whitespace
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip | FileCheck %s --strict-whitespace

!view = !cuda_tile.partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
!half = !cuda_tile.partition_view<tile=(8x16), tensor_view<?x?xf16, strides=[?,1], #cuda_tile.ptr_attr<multicast>>>
!ints = !cuda_tile.partition_view<tile=(64), tensor_view<?xi32, strides=[1], #cuda_tile.ptr_attr<multicast>>>

// CHECK-LABEL: cuda_tile.testing$func @load_reduce(
cuda_tile.testing$func @load_reduce(%v: !view, %h: !half, %w: !ints, %i: tile<i32>, %j: tile<i64>, %t: token) {
  // CHECK: %reduced_values, %result_token = multimem_load_reduce_view_tko weak %arg0[%arg3]  : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<64xf32>, token
  %a, %t0 = multimem_load_reduce_view_tko weak %v[%i] : !view, tile<i32> -> tile<64xf32>, token
  // CHECK: multimem_load_reduce_view_tko acquire device %arg0[%arg3] token = %arg5  : partition_view<{{.*}}>, tile<i32>, token -> tile<64xf32>, token
  %b, %t1 = multimem_load_reduce_view_tko acquire device %v[%i] token = %t : !view, tile<i32>, token -> tile<64xf32>, token
  // CHECK: multimem_load_reduce_view_tko relaxed sys %arg1[%arg3, %arg3] inbounds = [false, true] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<{{.*}}>, tile<i32> -> tile<8x16xf16>, token
  %c, %t2 = multimem_load_reduce_view_tko relaxed sys %h[%i, %i] inbounds = [false, true] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : !half, tile<i32>, tile<i32> -> tile<8x16xf16>, token
  // CHECK: multimem_load_reduce_view_tko relaxed tl_blk %arg1[%arg3, %arg3] token = %arg5 inbounds = [true, true] attributes {note = 1 : i32} : partition_view<{{.*}}>, tile<i32>, token -> tile<8x16xf16>, token
  %d, %t3 = multimem_load_reduce_view_tko relaxed tl_blk %h[%i, %i] token = %t inbounds = [true, true] attributes {note = 1 : i32, reduction = #cuda_tile.multimem_reduction_kind<add>} : !half, tile<i32>, tile<i32>, token -> tile<8x16xf16>, token
  // CHECK: reduction = #cuda_tile.multimem_reduction_kind<umax>
  %e, %t4 = multimem_load_reduce_view_tko weak %w[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : !ints, tile<i32> -> tile<64xi32>, token
  return
}

// CHECK-LABEL: cuda_tile.testing$func @updates(
cuda_tile.testing$func @updates(%v: !view, %x: tile<64xf32>, %w: !ints, %y: tile<64xi32>, %i: tile<i32>, %t: token) {
  // CHECK: %0 = multimem_reduce_view_tko relaxed sys %arg0, %arg1[%arg4]  : partition_view<{{.*}}>, tile<64xf32>, tile<i32> -> token
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] : !view, tile<64xf32>, tile<i32> -> token
  // CHECK: %1 = multimem_reduce_view_tko release device %arg2, %arg3[%arg4] token = %arg5  attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<{{.*}}>, tile<64xi32>, tile<i32>, token -> token
  %1 = multimem_reduce_view_tko release device %w, %y[%i] token = %t attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : !ints, tile<64xi32>, tile<i32>, token -> token
  // CHECK: %2 = multimem_store_view_tko weak %arg0, %arg1[%arg4]  : partition_view<{{.*}}>, tile<64xf32>, tile<i32> -> token
  %2 = multimem_store_view_tko weak %v, %x[%i] : !view, tile<64xf32>, tile<i32> -> token
  // CHECK: %3 = multimem_store_view_tko release sys %arg0, %arg1[%arg4] token = %arg5 inbounds = [true] : partition_view<{{.*}}>, tile<64xf32>, tile<i32>, token -> token
  %3 = multimem_store_view_tko release sys %v, %x[%i] token = %t inbounds = [true] : !view, tile<64xf32>, tile<i32>, token -> token
  return
}
