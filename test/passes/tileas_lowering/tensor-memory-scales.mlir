// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scales of an MMA are copied from shared to tensor memory.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#staged = #nv_tileas.layout<smem, [128, 4], offset = [[0, 1], [0, 2], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#sa = #nv_tileas.layout<tmem, [128, 4], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
!scales = !nv_tileas.buffer<128x4xf8E8M0FNU, #staged>
!scale_a = !nv_tileas.buffer<128x4xf8E8M0FNU, #sa>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // One thread copies; the address of what was allocated comes through shared memory.
  // CHECK-LABEL: llvm.func @scales(
  //       CHECK:   %[[ELECTED:.*]] = llvm.and %{{.*}}, %{{.*}} : i1
  //       CHECK:   tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 32;
  //       CHECK:   %[[T:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  //       CHECK:   %[[AT:.*]] = nvvm.shfl.sync idx %{{.*}}, %[[T]],
  //       CHECK:   llvm.inline_asm has_side_effects "@$2 tcgen05.cp.cta_group::1.32x128b.warpx4 [$0], $1;", "r,l,b,~{memory}" %[[AT]], %{{.*}}, %[[ELECTED]]
  //       CHECK:   tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 32;
  nv_tileaa.func kernel @scales() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %s = nv_tileas.alloc_tensor : !scales
    %a = nv_tileas.alloc_tensor : !scale_a
    nv_tileas.async.tmem_copy %s into %a : !scales -> !scale_a
    nv_tileas.dealloc %a : !scale_a
    nv_tileaa.return
  }
}
