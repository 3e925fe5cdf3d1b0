// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles that CTAs of a cluster exchange: each writes its own, all read those of the others between two barriers.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#one = #nv_tileas.layout<reg, [1, 64], blocked<per_thread = [1, 2], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
#two = #nv_tileas.layout<reg, [2, 64], blocked<per_thread = [2, 2], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 1 : i32} {
  // CHECK-LABEL: llvm.func @gather(
  //       CHECK:   llvm.store
  //       CHECK:   nvvm.cluster.arrive {aligned}
  //       CHECK:   nvvm.cluster.wait {aligned}
  // CHECK-COUNT-4:   mapa.shared::cluster.u32 there, {{.*}}ld.shared::cluster.b32
  //   CHECK-NOT:   ld.shared::cluster
  //       CHECK:   nvvm.cluster.arrive {aligned}
  //       CHECK:   nvvm.cluster.wait {aligned}
  //       CHECK:   llvm.return
  nv_tileaa.func @gather(%x: tensor<1x64xf32, #one>) -> tensor<2x64xf32, #two> {
    %0 = nv_tileas.cluster_gather %x dim = 0 axes = 1 : tensor<1x64xf32, #one> -> tensor<2x64xf32, #two>
    nv_tileaa.return %0 : tensor<2x64xf32, #two>
  }
}
