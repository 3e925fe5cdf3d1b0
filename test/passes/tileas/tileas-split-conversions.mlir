// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-split-conversions{max-bytes=1024})))' --remark-format=emitRemark --remarks-filter=tileas --verify-diagnostics | FileCheck %s
// The memory of a block is enough: nothing changes.
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-split-conversions)))' | FileCheck %s --check-prefix=KEPT

#a = #nv_tileas.layout<reg, [16, 64], register = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]], lane = [[0, 8], [0, 16], [0, 32], [1, 0], [2, 0]]>
#b = #nv_tileas.layout<reg, [16, 64], register = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 32]], lane = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]>
#c = #nv_tileas.layout<reg, [16, 64], register = [[0, 32], [0, 16], [0, 8], [1, 0], [2, 0]], lane = [[0, 1], [0, 2], [0, 4], [4, 0], [8, 0]]>
#d = #nv_tileas.layout<reg, [16, 64], register = [[0, 2], [0, 8], [0, 32], [2, 0], [8, 0]], lane = [[0, 1], [0, 4], [0, 16], [1, 0], [4, 0]]>

gpu.module @kernels attributes {nv_tileaa.num_warps = 1 : i32, nv_tileaa.target_spec = "sm_90"} {

// Rows 4 and 8 are registers on both sides: four slabs of 1024 bytes.
// CHECK-LABEL: nv_tileaa.func @splits(
//       CHECK:   %[[V:.*]] = nv_tileas.view %{{.*}} -> tensor<1x4x4x64xf32
//       CHECK:   %[[D:.*]] = nv_tileas.alloc_tensor : tensor<1x4x4x64xf32
//       CHECK:   %[[P:.*]] = nv_tileas.extract_slice %[[V]][%c0_i32, %c0_i32{{.*}}, %c0_i32, %c0_i32] {{.*}} -> tensor<1x1x4x64xf32
//       CHECK:   %[[Q:.*]] = nv_tileas.convert_layout %[[P]]
//       CHECK:   nv_tileas.insert_slice %[[Q]] into %[[D]]
// CHECK-COUNT-3: nv_tileas.convert_layout {{.*}}tensor<1x1x4x64xf32
//       CHECK:   %[[R:.*]] = nv_tileas.view %{{.*}} -> tensor<16x64xf32
//       CHECK:   nv_tileaa.return %[[R]]
//  KEPT-LABEL: nv_tileaa.func @splits(
//    KEPT-NOT:   nv_tileas.extract_slice
nv_tileaa.func @splits(%x: tensor<16x64xf32, #a>) -> tensor<16x64xf32, #b> {
  // expected-remark @below {{through shared memory in slabs}}
  %y = nv_tileas.convert_layout %x : tensor<16x64xf32, #a> -> tensor<16x64xf32, #b>
  nv_tileaa.return %y : tensor<16x64xf32, #b>
}

// No register of the one is one of the other: by way of a layout that has rows 4 and 8 of the one and rows 1 and 2 of the
// other as registers.
// CHECK-LABEL: nv_tileaa.func @goesBetween(
//       CHECK:   nv_tileas.view %{{.*}} -> tensor<1x4x4x64xf32
// CHECK-COUNT-4: nv_tileas.convert_layout {{.*}} -> tensor<1x1x4x64xf32
//       CHECK:   nv_tileas.view %{{.*}} -> tensor<4x4x1x64xf32
// CHECK-COUNT-4: nv_tileas.convert_layout {{.*}} -> tensor<4x1x1x64xf32
//   CHECK-NOT:   nv_tileas.convert_layout
nv_tileaa.func @goesBetween(%x: tensor<16x64xf32, #a>) -> tensor<16x64xf32, #c> {
  // expected-remark @below {{through shared memory in slabs}}
  %y = nv_tileas.convert_layout %x : tensor<16x64xf32, #a> -> tensor<16x64xf32, #c>
  nv_tileaa.return %y : tensor<16x64xf32, #c>
}

// No two neighbouring bits of the index are registers.
// CHECK-LABEL: nv_tileaa.func @stays(
//       CHECK:   nv_tileas.convert_layout {{.*}} -> tensor<16x64xf32
nv_tileaa.func @stays(%x: tensor<16x64xf32, #a>) -> tensor<16x64xf32, #d> {
  // expected-remark @below {{4096 bytes go through shared memory at once, the layouts have no registers in common that tell slabs apart}}
  %y = nv_tileas.convert_layout %x : tensor<16x64xf32, #a> -> tensor<16x64xf32, #d>
  nv_tileaa.return %y : tensor<16x64xf32, #d>
}

}
