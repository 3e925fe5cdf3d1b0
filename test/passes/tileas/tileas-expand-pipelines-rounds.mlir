// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines that restart in each iteration of an outer loop count from phase zero there: their mbarriers
// are re-initialized after all threads have synchronized and the commits without a wait have arrived.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-expand-pipelines)))' | FileCheck %s

#atom = #nv_tileas.mma_atom<umma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#d = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!ring = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!slot = !nv_tileas.buffer<64x64xbf16, #s>
!acc = !nv_tileas.buffer<64x64xf32, #d>
!map = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!p = !nv_tileas.pipeline<2, (buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<2>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @products
  //       CHECK:   %[[FULL:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[2]>
  //  CHECK-NEXT:   nv_tileas.mbarrier.init %[[FULL]] {count = 1 : i32}
  //       CHECK:   %[[EMPTY:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[2]>
  //  CHECK-NEXT:   nv_tileas.mbarrier.init %[[EMPTY]] {count = 1 : i32}
  //       CHECK:   %[[DRAIN:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
  //  CHECK-NEXT:   nv_tileas.mbarrier.init %[[DRAIN]] {count = 1 : i32}
  //       CHECK:   nv_tileas.barrier cta
  //       CHECK:   scf.while
  //       CHECK:     nv_tileas.barrier cta
  //  CHECK-NEXT:     nv_tileas.mbarrier.init %[[FULL]] {again, count = 1 : i32}
  //  CHECK-NEXT:     nv_tileas.mbarrier.init %[[EMPTY]] {again, count = 1 : i32}
  //  CHECK-NEXT:     nv_tileas.mbarrier.init %[[DRAIN]] {again, count = 1 : i32}
  //  CHECK-NEXT:     nv_tileas.fence mbarrier_init
  //  CHECK-NEXT:     nv_tileas.fence proxy_async_shared
  //  CHECK-NEXT:     nv_tileas.barrier cta
  //       CHECK:     scf.for
  //       CHECK:     %[[OBJECT:.*]] = nv_tileas.mbarrier.slot %[[DRAIN]]
  //       CHECK:     nv_tileas.umma_commit %[[OBJECT]]
  //       CHECK:     nv_tileas.mbarrier.wait %[[OBJECT]], %{{.*}} {products}
  //  CHECK-NEXT:     scf.condition
  nv_tileaa.func kernel @products(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %more = arith.constant true
    %d = nv_tileas.alloc_tensor : !acc
    %end = scf.while (%at = %c0) : (i32) -> i32 {
      %a = nv_tileas.alloc_tensor : !ring
      %p = nv_tileas.pipeline.create %a {producer = tma, consumers = [umma], sync = mbarrier, empty = mbarrier} : !ring -> !p
      %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
      %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
        %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
        %t = nv_tileas.async.tma_load %map[%i, %at] into %w : !map -> !slot
        nv_tileas.pipeline.commit %p[%j] : !p
        %j1 = nv_tileas.pipeline.advance %j : !i
        %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
        nv_tileas.async.dot_into %s, %s into %d use_acc %more {atom = #atom} : !slot, !slot -> !acc
        nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
        %k1 = nv_tileas.pipeline.advance %k : !i
        scf.yield %j1, %k1 : !i, !i
      }
      nv_tileas.dealloc %a : !ring
      %next = arith.addi %at, %c1 : i32
      %goes = arith.cmpi slt, %next, %n : i32
      scf.condition(%goes) %next : i32
    } do {
    ^bb0(%next: i32):
      scf.yield %next : i32
    }
    nv_tileaa.return
  }

  // Under a condition of a loop, too; threads that read slots have nothing to drain.
  // CHECK-LABEL: nv_tileaa.func kernel @threads
  //       CHECK:   %[[FULL:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[2]>
  //   CHECK-NOT:   nv_tileas.mbarrier.alloc
  //       CHECK:   scf.for
  //       CHECK:     scf.if
  //       CHECK:       nv_tileas.barrier cta
  //  CHECK-NEXT:       nv_tileas.mbarrier.init %[[FULL]] {again, count = 1 : i32}
  //       CHECK:       nv_tileas.barrier cta
  //       CHECK:       scf.for
  //   CHECK-NOT:   nv_tileas.umma_commit
  nv_tileaa.func kernel @threads(%map: !map, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %at = %c0 to %n step %c1 : i32 {
      %is = arith.cmpi slt, %at, %c1 : i32
      scf.if %is {
        %a = nv_tileas.alloc_tensor : !ring
        %p = nv_tileas.pipeline.create %a {producer = tma, consumers = [generic], sync = mbarrier, empty = barrier} : !ring -> !p
        %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
        %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
        %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
          %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
          %t = nv_tileas.async.tma_load %map[%i, %at] into %w : !map -> !slot
          nv_tileas.pipeline.commit %p[%j] : !p
          %j1 = nv_tileas.pipeline.advance %j : !i
          %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
          %x = nv_tileas.copy %s : !slot -> tensor<64x64xbf16, #l>
          nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
          %k1 = nv_tileas.pipeline.advance %k : !i
          scf.yield %j1, %k1 : !i, !i
        }
        nv_tileas.dealloc %a : !ring
      }
    }
    nv_tileaa.return
  }
}
