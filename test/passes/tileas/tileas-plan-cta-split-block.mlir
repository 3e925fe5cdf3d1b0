// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-plan-cta))' --remark-format=emitRemark --remarks-filter='tileas' -o %t.once 2> %t.remarks
// RUN: FileCheck %s < %t.once
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// The halves fit, so that a second run changes nothing.
// RUN: %{opt} %t.once --pass-pipeline='builtin.module(gpu.module(tileas-plan-cta))' -o %t.twice
// RUN: diff %t.once %t.twice

!q = !nv_tileaa.memref<?x128xf16, strides = [128, 1]>

gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_90"} {

// Scores and accumulator of 256 rows take every register of an SM. Keys and values are loaded whole for both halves.
// CHECK-LABEL: nv_tileaa.func kernel @rows(
//   CHECK-DAG:   %[[Q:.*]] = nv_tileas.block_tile %{{.*}} -> !nv_tileaa.tiled_view<128x128 of {{.*}}, padding = zero>
//   CHECK-DAG:   %[[O:.*]] = nv_tileas.block_tile %{{.*}} -> !nv_tileaa.tiled_view<128x128 of {{[^,]*}}, {{[^,]*}}, 1]>>
//       CHECK:   scf.for %[[H:[a-z0-9]+]] = %c0_i32{{.*}} to %c2_i32{{.*}} step %c1_i32
//       CHECK:     %[[AT:.*]] = arith.addi %{{.*}}, %[[H]]
//       CHECK:     nv_tileas.tiled_load weak %{{.*}}[%[[AT]], %{{.*}}]
//       CHECK:     nv_tileas.make_range 0 to 128
//       CHECK:     arith.muli %[[H]], %c128_i32
//       CHECK:     scf.for {{.*}} -> (tensor<128x1xf32,{{.*}}tensor<128x128xf32,
//       CHECK:       nv_tileas.tiled_load weak %{{.*}}[%[[J:[a-z0-9]+]], %{{.*}}] {{.*}}tiled_view<128x128 of
//       CHECK:       nv_tileas.dot {{.*}} -> tensor<128x128xf32,
//       CHECK:       scf.if {{.*}} -> (tensor<128x128xf32,
//       CHECK:       nv_tileas.reduce %{{.*}} axis = 1 {{.*}}tensor<128x128xf32,{{.*}} -> tensor<128xf32,
//       CHECK:       nv_tileas.dot {{.*}} -> tensor<128x128xf32,
//       CHECK:     nv_tileas.tiled_store weak %{{.*}} : tensor<128x128xf16,
//   CHECK-NOT:   tensor<256x
//       CHECK:   nv_tileaa.return
// REMARK: remark: [Passed] SplitBlock {{.*}}Function=rows | Remark="the rows of the tile block are computed in two halves: no number of warps holds all of them"
nv_tileaa.func kernel @rows(%p: !nv_tileaa.ptr<f16>, %n: i32, %masked: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %size = arith.extui %n : i32 to i64
  %m = nv_tileaa.make_memref %p sizes[%size] : !nv_tileaa.ptr<f16> -> !q
  %vq = nv_tileaa.block_tile %m : !q -> !nv_tileaa.tiled_view<256x128 of !q, padding = zero>
  %vk = nv_tileaa.block_tile %m : !q -> !nv_tileaa.tiled_view<128x128 of !q, padding = zero>
  %vo = nv_tileaa.block_tile %m : !q -> !nv_tileaa.tiled_view<256x128 of !q>
  %i = nv_tileaa.get_program_id x
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %low = arith.constant dense<-1.0e6> : tensor<256x128xf32>
  %zeros = arith.constant dense<0.0> : tensor<256x128xf32>
  %top0 = arith.constant dense<0xFF800000> : tensor<256x1xf32>
  %x, %t0 = nv_tileaa.tiled_load weak %vq[%i, %c0] : !nv_tileaa.tiled_view<256x128 of !q, padding = zero>[i32, i32] -> tensor<256x128xf16>
  %range = nv_tileaa.make_range 0 to 256 : tensor<256xi32>
  %row = nv_tileaa.expand_dims %range axes = [1] : tensor<256xi32> -> tensor<256x1xi32>
  %rows = nv_tileaa.broadcast %row : tensor<256x1xi32> -> tensor<256x128xi32>
  %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%top = %top0, %sum = %zeros) -> (tensor<256x1xf32>, tensor<256x128xf32>) : i32 {
    %y, %t1 = nv_tileaa.tiled_load weak %vk[%j, %c0] : !nv_tileaa.tiled_view<128x128 of !q, padding = zero>[i32, i32] -> tensor<128x128xf16>
    %yt = nv_tileaa.permute %y [1, 0] : tensor<128x128xf16> -> tensor<128x128xf16>
    %s = nv_tileaa.dot %x, %yt, %zeros : tensor<256x128xf16>, tensor<128x128xf16>, tensor<256x128xf32>
    %is = arith.cmpi sge, %j, %masked : i32
    %u = scf.if %is -> (tensor<256x128xf32>) {
      %js = nv_tileaa.splat %j : i32 -> tensor<256x128xi32>
      %in = arith.cmpi sge, %rows, %js : tensor<256x128xi32>
      %v = arith.select %in, %s, %low : tensor<256x128xi1>, tensor<256x128xf32>
      scf.yield %v : tensor<256x128xf32>
    } else {
      scf.yield %s : tensor<256x128xf32>
    }
    %max = nv_tileaa.reduce %u axis = 1 identities = [0xFF800000 : f32] : tensor<256x128xf32> -> tensor<256xf32> {
    ^bb0(%a: f32, %b: f32):
      %g = arith.maxnumf %a, %b : f32
      nv_tileaa.yield %g : f32
    }
    %column = nv_tileaa.expand_dims %max axes = [1] : tensor<256xf32> -> tensor<256x1xf32>
    %next = arith.maxnumf %top, %column : tensor<256x1xf32>
    %nexts = nv_tileaa.broadcast %next : tensor<256x1xf32> -> tensor<256x128xf32>
    %d = arith.subf %u, %nexts : tensor<256x128xf32>
    %e = math.exp2 %d : tensor<256x128xf32>
    %h = arith.truncf %e : tensor<256x128xf32> to tensor<256x128xf16>
    %z, %t2 = nv_tileaa.tiled_load weak %vk[%j, %c0] : !nv_tileaa.tiled_view<128x128 of !q, padding = zero>[i32, i32] -> tensor<128x128xf16>
    %o = nv_tileaa.dot %h, %z, %sum : tensor<256x128xf16>, tensor<128x128xf16>, tensor<256x128xf32>
    scf.yield %next, %o : tensor<256x1xf32>, tensor<256x128xf32>
  }
  %w = arith.truncf %r#1 : tensor<256x128xf32> to tensor<256x128xf16>
  %t3 = nv_tileaa.tiled_store weak %w, %vo[%i, %c0] : tensor<256x128xf16>, !nv_tileaa.tiled_view<256x128 of !q>[i32, i32]
  nv_tileaa.return
}

