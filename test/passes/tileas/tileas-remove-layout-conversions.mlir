// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(tileas-remove-layout-conversions)' | FileCheck %s

#a = #nv_tileas.layout<reg, [64], lane = [[1], [2], [4], [8], [16]], warp = [[32], [0]]>
#b = #nv_tileas.layout<reg, [64], lane = [[4], [8], [16], [32], [1]], warp = [[2], [0]]>
#row = #nv_tileas.layout<reg, [1, 64], lane = [[0, 4], [0, 8], [0, 16], [0, 32], [0, 1]], warp = [[0, 2], [0, 0]]>

gpu.module @kernels {

// A mask of a range against a scalar is computed again, with one comparison a thread.
// CHECK-DAG: #[[$A:.*]] = #nv_tileas.layout<reg, [64], lane = {{\[\[}}1], [2], [4], [8], [16]], warp = {{\[\[}}32], [0]]>
// CHECK-DAG: #[[$B:.*]] = #nv_tileas.layout<reg, [64], lane = {{\[\[}}4], [8], [16], [32], [1]], warp = {{\[\[}}2], [0]]>
// CHECK-LABEL: nv_tileaa.func @recomputes(
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   %[[R:.*]] = nv_tileas.make_range 0 to 64 : tensor<64xi32, #[[$B]]>
//       CHECK:   %[[S:.*]] = nv_tileas.splat %{{.*}} : i32 -> tensor<64xi32, #[[$B]]>
//       CHECK:   %[[M:.*]] = arith.cmpi slt, %[[R]], %[[S]] : tensor<64xi32, #[[$B]]>
//       CHECK:   nv_tileas.assert %[[M]], "used" : tensor<64xi1, #[[$B]]>
nv_tileaa.func @recomputes(%n: i32) {
  %r = nv_tileas.make_range 0 to 64 : tensor<64xi32, #a>
  %s = nv_tileas.splat %n : i32 -> tensor<64xi32, #a>
  %m = arith.cmpi slt, %r, %s : tensor<64xi32, #a>
  %c = nv_tileas.convert_layout %m : tensor<64xi1, #a> -> tensor<64xi1, #b>
  nv_tileas.assert %c, "used" : tensor<64xi1, #b>
  nv_tileaa.return
}

// Through a reshape too.
// CHECK-LABEL: nv_tileaa.func @recomputes_reshaped(
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.make_range 0 to 64 : tensor<64xi32, #[[$B]]>
//       CHECK:   nv_tileas.expand_dims
nv_tileaa.func @recomputes_reshaped() {
  %r = nv_tileas.make_range 0 to 64 : tensor<64xi32, #a>
  %e = nv_tileas.expand_dims %r {axis = 0 : i32} : tensor<64xi32, #a> -> tensor<1x64xi32, #nv_tileas.layout<reg, [1, 64], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 0]]>>
  %c = nv_tileas.convert_layout %e : tensor<1x64xi32, #nv_tileas.layout<reg, [1, 64], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], warp = [[0, 32], [0, 0]]>> -> tensor<1x64xi32, #row>
  %p = nv_tileas.print "%d", %c : tensor<1x64xi32, #row>
  nv_tileaa.return
}

// A tile that was loaded is not loaded twice.
// CHECK-LABEL: nv_tileaa.func @keeps(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.load
//       CHECK:   nv_tileas.convert_layout %[[X]] : tensor<64xf32, #[[$A]]> -> tensor<64xf32, #[[$B]]>
nv_tileaa.func @keeps(%q: !nv_tileaa.ptr<f32>) {
  %p = nv_tileas.splat %q : !nv_tileaa.ptr<f32> -> tensor<64x!nv_tileaa.ptr<f32>, #a>
  %x, %t = nv_tileas.load weak %p : tensor<64x!nv_tileaa.ptr<f32>, #a> -> tensor<64xf32, #a>
  %c = nv_tileas.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %u = nv_tileas.print "%f", %c : tensor<64xf32, #b>
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @hoists_and_merges(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.load
//       CHECK:   %[[C:.*]] = nv_tileas.convert_layout %[[X]]
//       CHECK:   scf.for
//   CHECK-NOT:     nv_tileas.convert_layout
//       CHECK:     nv_tileas.print "%f", %[[C]]
//       CHECK:     nv_tileas.print "%f again", %[[C]]
nv_tileaa.func @hoists_and_merges(%q: !nv_tileaa.ptr<f32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %p = nv_tileas.splat %q : !nv_tileaa.ptr<f32> -> tensor<64x!nv_tileaa.ptr<f32>, #a>
  %x, %t = nv_tileas.load weak %p : tensor<64x!nv_tileaa.ptr<f32>, #a> -> tensor<64xf32, #a>
  scf.for %i = %c0 to %n step %c1 : i32 {
    %c = nv_tileas.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
    %u = nv_tileas.print "%f", %c : tensor<64xf32, #b>
    %d = nv_tileas.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
    %v = nv_tileas.print "%f again", %d : tensor<64xf32, #b>
  }
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func @folds(
//       CHECK:   %[[X:.*]], %{{.*}} = nv_tileas.load
//   CHECK-NOT:   nv_tileas.convert_layout
//       CHECK:   nv_tileas.print "%f", %[[X]]
//       CHECK:   %[[S:.*]] = nv_tileas.splat %{{.*}} : i32 -> tensor<64xi32, #[[$B]]>
//       CHECK:   nv_tileas.print "%d", %[[S]]
nv_tileaa.func @folds(%q: !nv_tileaa.ptr<f32>, %n: i32) {
  %p = nv_tileas.splat %q : !nv_tileaa.ptr<f32> -> tensor<64x!nv_tileaa.ptr<f32>, #a>
  %x, %t = nv_tileas.load weak %p : tensor<64x!nv_tileaa.ptr<f32>, #a> -> tensor<64xf32, #a>
  %c = nv_tileas.convert_layout %x : tensor<64xf32, #a> -> tensor<64xf32, #b>
  %d = nv_tileas.convert_layout %c : tensor<64xf32, #b> -> tensor<64xf32, #a>
  %u = nv_tileas.print "%f", %d : tensor<64xf32, #a>
  %s = nv_tileas.splat %n : i32 -> tensor<64xi32, #a>
  %e = nv_tileas.convert_layout %s : tensor<64xi32, #a> -> tensor<64xi32, #b>
  %v = nv_tileas.print "%d", %e : tensor<64xi32, #b>
  nv_tileaa.return
}

}
