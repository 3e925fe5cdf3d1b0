// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileas-stage-register-operands))' | FileCheck %s
// The former name.
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileas-stage-products))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileas-stage-register-operands{max-registers=65536}))' | FileCheck %s --check-prefix=KEPT
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileas-stage-register-operands{max-words=65536}))' | FileCheck %s --check-prefix=KEPT

#fma = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
#acc = #nv_tileas.layout<reg, [32, 32], register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#a = #nv_tileas.layout<reg, [32, 128], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [4, 0], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>
#b = #nv_tileas.layout<reg, [128, 32], register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>
#wide_a = #nv_tileas.layout<reg, [32, 1024], register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [0, 64], [0, 128], [0, 256], [0, 512], [4, 0], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>
#wide_b = #nv_tileas.layout<reg, [1024, 32], register = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [64, 0], [128, 0], [256, 0], [512, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>
!acc = tensor<32x32xf32, #acc>

gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 1 : i32} {

// KEPT-NOT: nv_tileas.alloc_tensor

// 32 KB fit.
// CHECK-LABEL: nv_tileaa.func @whole(
//       CHECK:   %[[X:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<32x128xf32, #{{.*}}>
//  CHECK-NEXT:   nv_tileas.copy %{{.*}}, %[[X]]
//  CHECK-NEXT:   %[[Y:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x32xf32, #{{.*}}>
//  CHECK-NEXT:   nv_tileas.copy %{{.*}}, %[[Y]]
//  CHECK-NEXT:   %[[D:.*]] = nv_tileas.dot %[[X]], %[[Y]], %{{.*}} {atom = #{{.*}}}
//  CHECK-NEXT:   nv_tileas.dealloc %[[X]]
//  CHECK-NEXT:   nv_tileas.dealloc %[[Y]]
//  CHECK-NEXT:   nv_tileaa.return %[[D]]
nv_tileaa.func @whole(%x: tensor<32x128xf32, #a>, %y: tensor<128x32xf32, #b>, %c: !acc) -> !acc {
  %d = nv_tileas.dot %x, %y, %c {atom = #fma} : tensor<32x128xf32, #a>, tensor<128x32xf32, #b>, !acc -> !acc
  nv_tileaa.return %d : !acc
}

// 256 KB do not: four slabs of 64 KB, in the order of K, each one dead before the next.
// CHECK-LABEL: nv_tileaa.func @slabs(
//       CHECK:   %[[A:.*]] = nv_tileas.convert_layout %{{.*}} : tensor<32x1024xf32, #{{.*}}> -> tensor<32x1024xf32, #{{.*}}>
//       CHECK:   %[[B:.*]] = nv_tileas.convert_layout %{{.*}} : tensor<1024x32xf32, #{{.*}}> -> tensor<1024x32xf32, #{{.*}}>
//       CHECK:   nv_tileas.extract_slice %[[A]][%{{.*}}, %c0_i32{{.*}}] : {{.*}} -> tensor<32x256xf32, #{{.*}}>
//       CHECK:   nv_tileas.extract_slice %[[B]][%c0_i32{{.*}}, %{{.*}}] : {{.*}} -> tensor<256x32xf32, #{{.*}}>
//       CHECK:   %[[D0:.*]] = nv_tileas.dot
//  CHECK-NEXT:   nv_tileas.dealloc
//  CHECK-NEXT:   nv_tileas.dealloc
//       CHECK:   nv_tileas.extract_slice %[[A]][%{{.*}}, %c256_i32{{.*}}]
//       CHECK:   %[[D1:.*]] = nv_tileas.dot %{{.*}}, %{{.*}}, %[[D0]]
//       CHECK:   %[[D2:.*]] = nv_tileas.dot %{{.*}}, %{{.*}}, %[[D1]]
//       CHECK:   nv_tileas.extract_slice %[[A]][%{{.*}}, %c768_i32{{.*}}]
//       CHECK:   %[[D3:.*]] = nv_tileas.dot %{{.*}}, %{{.*}}, %[[D2]]
//   CHECK-NOT:   nv_tileas.dot
//       CHECK:   nv_tileaa.return %[[D3]]
nv_tileaa.func @slabs(%x: tensor<32x1024xf32, #wide_a>, %y: tensor<1024x32xf32, #wide_b>, %c: !acc) -> !acc {
  %d = nv_tileas.dot %x, %y, %c {atom = #fma} : tensor<32x1024xf32, #wide_a>, tensor<1024x32xf32, #wide_b>, !acc -> !acc
  nv_tileaa.return %d : !acc
}

}
