// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @elements(
func.func @elements(
  // CHECK-SAME: !cuda_tile.tile<i1>, %{{.*}}: !cuda_tile.tile<2xi4>, %{{.*}}: !cuda_tile.tile<8x16xi8>,
  %0: !cuda_tile.tile<i1>, %1: !cuda_tile.tile<2xi4>, %2: !cuda_tile.tile<8x16xi8>,
  // CHECK-SAME: !cuda_tile.tile<tf32>, %{{.*}}: !cuda_tile.tile<f8E4M3FN>, %{{.*}}: !cuda_tile.tile<f8E5M2>,
  %3: !cuda_tile.tile<tf32>, %4: !cuda_tile.tile<f8E4M3FN>, %5: !cuda_tile.tile<f8E5M2>,
  // CHECK-SAME: !cuda_tile.tile<f8E8M0FNU>, %{{.*}}: !cuda_tile.tile<2xf4E2M1FN>, %{{.*}}: !cuda_tile.tile<bf16>,
  %6: !cuda_tile.tile<f8E8M0FNU>, %7: !cuda_tile.tile<2xf4E2M1FN>, %8: !cuda_tile.tile<bf16>,
  // CHECK-SAME: !cuda_tile.tile<4xptr<f32>>, %{{.*}}: !cuda_tile.tile<ptr<f4E2M1FN>>, %{{.*}}: !cuda_tile.ptr<i8>,
  %9: !cuda_tile.tile<4xptr<f32>>, %10: !cuda_tile.tile<ptr<f4E2M1FN>>, %11: !cuda_tile.ptr<i8>,
  // CHECK-SAME: !cuda_tile.tile<4xptr<f32>>, %{{.*}}: !cuda_tile.token, %{{.*}}: !cuda_tile.tile<4096x4096xi1>)
  %12: !cuda_tile.tile<4x!cuda_tile.ptr<f32>>, %13: !cuda_tile.token, %14: !cuda_tile.tile<4096x4096xi1>) {
  return
}

// CHECK-LABEL: func.func @views(
func.func @views(
  // CHECK-SAME: !cuda_tile.tensor_view<f32>, %{{.*}}: !cuda_tile.tensor_view<?x96xf32, strides=[96,1]>,
  %0: !cuda_tile.tensor_view<f32>, %1: !cuda_tile.tensor_view<?x96xf32, strides=[96, 1]>,
  // CHECK-SAME: !cuda_tile.partition_view<tile=(8x64), padding_value = zero, tensor_view<?x96xbf16, strides=[?,1]>>,
  %2: !cuda_tile.partition_view<tile=(8x64), padding_value = zero, tensor_view<?x96xbf16, strides=[?,1]>>,
  // CHECK-SAME: !cuda_tile.partition_view<tile=(8x64), tensor_view<?x96xbf16, strides=[?,1]>, dim_map=[1, 0]>,
  %3: !cuda_tile.partition_view<tile=(8x64), tensor_view<?x96xbf16, strides=[?,1]>, dim_map=[1, 0]>,
  // CHECK-SAME: !cuda_tile.partition_view<tile=(4), padding_value = neg_inf, tensor_view<?xf32, strides=[1]>>,
  %4: !cuda_tile.partition_view<tile=(4), padding_value = neg_inf, tensor_view<?xf32, strides=[1]>, dim_map=[0]>,
  // CHECK-SAME: !cuda_tile.strided_view<tile=(16x32), traversal_strides=[8,3], padding_value = nan, tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 0]>,
  %5: !cuda_tile.strided_view<tile=(16x32), traversal_strides=[8, 3], padding_value = nan, tensor_view<8x8xf32, strides=[8,1]>, dim_map=[1, 0]>,
  // CHECK-SAME: !cuda_tile.gather_scatter_view<tile=(8x16), padding_value = pos_inf, tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=1>,
  %6: !cuda_tile.gather_scatter_view<tile=(8x16), padding_value = pos_inf, tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=1>,
  // CHECK-SAME: !cuda_tile.partition_view<tile=(1), padding_value = neg_zero, tensor_view<1xf64, strides=[1]>>)
  %7: !cuda_tile.partition_view<tile=(1), padding_value = neg_zero, tensor_view<1xf64, strides=[1]>>) {
  return
}

// Additions of 13.4 and 13.5.
// CHECK-LABEL: func.func @later(
func.func @later(
  // CHECK-SAME: !cuda_tile.fnv8E5M3FNU, %{{.*}}: !cuda_tile.tile<4xfnv8E5M3FNU>, %{{.*}}: !cuda_tile.tile<4xptr<fnv8E5M3FNU>>,
  %0: !cuda_tile.fnv8E5M3FNU, %1: !cuda_tile.tile<4x!cuda_tile.fnv8E5M3FNU>, %2: !cuda_tile.tile<4xptr<fnv8E5M3FNU>>,
  // CHECK-SAME: !cuda_tile.ptr<f32, <multicast>>, %{{.*}}: !cuda_tile.tile<ptr<i8, <none>>>,
  %3: !cuda_tile.ptr<f32, <multicast>>, %4: !cuda_tile.tile<ptr<i8, <none>>>,
  // CHECK-SAME: !cuda_tile.tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>, %{{.*}}: !cuda_tile.tensor_view<f32, #cuda_tile.ptr_attr<none>>,
  %5: !cuda_tile.tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>, %6: !cuda_tile.tensor_view<f32, #cuda_tile.ptr_attr<none>>,
  // CHECK-SAME: !cuda_tile.partition_view<tile=(4), padding_value = nan, tensor_view<?xfnv8E5M3FNU, strides=[1], #cuda_tile.ptr_attr<multicast>>>)
  %7: !cuda_tile.partition_view<tile=(4), padding_value = nan, tensor_view<?xfnv8E5M3FNU, strides=[1], #cuda_tile.ptr_attr<multicast>>>) {
  return
}

// CHECK-LABEL: func.func @evolved(
func.func @evolved(
  // CHECK-SAME: !cuda_tile<testing$bytecode_test_evolved<f32>>,
  %0: !cuda_tile.testing$bytecode_test_evolved<f32>,
  // CHECK-SAME: !cuda_tile<testing$bytecode_test_evolved<i8, f16,  nan, !cuda_tile.tile<i1>>>)
  %1: !cuda_tile.testing$bytecode_test_evolved<i8, f16, nan, tile<i1>>) {
  return
}

// In a foreign region the operations have their prefix, the types do not.
// CHECK-LABEL: func.func @foreign(
func.func @foreign(%a: !cuda_tile.tile<8xf32>, %t: !cuda_tile.token) {
  // CHECK: %{{.*}} = cuda_tile.addf %{{.*}}, %{{.*}} : tile<8xf32>
  %0 = cuda_tile.addf %a, %a : !cuda_tile.tile<8xf32>
  // CHECK: %{{.*}} = cuda_tile.join_tokens %{{.*}}, %{{.*}} : token
  %1 = cuda_tile.join_tokens %t, %t : token
  return
}

!alias = !cuda_tile.tile<8xf32>
// CHECK-LABEL: testing$func @prefix_is_accepted(
cuda_tile.testing$func @prefix_is_accepted(%a: !alias) {
  // CHECK: %{{.*}} = absf %{{.*}} : tile<8xf32>
  %0 = cuda_tile.absf %a : !alias
  // CHECK: arith.constant
  %1 = arith.constant 0 : i32
  cuda_tile.return
}
