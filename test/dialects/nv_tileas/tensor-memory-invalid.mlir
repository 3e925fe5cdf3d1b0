// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so %s --split-input-file --verify-diagnostics

// expected-error @below {{no 'umma' of shape [32, 64, 16]}}
#atom = #nv_tileas.mma_atom<umma, [32, 64, 16], a = bf16, b = bf16, c = f32>

// -----

func.func @columns() {
  // expected-error @below {{'columns' must be a power of two from 32 to 512, got 48}}
  nv_tileas.tmem_alloc {columns = 48 : i32}
  return
}

// -----

func.func @columns() {
  // expected-error @below {{'columns' must be a power of two from 32 to 512, got 1024}}
  nv_tileas.tmem_dealloc {columns = 1024 : i32}
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
func.func @column_of_shared() {
  // expected-error @below {{a buffer in tensor memory has 'tmem_col' and no other attribute, which nothing else has}}
  %d = nv_tileas.alloc_tensor {tmem_col = 0 : i32} : !nv_tileas.buffer<64x64xf32, #s>
  return
}

// -----

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
func.func @types(%x: !buffer, %y: !nv_tileas.buffer<64x64xf16, #s>, %d: !nv_tileas.buffer<64x64xf32, #d>, %more: i1) {
  // expected-error @below {{expects an 'umma' atom and its element types}}
  nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #atom} : !buffer, !nv_tileas.buffer<64x64xf16, #s> -> !nv_tileas.buffer<64x64xf32, #d>
  return
}

// -----

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
// No swizzle at all: consecutive rows of 128 bytes.
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
func.func @form(%x: !buffer, %d: !nv_tileas.buffer<64x64xf32, #d>, %more: i1) {
  // expected-error @below {{operand A has no matrix descriptor}}
  nv_tileas.async.dot_into %x, %x into %d use_acc %more {atom = #atom} : !buffer, !buffer -> !nv_tileas.buffer<64x64xf32, #d>
  return
}

// -----

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
#shared = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
func.func @place(%x: !buffer, %d: !nv_tileas.buffer<64x64xf32, #shared>, %more: i1) {
  // expected-error @below {{D must be a whole accumulator in tensor memory, of MMAs of 64 rows}}
  nv_tileas.async.dot_into %x, %x into %d use_acc %more {atom = #atom} : !buffer, !buffer -> !nv_tileas.buffer<64x64xf32, #shared>
  return
}

// -----

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
#sa = #nv_tileas.layout<tmem, [128, 4], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>
!scales = !nv_tileas.buffer<128x4xf8E8M0FNU, #sa>
func.func @scales(%x: !buffer, %d: !nv_tileas.buffer<64x64xf32, #d>, %s: !scales, %more: i1) {
  // expected-error @below {{expects scales of rows of A and of columns of B in tensor memory}}
  nv_tileas.async.dot_into %x, %x into %d use_acc %more scales %s, %s {atom = #atom} : !buffer, !buffer scales !scales, !scales -> !nv_tileas.buffer<64x64xf32, #d>
  return
}

// -----

#nibbles = #nv_tileas.mma_atom<umma, [128, 128, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32>
#a = #nv_tileas.layout<smem, [128, 64], swizzled<b64, major = 1, bits = 8>>
#b = #nv_tileas.layout<smem, [64, 128], swizzled<b64, major = 0, bits = 8>>
#d = #nv_tileas.layout<tmem, [128, 128], tmem_acc<m = 128, bits = 32>>
// Elements of 4 bits have scales.
func.func @unscaled(%x: !nv_tileas.buffer<128x64xi8, #a>, %y: !nv_tileas.buffer<64x128xi8, #b>, %d: !nv_tileas.buffer<128x128xf32, #d>, %more: i1) {
  // expected-error @below {{expects scales of both operands or of none}}
  nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #nibbles} : !nv_tileas.buffer<128x64xi8, #a>, !nv_tileas.buffer<64x128xi8, #b> -> !nv_tileas.buffer<128x128xf32, #d>
  return
}

// -----

#nibbles = #nv_tileas.mma_atom<umma, [128, 128, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32>
#a = #nv_tileas.layout<smem, [128, 64], swizzled<b64, major = 1, bits = 8>>
#b = #nv_tileas.layout<smem, [64, 128], swizzled<b128, major = 1, bits = 8>>
#d = #nv_tileas.layout<tmem, [128, 128], tmem_acc<m = 128, bits = 32>>
func.func @rows_of_pairs(%x: !nv_tileas.buffer<128x64xi8, #a>, %y: !nv_tileas.buffer<64x128xi8, #b>, %d: !nv_tileas.buffer<128x128xf32, #d>, %more: i1) {
  // expected-error @below {{operand B must have K contiguous, because its elements have 8 bits}}
  nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #nibbles} : !nv_tileas.buffer<128x64xi8, #a>, !nv_tileas.buffer<64x128xi8, #b> -> !nv_tileas.buffer<128x128xf32, #d>
  return
}

// -----

#words = #nv_tileas.mma_atom<umma, [128, 64, 8], a = tf32, b = tf32, c = f32>
#a = #nv_tileas.layout<smem, [128, 32], swizzled<b128, major = 1, bits = 32>>
#b = #nv_tileas.layout<smem, [32, 64], swizzled<b128, major = 1, bits = 32>>
#d = #nv_tileas.layout<tmem, [128, 64], tmem_acc<m = 128, bits = 32>>
func.func @narrow_chunks(%x: !nv_tileas.buffer<128x32xtf32, #a>, %y: !nv_tileas.buffer<32x64xtf32, #b>, %d: !nv_tileas.buffer<128x64xf32, #d>, %more: i1) {
  // expected-error @below {{operand B has swizzle chunks of a size that the tensor core does not read}}
  nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #words} : !nv_tileas.buffer<128x32xtf32, #a>, !nv_tileas.buffer<32x64xtf32, #b> -> !nv_tileas.buffer<128x64xf32, #d>
  return
}

// -----

#sa = #nv_tileas.layout<tmem, [128, 4], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
#plain = #nv_tileas.layout<smem, [128, 4], linear<order = [1, 0]>>
func.func @staged(%s: !nv_tileas.buffer<128x4xf8E8M0FNU, #plain>, %d: !nv_tileas.buffer<128x4xf8E8M0FNU, #sa>) {
  // expected-error @below {{expects the layouts of scales}}
  nv_tileas.async.tmem_copy %s into %d : !nv_tileas.buffer<128x4xf8E8M0FNU, #plain> -> !nv_tileas.buffer<128x4xf8E8M0FNU, #sa>
  return
}

// -----

#sa = #nv_tileas.layout<tmem, [128, 4], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
#short = #nv_tileas.layout<smem, [64, 4], linear<order = [1, 0]>>
func.func @staged(%s: !nv_tileas.buffer<64x4xf8E8M0FNU, #short>, %d: !nv_tileas.buffer<128x4xf8E8M0FNU, #sa>) {
  // expected-error @below {{expects whole buffers of one shape and element type}}
  nv_tileas.async.tmem_copy %s into %d : !nv_tileas.buffer<64x4xf8E8M0FNU, #short> -> !nv_tileas.buffer<128x4xf8E8M0FNU, #sa>
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [4, 1]>>
func.func @rescale_elsewhere(%b: !nv_tileas.buffer<64x64xf32, #s>, %x: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expects a whole buffer in tensor memory}}
  nv_tileas.tensor_rescale %b by %x : !nv_tileas.buffer<64x64xf32, #s>, tensor<64x64xf32, #acc>
  return
}

// -----

#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [4, 1]>>
func.func @rescale_staged(%b: !nv_tileas.buffer<[2] 64x64xf32, #d>, %x: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expects a whole buffer in tensor memory}}
  nv_tileas.tensor_rescale %b by %x : !nv_tileas.buffer<[2] 64x64xf32, #d>, tensor<64x64xf32, #acc>
  return
}

// -----

#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [4, 1]>>
func.func @rescale_by_words(%b: !nv_tileas.buffer<64x64xf32, #d>, %x: tensor<64x64xi32, #acc>) {
  // expected-error @below {{expects 32-bit floats of one shape}}
  nv_tileas.tensor_rescale %b by %x : !nv_tileas.buffer<64x64xf32, #d>, tensor<64x64xi32, #acc>
  return
}

// -----

#d = #nv_tileas.layout<tmem, [128, 64], tmem_acc<m = 128, bits = 32>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [4, 1]>>
func.func @rescale_rows(%b: !nv_tileas.buffer<128x64xf32, #d>, %x: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expects 32-bit floats of one shape}}
  nv_tileas.tensor_rescale %b by %x : !nv_tileas.buffer<128x64xf32, #d>, tensor<64x64xf32, #acc>
  return
}

// -----

#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [4, 1]>>
func.func @read_twice(%b: !nv_tileas.buffer<64x64xf32, #d>) -> tensor<64x64xf32, #acc> {
  // expected-error @below {{'nv_tileas.twice' expects a unit attribute of a store}}
  %x = nv_tileas.copy %b {nv_tileas.twice} : !nv_tileas.buffer<64x64xf32, #d> -> tensor<64x64xf32, #acc>
  return %x : tensor<64x64xf32, #acc>
}

// -----

func.func @alloc_c2() {
  // expected-error @below {{'nv_tileas.tmem_alloc' op 'cta_group' must be 1 or 2, got 3}}
  nv_tileas.tmem_alloc {columns = 64 : i32, cta_group = 3 : i32}
  return
}

// -----

func.func @commit_c1(%b: !nv_tileas.mbarrier) {
  // expected-error @below {{'nv_tileas.umma_commit' op 'cta_group' must be 1 or 2, got 0}}
  nv_tileas.umma_commit %b {cta_group = 0 : i32}
  return
}

// -----

#pair = #nv_tileas.mma_atom<umma, [256, 128, 16], a = bf16, b = bf16, c = f32>
#rows = #nv_tileas.layout<smem, [128, 64], swizzled<b128, major = 1, bits = 16>>
#columns = #nv_tileas.layout<smem, [64, 128], swizzled<b128, major = 1, bits = 16>>
#d = #nv_tileas.layout<tmem, [128, 128], tmem_acc<m = 128, bits = 32>>
func.func @whole_columns(%x: !nv_tileas.buffer<128x64xbf16, #rows>, %y: !nv_tileas.buffer<64x128xbf16, #columns>, %d: !nv_tileas.buffer<128x128xf32, #d>, %more: i1) {
  // expected-error @below {{'nv_tileas.async.dot_into' op expects A of MxK, B of KxN/2 and D of MxN}}
  nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #pair} : !nv_tileas.buffer<128x64xbf16, #rows>, !nv_tileas.buffer<64x128xbf16, #columns> -> !nv_tileas.buffer<128x128xf32, #d>
  return
}
