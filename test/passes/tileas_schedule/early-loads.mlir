// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads into registers that an iteration makes for the next one.
// DEFINE: %{load} = --load-dialect-plugin=%libTileASSchedulePasses.so --load-pass-plugin=%libTileASSchedulePasses.so
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{v2-opt-level=3},tileas-materialize-schedule)))' | FileCheck %s

#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
!token = !nv_tileaa.mem_token
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // No token orders the load after the store of the previous iteration.
  // CHECK-LABEL: @rows(
  //       CHECK:   nv_tileas.tiled_load {{.*}}nv_tile.aws.stage = [[#EARLY:]] : i32
  //       CHECK:   math.exp {{.*}}nv_tile.aws.stage = [[#EARLY + 1]] : i32
  //       CHECK:   nv_tileas.tiled_store {{.*}}nv_tile.aws.stage = [[#EARLY + 1]] : i32
  //       CHECK:   tileas.schedule.num_stages = [[#EARLY + 2]] : i32
  nv_tileaa.func kernel @rows(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
      %y = math.exp %x : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }

  // A token does.
  // CHECK-LABEL: @ordered(
  //       CHECK:   nv_tileas.tiled_load {{.*}}nv_tile.aws.stage = 0 : i32
  //       CHECK:   math.exp {{.*}}nv_tile.aws.stage = 0 : i32
  //       CHECK:   tileas.schedule.num_stages = 1 : i32
  nv_tileaa.func kernel @ordered(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %first = nv_tileas.create_mem_token
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%done = %first) -> (!token) : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] token %done : !v[i32, i32] -> !t
      %y = math.exp %x : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] token %t : !t, !v[i32, i32]
      scf.yield %u : !token
    }
    nv_tileaa.return
  }

  // Nor may what is stored first in an iteration be loaded before that.
  // CHECK-LABEL: @behind(
  //       CHECK:   nv_tileas.tiled_load {{.*}}nv_tile.aws.stage = 0 : i32
  //       CHECK:   tileas.schedule.num_stages = 1 : i32
  nv_tileaa.func kernel @behind(%v: !v, %n: i32, %z: !t) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %u = nv_tileas.tiled_store weak %z, %v[%i, %c0] : !t, !v[i32, i32]
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
      %y = math.exp %x : !t
      %w = nv_tileas.tiled_store weak %y, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }
}
