// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// x by 1 / (1 + e^-x), which nothing else reads, and x / 2 by 2 / (1 + e^(-x / 2)).
cuda_tile.module @kernels {
  entry @gates(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>
    %v, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %one = constant <f32: 1.0> : tile<1x512xf32>
    %n = negf %v : tile<1x512xf32>
    %e = exp %n : tile<1x512xf32>
    %d = addf %e, %one : tile<1x512xf32>
    %q = divf %one, %d : tile<1x512xf32>
    %s = mulf %q, %v : tile<1x512xf32>
    %yt = make_tensor_view %y, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf32, strides=[512,1]>
    %yp = make_partition_view %yt : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>
    %t1 = store_view_tko weak %s, %yp[%b, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>, tile<i32> -> token
    %two = constant <f32: 2.0> : tile<1x512xf32>
    %half = constant <f32: 0.5> : tile<1x512xf32>
    %h = mulf %v, %half : tile<1x512xf32>
    %hn = negf %h : tile<1x512xf32>
    %he = exp %hn : tile<1x512xf32>
    %hd = addf %he, %one : tile<1x512xf32>
    %hq = divf %two, %hd : tile<1x512xf32>
    %hs = mulf %hq, %h : tile<1x512xf32>
    %zt = make_tensor_view %z, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf32, strides=[512,1]>
    %zp = make_partition_view %zt : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>
    %t2 = store_view_tko weak %hs, %zp[%b, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
