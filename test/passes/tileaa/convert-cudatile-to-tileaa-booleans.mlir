// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so %s --pass-pipeline='builtin.module(convert-cudatile-to-tileaa{compute-capability=sm_80},canonicalize)' | FileCheck %s

// Masks that C++ front ends keep in bytes of 0 and 1 are masks again.
cuda_tile.module @m {
  // CHECK-LABEL: nv_tileaa.func kernel @masks(
  entry @masks(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %zero = constant <i8: 0> : tile<8x16xi8>
    %i = iota : tile<8xi32>
    %j = iota : tile<16xi32>
    %rows = reshape %i : tile<8xi32> -> tile<8x1xi32>
    %columns = reshape %j : tile<16xi32> -> tile<1x16xi32>
    %all = broadcast %rows : tile<8x1xi32> -> tile<8x16xi32>
    %those = broadcast %columns : tile<1x16xi32> -> tile<8x16xi32>
    %s = reshape %n : tile<i32> -> tile<1x1xi32>
    %size = broadcast %s : tile<1x1xi32> -> tile<1x16xi32>
    // CHECK: %[[IN:.*]] = arith.cmpi slt, %{{.*}} : tensor<1x16xi32>
    %in = cmpi less_than %columns, %size, signed : tile<1x16xi32> -> tile<1x16xi1>
    %in8 = exti %in unsigned : tile<1x16xi1> -> tile<1x16xi8>
    %ins = broadcast %in8 : tile<1x16xi8> -> tile<8x16xi8>
    // CHECK: %[[LESS:.*]] = arith.cmpi sge, %{{.*}} : tensor<8x16xi32>
    %less = cmpi greater_than_or_equal %all, %those, signed : tile<8x16xi32> -> tile<8x16xi1>
    %less8 = exti %less unsigned : tile<8x16xi1> -> tile<8x16xi8>
    %both = andi %ins, %less8 : tile<8x16xi8>
    // CHECK: %[[INS:.*]] = nv_tileaa.broadcast %[[IN]] : tensor<1x16xi1> -> tensor<8x16xi1>
    // CHECK: %[[BOTH:.*]] = arith.andi %[[INS]], %[[LESS]] : tensor<8x16xi1>
    // CHECK-NOT: xi8
    // CHECK: arith.select %[[BOTH]]
    %mask = cmpi not_equal %both, %zero, unsigned : tile<8x16xi8> -> tile<8x16xi1>
    %one = constant <f32: 1.0> : tile<8x16xf32>
    %two = constant <f32: 2.0> : tile<8x16xf32>
    %v = select %mask, %one, %two : tile<8x16xi1>, tile<8x16xf32>
    // Numbers of another kind stay numbers.
    // CHECK: arith.cmpi ne, %{{.*}} : tensor<8x16xi8>
    %odd = trunci %all : tile<8x16xi32> -> tile<8x16xi8>
    %numbers = andi %odd, %less8 : tile<8x16xi8>
    %other = cmpi not_equal %numbers, %zero, unsigned : tile<8x16xi8> -> tile<8x16xi1>
    %w = select %other, %v, %two : tile<8x16xi1>, tile<8x16xf32>
    %q = reshape %p : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %places = broadcast %q : tile<1x1xptr<f32>> -> tile<8x16xptr<f32>>
    %t = store_ptr_tko weak %places, %w : tile<8x16xptr<f32>>, tile<8x16xf32> -> token
    return
  }
}
