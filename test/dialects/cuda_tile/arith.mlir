// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip | FileCheck %s

// Floating point.
// CHECK-LABEL: cuda_tile.testing$func @float_arithmetic(
cuda_tile.testing$func @float_arithmetic(%x: tile<16xf32>, %y: tile<16xf32>, %z: tile<16xf32>, %h: tile<8xf16>) {
  // CHECK: %{{.*}} = absf %{{.*}} : tile<16xf32>
  %0 = absf %x : tile<16xf32>
  // CHECK: %{{.*}} = negf %{{.*}} : tile<16xf32>
  %1 = negf %x : tile<16xf32>
  // CHECK: %{{.*}} = ceil %{{.*}} : tile<16xf32>
  %2 = ceil %x : tile<16xf32>
  // CHECK: %{{.*}} = floor %{{.*}} : tile<8xf16>
  %3 = floor %h : tile<8xf16>
  // CHECK: %{{.*}} = addf %{{.*}}, %{{.*}} : tile<16xf32>
  %4 = addf %x, %y : tile<16xf32>
  // CHECK: %{{.*}} = addf %{{.*}}, %{{.*}} rounding<zero> flush_to_zero : tile<16xf32>
  %5 = addf %x, %y rounding<zero> flush_to_zero : tile<16xf32>
  // CHECK: %{{.*}} = subf %{{.*}}, %{{.*}} rounding<negative_inf> : tile<16xf32>
  %6 = subf %x, %y rounding<negative_inf> : tile<16xf32>
  // CHECK: %{{.*}} = mulf %{{.*}}, %{{.*}} flush_to_zero : tile<16xf32>
  %7 = mulf %x, %y flush_to_zero : tile<16xf32>
  // CHECK: %{{.*}} = divf %{{.*}}, %{{.*}} : tile<16xf32>
  %8 = divf %x, %y : tile<16xf32>
  // CHECK: %{{.*}} = divf %{{.*}}, %{{.*}} rounding<approx> : tile<16xf32>
  %9 = divf %x, %y rounding<approx> : tile<16xf32>
  // CHECK: %{{.*}} = divf %{{.*}}, %{{.*}} rounding<full> flush_to_zero : tile<16xf32>
  %10 = divf %x, %y rounding<full> flush_to_zero : tile<16xf32>
  // CHECK: %{{.*}} = fma %{{.*}}, %{{.*}}, %{{.*}} rounding<positive_inf> : tile<16xf32>
  %11 = fma %x, %y, %z rounding<positive_inf> : tile<16xf32>
  // CHECK: %{{.*}} = remf %{{.*}}, %{{.*}} : tile<16xf32>
  %12 = remf %x, %y : tile<16xf32>
  // CHECK: %{{.*}} = maxf %{{.*}}, %{{.*}} flush_to_zero propagate_nan : tile<16xf32>
  %13 = maxf %x, %y flush_to_zero propagate_nan : tile<16xf32>
  // CHECK: %{{.*}} = maxf %{{.*}}, %{{.*}} flush_to_zero propagate_nan : tile<16xf32>
  %14 = maxf %x, %y propagate_nan flush_to_zero : tile<16xf32>
  // CHECK: %{{.*}} = minf %{{.*}}, %{{.*}} propagate_nan : tile<16xf32>
  %15 = minf %x, %y propagate_nan : tile<16xf32>
  // CHECK: %{{.*}} = minf %{{.*}}, %{{.*}} : tile<16xf32>
  %16 = minf %x, %y : tile<16xf32>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @float_functions(
cuda_tile.testing$func @float_functions(%x: tile<32xf32>, %y: tile<32xf32>, %d: tile<f64>, %h: tile<32xf16>) {
  // CHECK: %{{.*}} = exp %{{.*}} rounding<approx> : tile<32xf32>
  %0 = exp %x rounding<approx> : tile<32xf32>
  // CHECK: %{{.*}} = exp %{{.*}} : tile<32xf16>
  %1 = exp %h : tile<32xf16>
  // CHECK: %{{.*}} = exp2 %{{.*}} flush_to_zero : tile<32xf32>
  %2 = exp2 %x flush_to_zero : tile<32xf32>
  // CHECK: %{{.*}} = tanh %{{.*}} : tile<32xf16>
  %3 = tanh %h : tile<32xf16>
  // CHECK: %{{.*}} = tanh %{{.*}} rounding<approx> : tile<32xf32>
  %4 = tanh %x rounding<approx> : tile<32xf32>
  // CHECK: %{{.*}} = sqrt %{{.*}} rounding<negative_inf> : tile<f64>
  %5 = sqrt %d rounding<negative_inf> : tile<f64>
  // CHECK: %{{.*}} = sqrt %{{.*}} rounding<approx> flush_to_zero : tile<32xf32>
  %6 = sqrt %x rounding<approx> flush_to_zero : tile<32xf32>
  // CHECK: %{{.*}} = rsqrt %{{.*}} : tile<32xf32>
  %7 = rsqrt %x : tile<32xf32>
  // CHECK: %{{.*}} = pow %{{.*}}, %{{.*}} : tile<32xf32>
  %8 = pow %x, %y : tile<32xf32>
  // CHECK: %{{.*}} = pow %{{.*}}, %{{.*}} : tile<32xf32>
  %9 = fpowf %x, %y : tile<32xf32>
  // CHECK: %{{.*}} = atan2 %{{.*}}, %{{.*}} : tile<32xf32>
  %10 = atan2 %y, %x : tile<32xf32>
  // CHECK: %{{.*}} = sin %{{.*}} : tile<32xf32>
  %11 = sin %x : tile<32xf32>
  // CHECK: %{{.*}} = cos %{{.*}} : tile<32xf32>
  %12 = cos %x : tile<32xf32>
  // CHECK: %{{.*}} = tan %{{.*}} : tile<32xf32>
  %13 = tan %x : tile<32xf32>
  // CHECK: %{{.*}} = sinh %{{.*}} : tile<32xf32>
  %14 = sinh %x : tile<32xf32>
  // CHECK: %{{.*}} = cosh %{{.*}} : tile<32xf32>
  %15 = cosh %x : tile<32xf32>
  // CHECK: %{{.*}} = log %{{.*}} : tile<32xf32>
  %16 = log %x : tile<32xf32>
  // CHECK: %{{.*}} = log2 %{{.*}} : tile<f64>
  %17 = log2 %d : tile<f64>
  return
}

// Integers.
// CHECK-LABEL: cuda_tile.testing$func @integers(
cuda_tile.testing$func @integers(%i: tile<64xi32>, %j: tile<64xi32>, %b: tile<i1>) {
  // CHECK: %{{.*}} = absi %{{.*}} : tile<64xi32>
  %0 = absi %i : tile<64xi32>
  // CHECK: %{{.*}} = negi %{{.*}} overflow<no_signed_wrap> : tile<64xi32>
  %1 = negi %i overflow<no_signed_wrap> : tile<64xi32>
  // CHECK: %{{.*}} = negi %{{.*}} : tile<64xi32>
  %2 = negi %i : tile<64xi32>
  // CHECK: %{{.*}} = addi %{{.*}}, %{{.*}} overflow<no_wrap> : tile<64xi32>
  %3 = addi %i, %j overflow<no_wrap> : tile<64xi32>
  // CHECK: %{{.*}} = subi %{{.*}}, %{{.*}} : tile<64xi32>
  %4 = subi %i, %j : tile<64xi32>
  // CHECK: %{{.*}} = muli %{{.*}}, %{{.*}} overflow<no_unsigned_wrap> : tile<64xi32>
  %5 = muli %i, %j overflow<no_unsigned_wrap> : tile<64xi32>
  // CHECK: %{{.*}} = shli %{{.*}}, %{{.*}} : tile<64xi32>
  %6 = shli %i, %j : tile<64xi32>
  // CHECK: %{{.*}} = shri %{{.*}}, %{{.*}} unsigned : tile<64xi32>
  %7 = shri %i, %j unsigned : tile<64xi32>
  // CHECK: %{{.*}} = maxi %{{.*}}, %{{.*}} signed : tile<64xi32>
  %8 = maxi %i, %j signed : tile<64xi32>
  // CHECK: %{{.*}} = mini %{{.*}}, %{{.*}} unsigned : tile<64xi32>
  %9 = mini %i, %j unsigned : tile<64xi32>
  // CHECK: %{{.*}} = remi %{{.*}}, %{{.*}} signed : tile<64xi32>
  %10 = remi %i, %j signed : tile<64xi32>
  // CHECK: %{{.*}} = divi %{{.*}}, %{{.*}} unsigned : tile<64xi32>
  %11 = divi %i, %j unsigned : tile<64xi32>
  // CHECK: %{{.*}} = divi %{{.*}}, %{{.*}} signed rounding<negative_inf> : tile<64xi32>
  %12 = divi %i, %j signed rounding<negative_inf> : tile<64xi32>
  // CHECK: %{{.*}} = mulhii %{{.*}}, %{{.*}} : tile<64xi32>
  %13 = mulhii %i, %j : tile<64xi32>
  // CHECK: %{{.*}} = andi %{{.*}}, %{{.*}} : tile<64xi32>
  %14 = andi %i, %j : tile<64xi32>
  // CHECK: %{{.*}} = ori %{{.*}}, %{{.*}} : tile<64xi32>
  %15 = ori %i, %j : tile<64xi32>
  // CHECK: %{{.*}} = xori %{{.*}}, %{{.*}} : tile<i1>
  %16 = xori %b, %b : tile<i1>
  return
}

// Comparison, selection.
// CHECK-LABEL: cuda_tile.testing$func @comparisons(
cuda_tile.testing$func @comparisons(%x: tile<4x8xf32>, %i: tile<4x8xi32>, %p: tile<4x8xptr<f32>>) {
  // CHECK: %{{.*}} = cmpf less_than ordered %{{.*}}, %{{.*}} : tile<4x8xf32> -> tile<4x8xi1>
  %0 = cmpf less_than ordered %x, %x : tile<4x8xf32> -> tile<4x8xi1>
  // CHECK: %{{.*}} = cmpf not_equal unordered %{{.*}}, %{{.*}} : tile<4x8xf32> -> tile<4x8xi1>
  %1 = cmpf not_equal unordered %x, %x : tile<4x8xf32> -> tile<4x8xi1>
  // CHECK: %{{.*}} = cmpi greater_than_or_equal %{{.*}}, %{{.*}}, unsigned : tile<4x8xi32> -> tile<4x8xi1>
  %2 = cmpi greater_than_or_equal %i, %i, unsigned : tile<4x8xi32> -> tile<4x8xi1>
  // CHECK: %{{.*}} = cmpi equal %{{.*}}, %{{.*}}, signed : tile<4x8xi32> -> tile<4x8xi1>
  %3 = cmpi equal %i, %i, signed : tile<4x8xi32> -> tile<4x8xi1>
  // CHECK: %{{.*}} = select %{{.*}}, %{{.*}}, %{{.*}} : tile<4x8xi1>, tile<4x8xf32>
  %4 = select %0, %x, %x : tile<4x8xi1>, tile<4x8xf32>
  // CHECK: %{{.*}} = select %{{.*}}, %{{.*}}, %{{.*}} : tile<4x8xi1>, tile<4x8xptr<f32>>
  %5 = select %2, %p, %p : tile<4x8xi1>, tile<4x8xptr<f32>>
  return
}

// Conversions.
// CHECK-LABEL: cuda_tile.testing$func @conversions(
cuda_tile.testing$func @conversions(%b: tile<32xi8>, %w: tile<32xi32>, %x: tile<32xf32>, %a: tile<32xi64>) {
  // CHECK: %{{.*}} = exti %{{.*}} unsigned : tile<32xi8> -> tile<32xi32>
  %0 = exti %b unsigned : tile<32xi8> -> tile<32xi32>
  // CHECK: %{{.*}} = trunci %{{.*}} overflow<no_signed_wrap> : tile<32xi32> -> tile<32xi4>
  %1 = trunci %w overflow<no_signed_wrap> : tile<32xi32> -> tile<32xi4>
  // CHECK: %{{.*}} = exti %{{.*}} signed : tile<32xi4> -> tile<32xi16>
  %2 = exti %1 signed : tile<32xi4> -> tile<32xi16>
  // CHECK: %{{.*}} = trunci %{{.*}} : tile<32xi32> -> tile<32xi1>
  %3 = trunci %w : tile<32xi32> -> tile<32xi1>
  // CHECK: %{{.*}} = ftof %{{.*}} rounding<positive_inf> : tile<32xf32> -> tile<32xf8E8M0FNU>
  %4 = ftof %x rounding<positive_inf> : tile<32xf32> -> tile<32xf8E8M0FNU>
  // CHECK: %{{.*}} = ftof %{{.*}} : tile<32xf32> -> tile<32xf16>
  %5 = ftof %x : tile<32xf32> -> tile<32xf16>
  // CHECK: %{{.*}} = ftof %{{.*}} rounding<zero> : tile<32xf32> -> tile<32xtf32>
  %6 = ftof %x rounding<zero> : tile<32xf32> -> tile<32xtf32>
  // CHECK: %{{.*}} = ftof %{{.*}} : tile<32xf16> -> tile<32xf32>
  %7 = ftof %5 rounding<nearest_even> : tile<32xf16> -> tile<32xf32>
  // CHECK: %{{.*}} = ftof %{{.*}} : tile<32xf32> -> tile<32xf4E2M1FN>
  %8 = ftof %x : tile<32xf32> -> tile<32xf4E2M1FN>
  // CHECK: %{{.*}} = ftoi %{{.*}} signed : tile<32xf32> -> tile<32xi16>
  %9 = ftoi %x signed : tile<32xf32> -> tile<32xi16>
  // CHECK: %{{.*}} = itof %{{.*}} unsigned : tile<32xi32> -> tile<32xbf16>
  %10 = itof %w unsigned : tile<32xi32> -> tile<32xbf16>
  // CHECK: %{{.*}} = bitcast %{{.*}} : tile<32xf32> -> tile<32xi32>
  %11 = bitcast %x : tile<32xf32> -> tile<32xi32>
  // CHECK: %{{.*}} = int_to_ptr %{{.*}} : tile<32xi64> -> tile<32xptr<f16>>
  %12 = int_to_ptr %a : tile<32xi64> -> tile<32xptr<f16>>
  // CHECK: %{{.*}} = ptr_to_int %{{.*}} : tile<32xptr<f16>> -> tile<32xi64>
  %13 = ptr_to_int %12 : tile<32xptr<f16>> -> tile<32xi64>
  // CHECK: %{{.*}} = ptr_to_ptr %{{.*}} : tile<32xptr<f16>> -> tile<32xptr<i8>>
  %14 = ptr_to_ptr %12 : tile<32xptr<f16>> -> tile<32xptr<i8>>
  return
}

// Matrix multiplication.
// CHECK-LABEL: cuda_tile.testing$func @matmul(
cuda_tile.testing$func @matmul(%a: tile<64x32xbf16>, %b: tile<32x128xbf16>, %c: tile<64x128xf32>, %q: tile<2x64x32xf8E4M3FN>, %k: tile<2x32x64xf8E4M3FN>, %f: tile<2x64x64xf16>) {
  // CHECK: %{{.*}} = mmaf %{{.*}}, %{{.*}}, %{{.*}} : tile<64x32xbf16>, tile<32x128xbf16>, tile<64x128xf32>
  %0 = mmaf %a, %b, %c : tile<64x32xbf16>, tile<32x128xbf16>, tile<64x128xf32>
  // CHECK: %{{.*}} = mmaf %{{.*}}, %{{.*}}, %{{.*}} fast_acc : tile<2x64x32xf8E4M3FN>, tile<2x32x64xf8E4M3FN>, tile<2x64x64xf16>
  %1 = mmaf %q, %k, %f fast_acc : tile<2x64x32xf8E4M3FN>, tile<2x32x64xf8E4M3FN>, tile<2x64x64xf16>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @integer_matmul(
cuda_tile.testing$func @integer_matmul(%u: tile<16x32xi8>, %v: tile<32x16xi8>, %w: tile<16x16xi32>) {
  // CHECK: %{{.*}} = mmai %{{.*}}, %{{.*}}, %{{.*}} unsigned signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
  %0 = mmai %u, %v, %w unsigned signed : tile<16x32xi8>, tile<32x16xi8>, tile<16x16xi32>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @scaled_matmul(%{{.*}}: tile<128x64xf8E5M2>, %{{.*}}: tile<64x128xf8E5M2>, %{{.*}}: tile<128x128xf32>, %{{.*}}: tile<128x2xf8E8M0FNU>, %{{.*}}: tile<2x128xf8E8M0FNU>)
cuda_tile.testing$func @scaled_matmul(%x: tile<128x64xf8E5M2>, %y: tile<64x128xf8E5M2>, %z: tile<128x128xf32>, %sx: tile<128x2xf8E8M0FNU>, %sy: tile<2x128xf8E8M0FNU>) {
  // CHECK: %{{.*}} = mmaf_scaled %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tile<128x64xf8E5M2>, tile<64x128xf8E5M2>, tile<128x128xf32>, tile<128x2xf8E8M0FNU>, tile<2x128xf8E8M0FNU>
  %0 = mmaf_scaled %x, %y, %z, %sx, %sy : tile<128x64xf8E5M2>, tile<64x128xf8E5M2>, tile<128x128xf32>, tile<128x2xf8E8M0FNU>, tile<2x128xf8E8M0FNU>
  return
}

// Additions of 13.4. fnv8E5M3FNU is a float for the rules of conversions.
// CHECK-LABEL: cuda_tile.testing$func @later(
cuda_tile.testing$func @later(%x: tile<32xf32>, %h: tile<32xf16>, %n: tile<32xi32>, %p: tile<32xi1>, %a: tile<16x32xf4E2M1FN>, %b: tile<32x16xf4E2M1FN>, %c: tile<16x16xf32>, %s: tile<16x2xfnv8E5M3FNU>, %t: tile<2x16xfnv8E5M3FNU>) {
  // CHECK: %{{.*}} = fpowi %{{.*}}, %{{.*}} : tile<32xf32>, tile<32xi32>
  %0 = fpowi %x, %n : tile<32xf32>, tile<32xi32>
  // CHECK: %{{.*}} = fpowi %{{.*}}, %{{.*}} : tile<32xf16>, tile<32xi1>
  %1 = fpowi %h, %p : tile<32xf16>, tile<32xi1>
  // CHECK: %{{.*}} = ftoi %{{.*}} signed saturating : tile<32xf32> -> tile<32xi8>
  %2 = ftoi %x signed saturating : tile<32xf32> -> tile<32xi8>
  // CHECK: %{{.*}} = ftof %{{.*}} rounding<nearest_away> : tile<32xf32> -> tile<32xtf32>
  %3 = ftof %x rounding<nearest_away> : tile<32xf32> -> tile<32xtf32>
  // CHECK: %{{.*}} = ftof %{{.*}} rounding<nearest_away> : tile<32xf16> -> tile<32xf32>
  %4 = ftof %h rounding<nearest_away> : tile<32xf16> -> tile<32xf32>
  // CHECK: %{{.*}} = ftof %{{.*}} : tile<32xf32> -> tile<32xfnv8E5M3FNU>
  %5 = ftof %x : tile<32xf32> -> tile<32xfnv8E5M3FNU>
  // CHECK: %{{.*}} = ftof %{{.*}} rounding<negative_inf> : tile<32xfnv8E5M3FNU> -> tile<32xbf16>
  %6 = ftof %5 rounding<negative_inf> : tile<32xfnv8E5M3FNU> -> tile<32xbf16>
  // CHECK: %{{.*}} = ftoi %{{.*}} unsigned : tile<32xfnv8E5M3FNU> -> tile<32xi32>
  %7 = ftoi %5 unsigned : tile<32xfnv8E5M3FNU> -> tile<32xi32>
  // CHECK: %{{.*}} = bitcast %{{.*}} : tile<32xfnv8E5M3FNU> -> tile<32xi8>
  %8 = bitcast %5 : tile<32xfnv8E5M3FNU> -> tile<32xi8>
  // CHECK: %{{.*}} = mmaf_scaled %{{.*}} : tile<16x32xf4E2M1FN>, tile<32x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xfnv8E5M3FNU>, tile<2x16xfnv8E5M3FNU>
  %9 = mmaf_scaled %a, %b, %c, %s, %t : tile<16x32xf4E2M1FN>, tile<32x16xf4E2M1FN>, tile<16x16xf32>, tile<16x2xfnv8E5M3FNU>, tile<2x16xfnv8E5M3FNU>
  // Both spellings of the name.
  // CHECK: %{{.*}} = pow %{{.*}}, %{{.*}} : tile<32xf32>
  %10 = fpowf %x, %x : tile<32xf32>
  return
}
