// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileAADialect.so --split-input-file --verify-diagnostics

// expected-error @below {{pointee must be a number, but got 'index'}}
func.func private @ptr_pointee(!nv_tileaa.ptr<index>)

// -----

// expected-error @below {{memory space 2 is unknown; expected 0, 1, 3, 4, 5, 6 or 7}}
func.func private @ptr_space(!nv_tileaa.ptr<f32, 2>)

// -----

// expected-error @below {{expected shape and stride to be of same rank but got shape of rank 2 and stride of rank 1}}
func.func private @memref_rank(!nv_tileaa.memref<4x4xf32, strides = [1]>)

// -----

// expected-error @below {{dimensions must have strictly positive constant sizes but got [0, ?]}}
func.func private @memref_size(!nv_tileaa.memref<0x?xf32, strides = [1, 1]>)

// -----

// expected-error @below {{dimensions must have strictly positive constant strides but got [?, -1]}}
func.func private @memref_stride(!nv_tileaa.memref<4x?xf32, strides = [?, -1]>)

// -----

// expected-error @below {{4-bit elements require a dimension of stride 1 and even size}}
func.func private @memref_packing(!nv_tileaa.memref<4x3xf4E2M1FN, strides = [3, 1]>)

// -----

// expected-error @below {{expected 'space' or 'scope'}}
func.func private @memref_parameter(!nv_tileaa.memref<4xf32, strides = [1], align = 3>)

// -----

// expected-error @below {{all dimensions must be powers of two, got 4, 3}}
func.func private @view_power(!nv_tileaa.tiled_view<4x3 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>)

// -----

// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
func.func private @view_size(!nv_tileaa.tiled_view<8192x4096 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>)

// -----

// expected-error @below {{expects all tile size bigger than zero}}
func.func private @view_zero(!nv_tileaa.tiled_view<4x0 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>)

// -----

// expected-error @below {{expects non-empty tileSizes}}
func.func private @view_empty(!nv_tileaa.tiled_view< of !nv_tileaa.memref<f32, strides = []>>)

// -----

// expected-error @below {{expects non-empty dimGroups}}
func.func private @view_dims(!nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>, dims = []>)

// -----

// expected-error @below {{expects rank of tileSizes be equal to rank of dimGroups, but got 2 vs 1}}
func.func private @view_groups(!nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, dims = [[0, 1]]>)

// -----

// expected-error @below {{expects dim is being tiled only one time, but got 0}}
func.func private @view_twice(!nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, dims = [0, 0]>)

// -----

// expected-error @below {{expects dims below the memref rank 2, but got 2}}
func.func private @view_beyond(!nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, dims = [0, 2]>)

// -----

// expected-error @below {{expects every memref dimension to be tiled, but got 1 of 2}}
func.func private @view_missing(!nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>)

// -----

// expected-error @below {{expects one positive step per tile dimension}}
func.func private @view_steps(!nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>, steps = [0]>)

// -----

// expected-error @below {{expects the sparse dimension to be below the tile rank 1, but got 1}}
func.func private @view_sparse(!nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>, sparse = 1>)

// -----

// expected-error @below {{special padding values (nan, pos_inf, neg_inf, neg_zero) only for float-like element types}}
func.func private @view_padding(!nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xi32, strides = [1]>, padding = nan>)

// -----

// expected-error @below {{unknown padding value 'one'}}
func.func private @view_padding_name(!nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>, padding = one>)

// -----

// expected-error @below {{num_warps must be a power of two in [1, 32]}}
func.func private @spec_warps() attributes {a = #nv_tileaa.kernel_spec<num_warps = 3, num_ctas = 1, cluster_dim = [1, 1, 1]>}

// -----

// expected-error @below {{cluster_dim product (2) must equal num_ctas (4)}}
func.func private @spec_cluster() attributes {a = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4, cluster_dim = [2, 1, 1]>}

// -----

// expected-error @below {{cluster_dim must have 3 numbers, but got 2}}
func.func private @spec_dims() attributes {a = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1]>}

// -----

// expected-error @below {{'nv_tileaa.num_warps' expects a 32-bit integer}}
gpu.module @attr_type attributes {nv_tileaa.num_warps = 4 : i64} {
}

// -----

// expected-error @below {{'nv_tileaa.ftz' expects a unit attribute}}
gpu.module @attr_unit attributes {nv_tileaa.ftz = true} {
}

// -----

// expected-error @below {{'nv_tileaa.fixed_warps' is not a valid attribute of 'gpu.module'}}
gpu.module @attr_fixed attributes {nv_tileaa.fixed_warps} {
}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.fixed_ctas' expects a unit attribute}}
  nv_tileaa.func kernel @fixed() attributes {nv_tileaa.fixed_ctas = 2 : i32} {
    nv_tileaa.return
  }
}

// -----

// expected-error @below {{'nv_tileaa.unknown' is not a valid attribute of 'gpu.module'}}
gpu.module @attr_name attributes {nv_tileaa.unknown} {
}

// -----

