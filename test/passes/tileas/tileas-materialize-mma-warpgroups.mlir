// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators,unspecialized-pipeline{num-stages=3},tileas-expand-pipelines)))' | FileCheck %s --check-prefix=AHEAD

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
#square = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [2, 2]>>
#sa = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [2, 2]>>
#sb = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [2, 2]>>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!acc = tensor<64x64xf32, #acc>
!square = tensor<64x64xf32, #square>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // The accumulator of the loop is an MMA in flight; the pipeline has one slot more.
  // CHECK-LABEL: nv_tileaa.func kernel @gemm
  // CHECK: nv_tileas.pipeline.create {{.*}} {producer = cp_async, consumers = [wgmma], sync = group, empty = barrier} : !nv_tileas.buffer<[5] 64x64xbf16,
  // CHECK: %[[INIT:.*]] = nv_tileas.async.to_async
  // CHECK: %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]],
  // CHECK: %[[S:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK-NEXT: %[[F:.*]] = nv_tileas.async.dot %[[S]]#0, %[[S]]#1, %[[ACC]] {atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>}
  // CHECK-NEXT: %[[G:.*]] = nv_tileas.dot_wait %[[F]] {pending = 1 : i32}
  // CHECK-NEXT: nv_tileas.pipeline.release {{.*}} {consumer = 0 : i32, pending = 1 : i32}
  // CHECK: scf.yield %[[G]],
  // CHECK: nv_tileas.dot_wait %[[R]]#0 {pending = 0 : i32}
  // Three stages run one iteration ahead of the two that MMAs may read.
  // AHEAD-LABEL: nv_tileaa.func kernel @gemm
  // AHEAD: nv_tileas.alloc_tensor : !nv_tileas.buffer<[4] 64x64xbf16,
  // AHEAD-COUNT-2: nv_tileas.async.commit_group
  // AHEAD: scf.for
  // AHEAD: nv_tileas.async.wait_group {pending = 1 : i32}
  // AHEAD-NEXT: nv_tileas.fence proxy_async_shared
  // AHEAD-NEXT: nv_tileas.barrier agent
  // AHEAD: nv_tileas.async.commit_group
  // AHEAD: nv_tileas.async.dot
  // AHEAD-NOT: nv_tileas.barrier
  // AHEAD: scf.yield
  nv_tileaa.func kernel @gemm(%va: !v, %vb: !v, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // The accumulator is read in every iteration; A is computed in it and stays in registers.
  // CHECK-LABEL: nv_tileaa.func kernel @reads
  // CHECK: scf.for
  // CHECK: %[[F:.*]] = nv_tileas.async.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x64xbf16, #{{.*}}>, !nv_tileas.buffer<64x64xbf16,
  // CHECK-NEXT: nv_tileas.dot_wait %[[F]] {pending = 0 : i32}
  // CHECK: nv_tileas.pipeline.release {{.*}} {consumer = 0 : i32, pending = 0 : i32}
  nv_tileaa.func kernel @reads(%t: tensor<64x64xbf16, #a>, %vb: !v, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %t2 = arith.addf %t, %t : tensor<64x64xbf16, #a>
      %d = nv_tileas.dot %t2, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      %e = arith.addf %d, %d : !acc
      scf.yield %e : !acc
    }
    nv_tileaa.return
  }

  // A thread may lack the registers for the accumulator.
  // CHECK-LABEL: nv_tileaa.func kernel @few_registers
  // CHECK-NOT: async.dot
  // CHECK: nv_tileas.dot
  nv_tileaa.func kernel @few_registers(%va: !v, %vb: !v, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], max_regs = 48>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // Warps side by side are not a warpgroup.
  // CHECK-LABEL: nv_tileaa.func kernel @square
  // CHECK-NOT: async.dot
  // CHECK: nv_tileas.dot
  nv_tileaa.func kernel @square(%va: !v, %vb: !v, %n: i32, %zero: !square) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!square) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #sa>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #sb>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #sa>, tensor<64x64xbf16, #sb>, !square -> !square
      scf.yield %d : !square
    }
    nv_tileaa.return
  }
}
