// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libNVTileAADialect.so --verify-diagnostics --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gather(
func.func @gather(%x: tensor<4x16xf32>) -> tensor<4x64xf32> {
  // CHECK-NEXT: nv_tileaa.cluster_gather %{{.*}} dim = 1 axes = 5 : tensor<4x16xf32> -> tensor<4x64xf32>
  %0 = nv_tileaa.cluster_gather %x dim = 1 axes = 5 : tensor<4x16xf32> -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// -----

func.func @gather_c1(%x: tensor<4x16xf32>) {
  // expected-error @below {{'nv_tileaa.cluster_gather' op expects 'axes' to name some of the 4 bits of a rank, but got 16}}
  %0 = nv_tileaa.cluster_gather %x dim = 1 axes = 16 : tensor<4x16xf32> -> tensor<4x32xf32>
  return
}

// -----

func.func @gather_c2_dim(%x: tensor<4x16xf32>) {
  // expected-error @below {{'nv_tileaa.cluster_gather' op expects 'dim' to be a dimension of the source, but got 2}}
  %0 = nv_tileaa.cluster_gather %x dim = 2 axes = 1 : tensor<4x16xf32> -> tensor<4x32xf32>
  return
}

// -----

func.func @gather_c2(%x: tensor<4x16xf32>) {
  // expected-error @below {{'nv_tileaa.cluster_gather' op expects a result of type 'tensor<4x64xf32>', but got 'tensor<4x32xf32>'}}
  %0 = nv_tileaa.cluster_gather %x dim = 1 axes = 3 : tensor<4x16xf32> -> tensor<4x32xf32>
  return
}
