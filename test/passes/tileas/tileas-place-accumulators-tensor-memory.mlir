// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators,unspecialized-pipeline{num-stages=3},tileas-expand-pipelines)))' | FileCheck %s --check-prefix=AHEAD

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!acc = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // The accumulator is a slot that the MMAs of the whole loop fill; their commits release the slots of the pipeline.
  // CHECK-LABEL: nv_tileaa.func kernel @gemm
  // CHECK: nv_tileas.pipeline.create {{.*}} {producer = cp_async, consumers = [umma], sync = group, empty = mbarrier}
  // CHECK: %[[D:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[1] 64x64xf32, #
  // CHECK: %[[P:.*]] = nv_tileas.pipeline.create %[[D]] {producer = umma, consumers = [generic], sync = mbarrier, empty = barrier}
  // CHECK: %[[S:.*]] = nv_tileas.pipeline.acquire %[[P]]
  // CHECK-NOT: nv_tileas.copy
  // CHECK: scf.for %[[I:.*]] = %[[FIRST:.*]] to
  // CHECK: %[[X:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[I]], %[[FIRST]]
  // CHECK-NEXT: nv_tileas.async.dot_into %[[X]]#0, %[[X]]#1 into %[[S]] use_acc %[[MORE]] {atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>}
  // CHECK-NEXT: nv_tileas.pipeline.release
  // CHECK: nv_tileas.pipeline.commit %[[P]]
  // CHECK: %[[W:.*]] = nv_tileas.pipeline.wait %[[P]]
  // CHECK: %[[RUNS:.*]] = arith.cmpi slt, %[[FIRST]],
  // CHECK: scf.if %[[RUNS]]
  // CHECK-NEXT: nv_tileas.copy %[[W]]
  // CHECK: nv_tileas.pipeline.release %[[P]]
  // CHECK: nv_tileas.dealloc %[[D]]
  // All threads wait for the commit of the previous MMA, and for nothing else.
  // AHEAD-LABEL: nv_tileaa.func kernel @gemm
  // AHEAD: scf.for
  // AHEAD: nv_tileas.async.wait_group {pending = 1 : i32}
  // AHEAD-NEXT: nv_tileas.fence proxy_async_shared
  // AHEAD-NEXT: nv_tileas.barrier agent
  // AHEAD: nv_tileas.async.dot_into
  // AHEAD: nv_tileas.umma_commit
  // AHEAD: nv_tileas.mbarrier.wait {{.*}} if
  // AHEAD: nv_tileas.async.copy
  // AHEAD: nv_tileas.async.commit_group
  // AHEAD-NOT: nv_tileas.barrier
  // AHEAD: scf.yield
  // AHEAD: nv_tileas.umma_commit
  // AHEAD: nv_tileas.mbarrier.wait {{.*}} {products}
  // AHEAD-NEXT: nv_tileas.fence tcgen05_after
  nv_tileaa.func kernel @gemm(%va: !v, %vb: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
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

  // The conversion of the accumulator moves to its read, and into the branch without iterations.
  // CHECK-LABEL: nv_tileaa.func kernel @rounds
  // CHECK: %[[W:.*]] = nv_tileas.pipeline.wait
  // CHECK: %[[R:.*]] = scf.if {{.*}} -> (tensor<64x64xbf16
  // CHECK-NEXT: %[[C:.*]] = nv_tileas.copy
  // CHECK-NEXT: %[[N:.*]] = arith.truncf %[[C]]
  // CHECK-NEXT: scf.yield %[[N]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: arith.truncf
  // CHECK: nv_tileas.pipeline.release
  // CHECK-NOT: arith.truncf
  // CHECK: nv_tileas.optimization_barrier %[[R]]
  nv_tileaa.func kernel @rounds(%va: !v, %vb: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    %s = arith.truncf %r : !acc to tensor<64x64xbf16, #acc>
    %o = nv_tileas.optimization_barrier %s : tensor<64x64xbf16, #acc>
    nv_tileaa.return
  }

  // The initial accumulator tile is written first, between fences.
  // CHECK-LABEL: nv_tileaa.func kernel @adds
  // CHECK: %[[S:.*]] = nv_tileas.pipeline.acquire
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[S]]
  // CHECK-NEXT: nv_tileas.fence tcgen05_before
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NEXT: nv_tileas.fence tcgen05_after
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: nv_tileas.async.dot_into {{.*}} use_acc %[[TRUE]]
  nv_tileaa.func kernel @adds(%va: !v, %vb: !v, %n: i32, %sum: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %sum) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // A slot has one kind of reader.
  // CHECK-LABEL: nv_tileaa.func kernel @reads
  // CHECK-NOT: dot_into
  // CHECK: nv_tileas.dot
  nv_tileaa.func kernel @reads(%va: !v, %vb: !v, %n: i32, %out: !v) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %none = arith.constant dense<0.0> : tensor<64x64xbf16, #b>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %sum = %none) -> (!acc, tensor<64x64xbf16, #b>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      %s = arith.addf %sum, %b : tensor<64x64xbf16, #b>
      scf.yield %d, %s : !acc, tensor<64x64xbf16, #b>
    }
    nv_tileaa.return
  }
}
