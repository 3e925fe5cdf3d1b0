// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes that are read along one dimension and written along the other: pairs of two rows are transposed.
cuda_tile.module @kernels {
  entry @turned_bytes(%x: tile<ptr<i8>>, %y: tile<ptr<i8>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %i = shri %b, %c1 unsigned : tile<i32>
    %j = andi %b, %c1 : tile<i32>
    %xp = assume div_by<16>, %x : tile<ptr<i8>>
    %yp = assume div_by<16>, %y : tile<ptr<i8>>
    %xt = make_tensor_view %xp, shape = [112, 80], strides = [80, 1] : tensor_view<112x80xi8, strides=[80,1]>
    %xv = make_partition_view %xt : partition_view<tile=(64x64), padding_value = zero, tensor_view<112x80xi8, strides=[80,1]>>
    %yt = make_tensor_view %yp, shape = [80, 112], strides = [112, 1] : tensor_view<80x112xi8, strides=[112,1]>
    %yv = make_partition_view %yt : partition_view<tile=(64x64), padding_value = zero, tensor_view<80x112xi8, strides=[112,1]>>
    %v, %k = load_view_tko weak %xv[%i, %j] : partition_view<tile=(64x64), padding_value = zero, tensor_view<112x80xi8, strides=[80,1]>>, tile<i32> -> tile<64x64xi8>, token
    %w = permute %v [1, 0] : tile<64x64xi8> -> tile<64x64xi8>
    %s = store_view_tko weak %w, %yv[%j, %i] : tile<64x64xi8>, partition_view<tile=(64x64), padding_value = zero, tensor_view<80x112xi8, strides=[112,1]>>, tile<i32> -> token
    return
  }
}