// expected-error @below {{'nv_tileaa.target_spec' is not a valid attribute of 'func.func'}}
func.func private @attr_carrier() attributes {nv_tileaa.target_spec = "sm_90"}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.noalias' is not a valid attribute of 'nv_tileaa.func'}}
  nv_tileaa.func @arg_pointer(%a: i32 {nv_tileaa.noalias}) {
    nv_tileaa.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.div_by' expects a 64-bit integer that is a power of two}}
  nv_tileaa.func @arg_div_by(%a: i32 {nv_tileaa.div_by = 3 : i64}) {
    nv_tileaa.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.func' op kernel function must not return values}}
  nv_tileaa.func kernel @func_c1(%a: i32) -> i32 {
    nv_tileaa.return %a : i32
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.func' op kernel function must be public}}
  nv_tileaa.func kernel private @func_c1() {
    nv_tileaa.return
  }
}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.func' op kernel_spec requires the kernel marker}}
  nv_tileaa.func @func_c2() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    nv_tileaa.return
  }
}

// -----

gpu.module @m {
  nv_tileaa.func @return_c1() -> i32 {
    // expected-error @below {{'nv_tileaa.return' op operand types must be the result types of '@return_c1'}}
    nv_tileaa.return
  }
}

// -----

func.func @return_parent() {
  // expected-error @below {{'nv_tileaa.return' op expects parent op 'nv_tileaa.func'}}
  nv_tileaa.return
}

// -----

gpu.module @m {
  nv_tileaa.func kernel @k() {
    // expected-error @below {{'nv_tileaa.call' op '@k' does not reference a device function}}
    nv_tileaa.call @k() : () -> ()
    nv_tileaa.return
  }
}

// -----

gpu.module @m {
  nv_tileaa.func @f(%a: i32) {
    // expected-error @below {{'nv_tileaa.call' op types must be those of '@f', which has type '(i32) -> ()'}}
    nv_tileaa.call @f() : () -> ()
    nv_tileaa.return
  }
}

// -----

func.func @addf_c1(%a: f32) {
  // expected-error @below {{'nv_tileaa.addf' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
  %0 = nv_tileaa.addf %a, %a rounding<approx> : f32
  return
}

// -----

func.func @addf_c2(%a: f16) {
  // expected-error @below {{'nv_tileaa.addf' op flush_to_zero modifier only supported for f32 data type, but got: 'f16'}}
  %0 = nv_tileaa.addf %a, %a ftz : f16
  return
}

// -----

func.func @divf_c1(%a: f64) {
  // expected-error @below {{'nv_tileaa.divf' op full modifier only supported for f32 data type, but got: 'f64'}}
  %0 = nv_tileaa.divf %a, %a rounding<full> : f64
  return
}

// -----

func.func @sqrt_c1(%a: f32) {
  // expected-error @below {{'nv_tileaa.sqrt' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx]}}
  %0 = nv_tileaa.sqrt %a rounding<full> : f32
  return
}

// -----

func.func @fp_to_fp_source(%a: i32) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op fp_to_fp source element type is not supported}}
  %0 = nv_tileaa.fp_to_fp %a : i32 -> f32
  return
}

// -----

func.func @fp_to_fp_result(%a: f32) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op fp_to_fp result element type is not supported}}
  %0 = nv_tileaa.fp_to_fp %a : f32 -> i32
  return
}

// -----

func.func @fp_to_fp_c1(%a: f32) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op source and result element types must differ}}
  %0 = nv_tileaa.fp_to_fp %a : f32 -> f32
  return
}

// -----

func.func @fp_to_fp_c2(%a: f32) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op invalid rounding mode specified, expect one of [zero, positive_inf]}}
  %0 = nv_tileaa.fp_to_fp %a : f32 -> f8E8M0FNU
  return
}

// -----

func.func @fp_to_fp_c2(%a: f32) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op invalid rounding mode specified, expect one of [nearest_even]}}
  %0 = nv_tileaa.fp_to_fp %a rounding<zero> : f32 -> f8E5M2
  return
}

// -----

func.func @fp_to_fp_c2(%a: f32) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op invalid rounding mode specified, expect one of [nearest_even, zero]}}
  %0 = nv_tileaa.fp_to_fp %a rounding<positive_inf> : f32 -> f16
  return
}

// -----

func.func @fp_to_fp_c2(%a: f64) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op invalid rounding mode specified, expect one of [nearest_even, zero]}}
  %0 = nv_tileaa.fp_to_fp %a rounding<negative_inf> : f64 -> f16
  return
}

// -----

func.func @fp_to_fp_c2(%a: f64) {
  // expected-error @below {{'nv_tileaa.fp_to_fp' op invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]}}
  %0 = nv_tileaa.fp_to_fp %a rounding<full> : f64 -> f32
  return
}

// -----

func.func @tile_power_of_two(%a: tensor<3xf32>) {
  // expected-error @below {{'nv_tileaa.exp2' op operand #0 must be tile of f16, bf16, f32 or f64, but got 'tensor<3xf32>'}}
  %0 = nv_tileaa.exp2 %a : tensor<3xf32>
  return
}

// -----

