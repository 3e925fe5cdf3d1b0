// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows half a terabyte apart, and the last elements of four terabytes of zeros: a case costs what it uses.
cuda_tile.module @m {
  entry @far_rows(%x: tile<ptr<f32>>, %zeros: tile<ptr<f32>>, %y: tile<ptr<f32>>, %rows: tile<i64>, %pitch: tile<i64>) {
    %0 = constant <i32: 0> : tile<i32>
    %lastRow = constant <i32: 1048575> : tile<i32>
    %lastTile = constant <i32: 16383> : tile<i32>
    %i, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [%rows, 64], strides = [%pitch, 1] : tile<i64> -> tensor_view<?x64xf32, strides=[?,1]>
    %zt = make_tensor_view %zeros, shape = [1048576, 1048576], strides = [1048576, 1] : tensor_view<1048576x1048576xf32, strides=[1048576,1]>
    %yt = make_tensor_view %y, shape = [%rows, 64], strides = [%pitch, 1] : tile<i64> -> tensor_view<?x64xf32, strides=[?,1]>
    %xv = make_partition_view %xt : partition_view<tile=(1x64), tensor_view<?x64xf32, strides=[?,1]>>
    %zv = make_partition_view %zt : partition_view<tile=(1x64), tensor_view<1048576x1048576xf32, strides=[1048576,1]>>
    %yv = make_partition_view %yt : partition_view<tile=(1x64), tensor_view<?x64xf32, strides=[?,1]>>
    %a, %ta = load_view_tko weak %xv[%i, %0] : partition_view<tile=(1x64), tensor_view<?x64xf32, strides=[?,1]>>, tile<i32> -> tile<1x64xf32>, token
    %z, %tz = load_view_tko weak %zv[%lastRow, %lastTile] : partition_view<tile=(1x64), tensor_view<1048576x1048576xf32, strides=[1048576,1]>>, tile<i32> -> tile<1x64xf32>, token
    %b = addf %a, %z : tile<1x64xf32>
    %c = addf %b, %a : tile<1x64xf32>
    %tb = store_view_tko weak %c, %yv[%i, %0] : tile<1x64xf32>, partition_view<tile=(1x64), tensor_view<?x64xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }
}
