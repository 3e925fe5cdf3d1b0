// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers{share=always})))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers{share=never})))' | FileCheck %s

#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
!t = tensor<64x64xf16, #a>
!u = tensor<64x64xf16, #b>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // Agents run side by side: what one needs while it runs is not the other's. Each of several warps has a barrier.
  // CHECK-LABEL: nv_tileaa.func kernel @two
  // CHECK-SAME: nv_tileas.smem_bytes = 16384 : i32
  // CHECK: nv_tileas.convert_layout {{.*}} {nv_tileas.scratch_offset = 0 : i32}
  // CHECK: nv_tileas.convert_layout {{.*}} {nv_tileas.scratch_offset = 0 : i32}
  // CHECK: } {nv_tileas.agent = {barrier_id = 1 : i32, num_warps = 4 : i32, warp_id = 0 : i32}}
  // CHECK: nv_tileas.convert_layout {{.*}} {nv_tileas.scratch_offset = 8192 : i32}
  // CHECK: } {nv_tileas.agent = {barrier_id = 2 : i32, num_warps = 4 : i32, warp_id = 4 : i32}}
  // CHECK: } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 8 : i32}}
  nv_tileaa.func kernel @two(%c: i1, %d: i1, %e: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    scf.if %c {
      %x = arith.constant dense<1.0> : !t
      %y = nv_tileas.convert_layout %x : !t -> !u
      %z = nv_tileas.convert_layout %x : !t -> !u
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 0 : i32}}
    scf.if %d {
      %x = arith.constant dense<1.0> : !t
      %y = nv_tileas.convert_layout %x : !t -> !u
    } {nv_tileas.agent = {num_warps = 4 : i32, warp_id = 4 : i32}}
    scf.if %e {
    } {nv_tileas.agent = {num_warps = 1 : i32, warp_id = 8 : i32}}
    nv_tileaa.return
  }
}
