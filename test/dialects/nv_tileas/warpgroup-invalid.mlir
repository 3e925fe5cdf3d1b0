// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so %s --split-input-file --verify-diagnostics

// expected-error @below {{no 'wgmma' of shape [64, 64, 8] from 'bf16' and 'bf16' to 'f32'}}
#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 8], a = bf16, b = bf16, c = f32>
func.func private @f() attributes {a = #atom}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
func.func @c1(%x: !nv_tileas.buffer<64x64xbf16, #s>, %y: !nv_tileas.buffer<64x32xbf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{'nv_tileas.async.dot' op expects A of MxK, B of KxN, C and the result of MxN}}
  %f = nv_tileas.async.dot %x, %y, %c {atom = #atom} : !nv_tileas.buffer<64x64xbf16, #s>, !nv_tileas.buffer<64x32xbf16, #s>, tensor<64x64xf32, #acc> -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = f16, b = f16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
func.func @c2(%x: !nv_tileas.buffer<64x64xbf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{expects a 'wgmma' atom and its element types}}
  %f = nv_tileas.async.dot %x, %x, %c {atom = #atom} : !nv_tileas.buffer<64x64xbf16, #s>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #acc> -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 32, 16], a = bf16, b = bf16, c = f32>
#wide = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#wide, acc, warps = [1, 1]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
func.func @c3(%x: !nv_tileas.buffer<64x64xbf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{extents must be multiples of the atom's}}
  %f = nv_tileas.async.dot %x, %x, %c {atom = #atom} : !nv_tileas.buffer<64x64xbf16, #s>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #acc> -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#sync = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#sync, acc, warps = [2, 2]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
func.func @c4(%x: !nv_tileas.buffer<64x64xbf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{accumulator layout is not that of warpgroups}}
  %f = nv_tileas.async.dot %x, %x, %c {atom = #atom} : !nv_tileas.buffer<64x64xbf16, #s>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #acc> -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
func.func @c5_form(%x: !nv_tileas.buffer<64x64xbf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{operand B has no matrix descriptor: with K contiguous}}
  %f = nv_tileas.async.dot %x, %x, %c {atom = #atom} : !nv_tileas.buffer<64x64xbf16, #s>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #acc> -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 128, 32], a = i8, b = i8, c = i32>
// 128 x 128 of one byte, rows of 128 bytes, swizzled.
#s = #nv_tileas.layout<smem, [128, 128], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [1, 16], [2, 32], [4, 64], [8, 0], [16, 0], [32, 0], [64, 0]]>
#acc = #nv_tileas.layout<reg, [128, 128], mma<#atom, acc, warps = [1, 1]>>
!buffer = !nv_tileas.buffer<128x128xi8, #s>
!future = !nv_tileas.future<tensor<128x128xi32, #acc>>
func.func @c5_major(%x: !buffer, %c: tensor<128x128xi32, #acc>) {
  // expected-error @below {{operand B must have K contiguous, because its elements have 8 bits}}
  %f = nv_tileas.async.dot %x, %x, %c {atom = #atom, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<signed>} : !buffer, !buffer, tensor<128x128xi32, #acc> -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
func.func @c6(%x: tensor<64x64xbf16, #l>, %y: !nv_tileas.buffer<64x64xbf16, #s>, %c: tensor<64x64xf32, #acc>) {
  // expected-error @below {{operand A must have the layout}}
  %f = nv_tileas.async.dot %x, %y, %c {atom = #atom} : tensor<64x64xbf16, #l>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #acc> -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
func.func @wait(%f: !future) {
  // expected-error @below {{no MMA is in flight after it}}
  %g = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !future
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
func.func @factors(%f: !nv_tileas.future<tensor<64x64xf32, #acc>>, %x: tensor<64x64xf32, #l>) {
  // expected-error @below {{expects factors of type}}
  %g = nv_tileas.async.rescale %f by %x : !nv_tileas.future<tensor<64x64xf32, #acc>>, tensor<64x64xf32, #l>
  return
}

// -----

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 32], a = i8, b = i8, c = i32>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [1, 1]>>
func.func @integers(%f: !nv_tileas.future<tensor<64x64xi32, #acc>>, %x: tensor<64x64xi32, #acc>) {
  // expected-error @below {{expects an accumulator of 'f32', but got 'i32'}}
  %g = nv_tileas.async.rescale %f by %x : !nv_tileas.future<tensor<64x64xi32, #acc>>, tensor<64x64xi32, #acc>
  return
}
