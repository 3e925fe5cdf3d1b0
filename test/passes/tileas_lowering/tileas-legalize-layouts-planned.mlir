// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The needs of scans and ordered reductions are a rule of both plans: nothing is left to convert afterwards.
// DEFINE: %{legalize} = builtin.module(gpu.module(nv_tileaa.func(tileas-legalize-layouts)))
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas))' > %t.plain
// RUN: FileCheck %s --input-file=%t.plain
// RUN: %tileir-opt %t.plain --pass-pipeline='%{legalize}' | diff %t.plain -
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-assign-load-store-layouts))' > %t.priced
// RUN: FileCheck %s --input-file=%t.priced
// RUN: %tileir-opt %t.priced --pass-pipeline='%{legalize}' | diff %t.priced -

!m = !nv_tileaa.memref<?x256xi32, strides = [256, 1]>
!v = !nv_tileaa.tiled_view<16x256 of !nv_tileaa.memref<?x256xi32, strides = [256, 1]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // Sums along rows of 256.
  // CHECK-LABEL: nv_tileaa.func kernel @rows(
  // CHECK: nv_tileas.scan
  nv_tileaa.func kernel @rows(%v: !v, %i: i32) {
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<16x256xi32>
    %y = nv_tileaa.scan %x axis = 1 identities = [0 : i32] : tensor<16x256xi32> -> tensor<16x256xi32> {
    ^bb0(%e: i32, %a: i32):
      %s = arith.addi %e, %a : i32
      nv_tileaa.yield %s : i32
    }
    %u = nv_tileaa.tiled_store weak %y, %v[%i, %i] : tensor<16x256xi32>, !v[i32, i32]
    nv_tileaa.return
  }

  // A combiner that does not commute, along rows.
  // CHECK-LABEL: nv_tileaa.func kernel @ordered(
  // CHECK: nv_tileas.reduce
  nv_tileaa.func kernel @ordered(%v: !v, %i: i32, %r: i32) {
    %x, %t = nv_tileaa.tiled_load weak %v[%i, %i] : !v[i32, i32] -> tensor<16x256xi32>
    %y = nv_tileaa.reduce %x axis = 1 identities = [0 : i32] : tensor<16x256xi32> -> tensor<16xi32> {
    ^bb0(%e: i32, %a: i32):
      %p = arith.muli %a, %r : i32
      %s = arith.addi %e, %p : i32
      nv_tileaa.yield %s : i32
    }
    %b = nv_tileaa.expand_dims %y axes = [1] : tensor<16xi32> -> tensor<16x1xi32>
    %c = nv_tileaa.broadcast %b : tensor<16x1xi32> -> tensor<16x256xi32>
    %u = nv_tileaa.tiled_store weak %c, %v[%i, %i] : tensor<16x256xi32>, !v[i32, i32]
    nv_tileaa.return
  }
}
