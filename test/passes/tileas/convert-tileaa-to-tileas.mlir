// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// DEFINE: %{pass} = builtin.module(gpu.module(convert-tileaa-to-tileas{compute-capability
// RUN: %{opt} %s --pass-pipeline='%{pass}=sm_80}))' | FileCheck %s --check-prefixes=CHECK,HALF,WIDENS
// RUN: %{opt} %s --pass-pipeline='%{pass}=sm_90a}))' | FileCheck %s --check-prefixes=CHECK,FP8,WIDENS
// RUN: %{opt} %s --pass-pipeline='%{pass}=sm_100a}))' | FileCheck %s --check-prefixes=CHECK,HALF,WIDENS,KEEPS
// RUN: %{opt} %s --pass-pipeline='%{pass}=sm_89}))' | FileCheck %s --check-prefixes=CHECK,FP8,WIDENS
// RUN: %{opt} %s --pass-pipeline='%{pass}=sm_120a}))' | FileCheck %s --check-prefixes=CHECK,FP8,SCALES
// Converting twice changes nothing.
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas{compute-capability=sm_80},convert-tileaa-to-tileas{compute-capability=sm_80}))' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,HALF,WIDENS

!m1 = !nv_tileaa.memref<?xf32, strides = [1]>
!v1 = !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<?xf32, strides = [1]>>
!m2 = !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
!mg = !nv_tileaa.memref<57x64xf16, strides = [64, 1]>
!vg = !nv_tileaa.tiled_view<16x32 of !mg, steps = [1, 1], sparse = 0, padding = zero>
!va = !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, padding = zero>
!vb = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, padding = zero>
!vt = !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, dims = [1, 0]>

gpu.module @kernels {

// CHECK-LABEL: nv_tileaa.func kernel @vector_access(
//       CHECK:   %[[N:.*]] = nv_tileas.assume %{{.*}} [#nv_tileaa.div_by<16>] : i32
//       CHECK:   nv_tileas.make_memref
//       CHECK:   nv_tileas.block_tile
// Four floats per thread are one access: the size is a multiple of 16 elements, the base of 16 bytes.
//       CHECK:   %[[X:.*]], %[[T:.*]] = nv_tileas.tiled_load weak %{{.*}}[%{{.*}}] token %{{.*}} {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 16>, nv_tileas.tma = "ok"} : !nv_tileaa.tiled_view<{{.*}}>[i32] -> tensor<512xf32, #[[L:.*]]>
//       CHECK:   arith.constant dense<1.000000e+00> : tensor<512xf32, #[[L]]>
//       CHECK:   %[[Y:.*]] = arith.addf %[[X]], %{{.*}} : tensor<512xf32, #[[L]]>
//       CHECK:   nv_tileas.tiled_store weak %[[Y]], %{{.*}}[%{{.*}}] token %[[T]]
nv_tileaa.func kernel @vector_access(%p: !nv_tileaa.ptr<f32> {nv_tileaa.div_by = 16 : i64}, %n: i32)
    attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %na = nv_tileaa.assume %n [#nv_tileaa.div_by<16>] : i32
  %n64 = arith.extui %na : i32 to i64
  %m = nv_tileaa.make_memref %p sizes[%n64] : !nv_tileaa.ptr<f32> -> !m1
  %v = nv_tileaa.block_tile %m : !m1 -> !v1
  %i = nv_tileaa.get_program_id x
  %t0 = nv_tileaa.create_mem_token
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i] token %t0 : !v1[i32] -> tensor<512xf32>
  %c = arith.constant dense<1.0> : tensor<512xf32>
  %y = arith.addf %x, %c : tensor<512xf32>
  %t2 = nv_tileaa.tiled_store weak %y, %v[%i] token %t1 : tensor<512xf32>, !v1[i32]
  nv_tileaa.return
}

