// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two accumulators that exceed the registers of four warps.
cuda_tile.module @kernels {
  entry @large(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>) {
    %in = make_tensor_view %from, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %out = make_tensor_view %to, shape = [256, 128], strides = [128, 1] : tensor_view<256x128xf32, strides=[128,1]>
    %pin = make_partition_view %in : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %pout = make_partition_view %out : partition_view<tile=(128x128), tensor_view<256x128xf32, strides=[128,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c64 = constant <i32: 64> : tile<i32>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %one = constant <f32: 1.0> : tile<128x128xf32>
    %m, %n = for %i in (%c0 to %c64, step %c1) : tile<i32> iter_values(%x = %zero, %y = %one) -> (tile<128x128xf32>, tile<128x128xf32>) {
      %a, %ta = load_view_tko weak %pin[%i, %c0] : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> tile<128x128xf32>, token
      %u = addf %a, %x : tile<128x128xf32>
      %v = mulf %a, %y : tile<128x128xf32>
      continue %u, %v : tile<128x128xf32>, tile<128x128xf32>
    }
    %s = store_view_tko weak %m, %pout[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<256x128xf32, strides=[128,1]>>, tile<i32> -> token
    %t = store_view_tko weak %n, %pout[%c1, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<256x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
