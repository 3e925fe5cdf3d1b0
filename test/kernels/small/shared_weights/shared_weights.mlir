// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two dots of one iteration by the same weights, converted for each: their slot is free after the second one.
cuda_tile.module @kernels {
  entry @shared_weights(%x: tile<ptr<f16>>, %w: tile<ptr<i8>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %xa = assume div_by<16>, %x : tile<ptr<f16>>
    %wa = assume div_by<16>, %w : tile<ptr<i8>>
    %xv = make_tensor_view %xa, shape = [32, 128], strides = [128, 1] : tensor_view<32x128xf16, strides=[128,1]>
    %xp = make_partition_view %xv : partition_view<tile=(32x32), tensor_view<32x128xf16, strides=[128,1]>>
    %wv = make_tensor_view %wa, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xi8, strides=[32,1]>
    %wp = make_partition_view %wv : partition_view<tile=(32x32), tensor_view<128x32xi8, strides=[32,1]>>
    %yv = make_tensor_view %y, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %yp = make_partition_view %yv : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %zv = make_tensor_view %z, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %zp = make_partition_view %zv : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %zero = constant <f32: 0.0> : tile<32x32xf32>
    %sums:2 = for %i in (%c0 to %c4, step %c1) : tile<i32> iter_values(%a = %zero, %b = %zero) -> (tile<32x32xf32>, tile<32x32xf32>) {
      %xt, %xk = load_view_tko weak %xp[%c0, %i] : partition_view<tile=(32x32), tensor_view<32x128xf16, strides=[128,1]>>, tile<i32> -> tile<32x32xf16>, token
      %wt, %wk = load_view_tko weak %wp[%i, %c0] : partition_view<tile=(32x32), tensor_view<128x32xi8, strides=[32,1]>>, tile<i32> -> tile<32x32xi8>, token
      %half = itof %wt signed : tile<32x32xi8> -> tile<32x32xf16>
      %first = mmaf %xt, %half, %a : tile<32x32xf16>, tile<32x32xf16>, tile<32x32xf32>
      %brain = itof %wt signed : tile<32x32xi8> -> tile<32x32xbf16>
      %rows = ftof %xt : tile<32x32xf16> -> tile<32x32xbf16>
      %second = mmaf %rows, %brain, %b : tile<32x32xbf16>, tile<32x32xbf16>, tile<32x32xf32>
      continue %first, %second : tile<32x32xf32>, tile<32x32xf32>
    }
    %yk = store_view_tko weak %sums#0, %yp[%c0, %c0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    %zk = store_view_tko weak %sums#1, %zp[%c0, %c0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
