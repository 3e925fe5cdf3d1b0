// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-roll-tiles{max-registers=8})))' | FileCheck %s
// The former name.
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-roll-tiles{max-words=8})))' | FileCheck %s

#a = #nv_tileas.layout<reg, [512], register = [[1], [2], [128], [256]], lane = [[4], [8], [16], [32], [64]]>
#rows = #nv_tileas.layout<reg, [64, 32], register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#row = #nv_tileas.layout<reg, [64], register = [[4], [8], [16], [32]], lane = [[0], [0], [0], [1], [2]]>

!m = !nv_tileaa.memref<?xf32, strides = [1]>
!v = !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<?xf32, strides = [1]>>
#half = #nv_tileas.layout<reg, [1024], register = [[1], [2], [4], [256], [512]], lane = [[8], [16], [32], [64], [128]]>
!h = !nv_tileaa.memref<?xbf16, strides = [1]>
!hv = !nv_tileaa.tiled_view<1024 of !nv_tileaa.memref<?xbf16, strides = [1]>>
!m2 = !nv_tileaa.memref<?x32xf32, strides = [32, 1]>
!v2 = !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x32xf32, strides = [32, 1]>>

gpu.module @kernels attributes {nv_tileaa.num_warps = 1 : i32} {

// A loop of four slices; the facts about addresses hold for slices.
// CHECK-DAG: #[[$S:.*]] = #nv_tileas.layout<reg, [128], register = {{\[\[}}1], [2]], lane = {{\[\[}}4], [8], [16], [32], [64]]>
// CHECK-LABEL: nv_tileaa.func kernel @elementwise(
//  CHECK-SAME:   %{{[^:]*}}: !nv_tileaa.ptr<f32>, %{{[^:]*}}: !nv_tileaa.ptr<f32>, %{{[^:]*}}: i64, %[[I:.*]]: i32)
//       CHECK:   %[[V:.*]] = nv_tileas.block_tile %{{.*}} -> !nv_tileaa.tiled_view<128 of
//       CHECK:   %[[W:.*]] = nv_tileas.block_tile %{{.*}} -> !nv_tileaa.tiled_view<128 of
//       CHECK:   scf.for %[[K:.*]] = %c0_i32 to %c4_i32 step %c1_i32  : i32 {
//       CHECK:     %[[C:.*]] = arith.minui %[[I]], %c1073741822_i32
//       CHECK:     %[[M:.*]] = arith.muli %[[C]], %{{.*}} : i32
//       CHECK:     %[[AT:.*]] = arith.addi %[[M]], %[[K]] : i32
//       CHECK:     %[[X:.*]], %{{.*}} = nv_tileas.tiled_load weak %[[V]][%[[AT]]] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 128>} {{.*}} -> tensor<128xf32, #[[$S]]>
//       CHECK:     %[[Y:.*]] = arith.mulf %[[X]], %{{.*}} : tensor<128xf32, #[[$S]]>
//       CHECK:     nv_tileas.tiled_store weak %[[Y]], %[[W]][%[[AT]]]
//   CHECK-NOT:   tensor<512
nv_tileaa.func kernel @elementwise(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  %l = nv_tileas.make_memref %q sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %w = nv_tileas.block_tile %l : !m -> !v
  %c = arith.constant dense<2.0> : tensor<512xf32, #a>
  %x, %t = nv_tileas.tiled_load weak %v[%i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 512>} : !v[i32] -> tensor<512xf32, #a>
  %y = arith.mulf %x, %c : tensor<512xf32, #a>
  %u = nv_tileas.tiled_store weak %y, %w[%i] : tensor<512xf32, #a>, !v[i32]
  nv_tileaa.return
}

// Ranges begin where the slice does.
// CHECK-LABEL: nv_tileaa.func kernel @pointers(
//       CHECK:   scf.for %[[K:.*]] = %c0_i32 to %c4_i32 step %c1_i32  : i32 {
//       CHECK:     %[[R:.*]] = nv_tileas.make_range 0 to 128 : tensor<128xi32, #[[$S]]>
//       CHECK:     %[[O:.*]] = arith.muli %[[K]], %c128_i32 : i32
//       CHECK:     %[[B:.*]] = nv_tileas.splat %[[O]]
//       CHECK:     %[[P:.*]] = arith.addi %[[R]], %[[B]]
//       CHECK:     %[[MASK:.*]] = arith.cmpi slt, %[[P]]
//       CHECK:     nv_tileas.load weak %{{.*}} mask %[[MASK]]
//       CHECK:     nv_tileas.store weak %{{.*}} mask %[[MASK]]
//   CHECK-NOT:   tensor<512
nv_tileaa.func kernel @pointers(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i32) {
  %r = nv_tileas.make_range 0 to 512 : tensor<512xi32, #a>
  %s = nv_tileas.splat %n : i32 -> tensor<512xi32, #a>
  %k = arith.cmpi slt, %r, %s : tensor<512xi32, #a>
  %ps = nv_tileas.splat %p : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>, #a>
  %po = nv_tileas.addptr %ps, %r : tensor<512x!nv_tileaa.ptr<f32>, #a>, tensor<512xi32, #a>
  %x, %t = nv_tileas.load weak %po mask %k : tensor<512x!nv_tileaa.ptr<f32>, #a> -> tensor<512xf32, #a>
  %qs = nv_tileas.splat %q : !nv_tileaa.ptr<f32> -> tensor<512x!nv_tileaa.ptr<f32>, #a>
  %qo = nv_tileas.addptr %qs, %r : tensor<512x!nv_tileaa.ptr<f32>, #a>, tensor<512xi32, #a>
  %u = nv_tileas.store weak %qo, %x mask %k : tensor<512x!nv_tileaa.ptr<f32>, #a>, tensor<512xf32, #a>
  nv_tileaa.return
}

// Elements at one position of all slices first, the reduction after the loop; the accumulator begins with the identity.
// CHECK-LABEL: nv_tileaa.func kernel @sum(
//       CHECK:   %[[Z:.*]] = arith.constant dense<-0.000000e+00> : tensor<128xf32, #[[$S]]>
//       CHECK:   %[[L:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[Z]])
//       CHECK:     %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
//       CHECK:     %[[N:.*]] = arith.addf %[[X]], %[[A]] : tensor<128xf32, #[[$S]]>
//       CHECK:     scf.yield %[[N]]
//       CHECK:   %[[R:.*]] = nv_tileas.reduce %[[L]] axis = 0
//       CHECK:   nv_tileas.store weak %{{.*}}, %[[R]] : !nv_tileaa.ptr<f32>, f32
nv_tileaa.func kernel @sum(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %r = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<512xf32, #a> -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %s = arith.addf %e, %acc : f32
    nv_tileas.yield %s : f32
  }
  %u = nv_tileas.store weak %q, %r : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// The maximum of wide numbers is the maximum of their narrow sources.
// CHECK-LABEL: nv_tileaa.func kernel @extremum(
//       CHECK:   %[[Z:.*]] = arith.constant dense<0x7FC0> : tensor<256xbf16, #[[$H:.*]]>
//       CHECK:   %[[L:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %[[Z]])
//       CHECK:     %[[X:.*]], %{{.*}} = nv_tileas.tiled_load
//       CHECK:     %[[N:.*]] = arith.maxnumf %[[X]], %[[A]] : tensor<256xbf16, #[[$H]]>
//       CHECK:     scf.yield %[[N]]
//       CHECK:   %[[W:.*]] = arith.extf %[[L]] : tensor<256xbf16, #[[$H]]> to tensor<256xf32, #[[$H]]>
//       CHECK:   nv_tileas.reduce %[[W]] axis = 0
nv_tileaa.func kernel @extremum(%p: !nv_tileaa.ptr<bf16>, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<bf16> -> !h
  %v = nv_tileas.block_tile %m : !h -> !hv
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !hv[i32] -> tensor<1024xbf16, #half>
  %w = arith.extf %x : tensor<1024xbf16, #half> to tensor<1024xf32, #half>
  %r = nv_tileas.reduce %w axis = 0 identities = [0xFF800000 : f32] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<1024xf32, #half> -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %s = arith.maxnumf %e, %acc : f32
    nv_tileas.yield %s : f32
  }
  %u = nv_tileas.store weak %q, %r : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// The order of the elements is kept.
// CHECK-LABEL: nv_tileaa.func kernel @ordered(
//       CHECK:   %[[L:.*]] = scf.for %[[K:.*]] = {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (f32)
//       CHECK:     %[[R:.*]] = nv_tileas.reduce %{{.*}} axis = 0
//       CHECK:     %[[Q:.*]] = arith.mulf %[[A]], %[[A]] : f32
//       CHECK:     %[[N:.*]] = arith.addf %[[R]], %[[Q]] : f32
//       CHECK:     %[[F:.*]] = arith.cmpi eq, %[[K]], %{{.*}} : i32
//       CHECK:     %[[Y:.*]] = arith.select %[[F]], %[[R]], %[[N]] : f32
//       CHECK:     scf.yield %[[Y]] : f32
//       CHECK:   nv_tileas.store weak %{{.*}}, %[[L]]
nv_tileaa.func kernel @ordered(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %r = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<generic, impl = auto>} : tensor<512xf32, #a> -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %d = arith.mulf %acc, %acc : f32
    %s = arith.addf %e, %d : f32
    nv_tileas.yield %s : f32
  }
  %u = nv_tileas.store weak %q, %r : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Two loops; the second one twice, unless the arguments do not alias.
