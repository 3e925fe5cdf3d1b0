// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// c = a + b over n numbers in tiles of 1024. Views have the sizes of the arrays: the last tile is clipped.
cuda_tile.module @add {
  entry @add(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %start = make_token : token
    %av = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %bv = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %cv = make_tensor_view %c, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %as = make_partition_view %av : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %bs = make_partition_view %bv : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %cs = make_partition_view %cv : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
    %i, %y, %z = get_tile_block_id : tile<i32>
    %at, %t0 = load_view_tko weak %as[%i] token = %start : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %bt, %t1 = load_view_tko weak %bs[%i] token = %start : partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %sum = addf %at, %bt : tile<1024xf32>
    %t2 = store_view_tko weak %sum, %cs[%i] token = %start : tile<1024xf32>, partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