func.func @dot_c1(%a: tensor<4x4xf16>, %b: tensor<4x4xi8>) {
  // expected-error @below {{'nv_tileaa.dot' op expected the element types of A, B, C, and D to be either all integers or all floats.}}
  %0 = nv_tileaa.dot %a, %b, %a : tensor<4x4xf16>, tensor<4x4xi8>, tensor<4x4xf16>
  return
}

// -----

func.func @dot_c1(%a: tensor<4x4xi8>, %b: tensor<4x4xi16>, %c: tensor<4x4xi32>) {
  // expected-error @below {{'nv_tileaa.dot' op expects #A and #B have same bit width but got 8 vs 16}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<4x4xi8>, tensor<4x4xi16>, tensor<4x4xi32>
  return
}

// -----

func.func @dot_c1(%a: tensor<4x4xi8>, %c: tensor<4x4xi32>) {
  // expected-error @below {{'nv_tileaa.dot' op expect signedness attribute for operand A}}
  %0 = nv_tileaa.dot %a, %a, %c : tensor<4x4xi8>, tensor<4x4xi8>, tensor<4x4xi32>
  return
}

// -----

func.func @dot_c1(%a: tensor<4x4xf16>, %b: tensor<4x4xbf16>, %c: tensor<4x4xf32>) {
  // expected-error @below {{'nv_tileaa.dot' op expects #A and #B to have the same element type, but got 'f16' and 'bf16'}}
  %0 = nv_tileaa.dot %a, %b, %c : tensor<4x4xf16>, tensor<4x4xbf16>, tensor<4x4xf32>
  return
}

// -----

func.func @dot_c1(%a: tensor<4x4xbf16>, %c: tensor<4x4xf16>) {
  // expected-error @below {{'nv_tileaa.dot' op expects #C element type to be 'f32', but got 'f16'}}
  %0 = nv_tileaa.dot %a, %a, %c : tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xf16>
  return
}

// -----

func.func @dot_c1(%a: tensor<4x4xf16>, %c: tensor<4x4xf64>) {
  // expected-error @below {{'nv_tileaa.dot' op expects #C element type to be either f32 or f16, but got 'f64'}}
  %0 = nv_tileaa.dot %a, %a, %c : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf64>
  return
}

// -----

func.func @dot_c2(%a: tensor<4xf16>) {
  // expected-error @below {{'nv_tileaa.dot' op expects rank-2 or rank-3 tensor for result, but got (1)}}
  %0 = nv_tileaa.dot %a, %a, %a : tensor<4xf16>, tensor<4xf16>, tensor<4xf16>
  return
}

// -----

func.func @dot_c2(%a: tensor<4x8xf16>, %c: tensor<4x8xf16>) {
  // expected-error @below {{'nv_tileaa.dot' op expects the shape of operand #A and #B to be compatible}}
  %0 = nv_tileaa.dot %a, %a, %c : tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>
  return
}

// -----

func.func @dot_c2(%a: tensor<4x4xf16>, %c: tensor<4x8xf16>) {
  // expected-error @below {{'nv_tileaa.dot' op expects the shape of operand #C is compatible with operands #A and #B}}
  %0 = nv_tileaa.dot %a, %a, %c : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x8xf16>
  return
}

// -----

func.func @dot_c3(%a: tensor<4x64xf8E5M2>, %b: tensor<64x4xf8E5M2>, %c: tensor<4x4xf32>, %s: tensor<4x2xf8E8M0FNU>) {
  // expected-error @below {{'nv_tileaa.dot' op expects both SFA and SFB to be present}}
  %0 = "nv_tileaa.dot"(%a, %b, %c, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}>
       : (tensor<4x64xf8E5M2>, tensor<64x4xf8E5M2>, tensor<4x4xf32>, tensor<4x2xf8E8M0FNU>) -> tensor<4x4xf32>
  return
}

// -----

func.func @dot_c3(%a: tensor<4x64xf8E5M2>, %b: tensor<64x4xf8E5M2>, %c: tensor<4x4xf32>, %s: tensor<4x2xf8E4M3FN>) {
  // expected-error @below {{'nv_tileaa.dot' op unsupported scale factor type 'f8E4M3FN' for operand element type 'f8E5M2'}}
  %0 = nv_tileaa.dot %a, %b, %c scales(%s, %s) : tensor<4x64xf8E5M2>, tensor<64x4xf8E5M2>, tensor<4x4xf32> scales(tensor<4x2xf8E4M3FN>, tensor<4x2xf8E4M3FN>)
  return
}

// -----

func.func @dot_c3(%a: tensor<4x64xf8E5M2>, %b: tensor<64x4xf8E5M2>, %c: tensor<4x4xf32>, %s: tensor<4x4xf8E8M0FNU>) {
  // expected-error @below {{'nv_tileaa.dot' op expects block scale factor of 32 for 'f8E5M2' with 'f8E8M0FNU' scales, but got 16}}
  %0 = nv_tileaa.dot %a, %b, %c scales(%s, %s) : tensor<4x64xf8E5M2>, tensor<64x4xf8E5M2>, tensor<4x4xf32> scales(tensor<4x4xf8E8M0FNU>, tensor<4x4xf8E8M0FNU>)
  return
}

