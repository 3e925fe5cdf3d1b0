// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-plan-cta))' --remark-format=emitRemark --remarks-filter='tileas' -o %t.once 2> %t.remarks
// RUN: FileCheck %s < %t.once
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// The halves fit, so that a second run changes nothing.
// RUN: %{opt} %t.once --pass-pipeline='builtin.module(gpu.module(tileas-plan-cta))' -o %t.twice
// RUN: diff %t.once %t.twice

!m = !nv_tileaa.memref<4096x4096xf16, strides = [4096, 1]>
!u = !nv_tileaa.memref<?x4096xf16, strides = [4096, 1]>

gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_80"} {

// 65536 accumulators take every register of an SM. The first half is stored before the second one begins.
// CHECK-LABEL: nv_tileaa.func kernel @columns(
//   CHECK-DAG:   %[[A:.*]] = nv_tileas.block_tile %{{.*}} -> !nv_tileaa.tiled_view<256x64 of
//   CHECK-DAG:   %[[TWICE:.*]] = arith.muli %{{.*}}, %c2_i32
//       CHECK:   %[[C0:.*]] = scf.for %[[K:[a-z0-9]+]] = {{.*}} -> (tensor<256x128xf32,
//       CHECK:     nv_tileas.tiled_load weak %[[A]][%{{.*}}, %[[K]]]
//       CHECK:     nv_tileas.tiled_load weak %{{.*}}[%[[K]], %{{.*}}] {{.*}} : !nv_tileaa.tiled_view<64x128 of
//       CHECK:     nv_tileas.dot {{.*}} -> tensor<256x128xf32,
//       CHECK:   %[[H0:.*]] = arith.truncf %[[C0]]
//       CHECK:   nv_tileas.tiled_store weak %{{.*}} : tensor<256x128xf16, {{.*}}!nv_tileaa.tiled_view<256x128 of
//       CHECK:   %[[C1:.*]] = scf.for {{.*}} -> (tensor<256x128xf32,
//       CHECK:     nv_tileas.dot {{.*}} -> tensor<256x128xf32,
//       CHECK:   arith.truncf %[[C1]]
//       CHECK:   nv_tileas.tiled_store weak %{{.*}} : tensor<256x128xf16,
//   CHECK-NOT:   scf.for
//       CHECK:   nv_tileaa.return
// REMARK: remark: [Passed] SplitProducts {{.*}}Function=columns | Elements=65536, Remark="accumulators are cut into two loops"
nv_tileaa.func kernel @columns(%p: !nv_tileaa.ptr<f16>, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<256x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x256 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<256x256 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<256x256xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<256x64 of !m>[i32, i32] -> tensor<256x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x256 of !m>[i32, i32] -> tensor<64x256xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
    scf.yield %d : tensor<256x256xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<256x256xf32> -> tensor<256x256xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<256x256xf16>, !nv_tileaa.tiled_view<256x256 of !m>[i32, i32]
  nv_tileaa.return
}

// More rows than columns, and two stores. A reader of a store's token waits for both halves.
// CHECK-LABEL: nv_tileaa.func kernel @rows(
//       CHECK:   scf.for {{.*}} -> (tensor<256x128xf32,
//       CHECK:     nv_tileas.tiled_load weak {{.*}} : !nv_tileaa.tiled_view<64x128 of
//       CHECK:     nv_tileas.tiled_load weak {{.*}} : !nv_tileaa.tiled_view<256x64 of
//       CHECK:   arith.mulf
//       CHECK:   %[[T0:.*]] = nv_tileas.tiled_store weak %{{.*}} : tensor<256x128xf16,
//       CHECK:   scf.for {{.*}} -> (tensor<256x128xf32,
//       CHECK:   %[[T1:.*]] = nv_tileas.tiled_store weak %{{.*}} : tensor<256x128xf16,
//       CHECK:   %[[T:.*]] = nv_tileas.join_mem_token %[[T0]], %[[T1]]
//       CHECK:   nv_tileas.tiled_load weak %{{.*}} token %[[T]]
nv_tileaa.func kernel @rows(%p: !nv_tileaa.ptr<f16>, %k: i32, %s: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<512x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x128 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<512x128 of !m>
  %w = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<16x16 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<512x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<512x128xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<512x64 of !m>[i32, i32] -> tensor<512x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x128 of !m>[i32, i32] -> tensor<64x128xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<512x64xf16>, tensor<64x128xf16>, tensor<512x128xf32>
    scf.yield %d : tensor<512x128xf32>
  }
  %ss = nv_tileaa.splat %s : f32 -> tensor<512x128xf32>
  %q = arith.mulf %r, %ss : tensor<512x128xf32>
  %h = nv_tileaa.fp_to_fp %q : tensor<512x128xf32> -> tensor<512x128xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<512x128xf16>, !nv_tileaa.tiled_view<512x128 of !m>[i32, i32]
  %e, %t4 = nv_tileaa.tiled_load weak %w[%i, %i] token %t3 : !nv_tileaa.tiled_view<16x16 of !m>[i32, i32] -> tensor<16x16xf16>
  %t5 = nv_tileaa.tiled_store weak %e, %w[%c0, %i] token %t4 : tensor<16x16xf16>, !nv_tileaa.tiled_view<16x16 of !m>[i32, i32]
  nv_tileaa.return
}

