// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileASDialect.so --split-input-file --verify-diagnostics

// expected-error @below {{expected 'reg', 'smem' or 'tmem', but got 'gmem'}}
module attributes {test.a = #nv_tileas.layout<gmem, [4]>} {}

// -----

// expected-error @below {{layout extents must be powers of two, got 3}}
module attributes {test.a = #nv_tileas.layout<reg, [3], lane = [[0], [0], [0], [0], [0]]>} {}

// -----

// expected-error @below {{tile would exceed the maximum of 16777216 elements}}
module attributes {test.a = #nv_tileas.layout<reg, [8192, 4096]>} {}

// -----

// expected-error @below {{layout rank 17 exceeds the maximum of 16}}
module attributes {test.a = #nv_tileas.layout<reg, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]>} {}

// -----

// expected-error @below {{'offset' is no input of a 'reg' layout and no short form}}
module attributes {test.a = #nv_tileas.layout<reg, [2], offset = [[1]]>} {}

// -----

// A short form of another space.
// expected-error @below {{'blocked' is no input of a 'smem' layout and no short form}}
module attributes {test.a = #nv_tileas.layout<smem, [2], blocked<per_thread = [2]>>} {}

// -----

// expected-error @below {{'lane' is given twice}}
module attributes {test.a = #nv_tileas.layout<reg, [2], lane = [[1]], lane = [[1]]>} {}

// -----

// expected-error @below {{layout basis component 4 out of range for dimension 1 of extent 4}}
module attributes {test.a = #nv_tileas.layout<reg, [2, 4], register = [[0, 4]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]]>} {}

// -----

// expected-error @below {{layout basis has 1 components, but the rank is 2}}
module attributes {test.a = #nv_tileas.layout<reg, [2, 4], register = [[1]]>} {}

// -----

// expected-error @below {{layout is not surjective onto the tile}}
module attributes {test.a = #nv_tileas.layout<reg, [64], lane = [[1], [2], [4], [8], [16]]>} {}

// -----

// expected-error @below {{register bases must be linearly independent}}
module attributes {test.a = #nv_tileas.layout<reg, [4], register = [[1], [2], [3]], lane = [[0], [0], [0], [0], [0]]>} {}

// -----

// expected-error @below {{expects exactly 5 lane bases, but got 4}}
module attributes {test.a = #nv_tileas.layout<reg, [16], lane = [[1], [2], [4], [8]]>} {}

// -----

// expected-error @below {{expects exactly 7 row bases, but got 1}}
module attributes {test.a = #nv_tileas.layout<tmem, [2], row = [[1]]>} {}

// -----

// expected-error @below {{smem layout must not place an element twice}}
module attributes {test.a = #nv_tileas.layout<smem, [4], offset = [[1], [2]], cta = [[1]]>} {}

// -----

// expected-error @below {{'per_thread' expects 2 numbers, but got 1}}
module attributes {test.a = #nv_tileas.layout<reg, [4, 4], blocked<per_thread = [4], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>} {}

// -----

// expected-error @below {{'per_thread' expects powers of two, but got 3}}
module attributes {test.a = #nv_tileas.layout<reg, [4], blocked<per_thread = [3], lanes = [32], warps = [1], order = [0]>>} {}

// -----

// expected-error @below {{'lanes' must have the product 32, but got 16}}
module attributes {test.a = #nv_tileas.layout<reg, [4], blocked<per_thread = [1], lanes = [16], warps = [1], order = [0]>>} {}

// -----

// expected-error @below {{'warps' must have a product of at most 32, but got 64}}
module attributes {test.a = #nv_tileas.layout<reg, [4], blocked<per_thread = [1], lanes = [32], warps = [64], order = [0]>>} {}

// -----

// expected-error @below {{'order' must be a permutation}}
module attributes {test.a = #nv_tileas.layout<reg, [4, 4], blocked<per_thread = [1, 1], lanes = [1, 32], warps = [1, 1], order = [1, 1]>>} {}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
// expected-error @below {{expected 'a', 'b' or 'acc', but got 'd'}}
module attributes {test.a = #nv_tileas.layout<reg, [16, 8], mma<#f16, d, warps = [1, 1]>>} {}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
// expected-error @below {{the shape is smaller than the atom}}
module attributes {test.a = #nv_tileas.layout<reg, [8, 8], mma<#f16, acc, warps = [1, 1]>>} {}

// -----

#fma = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
// expected-error @below {{the atom has no register fragments}}
module attributes {test.a = #nv_tileas.layout<reg, [8, 8], mma<#fma, acc, warps = [1, 1]>>} {}

// -----

// expected-error @below {{slice needs a 'reg' layout and one of its dimensions}}
module attributes {test.a = #nv_tileas.layout<reg, [4], slice<1, #nv_tileas.layout<reg, [4], blocked<per_thread = [4], lanes = [32], warps = [1], order = [0]>>>>} {}

// -----

// expected-error @below {{slice does not have the given shape}}
module attributes {test.a = #nv_tileas.layout<reg, [4], slice<0, #nv_tileas.layout<reg, [4, 8], blocked<per_thread = [4, 1], lanes = [4, 8], warps = [1, 1], order = [0, 1]>>>>} {}

// -----

// expected-error @below {{expected 'none', 'b32', 'b64', 'b128' or 'b128_wide', but got 'b256'}}
module attributes {test.a = #nv_tileas.layout<smem, [8, 64], swizzled<b256, major = 1, bits = 16>>} {}

// -----

// expected-error @below {{'major' must be one of the last two of at least two dimensions}}
module attributes {test.a = #nv_tileas.layout<smem, [8, 64], swizzled<b128, major = 2, bits = 16>>} {}

// -----

// expected-error @below {{'bits' must be 4, 8, 16, 32 or 64}}
module attributes {test.a = #nv_tileas.layout<smem, [8, 64], swizzled<b128, major = 1, bits = 12>>} {}

// -----

// expected-error @below {{the shape is too small for the swizzle}}
module attributes {test.a = #nv_tileas.layout<smem, [8, 8], swizzled<b128, major = 1, bits = 16>>} {}

// -----

// expected-error @below {{'tmem_acc' needs a matrix of m rows, m of 64 or 128 (256 for two CTAs), and 8, 16 or 32 bits}}
module attributes {test.a = #nv_tileas.layout<tmem, [32, 8], tmem_acc<m = 32, bits = 32>>} {}

// -----

#l = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
// expected-error @below {{layout shape must match the tensor shape}}
func.func private @f(tensor<32xf32, #l>)

// -----

#s = #nv_tileas.layout<smem, [64], linear<order = [0]>>
// expected-error @below {{expects a 'reg' layout on a tensor}}
func.func private @f(tensor<64xf32, #s>)

// -----

#l = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
// expected-error @below {{expects a 'smem' or 'tmem' layout on a buffer}}
func.func private @f(!nv_tileas.buffer<64xf32, #l>)

// -----

#s = #nv_tileas.layout<smem, [64], linear<order = [0]>>
// expected-error @below {{layout shape must match the buffer shape}}
func.func private @f(!nv_tileas.buffer<24xf32, #s>)

// -----

#s = #nv_tileas.layout<smem, [64], linear<order = [0]>>
// expected-error @below {{layout shape must match the buffer shape}}
func.func private @f(!nv_tileas.buffer<128xf32, #s>)

// -----

// A part of a stage is a buffer without stages.
#s = #nv_tileas.layout<smem, [64], linear<order = [0]>>
// expected-error @below {{layout shape must match the buffer shape}}
func.func private @f(!nv_tileas.buffer<[2] 32xf32, #s>)

// -----

#s = #nv_tileas.layout<smem, [64], linear<order = [0]>>
// expected-error @below {{stages must be positive, got 0}}
func.func private @f(!nv_tileas.buffer<[0] 64xf32, #s>)

// -----

// expected-error @below {{unknown copy atom 'ldx'}}
module attributes {test.a = #nv_tileas.copy_atom<ldx>} {}

// -----

// expected-error @below {{'bits' must be a power of two from 8 to 256, got 48}}
module attributes {test.a = #nv_tileas.copy_atom<ldg, bits = 48>} {}

// -----

// expected-error @below {{'ldgsts' copies 32, 64 or 128 bits, got 16}}
module attributes {test.a = #nv_tileas.copy_atom<ldgsts, bits = 16>} {}

// -----

// expected-error @below {{'num' must be 1, 2 or 4, got 3}}
module attributes {test.a = #nv_tileas.copy_atom<ldsm, num = 3>} {}

// -----

// expected-error @below {{'num' and 'trans' belong to 'ldsm' and 'stsm'}}
module attributes {test.a = #nv_tileas.copy_atom<ldg, trans>} {}

// -----

// expected-error @below {{unknown key 'width' of a copy atom}}
module attributes {test.a = #nv_tileas.copy_atom<ldg, width = 8>} {}

// -----

// expected-error @below {{unknown mma atom 'mma_magic'}}
module attributes {test.a = #nv_tileas.mma_atom<mma_magic, [1, 1, 1], a = f32, b = f32, c = f32>} {}

// -----

// expected-error @below {{no 'mma_sync' of shape [16, 8, 32] from 'f16' and 'f16' to 'f32'}}
module attributes {test.a = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f16, b = f16, c = f32>} {}

// -----

// expected-error @below {{'fma' has the shape [1, 1, 1]}}
module attributes {test.a = #nv_tileas.mma_atom<fma, [16, 8, 16], a = f32, b = f32, c = f32>} {}

// -----

// expected-error @below {{'fma' has one element type}}
module attributes {test.a = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f16, b = f16, c = f32>} {}

// -----

// expected-error @below {{'scale' goes with 'mma_bs' and with nothing else}}
module attributes {test.a = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>} {}

// -----

// expected-error @below {{'scale' goes with 'mma_bs' and with nothing else}}
module attributes {test.a = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32>} {}

// -----

// expected-error @below {{no 'mma_bs' of shape [16, 8, 64] from 'f8E4M3FN' and 'f8E4M3FN' to 'f32' with scales of 'f8E8M0FNU'}}
module attributes {test.a = #nv_tileas.mma_atom<mma_bs, [16, 8, 64], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>} {}

// -----

// expected-error @below {{no 'mma_bs' of shape [16, 8, 32] from 'f8E4M3FN' and 'f8E4M3FN' to 'f32' with scales of 'f8E4M3FN'}}
module attributes {test.a = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E4M3FN>} {}

// -----

// expected-error @below {{no 'mma_bs' of shape [16, 8, 32] from 'f8E4M3FN' and 'f4E2M1FN' to 'f32' with scales of 'f8E8M0FNU'}}
module attributes {test.a = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f4E2M1FN, c = f32, scale = f8E8M0FNU>} {}

// -----

// expected-error @below {{expects M, N and K as the shape}}
module attributes {test.a = #nv_tileas.mma<kind = fma, shape = [1, 1], a = registers, b = registers, acc = registers>} {}

// -----

// expected-error @below {{no 'fma' has the shape [16, 8, 16]}}
module attributes {test.a = #nv_tileas.mma<kind = fma, shape = [16, 8, 16], a = registers, b = registers, acc = registers>} {}

// -----

// expected-error @below {{no 'wgmma' has the shape [128, 64, 16]}}
module attributes {test.a = #nv_tileas.mma<kind = wgmma, shape = [128, 64, 16], a = registers, b = shared<pipeline>, acc = registers>} {}

// -----

// expected-error @below {{no 'umma' has the shape [32, 64, 16]}}
module attributes {test.a = #nv_tileas.mma<kind = umma, shape = [32, 64, 16], a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>} {}

// -----

// expected-error @below {{'umma' has its accumulator in tensor memory}}
module attributes {test.a = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>} {}

// -----

// expected-error @below {{'wgmma' has its accumulator in registers}}
module attributes {test.a = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], a = registers, b = shared<pipeline>, acc = tmem<slots = 1>>} {}

// -----

// expected-error @below {{'wgmma' reads operand B from shared memory}}
module attributes {test.a = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], a = registers, b = registers, acc = registers>} {}

// -----

// expected-error @below {{'umma' reads operands from shared memory}}
module attributes {test.a = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = registers, b = shared<pipeline>, acc = tmem<slots = 1>>} {}

// -----

// expected-error @below {{'mma_sync' cannot have these scales}}
module attributes {test.a = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = registers, b = registers, scales = registers, acc = registers>} {}

// -----

// expected-error @below {{'mma_bs' cannot have these scales}}
module attributes {test.a = #nv_tileas.mma<kind = mma_bs, shape = [16, 8, 32], a = registers, b = registers, acc = registers>} {}

// -----

// expected-error @below {{'umma' cannot have these scales}}
module attributes {test.a = #nv_tileas.mma<kind = umma, shape = [128, 64, 32], a = shared<pipeline>, b = shared<pipeline>, scales = tmem<invariant>, acc = tmem<slots = 1>>} {}

// -----

// expected-error @below {{'promote' goes with 'wgmma'}}
module attributes {test.a = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 32], a = registers, b = registers, acc = registers, promote = 128>} {}

// -----

// expected-error @below {{no 'wgmma' with these operands has the cta_group 2}}
module attributes {test.a = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], cta_group = 2, a = registers, b = shared<pipeline>, acc = registers>} {}

// -----

// expected-error @below {{no 'umma' has the shape [128, 128, 16]}}
module attributes {test.a = #nv_tileas.mma<kind = umma, shape = [128, 128, 16], cta_group = 2, a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>} {}

// -----

// expected-error @below {{expected 'pipeline', 'invariant' or 'restaged' in 'shared'}}
module attributes {test.a = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 32], a = shared<registers>, b = registers, acc = registers>} {}
