// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma, which runs asynchronously to the threads.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#rows = #nv_tileas.layout<reg, [64, 1], register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>, acc, warps = [4, 1]>>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
!buffer = !nv_tileas.buffer<64x64xbf16, #s>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 4 : i32} {
  // The registers are passed to four instructions of 16 in K, and are the threads' again only after the wait for zero groups.
  // CHECK-LABEL: llvm.func @product(
  //       CHECK:   llvm.inline_asm has_side_effects "wgmma.fence.sync.aligned;"
  // CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
  //       CHECK:   nvvm.wgmma.commit.group.sync.aligned
  //       CHECK:   wgmma.wait_group.sync.aligned 1
  //       CHECK:   wgmma.wait_group.sync.aligned 0
  //       CHECK:   llvm.return
  nv_tileaa.func @product(%c: tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc> {
    %x = nv_tileas.alloc_tensor : !buffer
    %y = nv_tileas.alloc_tensor : !buffer
    %f = nv_tileas.async.dot %x, %y, %c {atom = #atom} : !buffer, !buffer, tensor<64x64xf32, #acc> -> !future
    %g = nv_tileas.dot_wait %f {pending = 1 : i32} : !future -> !future
    %r = nv_tileas.dot_wait %g {pending = 0 : i32} : !future -> tensor<64x64xf32, #acc>
    nv_tileaa.return %r : tensor<64x64xf32, #acc>
  }

  // CHECK-LABEL: llvm.func @nothing(
  //   CHECK-NOT:   wgmma.mma_async
  //       CHECK:   wgmma.wait_group.sync.aligned 0
  //       CHECK:   llvm.return
  nv_tileaa.func @nothing(%c: tensor<64x64xf32, #acc>) -> tensor<64x64xf32, #acc> {
    %f = nv_tileas.async.to_async %c : tensor<64x64xf32, #acc> -> !future
    %r = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> tensor<64x64xf32, #acc>
    nv_tileaa.return %r : tensor<64x64xf32, #acc>
  }

  // A warp with a factor other than one waits and multiplies. A thread has factors of two rows.
  // CHECK-LABEL: llvm.func @rescale(
  // CHECK-COUNT-2: llvm.fcmp "une" %{{.*}}, %{{.*}} : f32
  //     CHECK-NOT: llvm.fcmp
  //         CHECK:   %[[ANY:.*]] = nvvm.vote.sync any %{{.*}}, %{{.*}} -> i1
  //    CHECK-NEXT:   llvm.cond_br %[[ANY]], ^[[RARE:.*]], ^[[OTHERS:bb[0-9]+]]
  //         CHECK:   ^[[RARE]]:
  //    CHECK-NEXT:   llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;"
  // CHECK-COUNT-32: llvm.fmul
  //     CHECK-NOT: llvm.fmul
  //         CHECK:   ^[[OTHERS]]:
  //     CHECK-NOT: llvm.fmul
  //         CHECK:   wgmma.wait_group.sync.aligned 1
  nv_tileaa.func @rescale(%c: tensor<64x64xf32, #acc>, %x: tensor<64x1xf32, #rows>) -> tensor<64x64xf32, #acc> {
    %b = nv_tileas.broadcast %x : tensor<64x1xf32, #rows> -> tensor<64x64xf32, #acc>
    %f = nv_tileas.async.to_async %c : tensor<64x64xf32, #acc> -> !future
    %g = nv_tileas.async.rescale %f by %b : !future, tensor<64x64xf32, #acc>
    %r = nv_tileas.dot_wait %g {pending = 1 : i32} : !future -> tensor<64x64xf32, #acc>
    nv_tileaa.return %r : tensor<64x64xf32, #acc>
  }
}