// -----

func.func @dot_c3(%a: tensor<4x64xf8E5M2>, %b: tensor<64x4xf8E5M2>, %c: tensor<4x4xf32>, %s: tensor<8x2xf8E8M0FNU>) {
  // expected-error @below {{'nv_tileaa.dot' op expects the shape of the scale factors to be compatible with operands #A and #B}}
  %0 = nv_tileaa.dot %a, %b, %c scales(%s, %s) : tensor<4x64xf8E5M2>, tensor<64x4xf8E5M2>, tensor<4x4xf32> scales(tensor<8x2xf8E8M0FNU>, tensor<8x2xf8E8M0FNU>)
  return
}

// -----

func.func @dot_c4(%a: tensor<4x4xf16>) {
  // expected-error @below {{'nv_tileaa.dot' op fast_acc requires 8-bit float operands}}
  %0 = nv_tileaa.dot %a, %a, %a fast_acc : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>
  return
}

// -----

func.func @dot_c4(%a: tensor<4x4xf16>) {
  // expected-error @below {{'nv_tileaa.dot' op input_precision requires f32 operands}}
  %0 = nv_tileaa.dot %a, %a, %a {input_precision = #nv_tileaa.input_precision<tf32>} : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>
  return
}

// -----

func.func @reduce_c1(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect same type for operand at index: 0 and identity at index: 0}}
  %0 = nv_tileaa.reduce %a axis = 0 identities = [0.0 : f16] : tensor<4xf32> -> f32 {
  ^bb0(%x: f32, %y: f32):
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @reduce_c1(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect one identity per operand}}
  %0 = nv_tileaa.reduce %a axis = 0 identities = [] : tensor<4xf32> -> f32 {
  ^bb0(%x: f32, %y: f32):
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @reduce_c1(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect result at index: 0 to have type 'f32', but got 'tensor<4xf32>'}}
  %0 = nv_tileaa.reduce %a axis = 0 identities = [0.0 : f32] : tensor<4xf32> -> tensor<4xf32> {
  ^bb0(%x: f32, %y: f32):
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @reduce_c2(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op dimension (1) is out of bound [0, 1)}}
  %0 = nv_tileaa.reduce %a axis = 1 identities = [0.0 : f32] : tensor<4xf32> -> f32 {
  ^bb0(%x: f32, %y: f32):
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @reduce_body(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.reduce' op expect 2 block arguments but got: 1}}
  %0 = nv_tileaa.reduce %a axis = 0 identities = [0.0 : f32] : tensor<4xf32> -> f32 {
  ^bb0(%x: f32):
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @reduce_c3(%a: tensor<4xf32>, %c: i1) {
  %0 = nv_tileaa.reduce %a axis = 0 identities = [0.0 : f32] : tensor<4xf32> -> f32 {
  ^bb0(%x: f32, %y: f32):
    // expected-error @below {{only pure operations are allowed inside 'nv_tileaa.reduce'}}
    nv_tileaa.assert %c, "no" : i1
    nv_tileaa.yield %x : f32
  }
  return
}

// -----

func.func @splat_c1(%a: f32) {
  // expected-error @below {{'nv_tileaa.splat' op expects the element type of the result to be 'f32'}}
  %0 = nv_tileaa.splat %a : f32 -> tensor<4xf16>
  return
}

// -----

func.func @broadcast_c1(%a: tensor<2x4xf32>) {
  // expected-error @below {{'nv_tileaa.broadcast' op expects the shape of source tile to be compatible with that of the result tile}}
  %0 = nv_tileaa.broadcast %a : tensor<2x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @expand_dims_axes(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.expand_dims' op expects axes to be ascending and below the result rank 3}}
  %0 = nv_tileaa.expand_dims %a axes = [1, 0] : tensor<4xf32> -> tensor<1x1x4xf32>
  return
}

// -----

func.func @view_c1(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.view' op expected source tile and result tile to have the same number of elements}}
  %0 = nv_tileaa.view %a : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @permute_c1(%a: tensor<4x4xf32>) {
  // expected-error @below {{'nv_tileaa.permute' op expects permutation entries to be unique, but got 0 twice}}
  %0 = nv_tileaa.permute %a [0, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @cat_c1(%a: tensor<4x4xf32>, %b: tensor<4x8xf32>) {
  // expected-error @below {{'nv_tileaa.cat' op invalid concat at position 1, expected 4 but got 8}}
  %0 = nv_tileaa.cat %a, %b axis = 0 : tensor<4x4xf32>, tensor<4x8xf32> -> tensor<8x4xf32>
  return
}

// -----

func.func @extract_c1(%a: tensor<4x4xf32>, %i: i32) {
  // expected-error @below {{'nv_tileaa.extract' op expects 2 indices, but got 1}}
  %0 = nv_tileaa.extract %a[%i] : tensor<4x4xf32> -> f32
  return
}

// -----

func.func @extract_slice_c1(%a: tensor<4xf32>, %i: i32) {
  // expected-error @below {{'nv_tileaa.extract_slice' op source dimension 0 size (4) must be evenly divisible by result dimension 0 size (8)}}
  %0 = nv_tileaa.extract_slice %a[%i] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @insert_slice_c1(%a: tensor<8xf32>, %b: tensor<4xf32>, %i: i32) {
  // expected-error @below {{'nv_tileaa.insert_slice' op destination dimension 0 size (4) must be evenly divisible by source dimension 0 size (8)}}
  %0 = nv_tileaa.insert_slice %a into %b[%i] : tensor<8xf32> into tensor<4xf32>
  return
}

// -----

func.func @insert_slice_indices(%a: tensor<4xf32>, %b: tensor<8xf32>) {
  // expected-error @below {{'nv_tileaa.insert_slice' op expects 1 indices, but got 0}}
  %0 = nv_tileaa.insert_slice %a into %b[] : tensor<4xf32> into tensor<8xf32>
  return
}

// -----

func.func @multimem_carrier(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.multimem' is not a valid attribute of 'nv_tileaa.load'}}
  %0, %1 = nv_tileaa.load weak %p {nv_tileaa.multimem = #nv_tileaa.rmw_mode<add>} : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @multimem_payload(%v: !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<8xf32, strides = [1]>>, %i: i32) {
  // expected-error @below {{'nv_tileaa.multimem' expects a mode of a reduction}}
  %0, %1 = nv_tileaa.tiled_load weak %v[%i] {nv_tileaa.multimem} : !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<8xf32, strides = [1]>>[i32] -> tensor<8xf32>
  return
}

// -----

func.func @make_range_c1() {
  // expected-error @below {{'nv_tileaa.make_range' op expects a one-dimensional result of end - start elements}}
  %0 = nv_tileaa.make_range 0 to 8 : tensor<4xi32>
  return
}

// -----

func.func @bitcast_c1(%a: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.bitcast' op expects rank-1 tiles of equal storage size, or pointer tiles of equal shape and memory space}}
  %0 = nv_tileaa.bitcast %a : tensor<4xf32> -> tensor<4xf16>
  return
}

// -----

func.func @addptr_c1(%p: tensor<4x!nv_tileaa.ptr<f32>>, %i: i32) {
  // expected-error @below {{'nv_tileaa.addptr' op expects pointers and offsets to have the same shape}}
  %0 = nv_tileaa.addptr %p, %i : tensor<4x!nv_tileaa.ptr<f32>>, i32
  return
}

// -----

func.func @make_memref_c1(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.make_memref' op expects 1 dynamic sizes, but got 0}}
  %0 = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
  return
}

// -----

func.func @make_memref_c1(%p: !nv_tileaa.ptr<f32>, %s: i64) {
  // expected-error @below {{'nv_tileaa.make_memref' op expects 0 dynamic strides, but got 1}}
  %0 = nv_tileaa.make_memref %p strides[%s] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<4xf32, strides = [1]>
  return
}

// -----

func.func @make_memref_c2(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.make_memref' op base pointee type 'f32' does not match memref element type 'f16'}}
  %0 = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<4xf16, strides = [1]>
  return
}

// -----

func.func @make_memref_c2(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.make_memref' op base memory space 1 does not match memref memory space 3}}
  %0 = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<4xf32, strides = [1], space = 3>
  return
}

// -----

func.func @make_memref_c2(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.make_memref' op alias scope 0 does not match memref scope 2}}
  %0 = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<4xf32, strides = [1], scope = 2>
  return
}

// -----

func.func @block_tile_c1(%m: !nv_tileaa.memref<4xf32, strides = [1]>) {
  // expected-error @below {{'nv_tileaa.block_tile' op expects a view of '!nv_tileaa.memref<4xf32, strides = [1]>', but got a view of '!nv_tileaa.memref<8xf32, strides = [1]>'}}
  %0 = nv_tileaa.block_tile %m : !nv_tileaa.memref<4xf32, strides = [1]> -> !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<8xf32, strides = [1]>>
  return
}

// -----

func.func @get_dim_size_c1(%m: !nv_tileaa.memref<4xf32, strides = [1]>) {
  // expected-error @below {{'nv_tileaa.get_dim_size' op dimension (1) is out of bound [0, 1)}}
  %0 = nv_tileaa.get_dim_size %m dim = 1 : !nv_tileaa.memref<4xf32, strides = [1]>
  return
}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.global' op expects a value of rank 1}}
  nv_tileaa.global @g = dense<0.0> : tensor<2x2xf32>
}

// -----

gpu.module @m {
  // expected-error @below {{'nv_tileaa.global' op 'alignment' must be power of two}}
  nv_tileaa.global @g align 3 = dense<0.0> : tensor<2xf32>
}

// -----

gpu.module @m {
  nv_tileaa.func @get_global_c1() {
    // expected-error @below {{'nv_tileaa.get_global' op '@g' does not reference a valid global}}
    %0 = nv_tileaa.get_global @g : !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}

// -----

gpu.module @m {
  nv_tileaa.global @g = dense<0.0> : tensor<2xf32>
  nv_tileaa.func @get_global_c2() {
    // expected-error @below {{'nv_tileaa.get_global' op pointee type of result 'f16' does not match the global's element type 'f32'}}
    %0 = nv_tileaa.get_global @g : !nv_tileaa.ptr<f16>
    nv_tileaa.return
  }
}

// -----

func.func @alloca_c1() {
  // expected-error @below {{'nv_tileaa.alloca' op 'alignment' must be power of two}}
  %0 = nv_tileaa.alloca 4 align 6 : !nv_tileaa.ptr<f32>
  return
}

// -----

func.func @alloca_c1() {
  // expected-error @below {{'nv_tileaa.alloca' op 'alignment' (2) must be at least the natural size (4 bytes) for element type 'f32'}}
  %0 = nv_tileaa.alloca 4 align 2 : !nv_tileaa.ptr<f32>
  return
}

// -----

func.func @load_c1(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.load' op mem_scope not supported when mem_semantic is weak}}
  %0, %t = nv_tileaa.load weak gpu %p : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @load_c1(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.load' op mem_scope required when mem_semantic is not weak}}
  %0, %t = nv_tileaa.load relaxed %p : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @load_c1(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.load' op unsupported mem_semantic: release}}
  %0, %t = nv_tileaa.load release gpu %p : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @load_c2(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.load' op expected pointee type ('f32') to match element type of the value ('f16')}}
  %0, %t = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> f16
  return
}

// -----

func.func @load_c2(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.load' op expects pointers and values to have the same shape}}
  %0, %t = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> tensor<2xf32>
  return
}

// -----

func.func @load_c3(%p: !nv_tileaa.ptr<f32>, %o: f32) {
  // expected-error @below {{'nv_tileaa.load' op 'other' requires 'mask'}}
  %0, %t = nv_tileaa.load weak %p other %o : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @load_latency(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileaa.load' op attribute 'latency' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 1 whose maximum value is 10}}
  %0, %t = nv_tileaa.load weak %p {latency = 11 : i32} : !nv_tileaa.ptr<f32> -> f32
  return
}

// -----

func.func @store_c1(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @below {{'nv_tileaa.store' op unsupported mem_semantic: acquire}}
  %t = nv_tileaa.store acquire gpu %p, %v : !nv_tileaa.ptr<f32>, f32
  return
}

// -----

func.func @store_c1(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @below {{'nv_tileaa.store' op unsupported mem_semantic: acq_rel}}
  %t = nv_tileaa.store acq_rel gpu %p, %v : !nv_tileaa.ptr<f32>, f32
  return
}

// -----

func.func @atomic_rmw_c1(%p: !nv_tileaa.ptr<i32>, %v: i32) {
  // expected-error @below {{'nv_tileaa.atomic_rmw' op memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
  %0, %t = nv_tileaa.atomic_rmw add weak %p, %v : !nv_tileaa.ptr<i32>, i32
  return
}

// -----

func.func @atomic_rmw_c3(%p: !nv_tileaa.ptr<f32>, %v: f32) {
  // expected-error @below {{'nv_tileaa.atomic_rmw' op 'add' works only with integers i32 and i64}}
  %0, %t = nv_tileaa.atomic_rmw add relaxed gpu %p, %v : !nv_tileaa.ptr<f32>, f32
  return
}

// -----

func.func @atomic_rmw_c3(%p: !nv_tileaa.ptr<i32>, %v: i32) {
  // expected-error @below {{'nv_tileaa.atomic_rmw' op 'addf' works only with floats f16, bf16, f32, and f64}}
  %0, %t = nv_tileaa.atomic_rmw addf relaxed gpu %p, %v : !nv_tileaa.ptr<i32>, i32
  return
}

// -----

func.func @atomic_rmw_c3(%p: !nv_tileaa.ptr<f16>, %v: f16) {
  // expected-error @below {{'nv_tileaa.atomic_rmw' op 'xchg' works only with integers or float of 32 or 64 bitwidth}}
  %0, %t = nv_tileaa.atomic_rmw xchg relaxed gpu %p, %v : !nv_tileaa.ptr<f16>, f16
  return
}

// -----

func.func @atomic_cas_c3(%p: !nv_tileaa.ptr<f16>, %v: f16) {
  // expected-error @below {{'nv_tileaa.atomic_cas' op expect only float or integer types with 32 or 64 bit}}
  %0, %t = nv_tileaa.atomic_cas relaxed gpu %p, %v, %v : !nv_tileaa.ptr<f16>, f16
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
func.func @tiled_load_c2(%v: !view, %i: i32) {
  // expected-error @below {{'nv_tileaa.tiled_load' op expects 2 coordinates, but got 1}}
  %0, %t = nv_tileaa.tiled_load weak %v[%i] : !view[i32] -> tensor<4x4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
func.func @tiled_load_c2(%v: !view, %i: i32, %j: i64) {
  // expected-error @below {{'nv_tileaa.tiled_load' op expects all coordinates to have one integer type, but got 'i32' and 'i64'}}
  %0, %t = nv_tileaa.tiled_load weak %v[%i, %j] : !view[i32, i64] -> tensor<4x4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
func.func @tiled_load_c2(%v: !view, %i: i32) {
  // expected-error @below {{'nv_tileaa.tiled_load' op expects 2 offsets, but got 1}}
  %0, %t = nv_tileaa.tiled_load weak %v[%i, %i] offsets[%i] : !view[i32, i32] -> tensor<4x4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
func.func @tiled_load_c2(%v: !view, %i: i32) {
  // expected-error @below {{'nv_tileaa.tiled_load' op incorrect number of in_bounds elements: expected 2, but found 1}}
  %0, %t = nv_tileaa.tiled_load weak %v[%i, %i] in_bounds = [true] : !view[i32, i32] -> tensor<4x4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
func.func @tiled_load_c2(%v: !view, %i: i32) {
  // expected-error @below {{'nv_tileaa.tiled_load' op requires the same shape for tileSize and tensor value}}
  %0, %t = nv_tileaa.tiled_load weak %v[%i, %i] : !view[i32, i32] -> tensor<4x8xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
func.func @tiled_load_c2(%v: !view, %i: i32) {
  // expected-error @below {{'nv_tileaa.tiled_load' op view elementType not equal with tensor element type: 'f32' != 'f16'}}
  %0, %t = nv_tileaa.tiled_load weak %v[%i, %i] : !view[i32, i32] -> tensor<4x4xf16>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, sparse = 0>
func.func @tiled_load_c3(%v: !view, %i: i32, %r: tensor<4xi32>) {
  // expected-error @below {{'nv_tileaa.tiled_load' op expects a view without sparse dimension}}
  %0, %t = nv_tileaa.tiled_load weak %v[%r, %i] : !view[tensor<4xi32>, i32] -> tensor<4x4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>>
func.func @gather_load_c3(%v: !view, %i: i32) {
  // expected-error @below {{'nv_tileaa.gather_load' op expects a view with a sparse dimension}}
  %0, %t = nv_tileaa.gather_load weak %v[%i, %i] : !view[i32, i32] -> tensor<4x4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4x4 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, sparse = 0>
func.func @gather_load_c3(%v: !view, %i: i32, %r: tensor<8xi32>) {
  // expected-error @below {{'nv_tileaa.gather_load' op expected gather/scatter index size (8) to match tile shape at dimension 0 (4)}}
  %0, %t = nv_tileaa.gather_load weak %v[%r, %i] : !view[tensor<8xi32>, i32] -> tensor<4x4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>>
func.func @tiled_atomic_rmw_c1(%v: !view, %i: i32, %x: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op only 'relaxed' memory ordering is supported for view-based atomic reductions}}
  %t = nv_tileaa.tiled_atomic_rmw add acq_rel gpu %v[%i], %x : !view[i32], tensor<4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>>
func.func @tiled_atomic_rmw_c1(%v: !view, %i: i32, %x: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'gpu'}}
  %t = nv_tileaa.tiled_atomic_rmw add relaxed sys %v[%i], %x : !view[i32], tensor<4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>, padding = zero>
func.func @tiled_atomic_rmw_c3(%v: !view, %i: i32, %x: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op views with padding are not supported for atomic reductions}}
  %t = nv_tileaa.tiled_atomic_rmw add relaxed gpu %v[%i], %x : !view[i32], tensor<4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xi8, strides = [1]>>
func.func @tiled_atomic_rmw_c4(%v: !view, %i: i32, %x: tensor<4xi8>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op tiled_atomic_rmw not supported for 8-bit types}}
  %t = nv_tileaa.tiled_atomic_rmw add relaxed gpu %v[%i], %x : !view[i32], tensor<4xi8>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xi16, strides = [1]>>
func.func @tiled_atomic_rmw_c4(%v: !view, %i: i32, %x: tensor<4xi16>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op tiled_atomic_rmw not supported for 16-bit integer}}
  %t = nv_tileaa.tiled_atomic_rmw add relaxed gpu %v[%i], %x : !view[i32], tensor<4xi16>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf16, strides = [1]>>
func.func @tiled_atomic_rmw_c4(%v: !view, %i: i32, %x: tensor<4xf16>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op tiled_atomic_rmw for 16-bit float only supports add, max, min operations}}
  %t = nv_tileaa.tiled_atomic_rmw umax relaxed gpu %v[%i], %x : !view[i32], tensor<4xf16>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>>
func.func @tiled_atomic_rmw_c4(%v: !view, %i: i32, %x: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op tiled_atomic_rmw op cannot use fadd operation, please use add instead for both int and float types}}
  %t = nv_tileaa.tiled_atomic_rmw addf relaxed gpu %v[%i], %x : !view[i32], tensor<4xf32>
  return
}

// -----

!view = !nv_tileaa.tiled_view<4 of !nv_tileaa.memref<?xf32, strides = [1]>>
func.func @tiled_atomic_rmw_c4(%v: !view, %i: i32, %x: tensor<4xf32>) {
  // expected-error @below {{'nv_tileaa.tiled_atomic_rmw' op tiled_atomic_rmw op cannot use xchg operation}}
  %t = nv_tileaa.tiled_atomic_rmw xchg relaxed gpu %v[%i], %x : !view[i32], tensor<4xf32>
  return
}

// -----

func.func @mark_for_reuse_c1(%a: i32) {
  // expected-error @below {{'nv_tileaa.mark_for_reuse' op expect operands with queue types}}
  nv_tileaa.mark_for_reuse %a : i32
  return
}

// -----

func.func @assume_div_by(%a: i32) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.div_by' divisor must be a power of 2}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.div_by<6>] : i32
  return
}

// -----

func.func @assume_div_by(%a: tensor<4xi32>) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.div_by' 'every'/'along' must be used in combination}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.div_by<4, every 2>] : tensor<4xi32>
  return
}

// -----

func.func @assume_div_by(%a: i32) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.div_by' divisor is too large}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.div_by<9223372036854775808>] : i32
  return
}

// -----

func.func @assume_div_by(%a: f32) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.div_by' is valid only for tile of integer/pointer or memref values}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.div_by<4>] : f32
  return
}

// -----

func.func @assume_div_by(%a: i32) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.div_by' 'every'/'along' cannot be used if the constrained value is a 0D tile}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.div_by<4, every 2 along 0>] : i32
  return
}

// -----

func.func @assume_div_by(%a: tensor<4xi32>) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.div_by' every_dim (1) must be >= 0 and < tile rank (1)}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.div_by<4, every 2 along 1>] : tensor<4xi32>
  return
}

// -----

func.func @assume_div_by(%a: tensor<4xi32>) {
  // expected-error @below {{'nv_tileaa.assume' op expected 'nv_tileaa.div_by' every_dim to be within 0 and the size of the respective dimension (4)}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.div_by<4, every 8 along 0>] : tensor<4xi32>
  return
}

// -----

func.func @assume_bounded(%a: f32) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.bounded' is valid only for tile of integer values}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.bounded<0, 1>] : f32
  return
}

// -----

func.func @assume_bounded(%a: i8) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.bounded' expects lower bound to be within [-128, 127]}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.bounded<-129, 1>] : i8
  return
}

// -----

func.func @assume_bounded(%a: i8) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.bounded' expects upper bound to be within [-128, 127]}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.bounded<0, 128>] : i8
  return
}

// -----

func.func @assume_bounded(%a: i8) {
  // expected-error @below {{'nv_tileaa.assume' op 'nv_tileaa.bounded' expects lower bound to be less than or equal to upper bound}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.bounded<2, 1>] : i8
  return
}

// -----

func.func @assume_same_elements(%a: tensor<4xi32>) {
  // expected-error @below {{'nv_tileaa.assume' op expected number of values in 'nv_tileaa.same_elements' (2) to match rank of constrained tile (1)}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.same_elements<[1, 1]>] : tensor<4xi32>
  return
}

// -----

func.func @assume_same_elements(%a: tensor<4xi32>) {
  // expected-error @below {{'nv_tileaa.assume' op expected 'nv_tileaa.same_elements' value 0 to be within 0 and the size of the respective dimension (4)}}
  %0 = nv_tileaa.assume %a [#nv_tileaa.same_elements<[8]>] : tensor<4xi32>
  return
}

// -----

func.func @assume_unknown(%a: i32) {
  // expected-error @below {{'nv_tileaa.assume' op unknown predicate 3 : i64}}
  %0 = nv_tileaa.assume %a [3] : i32
  return
}

// -----

func.func @print_format(%a: i32) {
  // expected-error @below {{'nv_tileaa.print' op found unterminated format expression}}
  %0 = nv_tileaa.print "%5", %a : i32
  return
}

// -----

func.func @print_c1(%a: i32) {
  // expected-error @below {{'nv_tileaa.print' op incorrect number of operands: expected 2, found 1}}
  %0 = nv_tileaa.print "%d %ld %%", %a : i32
  return
}

// -----

func.func @queue_put_c1(%q: !nv_tileaa.queue<i32>, %f: f32) {
  // expected-error @below {{'nv_tileaa.queue.put' op expects its region to yield the payload types}}
  nv_tileaa.queue.put %q : !nv_tileaa.queue<i32> {
    nv_tileaa.queue.yield %f : f32
  }
  return
}

// -----

func.func @queue_get_c1(%q: !nv_tileaa.queue<i32>) {
  // expected-error @below {{'nv_tileaa.queue.get' op expects its region to take the payload types}}
  %0 = nv_tileaa.queue.get %q : !nv_tileaa.queue<i32> -> f32 {
  ^bb0(%f: f32):
    nv_tileaa.queue.yield %f : f32
  }
  return
}

// -----

gpu.module @m {
  nv_tileaa.func @launch_func_c1(%x: i32) {
    // expected-error @below {{'nv_tileaa.launch_func' op must not stand inside a gpu.module}}
    nv_tileaa.launch_func @m::@k grid(%x, %x, %x)
    nv_tileaa.return
  }
}
