// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// Operands of 32-bit elements whose rows run across K.

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 8], a = tf32, b = tf32, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
!m = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !m, padding = zero>
!t = tensor<64x64xf32, #l>
!r = tensor<64x64xtf32, #l>
!acc = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_120a"} {
  // Lanes of mma.sync read four rows of 32 bytes of B: chunks of 32 bytes give these different banks. A has K contiguous.
  // CHECK-LABEL: nv_tileaa.func kernel @rounded
  // CHECK-DAG: %[[A:.*]] = nv_tileas.make_tiled_tma_desc {{.*}} -> !nv_tileas.tma_desc<64x32xtf32, order = [1, 0], swizzle = b128>
  // CHECK-DAG: %[[B:.*]] = nv_tileas.make_tiled_tma_desc {{.*}} -> !nv_tileas.tma_desc<64x32xtf32, order = [1, 0], swizzle = b128_wide>
  // CHECK: scf.for
  // CHECK: nv_tileas.async.tma_load %[[A]][
  // CHECK: nv_tileas.async.tma_load %[[B]][
  // CHECK: nv_tileas.dot {{.*}} : !nv_tileas.buffer<64x64xtf32,
  nv_tileaa.func kernel @rounded(%p: !nv_tileaa.ptr<f32>, %rows: i32, %cols: i32, %ld: i64, %x: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i64
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %r = arith.extui %r32 : i32 to i64
    %k = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<f32> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %trips = arith.ceildivui %k, %c64 : i64
    %n = arith.trunci %trips : i64 to i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %e, %te = nv_tileas.tiled_load weak %v[%x, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 4>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %f, %tf = nv_tileas.tiled_load weak %v[%i, %x] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 4>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %er = nv_tileas.fp_to_fp %e : !t -> !r
      %fr = nv_tileas.fp_to_fp %f : !t -> !r
      %a = nv_tileas.convert_layout %er : !r -> tensor<64x64xtf32, #a>
      %b = nv_tileas.convert_layout %fr : !r -> tensor<64x64xtf32, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xtf32, #a>, tensor<64x64xtf32, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }
}
