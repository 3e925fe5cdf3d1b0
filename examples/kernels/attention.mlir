// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// o = softmax(q kᵀ / 8) v, heads of 64; q, k, v, o are n × 64 of f16, n a multiple of 64. One block a tile of 64 queries: it goes
// through keys and values in tiles of 64 and keeps, for each query, the largest score so far, the sum of exponentials below it
// and the weighted sum of values; when a larger score comes, the sums shrink by the power of two between.
cuda_tile.module @attention {
  entry @attention(%q: tile<ptr<f16>>, %k: tile<ptr<f16>>, %v: tile<ptr<f16>>, %o: tile<ptr<f16>>, %n: tile<i32>) {
    %start = make_token : token
    %qa = assume div_by<16>, %q : tile<ptr<f16>>
    %ka = assume div_by<16>, %k : tile<ptr<f16>>
    %va = assume div_by<16>, %v : tile<ptr<f16>>
    %oa = assume div_by<16>, %o : tile<ptr<f16>>
    %qv = make_tensor_view %qa, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %kv = make_tensor_view %ka, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %vv = make_tensor_view %va, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %ov = make_tensor_view %oa, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf16, strides=[64,1]>
    %qs = make_partition_view %qv : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>
    %ks = make_partition_view %kv : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>, dim_map=[1, 0]>
    %vs = make_partition_view %vv : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>
    %os = make_partition_view %ov : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %width = constant <i32: 64> : tile<i32>
    %tiles = divi %n, %width signed : tile<i32>
    %qt, %t0 = load_view_tko weak %qs[%block, %zero] token = %start : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
    %none = constant <f32: 0.0> : tile<64x64xf32>
    // log2(e) / 8: powers of two instead of e.
    %scale = constant <f32: 0.180336878> : tile<64x64xf32>
    %max0 = constant <f32: 0xFF800000> : tile<64x1xf32>
    %sum0 = constant <f32: 0.0> : tile<64x1xf32>
    %all:3 = for %j in (%zero to %tiles, step %one) : tile<i32> iter_values(%acc = %none, %max = %max0, %sum = %sum0) -> (tile<64x64xf32>, tile<64x1xf32>, tile<64x1xf32>) {
      %kt, %t1 = load_view_tko weak %ks[%zero, %j] token = %start : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x64xf16>, token
      %vt, %t2 = load_view_tko weak %vs[%j, %zero] token = %start : partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %raw = mmaf %qt, %kt, %none : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      %s = mulf %raw, %scale : tile<64x64xf32>
      %here = reduce %s dim=1 identities=[0xFF800000 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l: tile<f32>, %r: tile<f32>) {
        %m = maxf %l, %r : tile<f32>
        yield %m : tile<f32>
      }
      %here2 = reshape %here : tile<64xf32> -> tile<64x1xf32>
      %new = maxf %max, %here2 : tile<64x1xf32>
      %news = broadcast %new : tile<64x1xf32> -> tile<64x64xf32>
      %below = subf %s, %news : tile<64x64xf32>
      %p = exp2 %below : tile<64x64xf32>
      %shrink = subf %max, %new : tile<64x1xf32>
      %factor = exp2 %shrink : tile<64x1xf32>
      %added = reduce %p dim=1 identities=[0.0 : f32] : tile<64x64xf32> -> tile<64xf32>
      (%l: tile<f32>, %r: tile<f32>) {
        %a = addf %l, %r : tile<f32>
        yield %a : tile<f32>
      }
      %added2 = reshape %added : tile<64xf32> -> tile<64x1xf32>
      %sumNew = fma %sum, %factor, %added2 : tile<64x1xf32>
      %factors = broadcast %factor : tile<64x1xf32> -> tile<64x64xf32>
      %smaller = mulf %acc, %factors : tile<64x64xf32>
      %p16 = ftof %p : tile<64x64xf32> -> tile<64x64xf16>
      %accNew = mmaf %p16, %vt, %smaller : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %accNew, %new, %sumNew : tile<64x64xf32>, tile<64x1xf32>, tile<64x1xf32>
    }
    %sums = broadcast %all#2 : tile<64x1xf32> -> tile<64x64xf32>
    %out = divf %all#0, %sums : tile<64x64xf32>
    %out16 = ftof %out : tile<64x64xf32> -> tile<64x64xf16>
    %t3 = store_view_tko weak %out16, %os[%block, %zero] token = %start : tile<64x64xf16>, partition_view<tile=(64x64), tensor_view<?x64xf16, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
