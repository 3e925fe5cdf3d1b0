// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of before of three passes.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-async)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-async{num-stages=3})))' | FileCheck %s --check-prefix=THREE
// A producer two slots ahead in a pipeline of three fills the slot that has just been read.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-async{num-stages=3},unspecialized-pipeline{num-stages=3},tileas-expand-pipelines)))' | FileCheck %s --check-prefix=RING

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [2, 2]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [2, 2]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [2, 2]>>
!va = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!vanan = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = nan>
!vb = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>>
!acc = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // Both operands of a dot share a pipeline of as many stages
  // as a slot of 16 KB has by rule; the dot reads the slots.
  // CHECK-LABEL: nv_tileaa.func kernel @gemm
  // CHECK: %[[A:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[4] 64x64xbf16, #[[S:.*]]>
  // CHECK: %[[B:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[4] 64x64xbf16, #[[S]]>
  // CHECK: %[[P:.*]] = nv_tileas.pipeline.create %[[A]], %[[B]] {producer = cp_async, consumers = [generic], sync = group, empty = barrier}
  // CHECK: %[[J0:.*]] = nv_tileas.pipeline.iterator %[[P]] producer
  // CHECK: %[[K0:.*]] = nv_tileas.pipeline.iterator %[[P]] consumer
  // CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[J:.*]] = %[[J0]], %[[K:.*]] = %[[K0]])
  // CHECK-NEXT: %[[W:.*]]:2 = nv_tileas.pipeline.acquire %[[P]][%[[J]]]
  // CHECK-NEXT: nv_tileas.async.copy %{{.*}}[%{{.*}}, %[[I]]] into %[[W]]#0 {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, via = #{{.*}}}
  // CHECK-NEXT: nv_tileas.async.copy %{{.*}}[%[[I]], %{{.*}}] into %[[W]]#1
  // CHECK-NEXT: nv_tileas.pipeline.commit %[[P]][%[[J]]]
  // CHECK-NEXT: %[[J1:.*]] = nv_tileas.pipeline.advance %[[J]]
  // CHECK-NEXT: %[[R:.*]]:2 = nv_tileas.pipeline.wait %[[P]][%[[K]]] {consumer = 0 : i32, pending = 0 : i32}
  // CHECK-NEXT: %[[D:.*]] = nv_tileas.dot %[[R]]#0, %[[R]]#1, %[[ACC]]
  // CHECK-NEXT: nv_tileas.pipeline.release %[[P]][%[[K]]]
  // CHECK-NEXT: %[[K1:.*]] = nv_tileas.pipeline.advance %[[K]]
  // CHECK-NEXT: scf.yield %[[D]], %[[J1]], %[[K1]]
  // CHECK: nv_tileas.dealloc %[[A]]
  // THREE-LABEL: nv_tileaa.func kernel @gemm
  // THREE: nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 64x64xbf16,
  // RING-LABEL: nv_tileaa.func kernel @gemm
  // RING: scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[READ:.*]] = %{{.*}}, %[[FILL:.*]] = %{{.*}}) ->
  // RING: %[[SLOT:.*]] = arith.shrui %[[READ]], %{{.*}} exact : i32
  // RING: nv_tileas.view %{{.*}}[%[[SLOT]]] {ring}
  // RING: %[[NEXT:.*]] = arith.shrui %[[FILL]], %{{.*}} exact : i32
  // RING: nv_tileas.view %{{.*}}[%[[NEXT]]] {ring}
  // RING: scf.yield %{{.*}}, %{{.*}}, %{{.*}}, %[[READ]] :
  nv_tileaa.func kernel @gemm(%va: !va, %vb: !vb, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !va[i32, i32] -> tensor<64x64xbf16, #l>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !vb[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }
}

// Slots take the bytes of the exchanges that they are instead of.
#wa = #nv_tileas.layout<reg, [128, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>
#wb = #nv_tileas.layout<reg, [64, 256], blocked<per_thread = [1, 8], lanes = [1, 32], warps = [8, 1], order = [1, 0]>>
#wacc = #nv_tileas.layout<reg, [128, 256], mma<#atom, acc, warps = [2, 4]>>
#wfa = #nv_tileas.layout<reg, [128, 64], mma<#atom, a, warps = [2, 4]>>
#wfb = #nv_tileas.layout<reg, [64, 256], mma<#atom, b, warps = [2, 4]>>
!wva = !nv_tileaa.tiled_view<128x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!wvb = !nv_tileaa.tiled_view<64x256 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
!wacc = tensor<128x256xf32, #wacc>
gpu.module @ada attributes {nv_tileaa.target_spec = "sm_89"} {
  // CHECK-LABEL: nv_tileaa.func kernel @wide
  // CHECK: nv_tileas.alloc_tensor : !nv_tileas.buffer<[2] 128x64xbf16,
  // CHECK: nv_tileas.alloc_tensor : !nv_tileas.buffer<[2] 64x256xbf16,
  nv_tileaa.func kernel @wide(%va: !wva, %vb: !wvb, %n: i32, %zero: !wacc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!wacc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !wva[i32, i32] -> tensor<128x64xbf16, #wa>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !wvb[i32, i32] -> tensor<64x256xbf16, #wb>
      %a = nv_tileas.convert_layout %x : tensor<128x64xbf16, #wa> -> tensor<128x64xbf16, #wfa>
      %b = nv_tileas.convert_layout %y : tensor<64x256xbf16, #wb> -> tensor<64x256xbf16, #wfb>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<128x64xbf16, #wfa>, tensor<64x256xbf16, #wfb>, !wacc -> !wacc
      scf.yield %d : !wacc
    }
    nv_tileaa.return
  }
}
