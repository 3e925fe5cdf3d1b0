// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups of 5 rows and tiles of 16, which loads and stores promise to be inside: they are clipped as by a tensor map, so that no
// group touches the next one.
cuda_tile.module @m {
  entry @overhang_store(%q: tile<ptr<f16>>, %k: tile<ptr<f16>>, %o: tile<ptr<f16>>, %groups: tile<i32>) {
    %qa = assume div_by<16>, %q : tile<ptr<f16>>
    %ka = assume div_by<16>, %k : tile<ptr<f16>>
    %oa = assume div_by<16>, %o : tile<ptr<f16>>
    %n = assume bounded<0, ?>, %groups : tile<i32>
    %qt = make_tensor_view %qa, shape = [%n, 5, 64], strides = [320, 64, 1] : tile<i32> -> tensor_view<?x5x64xf16, strides=[320,64,1]>
    %kt = make_tensor_view %ka, shape = [%n, 64, 64], strides = [4096, 64, 1] : tile<i32> -> tensor_view<?x64x64xf16, strides=[4096,64,1]>
    %ot = make_tensor_view %oa, shape = [%n, 5, 64], strides = [320, 64, 1] : tile<i32> -> tensor_view<?x5x64xf16, strides=[320,64,1]>
    %qv = make_partition_view %qt : partition_view<tile=(1x16x64), tensor_view<?x5x64xf16, strides=[320,64,1]>>
    %kv = make_partition_view %kt : partition_view<tile=(1x64x64), tensor_view<?x64x64xf16, strides=[4096,64,1]>>
    %ov = make_partition_view %ot : partition_view<tile=(1x16x64), tensor_view<?x5x64xf16, strides=[320,64,1]>>
    %g, %y, %z = get_tile_block_id : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %zero = constant <f32: 0.0> : tile<16x64xf32>
    %a3, %t0 = load_view_tko weak %qv[%g, %0, %0] inbounds = [true, true, true] : partition_view<tile=(1x16x64), tensor_view<?x5x64xf16, strides=[320,64,1]>>, tile<i32> -> tile<1x16x64xf16>, token
    %b3, %t1 = load_view_tko weak %kv[%g, %0, %0] inbounds = [true, true, true] : partition_view<tile=(1x64x64), tensor_view<?x64x64xf16, strides=[4096,64,1]>>, tile<i32> -> tile<1x64x64xf16>, token
    %a = reshape %a3 : tile<1x16x64xf16> -> tile<16x64xf16>
    %b = reshape %b3 : tile<1x64x64xf16> -> tile<64x64xf16>
    %s = mmaf %a, %b, %zero : tile<16x64xf16>, tile<64x64xf16>, tile<16x64xf32>
    %h = ftof %s : tile<16x64xf32> -> tile<16x64xf16>
    %h3 = reshape %h : tile<16x64xf16> -> tile<1x16x64xf16>
    %t2 = store_view_tko weak %h3, %ov[%g, %0, %0] inbounds = [true, true, true] : tile<1x16x64xf16>, partition_view<tile=(1x16x64), tensor_view<?x5x64xf16, strides=[320,64,1]>>, tile<i32> -> token
    return
  }
}
