// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Angles of zeros, whose signs decide; constants, which a compiler may compute itself.
cuda_tile.module @kernels {
  entry @angle_zero(%s: tile<ptr<f32>>, %h: tile<ptr<f16>>, %d: tile<ptr<f64>>) {
    %least = constant <f32: [0.0, -0.0, 0.0, -0.0]> : tile<4xf32>
    %other = constant <f32: [0.0, 0.0, -0.0, -0.0]> : tile<4xf32>
    %single = atan2 %least, %other : tile<4xf32>
    %negative = constant <f16: -0.0> : tile<4xf16>
    %half = atan2 %negative, %negative : tile<4xf16>
    %wide = constant <f64: -0.0> : tile<4xf64>
    %double = atan2 %wide, %wide : tile<4xf64>
    %zero = constant <i32: 0> : tile<i32>
    %vs = make_tensor_view %s, shape = [4], strides = [1] : tensor_view<4xf32, strides=[1]>
    %ps = make_partition_view %vs : partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>
    %t0 = store_view_tko weak %single, %ps[%zero] : tile<4xf32>, partition_view<tile=(4), tensor_view<4xf32, strides=[1]>>, tile<i32> -> token
    %vh = make_tensor_view %h, shape = [4], strides = [1] : tensor_view<4xf16, strides=[1]>
    %ph = make_partition_view %vh : partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>
    %t1 = store_view_tko weak %half, %ph[%zero] : tile<4xf16>, partition_view<tile=(4), tensor_view<4xf16, strides=[1]>>, tile<i32> -> token
    %vd = make_tensor_view %d, shape = [4], strides = [1] : tensor_view<4xf64, strides=[1]>
    %pd = make_partition_view %vd : partition_view<tile=(4), tensor_view<4xf64, strides=[1]>>
    %t2 = store_view_tko weak %double, %pd[%zero] : tile<4xf64>, partition_view<tile=(4), tensor_view<4xf64, strides=[1]>>, tile<i32> -> token
    return
  }
}
