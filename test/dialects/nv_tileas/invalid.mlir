// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileASDialect.so --split-input-file --verify-diagnostics

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @alloc_tensor_c2() {
  // expected-error @below {{'nv_tileas.alloc_tensor' op 'alignment' and 'smem_offset' are for buffers}}
  %0 = nv_tileas.alloc_tensor {alignment = 8 : i32} : tensor<64xf32, #row>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @alloc_tensor_c1() {
  // expected-error @below {{'nv_tileas.alloc_tensor' op 'alignment' must be a power of two, got 12}}
  %0 = nv_tileas.alloc_tensor {alignment = 12 : i32} : !nv_tileas.buffer<64xf32, #smem>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
func.func @extract_slice_c1(%x: tensor<32x32xf32, #mat>, %i: i32) {
  // expected-error @below {{'nv_tileas.extract_slice' op slice must have the rank 2, but got 1}}
  %0 = nv_tileas.extract_slice %x[%i, %i] : tensor<32x32xf32, #mat> -> tensor<32xf32, #half>
  return
}

// -----

#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @extract_slice_c1_extent(%x: tensor<32xf32, #half>, %i: i32) {
  // expected-error @below {{'nv_tileas.extract_slice' op slice extent 64 does not divide extent 32 of dimension 0}}
  %0 = nv_tileas.extract_slice %x[%i] : tensor<32xf32, #half> -> tensor<64xf32, #row>
  return
}

// -----

#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @extract_slice_c1_element(%x: tensor<64xf32, #row>, %i: i32) {
  // expected-error @below {{'nv_tileas.extract_slice' op element types must be equal, but got 'f32' and 'f16'}}
  %0 = nv_tileas.extract_slice %x[%i] : tensor<64xf32, #row> -> tensor<32xf16, #half>
  return
}

// -----

#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @insert_slice_c2(%x: tensor<64xf32, #row>, %s: tensor<32xf32, #half>, %i: i32) {
  // expected-error @below {{'nv_tileas.insert_slice' op expects 1 offsets, but got 2}}
  %0 = nv_tileas.insert_slice %s into %x[%i, %i] : tensor<32xf32, #half> into tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @view_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.view' op expects two tiles or two buffers}}
  %0 = nv_tileas.view %x : tensor<64xf32, #row> -> !nv_tileas.buffer<64xf32, #smem>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
