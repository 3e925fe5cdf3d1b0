// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that prefetches operands: rows, columns and K are no multiples of the tile, although all accesses guarantee it.
cuda_tile.module @m {
  entry @overhang_product(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %o: tile<ptr<f32>>, %depth: tile<i32>) {
    %xa = assume div_by<16>, %x : tile<ptr<f16>>
    %ya = assume div_by<16>, %y : tile<ptr<f16>>
    %oa = assume div_by<16>, %o : tile<ptr<f32>>
    %db = assume bounded<0, ?>, %depth : tile<i32>
    %k = assume div_by<16>, %db : tile<i32>
    %xt = make_tensor_view %xa, shape = [77, %k], strides = [%k, 1] : tile<i32> -> tensor_view<77x?xf16, strides=[?,1]>
    %yt = make_tensor_view %ya, shape = [%k, 72], strides = [72, 1] : tile<i32> -> tensor_view<?x72xf16, strides=[72,1]>
    %ot = make_tensor_view %oa, shape = [77, 72], strides = [72, 1] : tensor_view<77x72xf32, strides=[72,1]>
    %xv = make_partition_view %xt : partition_view<tile=(64x64), tensor_view<77x?xf16, strides=[?,1]>>
    %yv = make_partition_view %yt : partition_view<tile=(64x64), tensor_view<?x72xf16, strides=[72,1]>>
    %ov = make_partition_view %ot : partition_view<tile=(64x64), tensor_view<77x72xf32, strides=[72,1]>>
    %i, %j, %z = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %trips:2 = get_index_space_shape %xv : partition_view<tile=(64x64), tensor_view<77x?xf16, strides=[?,1]>> -> tile<i32>
    %sum = for %n in (%0 to %trips#1, step %1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %a, %t0 = load_view_tko weak %xv[%i, %n] inbounds = [true, true] : partition_view<tile=(64x64), tensor_view<77x?xf16, strides=[?,1]>>, tile<i32> -> tile<64x64xf16>, token
      %b, %t1 = load_view_tko weak %yv[%n, %j] inbounds = [true, true] : partition_view<tile=(64x64), tensor_view<?x72xf16, strides=[72,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %a, %b, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %t2 = store_view_tko weak %sum, %ov[%i, %j] inbounds = [true, true] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<77x72xf32, strides=[72,1]>>, tile<i32> -> token
    return
  }
}
