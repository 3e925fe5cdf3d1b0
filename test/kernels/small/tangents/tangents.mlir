// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tanh x.
cuda_tile.module @kernels {
  entry @tangents(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>
    %v, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %h = tanh %v : tile<1x512xf32>
    %yt = make_tensor_view %y, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf32, strides=[512,1]>
    %yp = make_partition_view %yt : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>
    %t1 = store_view_tko weak %h, %yp[%b, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