// A store after a load by a token: it may overwrite the second half, which is loaded after the first is stored.
// CHECK-LABEL: nv_tileaa.func kernel @ordered(
//       CHECK:   nv_tileas.dot {{.*}} -> tensor<256x128xf32,
// REMARK: remark: [Missed] SplitBlock {{.*}}Function=ordered | Reason="memory is used in an order, or by more than tiles"
nv_tileaa.func kernel @ordered(%p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %size = arith.extui %n : i32 to i64
  %m = nv_tileaa.make_memref %p sizes[%size] : !nv_tileaa.ptr<f16> -> !q
  %vq = nv_tileaa.block_tile %m : !q -> !nv_tileaa.tiled_view<256x128 of !q>
  %vk = nv_tileaa.block_tile %m : !q -> !nv_tileaa.tiled_view<128x128 of !q>
  %i = nv_tileaa.get_program_id x
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<256x128xf32>
  %x, %t0 = nv_tileaa.tiled_load weak %vq[%i, %c0] : !nv_tileaa.tiled_view<256x128 of !q>[i32, i32] -> tensor<256x128xf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<256x128xf32>) : i32 {
    %y, %t1 = nv_tileaa.tiled_load weak %vk[%j, %c0] : !nv_tileaa.tiled_view<128x128 of !q>[i32, i32] -> tensor<128x128xf16>
    %s = nv_tileaa.dot %x, %y, %zeros : tensor<256x128xf16>, tensor<128x128xf16>, tensor<256x128xf32>
    %h = arith.truncf %s : tensor<256x128xf32> to tensor<256x128xf16>
    %z, %t2 = nv_tileaa.tiled_load weak %vk[%j, %c0] : !nv_tileaa.tiled_view<128x128 of !q>[i32, i32] -> tensor<128x128xf16>
    %o = nv_tileaa.dot %h, %z, %sum : tensor<256x128xf16>, tensor<128x128xf16>, tensor<256x128xf32>
    scf.yield %o : tensor<256x128xf32>
  }
  %w = arith.truncf %r : tensor<256x128xf32> to tensor<256x128xf16>
  %t3 = nv_tileaa.tiled_store weak %w, %vq[%i, %c0] token %t0 : tensor<256x128xf16>, !nv_tileaa.tiled_view<256x128 of !q>[i32, i32]
  nv_tileaa.return
}