// CHECK-LABEL: nv_tileaa.func kernel @centred(
//       CHECK:   scf.for
//       CHECK:   nv_tileas.reduce
//       CHECK:   %[[APART:.*]] = arith.ori
//       CHECK:   %[[EQUAL:.*]] = arith.cmpi eq
//       CHECK:   %[[SAFE:.*]] = arith.ori %[[APART]], %[[EQUAL]]
//       CHECK:   scf.if %[[SAFE]] {
//       CHECK:     scf.for
//       CHECK:       nv_tileas.tiled_load
//       CHECK:       nv_tileas.tiled_store
//       CHECK:   } else {
//       CHECK:     nv_tileas.alloca 512 align 16
//       CHECK:     %[[COPY:.*]] = scf.for
//       CHECK:       nv_tileas.tiled_load
//       CHECK:       nv_tileas.tiled_store
//       CHECK:     scf.for
//       CHECK:       nv_tileas.tiled_load {{.*}} token %[[COPY]]
//       CHECK:       nv_tileas.tiled_store {{.*}} token %
nv_tileaa.func kernel @centred(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  %l = nv_tileas.make_memref %q sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %w = nv_tileas.block_tile %l : !m -> !v
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %r = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<512xf32, #a> -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %s = arith.addf %e, %acc : f32
    nv_tileas.yield %s : f32
  }
  %b = nv_tileas.splat %r : f32 -> tensor<512xf32, #a>
  %y = arith.subf %x, %b : tensor<512xf32, #a>
  %u = nv_tileas.tiled_store weak %y, %w[%i] : tensor<512xf32, #a>, !v[i32]
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @centred_noalias(
//       CHECK:   scf.for
//       CHECK:   nv_tileas.reduce
//   CHECK-NOT:   scf.if
//       CHECK:   scf.for
//       CHECK:     nv_tileas.tiled_load
//       CHECK:     nv_tileas.tiled_store
nv_tileaa.func kernel @centred_noalias(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %v = nv_tileas.block_tile %m : !m -> !v
  %l = nv_tileas.make_memref %q sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  %w = nv_tileas.block_tile %l : !m -> !v
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<512xf32, #a>
  %r = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<512xf32, #a> -> f32 {
  ^bb0(%e: f32, %acc: f32):
    %s = arith.addf %e, %acc : f32
    nv_tileas.yield %s : f32
  }
  %b = nv_tileas.splat %r : f32 -> tensor<512xf32, #a>
  %y = arith.subf %x, %b : tensor<512xf32, #a>
  %u = nv_tileas.tiled_store weak %y, %w[%i] : tensor<512xf32, #a>, !v[i32]
  nv_tileaa.return
}

