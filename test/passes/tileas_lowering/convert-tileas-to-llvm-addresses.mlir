// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

// Positions, bounds and padding of accesses.

#a = #nv_tileas.layout<reg, [1024], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>
!m = !nv_tileaa.memref<?xf32, strides = [1]>
!v = !nv_tileaa.tiled_view<1024 of !m>
!z = !nv_tileaa.tiled_view<1024 of !m, padding = zero>
#row = #nv_tileas.layout<reg, [1, 1024], blocked<per_thread = [1, 4], lanes = [1, 32], warps = [1, 4], order = [1, 0]>>
!mr = !nv_tileaa.memref<?x?xf32, strides = [?, 1]>
!vr = !nv_tileaa.tiled_view<1x1024 of !mr>
!mh = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!vh = !nv_tileaa.tiled_view<1x1024 of !mh>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // A bounded size: the coordinate is clamped, positions are numbers of 32 bits
  // that are extended once, and the second vector is an immediate away. Without
  // padding nothing is written first.
  // CHECK-LABEL: llvm.func @bounded(
  //       CHECK:   %[[C:.*]] = llvm.intr.umin(%{{.*}}, %{{.*}}) : (i32, i32) -> i32
  //       CHECK:   %[[START:.*]] = llvm.shl %[[C]], %{{.*}} : i32
  //       CHECK:   %[[AT:.*]] = llvm.add %[[START]], %{{.*}} : i32
  //       CHECK:   %[[WIDE:.*]] = llvm.zext %[[AT]] : i32 to i64
  //       CHECK:   %[[BYTES:.*]] = llvm.shl %[[WIDE]], %{{.*}} : i64
  //       CHECK:   %[[P:.*]] = llvm.getelementptr %{{.*}}[%[[BYTES]]]
  //       CHECK:   llvm.icmp "ult" %[[AT]], %{{.*}} : i32
  //       CHECK:   llvm.getelementptr %[[P]][2048]
  //       CHECK:   llvm.inline_asm has_side_effects "@$5 ld.global.v4.b32 {$0, $1, $2, $3}, [$4];"
  //   CHECK-NOT:   : i64
  //       CHECK:   llvm.return
  nv_tileaa.func @bounded(%p: !nv_tileaa.ptr<f32>, %n: i32, %i: i32) -> tensor<1024xf32, #a> {
    %s = nv_tileas.assume %n [#nv_tileaa.bounded<0, ?>] : i32
    %w = arith.extui %s : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%w] : !nv_tileaa.ptr<f32> -> !m
    %b = nv_tileas.block_tile %m : !m -> !v
    %x, %t = nv_tileas.tiled_load weak %b[%i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 16>}
      : !v[i32] -> tensor<1024xf32, #a>
    nv_tileaa.return %x : tensor<1024xf32, #a>
  }

  // A stride of 32 bits: one wide multiplication, whatever block it is in.
  // CHECK-LABEL: llvm.func @narrow_stride(
  //       CHECK:   llvm.inline_asm "mul.wide.u32 $0, $1, $2;", "=l,r,r" %{{.*}}, %{{.*}} : (i32, i32) -> i64
  //   CHECK-NOT:   llvm.mul
  //       CHECK:   llvm.return
  nv_tileaa.func @narrow_stride(%p: !nv_tileaa.ptr<f32>, %n: i32, %k: i32, %i: i32) -> tensor<1x1024xf32, #row> {
    %c0 = arith.constant 0 : i32
    %s = nv_tileas.assume %n [#nv_tileaa.bounded<0, ?>] : i32
    %w = arith.extui %s : i32 to i64
    %u = arith.extui %k : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%w, %w] strides[%u] : !nv_tileaa.ptr<f32> -> !mr
    %b = nv_tileas.block_tile %m : !mr -> !vr
    %x, %t = nv_tileas.tiled_load weak %b[%i, %c0] : !vr[i32, i32] -> tensor<1x1024xf32, #row>
    nv_tileaa.return %x : tensor<1x1024xf32, #row>
  }

  // Positions below 2^31 times two bytes fit: no scaling is
  // left after the multiplication.
  // CHECK-LABEL: llvm.func @narrow_stride_of_halves(
  //       CHECK:   %[[ROW:.*]] = llvm.shl %{{.*}}, %{{.*}} : i32
  //       CHECK:   %[[OFFSET:.*]] = llvm.inline_asm "mul.wide.u32 $0, $1, $2;", "=l,r,r" %[[ROW]], %{{.*}} : (i32, i32) -> i64
  //       CHECK:   llvm.shl %{{.*}}, %{{.*}} : i64
  //       CHECK:   %[[COLUMN:.*]] = llvm.getelementptr
  //       CHECK:   llvm.getelementptr %[[COLUMN]][%[[OFFSET]]]
  //   CHECK-NOT:   llvm.shl %{{.*}}, %{{.*}} : i64
  //       CHECK:   llvm.return
  nv_tileaa.func @narrow_stride_of_halves(%p: !nv_tileaa.ptr<bf16>, %n: i32, %k: i32, %i: i32) -> tensor<1x1024xbf16, #row> {
    %c0 = arith.constant 0 : i32
    %s = nv_tileas.assume %n [#nv_tileaa.bounded<0, ?>] : i32
    %w = arith.extui %s : i32 to i64
    %u = arith.extui %k : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%w, %w] strides[%u] : !nv_tileaa.ptr<bf16> -> !mh
    %b = nv_tileas.block_tile %m : !mh -> !vh
    %x, %t = nv_tileas.tiled_load weak %b[%i, %c0] : !vh[i32, i32] -> tensor<1x1024xbf16, #row>
    nv_tileaa.return %x : tensor<1x1024xbf16, #row>
  }

  // The rest of a row in a loop has a sign: the clamped start is 2^31 at
  // most, the size below that.
  // CHECK-LABEL: llvm.func @looped(
  //       CHECK:   llvm.intr.umin(%{{.*}}, %{{.*}}) : (i32, i32) -> i32
  //   CHECK-NOT:   llvm.intr.umax
  //       CHECK:   %[[LEFT:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
  //       CHECK:   llvm.icmp "slt" %{{.*}}, %[[LEFT]] : i32
  //       CHECK:   llvm.return
  nv_tileaa.func @looped(%p: !nv_tileaa.ptr<f32>, %n: i32, %trips: i32, %init: tensor<1024xf32, #a>) -> tensor<1024xf32, #a> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %s = nv_tileas.assume %n [#nv_tileaa.bounded<0, ?>] : i32
    %w = arith.extui %s : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%w] : !nv_tileaa.ptr<f32> -> !m
    %b = nv_tileas.block_tile %m : !m -> !z
    %r = scf.for %i = %c0 to %trips step %c1 iter_args(%a = %init) -> (tensor<1024xf32, #a>) : i32 {
      %x, %t = nv_tileas.tiled_load weak %b[%i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 16>}
        : !z[i32] -> tensor<1024xf32, #a>
      scf.yield %x : tensor<1024xf32, #a>
    }
    nv_tileaa.return %r : tensor<1024xf32, #a>
  }

  // Nothing is known of the size: 64 bits, and what is left of it in 32.
  // CHECK-LABEL: llvm.func @unbounded(
  //       CHECK:   llvm.intr.umax(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
  //       CHECK:   llvm.intr.umin(%{{.*}}, %{{.*}}) : (i64, i64) -> i64
  //       CHECK:   mov.b32 $0, 0
  nv_tileaa.func @unbounded(%p: !nv_tileaa.ptr<f32>, %w: i64, %i: i32) -> tensor<1024xf32, #a> {
    %m = nv_tileas.make_memref %p sizes[%w] : !nv_tileaa.ptr<f32> -> !m
    %b = nv_tileas.block_tile %m : !m -> !z
    %x, %t = nv_tileas.tiled_load weak %b[%i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 16>}
      : !z[i32] -> tensor<1024xf32, #a>
    nv_tileaa.return %x : tensor<1024xf32, #a>
  }
}
