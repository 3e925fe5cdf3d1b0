// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-plan-cta))' --remark-format=emitRemark --remarks-filter='tileas' -o %t.once 2> %t.remarks
// RUN: FileCheck %s < %t.once
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// Slices fit, so that a second run changes nothing.
// RUN: %{opt} %t.once --pass-pipeline='builtin.module(gpu.module(tileas-plan-cta))' -o %t.twice
// RUN: diff %t.once %t.twice

!q = !nv_tileaa.memref<16x512xf16, strides = [512, 1]>
!m = !nv_tileaa.memref<4096x512xf16, strides = [512, 1]>
!c = !nv_tileaa.memref<1x4096x512xf16, strides = [2097152, 512, 1]>

// 99 KiB of shared memory.
gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_120"} {

// Keys are also the values, 128 KiB of them: a loop loads them in slices together with
// those of the queries, and again for the second dot, whose other operand is computed.
// CHECK-LABEL: nv_tileaa.func kernel @latent(
//       CHECK:   scf.for %[[I:[a-z0-9]+]] =
//   CHECK-NOT:     tensor<128x512
//       CHECK:     %[[FIRST:.*]] = arith.muli %{{.*}}, %c8_i32{{.*}} : i32
//       CHECK:     %[[S:.*]] = scf.for %[[K:[a-z0-9]+]] = %c0_i32{{.*}} to %c8_i32{{.*}} step %c1_i32{{.*}} -> (tensor<16x128xf32,
//       CHECK:       nv_tileas.tiled_load weak %{{.*}} -> tensor<16x64xf16,
//       CHECK:       nv_tileas.tiled_load weak %{{.*}} -> tensor<128x64xf16,
//       CHECK:       nv_tileas.permute %{{.*}} -> tensor<64x128xf16,
//       CHECK:       nv_tileas.dot
//       CHECK:     %[[P:.*]] = arith.truncf %[[S]]
// CHECK-COUNT-8:   nv_tileas.dot {{.*}} tensor<16x16xf16, {{.*}} tensor<16x512xf16,
//   CHECK-NOT:     nv_tileas.dot
//       CHECK:     scf.yield
// REMARK-COUNT-2: remark: [Passed] SliceOperands {{.*}}Function=latent | Parts=8, Remark="an operand is loaded in slices of K: shared memory does not hold it"
nv_tileaa.func kernel @latent(%p: !nv_tileaa.ptr<f16>, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %a = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !q
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %a : !q -> !nv_tileaa.tiled_view<16x512 of !q>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x512 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<16x512 of !m>
  %z = arith.constant dense<0.0> : tensor<16x512xf32>
  %n = arith.constant dense<0.0> : tensor<16x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q, %t0 = nv_tileaa.tiled_load weak %va[%c0, %c0] : !nv_tileaa.tiled_view<16x512 of !q>[i32, i32] -> tensor<16x512xf16>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<16x512xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %vb[%i, %c0] : !nv_tileaa.tiled_view<128x512 of !m>[i32, i32] -> tensor<128x512xf16>
    %y = nv_tileaa.permute %x [1, 0] : tensor<128x512xf16> -> tensor<512x128xf16>
    %s = nv_tileaa.dot %q, %y, %n : tensor<16x512xf16>, tensor<512x128xf16>, tensor<16x128xf32>
    %h = nv_tileaa.fp_to_fp %s : tensor<16x128xf32> -> tensor<16x128xf16>
    %d = nv_tileaa.dot %h, %x, %c : tensor<16x128xf16>, tensor<128x512xf16>, tensor<16x512xf32>
    scf.yield %d : tensor<16x512xf32>
  }
  %o = nv_tileaa.fp_to_fp %r : tensor<16x512xf32> -> tensor<16x512xf16>
  %t3 = nv_tileaa.tiled_store weak %o, %v[%c0, %c0] : tensor<16x512xf16>, !nv_tileaa.tiled_view<16x512 of !m>[i32, i32]
  nv_tileaa.return
}

