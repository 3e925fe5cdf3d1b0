// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One dimension, whose size is known to be a multiple of 4, not of the tile; bytes after the end belong to other arrays.
cuda_tile.module @m {
  entry @overhang_line(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %n: tile<i32>) {
    %xa = assume div_by<16>, %x : tile<ptr<f32>>
    %ya = assume div_by<16>, %y : tile<ptr<f32>>
    %nb = assume bounded<0, ?>, %n : tile<i32>
    %nd = assume div_by<4>, %nb : tile<i32>
    %xt = make_tensor_view %xa, shape = [%nd], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %yt = make_tensor_view %ya, shape = [%nd], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %xv = make_partition_view %xt : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %yv = make_partition_view %yt : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %i, %j, %z = get_tile_block_id : tile<i32>
    %a, %t0 = load_view_tko weak %xv[%i] inbounds = [true] : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %b = addf %a, %a rounding<nearest_even> : tile<64xf32>
    %t1 = store_view_tko weak %b, %yv[%i] inbounds = [true] : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