// Nothing is known about the size: the bounds may end inside any vector.
// CHECK-LABEL: nv_tileaa.func kernel @no_facts(
//       CHECK:   nv_tileas.tiled_load weak {{.*}} {nv_tileas.align = 4 : i32, nv_tileas.contiguous = array<i32: 1>, nv_tileas.tma = "base pointer not 16-byte aligned"}
nv_tileaa.func kernel @no_facts(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m1
  %v = nv_tileaa.block_tile %m : !m1 -> !v1
  %i = nv_tileaa.get_program_id x
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i] : !v1[i32] -> tensor<512xf32>
  nv_tileaa.return
}

// A size that is a multiple of the tile makes every tile whole: inside, or outside when the launch has more blocks than
// there are tiles.
// CHECK-LABEL: nv_tileaa.func kernel @whole_tiles(
//       CHECK:   nv_tileas.tiled_load weak
//   CHECK-NOT:   in_bounds
//  CHECK-SAME:   {nv_tileas.align = 4 : i32, nv_tileas.contiguous = array<i32: 512>, nv_tileas.tma = "base pointer not 16-byte aligned", nv_tileas.whole = array<i1: true>}
nv_tileaa.func kernel @whole_tiles(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %na = nv_tileaa.assume %n [#nv_tileaa.div_by<512>] : i64
  %m = nv_tileaa.make_memref %p sizes[%na] : !nv_tileaa.ptr<f32> -> !m1
  %v = nv_tileaa.block_tile %m : !m1 -> !v1
  %i = nv_tileaa.get_program_id x
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i] : !v1[i32] -> tensor<512xf32>
  nv_tileaa.return
}

// A loop over the tiles of the array stays inside, and so does a number below the count of tiles.
// CHECK-LABEL: nv_tileaa.func kernel @bounded_tiles(
//       CHECK:   nv_tileas.tiled_load weak {{.*}} in_bounds = [true] {nv_tileas.align = 4 : i32, nv_tileas.contiguous = array<i32: 512>, nv_tileas.tma = "base pointer not 16-byte aligned"}
//       CHECK:   nv_tileas.tiled_load weak {{.*}} in_bounds = [true] {nv_tileas.align = 4 : i32, nv_tileas.contiguous = array<i32: 512>, nv_tileas.tma = "base pointer not 16-byte aligned"}
//       CHECK:   nv_tileas.tiled_load weak
//   CHECK-NOT:   in_bounds
//  CHECK-SAME:   nv_tileas.whole = array<i1: true>
nv_tileaa.func kernel @bounded_tiles(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %na = nv_tileaa.assume %n [#nv_tileaa.div_by<512>] : i64
  %m = nv_tileaa.make_memref %p sizes[%na] : !nv_tileaa.ptr<f32> -> !m1
  %v = nv_tileaa.block_tile %m : !m1 -> !v1
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c512 = arith.constant 512 : i64
  %count = arith.ceildivui %n, %c512 : i64
  %tiles = arith.trunci %count : i64 to i32
  scf.for %i = %c0 to %tiles step %c1 : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %v[%i] : !v1[i32] -> tensor<512xf32>
    scf.yield
  }
  %s = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<1024xf32, strides = [1]>
  %w = nv_tileaa.block_tile %s : !nv_tileaa.memref<1024xf32, strides = [1]> -> !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<1024xf32, strides = [1]>>
  %y, %t2 = nv_tileaa.tiled_load weak %w[%c1] : !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<1024xf32, strides = [1]>>[i32] -> tensor<512xf32>
  %z, %t3 = nv_tileaa.tiled_load weak %w[%c2] : !nv_tileaa.tiled_view<512 of !nv_tileaa.memref<1024xf32, strides = [1]>>[i32] -> tensor<512xf32>
  nv_tileaa.return
}

