// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so \
// RUN:   --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileaa-split-clusters)))' --verify-diagnostics | FileCheck %s

!mem = !nv_tileaa.memref<?x256xf32, strides = [256, 1]>
!view = !nv_tileaa.tiled_view<128x256 of !mem>
!half = !nv_tileaa.memref<?x256xf16, strides = [256, 1]>
!row = !nv_tileaa.tiled_view<1x8192 of !nv_tileaa.memref<?x8192xf32, strides = [8192, 1]>>
#two = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>
#four = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 4, cluster_dim = [4, 1, 1]>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // An index that may be outside must not come in by the scale.
  // CHECK-LABEL: nv_tileaa.func kernel @rows(
  //       CHECK:   %[[ID:.*]] = gpu.cluster_block_id x upper_bound 2
  //       CHECK:   %[[RANK:.*]] = arith.index_cast %[[ID]] : index to i32
  //       CHECK:   nv_tileaa.block_tile {{.*}} -> !nv_tileaa.tiled_view<64x256 of
  //       CHECK:   %[[LIMIT:.*]] = arith.constant 2147483647 : i32
  //       CHECK:   %[[MIN:.*]] = arith.minui %{{.*}}, %[[LIMIT]] : i32
  //       CHECK:   %[[SCALED:.*]] = arith.muli %[[MIN]], %{{.*}} : i32
  //       CHECK:   %[[ROW:.*]] = arith.addi %[[SCALED]], %[[RANK]] : i32
  //       CHECK:   nv_tileaa.tiled_load weak %{{.*}}[%[[ROW]], %{{.*}}] {{.*}} -> tensor<64x256xf32>
  //       CHECK:   nv_tileaa.reduce {{.*}} : tensor<64x256xf32> -> tensor<64xf32>
  //       CHECK:   nv_tileaa.tiled_store weak {{.*}} : tensor<64x256xf32>
  nv_tileaa.func kernel @rows(%m: !mem, %i: i32) attributes {kernel_spec = #two} {
    %c0 = arith.constant 0 : i32
    %v = nv_tileaa.block_tile %m : !mem -> !view
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !view[i32, i32] -> tensor<128x256xf32>
    %s = nv_tileaa.reduce %x axis = 1 identities = [0.0 : f32] : tensor<128x256xf32> -> tensor<128xf32> {
    ^bb0(%elem: f32, %acc: f32):
      %sum = arith.addf %acc, %elem : f32
      nv_tileaa.yield %sum : f32
    }
    %e = nv_tileaa.expand_dims %s axes = [1] : tensor<128xf32> -> tensor<128x1xf32>
    %b = nv_tileaa.broadcast %e : tensor<128x1xf32> -> tensor<128x256xf32>
    %y = arith.subf %x, %b : tensor<128x256xf32>
    %u = nv_tileaa.tiled_store weak %y, %v[%i, %c0] token %t : tensor<128x256xf32>, !view[i32, i32]
    nv_tileaa.return
  }

  // Four CTAs take half of the rows and half of the columns each; loads of A have half of its rows, those of B half of its columns.
  // CHECK-LABEL: nv_tileaa.func kernel @product(
  //   CHECK-DAG:   nv_tileaa.tiled_load weak {{.*}} -> tensor<64x64xf16>
  //   CHECK-DAG:   nv_tileaa.tiled_load weak {{.*}} -> tensor<64x128xf16>
  //       CHECK:   nv_tileaa.dot {{.*}} : tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>
  //       CHECK:   nv_tileaa.tiled_store weak {{.*}} : tensor<64x128xf32>
  nv_tileaa.func kernel @product(%a: !half, %b: !half, %c: !mem) attributes {kernel_spec = #four} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c8 = arith.constant 8 : i32
    %i = nv_tileaa.get_program_id x
    %va = nv_tileaa.block_tile %a : !half -> !nv_tileaa.tiled_view<128x64 of !half>
    %vb = nv_tileaa.block_tile %b : !half -> !nv_tileaa.tiled_view<64x256 of !half>
    %vc = nv_tileaa.block_tile %c : !mem -> !view
    %zero = arith.constant dense<0.0> : tensor<128x256xf32>
    %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (tensor<128x256xf32>) : i32 {
      %x, %t0 = nv_tileaa.tiled_load weak %va[%i, %k] : !nv_tileaa.tiled_view<128x64 of !half>[i32, i32] -> tensor<128x64xf16>
      %y, %t1 = nv_tileaa.tiled_load weak %vb[%k, %c0] : !nv_tileaa.tiled_view<64x256 of !half>[i32, i32] -> tensor<64x256xf16>
      %d = nv_tileaa.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
      scf.yield %d : tensor<128x256xf32>
    }
    %u = nv_tileaa.tiled_store weak %r, %vc[%i, %c0] : tensor<128x256xf32>, !view[i32, i32]
    nv_tileaa.return
  }

  // A counter is that of the tile block: rank 0 counts.
  // CHECK-LABEL: nv_tileaa.func kernel @counter(
  //       CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %{{.*}}, %{{.*}} : i32
  //       CHECK:   scf.if %[[FIRST]] -> (!nv_tileaa.mem_token) {
  //  CHECK-NEXT:     nv_tileaa.atomic_rmw add relaxed cluster
  nv_tileaa.func kernel @counter(%m: !mem, %p: !nv_tileaa.ptr<i32>, %i: i32) attributes {kernel_spec = #two} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %v = nv_tileaa.block_tile %m : !mem -> !view
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !view[i32, i32] -> tensor<128x256xf32>
    %u = nv_tileaa.tiled_store weak %x, %v[%i, %c0] : tensor<128x256xf32>, !view[i32, i32]
    %old, %w = nv_tileaa.atomic_rmw add relaxed tl_blk %p, %c1 : !nv_tileaa.ptr<i32>, i32
    nv_tileaa.return
  }

  // The result of an atomic decides about all CTAs: rank 0 has it and passes it to the others.
  // CHECK-LABEL: nv_tileaa.func kernel @claimed(
  //       CHECK:   %[[GUARDED:.*]]:2 = scf.if %{{.*}} -> (i32, !nv_tileaa.mem_token) {
  //  CHECK-NEXT:     %[[OLD:.*]], %[[TOKEN:.*]] = nv_tileaa.atomic_rmw add relaxed gpu
  //  CHECK-NEXT:     scf.yield %[[OLD]], %[[TOKEN]]
  //       CHECK:   %[[TILE:.*]] = nv_tileaa.splat %[[GUARDED]]#0 : i32 -> tensor<1xi32>
  //       CHECK:   %[[ALL:.*]] = nv_tileaa.cluster_gather %[[TILE]] dim = 0 axes = 1 : tensor<1xi32> -> tensor<2xi32>
  //       CHECK:   %[[FIRST:.*]] = nv_tileaa.extract %[[ALL]][%{{.*}}] : tensor<2xi32> -> i32
  //       CHECK:   arith.minui %[[FIRST]]
  //       CHECK:   nv_tileaa.tiled_load weak {{.*}} -> tensor<64x256xf32>
  nv_tileaa.func kernel @claimed(%m: !mem, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #two} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %v = nv_tileaa.block_tile %m : !mem -> !view
    %i, %w = nv_tileaa.atomic_rmw add relaxed gpu %p, %c1 : !nv_tileaa.ptr<i32>, i32
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !view[i32, i32] -> tensor<128x256xf32>
    %y = arith.addf %x, %x : tensor<128x256xf32>
    %u = nv_tileaa.tiled_store weak %y, %v[%i, %c0] : tensor<128x256xf32>, !view[i32, i32]
    nv_tileaa.return
  }

  // Other threads may write the memory of a relaxed load: CTAs may find
  // different values there.
  // CHECK-LABEL: nv_tileaa.func kernel @polled(
  //  CHECK-SAME:   num_ctas = 1
  // expected-warning @below {{num_ctas = 2 (option 'num-ctas', hint 'num_cta_in_cga') has no effect: a tile block runs in one CTA, and 1 of the 2 SMs of a cluster (50 %) stay idle}}
  nv_tileaa.func kernel @polled(%m: !mem, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #two} {
    %c0 = arith.constant 0 : i32
    %v = nv_tileaa.block_tile %m : !mem -> !view
    // expected-note @below {{no rule shares what it does among CTAs}}
    %i, %w = nv_tileaa.load relaxed gpu %p : !nv_tileaa.ptr<i32> -> i32
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !view[i32, i32] -> tensor<128x256xf32>
    %y = arith.addf %x, %x : tensor<128x256xf32>
    %u = nv_tileaa.tiled_store weak %y, %v[%i, %c0] : tensor<128x256xf32>, !view[i32, i32]
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func kernel @one_row(
  //  CHECK-SAME:   num_ctas = 1
  // expected-warning @below {{num_ctas = 2 (option 'num-ctas', hint 'num_cta_in_cga') has no effect: a tile block runs in one CTA, and 1 of the 2 SMs of a cluster (50 %) stay idle}}
  nv_tileaa.func kernel @one_row(%m: !mem, %i: i32) attributes {kernel_spec = #two} {
    %c0 = arith.constant 0 : i32
    %v = nv_tileaa.block_tile %m : !mem -> !nv_tileaa.tiled_view<1x256 of !mem>
    // expected-note @below {{every CTA needs all 256 elements of its result}}
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !nv_tileaa.tiled_view<1x256 of !mem>[i32, i32] -> tensor<1x256xf32>
    %s = nv_tileaa.reduce %x axis = 1 identities = [0.0 : f32] : tensor<1x256xf32> -> tensor<1xf32> {
    ^bb0(%elem: f32, %acc: f32):
      %sum = arith.addf %acc, %elem : f32
      nv_tileaa.yield %sum : f32
    }
    %e = nv_tileaa.expand_dims %s axes = [1] : tensor<1xf32> -> tensor<1x1xf32>
    %b = nv_tileaa.broadcast %e : tensor<1x1xf32> -> tensor<1x256xf32>
    %y = arith.subf %x, %b : tensor<1x256xf32>
    %u = nv_tileaa.tiled_store weak %y, %v[%i, %c0] : tensor<1x256xf32>, !nv_tileaa.tiled_view<1x256 of !mem>[i32, i32]
    nv_tileaa.return
  }

  // CTAs that divide a row combine their elements, exchange what they get, and combine that in the order of their ranks.
  // CHECK-LABEL: nv_tileaa.func kernel @long_row(
  //       CHECK:   nv_tileaa.tiled_load weak {{.*}} -> tensor<1x2048xf32>
  //       CHECK:   %[[OWN:.*]] = nv_tileaa.reduce %{{.*}} axis = 1 {{.*}} : tensor<1x2048xf32> -> tensor<1xf32> {
  //       CHECK:   %[[TILE:.*]] = nv_tileaa.expand_dims %[[OWN]] axes = [1] : tensor<1xf32> -> tensor<1x1xf32>
  //       CHECK:   %[[ALL:.*]] = nv_tileaa.cluster_gather %[[TILE]] dim = 1 axes = 3 : tensor<1x1xf32> -> tensor<1x4xf32>
  //       CHECK:   %[[SUM:.*]] = nv_tileaa.reduce %[[ALL]] axis = 1 {{.*}} : tensor<1x4xf32> -> tensor<1xf32> {
  //       CHECK:   nv_tileaa.expand_dims %[[SUM]]
  //       CHECK:   nv_tileaa.tiled_store weak {{.*}} : tensor<1x2048xf32>
  nv_tileaa.func kernel @long_row(%m: !nv_tileaa.memref<?x8192xf32, strides = [8192, 1]>, %i: i32) attributes {kernel_spec = #four} {
    %c0 = arith.constant 0 : i32
    %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x8192xf32, strides = [8192, 1]> -> !row
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !row[i32, i32] -> tensor<1x8192xf32>
    %s = nv_tileaa.reduce %x axis = 1 identities = [0.0 : f32] : tensor<1x8192xf32> -> tensor<1xf32> {
    ^bb0(%elem: f32, %acc: f32):
      %sum = arith.addf %acc, %elem : f32
      nv_tileaa.yield %sum : f32
    }
    %e = nv_tileaa.expand_dims %s axes = [1] : tensor<1xf32> -> tensor<1x1xf32>
    %b = nv_tileaa.broadcast %e : tensor<1x1xf32> -> tensor<1x8192xf32>
    %y = arith.subf %x, %b : tensor<1x8192xf32>
    %u = nv_tileaa.tiled_store weak %y, %v[%i, %c0] token %t : tensor<1x8192xf32>, !row[i32, i32]
    nv_tileaa.return
  }

  // Tiles that are written at other borders than they are read: CTAs wait for each other before the second load.
  // CHECK-LABEL: nv_tileaa.func kernel @waits(
  //       CHECK:   %[[STORED:.*]] = nv_tileaa.tiled_store weak
  //  CHECK-NEXT:   %[[WAITED:.*]] = nv_tileaa.grid_dependency wait token %[[STORED]] {tileir.cluster_wait}
  //       CHECK:   nv_tileaa.tiled_load weak {{.*}} token %[[WAITED]]
  //   CHECK-NOT:   cluster_wait
  //       CHECK:   nv_tileaa.return
  nv_tileaa.func kernel @waits(%m: !mem, %i: i32) attributes {kernel_spec = #two} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %v = nv_tileaa.block_tile %m : !mem -> !view
    %w = nv_tileaa.block_tile %m : !mem -> !nv_tileaa.tiled_view<256x128 of !mem>
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %c0] : !view[i32, i32] -> tensor<128x256xf32>
    %y = arith.addf %x, %x : tensor<128x256xf32>
    %u = nv_tileaa.tiled_store weak %y, %v[%c0, %c0] token %t : tensor<128x256xf32>, !view[i32, i32]
    %z, %s = nv_tileaa.tiled_load weak %w[%c0, %c1] token %u : !nv_tileaa.tiled_view<256x128 of !mem>[i32, i32] -> tensor<256x128xf32>
    %b = nv_tileaa.block_tile %m : !mem -> !nv_tileaa.tiled_view<256x128 of !mem>
    %r = nv_tileaa.tiled_store weak %z, %b[%c0, %c1] token %s : tensor<256x128xf32>, !nv_tileaa.tiled_view<256x128 of !mem>[i32, i32]
    nv_tileaa.return
  }

  // A kernel of one CTA, and one that reads the rank already.
  // CHECK-LABEL: nv_tileaa.func kernel @split(
  //       CHECK:   gpu.cluster_block_id
  //   CHECK-NOT:   gpu.cluster_block_id
  nv_tileaa.func kernel @split(%p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #two} {
    %id = gpu.cluster_block_id x
    %r = arith.index_cast %id : index to i32
    %q = nv_tileaa.addptr %p, %r : !nv_tileaa.ptr<i32>, i32
    %u = nv_tileaa.store weak %q, %r : !nv_tileaa.ptr<i32>, i32
    nv_tileaa.return
  }
}
