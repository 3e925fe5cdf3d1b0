// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(cuda_tile.module(any(fuse-fma)))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(fuse-fma),cuda_tile.testing$func(fuse-fma)))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(cuda_tile.module(any(fuse-fma)))' --remark-format=emitRemark --remarks-filter-passed=cuda_tile 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-COUNT-6: remark: [Passed] FuseFMA

cuda_tile.module @m {

// CHECK-LABEL: testing$func @mul_add(
//  CHECK-SAME:   %[[A:.*]]: tile<8xf32>, %[[B:.*]]: tile<8xf32>, %[[C:.*]]: tile<8xf32>)
//  CHECK-NEXT:   %[[R:.*]] = fma %[[A]], %[[B]], %[[C]] : tile<8xf32>
//  CHECK-NEXT:   return %[[R]]
testing$func @mul_add(%a: tile<8xf32>, %b: tile<8xf32>, %c: tile<8xf32>) -> tile<8xf32> {
  %m = mulf %a, %b : tile<8xf32>
  %s = addf %m, %c : tile<8xf32>
  return %s : tile<8xf32>
}

// CHECK-LABEL: testing$func @add_mul(
//  CHECK-SAME:   %[[A:.*]]: tile<8xf32>, %[[B:.*]]: tile<8xf32>, %[[C:.*]]: tile<8xf32>)
//  CHECK-NEXT:   %[[R:.*]] = fma %[[A]], %[[B]], %[[C]] : tile<8xf32>
//  CHECK-NEXT:   return %[[R]]
testing$func @add_mul(%a: tile<8xf32>, %b: tile<8xf32>, %c: tile<8xf32>) -> tile<8xf32> {
  %m = mulf %a, %b : tile<8xf32>
  %s = addf %c, %m : tile<8xf32>
  return %s : tile<8xf32>
}

// CHECK-LABEL: testing$func @mul_sub(
//  CHECK-SAME:   %[[A:.*]]: tile<8xf32>, %[[B:.*]]: tile<8xf32>, %[[C:.*]]: tile<8xf32>)
//  CHECK-NEXT:   %[[N:.*]] = negf %[[C]] : tile<8xf32>
//  CHECK-NEXT:   %[[R:.*]] = fma %[[A]], %[[B]], %[[N]] : tile<8xf32>
//  CHECK-NEXT:   return %[[R]]
testing$func @mul_sub(%a: tile<8xf32>, %b: tile<8xf32>, %c: tile<8xf32>) -> tile<8xf32> {
  %m = mulf %a, %b : tile<8xf32>
  %s = subf %m, %c : tile<8xf32>
  return %s : tile<8xf32>
}

// c - a * b would need a negated operand.
// CHECK-LABEL: testing$func @sub_mul(
//       CHECK:   %[[M:.*]] = mulf
//  CHECK-NEXT:   subf %{{.*}}, %[[M]] : tile<8xf32>
testing$func @sub_mul(%a: tile<8xf32>, %b: tile<8xf32>, %c: tile<8xf32>) -> tile<8xf32> {
  %m = mulf %a, %b : tile<8xf32>
  %s = subf %c, %m : tile<8xf32>
  return %s : tile<8xf32>
}

// The modifiers come along.
// CHECK-LABEL: testing$func @modifiers(
//       CHECK:   fma %{{.*}}, %{{.*}}, %{{.*}} rounding<zero> flush_to_zero : tile<f32>
testing$func @modifiers(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) -> tile<f32> {
  %m = mulf %a, %b rounding<zero> flush_to_zero : tile<f32>
  %s = addf %m, %c rounding<zero> flush_to_zero : tile<f32>
  return %s : tile<f32>
}

// Their modifiers must agree; otherwise no dead operation is left.
// CHECK-LABEL: testing$func @other_rounding(
//  CHECK-NEXT:   %[[M:.*]] = mulf %{{.*}}, %{{.*}} rounding<zero> : tile<f32>
//  CHECK-NEXT:   %[[S:.*]] = subf %[[M]], %{{.*}} : tile<f32>
//  CHECK-NEXT:   return %[[S]]
testing$func @other_rounding(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) -> tile<f32> {
  %m = mulf %a, %b rounding<zero> : tile<f32>
  %s = subf %m, %c : tile<f32>
  return %s : tile<f32>
}

// CHECK-LABEL: testing$func @other_flush(
//       CHECK:   mulf
//  CHECK-NEXT:   addf
testing$func @other_flush(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) -> tile<f32> {
  %m = mulf %a, %b flush_to_zero : tile<f32>
  %s = addf %m, %c : tile<f32>
  return %s : tile<f32>
}

// A product with another use stays; it still comes first.
// CHECK-LABEL: testing$func @two_users(
//       CHECK:   %[[M:.*]] = mulf
//  CHECK-NEXT:   %[[S:.*]] = addf %[[M]], %{{.*}} : tile<f32>
//  CHECK-NEXT:   return %[[M]], %[[S]]
testing$func @two_users(%a: tile<f32>, %b: tile<f32>, %c: tile<f32>) -> (tile<f32>, tile<f32>) {
  %m = mulf %a, %b : tile<f32>
  %s = addf %c, %m : tile<f32>
  return %m, %s : tile<f32>, tile<f32>
}

// Both users are one: still two uses.
// CHECK-LABEL: testing$func @square_sum(
//       CHECK:   %[[M:.*]] = mulf
//  CHECK-NEXT:   addf %[[M]], %[[M]] : tile<f32>
testing$func @square_sum(%a: tile<f32>) -> tile<f32> {
  %m = mulf %a, %a : tile<f32>
  %s = addf %m, %m : tile<f32>
  return %s : tile<f32>
}

// Of two products the first is fused.
// CHECK-LABEL: testing$func @two_products(
//  CHECK-SAME:   %[[A:.*]]: tile<f16>, %[[B:.*]]: tile<f16>, %[[C:.*]]: tile<f16>, %[[D:.*]]: tile<f16>)
//  CHECK-NEXT:   %[[M:.*]] = mulf %[[C]], %[[D]] : tile<f16>
//  CHECK-NEXT:   %[[R:.*]] = fma %[[A]], %[[B]], %[[M]] : tile<f16>
//  CHECK-NEXT:   return %[[R]]
testing$func @two_products(%a: tile<f16>, %b: tile<f16>, %c: tile<f16>, %d: tile<f16>) -> tile<f16> {
  %m = mulf %a, %b : tile<f16>
  %n = mulf %c, %d : tile<f16>
  %s = addf %m, %n : tile<f16>
  return %s : tile<f16>
}

// In a kernel, inside of a loop.
// CHECK-LABEL: entry @loop(
//       CHECK:   for
//  CHECK-NEXT:     fma
//  CHECK-NEXT:     continue
entry @loop(%x: tile<f64>, %n: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %sum = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %x) -> (tile<f64>) {
    %m = mulf %acc, %x : tile<f64>
    %s = addf %m, %x : tile<f64>
    continue %s : tile<f64>
  }
  print_tko "%f", %sum : tile<f64> -> token
  return
}
}
