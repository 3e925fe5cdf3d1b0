// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

cuda_tile.testing$func @join_tokens_c1(%t: token) {
  // expected-error @below {{'cuda_tile.join_tokens' op expect two or more tokens}}
  %0 = join_tokens %t : token
  return
}

// -----

cuda_tile.testing$func @alloca_c1() {
  // expected-error @below {{'cuda_tile.alloca' op 'alignment' must be power of two}}
  %0 = alloca num_elem = 4, alignment = 3 : tile<ptr<f32>>
  return
}

// -----

cuda_tile.testing$func @alloca_c1_zero() {
  // expected-error @below {{'cuda_tile.alloca' op 'alignment' must be power of two}}
  %0 = alloca num_elem = 4, alignment = 0 : tile<ptr<f32>>
  return
}

// -----

cuda_tile.testing$func @alloca_c2() {
  // expected-error @below {{'cuda_tile.alloca' op 'alignment' (2) must be at least the natural size (4 bytes) for element type 'f32'}}
  %0 = alloca num_elem = 4, alignment = 2 : tile<ptr<f32>>
  return
}

// -----

cuda_tile.testing$func @alloca_num_elem() {
  // expected-error @below {{'cuda_tile.alloca' op attribute 'num_elem' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
  %0 = alloca num_elem = -1, alignment = 4 : tile<ptr<f32>>
  return
}

// -----

cuda_tile.testing$func @alloca_result() {
  // expected-error @below {{'cuda_tile.alloca' op result #0 must be 0D tile of Pointer type values, but got '!cuda_tile.tile<2xptr<f32>>'}}
  %0 = alloca num_elem = 1, alignment = 4 : tile<2xptr<f32>>
  return
}

// -----

cuda_tile.testing$func @load_ptr_c1_order(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op expect one of: weak, relaxed, or acquire, but got: release}}
  %0, %1 = load_ptr_tko release device %p : tile<4xptr<f32>> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_ptr_c1_weak(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op weak load must not have memory scope}}
  %0, %1 = load_ptr_tko weak device %p : tile<4xptr<f32>> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_ptr_c1_scope(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op memory scope is required for relaxed load}}
  %0, %1 = load_ptr_tko relaxed %p : tile<4xptr<f32>> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_ptr_pointee(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op failed to verify that `source` type is expected a pointer type of `result` type}}
  %0, %1 = load_ptr_tko weak %p : tile<4xptr<f32>> -> tile<4xi32>, token
  return
}

// -----

cuda_tile.testing$func @load_ptr_mask(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op failed to verify that shape of 'mask' must match the shape of 'source'}}
  %0, %1 = load_ptr_tko weak %p, %n : tile<4xptr<f32>>, tile<8xi1> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_ptr_padding(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.load_ptr_tko' op failed to verify that type of 'paddingValue' must match the type of 'result'}}
  %0, %1 = load_ptr_tko weak %p, %m, %w : tile<4xptr<f32>>, tile<4xi1>, tile<8xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_ptr_keyword(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{expected string or keyword containing one of the following enum values for attribute 'memory_ordering_semantics' [weak, relaxed, acquire, release, acq_rel]}}
  %0, %1 = load_ptr_tko strong %p : tile<4xptr<f32>> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @store_ptr_c1_order(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op expect one of: weak, relaxed, or release, but got: acquire}}
  %0 = store_ptr_tko acquire device %p, %v : tile<4xptr<f32>>, tile<4xf32> -> token
  return
}

// -----

cuda_tile.testing$func @store_ptr_c1_weak(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op weak store must not have memory scope}}
  %0 = store_ptr_tko weak device %p, %v : tile<4xptr<f32>>, tile<4xf32> -> token
  return
}

// -----

cuda_tile.testing$func @store_ptr_c1_scope(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op memory scope is required for release store}}
  %0 = store_ptr_tko release %p, %v : tile<4xptr<f32>>, tile<4xf32> -> token
  return
}

// -----

