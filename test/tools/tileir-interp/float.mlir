// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-interp %s | FileCheck %s

cuda_tile.module @m {
  entry @float() {
    %a = constant <f32: [1.0, -1.5, 0x7FC00000, 0x00000001]> : tile<4xf32>
    %b = constant <f32: [3.0, 0.5, 2.0, 1.0]> : tile<4xf32>

    // CHECK: absf [0x3f800000, 0x3fc00000, 0x7fc00000, 0x1]
    %absf = absf %a : tile<4xf32>
    print_tko "absf %#x\0A", %absf : tile<4xf32> -> token
    // CHECK-NEXT: negf [0xbf800000, 0x3fc00000, 0xffc00000, 0x80000001]
    %negf = negf %a : tile<4xf32>
    print_tko "negf %#x\0A", %negf : tile<4xf32> -> token
    // CHECK-NEXT: ceil [1, -1, nan, 1] floor [1, -2, nan, 0]
    %ceil = ceil %a : tile<4xf32>
    %floor = floor %a : tile<4xf32>
    print_tko "ceil %g floor %g\0A", %ceil, %floor : tile<4xf32>, tile<4xf32> -> token

    // A subnormal operand is flushed, the sum of one and a subnormal rounds by mode.
    // CHECK-NEXT: addf [0x40800000, 0xbf800000, 0x7fc00000, 0x3f800001]
    %addf = addf %a, %b rounding<positive_inf> : tile<4xf32>
    print_tko "addf %#x\0A", %addf : tile<4xf32> -> token
    // CHECK-NEXT: flushed [0x40800000, 0xbf800000, 0x7fc00000, 0x3f800000]
    %flushed = addf %a, %b rounding<positive_inf> flush_to_zero : tile<4xf32>
    print_tko "flushed %#x\0A", %flushed : tile<4xf32> -> token
    // Flushing goes by the exact product: what is rounded up to the least normal number is zero.
    %below = constant <f32: [0x3F7FFFFF, 0xBF7FFFFF, 1.0, 0x3F7FFFFE]> : tile<4xf32>
    %least = constant <f32: [0x00800000, 0x00800000, 0x00800000, 0x00800001]> : tile<4xf32>
    %nought = constant <f32: -0.0> : tile<4xf32>
    // CHECK-NEXT: mulf [0x800000, 0x80800000, 0x800000, 0x800000]
    %mulf = mulf %below, %least : tile<4xf32>
    print_tko "mulf %#x\0A", %mulf : tile<4xf32> -> token
    // CHECK-NEXT: flushed [0, 0x80000000, 0x800000, 0] up [0, 0x80000000, 0x800000, 0] fma [0, 0x80000000, 0x800000, 0]
    %tiny = mulf %below, %least flush_to_zero : tile<4xf32>
    %raised = mulf %below, %least rounding<positive_inf> flush_to_zero : tile<4xf32>
    %tiny_fma = fma %below, %least, %nought flush_to_zero : tile<4xf32>
    print_tko "flushed %#x up %#x fma %#x\0A", %tiny, %raised, %tiny_fma : tile<4xf32>, tile<4xf32>, tile<4xf32> -> token
    // CHECK-NEXT: subf [0xc0000000, 0xc0000000, 0x7fc00000, 0xbf7fffff]
    %subf = subf %a, %b rounding<zero> : tile<4xf32>
    print_tko "subf %#x\0A", %subf : tile<4xf32> -> token
    // CHECK-NEXT: divf [0x3eaaaaaa, 0xc0400000, 0x7fc00000, 0x1]
    %divf = divf %a, %b rounding<negative_inf> : tile<4xf32>
    print_tko "divf %#x\0A", %divf : tile<4xf32> -> token
    // CHECK-NEXT: remf [1, -0, nan, 1.4013e-45]
    %remf = remf %a, %b : tile<4xf32>
    print_tko "remf %g\0A", %remf : tile<4xf32> -> token
    // CHECK-NEXT: maxf [3, 0.5, 2, 1] [3, 0.5, nan, 1]
    %maxf = maxf %a, %b : tile<4xf32>
    %maxfn = maxf %a, %b propagate_nan : tile<4xf32>
    print_tko "maxf %g %g\0A", %maxf, %maxfn : tile<4xf32>, tile<4xf32> -> token
    // CHECK-NEXT: minf [1, -1.5, 2, 1.4013e-45]
    %minf = minf %a, %b : tile<4xf32>
    print_tko "minf %g\0A", %minf : tile<4xf32> -> token

    // One rounding: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, which two roundings lose.
    // CHECK-NEXT: fma 5.96046e-08
    %c = constant <f32: 1.000244140625> : tile<f32>
    %d = constant <f32: -1.00048828125> : tile<f32>
    %fma = fma %c, %c, %d rounding<nearest_even> : tile<f32>
    print_tko "fma %g\0A", %fma : tile<f32> -> token

    // Directed square roots bracket the irrational one.
    // CHECK-NEXT: sqrt 0x3fb504f3 0x3fb504f3 0x3fb504f4
    %two = constant <f32: 2.0> : tile<f32>
    %near = sqrt %two : tile<f32>
    %down = sqrt %two rounding<negative_inf> : tile<f32>
    %up = sqrt %two rounding<positive_inf> : tile<f32>
    print_tko "sqrt %#x %#x %#x\0A", %near, %down, %up : tile<f32>, tile<f32>, tile<f32> -> token
    // CHECK-NEXT: functions 7.38906 4 0.693147 1 0.707107 0.909297 -0.416147 -2.18504 3.62686 3.7622 0.964028 4 0.785398
    %exp = exp %two : tile<f32>
    %exp2 = exp2 %two : tile<f32>
    %log = log %two : tile<f32>
    %log2 = log2 %two : tile<f32>
    %rsqrt = rsqrt %two : tile<f32>
    %sin = sin %two : tile<f32>
    %cos = cos %two : tile<f32>
    %tan = tan %two : tile<f32>
    %sinh = sinh %two : tile<f32>
    %cosh = cosh %two : tile<f32>
    %tanh = tanh %two : tile<f32>
    %pow = pow %two, %two : tile<f32>
    %atan2 = atan2 %two, %two : tile<f32>
    print_tko "functions %g %g %g %g %g %g %g %g %g %g %g %g %g\0A", %exp, %exp2, %log, %log2, %rsqrt, %sin, %cos, %tan, %sinh, %cosh, %tanh, %pow, %atan2 : tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32>, tile<f32> -> token

    // NaN: ordered false, unordered true.
    // CHECK-NEXT: cmpf [1, 1, 0, 1] [1, 1, 1, 1]
    %ordered = cmpf less_than ordered %a, %b : tile<4xf32> -> tile<4xi1>
    %unordered = cmpf less_than unordered %a, %b : tile<4xf32> -> tile<4xi1>
    print_tko "cmpf %d %d\0A", %ordered, %unordered : tile<4xi1>, tile<4xi1> -> token
    return
  }
}
