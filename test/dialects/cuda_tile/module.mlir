// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip | FileCheck %s

// CHECK: cuda_tile.module @kernels attributes {producer = "acme-front 0.3"} {
cuda_tile.module @kernels attributes {producer = "acme-front 0.3"} {
  // CHECK: global private constant @coeff alignment = 32 <f32: [1.000000e+00, 5.000000e-01, 2.500000e-01, 1.250000e-01]> : tile<4xf32>
  global private constant @coeff alignment = 32 <f32: [1.0, 0.5, 0.25, 0.125]> : tile<4xf32>
  // CHECK: global @counter <i32: 0> : tile<1xi32>
  global @counter <i32: 0> : tile<1xi32>
  // CHECK: global constant @table <i8: [1, 2]> : tile<2xi8>
  global constant @table <i8: [1, 2]> : tile<2xi8>
  // CHECK-LABEL: entry @scale(%{{.*}}: tile<ptr<f32>>, %{{.*}}: tile<i32>) optimization_hints=<sm_90 = {num_cta_in_cga = 2, occupancy = 4}>
  entry @scale(%p: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<sm_90 = {num_cta_in_cga = 2, occupancy = 4}> {
    // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = get_tile_block_id : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    // CHECK: %{{.*}}, %{{.*}}, %{{.*}} = get_num_tile_blocks : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    // CHECK: %{{.*}} = get_global @coeff : tile<ptr<f32>>
    %t = get_global @coeff : tile<ptr<f32>>
    return
  }
  // CHECK-LABEL: entry @empty(
  entry @empty() {
  }
  // CHECK-LABEL: entry @attributes(
  entry @attributes(%p: tile<ptr<f32>>, %n: tile<i32>) {
  // CHECK: } {cuda_tile.loop_split = 1 : i64}
  } {cuda_tile.loop_split = 1 : i64}
  // CHECK-LABEL: entry @arg_attrs(%{{.*}}: tile<ptr<f32>> {x.y = 3 : i32}, %{{.*}}: tile<i32>)
  entry @arg_attrs(%p: tile<ptr<f32>> {x.y = 3 : i32}, %n: tile<i32>) optimization_hints=<> {
  }
  // CHECK-LABEL: testing$func @two(%{{.*}}: tile<8xf32>) -> (tile<8xf32>, tile<8xf32>)
  testing$func @two(%x: tile<8xf32>) -> (tile<8xf32>, tile<8xf32>) {
    // CHECK: return %{{.*}}, %{{.*}} : tile<8xf32>, tile<8xf32>
    return %x, %x : tile<8xf32>, tile<8xf32>
  }
  // CHECK: testing$bytecode_test_new_attribute new_flag new_param = 7
  testing$bytecode_test_new_attribute new_flag new_param = 7
  // CHECK: testing$bytecode_test_new_attribute
  testing$bytecode_test_new_attribute
  // CHECK-LABEL: testing$func @evolution(
  testing$func @evolution(%x: tile<i32>, %t: token) {
    // CHECK: %{{.*}} = testing$bytecode_test_evolution(%{{.*}} : !cuda_tile.tile<i32>) new_attr = 4 token = %{{.*}} : token priority = <high> test_attr = <7> -> token
    %0 = testing$bytecode_test_evolution(%x : !cuda_tile.tile<i32>) new_attr = 4 token = %t : token priority = <high> test_attr = <7> -> token
    // CHECK: %{{.*}} = testing$bytecode_test_evolution(%{{.*}}, %{{.*}} : !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> token
    %1 = testing$bytecode_test_evolution(%x, %x : !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> token
    return
  }
}
