// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread stores the boxes of a tile, closes a group and waits for it.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{prepare=none}))' | FileCheck %s

#s = #nv_tileas.layout<smem, [64, 128], swizzled<b128, major = 1, bits = 16>>
!slot = !nv_tileas.buffer<64x128xbf16, #s>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x128 of !m, padding = zero>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>

gpu.module @k attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 4 : i32} {
  // CHECK-LABEL: llvm.func @store(
  // CHECK-SAME: %[[I:[^:]*]]: i32, %[[J:[^:]*]]: i32)
  // CHECK: %[[LANE:.*]] = nvvm.elect.sync -> i1
  // CHECK: %[[ELECTED:.*]] = llvm.and %{{.*}}, %[[LANE]]
  // CHECK: %[[MAP:.*]] = llvm.call @__tileir_make_tensor_map
  // Two boxes, the second one 64 columns on.
  // CHECK: llvm.inline_asm has_side_effects "@$4 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [$1, {$2, $3}], [$0];", "r,l,r,r,b,~{memory}" %{{.*}}, %{{.*}}, %[[J]], %[[I]], %[[ELECTED]]
  // CHECK: %[[RIGHT:.*]] = llvm.add %[[J]], %{{.*}} : i32
  // CHECK: llvm.inline_asm has_side_effects "@$4 cp.async.bulk.tensor.2d{{.*}} %[[RIGHT]], %[[I]], %[[ELECTED]]
  // CHECK-NEXT: llvm.inline_asm has_side_effects "@$0 cp.async.bulk.commit_group;", "b,~{memory}" %[[ELECTED]]
  // CHECK-NEXT: llvm.inline_asm has_side_effects "@$0 cp.async.bulk.wait_group.read 1;", "b,~{memory}" %[[ELECTED]]
  // CHECK-NEXT: llvm.inline_asm has_side_effects "@$0 cp.async.bulk.wait_group 0;", "b,~{memory}" %[[ELECTED]]
  nv_tileaa.func @store(%p: !nv_tileaa.ptr<bf16>, %rows: i64, %cols: i64, %ld: i64, %i: i32, %j: i32) attributes {nv_tileas.smem_bytes = 16384 : i32, nv_tileas.smem_align = 1024 : i32, nv_tileas.ordered} {
    %m = nv_tileas.make_memref %p sizes[%rows, %cols] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %d = nv_tileas.make_tiled_tma_desc %v : !v -> !d
    %s = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !slot
    %t = nv_tileas.async.tma_store %s to %d[%i, %j] : !slot -> !d
    nv_tileas.async.bulk_wait {pending = 1 : i32}
    nv_tileas.async.bulk_wait complete {pending = 0 : i32}
    nv_tileaa.return
  }
}
