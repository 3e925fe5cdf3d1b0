// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies to shared memory by threads.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm{prepare=none}))' | FileCheck %s

#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#s = #nv_tileas.layout<smem, [32, 32], swizzled<b128, major = 1, bits = 32>>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!ring = !nv_tileas.buffer<[2] 32x32xf32, #s>
!m = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !m, padding = zero>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  // Two vectors a thread, into stage `%stage`; where the mask is off nothing is read and zeros are written.
  // CHECK-LABEL: llvm.func @copies(
  //       CHECK:   %[[SLOT:.*]] = llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  //       CHECK:   llvm.getelementptr %[[SLOT]][%{{.*}}]
  //       CHECK:   %[[BYTES:.*]] = llvm.select %{{.*}}, %{{.*}}, %{{.*}} : i1, i32
  //       CHECK:   llvm.inline_asm has_side_effects "@$2 cp.async.cg.shared.global [$0], [$1], 16, $3;", "r,l,b,r,~{memory}" %{{.*}}, %{{.*}}, %[[C:.*]], %[[BYTES]] :
  //       CHECK:   llvm.inline_asm has_side_effects "@$2 cp.async.cg.shared.global [$0 + 2048], [$1], 16, $3;", "r,l,b,r,~{memory}" %{{.*}}, %{{.*}}, %[[C]], %{{.*}} :
  //  CHECK-NEXT:   nvvm.cp.async.commit.group
  //  CHECK-NEXT:   nvvm.cp.async.wait.group 1
  nv_tileaa.func @copies(%p: tensor<32x32x!nv_tileaa.ptr<f32>, #l>, %m: tensor<32x32xi1, #l>, %stage: i32, %c: i1) attributes {nv_tileas.smem_bytes = 8192 : i32, nv_tileas.smem_align = 1024 : i32, nv_tileas.ordered} {
    %r = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !ring
    %s = nv_tileas.view %r[%stage] : !ring -> !slot
    %t = nv_tileas.async.copy %p into %s mask %m : tensor<32x32xi1, #l> if %c {via = #l, nv_tileas.contiguous = array<i32: 1, 4>, nv_tileas.align = 16 : i32} : tensor<32x32x!nv_tileaa.ptr<f32>, #l> -> !slot
    nv_tileas.async.commit_group
    nv_tileas.async.wait_group {pending = 1 : i32}
    nv_tileaa.return
  }

  // Inside the array in both dimensions: without predicates.
  // CHECK-LABEL: llvm.func @view_copy(
  //   CHECK-NOT:   llvm.icmp
  //       CHECK:   nvvm.cp.async.shared.global %[[S:.*]], %{{.*}}, 16, cache = cg
  //       CHECK:   %[[T:.*]] = llvm.getelementptr %[[S]][2048]
  //       CHECK:   nvvm.cp.async.shared.global %[[T]], %{{.*}}, 16, cache = cg
  //  CHECK-NEXT:   nvvm.cp.async.commit.group
  //  CHECK-NEXT:   nvvm.cp.async.wait.group 0
  nv_tileaa.func @view_copy(%p: !nv_tileaa.ptr<f32>, %rows: i64, %cols: i64, %ld: i64, %i: i32) attributes {nv_tileas.smem_bytes = 8192 : i32, nv_tileas.smem_align = 1024 : i32, nv_tileas.ordered} {
    %m = nv_tileas.make_memref %p sizes[%rows, %cols] strides[%ld] : !nv_tileaa.ptr<f32> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %s = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !slot
    %t = nv_tileas.async.copy %v[%i, %i] into %s in_bounds = [true, true] {via = #l, nv_tileas.contiguous = array<i32: 1, 4>, nv_tileas.align = 16 : i32} : !v[i32, i32] -> !slot
    nv_tileas.async.commit_group
    nv_tileas.async.wait_group {pending = 0 : i32}
    nv_tileaa.return
  }
}
