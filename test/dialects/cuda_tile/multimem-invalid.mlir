// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

cuda_tile.testing$func @load_reduce_c1_float(%v: partition_view<tile=(8), tensor_view<?xf8E4M3FN, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op multimem supports only f16, bf16, f32, and f64 floating-point element types}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] : partition_view<tile=(8), tensor_view<?xf8E4M3FN, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf8E4M3FN>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c1_int(%v: partition_view<tile=(8), tensor_view<?xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op multimem requires 32- or 64-bit integer/index element types; got 16 bits}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] : partition_view<tile=(8), tensor_view<?xi16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xi16>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_and(%v: partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf16>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_or(%v: partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<or>} : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf16>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_xor(%v: partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<xor>} : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf16>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_umin(%v: partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<umin>} : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf16>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_umax(%v: partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<umax>} : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf16>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_min_f32(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op min/max supports f16 and bf16 float types only; got 'f32'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_max_f32(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op min/max supports f16 and bf16 float types only; got 'f32'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_min_f64(%v: partition_view<tile=(8), tensor_view<?xf64, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op min/max supports f16 and bf16 float types only; got 'f64'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(8), tensor_view<?xf64, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf64>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c2_max_f64(%v: partition_view<tile=(8), tensor_view<?xf64, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op min/max supports f16 and bf16 float types only; got 'f64'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8), tensor_view<?xf64, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf64>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c3_view(%v: strided_view<tile=(8), traversal_strides=[4], tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op multimem view operations support only partition_view; got '!cuda_tile.strided_view<tile=(8), traversal_strides=[4], tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] : strided_view<tile=(8), traversal_strides=[4], tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c3_none(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected a multicast pointer, but got none}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c3_unicast(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected a multicast pointer, but got unicast}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c4_indices(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected 1 index operands (based on view type), got 2}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i, %i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c4_tile(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expected tile type to be '!cuda_tile.tile<8xf32>' (based on view type), got '!cuda_tile.tile<4xf32>'}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c4_inbounds(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op inbounds size (2) must match the number of index dimensions (1)}}
  %0, %1 = multimem_load_reduce_view_tko relaxed sys %v[%i] inbounds = [true, false] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c5_order(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op expect one of: weak, relaxed, or acquire, but got: release}}
  %0, %1 = multimem_load_reduce_view_tko release sys %v[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_reduce_c5_scope(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_load_reduce_view_tko' op memory scope is required for relaxed load}}
  %0, %1 = multimem_load_reduce_view_tko relaxed %v[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @reduce_c1_float(%v: partition_view<tile=(8), tensor_view<?xf8E5M2, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf8E5M2>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op multimem supports only f16, bf16, f32, and f64 floating-point element types}}
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf8E5M2, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf8E5M2>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c1_int(%v: partition_view<tile=(8), tensor_view<?xi8, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xi8>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op multimem requires 32- or 64-bit integer/index element types; got 8 bits}}
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xi8, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xi8>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c2_bitwise(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op and/or/xor/umin/umax reductions require integer element types}}
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<and>} : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c2_min(%v: partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf16>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op supports only add for floating-point element types}}
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<min>} : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf16>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c2_max(%v: partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf16>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op supports only add for floating-point element types}}
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] attributes {reduction = #cuda_tile.multimem_reduction_kind<max>} : partition_view<tile=(8), tensor_view<?xf16, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf16>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c3_none(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<none>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op expected a multicast pointer, but got none}}
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<none>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c4_inbounds(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op inbounds size (0) must match the number of index dimensions (1)}}
  %0 = multimem_reduce_view_tko relaxed sys %v, %x[%i] inbounds = [] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c5_acquire(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op memory ordering semantics must be one of: relaxed, release}}
  %0 = multimem_reduce_view_tko acquire sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @reduce_c5_acq_rel(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op memory ordering semantics must be one of: relaxed, release}}
  %0 = multimem_reduce_view_tko acq_rel sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_c1_int(%v: partition_view<tile=(8), tensor_view<?xi1, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xi1>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op multimem requires 32- or 64-bit integer/index element types; got 1 bits}}
  %0 = multimem_store_view_tko relaxed sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xi1, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xi1>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_c3_view(%v: strided_view<tile=(8), traversal_strides=[8], tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op multimem view operations support only partition_view; got '!cuda_tile.strided_view<tile=(8), traversal_strides=[8], tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>'}}
  %0 = multimem_store_view_tko relaxed sys %v, %x[%i] : strided_view<tile=(8), traversal_strides=[8], tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_c4_tile(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf16>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op expected tile type to be '!cuda_tile.tile<8xf32>' (based on view type), got '!cuda_tile.tile<8xf16>'}}
  %0 = multimem_store_view_tko relaxed sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf16>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_c5_order(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op expect one of: weak, relaxed, or release, but got: acquire}}
  %0 = multimem_store_view_tko acquire sys %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_c5_scope(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_store_view_tko' op memory scope is required for release store}}
  %0 = multimem_store_view_tko release %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @token_type(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %i: tile<i32>, %t: token) {
  // expected-error @below {{expected the type of the token after those of the indices}}
  %0, %1 = multimem_load_reduce_view_tko weak %v[%i] token = %t : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<8xf32>, token
  return
}

// -----

cuda_tile.testing$func @reduce_scope(%v: partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, %x: tile<8xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.multimem_reduce_view_tko' op requires attribute 'memory_scope'}}
  %0 = multimem_reduce_view_tko relaxed %v, %x[%i] : partition_view<tile=(8), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<8xf32>, tile<i32> -> token
  return
}
