// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip | FileCheck %s

// CHECK-LABEL: cuda_tile.testing$func @tokens(
cuda_tile.testing$func @tokens(%t9: token) {
  // CHECK: %{{.*}} = make_token : token
  %t0 = make_token : token
  // CHECK: %{{.*}} = join_tokens %{{.*}}, %{{.*}} : token
  %t1 = join_tokens %t0, %t9 : token
  // CHECK: %{{.*}} = join_tokens %{{.*}}, %{{.*}}, %{{.*}} : token
  %t2 = join_tokens %t0, %t1, %t9 : token
  return
}

// CHECK-LABEL: cuda_tile.testing$func @allocations(
cuda_tile.testing$func @allocations() {
  // CHECK: %{{.*}} = alloca num_elem = 256, alignment = 16 global : tile<ptr<f32>>
  %0 = alloca num_elem = 256, alignment = 16 global : tile<ptr<f32>>
  // CHECK: %{{.*}} = alloca num_elem = 0, alignment = 1 : tile<ptr<i1>>
  %1 = alloca num_elem = 0, alignment = 1 : tile<ptr<i1>>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @pointer_accesses(
cuda_tile.testing$func @pointer_accesses(%ps: tile<64xptr<f32>>, %m: tile<64xi1>, %pad: tile<64xf32>, %t0: token) {
  // CHECK: %{{.*}}, %{{.*}} = load_ptr_tko weak %{{.*}} : tile<64xptr<f32>> -> tile<64xf32>, token
  %v, %t1 = load_ptr_tko weak %ps : tile<64xptr<f32>> -> tile<64xf32>, token
  // CHECK: %{{.*}}, %{{.*}} = load_ptr_tko relaxed device %{{.*}}, %{{.*}} token=%{{.*}} : tile<64xptr<f32>>, tile<64xi1> -> tile<64xf32>, token
  %w, %t2 = load_ptr_tko relaxed device %ps, %m token=%t1 : tile<64xptr<f32>>, tile<64xi1> -> tile<64xf32>, token
  // CHECK: %{{.*}}, %{{.*}} = load_ptr_tko acquire sys %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} optimization_hints = <default = {latency = 3}> : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
  %x, %t3 = load_ptr_tko acquire sys %ps, %m, %pad token=%t0 optimization_hints = <default = {latency = 3}> : tile<64xptr<f32>>, tile<64xi1>, tile<64xf32> -> tile<64xf32>, token
  // CHECK: %{{.*}} = store_ptr_tko weak %{{.*}}, %{{.*}} : tile<64xptr<f32>>, tile<64xf32> -> token
  %t4 = store_ptr_tko weak %ps, %v : tile<64xptr<f32>>, tile<64xf32> -> token
  // CHECK: %{{.*}} = store_ptr_tko release device %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} optimization_hints = <sm_90 = {latency = 3}> : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token
  %t5 = store_ptr_tko release device %ps, %v, %m token=%t2 optimization_hints = <sm_90 = {latency = 3}> : tile<64xptr<f32>>, tile<64xf32>, tile<64xi1> -> token
  return
}

// CHECK-LABEL: cuda_tile.testing$func @pointer_atomics(
cuda_tile.testing$func @pointer_atomics(%ips: tile<64xptr<i32>>, %iv: tile<64xi32>, %m: tile<64xi1>, %fp: tile<ptr<bf16>>, %f: tile<bf16>, %t: token) {
  // CHECK: %{{.*}}, %{{.*}} = atomic_rmw_tko acq_rel sys %{{.*}}, umax, %{{.*}}, %{{.*}} token=%{{.*}} : tile<64xptr<i32>>, tile<64xi32>, tile<64xi1> -> tile<64xi32>, token
  %o, %t4 = atomic_rmw_tko acq_rel sys %ips, umax, %iv, %m token=%t : tile<64xptr<i32>>, tile<64xi32>, tile<64xi1> -> tile<64xi32>, token
  // CHECK: %{{.*}}, %{{.*}} = atomic_rmw_tko relaxed device %{{.*}}, addf, %{{.*}} : tile<ptr<bf16>>, tile<bf16> -> tile<bf16>, token
  %p, %t5 = atomic_rmw_tko relaxed device %fp, addf, %f : tile<ptr<bf16>>, tile<bf16> -> tile<bf16>, token
  // CHECK: %{{.*}}, %{{.*}} = atomic_cas_tko relaxed tl_blk %{{.*}}, %{{.*}}, %{{.*}} : tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token
  %q, %t6 = atomic_cas_tko relaxed tl_blk %ips, %iv, %iv : tile<64xptr<i32>>, tile<64xi32> -> tile<64xi32>, token
  // CHECK: %{{.*}}, %{{.*}} = atomic_cas_tko acquire device %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} : tile<64xptr<i32>>, tile<64xi32>, tile<64xi1> -> tile<64xi32>, token
  %r, %t7 = atomic_cas_tko acquire device %ips, %iv, %iv, %m token=%t : tile<64xptr<i32>>, tile<64xi32>, tile<64xi1> -> tile<64xi32>, token
  return
}

// CHECK-LABEL: cuda_tile.testing$func @views(
cuda_tile.testing$func @views(%p: tile<ptr<f32>>, %n: tile<i32>, %s: tile<i64>) {
  // CHECK: %{{.*}} = make_tensor_view %{{.*}}, shape = [%{{.*}}, 96], strides = [96, 1] : tile<i32> -> tensor_view<?x96xf32, strides=[96,1]>
  %0 = make_tensor_view %p, shape = [%n, 96], strides = [96, 1] : tile<i32> -> tensor_view<?x96xf32, strides=[96,1]>
  // CHECK: %{{.*}} = make_tensor_view %{{.*}}, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
  %1 = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
  // CHECK: %{{.*}} = make_tensor_view %{{.*}}, shape = [8, 8], strides = [%{{.*}}, 1] : tile<i64> -> tensor_view<8x8xf32, strides=[?,1]>
  %2 = make_tensor_view %p, shape = [8, 8], strides = [%s, 1] : tile<i64> -> tensor_view<8x8xf32, strides=[?,1]>
  // CHECK: %{{.*}} = make_tensor_view %{{.*}}, shape = [], strides = [] : tensor_view<f32>
  %3 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
  // CHECK: %{{.*}} = make_partition_view %{{.*}} : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>>
  %4 = make_partition_view %0 : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x96xf32, strides=[96,1]>>
  // CHECK: %{{.*}} = make_partition_view %{{.*}} : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]>
  %5 = make_partition_view %0 : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]>
  // CHECK: %{{.*}} = make_strided_view %{{.*}} : strided_view<tile=(16x32), traversal_strides=[8,32], padding_value = neg_inf, tensor_view<?x96xf32, strides=[96,1]>>
  %6 = make_strided_view %0 : strided_view<tile=(16x32), traversal_strides=[8,32], padding_value = neg_inf, tensor_view<?x96xf32, strides=[96,1]>>
  // CHECK: %{{.*}} = make_gather_scatter_view %{{.*}} : gather_scatter_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>
  %7 = make_gather_scatter_view %0 : gather_scatter_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>
  // CHECK: %{{.*}} = get_tensor_shape %{{.*}} : tensor_view<?x96xf32, strides=[96,1]> -> tile<i64>
  %8, %9 = get_tensor_shape %0 : tensor_view<?x96xf32, strides=[96,1]> -> tile<i64>
  // CHECK: get_tensor_shape %{{.*}} : tensor_view<f32> -> tile<i32>
  get_tensor_shape %3 : tensor_view<f32> -> tile<i32>
  // CHECK: %{{.*}} = get_index_space_shape %{{.*}} : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]> -> tile<i32>
  %10, %11 = get_index_space_shape %5 : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, dim_map=[1, 0]> -> tile<i32>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @view_accesses(
cuda_tile.testing$func @view_accesses(%pv: partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>>, %sv: strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, %gv: gather_scatter_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>, %i: tile<i32>, %rows: tile<16xi64>, %w: tile<16x32xf32>, %t: token) {
  // CHECK: %{{.*}}, %{{.*}} = load_view_tko weak %{{.*}}[%{{.*}}, %{{.*}}] : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> tile<16x32xf32>, token
  %0, %t0 = load_view_tko weak %pv[%i, %i] : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> tile<16x32xf32>, token
  // CHECK: %{{.*}}, %{{.*}} = load_view_tko acquire device %{{.*}}[%{{.*}}, %{{.*}}] token = %{{.*}} optimization_hints = <sm_100 = {allow_tma = false, latency = 2}> attributes {x.y} : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> tile<16x32xf32>, token
  %1, %t1 = load_view_tko acquire device %pv[%i, %i] token = %t optimization_hints = <sm_100 = {allow_tma = false, latency = 2}> attributes {x.y} : partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> tile<16x32xf32>, token
  // CHECK: %{{.*}}, %{{.*}} = load_view_tko weak %{{.*}}[%{{.*}}, %{{.*}}] : gather_scatter_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>, tile<16xi64>, tile<i32> -> tile<16x32xf32>, token
  %2, %t2 = load_view_tko weak %gv[%rows, %i] : gather_scatter_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>, sparse_dim=0>, tile<16xi64>, tile<i32> -> tile<16x32xf32>, token
  // CHECK: %{{.*}} = store_view_tko weak %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token = %{{.*}} optimization_hints = <sm_100 = {allow_tma = true}> : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
  %t3 = store_view_tko weak %w, %sv[%i, %i] token = %t optimization_hints = <sm_100 = {allow_tma = true}> : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
  // CHECK: %{{.*}} = store_view_tko release sys %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
  %t4 = store_view_tko release sys %w, %pv[%i, %i] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
  // CHECK: %{{.*}} = atomic_red_view_tko relaxed device %{{.*}}[%{{.*}}, %{{.*}}], addf, %{{.*}} token = %{{.*}} : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
  %t5 = atomic_red_view_tko relaxed device %sv[%i, %i], addf, %w token = %t : tile<16x32xf32>, strided_view<tile=(16x32), traversal_strides=[8,32], tensor_view<?x96xf32, strides=[96,1]>>, tile<i32> -> token
  return
}

// CHECK-LABEL: cuda_tile.testing$func @dependent_grids(
cuda_tile.testing$func @dependent_grids(%t: token) {
  // CHECK: %0 = gdc_wait_tko -> token
  %0 = gdc_wait_tko -> token
  // CHECK: %1 = gdc_wait_tko token = %0 -> token
  %1 = gdc_wait_tko token = %0 -> token
  // CHECK: %2 = gdc_launch_dependents_tko -> token
  %2 = gdc_launch_dependents_tko -> token
  // CHECK: %3 = gdc_launch_dependents_tko token = %1 -> token
  %3 = gdc_launch_dependents_tko token = %1 -> token
  // CHECK: %4 = memory_fence_alias_tko %3{{$}}
  %4 = memory_fence_alias_tko %3
  return
}

// CHECK-LABEL: cuda_tile.testing$func @inbounds(
cuda_tile.testing$func @inbounds(%v: partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, %i: tile<i32>, %t: token) {
  // CHECK: %{{.*}}, %{{.*}} = load_view_tko weak %{{.*}}[%{{.*}}, %{{.*}}] token = %{{.*}} inbounds = [true, false] : partition_view
  %x, %t0 = load_view_tko weak %v[%i, %i] token = %t inbounds = [true, false] : partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<8x16xf32>, token
  // CHECK: %{{.*}}, %{{.*}} = load_view_tko weak %{{.*}}[%{{.*}}, %{{.*}}] : partition_view
  %y, %t1 = load_view_tko weak %v[%i, %i] inbounds = [false, false] : partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<8x16xf32>, token
  // CHECK: %{{.*}} = store_view_tko weak %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] optimization_hints = <default = {latency = 2}> inbounds = [false, true] : tile<8x16xf32>
  %t2 = store_view_tko weak %x, %v[%i, %i] optimization_hints = <default = {latency = 2}> inbounds = [false, true] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  // CHECK: %{{.*}} = atomic_red_view_tko relaxed device %{{.*}}[%{{.*}}, %{{.*}}], addf, %{{.*}} token = %{{.*}} inbounds = [true, true] : tile<8x16xf32>
  %t3 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %x token = %t inbounds = [true, true] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}

// CHECK-LABEL: cuda_tile.testing$func @pointer_attributes(
// CHECK-SAME: %{{.*}}: tile<ptr<f32, <multicast>>>, %{{.*}}: tile<8xptr<f32, <unicast>>>, %{{.*}}: tile<i32>, %{{.*}}: tile<8xi32>
cuda_tile.testing$func @pointer_attributes(%p: tile<ptr<f32, <multicast>>>, %q: tile<8xptr<f32, <unicast>>>, %n: tile<i32>, %i: tile<8xi32>) {
  // CHECK: %{{.*}} = make_tensor_view %{{.*}}, shape = [%{{.*}}], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
  %0 = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
  // CHECK: %{{.*}} = make_tensor_view %{{.*}}, shape = [8], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
  %1 = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
  // CHECK: %{{.*}} = make_tensor_view %{{.*}}, shape = [], strides = [] : tile<ptr<f32, <multicast>>> -> tensor_view<f32, #cuda_tile.ptr_attr<multicast>>
  %2 = make_tensor_view %p, shape = [], strides = [] : tile<ptr<f32, <multicast>>> -> tensor_view<f32, #cuda_tile.ptr_attr<multicast>>
  // CHECK: %{{.*}} = offset %{{.*}}, %{{.*}} : tile<8xptr<f32, <unicast>>>, tile<8xi32> -> tile<8xptr<f32, <unicast>>>
  %3 = offset %q, %i : tile<8xptr<f32, <unicast>>>, tile<8xi32> -> tile<8xptr<f32, <unicast>>>
  // CHECK: %{{.*}} = ptr_to_ptr %{{.*}} : tile<8xptr<f32, <unicast>>> -> tile<8xptr<f32>>
  %4 = ptr_to_ptr %3 : tile<8xptr<f32, <unicast>>> -> tile<8xptr<f32>>
  // CHECK: %{{.*}}, %{{.*}} = load_ptr_tko weak %{{.*}} : tile<8xptr<f32, <unicast>>> -> tile<8xf32>, token
  %5, %t = load_ptr_tko weak %3 : tile<8xptr<f32, <unicast>>> -> tile<8xf32>, token
  return
}