cuda_tile.testing$func @store_ptr_pointee(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op failed to verify that `destination` type is expected a pointer type of `value` type}}
  %0 = store_ptr_tko weak %p, %w : tile<4xptr<f32>>, tile<8xf32> -> token
  return
}

// -----

cuda_tile.testing$func @store_ptr_mask(%p: tile<4xptr<f32>>, %m: tile<4xi1>, %n: tile<8xi1>, %v: tile<4xf32>, %w: tile<8xf32>) {
  // expected-error @below {{'cuda_tile.store_ptr_tko' op failed to verify that shape of 'destination' must match the shape of 'mask'}}
  %0 = store_ptr_tko weak %p, %v, %n : tile<4xptr<f32>>, tile<4xf32>, tile<8xi1> -> token
  return
}

// -----

cuda_tile.testing$func @rmw_c1(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op expected pointee type ('i32') to match element type of 'arg' ('i64')}}
  %0, %1 = atomic_rmw_tko relaxed device %p, add, %l : tile<4xptr<i32>>, tile<4xi64> -> tile<4xi64>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c2(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op failed to verify that all of {pointers, arg, mask} have same shape}}
  %0, %1 = atomic_rmw_tko relaxed device %p, add, %i, %n : tile<4xptr<i32>>, tile<4xi32>, tile<8xi1> -> tile<4xi32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_and(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'and' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, and, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_or(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'or' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, or, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_xor(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'xor' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, xor, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_add(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'add' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, add, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_max(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'max' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, max, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_min(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'min' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, min, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_umax(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'umax' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, umax, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_umin(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'umin' works only with integers i32 and i64}}
  %0, %1 = atomic_rmw_tko relaxed device %f, umin, %x : tile<4xptr<f32>>, tile<4xf32> -> tile<4xf32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_addf(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'addf' works only with floats f16, bf16, f32, and f64}}
  %0, %1 = atomic_rmw_tko relaxed device %p, addf, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c3_xchg(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op 'xchg' works only with integers or float of 32 or 64 bitwidth}}
  %0, %1 = atomic_rmw_tko relaxed device %h, xchg, %s : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token
  return
}

// -----

cuda_tile.testing$func @rmw_c4(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
  %0, %1 = atomic_rmw_tko weak device %p, add, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_shape(%p: tile<4xptr<i32>>, %i: tile<8xi32>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op failed to verify that all of {pointers, arg, result} have same shape}}
  %0, %1 = atomic_rmw_tko relaxed device %p, add, %i : tile<4xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
  return
}

// -----

cuda_tile.testing$func @rmw_type(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_rmw_tko' op failed to verify that all of {arg, result} have same type}}
  %0, %1 = atomic_rmw_tko relaxed device %p, add, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi64>, token
  return
}

// -----

cuda_tile.testing$func @cas_c1(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_cas_tko' op expected pointee type ('i32') to match element type of 'val' ('i64')}}
  %0, %1 = atomic_cas_tko relaxed device %p, %l, %l : tile<4xptr<i32>>, tile<4xi64> -> tile<4xi64>, token
  return
}

// -----

cuda_tile.testing$func @cas_c2(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_cas_tko' op expect only float or integer types with 32 or 64 bit}}
  %0, %1 = atomic_cas_tko relaxed device %h, %s, %s : tile<4xptr<i16>>, tile<4xi16> -> tile<4xi16>, token
  return
}

// -----

cuda_tile.testing$func @cas_c3(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_cas_tko' op failed to verify that all of {pointers, val, cmp and mask} have same shape}}
  %0, %1 = atomic_cas_tko relaxed device %p, %i, %i, %n : tile<4xptr<i32>>, tile<4xi32>, tile<8xi1> -> tile<4xi32>, token
  return
}

// -----

cuda_tile.testing$func @cas_c4(%p: tile<4xptr<i32>>, %f: tile<4xptr<f32>>, %h: tile<4xptr<i16>>, %i: tile<4xi32>, %l: tile<4xi64>, %x: tile<4xf32>, %s: tile<4xi16>, %n: tile<8xi1>) {
  // expected-error @below {{'cuda_tile.atomic_cas_tko' op memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
  %0, %1 = atomic_cas_tko weak device %p, %i, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_element(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{expected either integer or SSA value}}
  %0 = make_tensor_view %p, shape = [x, 8], strides = [8, 1] : tile<i32> -> tensor_view<?x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_type(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  %0 = make_tensor_view %p, shape = [8], strides = [1] : tile<i32>
  // expected-error @below {{expected 'tensor_view' type, but got '!cuda_tile.tile<i32>'}}
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_shape_count(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{expected shape declaration to contain 2 elements due to tensor_view type, but 1 were provided}}
  %0 = make_tensor_view %p, shape = [%n], strides = [8, 1] : tile<i32> -> tensor_view<?x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_stride_count(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{expected stride declaration to contain 2 elements due to tensor_view type, but 1 were provided}}
  %0 = make_tensor_view %p, shape = [%n, 8], strides = [8] : tile<i32> -> tensor_view<?x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_shape(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{input shape dimension 0 does not match tensor_view type (expected dynamic, got 4)}}
  %0 = make_tensor_view %p, shape = [4, 8], strides = [8, 1] : tensor_view<?x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_stride(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{input stride dimension 0 does not match tensor_view type (expected 8, got 4)}}
  %0 = make_tensor_view %p, shape = [%n, 8], strides = [4, 1] : tile<i32> -> tensor_view<?x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_c1(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected pointer to 'f16' to build tensor_view of this type, got 'f32'}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?x8xf16, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_c2_shape(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected 1 dynamic shape operands, got 0}}
  %0 = "cuda_tile.make_tensor_view"(%p) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!cuda_tile.tile<ptr<f32>>) -> !cuda_tile.tensor_view<?x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_c2_stride(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected 0 dynamic stride operands, got 1}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> !cuda_tile.tensor_view<?x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_c3_shape(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected dynamic shape index 1 to be of the same type as the other dynamic values ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n, %l) <{operandSegmentSizes = array<i32: 1, 2, 0>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?x?xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_c3_stride(%p: tile<ptr<f32>>, %n: tile<i32>, %l: tile<i64>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op expected dynamic stride index 0 to be of the same type as the other dynamic values ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
  %0 = "cuda_tile.make_tensor_view"(%p, %n, %l) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (!cuda_tile.tile<ptr<f32>>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> !cuda_tile.tensor_view<?x8xf32, strides=[?,1]>
  return
}

// -----

cuda_tile.testing$func @make_partition_view_type(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{expected 'partition_view' type, but got '!cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>>'}}
  %0 = make_partition_view %v : strided_view<tile=(4x4), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>>
  return
}

// -----

cuda_tile.testing$func @make_partition_view_c1(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{'cuda_tile.make_partition_view' op expected the type of the provided tensor_view value ('!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>') to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>')}}
  %0 = "cuda_tile.make_partition_view"(%v) : (!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>) -> !cuda_tile.partition_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>>
  return
}

// -----

cuda_tile.testing$func @make_strided_view_type(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{expected 'strided_view' type, but got '!cuda_tile.gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>'}}
  %0 = make_strided_view %v : gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>
  return
}

// -----

cuda_tile.testing$func @make_strided_view_c1(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{'cuda_tile.make_strided_view' op expected the type of the provided tensor_view value ('!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>') to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>')}}
  %0 = "cuda_tile.make_strided_view"(%v) : (!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>) -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,1], tensor_view<8x8xf32, strides=[8,1]>>
  return
}

// -----

cuda_tile.testing$func @make_gather_scatter_view_type(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{expected 'gather_scatter_view' type, but got '!cuda_tile.partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>'}}
  %0 = make_gather_scatter_view %v : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>
  return
}

// -----

cuda_tile.testing$func @make_gather_scatter_view_c1(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{'cuda_tile.make_gather_scatter_view' op expected the type of the provided tensor_view value ('!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>') to be the same as the view's tensor_view type ('!cuda_tile.tensor_view<8x8xf32, strides=[8,1]>')}}
  %0 = "cuda_tile.make_gather_scatter_view"(%v) : (!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>) -> !cuda_tile.gather_scatter_view<tile=(4x4), tensor_view<8x8xf32, strides=[8,1]>, sparse_dim=0>
  return
}

// -----

cuda_tile.testing$func @get_tensor_shape_type(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>) {
  // expected-error @below {{expected tensor_view, got '!cuda_tile.partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>'}}
  %0 = get_tensor_shape %v : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>> -> tile<i32>
  return
}

// -----

cuda_tile.testing$func @get_tensor_shape_c1(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{'cuda_tile.get_tensor_shape' op expected 2 results due to tensor rank, but got 1}}
  %0 = "cuda_tile.get_tensor_shape"(%v) : (!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>) -> !cuda_tile.tile<i32>
  return
}

// -----

cuda_tile.testing$func @get_index_space_shape_type(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{expected tile view, got '!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>'}}
  %0 = get_index_space_shape %v : tensor_view<?x8xf32, strides=[8,1]> -> tile<i32>
  return
}

// -----

cuda_tile.testing$func @get_index_space_shape_c1(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>) {
  // expected-error @below {{'cuda_tile.get_index_space_shape' op expected 2 results due to view index space rank, but got 1}}
  %0 = "cuda_tile.get_index_space_shape"(%v) : (!cuda_tile.partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>) -> !cuda_tile.tile<i32>
  return
}

// -----

cuda_tile.testing$func @get_tensor_shape_result(%v: tensor_view<?x8xf32, strides=[8,1]>) {
  // expected-error @below {{'cuda_tile.get_tensor_shape' op result #0 must be variadic of 0D tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<2xi32>'}}
  %0, %1 = get_tensor_shape %v : tensor_view<?x8xf32, strides=[8,1]> -> tile<2xi32>
  return
}

// -----

cuda_tile.testing$func @load_view_order(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{invalid memory_ordering_semantics attribute specification. Got "strong" but expect one of: weak, relaxed, acquire, release, acq_rel}}
  %0, %1 = load_view_tko strong %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_weak_scope(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{operation specifies weak memory ordering semantics, but then provides "device" scope, expected no memory scope.}}
  %0, %1 = load_view_tko weak device %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_scope(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{invalid memory_scope attribute specification. Got "cluster" but expect one of: tl_blk, device, sys}}
  %0, %1 = load_view_tko relaxed cluster %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_index_type(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{expected valid keyword}}
  // expected-error @below {{expected index type after comma}}
  %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, 3 -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_no_index_type(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>> -> tile<4x4xf32>, token
  // expected-error @below {{index types must be specified when indices are present}}
  return
}

// -----

cuda_tile.testing$func @load_view_index_types(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{expected 2 index types, got 3}}
  %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32>, tile<i32>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c1(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected 2 index operands (based on view type), got 1}}
  %0, %1 = load_view_tko weak %v[%i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c2(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected tile type to be '!cuda_tile.tile<4x4xf32>' (based on view type), got '!cuda_tile.tile<8x4xf32>'}}
  %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<8x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c3_scalar(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected index type to be a scalar tile, got '!cuda_tile.tile<4xi32>'}}
  %0, %1 = load_view_tko weak %v[%r, %r] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<4xi32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c3_same(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected index type 1 to be the same as other index types ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
  %0, %1 = load_view_tko weak %v[%i, %j] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32>, tile<i64> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c3_gather_rank(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected index at sparse_dim position 0 to be a 1D tensor for GatherScatterView, got rank 2}}
  %0, %1 = load_view_tko weak %g[%rr, %i] : gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, tile<4x4xi32>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c3_gather_size(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected gather/scatter index size (8) to match tile shape at gather/scatter dimension 0 (4)}}
  %0, %1 = load_view_tko weak %g[%s, %i] : gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c3_gather_scalar(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected index 1 to be a scalar tile for GatherScatterView}}
  %0, %1 = load_view_tko weak %g[%r, %r] : gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, tile<4xi32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c3_gather_same(%g: gather_scatter_view<tile=(4x4x4), tensor_view<8x8x8xf32, strides=[64,8,1]>, sparse_dim=1>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expected scalar index 2 to have the same type as other scalar indices ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
  %0, %1 = load_view_tko weak %g[%i, %r, %j] : gather_scatter_view<tile=(4x4x4), tensor_view<8x8x8xf32, strides=[64,8,1]>, sparse_dim=1>, tile<i32>, tile<4xi32>, tile<i64> -> tile<4x4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c3_gather_f4(%g: gather_scatter_view<tile=(4x4), tensor_view<8x8xf4E2M1FN, strides=[8,1]>, sparse_dim=1>, %i: tile<i32>, %r: tile<4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op an f4 gather/scatter view cannot use packing dimension 1 as its sparse dimension}}
  %0, %1 = load_view_tko weak %g[%i, %r] : gather_scatter_view<tile=(4x4), tensor_view<8x8xf4E2M1FN, strides=[8,1]>, sparse_dim=1>, tile<i32>, tile<4xi32> -> tile<4x4xf4E2M1FN>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c4_order(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op expect one of: weak, relaxed, or acquire, but got: release}}
  %0, %1 = load_view_tko release device %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_c4_scope(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op memory scope is required for acquire load}}
  %0, %1 = load_view_tko acquire %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_index_kind(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op operand #1 must be variadic of tile of i1 or i8 or i16 or i32 or i64 values, but got '!cuda_tile.tile<f32>'}}
  %0, %1 = load_view_tko weak %v[%f, %f] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<f32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @load_view_view(%v: tensor_view<?x8xf32, strides=[8,1]>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op operand #0 must be TileView instance, but got '!cuda_tile.tensor_view<?x8xf32, strides=[8,1]>'}}
  %0, %1 = load_view_tko weak %v[%i, %i] : tensor_view<?x8xf32, strides=[8,1]>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

cuda_tile.testing$func @store_view_c1(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected 2 index operands (based on view type), got 1}}
  %0 = store_view_tko weak %x, %v[%i] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_view_c2(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected tile type to be '!cuda_tile.tile<4x4xf32>' (based on view type), got '!cuda_tile.tile<4x4xf16>'}}
  %0 = store_view_tko weak %h, %v[%i, %i] : tile<4x4xf16>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_view_c3(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expected index type 1 to be the same as other index types ('!cuda_tile.tile<i32>'), got '!cuda_tile.tile<i64>'}}
  %0 = store_view_tko weak %x, %v[%i, %j] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32>, tile<i64> -> token
  return
}

