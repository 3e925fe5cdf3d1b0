// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of 64 numbers, summed in a loop; the sums of the columns of a tile pass twice through shared memory.
cuda_tile.module @m {
  entry @norm(%x: tile<ptr<f32>>, %out: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_token : token
    %xv = make_tensor_view %x, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %ov = make_tensor_view %out, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %xp = make_partition_view %xv : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>
    %op = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>
    %i, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %none = constant <f32: 0.0> : tile<64x64xf32>
    %v, %u = load_view_tko weak %xp[%i, %zero] token = %t : partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<64x64xf32>, token
    %acc = for %k in (%zero to %three, step %one) : tile<i32> iter_values(%a = %none) -> (tile<64x64xf32>) {
      %next = addf %a, %v : tile<64x64xf32>
      continue %next : tile<64x64xf32>
    }
    %rows = reduce %acc dim=0 identities=[0.000000e+00 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%e: tile<f32>, %s: tile<f32>) {
      %w = addf %e, %s : tile<f32>
      yield %w : tile<f32>
    }
    %wide = reshape %rows : tile<64xf32> -> tile<1x64xf32>
    %all = broadcast %wide : tile<1x64xf32> -> tile<64x64xf32>
    %sum = addf %acc, %all : tile<64x64xf32>
    %again = reduce %sum dim=0 identities=[0.000000e+00 : f32] : tile<64x64xf32> -> tile<64xf32>
    (%e: tile<f32>, %s: tile<f32>) {
      %w = addf %e, %s : tile<f32>
      yield %w : tile<f32>
    }
    %wider = reshape %again : tile<64xf32> -> tile<1x64xf32>
    %more = broadcast %wider : tile<1x64xf32> -> tile<64x64xf32>
    %last = addf %sum, %more : tile<64x64xf32>
    %r = store_view_tko weak %last, %op[%i, %zero] token = %u : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