// Each row depends on all others.
// CHECK-LABEL: nv_tileaa.func kernel @columns(
//       CHECK:   nv_tileas.dot {{.*}} -> tensor<256x128xf32,
// REMARK: remark: [Missed] SplitBlock {{.*}}Function=columns | Reason="a reduction runs along the rows"
nv_tileaa.func kernel @columns(%p: !nv_tileaa.ptr<f16>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %size = arith.extui %n : i32 to i64
  %m = nv_tileaa.make_memref %p sizes[%size] : !nv_tileaa.ptr<f16> -> !q
  %vq = nv_tileaa.block_tile %m : !q -> !nv_tileaa.tiled_view<256x128 of !q>
  %vk = nv_tileaa.block_tile %m : !q -> !nv_tileaa.tiled_view<128x128 of !q>
  %i = nv_tileaa.get_program_id x
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zeros = arith.constant dense<0.0> : tensor<256x128xf32>
  %x, %t0 = nv_tileaa.tiled_load weak %vq[%i, %c0] : !nv_tileaa.tiled_view<256x128 of !q>[i32, i32] -> tensor<256x128xf16>
  %r = scf.for %j = %c0 to %n step %c1 iter_args(%sum = %zeros) -> (tensor<256x128xf32>) : i32 {
    %y, %t1 = nv_tileaa.tiled_load weak %vk[%j, %c0] : !nv_tileaa.tiled_view<128x128 of !q>[i32, i32] -> tensor<128x128xf16>
    %s = nv_tileaa.dot %x, %y, %zeros : tensor<256x128xf16>, tensor<128x128xf16>, tensor<256x128xf32>
    %max = nv_tileaa.reduce %s axis = 0 identities = [0xFF800000 : f32] : tensor<256x128xf32> -> tensor<128xf32> {
    ^bb0(%a: f32, %b: f32):
      %g = arith.maxnumf %a, %b : f32
      nv_tileaa.yield %g : f32
    }
    %line = nv_tileaa.expand_dims %max axes = [0] : tensor<128xf32> -> tensor<1x128xf32>
    %lines = nv_tileaa.broadcast %line : tensor<1x128xf32> -> tensor<256x128xf32>
    %d = arith.subf %s, %lines : tensor<256x128xf32>
    %h = arith.truncf %d : tensor<256x128xf32> to tensor<256x128xf16>
    %z, %t2 = nv_tileaa.tiled_load weak %vk[%j, %c0] : !nv_tileaa.tiled_view<128x128 of !q>[i32, i32] -> tensor<128x128xf16>
    %o = nv_tileaa.dot %h, %z, %sum : tensor<256x128xf16>, tensor<128x128xf16>, tensor<256x128xf32>
    scf.yield %o : tensor<256x128xf32>
  }
  %w = arith.truncf %r : tensor<256x128xf32> to tensor<256x128xf16>
  %t3 = nv_tileaa.tiled_store weak %w, %vq[%i, %c0] : tensor<256x128xf16>, !nv_tileaa.tiled_view<256x128 of !q>[i32, i32]
  nv_tileaa.return
}

} // gpu.module
