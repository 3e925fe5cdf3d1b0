// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts about addresses in TILEIR_DEBUG: those of each tile, then those of each access (docs/develop/debugging.md).
// RUN: env TILEIR_DEBUG=axis-info %mlir-opt %s --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas))' -o /dev/null 2>&1 | FileCheck %s

// CHECK:      {{^}}[axis-info] k:
// CHECK-NEXT: {{^}}[axis-info] {{.*}}facts.mlir:[[#@LINE+7]]:{{.*}}: nv_tileaa.make_range: contiguity = [128]
// CHECK-NEXT: {{^}}[axis-info] {{.*}}: nv_tileaa.splat: contiguity = [1], divisibility = [16], constancy = [128]
// CHECK-NEXT: {{^}}[axis-info] {{.*}}: nv_tileaa.addptr: contiguity = [128], divisibility = [16]
// CHECK-NOT:  {{^}}[axis-info] {{.*}}: nv_tileaa.load: contiguity
// CHECK:      {{^}}[axis-info] {{.*}}: nv_tileaa.load by contiguity = [128]
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32> {nv_tileaa.div_by = 16 : i64}) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %r = nv_tileaa.make_range 0 to 128 : tensor<128xi32>
    %s = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
    %q = nv_tileaa.addptr %s, %r : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
    %x, %t = nv_tileaa.load weak %q : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
    %u = nv_tileaa.store weak %q, %x : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xf32>
    nv_tileaa.return
  }
}
