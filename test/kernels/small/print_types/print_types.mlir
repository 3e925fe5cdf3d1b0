// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of every element type: what the conversion says decides about the sign of a narrow integer.
cuda_tile.module @kernels {
  entry @print_types(%x: tile<ptr<i32>>, %f: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %t0 = make_token : token
    %xv = make_tensor_view %x, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %i, %ti = load_view_tko weak %xp[%c0] : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %fv = make_tensor_view %f, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1]>
    %fp = make_partition_view %fv : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>
    %g, %tg = load_view_tko weak %fp[%c0] : partition_view<tile=(8), tensor_view<8xf32, strides=[1]>>, tile<i32> -> tile<8xf32>, token
    %i1 = trunci %i : tile<8xi32> -> tile<8xi1>
    %i4 = trunci %i : tile<8xi32> -> tile<8xi4>
    %i8 = trunci %i : tile<8xi32> -> tile<8xi8>
    %i16 = trunci %i : tile<8xi32> -> tile<8xi16>
    %i64 = exti %i signed : tile<8xi32> -> tile<8xi64>
    %f16 = ftof %g : tile<8xf32> -> tile<8xf16>
    %bf16 = ftof %g : tile<8xf32> -> tile<8xbf16>
    %tf32 = ftof %g : tile<8xf32> -> tile<8xtf32>
    %f64 = ftof %g : tile<8xf32> -> tile<8xf64>
    %e4m3 = ftof %g : tile<8xf32> -> tile<8xf8E4M3FN>
    %e5m2 = ftof %g : tile<8xf32> -> tile<8xf8E5M2>
    %e8m0 = ftof %g rounding<zero> : tile<8xf32> -> tile<8xf8E8M0FNU>
    %e2m1 = ftof %g : tile<8xf32> -> tile<8xf4E2M1FN>
    %t1 = print_tko "i1 %d %u %x\0A", %i1, %i1, %i1 token=%t0 : tile<8xi1>, tile<8xi1>, tile<8xi1> -> token
    %t2 = print_tko "i4 %d %u %x\0A", %i4, %i4, %i4 token=%t1 : tile<8xi4>, tile<8xi4>, tile<8xi4> -> token
    %t3 = print_tko "i8 %d %u %x\0A", %i8, %i8, %i8 token=%t2 : tile<8xi8>, tile<8xi8>, tile<8xi8> -> token
    %t4 = print_tko "i16 %d %u %x\0A", %i16, %i16, %i16 token=%t3 : tile<8xi16>, tile<8xi16>, tile<8xi16> -> token
    %t5 = print_tko "i32 %d %u %x\0A", %i, %i, %i token=%t4 : tile<8xi32>, tile<8xi32>, tile<8xi32> -> token
    %t6 = print_tko "i64 %lld %llu %llx\0A", %i64, %i64, %i64 token=%t5 : tile<8xi64>, tile<8xi64>, tile<8xi64> -> token
    %t7 = print_tko "short %ld %d %hhu\0A", %i, %i64, %i8 token=%t6 : tile<8xi32>, tile<8xi64>, tile<8xi8> -> token
    %t8 = print_tko "f16 %g %.3e %8.2f\0A", %f16, %f16, %f16 token=%t7 : tile<8xf16>, tile<8xf16>, tile<8xf16> -> token
    %t9 = print_tko "bf16 %g %.3e %8.2f\0A", %bf16, %bf16, %bf16 token=%t8 : tile<8xbf16>, tile<8xbf16>, tile<8xbf16> -> token
    %t10 = print_tko "tf32 %g %.3e %8.2f\0A", %tf32, %tf32, %tf32 token=%t9 : tile<8xtf32>, tile<8xtf32>, tile<8xtf32> -> token
    %t11 = print_tko "f32 %g %.3e %8.2f\0A", %g, %g, %g token=%t10 : tile<8xf32>, tile<8xf32>, tile<8xf32> -> token
    %t12 = print_tko "f64 %g %.3e %8.2f\0A", %f64, %f64, %f64 token=%t11 : tile<8xf64>, tile<8xf64>, tile<8xf64> -> token
    %t13 = print_tko "f8E4M3FN %g %.3e %8.2f\0A", %e4m3, %e4m3, %e4m3 token=%t12 : tile<8xf8E4M3FN>, tile<8xf8E4M3FN>, tile<8xf8E4M3FN> -> token
    %t14 = print_tko "f8E5M2 %g %.3e %8.2f\0A", %e5m2, %e5m2, %e5m2 token=%t13 : tile<8xf8E5M2>, tile<8xf8E5M2>, tile<8xf8E5M2> -> token
    %t15 = print_tko "f8E8M0FNU %g %.3e %8.2f\0A", %e8m0, %e8m0, %e8m0 token=%t14 : tile<8xf8E8M0FNU>, tile<8xf8E8M0FNU>, tile<8xf8E8M0FNU> -> token
    %t16 = print_tko "f4E2M1FN %g %.3e %8.2f\0A", %e2m1, %e2m1, %e2m1 token=%t15 : tile<8xf4E2M1FN>, tile<8xf4E2M1FN>, tile<8xf4E2M1FN> -> token
    %oi8 = extract %i8[%c0] : tile<8xi8> -> tile<1xi8>
    %si8 = reshape %oi8 : tile<1xi8> -> tile<i8>
    %oi16 = extract %i16[%c0] : tile<8xi16> -> tile<1xi16>
    %si16 = reshape %oi16 : tile<1xi16> -> tile<i16>
    %of = extract %e4m3[%c0] : tile<8xf8E4M3FN> -> tile<1xf8E4M3FN>
    %sf = reshape %of : tile<1xf8E4M3FN> -> tile<f8E4M3FN>
    %t17 = print_tko "scalars %u %u %d %d %f\0A", %si8, %si16, %si8, %si16, %sf token=%t16 : tile<i8>, tile<i16>, tile<i8>, tile<i16>, tile<f8E4M3FN> -> token
    return
  }
}
