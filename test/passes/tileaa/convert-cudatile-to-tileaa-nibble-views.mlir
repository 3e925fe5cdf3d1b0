// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For dots, operands of four bits are loaded as the bytes that they share, in memory order.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_100}))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_120}))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_90}))' | FileCheck %s --check-prefix=PLAIN

gpu.module @m {
  // CHECK-LABEL: nv_tileaa.func kernel @even
  // CHECK: nv_tileaa.bitcast %arg0 : !nv_tileaa.ptr<f4E2M1FN> -> !nv_tileaa.ptr<i8>
  // CHECK: arith.divui {{.*}} : i32
  // CHECK: nv_tileaa.tiled_load weak %{{.*}}[%[[ZERO:.*]], %[[ONE:.*]]] token {{.*}} !nv_tileaa.tiled_view<128x32 of !nv_tileaa.memref<?x?xi8
  // CHECK-NEXT: nv_tileaa.tiled_load weak %{{.*}}[%[[ZERO]], %[[ONE]]] token {{.*}} !nv_tileaa.tiled_view<128x32 of !nv_tileaa.memref<?x?xi8
  // CHECK: nv_tileaa.view {{.*}} : tensor<128x32xi8> -> tensor<4096xi8>
  // CHECK-NEXT: nv_tileaa.bitcast {{.*}} : tensor<4096xi8> -> tensor<8192xf4E2M1FN>
  // CHECK-NEXT: %[[X:.*]] = nv_tileaa.view {{.*}} -> tensor<128x64xf4E2M1FN>
  // CHECK: %[[Y:.*]] = nv_tileaa.permute %{{.*}} [1, 0] : tensor<128x64xf4E2M1FN> -> tensor<64x128xf4E2M1FN>
  // CHECK: nv_tileaa.dot %[[X]], %[[Y]]
  // Nothing says that lines are whole bytes.
  // CHECK-LABEL: nv_tileaa.func kernel @odd
  // CHECK-NOT: i8
  // PLAIN-NOT: xi8
  cuda_tile.module @t {
    entry @even(%p: tile<ptr<f4E2M1FN>>, %q: tile<ptr<f8E4M3FN>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>, %stride: tile<i32>) {
      %width = assume div_by<32>, %columns : tile<i32>
      %line = assume div_by<32>, %stride : tile<i32>
      %view = make_tensor_view %p, shape = [%rows, %width], strides = [%line, 1] : tile<i32> -> tensor_view<?x?xf4E2M1FN, strides=[?,1]>
      %xs = make_partition_view %view : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>>
      %ys = make_partition_view %view : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>, dim_map=[1, 0]>
      %sv = make_tensor_view %q, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xf8E4M3FN, strides=[4,1]>
      %ss = make_partition_view %sv : partition_view<tile=(128x4), tensor_view<128x4xf8E4M3FN, strides=[4,1]>>
      %ts = make_partition_view %sv : partition_view<tile=(4x128), tensor_view<128x4xf8E4M3FN, strides=[4,1]>, dim_map=[1, 0]>
      %ov = make_tensor_view %o, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
      %os = make_partition_view %ov : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
      %start = make_token : token
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %none = constant <f32: 0.0> : tile<128x128xf32>
      %x, %t0 = load_view_tko weak %xs[%c0, %c1] token = %start : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>>, tile<i32> -> tile<128x64xf4E2M1FN>, token
      %y, %t1 = load_view_tko weak %ys[%c1, %c0] token = %start : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x128xf4E2M1FN>, token
      %s, %t2 = load_view_tko weak %ss[%c0, %c0] token = %start : partition_view<tile=(128x4), tensor_view<128x4xf8E4M3FN, strides=[4,1]>>, tile<i32> -> tile<128x4xf8E4M3FN>, token
      %t, %t3 = load_view_tko weak %ts[%c0, %c0] token = %start : partition_view<tile=(4x128), tensor_view<128x4xf8E4M3FN, strides=[4,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x128xf8E4M3FN>, token
      %d = mmaf_scaled %x, %y, %none, %s, %t : tile<128x64xf4E2M1FN>, tile<64x128xf4E2M1FN>, tile<128x128xf32>, tile<128x4xf8E4M3FN>, tile<4x128xf8E4M3FN>
      %end = store_view_tko weak %d, %os[%c0, %c0] token = %start : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
      return
    }
    entry @odd(%p: tile<ptr<f4E2M1FN>>, %q: tile<ptr<f8E4M3FN>>, %o: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>, %stride: tile<i32>) {
      %width = assume div_by<1>, %columns : tile<i32>
      %line = assume div_by<1>, %stride : tile<i32>
      %view = make_tensor_view %p, shape = [%rows, %width], strides = [%line, 1] : tile<i32> -> tensor_view<?x?xf4E2M1FN, strides=[?,1]>
      %xs = make_partition_view %view : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>>
      %ys = make_partition_view %view : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>, dim_map=[1, 0]>
      %sv = make_tensor_view %q, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xf8E4M3FN, strides=[4,1]>
      %ss = make_partition_view %sv : partition_view<tile=(128x4), tensor_view<128x4xf8E4M3FN, strides=[4,1]>>
      %ts = make_partition_view %sv : partition_view<tile=(4x128), tensor_view<128x4xf8E4M3FN, strides=[4,1]>, dim_map=[1, 0]>
      %ov = make_tensor_view %o, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
      %os = make_partition_view %ov : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
      %start = make_token : token
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      %none = constant <f32: 0.0> : tile<128x128xf32>
      %x, %t0 = load_view_tko weak %xs[%c0, %c1] token = %start : partition_view<tile=(128x64), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>>, tile<i32> -> tile<128x64xf4E2M1FN>, token
      %y, %t1 = load_view_tko weak %ys[%c1, %c0] token = %start : partition_view<tile=(64x128), padding_value = zero, tensor_view<?x?xf4E2M1FN, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x128xf4E2M1FN>, token
      %s, %t2 = load_view_tko weak %ss[%c0, %c0] token = %start : partition_view<tile=(128x4), tensor_view<128x4xf8E4M3FN, strides=[4,1]>>, tile<i32> -> tile<128x4xf8E4M3FN>, token
      %t, %t3 = load_view_tko weak %ts[%c0, %c0] token = %start : partition_view<tile=(4x128), tensor_view<128x4xf8E4M3FN, strides=[4,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x128xf8E4M3FN>, token
      %d = mmaf_scaled %x, %y, %none, %s, %t : tile<128x64xf4E2M1FN>, tile<64x128xf4E2M1FN>, tile<128x128xf32>, tile<128x4xf8E4M3FN>, tile<4x128xf8E4M3FN>
      %end = store_view_tko weak %d, %os[%c0, %c0] token = %start : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
      return
    }
  }
}
