// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots whose operands have a scale for every block of 16 or 32 elements, one of them batched.
cuda_tile.module @kernels {
  entry @scaled_product(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %sa: tile<ptr<f8E8M0FNU>>, %sb: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %d: tile<ptr<f32>>, %e: tile<ptr<f4E2M1FN>>, %f: tile<ptr<f4E2M1FN>>, %se: tile<ptr<f8E4M3FN>>, %sf: tile<ptr<f8E4M3FN>>, %g: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %a, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf8E4M3FN, strides=[64,1]>
    %xp = make_partition_view %xv : partition_view<tile=(32x64), tensor_view<32x64xf8E4M3FN, strides=[64,1]>>
    %x, %tx = load_view_tko weak %xp[%zero, %zero] : partition_view<tile=(32x64), tensor_view<32x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<32x64xf8E4M3FN>, token
    %yv = make_tensor_view %b, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf8E4M3FN, strides=[16,1]>
    %yp = make_partition_view %yv : partition_view<tile=(64x16), tensor_view<64x16xf8E4M3FN, strides=[16,1]>>
    %y, %ty = load_view_tko weak %yp[%zero, %zero] : partition_view<tile=(64x16), tensor_view<64x16xf8E4M3FN, strides=[16,1]>>, tile<i32> -> tile<64x16xf8E4M3FN>, token
    %sxv = make_tensor_view %sa, shape = [32, 2], strides = [2, 1] : tensor_view<32x2xf8E8M0FNU, strides=[2,1]>
    %sxp = make_partition_view %sxv : partition_view<tile=(32x2), tensor_view<32x2xf8E8M0FNU, strides=[2,1]>>
    %sx, %tsx = load_view_tko weak %sxp[%zero, %zero] : partition_view<tile=(32x2), tensor_view<32x2xf8E8M0FNU, strides=[2,1]>>, tile<i32> -> tile<32x2xf8E8M0FNU>, token
    %syv = make_tensor_view %sb, shape = [2, 16], strides = [16, 1] : tensor_view<2x16xf8E8M0FNU, strides=[16,1]>
    %syp = make_partition_view %syv : partition_view<tile=(2x16), tensor_view<2x16xf8E8M0FNU, strides=[16,1]>>
    %sy, %tsy = load_view_tko weak %syp[%zero, %zero] : partition_view<tile=(2x16), tensor_view<2x16xf8E8M0FNU, strides=[16,1]>>, tile<i32> -> tile<2x16xf8E8M0FNU>, token
    %zv = make_tensor_view %c, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16,1]>
    %zp = make_partition_view %zv : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>
    %z, %tz = load_view_tko weak %zp[%zero, %zero] : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>, tile<i32> -> tile<32x16xf32>, token
    %r = mmaf_scaled %x, %y, %z, %sx, %sy : tile<32x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<32x16xf32>, tile<32x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    %ov = make_tensor_view %d, shape = [32, 16], strides = [16, 1] : tensor_view<32x16xf32, strides=[16,1]>
    %op = make_partition_view %ov : partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>
    %to = store_view_tko weak %r, %op[%zero, %zero] : tile<32x16xf32>, partition_view<tile=(32x16), tensor_view<32x16xf32, strides=[16,1]>>, tile<i32> -> token
    %uv = make_tensor_view %e, shape = [2, 16, 32], strides = [512, 32, 1] : tensor_view<2x16x32xf4E2M1FN, strides=[512,32,1]>
    %up = make_partition_view %uv : partition_view<tile=(2x16x32), tensor_view<2x16x32xf4E2M1FN, strides=[512,32,1]>>
    %u, %tu = load_view_tko weak %up[%zero, %zero, %zero] : partition_view<tile=(2x16x32), tensor_view<2x16x32xf4E2M1FN, strides=[512,32,1]>>, tile<i32> -> tile<2x16x32xf4E2M1FN>, token
    %wv = make_tensor_view %f, shape = [2, 32, 16], strides = [512, 16, 1] : tensor_view<2x32x16xf4E2M1FN, strides=[512,16,1]>
    %wp = make_partition_view %wv : partition_view<tile=(2x32x16), tensor_view<2x32x16xf4E2M1FN, strides=[512,16,1]>>
    %w, %tw = load_view_tko weak %wp[%zero, %zero, %zero] : partition_view<tile=(2x32x16), tensor_view<2x32x16xf4E2M1FN, strides=[512,16,1]>>, tile<i32> -> tile<2x32x16xf4E2M1FN>, token
    %suv = make_tensor_view %se, shape = [2, 16, 2], strides = [32, 2, 1] : tensor_view<2x16x2xf8E4M3FN, strides=[32,2,1]>
    %sup = make_partition_view %suv : partition_view<tile=(2x16x2), tensor_view<2x16x2xf8E4M3FN, strides=[32,2,1]>>
    %su, %tsu = load_view_tko weak %sup[%zero, %zero, %zero] : partition_view<tile=(2x16x2), tensor_view<2x16x2xf8E4M3FN, strides=[32,2,1]>>, tile<i32> -> tile<2x16x2xf8E4M3FN>, token
    %swv = make_tensor_view %sf, shape = [2, 2, 16], strides = [32, 16, 1] : tensor_view<2x2x16xf8E4M3FN, strides=[32,16,1]>
    %swp = make_partition_view %swv : partition_view<tile=(2x2x16), tensor_view<2x2x16xf8E4M3FN, strides=[32,16,1]>>
    %sw, %tsw = load_view_tko weak %swp[%zero, %zero, %zero] : partition_view<tile=(2x2x16), tensor_view<2x2x16xf8E4M3FN, strides=[32,16,1]>>, tile<i32> -> tile<2x2x16xf8E4M3FN>, token
    %none = constant <f32: 0.0> : tile<2x16x16xf32>
    %q = mmaf_scaled %u, %w, %none, %su, %sw : tile<2x16x32xf4E2M1FN>, tile<2x32x16xf4E2M1FN>, tile<2x16x16xf32>, tile<2x16x2xf8E4M3FN>, tile<2x2x16xf8E4M3FN>
    %pv = make_tensor_view %g, shape = [2, 16, 16], strides = [256, 16, 1] : tensor_view<2x16x16xf32, strides=[256,16,1]>
    %pp = make_partition_view %pv : partition_view<tile=(2x16x16), tensor_view<2x16x16xf32, strides=[256,16,1]>>
    %tp = store_view_tko weak %q, %pp[%zero, %zero, %zero] : tile<2x16x16xf32>, partition_view<tile=(2x16x16), tensor_view<2x16x16xf32, strides=[256,16,1]>>, tile<i32> -> token
    return
  }
}
