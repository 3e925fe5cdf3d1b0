// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dots are split into their steps of K if threads of the loop copy.
// DEFINE: %{load} = --load-dialect-plugin=%libTileASSchedulePasses.so --load-pass-plugin=%libTileASSchedulePasses.so
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-prepare-for-scheduling)))' | FileCheck %s
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-prepare-for-scheduling{slice-dots=false})))' | FileCheck %s --check-prefix=WHOLE
// The former name.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-prepare-for-scheduling{slice-products=false})))' | FileCheck %s --check-prefix=WHOLE
//     WHOLE-LABEL: @copies(
//   WHOLE-COUNT-1: nv_tileas.dot
//       WHOLE-NOT: nv_tileas.dot
//     WHOLE-LABEL: @alone(

#A = #nv_tileas.layout<smem, [64, 32], linear<order = [1, 0]>>
#B = #nv_tileas.layout<smem, [32, 64], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [64, 32], blocked<per_thread = [1, 8], lanes = [8, 4], warps = [4, 1], order = [1, 0]>>
#c = #nv_tileas.layout<reg, [64, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#mma = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
!v = !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>, padding = zero>
!a = !nv_tileas.buffer<64x32xf16, #A>
!b = !nv_tileas.buffer<32x64xf16, #B>
!acc = tensor<64x64xf32, #c>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // The fragments of a step are read before the MMA of the previous
  // step; only the first step may begin with a zero accumulator.
  // CHECK-LABEL: @copies(
  //       CHECK:   nv_tileas.async.copy
  //       CHECK:   %[[A0:.*]] = nv_tileas.subview %{{.*}}[0, 0] : {{.*}} -> !nv_tileas.buffer<64x16xf16
  //       CHECK:   %[[X0:.*]] = nv_tileas.copy %[[A0]]
  //       CHECK:   %[[B0:.*]] = nv_tileas.subview %{{.*}}[0, 0] : {{.*}} -> !nv_tileas.buffer<16x64xf16
  //       CHECK:   %[[Y0:.*]] = nv_tileas.copy %[[B0]]
  //       CHECK:   %[[A1:.*]] = nv_tileas.subview %{{.*}}[0, 16]
  //       CHECK:   %[[X1:.*]] = nv_tileas.copy %[[A1]]
  //       CHECK:   %[[B1:.*]] = nv_tileas.subview %{{.*}}[16, 0]
  //       CHECK:   %[[Y1:.*]] = nv_tileas.copy %[[B1]]
  //       CHECK:   %[[D0:.*]] = nv_tileas.dot %[[X0]], %[[Y0]], %{{.*}} use_acc %{{.*}} {
  //       CHECK:   %[[D1:.*]] = nv_tileas.dot %[[X1]], %[[Y1]], %[[D0]] {
  //       CHECK:   scf.yield %[[D1]]
  nv_tileaa.func kernel @copies(%v: !v, %n: i32, %more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %w = nv_tileas.alloc_tensor : !a
    %x = nv_tileas.alloc_tensor : !a
    %y = nv_tileas.alloc_tensor : !b
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #l} : !v[i32, i32] -> !a
      %d = nv_tileas.dot %x, %y, %acc use_acc %more {atom = #mma} : !a, !b, !acc -> !acc
      scf.yield %d : !acc
    }
    "test.use"(%r) : (!acc) -> ()
    nv_tileaa.return
  }

  // Nothing goes between the steps.
  // CHECK-LABEL: @alone(
  // CHECK-COUNT-1: nv_tileas.dot {{.*}} : !nv_tileas.buffer
  //   CHECK-NOT: nv_tileas.dot
  nv_tileaa.func kernel @alone(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %x = nv_tileas.alloc_tensor : !a
    %y = nv_tileas.alloc_tensor : !b
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %d = nv_tileas.dot %x, %y, %acc {atom = #mma} : !a, !b, !acc -> !acc
      scf.yield %d : !acc
    }
    "test.use"(%r) : (!acc) -> ()
    nv_tileaa.return
  }
}
