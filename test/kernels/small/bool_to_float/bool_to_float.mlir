// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A signed boolean is 0 or -1, directly and by way of f16. NVPTX goes wrong where it is one bit of a word.
cuda_tile.module @kernels {
  entry @bool_to_float(%x: tile<ptr<i32>>, %y: tile<ptr<bf16>>, %z: tile<ptr<bf16>>) {
    %i, %j, %k = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(1), tensor_view<4xi32, strides=[1]>>
    %yv = make_tensor_view %y, shape = [4], strides = [1] : tensor_view<4xbf16, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(1), tensor_view<4xbf16, strides=[1]>>
    %zv = make_tensor_view %z, shape = [4], strides = [1] : tensor_view<4xbf16, strides=[1]>
    %zp = make_partition_view %zv : partition_view<tile=(1), tensor_view<4xbf16, strides=[1]>>
    %n, %xt = load_view_tko weak %xp[%i] : partition_view<tile=(1), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %b = trunci %n : tile<1xi32> -> tile<1xi1>
    %direct = itof %b signed : tile<1xi1> -> tile<1xbf16>
    %half = itof %b signed : tile<1xi1> -> tile<1xf16>
    %around = ftof %half : tile<1xf16> -> tile<1xbf16>
    %yt = store_view_tko weak %direct, %yp[%i] : tile<1xbf16>, partition_view<tile=(1), tensor_view<4xbf16, strides=[1]>>, tile<i32> -> token
    %zt = store_view_tko weak %around, %zp[%i] : tile<1xbf16>, partition_view<tile=(1), tensor_view<4xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
