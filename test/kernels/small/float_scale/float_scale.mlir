// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To f8E8M0FNU, down and up, from formats wider and narrower.
cuda_tile.module @kernels {
  entry @float_scale(%x: tile<ptr<f32>>, %d: tile<ptr<f64>>, %down: tile<ptr<f8E8M0FNU>>, %up: tile<ptr<f8E8M0FNU>>, %wide: tile<ptr<f8E8M0FNU>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(64), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token
    %b = ftof %a rounding<zero> : tile<64xf32> -> tile<64xf8E8M0FNU>
    %c = ftof %a rounding<positive_inf> : tile<64xf32> -> tile<64xf8E8M0FNU>
    %bv = make_tensor_view %down, shape = [64], strides = [1] : tensor_view<64xf8E8M0FNU, strides=[1]>
    %bp = make_partition_view %bv : partition_view<tile=(64), tensor_view<64xf8E8M0FNU, strides=[1]>>
    %t1 = store_view_tko weak %b, %bp[%zero] : tile<64xf8E8M0FNU>, partition_view<tile=(64), tensor_view<64xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    %cv = make_tensor_view %up, shape = [64], strides = [1] : tensor_view<64xf8E8M0FNU, strides=[1]>
    %cp = make_partition_view %cv : partition_view<tile=(64), tensor_view<64xf8E8M0FNU, strides=[1]>>
    %t2 = store_view_tko weak %c, %cp[%zero] : tile<64xf8E8M0FNU>, partition_view<tile=(64), tensor_view<64xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    %dv = make_tensor_view %d, shape = [64], strides = [1] : tensor_view<64xf64, strides=[1]>
    %dp = make_partition_view %dv : partition_view<tile=(64), tensor_view<64xf64, strides=[1]>>
    %e, %t3 = load_view_tko weak %dp[%zero] : partition_view<tile=(64), tensor_view<64xf64, strides=[1]>>, tile<i32> -> tile<64xf64>, token
    %f = ftof %e rounding<positive_inf> : tile<64xf64> -> tile<64xf8E8M0FNU>
    %wv = make_tensor_view %wide, shape = [64], strides = [1] : tensor_view<64xf8E8M0FNU, strides=[1]>
    %wp = make_partition_view %wv : partition_view<tile=(64), tensor_view<64xf8E8M0FNU, strides=[1]>>
    %t4 = store_view_tko weak %f, %wp[%zero] : tile<64xf8E8M0FNU>, partition_view<tile=(64), tensor_view<64xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    return
  }
}