// -----

cuda_tile.testing$func @store_view_c4_order(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op expect one of: weak, relaxed, or release, but got: acquire}}
  %0 = store_view_tko acquire device %x, %v[%i, %i] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @store_view_c4_scope(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op memory scope is required for relaxed store}}
  %0 = store_view_tko relaxed %x, %v[%i, %i] : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_order(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{invalid memory_ordering_semantics: 'strong'; expected one of: weak, relaxed, acquire, release, acq_rel}}
  %0 = atomic_red_view_tko strong device %v[%i, %i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_scope(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{invalid memory_scope: 'cluster'; expected one of: tl_blk, device, sys}}
  %0 = atomic_red_view_tko relaxed cluster %v[%i, %i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_mode(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{unknown atomic RMW mode: 'nand'; expected one of: and, or, xor, add, addf, max, min, umax, umin}}
  %0 = atomic_red_view_tko relaxed device %v[%i, %i], nand, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_no_scope(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op requires attribute 'memory_scope'}}
  %0 = atomic_red_view_tko relaxed %v[%i, %i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c1_gather(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op gather_scatter_view is not supported; use partition_view instead}}
  %0 = atomic_red_view_tko relaxed device %g[%r, %i], addf, %x : tile<4x4xf32>, gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c1_padding(%v: partition_view<tile=(4x4), padding_value = zero, tensor_view<?x8xf32, strides=[8,1]>>, %x: tile<4x4xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op views with padding_value are not supported for atomic reductions}}
  %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), padding_value = zero, tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c2_element(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op view element type ('f32') must match value element type ('f16')}}
  %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %h : tile<4x4xf16>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c2_shape(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op view tile shape 4, 4 must match value shape 8, 4 for element-wise atomic operations}}
  %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %y : tile<8x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c3_xchg(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op atomic_red_view_tko op cannot use xchg operation}}
  %0 = atomic_red_view_tko relaxed device %v[%i, %i], xchg, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c3_mode(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op 'umin' works only with integers i32 and i64}}
  %0 = atomic_red_view_tko relaxed device %v[%i, %i], umin, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c4_order(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op only 'relaxed' memory ordering is supported for view-based atomic reductions}}
  %0 = atomic_red_view_tko acq_rel device %v[%i, %i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c4_scope(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'device' for TMA compatibility}}
  %0 = atomic_red_view_tko relaxed sys %v[%i, %i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c5_count(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op expected 2 index operand(s) for view with tile rank 2, got 1}}
  %0 = atomic_red_view_tko relaxed device %v[%i], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_c5_scalar(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %g: gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>, %i: tile<i32>, %j: tile<i64>, %r: tile<4xi32>, %s: tile<8xi32>, %x: tile<4x4xf32>, %h: tile<4x4xf16>, %y: tile<8x4xf32>, %f: tile<f32>, %rr: tile<4x4xi32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op index operand 0 must be a scalar tile (rank 0), got shape 4}}
  %0 = atomic_red_view_tko relaxed device %v[%r, %r], addf, %x : tile<4x4xf32>, partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<4xi32> -> token
  return
}

