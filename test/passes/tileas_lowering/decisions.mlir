// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way of each layout conversion in TILEIR_DEBUG, and counts of passes that convert (docs/develop/debugging.md).
// DEFINE: %{run} = %mlir-opt %s --load-dialect-plugin=%libTileASLoweringPasses.so --load-pass-plugin=%libTileASLoweringPasses.so --pass-pipeline='builtin.module(convert-tileas-to-llvm)' -o /dev/null
// RUN: env TILEIR_DEBUG=convert-tileas-to-llvm %{run} 2>&1 | FileCheck %s
// RUN: env TILEIR_STATISTICS=1 %{run} 2>&1 | FileCheck %s --check-prefix=COUNT

// CHECK: {{^}}[convert-tileas-to-llvm] {{.*}}decisions.mlir:[[#@LINE+8]]:{{.*}}: layout changes by 4 rounds of shuffles, {{[0-9]+}} bits of the lane choose registers
// COUNT: {{^}}[convert-tileas-to-llvm] num-functions: 1 (Tile functions that were lowered)
#a = #nv_tileas.layout<reg, [32, 4], register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>
#b = #nv_tileas.layout<reg, [32, 4], register = [[1, 0], [2, 0]], lane = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]]>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %q = nv_tileas.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x4x!nv_tileaa.ptr<f32>, #a>
    %x, %t = nv_tileas.load weak %q : tensor<32x4x!nv_tileaa.ptr<f32>, #a> -> tensor<32x4xf32, #a>
    %y = nv_tileas.convert_layout %x : tensor<32x4xf32, #a> -> tensor<32x4xf32, #b>
    %r = nv_tileas.splat %p : !nv_tileaa.ptr<f32> -> tensor<32x4x!nv_tileaa.ptr<f32>, #b>
    %u = nv_tileas.store weak %r, %y : tensor<32x4x!nv_tileaa.ptr<f32>, #b>, tensor<32x4xf32, #b>
    nv_tileaa.return
  }
}