// A store after the loads of the loop: the second half of the loop would load the stores of the first one.
// CHECK-LABEL: nv_tileaa.func kernel @ordered(
//       CHECK:   scf.for {{.*}} -> (tensor<256x256xf32,
//   CHECK-NOT:   scf.for
// REMARK: remark: [Missed] SplitProducts {{.*}}Function=ordered | Reason="another of its results is used", Remark="accumulators stay larger than the registers"
nv_tileaa.func kernel @ordered(%p: !nv_tileaa.ptr<f16>, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<256x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x256 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<256x256 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %t = nv_tileaa.create_mem_token
  %r:2 = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z, %at = %t) -> (tensor<256x256xf32>, !nv_tileaa.mem_token) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] token %at : !nv_tileaa.tiled_view<256x64 of !m>[i32, i32] -> tensor<256x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x256 of !m>[i32, i32] -> tensor<64x256xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
    scf.yield %d, %t1 : tensor<256x256xf32>, !nv_tileaa.mem_token
  }
  %h = nv_tileaa.fp_to_fp %r#0 : tensor<256x256xf32> -> tensor<256x256xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] token %r#1 : tensor<256x256xf16>, !nv_tileaa.tiled_view<256x256 of !m>[i32, i32]
  nv_tileaa.return
}

// An array of any size: twice an index of 32 bits may come back into it.
// CHECK-LABEL: nv_tileaa.func kernel @long(
//       CHECK:   scf.for {{.*}} -> (tensor<512x128xf32,
//   CHECK-NOT:   scf.for
// REMARK: remark: [Missed] SplitProducts {{.*}}Function=long | Reason="its result is stored in a layout that cannot be halved"
nv_tileaa.func kernel @long(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !u
  %va = nv_tileaa.block_tile %m : !u -> !nv_tileaa.tiled_view<512x64 of !u>
  %vb = nv_tileaa.block_tile %m : !u -> !nv_tileaa.tiled_view<64x128 of !u>
  %v = nv_tileaa.block_tile %m : !u -> !nv_tileaa.tiled_view<512x128 of !u>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<512x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<512x128xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<512x64 of !u>[i32, i32] -> tensor<512x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x128 of !u>[i32, i32] -> tensor<64x128xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<512x64xf16>, tensor<64x128xf16>, tensor<512x128xf32>
    scf.yield %d : tensor<512x128xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<512x128xf32> -> tensor<512x128xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<512x128xf16>, !nv_tileaa.tiled_view<512x128 of !u>[i32, i32]
  nv_tileaa.return
}

// Eight warps hold these.
// CHECK-LABEL: nv_tileaa.func kernel @fits(
//       CHECK:   scf.for {{.*}} -> (tensor<128x256xf32,
//   CHECK-NOT:   scf.for
nv_tileaa.func kernel @fits(%p: !nv_tileaa.ptr<f16>, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x256 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x256 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<128x256xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<128x64 of !m>[i32, i32] -> tensor<128x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x256 of !m>[i32, i32] -> tensor<64x256xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<128x256xf32> -> tensor<128x256xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<128x256xf16>, !nv_tileaa.tiled_view<128x256 of !m>[i32, i32]
  nv_tileaa.return
}

}
