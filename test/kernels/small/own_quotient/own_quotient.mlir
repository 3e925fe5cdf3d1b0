// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number that all elements share, divided by itself: divisor and dividends are one register.
cuda_tile.module @kernels {
  entry @own_quotient(%x: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xp = offset %x, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %v, %t0 = load_ptr_tko weak %xp : tile<ptr<f32>> -> tile<f32>, token
    %v1 = reshape %v : tile<f32> -> tile<1xf32>
    %all = broadcast %v1 : tile<1xf32> -> tile<128xf32>
    %q = divf %all, %all : tile<128xf32>
    %zt = make_tensor_view %z, shape = [16, 128], strides = [128, 1] : tensor_view<16x128xf32, strides=[128,1]>
    %zp = make_partition_view %zt : partition_view<tile=(1x128), tensor_view<16x128xf32, strides=[128,1]>>
    %row = reshape %q : tile<128xf32> -> tile<1x128xf32>
    %t1 = store_view_tko weak %row, %zp[%b, %c0] : tile<1x128xf32>, partition_view<tile=(1x128), tensor_view<16x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
