// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cuda_tile.module @kernels {
  entry @pair(%pa: tile<ptr<f32>>, %pb: tile<ptr<f32>>, %pc: tile<ptr<f32>>, %rows: tile<i32>) {
    %a = assume div_by<16>, %pa : tile<ptr<f32>>
    %b = assume div_by<16>, %pb : tile<ptr<f32>>
    %c = assume div_by<16>, %pc : tile<ptr<f32>>
    %n = assume bounded<0, ?>, %rows : tile<i32>
    %va = make_tensor_view %a, shape = [%n, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf32, strides=[128,1]>
    %vb = make_tensor_view %b, shape = [%n, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf32, strides=[128,1]>
    %vc = make_tensor_view %c, shape = [%n, 128], strides = [128, 1] : tile<i32> -> tensor_view<?x128xf32, strides=[128,1]>
    %ta = make_partition_view %va : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x128xf32, strides=[128,1]>>
    %tb = make_partition_view %vb : partition_view<tile=(64x32), tensor_view<?x128xf32, strides=[128,1]>>
    %tc = make_partition_view %vc : partition_view<tile=(64x32), tensor_view<?x128xf32, strides=[128,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v, %t0 = load_view_tko weak %ta[%x, %y] : partition_view<tile=(64x32), padding_value = zero, tensor_view<?x128xf32, strides=[128,1]>>, tile<i32> -> tile<64x32xf32>, token
    %w = addf %v, %v : tile<64x32xf32>
    %t1 = store_view_tko weak %w, %tb[%x, %y] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<?x128xf32, strides=[128,1]>>, tile<i32> -> token
    %u = mulf %w, %v : tile<64x32xf32>
    %t2 = store_view_tko weak %u, %tc[%x, %y] : tile<64x32xf32>, partition_view<tile=(64x32), tensor_view<?x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
