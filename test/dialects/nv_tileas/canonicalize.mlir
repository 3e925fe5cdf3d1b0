// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileASDialect.so --pass-pipeline='builtin.module(func.func(canonicalize))' | FileCheck %s

#a = #nv_tileas.layout<reg, [64], register = [[1]], lane = [[2], [4], [8], [16], [32]]>
#b = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
#m = #nv_tileas.layout<reg, [8, 8], register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
#n = #nv_tileas.layout<reg, [4, 16], register = [[0, 1]], lane = [[0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]>

// CHECK-DAG: #[[$A:.*]] = #nv_tileas.layout<reg, [64], register = {{\[\[}}1]]
// CHECK-DAG: #[[$B:.*]] = #nv_tileas.layout<reg, [64], register = {{\[\[}}32]]

// CHECK-LABEL: func.func @conversion_there_and_back(
//  CHECK-SAME:   %[[X:.*]]: tensor<64xf32, #[[$A]]>)
//  CHECK-NEXT:   return %[[X]]
func.func @conversion_there_and_back(%x: tensor<64xf32, #a>) -> tensor<64xf32, #a> {
  %0 = nv_tileas.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %1 = nv_tileas.convert_layout %0 : tensor<64xf32, #b> -> tensor<64xf32, #a>
  return %1 : tensor<64xf32, #a>
}

// CHECK-LABEL: func.func @conversion_of_leaves(
//   CHECK-NOT:   nv_tileas.convert_layout
//   CHECK-DAG:   %[[C:.*]] = arith.constant dense<2.000000e+00> : tensor<64xf32, #[[$B]]>
//   CHECK-DAG:   %[[S:.*]] = nv_tileas.splat %{{.*}} : f32 -> tensor<64xf32, #[[$B]]>
//   CHECK-DAG:   %[[R:.*]] = nv_tileas.make_range 8 to 72 : tensor<64xi32, #[[$B]]>
//       CHECK:   return %[[S]], %[[C]], %[[R]]
func.func @conversion_of_leaves(%s: f32) -> (tensor<64xf32, #b>, tensor<64xf32, #b>, tensor<64xi32, #b>) {
  %0 = nv_tileas.splat %s : f32 -> tensor<64xf32, #a>
  %1 = arith.constant dense<2.0> : tensor<64xf32, #a>
  %2 = nv_tileas.make_range 8 to 72 : tensor<64xi32, #a>
  %3 = nv_tileas.convert_layout %0 : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %4 = nv_tileas.convert_layout %1 : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %5 = nv_tileas.convert_layout %2 : tensor<64xi32, #a> -> tensor<64xi32, #b>
  return %3, %4, %5 : tensor<64xf32, #b>, tensor<64xf32, #b>, tensor<64xi32, #b>
}

// A table of different values is data: it stays where it is and is moved.
// CHECK-LABEL: func.func @conversion_of_table(
//       CHECK:   nv_tileas.convert_layout
func.func @conversion_of_table() -> tensor<32xf32, #nv_tileas.layout<reg, [32], lane = [[2], [1], [4], [8], [16]]>> {
  %0 = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<32xf32, #half>
  %1 = nv_tileas.convert_layout %0 : tensor<32xf32, #half> -> tensor<32xf32, #nv_tileas.layout<reg, [32], lane = [[2], [1], [4], [8], [16]]>>
  return %1 : tensor<32xf32, #nv_tileas.layout<reg, [32], lane = [[2], [1], [4], [8], [16]]>>
}

// CHECK-LABEL: func.func @views(
//  CHECK-SAME:   %[[X:.*]]: tensor<64xf32, #{{.*}}>)
//  CHECK-NEXT:   %[[V:.*]] = nv_tileas.view %[[X]] : tensor<64xf32, #{{.*}}> -> tensor<4x16xf32, #{{.*}}>
//  CHECK-NEXT:   return %[[V]], %[[X]]
func.func @views(%x: tensor<64xf32, #a>) -> (tensor<4x16xf32, #n>, tensor<64xf32, #a>) {
  %0 = nv_tileas.view %x : tensor<64xf32, #a> -> tensor<8x8xf32, #m>
  %1 = nv_tileas.view %0 : tensor<8x8xf32, #m> -> tensor<4x16xf32, #n>
  %2 = nv_tileas.view %0 : tensor<8x8xf32, #m> -> tensor<64xf32, #a>
  return %1, %2 : tensor<4x16xf32, #n>, tensor<64xf32, #a>
}

