// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-interp %s | FileCheck %s

cuda_tile.module @m {
  entry @conversions() {
    %x = constant <f32: [1000.0, -3.3, 0x7FC00000, 0x7F800000]> : tile<4xf32>
    // f16 and bf16 round to nearest even or to zero.
    // CHECK: f16 [1000, -3.30078, nan, inf] [1000, -3.29883, nan, inf]
    %f16 = ftof %x : tile<4xf32> -> tile<4xf16>
    %f16z = ftof %x rounding<zero> : tile<4xf32> -> tile<4xf16>
    print_tko "f16 %g %g\0A", %f16, %f16z : tile<4xf16>, tile<4xf16> -> token
    // CHECK-NEXT: bf16 [1000, -3.29688, nan, inf] tf32 [1000, -3.30078, nan, inf]
    %bf16 = ftof %x : tile<4xf32> -> tile<4xbf16>
    %tf32 = ftof %x : tile<4xf32> -> tile<4xtf32>
    print_tko "bf16 %g tf32 %g\0A", %bf16, %tf32 : tile<4xbf16>, tile<4xtf32> -> token
    // The small formats saturate.
    // CHECK-NEXT: f8 [448, -3.25, nan, 448] [1024, -3.5, nan, 57344] f4 [6, -3, 6, 6]
    %e4m3 = ftof %x : tile<4xf32> -> tile<4xf8E4M3FN>
    %e5m2 = ftof %x : tile<4xf32> -> tile<4xf8E5M2>
    %e2m1 = ftof %x : tile<4xf32> -> tile<4xf4E2M1FN>
    print_tko "f8 %g %g f4 %g\0A", %e4m3, %e5m2, %e2m1 : tile<4xf8E4M3FN>, tile<4xf8E5M2>, tile<4xf4E2M1FN> -> token
    // Scales: a negative number becomes the smallest, an infinity the largest.
    // CHECK-NEXT: e8m0 [0x88, 0, 0xff, 0xfe] [0x89, 0, 0xff, 0xfe]
    %down = ftof %x rounding<zero> : tile<4xf32> -> tile<4xf8E8M0FNU>
    %up = ftof %x rounding<positive_inf> : tile<4xf32> -> tile<4xf8E8M0FNU>
    print_tko "e8m0 %#x %#x\0A", %down, %up : tile<4xf8E8M0FNU>, tile<4xf8E8M0FNU> -> token
    // CHECK-NEXT: scale [512, 5.87747e-39, nan, 1.70141e+38]
    %scale = ftof %down : tile<4xf8E8M0FNU> -> tile<4xf32>
    print_tko "scale %g\0A", %scale : tile<4xf32> -> token

    %y = constant <f32: [2.9, -2.9]> : tile<2xf32>
    %i = constant <i32: [-1, 16777217]> : tile<2xi32>
    // CHECK-NEXT: ftoi [2, -2] itof [-1, 16777216] [4294967296, 16777216]
    %ftoi = ftoi %y signed : tile<2xf32> -> tile<2xi16>
    %sitof = itof %i signed : tile<2xi32> -> tile<2xf32>
    %uitof = itof %i unsigned : tile<2xi32> -> tile<2xf32>
    print_tko "ftoi %d itof %.0f %.0f\0A", %ftoi, %sitof, %uitof : tile<2xi16>, tile<2xf32>, tile<2xf32> -> token
    // CHECK-NEXT: bits [0x4039999a, 0xc039999a] wide [-1, 16777217] [4294967295, 16777217] narrow [-1, 1]
    %bits = bitcast %y : tile<2xf32> -> tile<2xi32>
    %sext = exti %i signed : tile<2xi32> -> tile<2xi64>
    %zext = exti %i unsigned : tile<2xi32> -> tile<2xi64>
    %trunc = trunci %i : tile<2xi32> -> tile<2xi8>
    print_tko "bits %#x wide %d %d narrow %d\0A", %bits, %sext, %zext, %trunc : tile<2xi32>, tile<2xi64>, tile<2xi64>, tile<2xi8> -> token
    // Two elements of four bits share a byte, the first in the low bits.
    // CHECK-NEXT: pack [18, 172] unpack [2, 1, -4, -6]
    %nibbles = constant <f4E2M1FN: [1.0, 0.5, -2.0, -1.0]> : tile<4xf4E2M1FN>
    %packed = pack %nibbles : tile<4xf4E2M1FN> -> tile<2xi8>
    %unpacked = unpack %packed : tile<2xi8> -> tile<4xi4>
    %wide = exti %unpacked signed : tile<4xi4> -> tile<4xi8>
    print_tko "pack %u unpack %d\0A", %packed, %wide : tile<2xi8>, tile<4xi8> -> token
    %ftoi32 = constant <i32: [-2, 3]> : tile<2xi32>
    %pointers = int_to_ptr %sext : tile<2xi64> -> tile<2xptr<i8>>
    %others = ptr_to_ptr %pointers : tile<2xptr<i8>> -> tile<2xptr<f64>>
    %moved = offset %others, %ftoi32 : tile<2xptr<f64>>, tile<2xi32> -> tile<2xptr<f64>>
    %back = ptr_to_int %moved : tile<2xptr<f64>> -> tile<2xi64>
    // CHECK-NEXT: pointers [-17, 16777241]
    print_tko "pointers %d\0A", %back : tile<2xi64> -> token
    return
  }
}