// Slices of a gather begin at a coordinate: what divides it decides, and a slice inside is one whose end is.
// CHECK-LABEL: nv_tileaa.func kernel @slices(
//       CHECK:   nv_tileas.gather_load weak {{.*}} {nv_tileas.align = 2 : i32, nv_tileas.contiguous = array<i32: 1, 1>}
//       CHECK:   nv_tileas.gather_load weak {{.*}} {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 8>}
//       CHECK:   nv_tileas.gather_load weak {{.*}} in_bounds = [false, true] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 32>}
//       CHECK:   nv_tileas.gather_load weak
//   CHECK-NOT:   in_bounds
//  CHECK-SAME:   {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 32>, nv_tileas.whole = array<i1: false, true>}
nv_tileaa.func kernel @slices(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %i: i32) {
  %rows = nv_tileaa.make_range 0 to 16 : tensor<16xi32>
  %m = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !mg
  %v = nv_tileaa.block_tile %m : !mg -> !vg
  %a = nv_tileaa.assume %i [#nv_tileaa.div_by<8>] : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %x, %t1 = nv_tileaa.gather_load weak %v[%rows, %i] : !vg[tensor<16xi32>, i32] -> tensor<16x32xf16>
  %y, %t2 = nv_tileaa.gather_load weak %v[%rows, %a] : !vg[tensor<16xi32>, i32] -> tensor<16x32xf16>
  %z, %t3 = nv_tileaa.gather_load weak %v[%rows, %c32] : !vg[tensor<16xi32>, i32] -> tensor<16x32xf16>
  %w, %t4 = nv_tileaa.gather_load weak %v[%rows, %c64] : !vg[tensor<16xi32>, i32] -> tensor<16x32xf16>
  nv_tileaa.return
}

// The view reads a row-major matrix transposed: tile dimension 0 is the contiguous one.
// CHECK-LABEL: nv_tileaa.func kernel @transposed_view(
//       CHECK:   nv_tileas.tiled_load weak {{.*}} {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 8, 1>, nv_tileas.tma = "ok"}
nv_tileaa.func kernel @transposed_view(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %n: i64, %s: i64) {
  %na = nv_tileaa.assume %n [#nv_tileaa.div_by<8>] : i64
  %sa = nv_tileaa.assume %s [#nv_tileaa.div_by<8>] : i64
  %m = nv_tileaa.make_memref %p sizes[%na, %na] strides[%sa] : !nv_tileaa.ptr<f16> -> !m2
  %v = nv_tileaa.block_tile %m : !m2 -> !vt
  %i = nv_tileaa.get_program_id x
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i, %i] : !vt[i32, i32] -> tensor<64x32xf16>
  nv_tileaa.return
}

// The accumulator keeps the layout of the instruction around the loop; only operands are converted in it.
// CHECK-LABEL: nv_tileaa.func kernel @matmul(
//       CHECK:   %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32, #[[ACC:.*]]>
//       CHECK:   %[[R:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %[[Z]]) -> (tensor<64x64xf32, #[[ACC]]>)
//       CHECK:     %[[A:.*]], %{{.*}} = nv_tileas.tiled_load
//       CHECK:     %[[B:.*]], %{{.*}} = nv_tileas.tiled_load
//   CHECK-DAG:     %[[AF:.*]] = nv_tileas.convert_layout %[[A]] : tensor<64x32xf16, #{{.*}}> -> tensor<64x32xf16, #{{.*}}>
//   CHECK-DAG:     %[[BF:.*]] = nv_tileas.convert_layout %[[B]] : tensor<32x64xf16, #{{.*}}> -> tensor<32x64xf16, #{{.*}}>
//       CHECK:     %[[D:.*]] = nv_tileas.dot %[[AF]], %[[BF]], %[[C]] {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}
//   CHECK-NOT:     nv_tileas.convert_layout
//       CHECK:     scf.yield %[[D]] : tensor<64x64xf32, #[[ACC]]>
//       CHECK:   arith.truncf %[[R]] : tensor<64x64xf32, #[[ACC]]> to tensor<64x64xf16, #[[ACC]]>
nv_tileaa.func kernel @matmul(%a: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) {
  %m = nv_tileaa.make_memref %a sizes[%n, %n] strides[%n] : !nv_tileaa.ptr<f16> -> !m2
  %va = nv_tileaa.block_tile %m : !m2 -> !va
  %vb = nv_tileaa.block_tile %m : !m2 -> !vb
  %i = nv_tileaa.get_program_id x
  %j = nv_tileaa.get_program_id y
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<64x64xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !va[i32, i32] -> tensor<64x32xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %j] : !vb[i32, i32] -> tensor<32x64xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<64x64xf32> -> tensor<64x64xf16>
  %u = nv_tileaa.optimization_barrier %h : tensor<64x64xf16> -> tensor<64x64xf16>
  nv_tileaa.return
}

// One atom per pair of types; what the target's tensor cores do not take is widened. Those of sm_90 take 8-bit floats by wgmma.
// CHECK-LABEL: nv_tileaa.func @atoms(
//       CHECK:   nv_tileas.dot {{.*}}mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
//       CHECK:   nv_tileas.dot {{.*}}mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f16>
//       CHECK:   nv_tileas.dot {{.*}}mma_atom<mma_sync, [16, 8, 32], a = i8, b = i8, c = i32>, signedness_a = #nv_tileaa.signedness<signed>, signedness_b = #nv_tileaa.signedness<unsigned>}
//       CHECK:   nv_tileas.dot {{.*}}mma_atom<mma_sync, [8, 8, 4], a = f64, b = f64, c = f64>
//       CHECK:   nv_tileas.dot {{.*}}mma_atom<mma_sync, [16, 8, 8], a = tf32, b = tf32, c = f32>
//         FP8:   nv_tileas.dot {{.*}}mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32>
//        HALF:   nv_tileas.fp_to_fp {{.*}} : tensor<32x32xf8E4M3FN, {{.*}}> -> tensor<32x32xf16, {{.*}}>
//        HALF:   nv_tileas.dot {{.*}}mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
//       CHECK:   nv_tileas.dot {{.*}}mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
nv_tileaa.func @atoms() {
  %bf = arith.constant dense<1.0> : tensor<32x32xbf16>
  %h = arith.constant dense<1.0> : tensor<32x32xf16>
  %i8 = arith.constant dense<1> : tensor<32x32xi8>
  %i32 = arith.constant dense<1> : tensor<32x32xi32>
  %d = arith.constant dense<1.0> : tensor<32x32xf64>
  %f = arith.constant dense<1.0> : tensor<32x32xf32>
  %t = arith.constant dense<1.0> : tensor<32x32xtf32>
  %q = arith.constant dense<1.0> : tensor<32x32xf8E4M3FN>
  %0 = nv_tileaa.dot %bf, %bf, %f : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xf32>
  %1 = nv_tileaa.dot %h, %h, %h : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf16>
  %2 = nv_tileaa.dot %i8, %i8, %i32 signs(signed, unsigned) : tensor<32x32xi8>, tensor<32x32xi8>, tensor<32x32xi32>
  %3 = nv_tileaa.dot %d, %d, %d : tensor<32x32xf64>, tensor<32x32xf64>, tensor<32x32xf64>
  %4 = nv_tileaa.dot %t, %t, %f : tensor<32x32xtf32>, tensor<32x32xtf32>, tensor<32x32xf32>
  %5 = nv_tileaa.dot %q, %q, %f : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x32xf32>
  %6 = nv_tileaa.dot %f, %f, %f : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  nv_tileaa.return
}

// Tiles below the instruction: multiply-adds in f32, the result in the asked type.
// CHECK-LABEL: nv_tileaa.func @small(
//       CHECK:   arith.extf %{{.*}} : tensor<4x4xf16, #{{.*}}> to tensor<4x4xf32, #{{.*}}>
//       CHECK:   %[[D:.*]] = nv_tileas.dot {{.*}}mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
//       CHECK:   arith.truncf %{{.*}} : tensor<4x4xf32, #{{.*}}> to tensor<4x4xf16, #{{.*}}>
nv_tileaa.func @small() {
  %h = arith.constant dense<1.0> : tensor<4x4xf16>
  %0 = nv_tileaa.dot %h, %h, %h : tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>
  nv_tileaa.return
}

// A batch is one dot per matrix.
// CHECK-LABEL: nv_tileaa.func @batch(
// CHECK-COUNT-2: nv_tileas.dot
//   CHECK-NOT:   nv_tileas.dot
//       CHECK:   nv_tileaa.return
nv_tileaa.func @batch(%s: f16) {
  %a = nv_tileaa.splat %s : f16 -> tensor<2x16x16xf16>
  %c = arith.constant dense<0.0> : tensor<2x16x16xf32>
  %0 = nv_tileaa.dot %a, %a, %c : tensor<2x16x16xf16>, tensor<2x16x16xf16>, tensor<2x16x16xf32>
  nv_tileaa.return
}

// Results of a reduction have the sliced layout of its operand.
// CHECK-LABEL: nv_tileaa.func @reductions(
//       CHECK:   nv_tileas.reduce %{{.*}} axis = 1 identities = [0.000000e+00 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<32x64xf32, #{{.*}}> -> tensor<32xf32, #{{.*}}> {
//       CHECK:   nv_tileas.reduce %{{.*}} axis = 0 identities = [0 : i32] {atom = #nv_tileas.reduce_atom<umax, impl = auto>} : tensor<64xi32, #{{.*}}> -> i32 {
//       CHECK:   nv_tileas.reduce {{.*}}reduce_atom<generic, impl = auto>
//       CHECK:   nv_tileas.scan %{{.*}} axis = 0 reverse identities = [1 : i32] {atom = #nv_tileas.reduce_atom<mul, impl = auto>}
nv_tileaa.func @reductions(%s: f32, %i: i32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<32x64xf32>
  %y = nv_tileaa.splat %i : i32 -> tensor<64xi32>
  %0 = nv_tileaa.reduce %x axis = 1 identities = [0.0 : f32] : tensor<32x64xf32> -> tensor<32xf32> {
  ^bb0(%e: f32, %a: f32):
    %r = arith.addf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  %1 = nv_tileaa.reduce %y axis = 0 identities = [0 : i32] : tensor<64xi32> -> i32 {
  ^bb0(%e: i32, %a: i32):
    %r = arith.maxui %a, %e : i32
    nv_tileaa.yield %r : i32
  }
  %2 = nv_tileaa.reduce %y axis = 0 identities = [0 : i32] : tensor<64xi32> -> i32 {
  ^bb0(%e: i32, %a: i32):
    %p = arith.muli %e, %e : i32
    %r = arith.addi %a, %p : i32
    nv_tileaa.yield %r : i32
  }
  %3 = nv_tileaa.scan %y axis = 0 reverse identities = [1 : i32] : tensor<64xi32> -> tensor<64xi32> {
  ^bb0(%e: i32, %a: i32):
    %r = arith.muli %e, %a : i32
    nv_tileaa.yield %r : i32
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @math(
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.add.rz.f"(%{{.*}}, %{{.*}}) {pure}
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.mul.rn.ftz.f"
//       CHECK:   %[[NEG:.*]] = arith.negf
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.add.rm.ftz.f"(%{{.*}}, %[[NEG]])
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.div.approx.ftz.f"
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.div.full"(
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.fma.rp.f"
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.sqrt.approx.f"
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.ex2.approx.ftz"
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.fmax.ftz.nan.f"
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.fmin.ftz.f"
//       CHECK:   arith.maxnumf
//       CHECK:   arith.minnumf
//       CHECK:   %[[LO:.*]], %[[HI:.*]] = arith.mului_extended
//       CHECK:   arith.truncf %{{.*}} : f32 to bf16
//       CHECK:   nv_tileas.fp_to_fp %{{.*}} saturate : f32 -> f8E4M3FN
//       CHECK:   arith.extf %[[W:.*]] : f16 to f32
//       CHECK:   nv_tileas.elementwise intrinsic "llvm.nvvm.add.rz.f"
//       CHECK:   nv_tileas.fp_to_fp %{{.*}} rounding<zero> : f32 -> f16
nv_tileaa.func @math(%a: f32, %b: f32, %i: i32, %h: f16) {
  %0 = nv_tileaa.addf %a, %b rounding<zero> : f32
  %1 = nv_tileaa.mulf %0, %b ftz : f32
  %2 = nv_tileaa.subf %1, %b rounding<negative_inf> ftz : f32
  %3 = nv_tileaa.divf %2, %b rounding<approx> ftz : f32
  %4 = nv_tileaa.divf %3, %b rounding<full> : f32
  %5 = nv_tileaa.fma %4, %b, %3 rounding<positive_inf> : f32
  %6 = nv_tileaa.sqrt %5 rounding<approx> : f32
  %7 = nv_tileaa.rsqrt %6 ftz : f32
  %8 = nv_tileaa.exp2 %7 ftz : f32
  %9 = nv_tileaa.maxf %8, %a propagate_nan ftz : f32
  %10 = nv_tileaa.minf %9, %b ftz : f32
  %11 = nv_tileaa.clampf %10, %a, %b : f32
  %12 = nv_tileaa.mulhiui %i, %i : i32
  %13 = nv_tileaa.fp_to_fp %11 : f32 -> bf16
  %14 = nv_tileaa.fp_to_fp %11 saturate : f32 -> f8E4M3FN
  %15 = nv_tileaa.addf %h, %h rounding<zero> : f16
  nv_tileaa.return
}

// Tiles smaller than the threads are held by several of them.
// CHECK-LABEL: nv_tileaa.func @replicated(
//       CHECK:   nv_tileas.splat %{{.*}} : f32 -> tensor<2x4xf32, #[[L:.*]]>
//       CHECK:   nv_tileas.expand_dims %{{.*}} {axis = 0 : i32} : tensor<2x4xf32, #[[L]]> -> tensor<1x2x4xf32, #[[E:.*]]>
//       CHECK:   nv_tileas.expand_dims %{{.*}} {axis = 3 : i32} : tensor<1x2x4xf32, #[[E]]> -> tensor<1x2x4x1xf32, #{{.*}}>
nv_tileaa.func @replicated(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<2x4xf32>
  %y = nv_tileaa.expand_dims %x axes = [0, 3] : tensor<2x4xf32> -> tensor<1x2x4x1xf32>
  nv_tileaa.return
}

// Scales are broadcast over their blocks; the product with them is
// exact in bf16. A native instruction takes bytes of two elements.
// CHECK-LABEL: nv_tileaa.func @scaled_product(
//      SCALES:   nv_tileas.view %{{.*}} : tensor<2048xi8, #{{.*}}> -> tensor<64x32xi8, #{{.*}}>
//      SCALES:   nv_tileas.permute %{{.*}} : tensor<64x32xi8, #{{.*}}> -> tensor<32x64xi8, #{{.*}}>
//      SCALES:   nv_tileas.dot {{.*}} scales {{.*}}mma_atom<mma_bs, [16, 8, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32, scale = f8E4M3FN>
//      WIDENS:   %[[A:.*]] = nv_tileas.fp_to_fp %{{.*}} : tensor<64x64xf4E2M1FN, #{{.*}}> -> tensor<64x64xbf16, #{{.*}}>
//      WIDENS:   nv_tileas.broadcast %{{.*}} : tensor<64x4x1xbf16, #{{.*}}> -> tensor<64x4x16xbf16, #{{.*}}>
//      WIDENS:   nv_tileas.view %{{.*}} : tensor<64x4x16xbf16, #{{.*}}> -> tensor<64x64xbf16, #{{.*}}>
//      WIDENS:   arith.mulf
//      WIDENS:   nv_tileas.broadcast %{{.*}} : tensor<4x1x64xbf16, #{{.*}}> -> tensor<4x16x64xbf16, #{{.*}}>
//      WIDENS:   nv_tileas.dot {{.*}} a = bf16, b = bf16, c = f32
nv_tileaa.func @scaled_product(%p: !nv_tileaa.ptr<f32>, %x: f4E2M1FN, %s: f8E4M3FN, %f: f32) {
  %a = nv_tileaa.splat %x : f4E2M1FN -> tensor<64x64xf4E2M1FN>
  %b = nv_tileaa.splat %x : f4E2M1FN -> tensor<64x64xf4E2M1FN>
  %c = nv_tileaa.splat %f : f32 -> tensor<64x64xf32>
  %sa = nv_tileaa.splat %s : f8E4M3FN -> tensor<64x4xf8E4M3FN>
  %sb = nv_tileaa.splat %s : f8E4M3FN -> tensor<4x64xf8E4M3FN>
  %d = nv_tileaa.dot %a, %b, %c scales(%sa, %sb) : tensor<64x64xf4E2M1FN>, tensor<64x64xf4E2M1FN>, tensor<64x64xf32> scales(tensor<64x4xf8E4M3FN>, tensor<4x64xf8E4M3FN>)
  %t = nv_tileaa.print "%f", %d : tensor<64x64xf32>
  nv_tileaa.return
}

// `tcgen05.mma` may take the scales: a later pass decides.
// CHECK-LABEL: nv_tileaa.func @large_scaled_product(
//       KEEPS:   nv_tileas.dot {{.*}} scales {{.*}} a = bf16, b = bf16, c = f32
nv_tileaa.func @large_scaled_product(%x: f8E4M3FN, %s: f8E8M0FNU, %f: f32) {
  %a = nv_tileaa.splat %x : f8E4M3FN -> tensor<128x128xf8E4M3FN>
  %c = nv_tileaa.splat %f : f32 -> tensor<128x128xf32>
  %sa = nv_tileaa.splat %s : f8E8M0FNU -> tensor<128x4xf8E8M0FNU>
  %sb = nv_tileaa.splat %s : f8E8M0FNU -> tensor<4x128xf8E8M0FNU>
  %d = nv_tileaa.dot %a, %a, %c scales(%sa, %sb) : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32> scales(tensor<128x4xf8E8M0FNU>, tensor<4x128xf8E8M0FNU>)
  %t = nv_tileaa.print "%f", %d : tensor<128x128xf32>
  nv_tileaa.return
}

// Where an instruction would not pay, it takes none.
// CHECK-LABEL: nv_tileaa.func @small_scaled_product(
//   CHECK-NOT:   scales
//       CHECK:   arith.mulf
//       CHECK:   nv_tileas.dot {{.*}} a = bf16, b = bf16, c = f32
nv_tileaa.func @small_scaled_product(%x: f4E2M1FN, %s: f8E4M3FN, %f: f32) {
  %a = nv_tileaa.splat %x : f4E2M1FN -> tensor<32x64xf4E2M1FN>
  %b = nv_tileaa.splat %x : f4E2M1FN -> tensor<64x64xf4E2M1FN>
  %c = nv_tileaa.splat %f : f32 -> tensor<32x64xf32>
  %sa = nv_tileaa.splat %s : f8E4M3FN -> tensor<32x4xf8E4M3FN>
  %sb = nv_tileaa.splat %s : f8E4M3FN -> tensor<4x64xf8E4M3FN>
  %d = nv_tileaa.dot %a, %b, %c scales(%sa, %sb) : tensor<32x64xf4E2M1FN>, tensor<64x64xf4E2M1FN>, tensor<32x64xf32> scales(tensor<32x4xf8E4M3FN>, tensor<4x64xf8E4M3FN>)
  %t = nv_tileaa.print "%f", %d : tensor<32x64xf32>
  nv_tileaa.return
}

// One dot of tf32, or three that compensate the missing bits of tf32.
// CHECK-LABEL: nv_tileaa.func @precisions(
//       CHECK:   nv_tileas.dot {{.*}} a = tf32, b = tf32, c = f32
//       CHECK:   arith.subf
//       CHECK:   nv_tileas.dot {{.*}} a = tf32, b = tf32, c = f32
//       CHECK:   arith.subf
//       CHECK:   nv_tileas.dot {{.*}} a = tf32, b = tf32, c = f32
//       CHECK:   nv_tileas.dot {{.*}} a = tf32, b = tf32, c = f32
//   CHECK-NOT:   nv_tileas.dot
//       CHECK:   nv_tileaa.return
nv_tileaa.func @precisions(%f: f32) {
  %x = nv_tileaa.splat %f : f32 -> tensor<32x32xf32>
  %0 = nv_tileaa.dot %x, %x, %x {input_precision = #nv_tileaa.input_precision<tf32>} : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  %1 = nv_tileaa.dot %x, %x, %0 {input_precision = #nv_tileaa.input_precision<tf32x3>} : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  %t = nv_tileaa.print "%f", %1 : tensor<32x32xf32>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @grids_and_devices(
//       CHECK:   nv_tileas.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x8xf32, #{{.*}}> into tensor<32x32xf32, #{{.*}}>
//       CHECK:   %[[T0:.*]] = nv_tileas.grid_dependency wait
//       CHECK:   nv_tileas.fence proxy_alias
//  CHECK-NEXT:   nv_tileas.barrier cta
//  CHECK-NEXT:   nv_tileas.fence proxy_alias
//       CHECK:   nv_tileas.grid_dependency launch_dependents token %[[T0]]
//       CHECK:   nv_tileas.grid_dependency wait token %[[T0]] {tileir.cluster_wait}
nv_tileaa.func @grids_and_devices(%f: f32, %i: i32) {
  %x = nv_tileaa.splat %f : f32 -> tensor<32x32xf32>
  %y = nv_tileaa.splat %f : f32 -> tensor<8x8xf32>
  %0 = nv_tileaa.insert_slice %y into %x[%i, %i] : tensor<8x8xf32> into tensor<32x32xf32>
  %t0 = nv_tileaa.grid_dependency wait
  %t1 = nv_tileaa.alias_fence token %t0
  %t2 = nv_tileaa.grid_dependency launch_dependents token %t1
  %t4 = nv_tileaa.grid_dependency wait token %t0 {tileir.cluster_wait}
  %t3 = nv_tileaa.print "%f", %0 : tensor<32x32xf32> token %t2
  nv_tileaa.return
}

// Demands of a tensor map on memory: base and strides; and where tiles begin, in the contiguous dimension.
// CHECK-LABEL: nv_tileaa.func kernel @map_facts(
//       CHECK:   nv_tileas.tiled_load weak {{.*}} nv_tileas.tma = "ok"}
//       CHECK:   nv_tileas.tiled_load weak {{.*}} nv_tileas.tma = "tiles begin inside of 16 bytes"}
//       CHECK:   nv_tileas.tiled_load weak {{.*}} nv_tileas.tma = "stride not 16-byte aligned"}
//       CHECK:   nv_tileas.tiled_load weak {{.*}} nv_tileas.tma = "leading tile dimension not 16-byte aligned"}
nv_tileaa.func kernel @map_facts(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %n: i64, %i: i32) {
  %s = nv_tileaa.assume %n [#nv_tileaa.div_by<8>] : i64
  %m = nv_tileaa.make_memref %p sizes[%n, %n] strides[%s] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, steps = [3, 72]>
  %x, %t0 = nv_tileaa.tiled_load weak %v[%i, %i] : !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, steps = [3, 72]>[i32, i32] -> tensor<16x64xf16>
  %v1 = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, steps = [16, 68]>
  %x1, %t01 = nv_tileaa.tiled_load weak %v1[%i, %i] : !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, steps = [16, 68]>[i32, i32] -> tensor<16x64xf16>
  %o = nv_tileaa.make_memref %p sizes[%n, %n] strides[%n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x?xf16, strides = [?, 1]>
  %w = nv_tileaa.block_tile %o : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %y, %t1 = nv_tileaa.tiled_load weak %w[%i, %i] : !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>[i32, i32] -> tensor<16x64xf16>
  %u = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x?xf16, strides = [?, 1]> -> !nv_tileaa.tiled_view<16x4 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
  %z, %t2 = nv_tileaa.tiled_load weak %u[%i, %i] : !nv_tileaa.tiled_view<16x4 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>[i32, i32] -> tensor<16x4xf16>
  nv_tileaa.return
}
}
