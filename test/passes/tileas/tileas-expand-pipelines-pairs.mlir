// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first CTA of a pair waits for the copies of both and issues the MMAs; their commits arrive in both CTAs. After the
// loops each CTA waits for the last commit of each slot.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-expand-pipelines)))' | FileCheck %s

#atom = #nv_tileas.mma_atom<umma, [256, 128, 16], a = bf16, b = bf16, c = f32>
#r = #nv_tileas.layout<smem, [128, 64], swizzled<b128, major = 1, bits = 16>>
#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
#d = #nv_tileas.layout<tmem, [128, 128], tmem_acc<m = 128, bits = 32>>
#l = #nv_tileas.layout<reg, [128, 128], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [4, 1]>>
!ringa = !nv_tileas.buffer<[2] 128x64xbf16, #r>
!ringb = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!slota = !nv_tileas.buffer<128x64xbf16, #r>
!slotb = !nv_tileas.buffer<64x64xbf16, #s>
!ringd = !nv_tileas.buffer<[1] 128x128xf32, #d>
!acc = !nv_tileas.buffer<128x128xf32, #d>
!mapa = !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
!mapb = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
!p = !nv_tileas.pipeline<2, (buffer<128x64xbf16, #r>, buffer<64x64xbf16, #s>)>
!q = !nv_tileas.pipeline<1, (buffer<128x128xf32, #d>)>
!i = !nv_tileas.pipeline_iterator<2>
!o = !nv_tileas.pipeline_iterator<1>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @pair
  //   CHECK-DAG:   %[[FULL:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[2]>
  //       CHECK:   %[[EMPTY:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[2]>
  //       CHECK:   %[[DONE:.*]] = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[1]>
  //       CHECK:   nv_tileas.barrier cluster
  //       CHECK:   %[[TILES:.*]]:{{.*}} = scf.for
  //       CHECK:     nv_tileas.fence tcgen05_before
  //  CHECK-NEXT:     nv_tileas.barrier cluster
  //  CHECK-NEXT:     nv_tileas.fence tcgen05_after
  //       CHECK:     scf.for
  //       CHECK:       %[[FREE:.*]] = nv_tileas.mbarrier.slot %[[EMPTY]]
  //       CHECK:       nv_tileas.mbarrier.wait %[[FREE]], %{{.*}} {issuer, tileir.peers = array<i32: 0, 1>}
  //       CHECK:       %[[FILLED:.*]] = nv_tileas.mbarrier.slot %[[FULL]]
  //  CHECK-NEXT:       nv_tileas.mbarrier.arrive_expect_tx %[[FILLED]], 49152 {leader}
  //       CHECK:       nv_tileas.async.tma_load {{.*}} signal %[[FILLED]] {cta_group = 2 : i32}
  //       CHECK:       nv_tileas.async.tma_load {{.*}} signal %[[FILLED]] {cta_group = 2 : i32}
  //       CHECK:       %[[READ:.*]] = nv_tileas.mbarrier.slot %[[FULL]]
  //  CHECK-NEXT:       nv_tileas.mbarrier.wait %[[READ]], %{{.*}} {issuer, leader, tileir.peers = array<i32: 0, 1>}
  //       CHECK:       nv_tileas.async.dot_into
  //       CHECK:       %[[RELEASED:.*]] = nv_tileas.mbarrier.slot %[[EMPTY]]
  //  CHECK-NEXT:       nv_tileas.umma_commit %[[RELEASED]] {cta_group = 2 : i32}
  //       CHECK:     arith.divui
  //       CHECK:     %[[TRIPS:.*]] = arith.select
  //       CHECK:     nv_tileas.umma_commit %{{.*}} {cta_group = 2 : i32}
  //       CHECK:     nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {products, tileir.peers = array<i32: 0, 1>}
  //       CHECK:     %[[SUM:.*]] = arith.addi %{{.*}}, %[[TRIPS]] : i32
  //       CHECK:     scf.yield {{.*}}%[[SUM]]
  //       CHECK:   %[[UP:.*]] = arith.addi %[[TILES]]#{{.*}}, %c1
  //       CHECK:   arith.divui %[[UP]], %c2
  //       CHECK:   nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer, tileir.peers = array<i32: 0, 1>}
  //       CHECK:   nv_tileas.mbarrier.wait %{{.*}}, %{{.*}} {issuer, tileir.peers = array<i32: 0, 1>}
  //   CHECK-NOT:   nv_tileas.mbarrier.wait
  //       CHECK:   nv_tileaa.return
  nv_tileaa.func kernel @pair(%ma: !mapa, %mb: !mapb, %n: i32, %tiles: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %a = nv_tileas.alloc_tensor : !ringa
    %b = nv_tileas.alloc_tensor : !ringb
    %d = nv_tileas.alloc_tensor : !ringd
    %p = nv_tileas.pipeline.create %a, %b {producer = tma, consumers = [umma], sync = mbarrier, empty = mbarrier} : !ringa, !ringb -> !p
    %q = nv_tileas.pipeline.create %d {producer = umma, consumers = [generic], sync = mbarrier, empty = barrier} : !ringd -> !q
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %x0 = nv_tileas.pipeline.iterator %q producer : !q -> !o
    %y0 = nv_tileas.pipeline.iterator %q consumer : !q -> !o
    %e:4 = scf.for %tile = %c0 to %tiles step %c1 iter_args(%j1 = %j0, %k1 = %k0, %x = %x0, %y = %y0) -> (!i, !i, !o, !o) : i32 {
      %acc = nv_tileas.pipeline.acquire %q[%x] : !q -> !acc
      %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j1, %k = %k1) -> (!i, !i) : i32 {
        %w:2 = nv_tileas.pipeline.acquire %p[%j] : !p -> !slota, !slotb
        %ta = nv_tileas.async.tma_load %ma[%i, %tile] into %w#0 : !mapa -> !slota
        %tb = nv_tileas.async.tma_load %mb[%i, %tile] into %w#1 : !mapb -> !slotb
        nv_tileas.pipeline.commit %p[%j] : !p
        %j2 = nv_tileas.pipeline.advance %j : !i
        %s:2 = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slota, !slotb
        %more = arith.cmpi ne, %i, %c0 : i32
        nv_tileas.async.dot_into %s#0, %s#1 into %acc use_acc %more {atom = #atom} : !slota, !slotb -> !acc
        nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
        %k2 = nv_tileas.pipeline.advance %k : !i
        scf.yield %j2, %k2 : !i, !i
      }
      nv_tileas.pipeline.commit %q[%x] : !q
      %x1 = nv_tileas.pipeline.advance %x : !o
      %z = nv_tileas.pipeline.wait %q[%y] {consumer = 0 : i32, pending = 0 : i32} : !q -> !acc
      %t = nv_tileas.copy %z : !acc -> tensor<128x128xf32, #l>
      nv_tileas.pipeline.release %q[%y] {consumer = 0 : i32} : !q
      %y1 = nv_tileas.pipeline.advance %y : !o
      scf.yield %r#0, %r#1, %x1, %y1 : !i, !i, !o, !o
    }
    nv_tileas.dealloc %a : !ringa
    nv_tileas.dealloc %b : !ringb
    nv_tileas.dealloc %d : !ringd
    nv_tileaa.return
  }
}
