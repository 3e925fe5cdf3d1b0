// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the tiles of arrays of any length, none too: every tile begins inside, the last one ends where it likes. The
// second loop begins at the second tile and leaves out each other one.
cuda_tile.module @kernels {
  entry @ragged_loops(%x: tile<ptr<f32>>, %lengths: tile<ptr<i32>>, %sums: tile<ptr<f32>>, %odd: tile<ptr<f32>>,
                      %twice: tile<ptr<f32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c640 = constant <i32: 640> : tile<i32>
    %lp = offset %lengths, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %n, %t0 = load_ptr_tko weak %lp : tile<ptr<i32>> -> tile<i32>, token
    %row = muli %b, %c640 : tile<i32>
    %xr = offset %x, %row : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %yr = offset %twice, %row : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %xt = make_tensor_view %xr, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %yt = make_tensor_view %yr, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %yp = make_partition_view %yt : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>
    %trips = get_index_space_shape %xp : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>> -> tile<i32>
    %zero = constant <f32: 0.0> : tile<128xf32>
    %all = for %i in (%c0 to %trips, step %c1) : tile<i32> iter_values(%s = %zero) -> (tile<128xf32>) {
      %v, %t1 = load_view_tko weak %xp[%i] : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
      %more = addf %s, %v : tile<128xf32>
      continue %more : tile<128xf32>
    }
    %some = for %i in (%c1 to %trips, step %c2) : tile<i32> iter_values(%s = %zero) -> (tile<128xf32>) {
      %v, %t1 = load_view_tko weak %xp[%i] : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
      %d = addf %v, %v : tile<128xf32>
      %t2 = store_view_tko weak %d, %yp[%i] : tile<128xf32>, partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
      %more = addf %s, %v : tile<128xf32>
      continue %more : tile<128xf32>
    }
    for %i in (%c0 to %trips, step %c2) : tile<i32> {
      %v, %t1 = load_view_tko weak %xp[%i] : partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
      %d = addf %v, %v : tile<128xf32>
      %t2 = store_view_tko weak %d, %yp[%i] : tile<128xf32>, partition_view<tile=(128), padding_value = zero, tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
      continue
    }
    %sum = reduce %all dim=0 identities=[0.0 : f32] : tile<128xf32> -> tile<f32>
    (%new: tile<f32>, %old: tile<f32>) {
      %next = addf %new, %old : tile<f32>
      yield %next : tile<f32>
    }
    %part = reduce %some dim=0 identities=[0.0 : f32] : tile<128xf32> -> tile<f32>
    (%new: tile<f32>, %old: tile<f32>) {
      %next = addf %new, %old : tile<f32>
      yield %next : tile<f32>
    }
    %sp = offset %sums, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %op = offset %odd, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %t3 = store_ptr_tko weak %sp, %sum : tile<ptr<f32>>, tile<f32> -> token
    %t4 = store_ptr_tko weak %op, %part : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
