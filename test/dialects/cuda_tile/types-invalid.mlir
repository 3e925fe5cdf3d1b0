// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

// expected-error @below {{failed to verify 'pointeeType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64}}
func.func private @f() -> !cuda_tile.ptr<ptr<f32>>

// -----

// expected-error @below {{failed to verify 'pointeeType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64}}
func.func private @f() -> !cuda_tile.ptr<i4>

// -----

// expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64 or Pointer type or i4}}
func.func private @f() -> !cuda_tile.tile<4xindex>

// -----

// expected-error @below {{unknown type: pluto}}
func.func private @f() -> !cuda_tile.tile<4xpluto>

// -----

// expected-error @below {{expected static shape}}
func.func private @f() -> !cuda_tile.tile<?xf32>

// -----

// expected-error @below {{F4E2M1FN tiles must have an even number of elements}}
func.func private @f() -> !cuda_tile.tile<f4E2M1FN>

// -----

// expected-error @below {{F4E2M1FN tiles must have an even number of elements}}
func.func private @f() -> !cuda_tile.tile<1x1xf4E2M1FN>

// -----

// expected-error @below {{all dimensions must be positive constants, got 4, 0}}
func.func private @f() -> !cuda_tile.tile<4x0xf32>

// -----

// expected-error @below {{all dimensions must be powers of two, got 4, 3}}
func.func private @f() -> !cuda_tile.tile<4x3xf32>

// -----

// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
func.func private @f() -> !cuda_tile.tile<4096x8192xi1>

// -----

// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
func.func private @f() -> !cuda_tile.tile<4294967296x4294967296xi1>

// -----

// expected-error @below {{tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory accesses}}
func.func private @f() -> !cuda_tile.tile<2xptr<f4E2M1FN>>

// -----

// expected-error @below {{strides must not be provided for 0-d tiles}}
func.func private @f() -> !cuda_tile.tensor_view<f32, strides=[1]>

// -----

// expected-error @below {{unexpected token after element type in 0-d tensor_view}}
func.func private @f() -> !cuda_tile.tensor_view<f32, 3>

// -----

// expected-error @below {{expected 'strides'}}
func.func private @f() -> !cuda_tile.tensor_view<4xf32>

// -----

// expected-error @below {{expected either 64-bit integer or question mark}}
func.func private @f() -> !cuda_tile.tensor_view<4xf32, strides=[x]>

// -----

// expected-error @below {{expected strictly positive integer, got 0}}
func.func private @f() -> !cuda_tile.tensor_view<4xf32, strides=[0]>

// -----

// expected-error @below {{expected shape and stride to be of same rank but got shape of rank 1 and stride of rank 2}}
func.func private @f() -> !cuda_tile.tensor_view<4xf32, strides=[1,1]>

// -----

// expected-error @below {{dimensions must have strictly positive constant sizes but got [?, 0]}}
func.func private @f() -> !cuda_tile.tensor_view<?x0xf32, strides=[1,1]>

// -----

// expected-error @below {{failed to verify 'elementType': f16 or bf16 or f32 or tf32 or f64 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN or i1 or i8 or i16 or i32 or i64}}
func.func private @f() -> !cuda_tile.tensor_view<4xi4, strides=[1]>

// -----

// expected-error @below {{tile dimension 1 exceeds i32 limitations (got 0, expected strictly positive and less than or equal to 2147483647)}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x0), tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{tile dimension 0 exceeds i32 limitations (got 2147483648, expected strictly positive and less than or equal to 2147483647)}}
func.func private @f() -> !cuda_tile.partition_view<tile=(2147483648x4), tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{invalid padding_value attribute specification. Got "one" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x4), padding_value = one, tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{expected 'tensor_view' type, but got '!cuda_tile.tile<f32>'}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x4), tile<f32>>

// -----

// expected-error @below {{0-dimension tile shape is not supported}}
func.func private @f() -> !cuda_tile.partition_view<tile=(), tensor_view<f32>>

// -----

// expected-error @below {{expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4), tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, dim_map=[0]>

// -----

// expected-error @below {{expected dim_map to map exactly all 2 dimensions of the tile, got 1 mappings}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>, dim_map=[0]>

// -----

// expected-error @below {{tile shape dimensions must have power of two length but got [4, 3]}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x3), tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{tile shape dimensions must have power of two length but got [4, 3]}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x3), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{target dimension must not be negative, got -1}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, dim_map=[0, -1]>

// -----

// expected-error @below {{target dimension must not be negative, got -1}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>, dim_map=[0, -1]>

// -----

// expected-error @below {{target dimension is outside of tensor view dimensions, expected strictly less than 2, got 2}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, dim_map=[0, 2]>

// -----

// expected-error @below {{target dimension is outside of tensor view dimensions, expected strictly less than 2, got 2}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>, dim_map=[0, 2]>

// -----

// expected-error @below {{target dimension 1 mapped at least twice (for tile dimensions 0 and 1)}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, dim_map=[1, 1]>

// -----

// expected-error @below {{target dimension 1 mapped at least twice (for tile dimensions 0 and 1)}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>, dim_map=[1, 1]>

// -----

// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
func.func private @f() -> !cuda_tile.partition_view<tile=(8192x4096), tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
func.func private @f() -> !cuda_tile.strided_view<tile=(8192x4096), traversal_strides=[1,1], tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{padding_value nan can only be used with floating point element types, got 'i32'}}
func.func private @f() -> !cuda_tile.partition_view<tile=(4x4), padding_value = nan, tensor_view<?x8xi32, strides=[8,1]>>

// -----

// expected-error @below {{padding_value nan can only be used with floating point element types, got 'i32'}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,1], padding_value = nan, tensor_view<?x8xi32, strides=[8,1]>>

// -----

// expected-error @below {{expected 2 traversal strides, got 1}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1], tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{traversal strides must be strictly positive but got [1, 0]}}
func.func private @f() -> !cuda_tile.strided_view<tile=(4x4), traversal_strides=[1,0], tensor_view<?x8xf32, strides=[8,1]>>

// -----

// expected-error @below {{gather dimension is outside of tensor view dimensions, expected strictly less than 2, got 2}}
func.func private @f() -> !cuda_tile.gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=2>

// -----

// expected-error @below {{tile shape dimensions must have power of two length but got [4, 3]}}
func.func private @f() -> !cuda_tile.gather_scatter_view<tile=(4x3), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>

// -----

// expected-error @below {{expected tensor_view rank and tile rank to match, got tensor_view of rank 2 and tiles of rank 1}}
func.func private @f() -> !cuda_tile.gather_scatter_view<tile=(4), tensor_view<?x8xf32, strides=[8,1]>, sparse_dim=0>

// -----

// expected-error @below {{padding_value neg_inf can only be used with floating point element types, got 'i32'}}
func.func private @f() -> !cuda_tile.gather_scatter_view<tile=(4x4), padding_value = neg_inf, tensor_view<?x8xi32, strides=[8,1]>, sparse_dim=0>

// -----

// expected-error @below {{expected ','}}
func.func private @f() -> !cuda_tile.gather_scatter_view<tile=(4x4), tensor_view<?x8xf32, strides=[8,1]>>
