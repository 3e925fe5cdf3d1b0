// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads alone break the promise: what they read outside is zero. Rows are so many as a launch says, columns known to be a
// multiple of the tile.
cuda_tile.module @m {
  entry @overhang_rows(%x: tile<ptr<f32>>, %rows: tile<i32>, %columns: tile<i32>, %sums: tile<ptr<f32>>) {
    %xa = assume div_by<16>, %x : tile<ptr<f32>>
    %n = assume bounded<0, ?>, %rows : tile<i32>
    %c = assume bounded<0, ?>, %columns : tile<i32>
    %m = assume div_by<32>, %c : tile<i32>
    %xt = make_tensor_view %xa, shape = [%n, %m], strides = [%m, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %xv = make_partition_view %xt : partition_view<tile=(8x32), tensor_view<?x?xf32, strides=[?,1]>>
    %st = make_tensor_view %sums, shape = [2, 64], strides = [64, 1] : tensor_view<2x64xf32, strides=[64,1]>
    %sv = make_partition_view %st : partition_view<tile=(1x32), tensor_view<2x64xf32, strides=[64,1]>>
    %i, %j, %z = get_tile_block_id : tile<i32>
    %a, %t0 = load_view_tko weak %xv[%i, %j] inbounds = [true, true] : partition_view<tile=(8x32), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<8x32xf32>, token
    %s = reduce %a dim=0 identities=[0.000000e+00 : f32] : tile<8x32xf32> -> tile<32xf32>
    (%p: tile<f32>, %q: tile<f32>) {
      %u = addf %p, %q rounding<nearest_even> : tile<f32>
      yield %u : tile<f32>
    }
    %r = reshape %s : tile<32xf32> -> tile<1x32xf32>
    %t1 = store_view_tko weak %r, %sv[%i, %j] : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<2x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
