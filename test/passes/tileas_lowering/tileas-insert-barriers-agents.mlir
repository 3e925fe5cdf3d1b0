// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers,tileas-check-barriers)))' | FileCheck %s
// Barriers of the warps of an agent, and of all threads.

#s = #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>
#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
!b = !nv_tileas.buffer<64x64xf16, #s>
!t = tensor<64x64xf16, #a>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // The agent reads what it wrote.
  // CHECK-LABEL: @inside
  // CHECK-NOT: nv_tileas.barrier cta
  // CHECK: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @inside(%c: i1) attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    scf.if %c {
      %x = arith.constant dense<1.0> : !t
      nv_tileas.copy %x, %p : !t, !b
      %y = nv_tileas.copy %p : !b -> !t
    } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
    nv_tileaa.return
  }

  // All write, the agent reads; it writes again, and all read.
  // CHECK-LABEL: @across
  // CHECK: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: scf.if
  // CHECK-NOT: nv_tileas.barrier cta
  // CHECK: nv_tileas.copy
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NEXT: nv_tileas.copy
  // CHECK-NEXT: } {nv_tileas.agent
  // CHECK-NEXT: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.copy
  nv_tileaa.func @across(%c: i1, %x: !t) -> !t attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %p = nv_tileas.alloc_tensor {smem_offset = 0 : i32} : !b
    nv_tileas.copy %x, %p : !t, !b
    scf.if %c {
      %y = nv_tileas.copy %p : !b -> !t
      nv_tileas.copy %y, %p : !t, !b
    } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
    %z = nv_tileas.copy %p : !b -> !t
    nv_tileaa.return %z : !t
  }
}
