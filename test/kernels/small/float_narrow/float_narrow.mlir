// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One rounding, to nearest even: f32 and f64 to tf32, f64 to f8E4M3FN; through f32 a second one would go wrong.
cuda_tile.module @kernels {
  entry @float_narrow(%x: tile<ptr<f32>>, %d: tile<ptr<f64>>, %single: tile<ptr<tf32>>, %double: tile<ptr<tf32>>, %byte: tile<ptr<f8E4M3FN>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [128], strides = [1] : tensor_view<128xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(128), tensor_view<128xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %b = ftof %a : tile<128xf32> -> tile<128xtf32>
    %bv = make_tensor_view %single, shape = [128], strides = [1] : tensor_view<128xtf32, strides=[1]>
    %bp = make_partition_view %bv : partition_view<tile=(128), tensor_view<128xtf32, strides=[1]>>
    %t1 = store_view_tko weak %b, %bp[%zero] : tile<128xtf32>, partition_view<tile=(128), tensor_view<128xtf32, strides=[1]>>, tile<i32> -> token
    %dv = make_tensor_view %d, shape = [128], strides = [1] : tensor_view<128xf64, strides=[1]>
    %dp = make_partition_view %dv : partition_view<tile=(128), tensor_view<128xf64, strides=[1]>>
    %e, %t2 = load_view_tko weak %dp[%zero] : partition_view<tile=(128), tensor_view<128xf64, strides=[1]>>, tile<i32> -> tile<128xf64>, token
    %f = ftof %e : tile<128xf64> -> tile<128xtf32>
    %fv = make_tensor_view %double, shape = [128], strides = [1] : tensor_view<128xtf32, strides=[1]>
    %fp = make_partition_view %fv : partition_view<tile=(128), tensor_view<128xtf32, strides=[1]>>
    %t3 = store_view_tko weak %f, %fp[%zero] : tile<128xtf32>, partition_view<tile=(128), tensor_view<128xtf32, strides=[1]>>, tile<i32> -> token
    %g = ftof %e : tile<128xf64> -> tile<128xf8E4M3FN>
    %gv = make_tensor_view %byte, shape = [128], strides = [1] : tensor_view<128xf8E4M3FN, strides=[1]>
    %gp = make_partition_view %gv : partition_view<tile=(128), tensor_view<128xf8E4M3FN, strides=[1]>>
    %t4 = store_view_tko weak %g, %gp[%zero] : tile<128xf8E4M3FN>, partition_view<tile=(128), tensor_view<128xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    return
  }
}