// -----

cuda_tile.testing$func @load_view_c5(%v: partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.load_view_tko' op inbounds size (1) must match the number of index dimensions (2)}}
  %0, %1 = load_view_tko weak %v[%i, %i] inbounds = [true] : partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> tile<8x16xf32>, token
  return
}

// -----

cuda_tile.testing$func @store_view_c5(%v: partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, %x: tile<8x16xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.store_view_tko' op inbounds size (3) must match the number of index dimensions (2)}}
  %0 = store_view_tko weak %x, %v[%i, %i] inbounds = [true, true, true] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @atomic_red_c6(%v: partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, %x: tile<8x16xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op inbounds size (1) must match the number of index dimensions (2)}}
  %0 = atomic_red_view_tko relaxed device %v[%i, %i], addf, %x inbounds = [false] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_ptr_attr(%p: tile<ptr<f32>>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op pointer base without ptr_attr cannot produce tensor_view with ptr_attr}}
  %0 = make_tensor_view %p, shape = [8], strides = [1] : tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<none>>
  return
}

// -----

// expected-note @below {{prior use here}}
cuda_tile.testing$func @gdc_wait_token(%t: tile<i32>) {
  // expected-error @below {{use of value '%t' expects different type than prior uses: '!cuda_tile.token' vs '!cuda_tile.tile<i32>'}}
  %0 = gdc_wait_tko token = %t -> token
  return
}