func.func @view_c2(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.view' op expects 64 elements, but got 32}}
  %0 = nv_tileas.view %x : tensor<64xf32, #row> -> tensor<32xf32, #half>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @view_c3(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.view' op result layout must be #nv_tileas.layout<reg, [64], register = [[1]], lane = [[2], [4], [8], [16], [32]]>, but got #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>}}
  %0 = nv_tileas.view %x : tensor<64xf32, #row> -> tensor<64xf32, #both>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @view_c4(%x: !nv_tileas.buffer<64xf32, #smem>, %i: i32) {
  // expected-error @below {{'nv_tileas.view' op a stage selects one buffer of a staged buffer; the result must be the same type without stages}}
  %0 = nv_tileas.view %x[%i] : !nv_tileas.buffer<64xf32, #smem> -> !nv_tileas.buffer<64xf32, #smem>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @view_c4_tile(%x: tensor<64xf32, #row>, %i: i32) {
  // expected-error @below {{'nv_tileas.view' op a stage is for staged buffers}}
  %0 = nv_tileas.view %x[%i] : tensor<64xf32, #row> -> tensor<64xf32, #row>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @view_c5(%x: !nv_tileas.buffer<64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.view' op expects unstaged, whole buffers of one element type and count}}
  %0 = nv_tileas.view %x : !nv_tileas.buffer<64xf32, #smem> -> !nv_tileas.buffer<64xf16, #smem>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
#turned = #nv_tileas.layout<smem, [8, 8], linear<order = [0, 1]>>
func.func @view_c5_layout(%x: !nv_tileas.buffer<64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.view' op result layout must be #nv_tileas.layout<smem, [8, 8], offset = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>, but got}}
  %0 = nv_tileas.view %x : !nv_tileas.buffer<64xf32, #smem> -> !nv_tileas.buffer<8x8xf32, #turned>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @view_c6(%x: !nv_tileas.buffer<64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.view' op 'ring' requires a stage}}
  %0 = nv_tileas.view %x {ring} : !nv_tileas.buffer<64xf32, #smem> -> !nv_tileas.buffer<64xf32, #smem>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @alloc_tensor_c3() {
  // expected-error @below {{'nv_tileas.alloc_tensor' op allocates all that the layout describes, but got a part of it}}
  %0 = nv_tileas.alloc_tensor : !nv_tileas.buffer<32xf32, #smem>
  return
}

// -----

// 64 bytes a line: the pattern repeats every 512 bytes.
#swizzled = #nv_tileas.layout<smem, [8, 32], swizzled<b64, major = 1, bits = 16>>
func.func @alloc_tensor_c4() {
  // expected-error @below {{'nv_tileas.alloc_tensor' op 'smem_offset' must be a multiple of 512, got 256}}
  %0 = nv_tileas.alloc_tensor {smem_offset = 256 : i32} : !nv_tileas.buffer<8x32xf16, #swizzled>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#turned = #nv_tileas.layout<smem, [64, 64], linear<order = [0, 1]>>
func.func @subview_c1(%x: !nv_tileas.buffer<64x64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.subview' op expects unstaged buffers of one rank, element type and layout}}
  %0 = nv_tileas.subview %x[0, 0] : !nv_tileas.buffer<64x64xf32, #smem> -> !nv_tileas.buffer<64x16xf32, #turned>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
func.func @subview_c2(%x: !nv_tileas.buffer<64x16xf32, #smem>) {
  // expected-error @below {{'nv_tileas.subview' op result extent 32 exceeds the source extent 16}}
  %0 = nv_tileas.subview %x[0, 0] : !nv_tileas.buffer<64x16xf32, #smem> -> !nv_tileas.buffer<64x32xf32, #smem>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
func.func @subview_c3(%x: !nv_tileas.buffer<64x64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.subview' op expects one offset for each of 2 dimensions}}
  %0 = nv_tileas.subview %x[0] : !nv_tileas.buffer<64x64xf32, #smem> -> !nv_tileas.buffer<64x32xf32, #smem>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
func.func @subview_c4(%x: !nv_tileas.buffer<64x64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.subview' op offset 16 of dimension 1 must be a multiple of the result extent 32 inside the source}}
  %0 = nv_tileas.subview %x[0, 16] : !nv_tileas.buffer<64x64xf32, #smem> -> !nv_tileas.buffer<64x32xf32, #smem>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @dealloc_c1(%x: !nv_tileas.buffer<64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.dealloc' op expects the result of 'nv_tileas.alloc_tensor'}}
  nv_tileas.dealloc %x : !nv_tileas.buffer<64xf32, #smem>
  return
}

// -----

#smem = #nv_tileas.layout<smem, [32, 64], linear<order = [1, 0]>>
#turned = #nv_tileas.layout<smem, [64, 32], linear<order = [1, 0]>>
func.func @permute_buffer(%x: !nv_tileas.buffer<32x64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.permute' op result layout must be}}
  %0 = nv_tileas.permute %x [1, 0] : !nv_tileas.buffer<32x64xf32, #smem> -> !nv_tileas.buffer<64x32xf32, #turned>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @expand_dims_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.expand_dims' op 'axis' must be a result dimension of extent 1, got 1}}
  %0 = nv_tileas.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @expand_dims_c2(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.expand_dims' op result without 'axis' must have the source shape}}
  %0 = nv_tileas.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<32x1xf32, #nv_tileas.layout<reg, [32, 1], blocked<per_thread = [1, 1], lanes = [32, 1], warps = [1, 1], order = [0, 1]>>>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @broadcast_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.broadcast' op source extents must be 1 or the result's}}
  %0 = nv_tileas.broadcast %x : tensor<64xf32, #row> -> tensor<128xf32, #nv_tileas.layout<reg, [128], blocked<per_thread = [4], lanes = [32], warps = [1], order = [0]>>>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @permute_c1(%x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.permute' op 'permutation' is not one of the rank}}
  %0 = nv_tileas.permute %x [1, 1] : tensor<32x32xf32, #mat> -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @permute_c1_count(%x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.permute' op 'permutation' is not one of the rank}}
  %0 = nv_tileas.permute %x [0] : tensor<32x32xf32, #mat> -> tensor<32x32xf32, #mat>
  return
}

// -----

#p = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @permute_c2(%x: tensor<2x32xf32, #p>) {
  // expected-error @below {{'nv_tileas.permute' op result shape must be the permuted source shape}}
  %0 = nv_tileas.permute %x [1, 0] : tensor<2x32xf32, #p> -> tensor<2x32xf32, #p>
  return
}

// -----

#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @cat_c1(%x: tensor<32xf32, #half>) {
  // expected-error @below {{'nv_tileas.cat' op 'axis' is out of range, got 1}}
  %0 = nv_tileas.cat %x, %x {axis = 1 : i32} : tensor<32xf32, #half>, tensor<32xf32, #half> -> tensor<64xf32, #both>
  return
}

// -----

#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
func.func @cat_c2(%x: tensor<32xf32, #half>) {
  // expected-error @below {{'nv_tileas.cat' op result extent at 'axis' must be twice the operands', others equal}}
  %0 = nv_tileas.cat %x, %x {axis = 0 : i32} : tensor<32xf32, #half>, tensor<32xf32, #half> -> tensor<32xf32, #half>
  return
}

// -----

#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @cat_c3(%x: tensor<32xf32, #half>) {
  // expected-error @below {{'nv_tileas.cat' op result layout must select the operand by a register basis}}
  %0 = nv_tileas.cat %x, %x {axis = 0 : i32} : tensor<32xf32, #half>, tensor<32xf32, #half> -> tensor<64xf32, #row>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @extract_c1(%x: tensor<32x32xf32, #mat>, %i: i32) {
  // expected-error @below {{'nv_tileas.extract' op expects 2 indices, but got 1}}
  %0 = nv_tileas.extract %x[%i] : tensor<32x32xf32, #mat> -> f32
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @make_range_c1() {
  // expected-error @below {{'nv_tileas.make_range' op expects a rank-1 integer tile}}
  %0 = nv_tileas.make_range 0 to 64 : tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @make_range_c2() {
  // expected-error @below {{'nv_tileas.make_range' op range of 32 values does not match extent 64}}
  %0 = nv_tileas.make_range 0 to 32 : tensor<64xi32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @bitcast_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.bitcast' op expects pointer tiles of equal shape, or rank-1 tiles of equal storage size, or equal element widths}}
  %0 = nv_tileas.bitcast %x : tensor<64xf32, #row> -> tensor<64xi16, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @bitcast_c2(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.bitcast' op layouts must differ by the low register bits}}
  %0 = nv_tileas.bitcast %x : tensor<64xf32, #row> -> tensor<128xi16, #nv_tileas.layout<reg, [128], register = [[64], [32]], lane = [[1], [2], [4], [8], [16]]>>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @convert_layout_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.convert_layout' op changes nothing but the layout}}
  %0 = nv_tileas.convert_layout %x : tensor<64xf32, #row> -> tensor<64xi32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @fp_to_fp_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.fp_to_fp' op expects one shape and layout}}
  %0 = nv_tileas.fp_to_fp %x : tensor<64xf32, #row> -> tensor<64xf16, #both>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @addptr_c1(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %o: tensor<64xi32, #both>) {
  // expected-error @below {{'nv_tileas.addptr' op expects one shape and layout}}
  %0 = nv_tileas.addptr %p, %o : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xi32, #both>
  return
}

// -----

func.func @ptr_to_int_c1(%p: !nv_tileaa.ptr<f32>) {
  // expected-error @below {{'nv_tileas.ptr_to_int' op expects i64 elements}}
  %0 = nv_tileas.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i32
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @int_to_ptr_c2(%i: i64) {
  // expected-error @below {{'nv_tileas.int_to_ptr' op expects one shape and layout}}
  %0 = nv_tileas.int_to_ptr %i : i64 -> tensor<64x!nv_tileaa.ptr<f32>, #row>
  return
}

// -----

func.func @make_memref_c1(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  // expected-error @below {{'nv_tileas.make_memref' op expects 1 dynamic sizes, but got 0}}
  %0 = nv_tileas.make_memref %p strides[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
  return
}

// -----

func.func @make_memref_c1_strides(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  // expected-error @below {{'nv_tileas.make_memref' op expects 0 dynamic strides, but got 1}}
  %0 = nv_tileas.make_memref %p sizes[%n] strides[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
  return
}

// -----

func.func @make_memref_c2(%p: !nv_tileaa.ptr<f16>, %n: i64) {
  // expected-error @below {{'nv_tileas.make_memref' op base pointee type 'f16' does not match memref element type 'f32'}}
  %0 = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?xf32, strides = [1]>
  return
}

// -----

func.func @make_memref_c2_space(%p: !nv_tileaa.ptr<f32, 3>, %n: i64) {
  // expected-error @below {{'nv_tileas.make_memref' op base memory space 3 does not match memref space 1}}
  %0 = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32, 3> -> !nv_tileaa.memref<?xf32, strides = [1]>
  return
}

// -----

!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @block_tile_c1(%m: !nv_tileaa.memref<?xf32, strides = [1]>) {
  // expected-error @below {{'nv_tileas.block_tile' op expects a view of '!nv_tileaa.memref<?xf32, strides = [1]>', but got '!nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>'}}
  %0 = nv_tileas.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]> -> !v
  return
}

// -----

func.func @get_dim_size_c1(%m: !nv_tileaa.memref<?xf32, strides = [1]>) {
  // expected-error @below {{'nv_tileas.get_dim_size' op 'dim' 1 is out of range for rank 1}}
  %0 = nv_tileas.get_dim_size %m dim = 1 : !nv_tileaa.memref<?xf32, strides = [1]>
  return
}

// -----

func.func @get_global_c1() {
  // expected-error @below {{'nv_tileas.get_global' op '@none' does not reference a valid global}}
  %0 = nv_tileas.get_global @none : !nv_tileaa.ptr<f32>
  return
}

// -----

func.func @alloca_c1() {
  // expected-error @below {{'nv_tileas.alloca' op expects a positive number of elements, got 0}}
  %0 = nv_tileas.alloca 0 align 16 : !nv_tileaa.ptr<f32>
  return
}

// -----

func.func @alloca_c2() {
  // expected-error @below {{'nv_tileas.alloca' op 'alignment' must be a power of two, got 12}}
  %0 = nv_tileas.alloca 8 align 12 : !nv_tileaa.ptr<f32>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @load_c1_scope(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.load' op mem_scope not supported when mem_semantic is weak}}
  %0:2 = "nv_tileas.load"(%p) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, mem_scope = #nv_tileaa.mem_scope<gpu>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<64x!nv_tileaa.ptr<f32>, #row>) -> (tensor<64xf32, #row>, !nv_tileaa.mem_token)
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @load_c1_no_scope(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.load' op mem_scope required when mem_semantic is not weak}}
  %0:2 = "nv_tileas.load"(%p) <{mem_semantic = #nv_tileaa.mem_semantic<relaxed>, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (tensor<64x!nv_tileaa.ptr<f32>, #row>) -> (tensor<64xf32, #row>, !nv_tileaa.mem_token)
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @load_c1_release(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.load' op unsupported mem_semantic: release}}
  %0, %t = nv_tileas.load release gpu %p : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @load_c2(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.load' op expects a value of type 'tensor<64xf32, #nv_tileas.layout<reg, [64], register = [[1]], lane = [[2], [4], [8], [16], [32]]>>' for the pointers, but got 'tensor<64xf32, #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>>'}}
  %0, %t = nv_tileas.load weak %p : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #both>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @load_c3(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %z: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.load' op 'other' requires 'mask'}}
  %0, %t = nv_tileas.load weak %p other %z : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @load_c4(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.load' op copy atom 'stg' does not read global memory}}
  %0, %t = nv_tileas.load weak %p {atom = #nv_tileas.copy_atom<stg>} : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @store_c1(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %z: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.store' op unsupported mem_semantic: acquire}}
  %t = nv_tileas.store acquire gpu %p, %z : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @store_c3(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %z: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.store' op copy atom 'ldg' does not write global memory}}
  %t = nv_tileas.store weak %p, %z {atom = #nv_tileas.copy_atom<ldg>} : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @atomic_rmw_c1(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %z: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.atomic_rmw' op memory ordering semantics must be one of: relaxed, acquire, release, acq_rel}}
  %0, %t = nv_tileas.atomic_rmw addf weak %p, %z : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @atomic_rmw_c3_add(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %z: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.atomic_rmw' op 'add' works only with integers i32 and i64}}
  %0, %t = nv_tileas.atomic_rmw add relaxed gpu %p, %z : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xf32, #row>
  return
}

// -----

func.func @atomic_rmw_c3_addf(%p: !nv_tileaa.ptr<i32>, %z: i32) {
  // expected-error @below {{'nv_tileas.atomic_rmw' op 'addf' works only with floats f16, bf16, f32, and f64}}
  %0, %t = nv_tileas.atomic_rmw addf relaxed gpu %p, %z : !nv_tileaa.ptr<i32>, i32
  return
}

// -----

func.func @atomic_rmw_c3_xchg(%p: !nv_tileaa.ptr<i16>, %z: i16) {
  // expected-error @below {{'nv_tileas.atomic_rmw' op 'xchg' works only with integers or float of 32 or 64 bitwidth}}
  %0, %t = nv_tileas.atomic_rmw xchg relaxed gpu %p, %z : !nv_tileaa.ptr<i16>, i16
  return
}

// -----

func.func @atomic_cas_c3(%p: !nv_tileaa.ptr<i16>, %z: i16) {
  // expected-error @below {{'nv_tileas.atomic_cas' op expect only float or integer types with 32 or 64 bit}}
  %0, %t = nv_tileas.atomic_cas relaxed gpu %p, %z, %z : !nv_tileaa.ptr<i16>, i16
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_load_c2(%v: !v, %i: i32) {
  // expected-error @below {{'nv_tileas.tiled_load' op expects 2 coordinates, but got 1}}
  %0, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_load_c2_types(%v: !v, %i: i32, %j: i64) {
  // expected-error @below {{'nv_tileas.tiled_load' op expects all coordinates to have one integer type, but got 'i32' and 'i64'}}
  %0, %t = nv_tileas.tiled_load weak %v[%i, %j] : !v[i32, i64] -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_load_c3(%v: !v, %i: i32) {
  // expected-error @below {{'nv_tileas.tiled_load' op expects 2 offsets, but got 1}}
  %0, %t = nv_tileas.tiled_load weak %v[%i, %i] offsets[%i] : !v[i32, i32] -> tensor<32x32xf32, #mat>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_load_c4(%v: !v, %i: i32) {
  // expected-error @below {{'nv_tileas.tiled_load' op requires the same shape for tileSize and tensor value}}
  %0, %t = nv_tileas.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64xf32, #row>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_load_c4_element(%v: !v, %i: i32) {
  // expected-error @below {{'nv_tileas.tiled_load' op view elementType not equal with tensor element type: 'f32' != 'f16'}}
  %0, %t = nv_tileas.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<32x32xf16, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_load_c5(%v: !v, %i: i32) {
  // expected-error @below {{'nv_tileas.tiled_load' op incorrect number of in_bounds elements: expected 2, but found 1}}
  %0, %t = nv_tileas.tiled_load weak %v[%i, %i] in_bounds = [true] : !v[i32, i32] -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!g = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>
func.func @tiled_load_c6(%v: !g, %i: i32) {
  // expected-error @below {{'nv_tileas.tiled_load' op expects a view without sparse dimension}}
  %0, %t = nv_tileas.tiled_load weak %v[%i, %i] : !g[i32, i32] -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_load_c7(%v: !v, %i: i32) {
  // expected-error @below {{'nv_tileas.tiled_load' op copy atom 'lds' does not read global memory}}
  %0, %t = nv_tileas.tiled_load weak %v[%i, %i] {atom = #nv_tileas.copy_atom<lds>} : !v[i32, i32] -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_store_c7(%v: !v, %i: i32, %x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_store' op copy atom 'sts' does not write global memory}}
  %t = nv_tileas.tiled_store weak %x, %v[%i, %i] {atom = #nv_tileas.copy_atom<sts>} : tensor<32x32xf32, #mat>, !v[i32, i32]
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_atomic_rmw_c1(%v: !v, %i: i32, %x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op only 'relaxed' memory ordering is supported for view-based atomic reductions}}
  %t = nv_tileas.tiled_atomic_rmw add acquire gpu %v[%i, %i], %x : !v[i32, i32], tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_atomic_rmw_c1_sys(%v: !v, %i: i32, %x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op memory scope 'sys' is not supported for view-based atomic reductions; use 'tl_blk' or 'gpu'}}
  %t = nv_tileas.tiled_atomic_rmw add relaxed sys %v[%i, %i], %x : !v[i32, i32], tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_atomic_rmw_c7_addf(%v: !v, %i: i32, %x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw op cannot use fadd operation, please use add instead for both int and float types}}
  %t = nv_tileas.tiled_atomic_rmw addf relaxed gpu %v[%i, %i], %x : !v[i32, i32], tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @tiled_atomic_rmw_c7_xchg(%v: !v, %i: i32, %x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw op cannot use xchg operation}}
  %t = nv_tileas.tiled_atomic_rmw xchg relaxed gpu %v[%i, %i], %x : !v[i32, i32], tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!w = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xi8, strides = [64, 1]>>
func.func @tiled_atomic_rmw_c7_i8(%v: !w, %i: i32, %x: tensor<32x32xi8, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw not supported for 8-bit types}}
  %t = nv_tileas.tiled_atomic_rmw add relaxed gpu %v[%i, %i], %x : !w[i32, i32], tensor<32x32xi8, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!w = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xi16, strides = [64, 1]>>
func.func @tiled_atomic_rmw_c7_i16(%v: !w, %i: i32, %x: tensor<32x32xi16, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw not supported for 16-bit integer}}
  %t = nv_tileas.tiled_atomic_rmw add relaxed gpu %v[%i, %i], %x : !w[i32, i32], tensor<32x32xi16, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!w = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>>
func.func @tiled_atomic_rmw_c7_f16(%v: !w, %i: i32, %x: tensor<32x32xf16, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op tiled_atomic_rmw for 16-bit float only supports add, max, min operations}}
  %t = nv_tileas.tiled_atomic_rmw umax relaxed gpu %v[%i, %i], %x : !w[i32, i32], tensor<32x32xf16, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
#other = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 1], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
func.func @tiled_atomic_rmw_c8(%v: !v, %i: i32, %x: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.tiled_atomic_rmw' op 'old' must have the type of the value}}
  %o, %t = nv_tileas.tiled_atomic_rmw add relaxed gpu %v[%i, %i], %x : !v[i32, i32], tensor<32x32xf32, #mat> -> tensor<32x32xf32, #other>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#rows = #nv_tileas.layout<reg, [32], slice<1, #mat>>
!g = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>
#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
func.func @gather_load_c2(%v: !g, %i: i32) {
  // expected-error @below {{'nv_tileas.gather_load' op expects a rank-1 tile of indices in the sparse dimension and scalars in the others}}
  %0, %t = nv_tileas.gather_load weak %v[%i, %i] : !g[i32, i32] -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
!g = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>
func.func @gather_load_c2_extent(%v: !g, %i: i32, %x: tensor<64xi32, #row>) {
  // expected-error @below {{'nv_tileas.gather_load' op expected gather/scatter index size (64) to match tile shape at dimension 0 (32)}}
  %0, %t = nv_tileas.gather_load weak %v[%x, %i] : !g[tensor<64xi32, #row>, i32] -> tensor<32x32xf32, #mat>
  return
}

// -----

#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#rows = #nv_tileas.layout<reg, [32], slice<1, #mat>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @scatter_store_c6(%v: !v, %i: i32, %x: tensor<32xi32, #rows>, %y: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.scatter_store' op expects a view with a sparse dimension}}
  %t = nv_tileas.scatter_store weak %y, %v[%x, %i] : tensor<32x32xf32, #mat>, !v[tensor<32xi32, #rows>, i32]
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @copy_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.copy' op copies a tile into a buffer or a buffer into a tile}}
  %0 = nv_tileas.copy %x : tensor<64xf32, #row> -> tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @copy_c2(%x: tensor<64xf32, #row>, %b: !nv_tileas.buffer<64xf16, #smem>) {
  // expected-error @below {{'nv_tileas.copy' op expects equal shapes and element types, and one stage}}
  nv_tileas.copy %x, %b : tensor<64xf32, #row>, !nv_tileas.buffer<64xf16, #smem>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#smem = #nv_tileas.layout<smem, [64], linear<order = [0]>>
func.func @copy_c3(%x: tensor<64xf32, #row>, %b: !nv_tileas.buffer<64xf32, #smem>) {
  // expected-error @below {{'nv_tileas.copy' op copy atom 'ldsm' does not write a buffer}}
  nv_tileas.copy %x, %b {atom = #nv_tileas.copy_atom<ldsm, num = 4>} : tensor<64xf32, #row>, !nv_tileas.buffer<64xf32, #smem>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#smem = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
func.func @dot_c1_mixed(%a: tensor<32x32xf16, #a>, %b: !nv_tileas.buffer<32x32xf16, #smem>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{'nv_tileas.dot' op expects two tiles or two buffers to multiply}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : tensor<32x32xf16, #a>, !nv_tileas.buffer<32x32xf16, #smem>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#smem = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
func.func @dot_c3_staged(%a: !nv_tileas.buffer<[2] 32x32xf16, #smem>, %b: !nv_tileas.buffer<32x32xf16, #smem>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{'nv_tileas.dot' op operand A must be an unstaged buffer in shared memory, but is}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : !nv_tileas.buffer<[2] 32x32xf16, #smem>, !nv_tileas.buffer<32x32xf16, #smem>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [1, 1]>>
#a16 = #nv_tileas.layout<reg, [16, 32], mma<#f16, a, warps = [1, 1]>>
func.func @dot_c1(%a: tensor<16x32xf16, #a16>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{'nv_tileas.dot' op expects A of MxK, B of KxN, C and the result of MxN}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : tensor<16x32xf16, #a16>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [1, 1]>>
func.func @dot_c2(%a: tensor<32x32xbf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{'nv_tileas.dot' op expects the element types of the atom #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : tensor<32x32xbf16, #a>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [1, 1]>>
#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @dot_c3(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #mat>) {
  // expected-error @below {{'nv_tileas.dot' op accumulator layout is no fragment of the atom #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : tensor<32x32xf16, #a>, tensor<32x32xf16, #b>, tensor<32x32xf32, #mat> -> tensor<32x32xf32, #mat>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [1, 1]>>
#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @dot_c3_a(%a: tensor<32x32xf16, #mat>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{'nv_tileas.dot' op operand A must have the layout #nv_tileas.layout<reg, [32, 32], register = [[0, 1], [8, 0], [0, 8], [0, 16], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : tensor<32x32xf16, #mat>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [1, 1]>>
#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @dot_c3_b(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #mat>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{'nv_tileas.dot' op operand B must have the layout #nv_tileas.layout<reg, [32, 32], register = [[1, 0], [8, 0], [16, 0], [0, 8], [0, 16]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]>}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : tensor<32x32xf16, #a>, tensor<32x32xf16, #mat>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#s8 = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = i8, b = i8, c = i32>
#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @dot_c2_signs(%a: tensor<32x32xi8, #mat>, %c: tensor<32x32xi32, #mat>) {
  // expected-error @below {{'nv_tileas.dot' op expects 'signedness_a' and 'signedness_b' on integers}}
  %0 = nv_tileas.dot %a, %a, %c {atom = #s8} : tensor<32x32xi8, #mat>, tensor<32x32xi8, #mat>, tensor<32x32xi32, #mat> -> tensor<32x32xi32, #mat>
  return
}

// -----

#s8 = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = i8, b = i8, c = i32>
#k = #nv_tileas.layout<reg, [32, 16], blocked<per_thread = [1, 4], lanes = [8, 4], warps = [1, 1], order = [1, 0]>>
#n = #nv_tileas.layout<reg, [16, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @dot_c4(%a: tensor<32x16xi8, #k>, %b: tensor<16x32xi8, #n>, %c: tensor<32x32xi32, #mat>) {
  // expected-error @below {{'nv_tileas.dot' op extents must be multiples of the atom's #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = i8, b = i8, c = i32>}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #s8, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : tensor<32x16xi8, #k>, tensor<16x32xi8, #n>, tensor<32x32xi32, #mat> -> tensor<32x32xi32, #mat>
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#atom, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#atom, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#atom, b, warps = [1, 1]>>
func.func @dot_c6_shape(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{expects the shape of #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32> in}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 8], a = registers, b = registers, acc = registers>} : tensor<32x32xf16, #a>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#atom, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#atom, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#atom, b, warps = [1, 1]>>
func.func @dot_c6_kind(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{in place of #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #nv_tileas.mma<kind = fma, shape = [1, 1, 1], a = registers, b = registers, acc = registers>} : tensor<32x32xf16, #a>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#atom, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#atom, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#atom, b, warps = [1, 1]>>
func.func @dot_c6_types(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{has other element types than}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #nv_tileas.mma<kind = wgmma, shape = [64, 32, 32], a = registers, b = shared<pipeline>, acc = registers>} : tensor<32x32xf16, #a>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#mx, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 64], mma<#mx, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [64, 32], mma<#mx, b, warps = [1, 1]>>
#sa = #nv_tileas.layout<reg, [32, 2], register = [[0, 1]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]]>
#sb = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>
func.func @dot_c5_none(%a: tensor<32x64xf8E4M3FN, #a>, %b: tensor<64x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #acc>, %sa: tensor<32x2xf8E8M0FNU, #sa>, %sb: tensor<2x32xf8E8M0FNU, #sb>) {
  // expected-error @below {{'nv_tileas.dot' op expects two tiles of scales with #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>}}
  %0 = nv_tileas.dot %a, %b, %c {atom = #mx} : tensor<32x64xf8E4M3FN, #a>, tensor<64x32xf8E4M3FN, #b>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  return
}

// -----

#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#mx, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 64], mma<#mx, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [64, 32], mma<#mx, b, warps = [1, 1]>>
#sa = #nv_tileas.layout<reg, [32, 2], register = [[0, 1]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]]>
#sb = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>
func.func @dot_c5_few(%a: tensor<32x64xf8E4M3FN, #a>, %b: tensor<64x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #acc>, %sa: tensor<32x2xf8E8M0FNU, #sa>, %sb: tensor<2x32xf8E8M0FNU, #sb>) {
  // expected-error @below {{'nv_tileas.dot' op expects at least 3 scales of A along K, of type 'f8E8M0FNU', but got}}
  %0 = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #mx, first_scale = 1 : i64} : tensor<32x64xf8E4M3FN, #a>, tensor<64x32xf8E4M3FN, #b>, tensor<32x32xf32, #acc> scales tensor<32x2xf8E8M0FNU, #sa>, tensor<2x32xf8E8M0FNU, #sb> -> tensor<32x32xf32, #acc>
  return
}

// -----

#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#mx, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 64], mma<#mx, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [64, 32], mma<#mx, b, warps = [1, 1]>>
#sa = #nv_tileas.layout<reg, [32, 2], register = [[0, 1]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]]>
#sb = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>
func.func @dot_c5_type(%a: tensor<32x64xf8E4M3FN, #a>, %b: tensor<64x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #acc>, %sa: tensor<32x2xf8E4M3FN, #sa>, %sb: tensor<2x32xf8E8M0FNU, #sb>) {
  // expected-error @below {{'nv_tileas.dot' op expects at least 2 scales of A along K, of type 'f8E8M0FNU', but got}}
  %0 = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #mx} : tensor<32x64xf8E4M3FN, #a>, tensor<64x32xf8E4M3FN, #b>, tensor<32x32xf32, #acc> scales tensor<32x2xf8E4M3FN, #sa>, tensor<2x32xf8E8M0FNU, #sb> -> tensor<32x32xf32, #acc>
  return
}

// -----

#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#mx, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 64], mma<#mx, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [64, 32], mma<#mx, b, warps = [1, 1]>>
#sa = #nv_tileas.layout<reg, [32, 2], register = [[0, 1]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]]>
#sb = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>
#turned = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
func.func @dot_c5_layout(%a: tensor<32x64xf8E4M3FN, #a>, %b: tensor<64x32xf8E4M3FN, #b>, %c: tensor<32x32xf32, #acc>, %sa: tensor<32x2xf8E8M0FNU, #sa>, %sb: tensor<2x32xf8E8M0FNU, #turned>) {
  // expected-error @below {{'nv_tileas.dot' op scales of B must have the layout #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>}}
  %0 = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #mx} : tensor<32x64xf8E4M3FN, #a>, tensor<64x32xf8E4M3FN, #b>, tensor<32x32xf32, #acc> scales tensor<32x2xf8E8M0FNU, #sa>, tensor<2x32xf8E8M0FNU, #turned> -> tensor<32x32xf32, #acc>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [1, 1]>>
func.func @dot_c5_other(%a: tensor<32x32xf16, #a>, %b: tensor<32x32xf16, #b>, %c: tensor<32x32xf32, #acc>) {
  // expected-error @below {{'nv_tileas.dot' op expects 4-bit or 8-bit floats beside scales, but A is 'tensor<32x32xf16, #nv_tileas.layout<}}
  %0 = nv_tileas.dot %a, %b, %c scales %a, %b {atom = #f16} : tensor<32x32xf16, #a>, tensor<32x32xf16, #b>, tensor<32x32xf32, #acc> scales tensor<32x32xf16, #a>, tensor<32x32xf16, #b> -> tensor<32x32xf32, #acc>
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#s = #nv_tileas.layout<reg, [32, 2], blocked<per_thread = [1, 1], lanes = [32, 1], warps = [1, 1], order = [1, 0]>>
func.func @dot_c5_uneven(%a: tensor<32x32xf8E4M3FN, #l>, %c: tensor<32x32xf32, #acc>, %sa: tensor<32x2xf8E8M0FNU, #s>) {
  // expected-error @below {{'nv_tileas.dot' op expects scales of B whose number along K divides 32, but got 'tensor<32x2xf8E8M0FNU, #nv_tileas.layout<}}
  %0 = nv_tileas.dot %a, %a, %c scales %sa, %sa {atom = #f16} : tensor<32x32xf8E4M3FN, #l>, tensor<32x32xf8E4M3FN, #l>, tensor<32x32xf32, #acc> scales tensor<32x2xf8E8M0FNU, #s>, tensor<32x2xf8E8M0FNU, #s> -> tensor<32x32xf32, #acc>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @reduce_c2(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.reduce' op dimension (1) is out of bound [0, 1)}}
  %0 = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] : tensor<64xf32, #row> -> f32 {
  ^bb0(%e: f32, %a: f32):
    nv_tileas.yield %a : f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @reduce_c3(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.reduce' op expects a result of type 'f32', but got 'tensor<64xf32, #nv_tileas.layout<reg, [64], register = [[1]], lane = [[2], [4], [8], [16], [32]]>>'}}
  %0 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] : tensor<64xf32, #row> -> tensor<64xf32, #row> {
  ^bb0(%e: f32, %a: f32):
    nv_tileas.yield %a : f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @reduce_c4(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.reduce' op expects 1 identities, but got 0}}
  %0 = nv_tileas.reduce %x axis = 0 identities = [] : tensor<64xf32, #row> -> f32 {
  ^bb0(%e: f32, %a: f32):
    nv_tileas.yield %a : f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @reduce_c4_type(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.reduce' op expect same type for operand at index: 0 and identity at index: 0}}
  %0 = nv_tileas.reduce %x axis = 0 identities = [0 : i32] : tensor<64xf32, #row> -> f32 {
  ^bb0(%e: f32, %a: f32):
    nv_tileas.yield %a : f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @reduce_c5(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.reduce' op expect 2 block arguments but got: 1}}
  %0 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] : tensor<64xf32, #row> -> f32 {
  ^bb0(%a: f32):
    nv_tileas.yield %a : f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @reduce_c5_yield(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.reduce' op expects a 'nv_tileas.yield' of 1 values}}
  %0 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] : tensor<64xf32, #row> -> f32 {
  ^bb0(%e: f32, %a: f32):
    nv_tileas.yield %a, %a : f32, f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @reduce_c5_type(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.reduce' op block arguments and yielded value at index 0 must have the type 'f32'}}
  %0 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] : tensor<64xf32, #row> -> f32 {
  ^bb0(%e: f16, %a: f32):
    nv_tileas.yield %a : f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @reduce_c1(%x: tensor<64xf32, #row>, %y: tensor<64xf32, #both>) {
  // expected-error @below {{'nv_tileas.reduce' op operands must have one shape and layout}}
  %0:2 = nv_tileas.reduce %x, %y axis = 0 identities = [0.0 : f32, 0.0 : f32] : tensor<64xf32, #row>, tensor<64xf32, #both> -> f32, f32 {
  ^bb0(%e: f32, %a: f32, %e1: f32, %a1: f32):
    nv_tileas.yield %a, %a1 : f32, f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @scan_c3(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.scan' op results must have the types of the operands}}
  %0 = nv_tileas.scan %x axis = 0 identities = [0.0 : f32] : tensor<64xf32, #row> -> tensor<64xf32, #both> {
  ^bb0(%e: f32, %a: f32):
    nv_tileas.yield %a : f32
  }
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#both = #nv_tileas.layout<reg, [64], register = [[32]], lane = [[1], [2], [4], [8], [16]]>
func.func @elementwise_c1(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.elementwise' op inputs and result must have one shape and layout}}
  %0 = nv_tileas.elementwise intrinsic "llvm.nvvm.sqrt.rn.f" (%x) : (tensor<64xf32, #row>) -> tensor<64xf32, #both>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @elementwise_c2(%x: tensor<64xf32, #row>) {
  // expected-error @below {{'nv_tileas.elementwise' op constraints go with 'asm' and with nothing else}}
  %0 = nv_tileas.elementwise asm "mov.b32 $0, $1;" (%x) : (tensor<64xf32, #row>) -> tensor<64xf32, #row>
  return
}

// -----

func.func @barrier_c1() {
  // expected-error @below {{'nv_tileas.barrier' op 'barrier_id' must be below 16, got 16}}
  nv_tileas.barrier cta {barrier_id = 16 : i32}
  return
}

// -----

func.func @barrier_c1_cluster() {
  // expected-error @below {{'nv_tileas.barrier' op a cluster barrier has no 'barrier_id'}}
  nv_tileas.barrier cluster {barrier_id = 1 : i32}
  return
}

// -----

func.func @fence_c1() {
  // expected-error @below {{'nv_tileas.fence' op a memory scope goes with 'scope' and nothing else}}
  nv_tileas.fence scope
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @align_attribute(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.align' expects a power of two of type i32}}
  %0, %t = nv_tileas.load weak %p {nv_tileas.align = 12 : i32} : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @contiguous_attribute(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.contiguous' expects an i32 array of powers of two}}
  %0, %t = nv_tileas.load weak %p {nv_tileas.contiguous = array<i32: 0>} : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #row>
  return
}

// -----

#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
func.func @other_attribute(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>) {
  // expected-error @below {{'nv_tileas.unknown' is not a valid attribute of 'nv_tileas.load'}}
  %0, %t = nv_tileas.load weak %p {nv_tileas.unknown} : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #row>
  return
}

// -----

#fma = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
func.func @mma_sync_c1(%f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_sync' op expects a 'mma_sync' atom, but got #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>}}
  %0 = nv_tileas.atom.mma_sync [%f] [%f] [%f] {atom = #fma} : (f32) (f32) (f32) -> (f32)
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
func.func @mma_sync_c2(%f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_sync' op expects 4, 2 and 4 registers, but got 1, 1 and 1}}
  %0 = nv_tileas.atom.mma_sync [%f] [%f] [%f] {atom = #f16} : (f32) (f32) (f32) -> (f32)
  return
}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
func.func @mma_sync_c3(%f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_sync' op results must have the types of 'c'}}
  %0:2 = nv_tileas.atom.mma_sync [%f, %f, %f, %f] [%f, %f] [%f, %f, %f, %f] {atom = #f16} : (f32, f32, f32, f32) (f32, f32) (f32, f32, f32, f32) -> (f32, f32)
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32>
func.func @mma_bs_c1(%w: i32, %f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_bs' op expects a 'mma_bs' atom, but got #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32>}}
  %0:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%f, %f, %f, %f] scales %w, %w {atom = #atom, byte_a = 0 : i32, thread_a = 0 : i32, byte_b = 0 : i32, thread_b = 0 : i32} : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
func.func @mma_bs_c2(%w: i32, %f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_bs' op expects 4, 2 and 4 registers, but got 1, 1 and 4}}
  %0:4 = nv_tileas.atom.mma_bs [%w] [%w] [%f, %f, %f, %f] scales %w, %w {atom = #atom, byte_a = 0 : i32, thread_a = 0 : i32, byte_b = 0 : i32, thread_b = 0 : i32} : (i32) (i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
func.func @mma_bs_c3(%w: i32, %f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_bs' op results must have the types of 'c'}}
  %0:2 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%f, %f, %f, %f] scales %w, %w {atom = #atom, byte_a = 0 : i32, thread_a = 0 : i32, byte_b = 0 : i32, thread_b = 0 : i32} : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32)
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32, scale = f8E8M0FNU>
func.func @mma_bs_c4_bytes(%w: i32, %f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_bs' op byte ids must be multiples of 2 up to 2, got 0 and 1}}
  %0:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%f, %f, %f, %f] scales %w, %w {atom = #atom, byte_a = 0 : i32, thread_a = 0 : i32, byte_b = 1 : i32, thread_b = 0 : i32} : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
func.func @mma_bs_c4_word(%w: i32, %f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_bs' op byte ids must be multiples of 1 up to 3, got 4 and 0}}
  %0:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%f, %f, %f, %f] scales %w, %w {atom = #atom, byte_a = 4 : i32, thread_a = 0 : i32, byte_b = 0 : i32, thread_b = 0 : i32} : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  return
}

// -----

#atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
func.func @mma_bs_c4_threads(%w: i32, %f: f32) {
  // expected-error @below {{'nv_tileas.atom.mma_bs' op thread ids must be below 2 and 4, got 2 and 3}}
  %0:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%f, %f, %f, %f] scales %w, %w {atom = #atom, byte_a = 0 : i32, thread_a = 2 : i32, byte_b = 0 : i32, thread_b = 3 : i32} : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  return
}

// -----

func.func @ldmatrix_c1(%p: !llvm.ptr<3>) {
  // expected-error @below {{'nv_tileas.atom.ldmatrix' op 'num' must be 1, 2 or 4, got 3}}
  %0:3 = nv_tileas.atom.ldmatrix %p {num = 3 : i32} : !llvm.ptr<3> -> (i32, i32, i32)
  return
}

// -----

func.func @ldmatrix_c1_results(%p: !llvm.ptr<3>) {
  // expected-error @below {{'nv_tileas.atom.ldmatrix' op expects 2 results, but got 1}}
  %0 = nv_tileas.atom.ldmatrix %p {num = 2 : i32} : !llvm.ptr<3> -> (i32)
  return
}

// -----

func.func @stmatrix_c1(%p: !llvm.ptr<3>, %w: i32) {
  // expected-error @below {{'nv_tileas.atom.stmatrix' op expects 1, 2 or 4 registers, but got 3}}
  nv_tileas.atom.stmatrix %p, %w, %w, %w : !llvm.ptr<3>, i32, i32, i32
  return
}