// Rows are cut between, so that one loop does it all.
// CHECK-LABEL: nv_tileaa.func kernel @rows(
//       CHECK:   scf.for {{.*}} to %c16_i32
//       CHECK:     nv_tileas.tiled_load {{.*}} -> tensor<4x32xf32
//       CHECK:     nv_tileas.reduce {{.*}} axis = 1
//       CHECK:     nv_tileas.broadcast {{.*}} -> tensor<4x32xf32
//       CHECK:     nv_tileas.tiled_store
//   CHECK-NOT:   scf.for
nv_tileaa.func kernel @rows(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m2
  %v = nv_tileas.block_tile %m : !m2 -> !v2
  %l = nv_tileas.make_memref %q sizes[%n] : !nv_tileaa.ptr<f32> -> !m2
  %w = nv_tileas.block_tile %l : !m2 -> !v2
  %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v2[i32, i32] -> tensor<64x32xf32, #rows>
  %r = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<64x32xf32, #rows> -> tensor<64xf32, #row> {
  ^bb0(%e: f32, %acc: f32):
    %s = arith.addf %e, %acc : f32
    nv_tileas.yield %s : f32
  }
  %u = nv_tileas.expand_dims %r {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #nv_tileas.layout<reg, [64, 1], register = [[4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>>
  %b = nv_tileas.broadcast %u : tensor<64x1xf32, #nv_tileas.layout<reg, [64, 1], register = [[4, 0], [8, 0], [16, 0], [32, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>> -> tensor<64x32xf32, #rows>
  %y = arith.subf %x, %b : tensor<64x32xf32, #rows>
  %z = nv_tileas.tiled_store weak %y, %w[%i, %c0] : tensor<64x32xf32, #rows>, !v2[i32, i32]
  nv_tileaa.return
}