// CHECK-LABEL: func.func @slices(
//  CHECK-SAME:   %[[X:.*]]: tensor<64xf32, #{{.*}}>, %[[S:.*]]: tensor<32xf32, #{{.*}}>, %[[I:.*]]: i32, %[[J:.*]]: i32)
//       CHECK:   %[[D:.*]] = nv_tileas.insert_slice
//       CHECK:   %[[OTHER:.*]] = nv_tileas.extract_slice %[[D]][%[[J]]]
//       CHECK:   return %[[S]], %[[OTHER]], %[[X]]
func.func @slices(%x: tensor<64xf32, #b>, %s: tensor<32xf32, #half>, %i: i32, %j: i32) -> (tensor<32xf32, #half>, tensor<32xf32, #half>, tensor<64xf32, #b>) {
  %0 = nv_tileas.insert_slice %s into %x[%i] : tensor<32xf32, #half> into tensor<64xf32, #b>
  %1 = nv_tileas.extract_slice %0[%i] : tensor<64xf32, #b> -> tensor<32xf32, #half>
  %2 = nv_tileas.extract_slice %0[%j] : tensor<64xf32, #b> -> tensor<32xf32, #half>
  %3 = nv_tileas.extract_slice %x[%i] : tensor<64xf32, #b> -> tensor<64xf32, #b>
  return %1, %2, %3 : tensor<32xf32, #half>, tensor<32xf32, #half>, tensor<64xf32, #b>
}

// CHECK-LABEL: func.func @element_of_splat(
//  CHECK-SAME:   %[[S:.*]]: f32, %{{.*}}: i32)
//  CHECK-NEXT:   return %[[S]]
func.func @element_of_splat(%s: f32, %i: i32) -> f32 {
  %0 = nv_tileas.splat %s : f32 -> tensor<64xf32, #a>
  %1 = nv_tileas.extract %0[%i] : tensor<64xf32, #a> -> f32
  return %1 : f32
}

// CHECK-LABEL: func.func @tokens(
//  CHECK-SAME:   %[[T:.*]]: !nv_tileaa.mem_token, %[[U:.*]]: !nv_tileaa.mem_token)
//  CHECK-NEXT:   %[[J:.*]] = nv_tileas.join_mem_token %[[T]], %[[U]]
//  CHECK-NEXT:   return %[[T]], %[[J]]
func.func @tokens(%t: !nv_tileaa.mem_token, %u: !nv_tileaa.mem_token) -> (!nv_tileaa.mem_token, !nv_tileaa.mem_token) {
  %0 = nv_tileas.join_mem_token %t, %t
  %1 = nv_tileas.join_mem_token %t, %u
  return %0, %1 : !nv_tileaa.mem_token, !nv_tileaa.mem_token
}

// An unused load goes, unless it orders something or must happen.
// CHECK-LABEL: func.func @dead_loads(
//   CHECK-NOT:   nv_tileas.load weak
//       CHECK:   nv_tileas.load acquire gpu
//       CHECK:   nv_tileas.load weak %{{.*}} {is_volatile}
//   CHECK-NOT:   nv_tileas.load
//       CHECK:   return
func.func @dead_loads(%p: !nv_tileaa.ptr<f32>) {
  %0, %t0 = nv_tileas.load weak %p : !nv_tileaa.ptr<f32> -> f32
  %1, %t1 = nv_tileas.load acquire gpu %p : !nv_tileaa.ptr<f32> -> f32
  %2, %t2 = nv_tileas.load weak %p {is_volatile} : !nv_tileaa.ptr<f32> -> f32
  return
}

// A choice of tokens waits for both, and does not lead back to nv_tileaa.
// CHECK-LABEL: func.func @select_of_tokens(
//  CHECK-SAME:   %{{.*}}: i1, %[[A:.*]]: !nv_tileaa.mem_token, %{{.*}}: !nv_tileaa.ptr<f32>
//       CHECK:   %[[B:.*]] = nv_tileas.store
//       CHECK:   %[[J:.*]] = nv_tileas.join_mem_token %[[A]], %[[B]]
//       CHECK:   return %[[J]]
func.func @select_of_tokens(%c: i1, %a: !nv_tileaa.mem_token, %p: !nv_tileaa.ptr<f32>, %x: f32) -> !nv_tileaa.mem_token {
  %b = nv_tileas.store weak %p, %x : !nv_tileaa.ptr<f32>, f32
  %0 = arith.select %c, %a, %b : !nv_tileaa.mem_token
  return %0 : !nv_tileaa.mem_token
}
