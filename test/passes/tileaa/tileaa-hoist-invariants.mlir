// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so \
// RUN:   --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileaa-hoist-invariants)))' | FileCheck %s

!array = !nv_tileaa.memref<?xf32, strides = [1]>
!view = !nv_tileaa.tiled_view<8 of !array>
gpu.module @m {
  // A view in a loop in a branch, with the property that it needs, and the same view after it.
  // CHECK-LABEL: nv_tileaa.func @to_entry(
  //  CHECK-SAME:   %[[P:.*]]: !nv_tileaa.ptr<f32>, %[[N:.*]]: i32, %{{.*}}: i1)
  nv_tileaa.func @to_entry(%p: !nv_tileaa.ptr<f32>, %n: i32, %c: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK:      %[[A:.*]] = nv_tileaa.assume %[[N]]
    // CHECK-NEXT: %[[S:.*]] = arith.extui %[[A]]
    // CHECK-NEXT: %[[M:.*]] = nv_tileaa.make_memref %[[P]] sizes[%[[S]]]
    // CHECK-NEXT: %[[V:.*]] = nv_tileaa.block_tile %[[M]]
    // CHECK-NEXT: scf.if
    scf.if %c {
      scf.for %i = %c0 to %n step %c1 : i32 {
        %a = nv_tileaa.assume %n [#nv_tileaa.div_by<16>] : i32
        %s = arith.extui %a : i32 to i64
        %m = nv_tileaa.make_memref %p sizes[%s] : !nv_tileaa.ptr<f32> -> !array
        %v = nv_tileaa.block_tile %m : !array -> !view
        // CHECK: nv_tileaa.tiled_load weak %[[V]]
        %x, %t = nv_tileaa.tiled_load weak %v[%i] : !view[i32] -> tensor<8xf32>
        nv_tileaa.print "%f", %x : tensor<8xf32>
      }
    }
    %a = nv_tileaa.assume %n [#nv_tileaa.div_by<16>] : i32
    %s = arith.extui %a : i32 to i64
    %m = nv_tileaa.make_memref %p sizes[%s] : !nv_tileaa.ptr<f32> -> !array
    // CHECK-NOT: nv_tileaa.make_memref
    %v = nv_tileaa.block_tile %m : !array -> !view
    // CHECK: nv_tileaa.tiled_load weak %[[V]]
    %x, %t = nv_tileaa.tiled_load weak %v[%c0] : !view[i32] -> tensor<8xf32>
    nv_tileaa.print "%f", %x : tensor<8xf32>
    nv_tileaa.return
  }

  // The base is loaded in the outer loop: the view leaves the inner loop only. Division by what may be 0
  // leaves both, and is a division by 1 then.
  // CHECK-LABEL: nv_tileaa.func @as_far_as_it_may(
  nv_tileaa.func @as_far_as_it_may(%w: !view, %p: !nv_tileaa.ptr<f32>, %n: i32, %k: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
    // CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : i32
    // CHECK: %[[NONE:.*]] = arith.cmpi eq, %[[K:.*]], %{{.*}} : i32
    // CHECK: %[[D:.*]] = arith.select %[[NONE]], %{{.*}}, %[[K]] : i32
    // CHECK: arith.divui %{{.*}}, %[[D]] : i32
    // CHECK: scf.for
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileaa.tiled_load weak %w[%i] : !view[i32] -> tensor<8xf32>
      // CHECK: %[[B:.*]] = nv_tileaa.addptr
      // CHECK: %[[M:.*]] = nv_tileaa.make_memref %[[B]]
      // CHECK: nv_tileaa.block_tile %[[M]]
      // CHECK: scf.for
      scf.for %j = %c0 to %n step %c1 : i32 {
        %b = nv_tileaa.addptr %p, %i : !nv_tileaa.ptr<f32>, i32
        %s = arith.extui %n : i32 to i64
        %m = nv_tileaa.make_memref %b sizes[%s] : !nv_tileaa.ptr<f32> -> !array
        %v = nv_tileaa.block_tile %m : !array -> !view
        // CHECK-NOT: arith.divui
        %q = arith.divui %n, %k : i32
        %y, %u = nv_tileaa.tiled_load weak %v[%q] : !view[i32] -> tensor<8xf32>
        // An invariant tile stays: before the loop it would occupy registers.
        // CHECK: arith.addf
        %z = arith.addf %x, %x : tensor<8xf32>
        nv_tileaa.print "%f %f", %y, %z : tensor<8xf32>, tensor<8xf32>
      }
    }
    nv_tileaa.return
  }

  // With signs the least number divided by -1 is undefined, too. What varies, or is under a condition, stays.
  // CHECK-LABEL: nv_tileaa.func @signed(
  // CHECK-SAME: %[[N:[a-z0-9]+]]: i32, %[[K:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: i1)
  nv_tileaa.func @signed(%w: !view, %n: i32, %k: i32, %c: i1) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK-DAG: %[[ZERO:.*]] = arith.cmpi eq, %[[K]], %{{.*}} : i32
    // CHECK-DAG: %[[MINUS:.*]] = arith.cmpi eq, %[[K]], %c-1_i32
    // CHECK-DAG: %[[LEAST:.*]] = arith.cmpi eq, %[[N]], %c-2147483648_i32
    // CHECK: %[[OVER:.*]] = arith.andi %[[MINUS]], %[[LEAST]] : i1
    // CHECK: %[[BAD:.*]] = arith.ori %[[ZERO]], %[[OVER]] : i1
    // CHECK: %[[D:.*]] = arith.select %[[BAD]], %{{.*}}, %[[K]] : i32
    // CHECK: arith.divsi %[[N]], %[[D]] : i32
    // CHECK: scf.for %[[I:.*]] =
    scf.for %i = %c0 to %n step %c1 : i32 {
      %q = arith.divsi %n, %k : i32
      // CHECK: arith.remsi %[[I]], %[[K]] : i32
      %r = arith.remsi %i, %k : i32
      // CHECK: scf.if
      scf.if %c {
        // CHECK: arith.divui %[[N]], %[[K]] : i32
        %u = arith.divui %n, %k : i32
        nv_tileaa.print "%d", %u : i32
      }
      %x, %t = nv_tileaa.tiled_load weak %w[%q] : !view[i32] -> tensor<8xf32>
      nv_tileaa.print "%f %d", %x, %r : tensor<8xf32>, i32
    }
    nv_tileaa.return
  }
}
