// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f4E2M1FN: two elements share a byte, in rows and in columns of a view; conversions from and to it.
cuda_tile.module @kernels {
  entry @float_nibble(%x: tile<ptr<f4E2M1FN>>, %s: tile<ptr<f32>>, %d: tile<ptr<f64>>, %n: tile<i32>, %wide: tile<ptr<f32>>, %narrow: tile<ptr<f4E2M1FN>>, %turned: tile<ptr<f4E2M1FN>>, %double: tile<ptr<f4E2M1FN>>, %part: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    // A tile that sticks out of 14 columns is padded.
    %xv = make_tensor_view %x, shape = [%n, 30], strides = [32, 1] : tile<i32> -> tensor_view<?x30xf4E2M1FN, strides=[32,1]>
    %xp = make_partition_view %xv : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x30xf4E2M1FN, strides=[32,1]>>
    %a, %t0 = load_view_tko weak %xp[%zero, %zero] : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x30xf4E2M1FN, strides=[32,1]>>, tile<i32> -> tile<16x32xf4E2M1FN>, token
    %b = ftof %a : tile<16x32xf4E2M1FN> -> tile<16x32xf32>
    %wv = make_tensor_view %wide, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %wp = make_partition_view %wv : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %t1 = store_view_tko weak %b, %wp[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> token

    %sv = make_tensor_view %s, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %sp = make_partition_view %sv : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %c, %t2 = load_view_tko weak %sp[%zero, %zero] : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> tile<16x32xf32>, token
    %e = ftof %c : tile<16x32xf32> -> tile<16x32xf4E2M1FN>
    %nv = make_tensor_view %narrow, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf4E2M1FN, strides=[32,1]>
    %np = make_partition_view %nv : partition_view<tile=(16x32), tensor_view<16x32xf4E2M1FN, strides=[32,1]>>
    %t3 = store_view_tko weak %e, %np[%zero, %zero] : tile<16x32xf4E2M1FN>, partition_view<tile=(16x32), tensor_view<16x32xf4E2M1FN, strides=[32,1]>>, tile<i32> -> token
    // The same, tile by tile, through a transposed view: adjacent elements in memory are rows of the tile.
    %tv = make_tensor_view %turned, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf4E2M1FN, strides=[32,1]>
    %tp = make_partition_view %tv : partition_view<tile=(32x16), tensor_view<16x32xf4E2M1FN, strides=[32,1]>, dim_map=[1, 0]>
    %f = permute %e [1, 0] : tile<16x32xf4E2M1FN> -> tile<32x16xf4E2M1FN>
    %t4 = store_view_tko weak %f, %tp[%zero, %zero] : tile<32x16xf4E2M1FN>, partition_view<tile=(32x16), tensor_view<16x32xf4E2M1FN, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> token

    %dv = make_tensor_view %d, shape = [64], strides = [1] : tensor_view<64xf64, strides=[1]>
    %dp = make_partition_view %dv : partition_view<tile=(64), tensor_view<64xf64, strides=[1]>>
    %g, %t5 = load_view_tko weak %dp[%zero] : partition_view<tile=(64), tensor_view<64xf64, strides=[1]>>, tile<i32> -> tile<64xf64>, token
    %h = ftof %g : tile<64xf64> -> tile<64xf4E2M1FN>
    %ov = make_tensor_view %double, shape = [64], strides = [1] : tensor_view<64xf4E2M1FN, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>
    %t6 = store_view_tko weak %h, %op[%zero] : tile<64xf4E2M1FN>, partition_view<tile=(64), tensor_view<64xf4E2M1FN, strides=[1]>>, tile<i32> -> token

    // Pieces and bytes.
    %i = extract %e[%one, %one] : tile<16x32xf4E2M1FN> -> tile<8x16xf4E2M1FN>
    %j = reshape %i : tile<8x16xf4E2M1FN> -> tile<128xf4E2M1FN>
    %k = pack %j : tile<128xf4E2M1FN> -> tile<64xi8>
    %l = unpack %k : tile<64xi8> -> tile<128xf4E2M1FN>
    %m = ftof %l : tile<128xf4E2M1FN> -> tile<128xf32>
    %pv = make_tensor_view %part, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %pp = make_partition_view %pv : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>
    %t7 = store_view_tko weak %m, %pp[%zero] : tile<128xf32>, partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
