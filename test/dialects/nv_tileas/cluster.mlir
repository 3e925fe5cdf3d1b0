// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileASDialect.so --verify-diagnostics --split-input-file | FileCheck %s

#one = #nv_tileas.layout<reg, [1, 64], blocked<per_thread = [1, 2], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
#two = #nv_tileas.layout<reg, [2, 64], blocked<per_thread = [2, 2], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
// CHECK-LABEL: func.func @gather(
func.func @gather(%x: tensor<1x64xf32, #one>) {
  // CHECK-NEXT: nv_tileas.cluster_gather %{{.*}} dim = 0 axes = 1 : tensor<1x64xf32, #{{.*}}> -> tensor<2x64xf32, #{{.*}}>
  %0 = nv_tileas.cluster_gather %x dim = 0 axes = 1 : tensor<1x64xf32, #one> -> tensor<2x64xf32, #two>
  return
}

// -----

#one = #nv_tileas.layout<reg, [1, 64], blocked<per_thread = [1, 2], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
#two = #nv_tileas.layout<reg, [2, 64], blocked<per_thread = [2, 2], lanes = [1, 32], warps = [1, 1], order = [1, 0]>>
func.func @gather_c2(%x: tensor<1x64xf32, #one>) {
  // expected-error @below {{'nv_tileas.cluster_gather' op expects a result of type 'tensor<4x64xf32>'}}
  %0 = nv_tileas.cluster_gather %x dim = 0 axes = 6 : tensor<1x64xf32, #one> -> tensor<2x64xf32, #two>
  return
}
