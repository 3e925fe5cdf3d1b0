// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array with a dimension of one element, of whose stride 1 the producer says that it is divisible by 4: no access uses it.
cuda_tile.module @m {
  entry @lone_column(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %rows: tile<i32>, %pitch: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %i, %by, %bz = get_tile_block_id : tile<i32>
    %columns = constant <i32: 1> : tile<i32>
    %stride = assume div_by<4>, %pitch : tile<i32>
    %xa = assume div_by<16>, %x : tile<ptr<f32>>
    %ya = assume div_by<16>, %y : tile<ptr<f32>>
    %xt = make_tensor_view %xa, shape = [%rows, %columns], strides = [1, %stride] : tile<i32> -> tensor_view<?x?xf32, strides=[1,?]>
    %yt = make_tensor_view %ya, shape = [%rows, %columns], strides = [1, %stride] : tile<i32> -> tensor_view<?x?xf32, strides=[1,?]>
    %xv = make_partition_view %xt : partition_view<tile=(16x1), padding_value = zero, tensor_view<?x?xf32, strides=[1,?]>>
    %yv = make_partition_view %yt : partition_view<tile=(16x1), tensor_view<?x?xf32, strides=[1,?]>>
    %a, %ta = load_view_tko weak %xv[%i, %0] : partition_view<tile=(16x1), padding_value = zero, tensor_view<?x?xf32, strides=[1,?]>>, tile<i32> -> tile<16x1xf32>, token
    %b = addf %a, %a : tile<16x1xf32>
    %tb = store_view_tko weak %b, %yv[%i, %0] : tile<16x1xf32>, partition_view<tile=(16x1), tensor_view<?x?xf32, strides=[1,?]>>, tile<i32> -> token
    return
  }
}
