// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-layouts)))' | FileCheck %s

#b = #nv_tileas.layout<reg, [32, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#w = #nv_tileas.layout<reg, [32, 64], blocked<per_thread = [1, 2], lanes = [8, 4], warps = [1, 4], order = [1, 0]>>
#i = #nv_tileas.layout<reg, [32], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
!v = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  // Index tiles lie as the rows that they name.
  // CHECK-LABEL: nv_tileaa.func @rows(
  // CHECK: %[[R:.*]] = nv_tileas.make_range
  // CHECK: %[[I:.*]] = nv_tileas.convert_layout %[[R]] :
  // CHECK: nv_tileas.gather_load weak %{{.*}}[%[[I]], %{{.*}}]
  nv_tileaa.func @rows(%v: !v, %j: i32) -> tensor<32x64xf32, #b> {
    %rows = nv_tileas.make_range 0 to 32 : tensor<32xi32, #i>
    %x, %t = nv_tileas.gather_load weak %v[%rows, %j] : !v[tensor<32xi32, #i>, i32] -> tensor<32x64xf32, #b>
    nv_tileaa.return %x : tensor<32x64xf32, #b>
  }

  // A scan keeps its axis in order; the result goes back to its layout.
  // CHECK-LABEL: nv_tileaa.func @scan(
  // CHECK: %[[X:.*]] = nv_tileas.convert_layout %{{.*}} : tensor<32x64xf32, #[[OLD:.*]]> -> tensor<32x64xf32, #[[NEW:.*]]>
  // CHECK: %[[Y:.*]] = nv_tileas.scan %[[X]]
  // CHECK: nv_tileas.convert_layout %[[Y]] : tensor<32x64xf32, #[[NEW]]> -> tensor<32x64xf32, #[[OLD]]>
  nv_tileaa.func @scan(%x: tensor<32x64xf32, #w>) -> tensor<32x64xf32, #w> {
    %y = nv_tileas.scan %x axis = 1 identities = [0.0 : f32] : tensor<32x64xf32, #w> -> tensor<32x64xf32, #w> {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %y : tensor<32x64xf32, #w>
  }
}
