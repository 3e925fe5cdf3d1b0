// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedules of a function in TILEIR_DEBUG (docs/develop/debugging.md).
// RUN: env TILEIR_DEBUG=schedule-analysis %mlir-opt %s --load-dialect-plugin=%libTileASSchedulePasses.so --load-pass-plugin=%libTileASSchedulePasses.so \
// RUN:   --pass-pipeline='builtin.module(gpu.module(tileas-generate-schedule-constraints))' -o /dev/null 2>&1 | FileCheck %s

// CHECK:      {{^}}[schedule-analysis] k: 4 warps on sm_90a
// CHECK-NEXT: {{^}}[schedule-analysis]   anchors 0 to 2: interval {{[0-9]+}}, 3 stages, cost-based
#l = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
!v = !nv_tileaa.tiled_view<128 of !nv_tileaa.memref<?xf32, strides = [1]>>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
nv_tileaa.func kernel @k(%m: !nv_tileaa.memref<?xf32, strides = [1]>, %n: i32) {
  %v = nv_tileas.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]> -> !v
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %x, %t = nv_tileas.tiled_load weak %v[%i] : !v[i32] -> tensor<128xf32, #l>
    %y = arith.mulf %x, %x : tensor<128xf32, #l>
    %u = nv_tileas.tiled_store weak %y, %v[%i] : tensor<128xf32, #l>, !v[i32]
  }
  nv_tileaa.return
}
}
