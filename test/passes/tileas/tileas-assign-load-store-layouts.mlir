// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-assign-load-store-layouts))' | FileCheck %s
// The layouts that the tiles had do not matter, so a second run changes nothing.
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-assign-load-store-layouts,tileas-assign-load-store-layouts))' | FileCheck %s

!m = !nv_tileaa.memref<?x1024xf16, strides = [1024, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x1024xf16, strides = [1024, 1]>>
!t = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x1024xf16, strides = [1024, 1]>, dims = [1, 0]>
!va = !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x1024xf16, strides = [1024, 1]>>
!vb = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x1024xf16, strides = [1024, 1]>>

!mb = !nv_tileaa.memref<?x1024xi8, strides = [1024, 1]>
!vy = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x1024xi8, strides = [1024, 1]>>

!ml = !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>
!vl = !nv_tileaa.tiled_view<32x16 of !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>>
!wl = !nv_tileaa.tiled_view<16x32 of !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>>

!lm = !nv_tileaa.memref<?xi32, strides = [1]>
!lv = !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xi32, strides = [1]>>
!gv = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x1024xf16, strides = [1024, 1]>, sparse = 0>

gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_89"} {

// Eight halves per thread throughout: no conversion, although the sum is in f32.
// CHECK-DAG: #[[$ROW:.*]] = #nv_tileas.layout<reg, [64, 64], register = {{\[\[}}0, 1], [0, 2], [0, 4], [16, 0], [32, 0]], lane = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]>
// CHECK-DAG: #[[$COLUMNS:.*]] = #nv_tileas.layout<reg, [64, 64], register = {{\[\[}}1, 0], [2, 0], [4, 0], [0, 1], [0, 2]], lane = {{\[\[}}0, 4], [0, 8], [8, 0], [16, 0], [32, 0]], warp = {{\[\[}}0, 16], [0, 32]]>
// CHECK-DAG: #[[$TURNED:.*]] = #nv_tileas.layout<reg, [64, 64], register = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], lane = {{\[\[}}4, 0], [8, 0], [0, 8], [0, 16], [0, 32]], warp = {{\[\[}}16, 0], [32, 0]]>
// CHECK-DAG: #[[$PAIRS:.*]] = #nv_tileas.layout<reg, [64, 64], register = {{\[\[}}0, 1], [0, 2], [0, 4], [0, 8], [1, 0]], lane = {{\[\[}}0, 16], [0, 32], [2, 0], [4, 0], [8, 0]], warp =
// CHECK-DAG: #[[$LONGS:.*]] = #nv_tileas.layout<reg, [32, 16], register = {{\[\[}}0, 1], [1, 0]], lane = {{\[\[}}0, 2], [0, 4], [2, 0], [4, 0], [8, 0]], warp = {{\[\[}}0, 8], [16, 0]]>
// CHECK-LABEL: nv_tileaa.func kernel @streams(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.tiled_load weak {{.*}}atom = #nv_tileas.copy_atom<ldg, bits = 128>{{.*}} -> tensor<64x64xf16, #[[$ROW]]>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   arith.extf %[[X]] : tensor<64x64xf16, #[[$ROW]]> to tensor<64x64xf32, #[[$ROW]]>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.tiled_store weak {{.*}}atom = #nv_tileas.copy_atom<stg, bits = 128>{{.*}} : tensor<64x64xf16, #[[$ROW]]>
nv_tileaa.func kernel @streams(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %v = nv_tileaa.block_tile %m : !m -> !v
  %i = nv_tileaa.get_program_id x
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16>
  %f = nv_tileaa.fp_to_fp %x : tensor<64x64xf16> -> tensor<64x64xf32>
  %s = arith.addf %f, %f : tensor<64x64xf32>
  %h = nv_tileaa.fp_to_fp %s : tensor<64x64xf32> -> tensor<64x64xf16>
  %t2 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<64x64xf16>, !v[i32, i32]
  nv_tileaa.return
}

// Each thread loads the positions of the rows that it gathers: no exchange.
// CHECK-LABEL: nv_tileaa.func kernel @gathers(
//       CHECK:   %[[I:.*]], %{{.*}} = nv_tileas.tiled_load weak {{.*}} -> tensor<64xi32, #{{.*}}>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.gather_load weak %{{.*}}[%[[I]], %{{.*}}] {{.*}}-> tensor<64x64xf16, #[[$ROW]]>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.scatter_store weak %{{.*}}, %{{.*}}[%[[I]], %{{.*}}]
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @gathers(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %q: !nv_tileaa.ptr<i32> {nv_tileaa.div_by = 16 : i64}, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %g = nv_tileaa.block_tile %m : !m -> !gv
  %l = nv_tileaa.make_memref %q sizes[%n] : !nv_tileaa.ptr<i32> -> !lm
  %lv = nv_tileaa.block_tile %l : !lm -> !lv
  %i = nv_tileaa.get_program_id x
  %rows, %t1 = nv_tileaa.tiled_load weak %lv[%i] : !lv[i32] -> tensor<64xi32>
  %x, %t2 = nv_tileaa.gather_load weak %g[%rows, %i] : !gv[tensor<64xi32>, i32] -> tensor<64x64xf16>
  %t3 = nv_tileaa.scatter_store weak %x, %g[%rows, %i] : tensor<64x64xf16>, !gv[tensor<64xi32>, i32]
  nv_tileaa.return
}

// Load and store run along different dimensions: both take rows of 128 bytes, as many as the tile has, 16 bytes a thread,
// and the tile changes threads between. Rows of 64 and 32 bytes need no exchange, but memory is slower by them.
// CHECK-LABEL: nv_tileaa.func kernel @transposes(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.tiled_load weak {{.*}}bits = 128>{{.*}} -> tensor<64x64xf16, #[[$ROW]]>
//       CHECK:   %[[Y:.*]] = nv_tileas.convert_layout %[[X]] : tensor<64x64xf16, #[[$ROW]]> -> tensor<64x64xf16, #[[$COLUMNS]]>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.tiled_store weak %[[Y]], {{.*}}bits = 128>
nv_tileaa.func kernel @transposes(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %v = nv_tileaa.block_tile %m : !m -> !v
  %t = nv_tileaa.block_tile %m : !m -> !t
  %na = nv_tileaa.assume %n [#nv_tileaa.div_by<64>] : i64
  %mb = nv_tileaa.make_memref %p sizes[%na] : !nv_tileaa.ptr<f16> -> !m
  %tb = nv_tileaa.block_tile %mb : !m -> !t
  %i = nv_tileaa.get_program_id x
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16>
  %t2 = nv_tileaa.tiled_store weak %x, %tb[%i, %i] : tensor<64x64xf16>, !t[i32, i32]
  nv_tileaa.return
}

// Operands are loaded coalesced and converted once each; the accumulator is never converted in the loop.
// CHECK-LABEL: nv_tileaa.func kernel @matmul(
//       CHECK:   scf.for
// CHECK-COUNT-2:   nv_tileas.convert_layout {{.*}}xf16
//       CHECK:     nv_tileas.dot
//   CHECK-NOT:     nv_tileas.convert_layout
//       CHECK:     scf.yield
//       CHECK:   %[[H:.*]] = arith.truncf
//       CHECK:   %[[C:.*]] = nv_tileas.convert_layout %[[H]] : tensor<64x64xf16, #{{.*}}> -> tensor<64x64xf16, #[[$ROW]]>
//       CHECK:   nv_tileas.tiled_store weak %[[C]]
nv_tileaa.func kernel @matmul(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %n: i64, %k: i32) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !va
  %vb = nv_tileaa.block_tile %m : !m -> !vb
  %v = nv_tileaa.block_tile %m : !m -> !v
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<64x64xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !va[i32, i32] -> tensor<64x32xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !vb[i32, i32] -> tensor<32x64xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<64x64xf32> -> tensor<64x64xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<64x64xf16>, !v[i32, i32]
  nv_tileaa.return
}

// The softmax between two dots: rows of the first stay in one warp, and its result already
// has the layout of the second dot's operand, so that only the loaded operands are converted.
// CHECK-LABEL: nv_tileaa.func kernel @two_products(
//       CHECK:   %[[S:.*]] = nv_tileas.dot {{.*}} -> tensor<64x64xf32, #[[ACC:.*]]>
//       CHECK:   nv_tileas.reduce %[[S]]
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   %[[P:.*]] = arith.truncf %{{.*}} : tensor<64x64xf32, #[[ACC]]> to tensor<64x64xf16, #[[ACC]]>
//   CHECK-NOT:   nv_tileas.convert_layout %[[P]]
//       CHECK:   nv_tileas.dot %[[P]],
nv_tileaa.func kernel @two_products(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %v = nv_tileaa.block_tile %m : !m -> !v
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %q, %t1 = nv_tileaa.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16>
  %k, %t2 = nv_tileaa.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16>
  %w, %t3 = nv_tileaa.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<64x64xf16>
  %s = nv_tileaa.dot %q, %k, %z : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  %x = nv_tileaa.reduce %s axis = 1 identities = [0xFF800000 : f32] : tensor<64x64xf32> -> tensor<64xf32> {
  ^bb0(%e: f32, %a: f32):
    %r = arith.maxnumf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  %e = nv_tileaa.expand_dims %x axes = [1] : tensor<64xf32> -> tensor<64x1xf32>
  %b = nv_tileaa.broadcast %e : tensor<64x1xf32> -> tensor<64x64xf32>
  %d = arith.subf %s, %b : tensor<64x64xf32>
  %h = nv_tileaa.fp_to_fp %d : tensor<64x64xf32> -> tensor<64x64xf16>
  %o = nv_tileaa.dot %h, %w, %z : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  %oh = nv_tileaa.fp_to_fp %o : tensor<64x64xf32> -> tensor<64x64xf16>
  %t4 = nv_tileaa.tiled_store weak %oh, %v[%i, %i] : tensor<64x64xf16>, !v[i32, i32]
  nv_tileaa.return
}

// A scan along an axis has the bits of the axis in registers, lanes and warps, in this order.
// CHECK-LABEL: nv_tileaa.func kernel @scans(
//       CHECK:   nv_tileas.scan %{{.*}} axis = 0 {{.*}} : tensor<1024xf32, #[[SCAN:.*]]> -> tensor<1024xf32, #[[SCAN]]>
nv_tileaa.func kernel @scans(%s: f32) {
  %x = nv_tileaa.splat %s : f32 -> tensor<1024xf32>
  %y = nv_tileaa.scan %x axis = 0 identities = [0.0 : f32] : tensor<1024xf32> -> tensor<1024xf32> {
  ^bb0(%e: f32, %a: f32):
    %r = arith.addf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  nv_tileaa.return
}

// The same through a permutation, whose two classes decide together. The conversion after it only renames registers.
// CHECK-LABEL: nv_tileaa.func kernel @turned(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.tiled_load {{.*}}bits = 128>{{.*}} -> tensor<64x64xf16, #[[$ROW]]>
//       CHECK:   %[[Y:.*]] = nv_tileas.convert_layout %[[X]] : tensor<64x64xf16, #[[$ROW]]> -> tensor<64x64xf16, #[[BLOCKS:.*]]>
//       CHECK:   %[[Z:.*]] = nv_tileas.permute %[[Y]] [1, 0] : tensor<64x64xf16, #[[BLOCKS]]> -> tensor<64x64xf16, #[[BESIDE:.*]]>
//       CHECK:   %[[W:.*]] = nv_tileas.convert_layout %[[Z]] : tensor<64x64xf16, #[[BESIDE]]> -> tensor<64x64xf16, #[[$TURNED]]>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.tiled_store weak %[[W]], {{.*}}bits = 128>
nv_tileaa.func kernel @turned(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %v = nv_tileaa.block_tile %m : !m -> !v
  %i = nv_tileaa.get_program_id x
  %j = nv_tileaa.get_program_id y
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i, %j] : !v[i32, i32] -> tensor<64x64xf16>
  %y = nv_tileaa.permute %x [1, 0] : tensor<64x64xf16> -> tensor<64x64xf16>
  %t2 = nv_tileaa.tiled_store weak %y, %v[%j, %i] : tensor<64x64xf16>, !v[i32, i32]
  nv_tileaa.return
}

// Bytes change sides in pairs: a thread reads neighbours of two rows.
// CHECK-LABEL: nv_tileaa.func kernel @turned_bytes(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.tiled_load {{.*}}bits = 128>{{.*}} -> tensor<64x64xi8, #[[$PAIRS]]>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.permute %[[X]] [1, 0]
//       CHECK:   nv_tileas.tiled_store weak {{.*}}bits = 128>
nv_tileaa.func kernel @turned_bytes(%p: !nv_tileaa.ptr<i8> {nv_tileaa.div_by = 16 : i64}, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<i8> -> !mb
  %v = nv_tileaa.block_tile %m : !mb -> !vy
  %i = nv_tileaa.get_program_id x
  %j = nv_tileaa.get_program_id y
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i, %j] : !vy[i32, i32] -> tensor<64x64xi8>
  %y = nv_tileaa.permute %x [1, 0] : tensor<64x64xi8> -> tensor<64x64xi8>
  %t2 = nv_tileaa.tiled_store weak %y, %v[%j, %i] : tensor<64x64xi8>, !vy[i32, i32]
  nv_tileaa.return
}

// Few long elements: a thread has two neighbours along both dimensions, a warp rows of 64 and 128 bytes, and nothing is
// exchanged.
// CHECK-LABEL: nv_tileaa.func kernel @turned_inside(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.tiled_load {{.*}}bits = 128>{{.*}} -> tensor<32x16xf64, #[[$LONGS]]>
//       CHECK:   %[[Y:.*]] = nv_tileas.permute %[[X]] [1, 0] : tensor<32x16xf64, #[[$LONGS]]> -> tensor<16x32xf64, #[[TURNED:.*]]>
//       CHECK:   %[[Z:.*]] = nv_tileas.convert_layout %[[Y]] : tensor<16x32xf64, #[[TURNED]]>
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.tiled_store weak %[[Z]], {{.*}}bits = 128>
nv_tileaa.func kernel @turned_inside(%p: !nv_tileaa.ptr<f64> {nv_tileaa.div_by = 16 : i64}, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f64> -> !ml
  %v = nv_tileaa.block_tile %m : !ml -> !vl
  %w = nv_tileaa.block_tile %m : !ml -> !wl
  %i = nv_tileaa.get_program_id x
  %j = nv_tileaa.get_program_id y
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i, %j] : !vl[i32, i32] -> tensor<32x16xf64>
  %y = nv_tileaa.permute %x [1, 0] : tensor<32x16xf64> -> tensor<16x32xf64>
  %t2 = nv_tileaa.tiled_store weak %y, %w[%j, %i] : tensor<16x32xf64>, !wl[i32, i32]
  nv_tileaa.return
}

}
