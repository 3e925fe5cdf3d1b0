// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{prepare=none}))' | FileCheck %s

#s = #nv_tileas.layout<smem, [64, 128], swizzled<b128, major = 1, bits = 16>>
!slot = !nv_tileas.buffer<64x128xbf16, #s>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x128 of !m, padding = zero>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>

gpu.module @k attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 4 : i32} {
  // CHECK: llvm.func @__tileir_make_tensor_map(...) -> !llvm.ptr

  // One thread is elected, at entry; of the map all threads know that they have the same.
  // CHECK-LABEL: llvm.func @copy(
  // CHECK-SAME: %[[P:.*]]: !llvm.ptr<1>, %[[ROWS:.*]]: i64, %[[COLS:.*]]: i64, %[[LD:.*]]: i64, %[[I:.*]]: i32, %[[J:.*]]: i32, %[[C:.*]]: i1
  // CHECK: %[[TID:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK: %[[LANE:.*]] = nvvm.elect.sync -> i1
  // CHECK: %[[FIRST:.*]] = llvm.icmp "eq" %[[WARP]]
  // CHECK: %[[ELECTED:.*]] = llvm.and %[[FIRST]], %[[LANE]]
  // CHECK: %[[BYTES:.*]] = llvm.shl %[[LD]]
  // CHECK: %[[MAP:.*]] = llvm.call @__tileir_make_tensor_map(%[[P]], %[[COLS]], %[[ROWS]], %[[BYTES]]) vararg(!llvm.func<ptr (...)>)
  // CHECK-SAME: tileir.divisible_by = 16 : i64, tileir.tensormap = {box = array<i64: 64, 64>, element = "bf16", swizzle = "128B"}
  // CHECK: llvm.ptrtoint %[[MAP]]
  // CHECK: nvvm.shfl.sync idx
  // CHECK: nvvm.shfl.sync idx
  // CHECK: %[[DESC:.*]] = llvm.or
  // CHECK: llvm.and %[[C]], %[[ELECTED]]
  // CHECK: llvm.inline_asm has_side_effects "@$1 mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [$0], 16384;", "r,b,~{memory}"
  // Two boxes, the second one 64 columns on.
  // CHECK: %[[PRED:.*]] = llvm.and %[[C]], %[[ELECTED]]
  // CHECK: llvm.inline_asm has_side_effects "@$5 cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];", "r,l,r,r,r,b,~{memory}" %[[AT:.*]], %[[DESC]], %[[BAR:.*]], %[[J]], %[[I]], %[[PRED]]
  // CHECK: %[[NEXT:.*]] = llvm.add %[[AT]], %{{.*}} : i32
  // CHECK: %[[RIGHT:.*]] = llvm.add %[[J]], %{{.*}} : i32
  // CHECK: llvm.inline_asm has_side_effects "@$5 cp.async.bulk.tensor.2d{{.*}} %[[NEXT]], %[[DESC]], %[[BAR]], %[[RIGHT]], %[[I]], %[[PRED]]
  nv_tileaa.func @copy(%p: !nv_tileaa.ptr<bf16>, %rows: i64, %cols: i64, %ld: i64, %i: i32, %j: i32, %c: i1) attributes {nv_tileas.smem_bytes = 16400 : i32, nv_tileas.smem_align = 1024 : i32, nv_tileas.ordered} {
    %m = nv_tileas.make_memref %p sizes[%rows, %cols] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %d = nv_tileas.make_tiled_tma_desc %v : !v -> !d
    %s = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !slot
    %bs = nv_tileas.mbarrier.alloc {smem_offset = 16384 : i32} : !nv_tileas.mbarrier<[2]>
    %b = nv_tileas.mbarrier.slot %bs[%i] : !nv_tileas.mbarrier<[2]>
    nv_tileas.mbarrier.arrive_expect_tx %b, 16384 if %c
    %t = nv_tileas.async.tma_load %d[%i, %j] into %s signal %b if %c : !d -> !slot
    nv_tileaa.return
  }

  // The first thread initializes all mbarriers; waits retry until the phase completes.
  // CHECK-LABEL: llvm.func @objects(
  // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
  // CHECK-NOT: llvm.cond_br
  // CHECK: "@$1 mbarrier.init.shared.b64 [$0], 1;", "r,b,~{memory}" %{{.*}}, %[[FIRST:[0-9]+]] :
  // CHECK-NOT: llvm.cond_br
  // CHECK: "@$1 mbarrier.init.shared.b64 [$0], 1;", "r,b,~{memory}" %{{.*}}, %[[FIRST]] :
  // CHECK: nvvm.mbarrier.try_wait %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32 -> i1
  // CHECK: nvvm.bar.warp.sync
  // CHECK: llvm.inline_asm has_side_effects "@$1 mbarrier.arrive.release.cta.shared::cta.b64 _, [$0];", "r,b,~{memory}"
  // CHECK: llvm.inline_asm has_side_effects "mbarrier.arrive.release.cta.shared::cta.b64 _, [$0];", "r,~{memory}"
  // CHECK: llvm.inline_asm has_side_effects "@$1 mbarrier.arrive.release.cta.shared::cta.b64 _, [$0];", "r,b,~{memory}"
  // CHECK: nvvm.cp.async.mbarrier.arrive %{{.*}} {noinc = true} : !llvm.ptr<3>
  // CHECK: %[[FIRST_WARP:.*]] = llvm.icmp "eq" %[[WARP]], %{{.*}} : i32
  // CHECK: %[[MINE:.*]] = llvm.and %{{.*}}, %[[FIRST_WARP]] : i1
  // CHECK: llvm.inline_asm has_side_effects "@$1 cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];", "r,b,~{memory}" %{{.*}}, %[[MINE]]
  nv_tileaa.func @objects(%i: i32, %parity: i32, %c: i1) attributes {nv_tileas.smem_bytes = 16 : i32, nv_tileas.smem_align = 16 : i32, nv_tileas.ordered} {
    %bs = nv_tileas.mbarrier.alloc {smem_offset = 0 : i32} : !nv_tileas.mbarrier<[2]>
    nv_tileas.mbarrier.init %bs {count = 1 : i32} : !nv_tileas.mbarrier<[2]>
    %b = nv_tileas.mbarrier.slot %bs[%i] : !nv_tileas.mbarrier<[2]>
    nv_tileas.mbarrier.wait %b, %parity
    nv_tileas.mbarrier.arrive %b {by = warp}
    nv_tileas.mbarrier.arrive %b {by = thread}
    nv_tileas.mbarrier.arrive %b {by = elected}
    nv_tileas.mbarrier.arrive %b {by = cp_async}
    nv_tileas.mbarrier.arrive %b if %c {by = cp_async_warp}
    nv_tileaa.return
  }
}
