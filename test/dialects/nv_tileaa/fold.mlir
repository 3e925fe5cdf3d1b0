// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileAADialect.so --pass-pipeline='builtin.module(any(canonicalize))' | FileCheck %s

// CHECK-LABEL: func.func @splat_constant(
// CHECK-NEXT: %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<4x8xf16>
// CHECK-NEXT: return %[[C]]
func.func @splat_constant() -> tensor<4x8xf16> {
  %c = arith.constant 2.0 : f16
  %0 = nv_tileaa.splat %c : f16 -> tensor<4x1xf16>
  %1 = nv_tileaa.broadcast %0 : tensor<4x1xf16> -> tensor<4x8xf16>
  return %1 : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @shapes_of_splat(
// CHECK-SAME: %[[S:.*]]: !nv_tileaa.ptr<f32>)
// CHECK-NEXT: %[[R:.*]] = nv_tileaa.splat %[[S]] : !nv_tileaa.ptr<f32> -> tensor<16x8x!nv_tileaa.ptr<f32>>
// CHECK-NEXT: return %[[R]]
func.func @shapes_of_splat(%s: !nv_tileaa.ptr<f32>) -> tensor<16x8x!nv_tileaa.ptr<f32>> {
  %0 = nv_tileaa.splat %s : !nv_tileaa.ptr<f32> -> tensor<8x!nv_tileaa.ptr<f32>>
  %1 = nv_tileaa.expand_dims %0 axes = [1] : tensor<8x!nv_tileaa.ptr<f32>> -> tensor<8x1x!nv_tileaa.ptr<f32>>
  %2 = nv_tileaa.broadcast %1 : tensor<8x1x!nv_tileaa.ptr<f32>> -> tensor<8x16x!nv_tileaa.ptr<f32>>
  %3 = nv_tileaa.permute %2 [1, 0] : tensor<8x16x!nv_tileaa.ptr<f32>> -> tensor<16x8x!nv_tileaa.ptr<f32>>
  return %3 : tensor<16x8x!nv_tileaa.ptr<f32>>
}

// CHECK-LABEL: func.func @compose(
// CHECK-SAME: %[[T:.*]]: tensor<2x4x8xf32>, %[[U:.*]]: tensor<8xf32>)
// CHECK-NEXT: %[[P:.*]] = nv_tileaa.permute %[[T]] [2, 0, 1] : tensor<2x4x8xf32> -> tensor<8x2x4xf32>
// CHECK-NEXT: %[[E:.*]] = nv_tileaa.expand_dims %[[U]] axes = [0, 2] : tensor<8xf32> -> tensor<1x8x1xf32>
// CHECK-NEXT: return %[[P]], %[[T]], %[[E]]
func.func @compose(%t: tensor<2x4x8xf32>, %u: tensor<8xf32>) -> (tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<1x8x1xf32>) {
  %0 = nv_tileaa.permute %t [1, 2, 0] : tensor<2x4x8xf32> -> tensor<4x8x2xf32>
  %1 = nv_tileaa.permute %0 [1, 2, 0] : tensor<4x8x2xf32> -> tensor<8x2x4xf32>
  %2 = nv_tileaa.permute %0 [2, 0, 1] : tensor<4x8x2xf32> -> tensor<2x4x8xf32>
  %3 = nv_tileaa.expand_dims %u axes = [1] : tensor<8xf32> -> tensor<8x1xf32>
  %4 = nv_tileaa.expand_dims %3 axes = [0] : tensor<8x1xf32> -> tensor<1x8x1xf32>
  return %1, %2, %4 : tensor<8x2x4xf32>, tensor<2x4x8xf32>, tensor<1x8x1xf32>
}

// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[T:.*]]: tensor<4x8xf32>)
// CHECK-NEXT: %[[V:.*]] = nv_tileaa.view %[[T]] : tensor<4x8xf32> -> tensor<32xf32>
// CHECK-NEXT: %[[E:.*]] = nv_tileaa.expand_dims %[[T]] axes = [1] : tensor<4x8xf32> -> tensor<4x1x8xf32>
// CHECK-NEXT: return %[[V]], %[[E]], %[[T]]
func.func @views(%t: tensor<4x8xf32>) -> (tensor<32xf32>, tensor<4x1x8xf32>, tensor<4x8xf32>) {
  %0 = nv_tileaa.view %t : tensor<4x8xf32> -> tensor<8x4xf32>
  %1 = nv_tileaa.view %0 : tensor<8x4xf32> -> tensor<32xf32>
  %2 = nv_tileaa.view %t : tensor<4x8xf32> -> tensor<4x1x8xf32>
  %3 = nv_tileaa.view %0 : tensor<8x4xf32> -> tensor<4x8xf32>
  return %1, %2, %3 : tensor<32xf32>, tensor<4x1x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @extract(
// CHECK-SAME: %[[S:.*]]: f32, %[[T:.*]]: tensor<8xf32>, %[[I:.*]]: i32)
// CHECK-DAG: %[[C6:.*]] = arith.constant 6 : i32
// CHECK-DAG: %[[C3:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[R:.*]] = arith.addi %[[I]], %[[C6]] : i32
// CHECK-DAG: %[[X:.*]] = nv_tileaa.extract %[[T]][%[[I]]] : tensor<8xf32> -> f32
// CHECK: return %[[S]], %[[R]], %[[C3]], %[[X]]
func.func @extract(%s: f32, %t: tensor<8xf32>, %i: i32) -> (f32, i32, i32, f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %0 = nv_tileaa.splat %s : f32 -> tensor<4xf32>
  %1 = nv_tileaa.extract %0[%i] : tensor<4xf32> -> f32
  %2 = nv_tileaa.make_range 6 to 10 : tensor<4xi32>
  %3 = nv_tileaa.extract %2[%i] : tensor<4xi32> -> i32
  %4 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %5 = nv_tileaa.extract %4[%c1, %c0] : tensor<2x2xi32> -> i32
  %6 = nv_tileaa.expand_dims %t axes = [0] : tensor<8xf32> -> tensor<1x8xf32>
  %7 = nv_tileaa.broadcast %6 : tensor<1x8xf32> -> tensor<4x8xf32>
  %8 = nv_tileaa.permute %7 [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %9 = nv_tileaa.extract %8[%i, %c1] : tensor<8x4xf32> -> f32
  return %1, %3, %5, %9 : f32, i32, i32, f32
}

// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[I:.*]]: i32)
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
// CHECK-DAG: %[[X:.*]] = nv_tileaa.extract_slice %[[B]][%[[C4]]] : tensor<8xf32> -> tensor<4xf32>
// CHECK-DAG: %[[J:.*]] = arith.addi %[[I]], %[[I]] : i32
// CHECK-DAG: %[[Y:.*]] = nv_tileaa.extract_slice %[[A]][%[[J]]] : tensor<8xf32> -> tensor<2xf32>
// CHECK: return %[[X]], %[[Y]]
func.func @slices(%a: tensor<8xf32>, %b: tensor<8xf32>, %i: i32) -> (tensor<4xf32>, tensor<2xf32>) {
  %c12 = arith.constant 12 : i32
  %0 = nv_tileaa.cat %a, %b axis = 0 : tensor<8xf32>, tensor<8xf32> -> tensor<16xf32>
  %1 = nv_tileaa.extract_slice %0[%c12] : tensor<16xf32> -> tensor<4xf32>
  %2 = nv_tileaa.extract_slice %a[%i] : tensor<8xf32> -> tensor<4xf32>
  %3 = nv_tileaa.extract_slice %2[%i] : tensor<4xf32> -> tensor<2xf32>
  return %1, %3 : tensor<4xf32>, tensor<2xf32>
}

// A slice with an unknown offset may lie in both operands.
// CHECK-LABEL: func.func @slice_of_cat_unknown(
// CHECK: nv_tileaa.cat
// CHECK: nv_tileaa.extract_slice
func.func @slice_of_cat_unknown(%a: tensor<8xf32>, %i: i32) -> tensor<4xf32> {
  %0 = nv_tileaa.cat %a, %a axis = 0 : tensor<8xf32>, tensor<8xf32> -> tensor<16xf32>
  %1 = nv_tileaa.extract_slice %0[%i] : tensor<16xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func.func @pointers(
// CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32>, %[[I:.*]]: i32, %[[X:.*]]: i64)
// CHECK-NEXT: %[[A:.*]] = nv_tileaa.addptr %[[P]], %[[I]] : !nv_tileaa.ptr<f32>, i32
// CHECK-NEXT: %[[S:.*]] = nv_tileaa.splat %[[A]]
// CHECK-NEXT: return %[[S]], %[[P]], %[[P]], %[[X]], %[[P]]
func.func @pointers(%p: !nv_tileaa.ptr<f32>, %i: i32, %x: i64)
    -> (tensor<8x!nv_tileaa.ptr<f32>>, !nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>, i64, !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %0 = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<8x!nv_tileaa.ptr<f32>>
  %1 = nv_tileaa.splat %i : i32 -> tensor<8xi32>
  %2 = nv_tileaa.addptr %0, %1 : tensor<8x!nv_tileaa.ptr<f32>>, tensor<8xi32>
  %3 = nv_tileaa.addptr %p, %c0 : !nv_tileaa.ptr<f32>, i32
  %4 = nv_tileaa.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i64
  %5 = nv_tileaa.int_to_ptr %4 : i64 -> !nv_tileaa.ptr<f32>
  %6 = nv_tileaa.int_to_ptr %x : i64 -> !nv_tileaa.ptr<f32>
  %7 = nv_tileaa.ptr_to_int %6 : !nv_tileaa.ptr<f32> -> i64
  %8 = nv_tileaa.bitcast %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.ptr<i8>
  %9 = nv_tileaa.bitcast %8 : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f32>
  return %2, %3, %5, %7, %9 : tensor<8x!nv_tileaa.ptr<f32>>, !nv_tileaa.ptr<f32>, !nv_tileaa.ptr<f32>, i64, !nv_tileaa.ptr<f32>
}

// Constant extents become part of the types, down to the views.
// CHECK-LABEL: func.func @static_memref(
// CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f16>, %[[N:.*]]: i64, %[[X:.*]]: i32)
// CHECK: %[[M:.*]] = nv_tileaa.make_memref %[[P]] sizes[%[[N]]] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x64xf16, strides = [64, 1]>
// CHECK: nv_tileaa.block_tile %{{.*}} -> !nv_tileaa.tiled_view<8x64 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
// CHECK: nv_tileaa.tiled_load weak %{{.*}}[%[[X]], %[[X]]] : !nv_tileaa.tiled_view<8x64 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>[i32, i32]
// CHECK: return %{{.*}}, %[[N]], %c64_i64
func.func @static_memref(%p: !nv_tileaa.ptr<f16>, %n: i64, %x: i32) -> (tensor<8x64xf16>, i64, i64) {
  %c64 = arith.constant 64 : i64
  %c1 = arith.constant 1 : i64
  %0 = nv_tileaa.make_memref %p sizes[%n, %c64] strides[%c64, %c1] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?xf16, strides = [?, ?]>
  %1 = nv_tileaa.assume %0 [#nv_tileaa.div_by<16>] : !nv_tileaa.memref<?x?xf16, strides = [?, ?]>
  %2 = nv_tileaa.block_tile %1 : !nv_tileaa.memref<?x?xf16, strides = [?, ?]> -> !nv_tileaa.tiled_view<8x64 of !nv_tileaa.memref<?x?xf16, strides = [?, ?]>>
  %v, %t = nv_tileaa.tiled_load weak %2[%x, %x] : !nv_tileaa.tiled_view<8x64 of !nv_tileaa.memref<?x?xf16, strides = [?, ?]>>[i32, i32] -> tensor<8x64xf16>
  %3 = nv_tileaa.get_dim_size %0 dim = 0 : !nv_tileaa.memref<?x?xf16, strides = [?, ?]>
  %4 = nv_tileaa.get_dim_size %0 dim = 1 : !nv_tileaa.memref<?x?xf16, strides = [?, ?]>
  return %v, %3, %4 : tensor<8x64xf16>, i64, i64
}

// CHECK-LABEL: func.func @assumes(
// CHECK-SAME: %[[N:.*]]: i32)
// CHECK-NEXT: %[[C:.*]] = arith.constant 8 : i32
// CHECK-NEXT: %[[A:.*]] = nv_tileaa.assume %[[N]] [#nv_tileaa.div_by<16>, #nv_tileaa.bounded<1, 9>] : i32
// CHECK: %[[A2:.*]] = nv_tileaa.assume %[[N]] [#nv_tileaa.div_by<16>, #nv_tileaa.bounded<1, 9>] : i32
// CHECK-NEXT: %[[S:.*]] = nv_tileaa.splat %[[A2]] : i32 -> tensor<4xi32>
// CHECK: return %[[A]], %[[C]], %[[N]], %[[S]]
func.func @assumes(%n: i32) -> (i32, i32, i32, tensor<4xi32>) {
  %c8 = arith.constant 8 : i32
  %0 = nv_tileaa.assume %n [#nv_tileaa.div_by<4>, #nv_tileaa.bounded<0, 9>] : i32
  %1 = nv_tileaa.assume %0 [#nv_tileaa.div_by<16>, #nv_tileaa.bounded<1, ?>] : i32
  %2 = nv_tileaa.assume %c8 [#nv_tileaa.div_by<8>] : i32
  %3 = nv_tileaa.assume %n [#nv_tileaa.div_by<1>, #nv_tileaa.bounded<?, ?>] : i32
  %4 = nv_tileaa.splat %n : i32 -> tensor<4xi32>
  %5 = nv_tileaa.assume %4 [#nv_tileaa.div_by<16>, #nv_tileaa.bounded<1, 9>] : tensor<4xi32>
  return %1, %2, %3, %5 : i32, i32, i32, tensor<4xi32>
}

// CHECK-LABEL: func.func @masks(
// CHECK-SAME: %[[P:.*]]: tensor<4x!nv_tileaa.ptr<f32>>, %[[Z:.*]]: tensor<4xf32>)
// CHECK: nv_tileaa.load weak %[[P]] : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
// CHECK-NOT: nv_tileaa.load weak
// An ordered access stays, mask or not.
// CHECK: nv_tileaa.load acquire gpu %[[P]] mask
// CHECK-NOT: nv_tileaa.store
// CHECK: return
func.func @masks(%p: tensor<4x!nv_tileaa.ptr<f32>>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !nv_tileaa.mem_token) {
  %true = arith.constant dense<true> : tensor<4xi1>
  %false = arith.constant dense<false> : tensor<4xi1>
  %0, %t0 = nv_tileaa.load weak %p mask %true other %z : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  %1, %t1 = nv_tileaa.load weak %p mask %false other %z token %t0 : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  %2, %t2 = nv_tileaa.load acquire gpu %p mask %false other %z token %t1 : tensor<4x!nv_tileaa.ptr<f32>> -> tensor<4xf32>
  %t3 = nv_tileaa.store weak %p, %z mask %false token %t2 : tensor<4x!nv_tileaa.ptr<f32>>, tensor<4xf32>
  return %0, %1, %2, %t3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, !nv_tileaa.mem_token
}

// CHECK-LABEL: func.func @tokens(
// CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32>, %[[X:.*]]: f32, %[[A:.*]]: !nv_tileaa.mem_token, %[[B:.*]]: !nv_tileaa.mem_token)
// CHECK-NEXT: nv_tileaa.store weak %[[P]], %[[X]] : !nv_tileaa.ptr<f32>, f32
// CHECK-NEXT: %[[J:.*]] = nv_tileaa.join_mem_token %[[A]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = nv_tileaa.store weak %[[P]], %[[X]] token %[[J]] : !nv_tileaa.ptr<f32>, f32
// CHECK-NEXT: return %[[A]], %[[J]], %[[S]]
func.func @tokens(%p: !nv_tileaa.ptr<f32>, %x: f32, %a: !nv_tileaa.mem_token, %b: !nv_tileaa.mem_token)
    -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token, !nv_tileaa.mem_token) {
  %t = nv_tileaa.create_mem_token
  %s = nv_tileaa.store weak %p, %x token %t : !nv_tileaa.ptr<f32>, f32
  %0 = nv_tileaa.join_mem_token %a, %t, %a
  %1 = nv_tileaa.join_mem_token %a, %b
  %2 = nv_tileaa.join_mem_token %1, %a, %t
  %s2 = nv_tileaa.store weak %p, %x token %2 : !nv_tileaa.ptr<f32>, f32
  // A token that the store waits for already needs no waiting.
  %3 = nv_tileaa.join_mem_token %s2, %a
  return %0, %2, %3 : !nv_tileaa.mem_token, !nv_tileaa.mem_token, !nv_tileaa.mem_token
}

// CHECK-LABEL: func.func @dead_accesses(
// CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32>)
// CHECK-NEXT: nv_tileaa.load relaxed gpu %[[P]]
// CHECK-NEXT: nv_tileaa.load weak %[[P]] {is_volatile}
// CHECK-NEXT: return
func.func @dead_accesses(%p: !nv_tileaa.ptr<f32>) {
  %0, %t0 = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> f32
  %1, %t1 = nv_tileaa.load relaxed gpu %p : !nv_tileaa.ptr<f32> -> f32
  %2, %t2 = nv_tileaa.load weak %p {is_volatile} : !nv_tileaa.ptr<f32> -> f32
  return
}

// CHECK-LABEL: func.func @select_of_tokens(
// CHECK-SAME: %[[C:.*]]: i1, %[[A:.*]]: !nv_tileaa.mem_token, %[[B:.*]]: !nv_tileaa.mem_token)
// CHECK-NEXT: %[[J:.*]] = nv_tileaa.join_mem_token %[[A]], %[[B]]
// CHECK-NEXT: return %[[J]]
func.func @select_of_tokens(%c: i1, %a: !nv_tileaa.mem_token, %b: !nv_tileaa.mem_token) -> !nv_tileaa.mem_token {
  %0 = scf.if %c -> (!nv_tileaa.mem_token) {
    scf.yield %a : !nv_tileaa.mem_token
  } else {
    scf.yield %b : !nv_tileaa.mem_token
  }
  return %0 : !nv_tileaa.mem_token
}

// Statements about themselves stay as they are; a region without order may have them.
// CHECK-LABEL: module @circles
module @circles {
  // CHECK: nv_tileaa.assume %{{.*}} [#nv_tileaa.div_by<16>] : i32
  %self = nv_tileaa.assume %self [#nv_tileaa.div_by<16>] : i32
  // CHECK: nv_tileaa.assume %{{.*}} [#nv_tileaa.div_by<4>] : i32
  %one = nv_tileaa.assume %other [#nv_tileaa.div_by<4>] : i32
  // CHECK: nv_tileaa.assume %{{.*}} [#nv_tileaa.div_by<8>] : i32
  %other = nv_tileaa.assume %one [#nv_tileaa.div_by<8>] : i32
  gpu.printf "%d %d", %self, %other : i32, i32
}