// Slices of a tile with a dimension of one element.
// CHECK-LABEL: nv_tileaa.func kernel @batched(
//       CHECK:   scf.for
//       CHECK:     scf.for
//       CHECK:       nv_tileas.tiled_load weak {{.*}} -> tensor<16x64xf16,
//       CHECK:       nv_tileas.tiled_load weak {{.*}} -> tensor<1x128x64xf16,
//       CHECK:       nv_tileas.view {{.*}} -> tensor<128x64xf16,
nv_tileaa.func kernel @batched(%p: !nv_tileaa.ptr<f16>, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %a = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !q
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !c
  %va = nv_tileaa.block_tile %a : !q -> !nv_tileaa.tiled_view<16x512 of !q>
  %vb = nv_tileaa.block_tile %m : !c -> !nv_tileaa.tiled_view<1x128x512 of !c>
  %v = nv_tileaa.block_tile %a : !q -> !nv_tileaa.tiled_view<16x128 of !q>
  %n = arith.constant dense<0.0> : tensor<16x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q, %t0 = nv_tileaa.tiled_load weak %va[%c0, %c0] : !nv_tileaa.tiled_view<16x512 of !q>[i32, i32] -> tensor<16x512xf16>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%c = %n) -> (tensor<16x128xf32>) : i32 {
    %w, %t1 = nv_tileaa.tiled_load weak %vb[%c0, %i, %c0] : !nv_tileaa.tiled_view<1x128x512 of !c>[i32, i32, i32] -> tensor<1x128x512xf16>
    %x = nv_tileaa.view %w : tensor<1x128x512xf16> -> tensor<128x512xf16>
    %y = nv_tileaa.permute %x [1, 0] : tensor<128x512xf16> -> tensor<512x128xf16>
    %s = nv_tileaa.dot %q, %y, %c : tensor<16x512xf16>, tensor<512x128xf16>, tensor<16x128xf32>
    scf.yield %s : tensor<16x128xf32>
  }
  %o = nv_tileaa.fp_to_fp %r : tensor<16x128xf32> -> tensor<16x128xf16>
  %t3 = nv_tileaa.tiled_store weak %o, %v[%c0, %c0] : tensor<16x128xf16>, !nv_tileaa.tiled_view<16x128 of !q>[i32, i32]
  nv_tileaa.return
}

// A store of the loop may overwrite memory that a second load would read.
// CHECK-LABEL: nv_tileaa.func kernel @stored(
//       CHECK:   scf.for
//       CHECK:     nv_tileas.tiled_load weak {{.*}} -> tensor<128x512xf16,
//   CHECK-NOT:     scf.for
//       CHECK:     nv_tileas.tiled_store
// Shared memory has room for it.
// CHECK-LABEL: nv_tileaa.func kernel @half(
//       CHECK:   scf.for
//       CHECK:     nv_tileas.tiled_load weak {{.*}} -> tensor<64x512xf16,
//   CHECK-NOT:     scf.for
// REMARK-NOT: SliceOperands {{.*}}Function={{stored|half}}
nv_tileaa.func kernel @stored(%p: !nv_tileaa.ptr<f16>, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %a = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !q
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %a : !q -> !nv_tileaa.tiled_view<16x512 of !q>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x512 of !m>
  %v = nv_tileaa.block_tile %a : !q -> !nv_tileaa.tiled_view<16x128 of !q>
  %n = arith.constant dense<0.0> : tensor<16x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q, %t0 = nv_tileaa.tiled_load weak %va[%c0, %c0] : !nv_tileaa.tiled_view<16x512 of !q>[i32, i32] -> tensor<16x512xf16>
  scf.for %i = %c0 to %k step %c1 : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %vb[%i, %c0] : !nv_tileaa.tiled_view<128x512 of !m>[i32, i32] -> tensor<128x512xf16>
    %y = nv_tileaa.permute %x [1, 0] : tensor<128x512xf16> -> tensor<512x128xf16>
    %s = nv_tileaa.dot %q, %y, %n : tensor<16x512xf16>, tensor<512x128xf16>, tensor<16x128xf32>
    %o = nv_tileaa.fp_to_fp %s : tensor<16x128xf32> -> tensor<16x128xf16>
    %t3 = nv_tileaa.tiled_store weak %o, %v[%c0, %i] : tensor<16x128xf16>, !nv_tileaa.tiled_view<16x128 of !q>[i32, i32]
  }
  nv_tileaa.return
}

nv_tileaa.func kernel @half(%p: !nv_tileaa.ptr<f16>, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %a = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !q
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %a : !q -> !nv_tileaa.tiled_view<16x512 of !q>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x512 of !m>
  %v = nv_tileaa.block_tile %a : !q -> !nv_tileaa.tiled_view<16x64 of !q>
  %n = arith.constant dense<0.0> : tensor<16x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q, %t0 = nv_tileaa.tiled_load weak %va[%c0, %c0] : !nv_tileaa.tiled_view<16x512 of !q>[i32, i32] -> tensor<16x512xf16>
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%c = %n) -> (tensor<16x64xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %vb[%i, %c0] : !nv_tileaa.tiled_view<64x512 of !m>[i32, i32] -> tensor<64x512xf16>
    %y = nv_tileaa.permute %x [1, 0] : tensor<64x512xf16> -> tensor<512x64xf16>
    %s = nv_tileaa.dot %q, %y, %c : tensor<16x512xf16>, tensor<512x64xf16>, tensor<16x64xf32>
    scf.yield %s : tensor<16x64xf32>
  }
  %o = nv_tileaa.fp_to_fp %r : tensor<16x64xf32> -> tensor<16x64xf16>
  %t3 = nv_tileaa.tiled_store weak %o, %v[%c0, %c0] : tensor<16x64xf16>, !nv_tileaa.tiled_view<16x64 of !q>[i32, i32]
  nv_tileaa.return
}

}
