// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileAADialect.so --split-input-file --verify-diagnostics

func.func @approx_of_f64(%a: f64) {
  // expected-error @below {{'nv_tileaa.divf' op approx modifier only supported for f32 data type, but got: 'f64'}}
  %0 = nv_tileaa.divf %a, %a rounding<approx> : f64
  return
}

// -----

func.func @dot_signedness_b(%a: tensor<16x16xi8>, %c: tensor<16x16xi32>) {
  // expected-error @below {{'nv_tileaa.dot' op expect signedness attribute for operand B}}
  %0 = "nv_tileaa.dot"(%a, %a, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, signedness_a = #nv_tileaa.signedness<signed>}> : (tensor<16x16xi8>, tensor<16x16xi8>, tensor<16x16xi32>) -> tensor<16x16xi32>
  return
}

// -----

func.func @dot_element(%a: tensor<16x16xi64>, %c: tensor<16x16xi32>) {
  // expected-error @below {{'nv_tileaa.dot' op unsupported #A element type 'i64'}}
  %0 = nv_tileaa.dot %a, %a, %c signs(signed, signed) : tensor<16x16xi64>, tensor<16x16xi64>, tensor<16x16xi32>
  return
}

// -----

func.func @scaled_dot_f16(%a: tensor<16x64xf8E5M2>, %b: tensor<64x16xf8E5M2>, %c: tensor<16x16xf16>, %s: tensor<16x2xf8E8M0FNU>, %t: tensor<2x16xf8E8M0FNU>) {
  // expected-error @below {{'nv_tileaa.dot' op expects #C element type to be f32, but got 'f16'}}
  %0 = nv_tileaa.dot %a, %b, %c scales(%s, %t) : tensor<16x64xf8E5M2>, tensor<64x16xf8E5M2>, tensor<16x16xf16> scales(tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU>)
  return
}

// -----

func.func @reduce_nothing() {
  // expected-error @below {{'nv_tileaa.reduce' op expect at least 1 operand}}
  "nv_tileaa.reduce"() <{axis = 0 : i32, identities = []}> ({
  ^bb0:
    nv_tileaa.yield
  }) : () -> ()
  return
}

// -----

func.func @reduce_results(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect same number of operands and results}}
  %0:2 = "nv_tileaa.reduce"(%a) <{axis = 0 : i32, identities = [0.0 : f32]}> ({
  ^bb0(%x: f32, %y: f32):
    nv_tileaa.yield %x : f32
  }) : (tensor<4xf32>) -> (f32, f32)
  return
}

// -----

func.func @reduce_shapes(%a: tensor<4xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect all operands to have the same shape}}
  %0:2 = nv_tileaa.reduce %a, %b axis = 0 identities = [0.0 : f32, 0.0 : f32] : tensor<4xf32>, tensor<8xf32> -> f32, f32 {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32):
    nv_tileaa.yield %x, %z : f32, f32
  }
  return
}

// -----

func.func @reduce_yield(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect 1 yielded values but got: 2}}
  %0 = nv_tileaa.reduce %a axis = 0 identities = [0.0 : f32] : tensor<4xf32> -> f32 {
  ^bb0(%x: f32, %y: f32):
    nv_tileaa.yield %x, %y : f32, f32
  }
  return
}

// -----

func.func @reduce_argument_type(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect block arguments and yielded value of operand at index: 0 to have type 'f32'}}
  %0 = nv_tileaa.reduce %a axis = 0 identities = [0.0 : f32] : tensor<4xf32> -> f32 {
  ^bb0(%x: f32, %y: f64):
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @reduce_terminator(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expects regions to end with 'nv_tileaa.yield', found 'llvm.unreachable'}}
  // expected-note @below {{in custom textual format, the absence of terminator implies 'nv_tileaa.yield'}}
  %0 = "nv_tileaa.reduce"(%a) <{axis = 0 : i32, identities = [0.0 : f32]}> ({
  ^bb0(%x: f32, %y: f32):
    llvm.unreachable
  }) : (tensor<4xf32>) -> f32
  return
}

// -----

func.func @scan_result(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.scan' op expect result at index: 0 to have type 'tensor<4xf32>', but got 'tensor<8xf32>'}}
  %0 = nv_tileaa.scan %a axis = 0 identities = [0.0 : f32] : tensor<4xf32> -> tensor<8xf32> {
  ^bb0(%x: f32, %y: f32):
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @permute_count(%a: tensor<4x4xf32>) {
  // expected-error @below {{'nv_tileaa.permute' op expects 2 permutation entries, but got 1}}
  %0 = nv_tileaa.permute %a [0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @permute_range(%a: tensor<4x4xf32>) {
  // expected-error @below {{'nv_tileaa.permute' op expects permutation entries in [0, 2), but got 2}}
  %0 = nv_tileaa.permute %a [0, 2] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @cat_axis(%a: tensor<4x4xf32>) {
  // expected-error @below {{'nv_tileaa.cat' op axis (2) is out of bound [0, 2)}}
  %0 = nv_tileaa.cat %a, %a axis = 2 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @cat_length(%a: tensor<4x4xf32>) {
  // expected-error @below {{'nv_tileaa.cat' op invalid concat at position 0, expected 8 but got 4}}
  %0 = nv_tileaa.cat %a, %a axis = 0 : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @generate_arguments(%a: f32) {
  // expected-error @below {{'nv_tileaa.generate' op expects one index argument per result dimension}}
  %0 = nv_tileaa.generate %a : f32 -> tensor<4xf32> {
  ^bb0(%i: i32):
    nv_tileaa.yield %a : f32
  }
  return
}

// -----

func.func @generate_yield(%a: f64) {
  // expected-error @below {{'nv_tileaa.generate' op expects its region to yield one 'f32'}}
  %0 = nv_tileaa.generate %a : f64 -> tensor<4xf32> {
  ^bb0(%i: index):
    nv_tileaa.yield %a : f64
  }
  return
}
