// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands{num-stages=3})))' | FileCheck %s --check-prefix=THREE
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands)))' --remark-format=emitRemark --remarks-filter-missed=tileas 2>&1 | FileCheck %s --check-prefix=REMARK

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!acc = tensor<64x64xf32, #acc>

gpu.module @sm80 attributes {nv_tileaa.target_spec = "sm_80"} {
  // Both operands of a dot share the slots of one pipeline. The dot still reads tiles: copies of the slots.
  // CHECK-LABEL: @shared_pipeline
  // CHECK: %[[P:.*]] = nv_tileas.pipeline.create {{.*}} {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !nv_tileas.buffer<[4]
  // CHECK: scf.for
  // CHECK: %[[S:.*]]:2 = nv_tileas.pipeline.wait %[[P]]
  // CHECK-NEXT: %[[A:.*]] = nv_tileas.copy %[[S]]#0
  // CHECK-NEXT: %[[B:.*]] = nv_tileas.copy %[[S]]#1
  // CHECK-NEXT: nv_tileas.dot %[[A]], %[[B]], %{{.*}} {atom = #{{.*}}, mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>}
  // CHECK-NEXT: nv_tileas.pipeline.release %[[P]]
  // THREE-LABEL: @shared_pipeline
  // THREE: nv_tileas.pipeline.create {{.*}} : !nv_tileas.buffer<[3]
  nv_tileaa.func kernel @shared_pipeline(%vx: !v, %vy: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %vx[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vy[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // A load that is not weak stays; the other one is copied.
  // CHECK-LABEL: @not_weak
  // CHECK: nv_tileas.pipeline.create {{.*}} : !nv_tileas.buffer<[5] 64x64xbf16, #{{[^,]*}}> ->
  // CHECK: scf.for
  // CHECK: nv_tileas.tiled_load relaxed
  // CHECK: nv_tileas.async.copy
  // CHECK-NOT: nv_tileas.tiled_load
  // CHECK: scf.yield
  // REMARK: MaterializeAsync {{.*}} Operand=A, Reason="it is not weak"
  nv_tileaa.func kernel @not_weak(%vx: !v, %vy: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load relaxed gpu %vx[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vy[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // No pipeline is made for what no dot reads.
  // CHECK-LABEL: @no_dot
  // CHECK-NOT: pipeline
  // CHECK: nv_tileas.tiled_load weak
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @no_dot(%vx: !v, %vy: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %none = arith.constant dense<0.0> : tensor<64x64xbf16, #l>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %none) -> (tensor<64x64xbf16, #l>) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %vx[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> tensor<64x64xbf16, #l>
      %d = arith.addf %acc, %x : tensor<64x64xbf16, #l>
      scf.yield %d : tensor<64x64xbf16, #l>
    }
    nv_tileaa.return
  }
}
