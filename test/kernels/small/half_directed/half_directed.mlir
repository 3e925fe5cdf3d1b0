// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of f16 that f32 cannot hold, rounded once in each direction.
cuda_tile.module @kernels {
  entry @half_directed(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %down: tile<ptr<f16>>, %up: tile<ptr<f16>>, %cut: tile<ptr<f16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>
    %a, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>, tile<i32> -> tile<64xf16>, token
    %yv = make_tensor_view %y, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>
    %b, %t1 = load_view_tko weak %yp[%zero] : partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>, tile<i32> -> tile<64xf16>, token
    %c = addf %a, %b rounding<negative_inf> : tile<64xf16>
    %d = addf %a, %b rounding<positive_inf> : tile<64xf16>
    %e = addf %a, %b rounding<zero> : tile<64xf16>
    %cv = make_tensor_view %down, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %cp = make_partition_view %cv : partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>
    %t2 = store_view_tko weak %c, %cp[%zero] : tile<64xf16>, partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>, tile<i32> -> token
    %dv = make_tensor_view %up, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %dp = make_partition_view %dv : partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>
    %t3 = store_view_tko weak %d, %dp[%zero] : tile<64xf16>, partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>, tile<i32> -> token
    %ev = make_tensor_view %cut, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %ep = make_partition_view %ev : partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>
    %t4 = store_view_tko weak %e, %ep[%zero] : tile<64xf16>, partition_view<tile=(64), tensor_view<64xf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
