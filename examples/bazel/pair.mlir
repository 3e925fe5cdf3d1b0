// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels in one module: c = -a and c = a + a in tiles of 256.
cuda_tile.module @pair {
  entry @negate(%a: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %token = make_token : token
    %va = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vc = make_tensor_view %c, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %pc = make_partition_view %vc : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %ta, %t0 = load_view_tko weak %pa[%x] token = %token : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %r = negf %ta : tile<256xf32>
    %t1 = store_view_tko weak %r, %pc[%x] token = %token : tile<256xf32>, partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @twice(%a: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %token = make_token : token
    %va = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vc = make_tensor_view %c, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %pc = make_partition_view %vc : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %ta, %t0 = load_view_tko weak %pa[%x] token = %token : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %r = addf %ta, %ta : tile<256xf32>
    %t1 = store_view_tko weak %r, %pc[%x] token = %token : tile<256xf32>, partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
