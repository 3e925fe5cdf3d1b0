// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands{num-stages=5})))' | FileCheck %s --check-prefix=FIVE
// A CTA of one warp leaves three of an SM's tensor cores idle: fewer slots, so that more CTAs run on the SM.

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [16, 64], mma<#atom, acc, warps = [1, 1]>>
#a = #nv_tileas.layout<reg, [16, 64], mma<#atom, a, warps = [1, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [1, 1]>>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!x = tensor<16x64xbf16, #a>
!acc = tensor<16x64xf32, #acc>

gpu.module @large attributes {nv_tileaa.target_spec = "sm_80"} {
  // Four CTAs with five slots of 8 KB fit on this SM.
  // CHECK-LABEL: @fits
  // CHECK: nv_tileas.pipeline.create {{.*}} : !nv_tileas.buffer<[5] 64x64xbf16
  nv_tileaa.func kernel @fits(%x: !x, %vy: !v, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %y, %ty = nv_tileas.tiled_load weak %vy[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %x, %b, %acc {atom = #atom} : !x, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }
}

gpu.module @small attributes {nv_tileaa.target_spec = "sm_120"} {
  // Here two do, and four with three slots. An option stays as it is.
  // CHECK-LABEL: @one_warp
  // CHECK: nv_tileas.pipeline.create {{.*}} : !nv_tileas.buffer<[3] 64x64xbf16
  // FIVE-LABEL: @one_warp
  // FIVE: nv_tileas.pipeline.create {{.*}} : !nv_tileas.buffer<[5] 64x64xbf16
  nv_tileaa.func kernel @one_warp(%x: !x, %vy: !v, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %y, %ty = nv_tileas.tiled_load weak %vy[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %x, %b, %acc {atom = #atom} : !x, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // Two pipelines get as many slots each; two is the minimum.
  // CHECK-LABEL: @two_pipelines
  // CHECK-COUNT-2: nv_tileas.pipeline.create {{.*}} : !nv_tileas.buffer<[2] 64x64xbf16
  nv_tileaa.func kernel @two_pipelines(%x: !x, %vy: !v, %vz: !v, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %zero) -> (!acc, !acc) : i32 {
      %y, %ty = nv_tileas.tiled_load weak %vy[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %x, %b, %acc {atom = #atom} : !x, tensor<64x64xbf16, #b>, !acc -> !acc
      %z, %tz = nv_tileas.tiled_load weak %vz[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %c = nv_tileas.convert_layout %z : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %e = nv_tileas.dot %x, %c, %other {atom = #atom} : !x, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d, %e : !acc, !acc
    }
    nv_tileaa.return
  }
}
