// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip | FileCheck %s

// CHECK-LABEL: cuda_tile.testing$func @constants(
cuda_tile.testing$func @constants() {
  // CHECK: %cst_f16 = constant <f16: 1.500000e+00> : tile<4x4xf16>
  %0 = constant <f16: 1.5> : tile<4x4xf16>
  // CHECK: %cst_i32 = constant <i32: {{\[\[}}1, 2], [3, 4{{\]\]}}> : tile<2x2xi32>
  %1 = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>
  // CHECK: %cst_i1 = constant <i1: [true, false]> : tile<2xi1>
  %2 = constant <i1: [true, false]> : tile<2xi1>
  // CHECK: %true = constant <i1: true> : tile<i1>
  %3 = constant <i1: true> : tile<i1>
  // CHECK: %false = constant <i1: false> : tile<4xi1>
  %4 = constant <i1: false> : tile<4xi1>
  // CHECK: %cst_-1_i8 = constant <i8: -1> : tile<2xi8>
  %5 = constant <i8: 255> : tile<2xi8>
  // CHECK: %cst_NaN_f32 = constant <f32: 0x7FC00000> : tile<f32>
  %6 = constant <f32: 0x7FC00000> : tile<f32>
  // CHECK: %cst_f64 = constant <f64: [0x7FF0000000000000, -2.500000e+00]> : tile<2xf64>
  %7 = constant <f64: [0x7FF0000000000000, -2.5]> : tile<2xf64>
  // CHECK: %cst_1_tf32 = constant <tf32: 1.000000e+00> : tile<2xtf32>
  %8 = constant <tf32: 1.0> : tile<2xtf32>
  // CHECK: %cst_448_f8E4M3FN = constant <f8E4M3FN: 4.480000e+02> : tile<f8E4M3FN>
  %9 = constant <f8E4M3FN: 448.0> : tile<f8E4M3FN>
  // CHECK: %cst_4_f8E8M0FNU = constant <f8E8M0FNU: 4.000000e+00> : tile<2xf8E8M0FNU>
  %10 = constant <f8E8M0FNU: 4.0> : tile<2xf8E8M0FNU>
  // CHECK: %cst_f4E2M1FN = constant <f4E2M1FN: [5.000000e-01, 6.000000e+00]> : tile<2xf4E2M1FN>
  %11 = constant <f4E2M1FN: [0.5, 6.0]> : tile<2xf4E2M1FN>
  // CHECK: %cst_i16 = constant <i16: {{\[\[}}[1], [2{{\]\]}}]> : tile<1x2x1xi16>
  %12 = constant <i16: [[[1], [2]]]> : tile<1x2x1xi16>
  // CHECK: %cst_i32_0 = constant <i32: [1, 2]> : tile<2xi32>
  %13 = constant <i32: "0x0100000002000000"> : tile<2xi32>
  // CHECK: %cst_-9223372036854775808_i64 = constant <i64: -9223372036854775808> : tile<i64>
  %14 = constant <i64: -9223372036854775808> : tile<i64>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @shapes(
cuda_tile.testing$func @shapes(%f4: tile<64xf4E2M1FN>, %r: tile<i32>) {
  // CHECK: %{{.*}} = iota : tile<256xi8>
  %0 = iota : tile<256xi8>
  // CHECK: %{{.*}} = reshape %{{.*}} : tile<256xi8> -> tile<1x256xi8>
  %1 = reshape %0 : tile<256xi8> -> tile<1x256xi8>
  // CHECK: %{{.*}} = broadcast %{{.*}} : tile<1x256xi8> -> tile<8x256xi8>
  %2 = broadcast %1 : tile<1x256xi8> -> tile<8x256xi8>
  // CHECK: %{{.*}} = permute %{{.*}} [1, 0] : tile<8x256xi8> -> tile<256x8xi8>
  %3 = permute %2 [1, 0] : tile<8x256xi8> -> tile<256x8xi8>
  // CHECK: %{{.*}} = cat %{{.*}}, %{{.*}} dim = 0 : tile<1x256xi8>, tile<1x256xi8> -> tile<2x256xi8>
  %4 = cat %1, %1 dim = 0 : tile<1x256xi8>, tile<1x256xi8> -> tile<2x256xi8>
  // CHECK: %{{.*}} = extract %{{.*}}[%{{.*}}, %{{.*}}] : tile<8x256xi8> -> tile<4x32xi8>
  %5 = extract %2[%r, %r] : tile<8x256xi8> -> tile<4x32xi8>
  // CHECK: %{{.*}} = pack %{{.*}} : tile<64xf4E2M1FN> -> tile<32xi8>
  %6 = pack %f4 : tile<64xf4E2M1FN> -> tile<32xi8>
  // CHECK: %{{.*}} = unpack %{{.*}} : tile<32xi8> -> tile<64xi4>
  %7 = unpack %6 : tile<32xi8> -> tile<64xi4>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @pointers(
cuda_tile.testing$func @pointers(%p: tile<128xptr<f32>>, %i: tile<128xi64>) {
  // CHECK: %{{.*}} = offset %{{.*}}, %{{.*}} : tile<128xptr<f32>>, tile<128xi64> -> tile<128xptr<f32>>
  %0 = offset %p, %i : tile<128xptr<f32>>, tile<128xi64> -> tile<128xptr<f32>>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @reductions(
cuda_tile.testing$func @reductions(%a: tile<8x64xf32>, %i: tile<8x64xi32>, %b: tile<32xi1>) {
  // CHECK: %{{.*}} = reduce %{{.*}} dim=1 identities=[0.000000e+00 : f32] : tile<8x64xf32> -> tile<8xf32>
  %0 = reduce %a dim=1 identities=[0.000000e+00 : f32] : tile<8x64xf32> -> tile<8xf32>
  // CHECK: (%{{.*}}: tile<f32>, %{{.*}}: tile<f32>) {
  (%e: tile<f32>, %acc: tile<f32>) {
    // CHECK: %{{.*}} = addf %{{.*}}, %{{.*}} : tile<f32>
    %s = addf %e, %acc : tile<f32>
    // CHECK: yield %{{.*}} : tile<f32>
    yield %s : tile<f32>
  }
  // CHECK: %{{.*}} = reduce %{{.*}}, %{{.*}} dim=0 identities=[0xFF800000 : f32, -1 : i32] : tile<8x64xf32>, tile<8x64xi32> -> tile<64xf32>, tile<64xi32>
  %1, %2 = reduce %a, %i dim=0 identities=[0xFF800000 : f32, -1 : i32] : tile<8x64xf32>, tile<8x64xi32> -> tile<64xf32>, tile<64xi32>
  // CHECK: (%{{.*}}: tile<f32>, %{{.*}}: tile<f32>, %{{.*}}: tile<i32>, %{{.*}}: tile<i32>) {
  (%e0: tile<f32>, %a0: tile<f32>, %e1: tile<i32>, %a1: tile<i32>) {
    // CHECK: %{{.*}} = cmpf greater_than ordered %{{.*}}, %{{.*}} : tile<f32> -> tile<i1>
    %c = cmpf greater_than ordered %e0, %a0 : tile<f32> -> tile<i1>
    // CHECK: %{{.*}} = select %{{.*}}, %{{.*}}, %{{.*}} : tile<i1>, tile<f32>
    %m = select %c, %e0, %a0 : tile<i1>, tile<f32>
    // CHECK: %{{.*}} = select %{{.*}}, %{{.*}}, %{{.*}} : tile<i1>, tile<i32>
    %n = select %c, %e1, %a1 : tile<i1>, tile<i32>
    // CHECK: yield %{{.*}}, %{{.*}} : tile<f32>, tile<i32>
    yield %m, %n : tile<f32>, tile<i32>
  }
  // CHECK: %{{.*}} = reduce %{{.*}} dim=0 identities=[false] : tile<32xi1> -> tile<i1>
  %3 = reduce %b dim=0 identities=[false] : tile<32xi1> -> tile<i1>
  // CHECK: (%{{.*}}: tile<i1>, %{{.*}}: tile<i1>) {
  (%e: tile<i1>, %acc: tile<i1>) {
    // CHECK: %{{.*}} = ori %{{.*}}, %{{.*}} : tile<i1>
    %s = ori %e, %acc : tile<i1>
    // CHECK: yield %{{.*}} : tile<i1>
    yield %s : tile<i1>
  }
  // CHECK: %{{.*}} = scan %{{.*}} dim=1 reverse=true identities=[1 : i32] : tile<8x64xi32> -> tile<8x64xi32>
  %4 = scan %i dim=1 reverse=true identities=[1 : i32] : tile<8x64xi32> -> tile<8x64xi32>
  // CHECK: (%{{.*}}: tile<i32>, %{{.*}}: tile<i32>) {
  (%e: tile<i32>, %acc: tile<i32>) {
    // CHECK: %{{.*}} = muli %{{.*}}, %{{.*}} : tile<i32>
    %p = muli %e, %acc : tile<i32>
    // CHECK: yield %{{.*}} : tile<i32>
    yield %p : tile<i32>
  }
  return
}

// CHECK-LABEL: cuda_tile.testing$func @facts(
cuda_tile.testing$func @facts(%p: tile<ptr<f16>>, %i: tile<4x64xi32>, %n: tile<i32>, %v: tensor_view<?xf32, strides=[1]>) {
  // CHECK: %{{.*}} = assume div_by<16>, %{{.*}} : tile<ptr<f16>>
  %0 = assume div_by<16>, %p : tile<ptr<f16>>
  // CHECK: %{{.*}} = assume div_by<4, every 8 along 1>, %{{.*}} : tile<4x64xi32>
  %1 = assume div_by<4, every 8 along 1>, %i : tile<4x64xi32>
  // CHECK: %{{.*}} = assume same_elements<[1, 64]>, %{{.*}} : tile<4x64xi32>
  %2 = assume same_elements<[1, 64]>, %i : tile<4x64xi32>
  // CHECK: %{{.*}} = assume bounded<0, ?>, %{{.*}} : tile<i32>
  %3 = assume bounded<0, ?>, %n : tile<i32>
  // CHECK: %{{.*}} = assume bounded<?, 7>, %{{.*}} : tile<i32>
  %4 = assume bounded<?, 7>, %n : tile<i32>
  // CHECK: %{{.*}} = assume bounded<-1, 7>, %{{.*}} : tile<i32>
  %5 = assume #cuda_tile.bounded<-1, 7>, %n : tile<i32>
  // CHECK: %{{.*}} = assume div_by<16>, %{{.*}} : tensor_view<?xf32, strides=[1]>
  %6 = assume div_by<16>, %v : tensor_view<?xf32, strides=[1]>
  return
}

// CHECK-LABEL: cuda_tile.testing$func @prints(
cuda_tile.testing$func @prints(%n: tile<i32>, %t: token) {
  // CHECK: %{{.*}} = print_tko "hello\0A" -> token
  %0 = print_tko "hello\0A" -> token
  // CHECK: %{{.*}} = print_tko "%{{.*}} of %{{.*}}: 100%%\0A", %{{.*}}, %{{.*}} token=%{{.*}} : tile<i32>, tile<i32> -> token
  %1 = print_tko "%d of %5.2f: 100%%\0A", %n, %n token=%t : tile<i32>, tile<i32> -> token
  // CHECK: %{{.*}} = print_tko "again\0A" token=%{{.*}} -> token
  %2 = print_tko "again\0A" token=%1 -> token
  return
}

// CHECK-LABEL: cuda_tile.testing$func @insert(
cuda_tile.testing$func @insert(%piece: tile<4x32xi32>, %m: tile<8x128xi32>, %p: tile<ptr<f32>>, %q: tile<ptr<f32>>, %i: tile<i32>) {
  // CHECK: %{{.*}} = insert %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tile<4x32xi32>, tile<8x128xi32>
  %0 = insert %piece, %m[%i, %i] : tile<4x32xi32>, tile<8x128xi32>
  // CHECK: %{{.*}} = insert %{{.*}}, %{{.*}}[] : tile<ptr<f32>>, tile<ptr<f32>>
  %1 = insert %p, %q[] : tile<ptr<f32>>, tile<ptr<f32>>
  return
}

// Every value of fnv8E5M3FNU reads back; the generic form shows the bits as f8E8M0FNU has them.
// CHECK-LABEL: cuda_tile.testing$func @fnv8(
cuda_tile.testing$func @fnv8() {
  // CHECK: constant <fnv8E5M3FNU: 1.000000e+00> : tile<4xfnv8E5M3FNU>
  %0 = constant <fnv8E5M3FNU: 1.0> : tile<4xfnv8E5M3FNU>
  // CHECK: constant <fnv8E5M3FNU: {{\[\[}}0.000000e+00, 7.629390e-06], [1.146880e+05, 0xFF]]> : tile<2x2xfnv8E5M3FNU>
  %1 = constant <fnv8E5M3FNU: [[0.0, 0x01], [0xFE, 0xFF]]> : tile<2x2xfnv8E5M3FNU>
  // Ties go to even, 1.0625 to 1.0 and 1.1875 to 1.25; 118783 is nearer to the largest.
  // CHECK: constant <fnv8E5M3FNU: [1.000000e+00, 1.250000e+00, 1.146880e+05, 6.103520e-05]> : tile<4xfnv8E5M3FNU>
  %2 = constant <fnv8E5M3FNU: [1.0625, 1.1875, 118783.0, 6.103515625e-05]> : tile<4xfnv8E5M3FNU>
  return
}
