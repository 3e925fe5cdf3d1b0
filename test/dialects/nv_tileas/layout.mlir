// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so --split-input-file
// RUN: %{opt} %s | FileCheck %s
// RUN: %{opt} %s --mlir-print-op-generic | %{opt} | FileCheck %s

// Every short form becomes the list of its bases; printing it again changes nothing.

// CHECK: #layout = #nv_tileas.layout<reg, [16, 8], register = {{\[\[}}0, 1], [8, 0]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
// The order of the inputs in the text is free, the printed one is not.
// CHECK: #layout1 = #nv_tileas.layout<reg, [64], register = {{\[\[}}32]], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}0]]>
// CHECK: #layout2 = #nv_tileas.layout<smem, [4, 2], offset = {{\[\[}}0, 1], [1, 0], [2, 0]]>
// CHECK: #layout3 = #nv_tileas.layout<reg, [1], lane = {{\[\[}}0], [0], [0], [0], [0]]>
// A layout over a cluster of two CTAs.
// CHECK: #layout4 = #nv_tileas.layout<reg, [64], lane = {{\[\[}}1], [2], [4], [8], [16]], cta = {{\[\[}}32]]>
// CHECK: module @canonical
module @canonical attributes {
  test.a = #nv_tileas.layout<reg, [16, 8], register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>,
  test.b = #nv_tileas.layout<reg, [64], warp = [[0]], lane = [[1], [2], [4], [8], [16]], register = [[32]]>,
  test.c = #nv_tileas.layout<smem, [4, 2], offset = [[0, 1], [1, 0], [2, 0]]>,
  test.d = #nv_tileas.layout<reg, [1], lane = [[0], [0], [0], [0], [0]]>,
  test.e = #nv_tileas.layout<reg, [64], lane = [[1], [2], [4], [8], [16]], cta = [[32]]>
} {}

// -----

// CHECK: #layout = #nv_tileas.layout<reg, [512], register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]], warp = {{\[\[}}128], [256]]>
// A dimension that is used up: lanes and warps repeat, registers do not.
// CHECK: #layout1 = #nv_tileas.layout<reg, [16], register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [0], [0], [0]], warp = {{\[\[}}0], [0]]>
// Bases that are left over become registers.
// CHECK: #layout2 = #nv_tileas.layout<reg, [16, 16], register = {{\[\[}}0, 1], [4, 0], [8, 0]], lane = {{\[\[}}0, 2], [0, 4], [0, 8], [1, 0], [2, 0]]>
// CHECK: module @blocked
module @blocked attributes {
  test.a = #nv_tileas.layout<reg, [512], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>,
  test.b = #nv_tileas.layout<reg, [16], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>,
  test.c = #nv_tileas.layout<reg, [16, 16], blocked<per_thread = [1, 2], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
} {}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#s8 = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = i8, b = i8, c = i32>
#tf32 = #nv_tileas.mma_atom<mma_sync, [16, 8, 8], a = tf32, b = tf32, c = f32>
#f64 = #nv_tileas.mma_atom<mma_sync, [8, 8, 4], a = f64, b = f64, c = f64>
#nv4 = #nv_tileas.mma_atom<mma_bs, [16, 8, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32, scale = f8E4M3FN>
// CHECK: #layout = #nv_tileas.layout<reg, [32, 32], register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [0, 0]]>
// CHECK: #layout1 = #nv_tileas.layout<reg, [32, 32], register = {{\[\[}}1, 0], [8, 0], [16, 0], [0, 16]], lane = {{\[\[}}2, 0], [4, 0], [0, 1], [0, 2], [0, 4]], warp = {{\[\[}}0, 0], [0, 8]]>
// CHECK: #layout2 = #nv_tileas.layout<reg, [32, 32], register = {{\[\[}}0, 1], [8, 0], [0, 16]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [0, 8]]>
// CHECK: #layout3 = #nv_tileas.layout<reg, [16, 32], register = {{\[\[}}0, 1], [0, 2], [8, 0], [0, 16]], lane = {{\[\[}}0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]>
// CHECK: #layout4 = #nv_tileas.layout<reg, [8, 8], register = {{\[\[}}4, 0]], lane = {{\[\[}}1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
// CHECK: #layout5 = #nv_tileas.layout<reg, [8, 8], register = {{\[\[}}0, 1]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>
// CHECK: module @mma
module @mma attributes {
  test.a = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [2, 2]>>,
  test.b = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [2, 2]>>,
  test.c = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [2, 2]>>,
  test.d = #nv_tileas.layout<reg, [16, 32], mma<#s8, a, warps = [1, 1]>>,
  test.e = #nv_tileas.layout<reg, [8, 8], mma<#tf32, b, warps = [1, 1]>>,
  test.f = #nv_tileas.layout<reg, [8, 8], mma<#f64, acc, warps = [1, 1]>>,
  // Bytes of two elements.
  test.g = #nv_tileas.layout<reg, [16, 32], mma<#nv4, a, warps = [1, 1]>>
} {}

