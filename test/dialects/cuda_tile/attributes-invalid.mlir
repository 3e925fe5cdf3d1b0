// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{expected integer value}}
  // expected-error @below {{failed to parse parameter 'divisor' which is expected to be an integer}}
  %0 = assume div_by<x>, %x : tile<i32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' divisor must be a power of 2}}
  %0 = assume div_by<3>, %x : tile<i32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' divisor must be a power of 2}}
  %0 = assume div_by<0>, %x : tile<i32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<4xi32>) {
  // expected-error @below {{expected 'along'}}
  %0 = assume div_by<4, every 2>, %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<4xi32>) {
  // expected-error @below {{expected 'every'}}
  %0 = assume div_by<4, along 0>, %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i64>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' divisor is too large}}
  %0 = assume div_by<9223372036854775808>, %x : tile<i64>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tensor_view<?xf32, strides=[1]>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a tensor_view}}
  %0 = assume div_by<4, every 2 along 0>, %x : tensor_view<?xf32, strides=[1]>
  return
}

// -----

cuda_tile.testing$func @assume(%x: token) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values}}
  %0 = assume div_by<4>, %x : token
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' 'every'/'along' cannot be used if the constrained value is a 0D tile}}
  %0 = assume div_by<4, every 2 along 0>, %x : tile<i32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<f32>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' is valid only for tile of integer/pointer or tensor_view values}}
  %0 = assume div_by<4>, %x : tile<f32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.div_by' every_dim (1) must be >= 0 and < tile rank (1)}}
  %0 = assume div_by<4, every 2 along 1>, %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.assume' op expected 'cuda_tile.div_by' every_dim to be within 0 and the size of the respective dimension (4)}}
  %0 = assume div_by<4, every 8 along 0>, %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<4xf32>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.same_elements' is valid only for tile of integer/pointer values}}
  %0 = assume same_elements<[1]>, %x : tile<4xf32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.assume' op expected number of values in 'cuda_tile.same_elements' (2) to match rank of constrained tile (1)}}
  %0 = assume same_elements<[1, 1]>, %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.assume' op expected 'cuda_tile.same_elements' value 0 to be within 0 and the size of the respective dimension (4)}}
  %0 = assume same_elements<[8]>, %x : tile<4xi32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<f32>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.bounded' is valid only for tile of integer values}}
  %0 = assume bounded<0, 1>, %x : tile<f32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i8>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.bounded' expects lower bound to be within [-128, 127]}}
  %0 = assume bounded<-129, ?>, %x : tile<i8>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i8>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.bounded' expects upper bound to be within [-128, 127]}}
  %0 = assume bounded<?, 128>, %x : tile<i8>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i8>) {
  // expected-error @below {{'cuda_tile.assume' op 'cuda_tile.bounded' expects lower bound to be less than or equal to upper bound}}
  %0 = assume bounded<2, 1>, %x : tile<i8>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{unknown assume predicate attribute: odd (expected 'div_by', 'same_elements', or 'bounded')}}
  %0 = assume odd<1>, %x : tile<i32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{expected assume predicate attribute}}
  %0 = assume [1], %x : tile<i32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{expected assume predicate attribute}}
  %0 = assume #cuda_tile.rounding<zero>, %x : tile<i32>
  return
}

// -----

cuda_tile.testing$func @assume(%x: tile<i32>) {
  // expected-error @below {{expected valid keyword}}
  // expected-error @below {{expected attribute name}}
  %0 = assume %y, %x : tile<i32>
  return
}

// -----

cuda_tile.module @m {
  // expected-error @below {{duplicate optimization_hints key `sm_90`}}
  entry @e() optimization_hints=<sm_90 = {}, sm_90 = {}> {
  }
}

// -----

cuda_tile.module @m {
  // expected-error @below {{expected dictionary attribute for optimization_hints entry `sm_90` got value=1 : i64}}
  entry @e() optimization_hints=<sm_90 = 1> {
  }
}