// -----

cuda_tile.testing$func @gdc_launch_result(%t: token) {
  // expected-error @below {{'cuda_tile.gdc_launch_dependents_tko' op result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = gdc_launch_dependents_tko token = %t -> tile<i32>
  return
}

// -----

cuda_tile.testing$func @gdc_wait_result(%t: token) {
  // expected-error @below {{'cuda_tile.gdc_wait_tko' op result #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = gdc_wait_tko token = %t -> tile<i32>
  return
}

// -----

cuda_tile.testing$func @memory_fence_operand(%t: tile<i32>) {
  // expected-error @below {{'cuda_tile.memory_fence_alias_tko' op operand #0 must be cuda tile token type, but got '!cuda_tile.tile<i32>'}}
  %0 = "cuda_tile.memory_fence_alias_tko"(%t) : (!cuda_tile.tile<i32>) -> !cuda_tile.token
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_ptr_attr_lost(%p: tile<ptr<f32, <multicast>>>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op tensor_view must preserve ptr_attr from base pointer (#cuda_tile.ptr_attr<multicast>)}}
  %0 = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<8xf32, strides=[1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_ptr_attr_other(%p: tile<ptr<f32, <none>>>) {
  // expected-error @below {{'cuda_tile.make_tensor_view' op ptr_attr mismatch between base pointer (#cuda_tile.ptr_attr<none>) and result tensor_view (#cuda_tile.ptr_attr<unicast>)}}
  %0 = make_tensor_view %p, shape = [8], strides = [1] : tile<ptr<f32, <none>>> -> tensor_view<8xf32, strides=[1], #cuda_tile.ptr_attr<unicast>>
  return
}

// -----

cuda_tile.testing$func @atomic_red_c6_first(%v: partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, %x: tile<8x16xf32>, %i: tile<i32>) {
  // expected-error @below {{'cuda_tile.atomic_red_view_tko' op inbounds size (1) must match the number of index dimensions (2)}}
  %0 = atomic_red_view_tko acquire sys %v[%i, %i], addf, %x inbounds = [false] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token
  return
}

// -----

// Without an ordering, both errors are told.
cuda_tile.testing$func @load_view_no_order(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %i: tile<i32>) {
  // expected-error @below {{expected valid keyword}}
  // expected-error @below {{invalid memory_ordering_semantics attribute specification. Got "" but expect one of: weak, relaxed, acquire, release, acq_rel}}
  %0, %1 = load_view_tko %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32> -> tile<4x4xf32>, token
  return
}

// -----

// At the extent that is wrong.
cuda_tile.testing$func @make_tensor_view_line(%p: tile<ptr<f32>>) {
  %0 = make_tensor_view %p, shape = [8,
  // expected-error @below {{input shape dimension 1 does not match tensor_view type (expected 8, got 4)}}
                                     4], strides = [8, 1] : tensor_view<8x8xf32, strides=[8,1]>
  return
}

// -----

cuda_tile.testing$func @load_view_unknown_type(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %i: tile<i32>) {
  // expected-error @below {{unknown type: foo}}
  // expected-error @below {{expected index type after comma}}
  %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, foo -> tile<4x4xf32>, token
  return
}

// -----

// Only the first index type has the second message.
cuda_tile.testing$func @load_view_second_type(%v: partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, %i: tile<i32>) {
  // expected-error @below {{unknown type: foo}}
  %0, %1 = load_view_tko weak %v[%i, %i] : partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>, tile<i32>, foo -> tile<4x4xf32>, token
  return
}

// -----

// A type alone before the arrow is that of the extents.
// expected-note @below {{prior use here}}
cuda_tile.testing$func @make_tensor_view_pointer(%p: tile<ptr<f64>>, %n: tile<i32>) {
  // expected-error @below {{use of value '%n' expects different type than prior uses: '!cuda_tile.tile<ptr<f64>>' vs '!cuda_tile.tile<i32>'}}
  %0 = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f64>> -> tensor_view<?xf64, strides=[1]>
  return
}

// -----

cuda_tile.testing$func @make_tensor_view_no_extents(%p: tile<ptr<f64>>) {
  // expected-error @below {{expected 'tensor_view' type, but got '!cuda_tile.tile<ptr<f64>>'}}
  %0 = make_tensor_view %p, shape = [4], strides = [1] : tile<ptr<f64>> -> tensor_view<4xf32, strides=[1]>
  return
}
