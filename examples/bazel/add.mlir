// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// c = a + b in tiles of 512: the text of bytecode as cuTile Python emits it.
cuda_tile.module @add {
  entry @add(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %token = make_token : token
    %va = make_tensor_view %a, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vb = make_tensor_view %b, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %vc = make_tensor_view %c, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pa = make_partition_view %va : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>
    %pb = make_partition_view %vb : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>
    %pc = make_partition_view %vc : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %ta, %t0 = load_view_tko weak %pa[%x] token = %token : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %tb, %t1 = load_view_tko weak %pb[%x] token = %token : partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<512xf32>, token
    %sum = addf %ta, %tb : tile<512xf32>
    %t2 = store_view_tko weak %sum, %pc[%x] token = %token : tile<512xf32>, partition_view<tile=(512), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
