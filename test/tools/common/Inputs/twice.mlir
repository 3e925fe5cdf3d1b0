// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles n numbers in place, 64 a block.
cuda_tile.module @m {
  entry @twice(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_token : token
    %v = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>
    %i, %y, %z = get_tile_block_id : tile<i32>
    %x, %u = load_view_tko weak %w[%i] token = %t : partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %s = addf %x, %x : tile<64xf32>
    %r = store_view_tko weak %s, %w[%i] token = %u : tile<64xf32>, partition_view<tile=(64), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