// In place, rows and columns: no two elements share memory.
// CHECK-LABEL: nv_tileaa.func kernel @in_place(
//   CHECK-NOT:   nv_tileas.alloca
//       CHECK:   scf.for
//       CHECK:     nv_tileas.tiled_load
//       CHECK:     nv_tileas.tiled_store
//   CHECK-NOT:   scf.for
nv_tileaa.func kernel @in_place(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m2
  %v = nv_tileas.block_tile %m : !m2 -> !v2
  %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v2[i32, i32] -> tensor<64x32xf32, #rows>
  %y = arith.addf %x, %x : tensor<64x32xf32, #rows>
  %z = nv_tileas.tiled_store weak %y, %v[%i, %c0] token %t : tensor<64x32xf32, #rows>, !v2[i32, i32]
  nv_tileaa.return
}

// Rows overlap: what one slice stores, another one loads.
// CHECK-LABEL: nv_tileaa.func kernel @in_place_overlapping(
//       CHECK:   scf.if
//       CHECK:   nv_tileas.alloca
nv_tileaa.func kernel @in_place_overlapping(%p: !nv_tileaa.ptr<f32>, %n: i64, %i: i32) {
  %c0 = arith.constant 0 : i32
  %m = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?x32xf32, strides = [16, 1]>
  %v = nv_tileas.block_tile %m : !nv_tileaa.memref<?x32xf32, strides = [16, 1]> -> !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x32xf32, strides = [16, 1]>>
  %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x32xf32, strides = [16, 1]>>[i32, i32] -> tensor<64x32xf32, #rows>
  %y = arith.addf %x, %x : tensor<64x32xf32, #rows>
  %z = nv_tileas.tiled_store weak %y, %v[%i, %c0] token %t : tensor<64x32xf32, #rows>, !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x32xf32, strides = [16, 1]>>[i32, i32]
  nv_tileaa.return
}

}
