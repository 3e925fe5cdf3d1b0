// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads into registers that a schedule has a stage ahead of the rest.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=4})))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(unspecialized-pipeline{num-stages=1})))' | FileCheck %s --check-prefix=OFF
//   OFF-NOT: scf.if
//   OFF-NOT: nv_tile.aws

#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // The first tile is loaded before the loop: out of bounds if
  // there is no iteration, since the coordinate is compared with
  // its end anyway. Each iteration loads the next tile, after the
  // operation that the order names, which a branch keeps there.
  // CHECK-LABEL: @rows(
  //  CHECK-SAME:   %[[V:[^:]*]]: {{.*}}, %[[N:[^:]*]]: i32
  //   CHECK-NOT:   scf.if
  //       CHECK:   %[[ANY:.*]] = arith.cmpi slt, %c0_i32, %[[N]]
  //       CHECK:   %[[AT:.*]] = arith.select %[[ANY]], %c0_i32{{.*}}, %c-1_i32
  //       CHECK:   %[[X:.*]], %[[T:.*]] = nv_tileas.tiled_load weak %[[V]][%[[AT]], %c0_i32
  //       CHECK:   scf.for %[[I:.*]] = %c0_i32{{.*}} to %[[N]] {{.*}} iter_args(%[[TILE:.*]] = %[[X]], %{{.*}} = %[[T]])
  //   CHECK-NOT:     scf.if
  //       CHECK:     %[[E:.*]] = math.exp %[[TILE]]
  //       CHECK:     %[[LEFT:.*]] = arith.subi %[[N]], %[[I]]
  //       CHECK:     %[[MORE:.*]] = arith.cmpi ugt, %[[LEFT]], %{{.*}}
  //       CHECK:     %[[NEXT:.*]] = arith.addi %[[I]],
  //       CHECK:     %[[LOADED:.*]]:2 = scf.if %[[MORE]]
  //       CHECK:       nv_tileas.tiled_load weak %[[V]][%[[NEXT]], %c0_i32
  //       CHECK:     nv_tileas.tiled_store weak %[[E]], %[[V]][%[[I]]
  //       CHECK:     scf.yield %[[LOADED]]#0, %[[LOADED]]#1
  //   CHECK-NOT:   nv_tile.aws
  nv_tileaa.func kernel @rows(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : !v[i32, i32] -> !t
      %y = math.exp %x {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32} : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 1 : i32} : !t, !v[i32, i32]
    } {tileas.schedule.num_stages = 2 : i32}
    nv_tileaa.return
  }

  // Nothing is compared along the loop: the other coordinate.
  // CHECK-LABEL: @columns(
  //   CHECK-NOT:   scf.if
  //       CHECK:   %[[AT:.*]] = arith.select %{{.*}}, %c0_i32{{.*}}, %c-1_i32
  //       CHECK:   nv_tileas.tiled_load weak %{{.*}}[%c0_i32{{.*}}, %[[AT]]]
  //       CHECK:   scf.for
  nv_tileaa.func kernel @columns(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] in_bounds = [true, false] {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : !v[i32, i32] -> !t
      %y = math.exp %x {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32} : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 1 : i32} : !t, !v[i32, i32]
    } {tileas.schedule.num_stages = 2 : i32}
    nv_tileaa.return
  }

  // Two loads in one place: one branch.
  // CHECK-LABEL: @together(
  //       CHECK:   scf.for
  //       CHECK:     %[[LOADED:.*]]:4 = scf.if
  // CHECK-COUNT-2:       nv_tileas.tiled_load
  //       CHECK:     } else {
  //   CHECK-NOT:     scf.if
  //       CHECK:     scf.yield %[[LOADED]]#0, %[[LOADED]]#1, %[[LOADED]]#2, %[[LOADED]]#3
  nv_tileaa.func kernel @together(%v: !v, %w: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : !v[i32, i32] -> !t
      %z, %r = nv_tileas.tiled_load weak %w[%i, %c0] {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 0 : i32} : !v[i32, i32] -> !t
      %y = arith.addf %x, %z {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32} : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] {nv_tile.aws.order = 3 : i32, nv_tile.aws.stage = 1 : i32} : !t, !v[i32, i32]
    } {tileas.schedule.num_stages = 2 : i32}
    nv_tileaa.return
  }

  // Nothing is compared: a branch.
  // CHECK-LABEL: @inside(
  //  CHECK-SAME:   %[[V:[^:]*]]: {{.*}}, %[[N:[^:]*]]: i32
  //       CHECK:   %[[ANY:.*]] = arith.cmpi slt, %c0_i32, %[[N]]
  //       CHECK:   %[[FIRST:.*]]:2 = scf.if %[[ANY]]
  //       CHECK:     %[[X:.*]], %[[T:.*]] = nv_tileas.tiled_load weak %[[V]][%c0_i32
  //       CHECK:     scf.yield %[[X]], %[[T]]
  //       CHECK:   } else {
  //       CHECK:     nv_tileas.create_mem_token
  //       CHECK:   scf.for %[[I:.*]] = %c0_i32{{.*}} to %[[N]] {{.*}} iter_args(%[[TILE:.*]] = %[[FIRST]]#0, %{{.*}} = %[[FIRST]]#1)
  //       CHECK:     %[[MORE:.*]] = arith.cmpi ugt
  //       CHECK:     %[[NEXT:.*]] = arith.addi %[[I]],
  //       CHECK:     %[[LOADED:.*]]:2 = scf.if %[[MORE]]
  //       CHECK:       nv_tileas.tiled_load weak %[[V]][%[[NEXT]]
  //       CHECK:     scf.yield %[[LOADED]]#0, %[[LOADED]]#1
  nv_tileaa.func kernel @inside(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] in_bounds = [true, true] {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : !v[i32, i32] -> !t
      %y = math.exp %x {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 1 : i32} : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] {nv_tile.aws.order = 2 : i32, nv_tile.aws.stage = 1 : i32} : !t, !v[i32, i32]
    } {tileas.schedule.num_stages = 2 : i32}
    nv_tileaa.return
  }

  // One stage: as it is.
  // CHECK-LABEL: @plain(
  //   CHECK-NOT:   scf.if
  //       CHECK:   nv_tileaa.return
  nv_tileaa.func kernel @plain(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = 0 : i32} : !v[i32, i32] -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] {nv_tile.aws.order = 1 : i32, nv_tile.aws.stage = 0 : i32} : !t, !v[i32, i32]
    } {tileas.schedule.num_stages = 1 : i32}
    nv_tileaa.return
  }
}