// -----

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
// CHECK: #layout = #nv_tileas.layout<reg, [16], register = {{\[\[}}8]], lane = {{\[\[}}0], [0], [1], [2], [4]]>
// CHECK: #layout1 = #nv_tileas.layout<reg, [8], register = {{\[\[}}1]], lane = {{\[\[}}2], [4], [0], [0], [0]]>
// CHECK: module @slice
module @slice attributes {
  test.a = #nv_tileas.layout<reg, [16], slice<1, #nv_tileas.layout<reg, [16, 8], mma<#f16, acc, warps = [1, 1]>>>>,
  test.b = #nv_tileas.layout<reg, [8], slice<0, #nv_tileas.layout<reg, [16, 8], mma<#f16, acc, warps = [1, 1]>>>>
} {}

// -----

// CHECK: #layout = #nv_tileas.layout<smem, [64, 128], offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [0, 64]]>
// CHECK: #layout1 = #nv_tileas.layout<smem, [8, 32], offset = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 8], [4, 16]]>
// CHECK: #layout2 = #nv_tileas.layout<smem, [4, 8], offset = {{\[\[}}1, 0], [2, 0], [0, 1], [0, 2], [0, 4]]>
// CHECK: #layout3 = #nv_tileas.layout<tmem, [128, 4], col = {{\[\[}}0, 1], [0, 2]], row = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]]>
// CHECK: #layout4 = #nv_tileas.layout<tmem, [256, 2], col = {{\[\[}}0, 1]], row = {{\[\[}}1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0]], cta = {{\[\[}}128, 0]]>
// CHECK: module @storage
module @storage attributes {
  test.a = #nv_tileas.layout<smem, [64, 128], swizzled<b128, major = 1, bits = 16>>,
  test.b = #nv_tileas.layout<smem, [8, 32], swizzled<b64, major = 1, bits = 16>>,
  test.c = #nv_tileas.layout<smem, [4, 8], linear<order = [0, 1]>>,
  test.d = #nv_tileas.layout<tmem, [128, 4], tmem_acc<m = 128, bits = 32>>,
  test.e = #nv_tileas.layout<tmem, [256, 2], tmem_acc<m = 256, bits = 32, cta_group = 2>>
} {}

// -----

// CHECK: module @atoms
module @atoms attributes {
  // CHECK-SAME: test.a = #nv_tileas.copy_atom<unknown>
  test.a = #nv_tileas.copy_atom<unknown>,
  // CHECK-SAME: test.b = #nv_tileas.copy_atom<ldg, bits = 128>
  test.b = #nv_tileas.copy_atom<ldg, bits = 128>,
  // CHECK-SAME: test.c = #nv_tileas.copy_atom<ldsm, num = 4, trans>
  test.c = #nv_tileas.copy_atom<ldsm, num = 4, trans>,
  // CHECK-SAME: test.d = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
  test.d = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>,
  // CHECK-SAME: test.e = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E5M2, c = f32>
  test.e = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E5M2, c = f32>,
  // CHECK-SAME: test.f = #nv_tileas.reduce_atom<fmax, impl = auto>
  test.f = #nv_tileas.reduce_atom<fmax, impl = auto>,
  // CHECK-SAME: test.g = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
  test.g = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>,
  // CHECK-SAME: test.h = #nv_tileas.mma_atom<mma_bs, [16, 8, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32, scale = f8E4M3FN>
  test.h = #nv_tileas.mma_atom<mma_bs, [16, 8, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32, scale = f8E4M3FN>,
  // CHECK-SAME: test.i = #nv_tileas.mma<kind = fma, shape = [1, 1, 1], a = registers, b = registers, acc = registers>
  test.i = #nv_tileas.mma<kind = fma, shape = [1, 1, 1], a = registers, b = registers, acc = registers>,
  // CHECK-SAME: test.j = #nv_tileas.mma<kind = mma_bs, shape = [16, 8, 32], a = shared<pipeline>, b = shared<invariant>, scales = registers, acc = registers>
  test.j = #nv_tileas.mma<kind = mma_bs, shape = [16, 8, 32], a = shared<pipeline>, b = shared<invariant>, scales = registers, acc = registers>,
  // CHECK-SAME: test.k = #nv_tileas.mma<kind = wgmma, shape = [64, 128, 32], a = registers, b = shared<pipeline>, acc = registers, promote = 128>
  test.k = #nv_tileas.mma<kind = wgmma, shape = [64, 128, 32], a = registers, b = shared<pipeline>, acc = registers, promote = 128>,
  // CHECK-SAME: test.l = #nv_tileas.mma<kind = umma, shape = [128, 256, 16], a = shared<restaged>, b = shared<pipeline>, acc = tmem<slots = 2>>
  test.l = #nv_tileas.mma<kind = umma, shape = [128, 256, 16], a = shared<restaged>, b = shared<pipeline>, acc = tmem<slots = 2>>,
  // CHECK-SAME: test.m = #nv_tileas.mma<kind = umma, shape = [128, 64, 64], a = shared<pipeline>, b = shared<pipeline>, scales = tmem<pipeline>, acc = tmem<slots = 1>>
  test.m = #nv_tileas.mma<kind = umma, shape = [128, 64, 64], a = shared<pipeline>, b = shared<pipeline>, scales = tmem<pipeline>, acc = tmem<slots = 1>>
} {}
