// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A batched matmul by whole weights that lose a dimension before they are converted to floats. If threads
// convert them from their slot before the dot, the slot is free only after it, whatever the views in between.
cuda_tile.module @kernels {
  entry @batched_weights(%x: tile<ptr<f16>>, %w: tile<ptr<i8>>, %y: tile<ptr<f32>>) {
    %b, %j, %k = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %xa = assume div_by<16>, %x : tile<ptr<f16>>
    %wa = assume div_by<16>, %w : tile<ptr<i8>>
    %xv = make_tensor_view %xa, shape = [2, 32, 128], strides = [4096, 128, 1] : tensor_view<2x32x128xf16, strides=[4096,128,1]>
    %xp = make_partition_view %xv : partition_view<tile=(1x32x32), tensor_view<2x32x128xf16, strides=[4096,128,1]>>
    %wv = make_tensor_view %wa, shape = [2, 128, 64], strides = [8192, 64, 1] : tensor_view<2x128x64xi8, strides=[8192,64,1]>
    %wp = make_partition_view %wv : partition_view<tile=(1x32x64), tensor_view<2x128x64xi8, strides=[8192,64,1]>>
    %yv = make_tensor_view %y, shape = [2, 32, 64], strides = [2048, 64, 1] : tensor_view<2x32x64xf32, strides=[2048,64,1]>
    %yp = make_partition_view %yv : partition_view<tile=(1x32x64), tensor_view<2x32x64xf32, strides=[2048,64,1]>>
    %zero = constant <f32: 0.0> : tile<32x64xf32>
    %sum = for %i in (%c0 to %c4, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<32x64xf32>) {
      %wt, %wk = load_view_tko weak %wp[%b, %i, %c0] : partition_view<tile=(1x32x64), tensor_view<2x128x64xi8, strides=[8192,64,1]>>, tile<i32> -> tile<1x32x64xi8>, token
      %flat = reshape %wt : tile<1x32x64xi8> -> tile<32x64xi8>
      %weights = itof %flat signed : tile<32x64xi8> -> tile<32x64xf16>
      %xt, %xk = load_view_tko weak %xp[%b, %c0, %i] : partition_view<tile=(1x32x32), tensor_view<2x32x128xf16, strides=[4096,128,1]>>, tile<i32> -> tile<1x32x32xf16>, token
      %rows = reshape %xt : tile<1x32x32xf16> -> tile<32x32xf16>
      %next = mmaf %rows, %weights, %acc : tile<32x32xf16>, tile<32x64xf16>, tile<32x64xf32>
      continue %next : tile<32x64xf32>
    }
    %out = reshape %sum : tile<32x64xf32> -> tile<1x32x64xf32>
    %yk = store_view_tko weak %out, %yp[%b, %c0, %c0] : tile<1x32x64xf32>, partition_view<tile=(1x32x64), tensor_view<2x32x64xf32, strides=[2048,64,1]>>, tile<i32> -> token
    return
  }
}
