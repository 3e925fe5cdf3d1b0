// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operation that no loop over slices can compute stays unchanged, with a remark.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-roll-tiles{max-registers=8})))' --remark-format=emitRemark --remarks-filter-missed=tileas --verify-diagnostics | FileCheck %s

#a = #nv_tileas.layout<reg, [512], register = [[1], [2], [128], [256]], lane = [[4], [8], [16], [32], [64]]>
#lanes = #nv_tileas.layout<reg, [512], register = [[1], [2], [4], [8]], lane = [[16], [32], [64], [128], [256]]>

!m = !nv_tileaa.memref<?xf32, strides = [1]>
!v = !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<?xf32, strides = [1]>>

gpu.module @kernels attributes {nv_tileaa.num_warps = 1 : i32} {

// CHECK-NOT: scf.for
// CHECK: nv_tileaa.func kernel @scans(
nv_tileaa.func kernel @scans(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  // expected-remark @below {{tiles of 16 registers of a thread stay whole: 'nv_tileas.scan' cannot work on slices, it works along the dimension of the slices}}
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %r = nv_tileas.scan %x axis = 0 identities = [0.0 : f32] : tensor<512xf32, #a> -> tensor<512xf32, #a> {
  ^bb0(%e: f32, %acc: f32):
    %s = arith.addf %e, %acc : f32
    nv_tileas.yield %s : f32
  }
  %u = nv_tileas.tiled_store weak %r, %v[%i] : tensor<512xf32, #a>, !v[i32]
  nv_tileaa.return
}

// CHECK: nv_tileaa.func kernel @relaxed(
nv_tileaa.func kernel @relaxed(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  // expected-remark @below {{tiles of 16 registers of a thread stay whole: 'nv_tileas.tiled_store' cannot work on slices, it is not weak}}
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %u = nv_tileas.tiled_store relaxed gpu %x, %v[%i] : tensor<512xf32, #a>, !v[i32]
  nv_tileaa.return
}

// The high bits of the index are lanes.
// CHECK: nv_tileaa.func kernel @lanes(
nv_tileaa.func kernel @lanes(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  // expected-remark @below {{tiles of 16 registers of a thread stay whole: 'nv_tileas.tiled_load' cannot work on slices, threads or warps have the high bits of the dimension}}
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #lanes>
  %u = nv_tileas.tiled_store weak %x, %v[%i] : tensor<512xf32, #lanes>, !v[i32]
  nv_tileaa.return
}

// A tile that is stored first is loaded again.
// CHECK: nv_tileaa.func kernel @reloads(
nv_tileaa.func kernel @reloads(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32, %j: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  // expected-remark @below {{tiles of 16 registers of a thread stay whole: 'nv_tileas.tiled_load' cannot work on slices, it comes after a store of the same tiles}}
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %u = nv_tileas.tiled_store weak %x, %v[%j] : tensor<512xf32, #a>, !v[i32]
  %y, %w = nv_tileas.tiled_load weak %v[%j] token %u : !v[i32] -> tensor<512xf32, #a>
  %z = arith.addf %x, %y : tensor<512xf32, #a>
  %s = nv_tileas.tiled_store weak %z, %v[%j] token %w : tensor<512xf32, #a>, !v[i32]
  nv_tileaa.return
}

// A loop-carried tile is live between its iterations.
// CHECK: nv_tileaa.func kernel @carried(
// CHECK: scf.for
// CHECK-NOT: scf.for
nv_tileaa.func kernel @carried(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  // expected-remark @below {{tiles of 16 registers of a thread stay whole: 'scf.for' cannot work on slices, it needs the whole tile}}
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %r = scf.for %k = %c0 to %i step %c1 iter_args(%a = %x) -> (tensor<512xf32, #a>) : i32 {
    // expected-remark @below {{tiles of 16 registers of a thread stay whole: 'arith.addf' cannot work on slices, a loop carries a tile, or it comes from outside of one}}
    %b = arith.addf %a, %a : tensor<512xf32, #a>
    scf.yield %b : tensor<512xf32, #a>
  }
  %u = nv_tileas.tiled_store weak %r, %v[%i] : tensor<512xf32, #a>, !v[i32]
  nv_tileaa.return
}

}
