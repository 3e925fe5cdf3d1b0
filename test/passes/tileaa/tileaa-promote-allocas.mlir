// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileaa-promote-allocas),canonicalize))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileaa-promote-allocas{max-places=1}),canonicalize))' | FileCheck %s --check-prefix=ONE
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileaa-promote-allocas{max-trips=1}),canonicalize))' | FileCheck %s --check-prefix=SHORT

gpu.module @m {

// A branch and a loop carry what they write; what waited for the stores waits for what they waited for.
// CHECK-LABEL: @carried(
//  CHECK-SAME:   %[[X:.*]]: f32, %[[C:.*]]: i1, %[[N:.*]]: i32, %[[P:.*]]: !nv_tileaa.ptr<f32>)
//   CHECK-NOT:   alloca
//       CHECK:   %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[B:.*]] = %{{.*}}) -> (f32, f32)
//       CHECK:     %[[S:.*]] = arith.addf %[[A]], %[[B]]
//       CHECK:     scf.yield
//       CHECK:   nv_tileaa.store weak %[[P]], %[[R]]#0 :
//       CHECK:   nv_tileaa.store weak %[[P]], %[[R]]#1 token
// ONE-LABEL: @carried(
//       ONE:   alloca
nv_tileaa.func kernel @carried(%x: f32, %c: i1, %n: i32, %p: !nv_tileaa.ptr<f32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i64
  %one = arith.constant 1.0 : f32
  %0 = nv_tileaa.alloca 8 align 4 : !nv_tileaa.ptr<i8>
  %1 = nv_tileaa.addptr %0, %c4 : !nv_tileaa.ptr<i8>, i64
  %a = nv_tileaa.bitcast %0 : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f32>
  %b = nv_tileaa.bitcast %1 : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<f32>
  %t1 = nv_tileaa.store weak %a, %x : !nv_tileaa.ptr<f32>, f32
  %t2 = nv_tileaa.store weak %b, %one : !nv_tileaa.ptr<f32>, f32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %v, %t3 = nv_tileaa.load weak %a : !nv_tileaa.ptr<f32> -> f32
    %w, %t4 = nv_tileaa.load weak %b : !nv_tileaa.ptr<f32> -> f32
    %s = arith.addf %v, %w : f32
    scf.if %c {
      %t5 = nv_tileaa.store weak %a, %s token %t3 : !nv_tileaa.ptr<f32>, f32
    } else {
      %t6 = nv_tileaa.store weak %b, %s token %t4 : !nv_tileaa.ptr<f32>, f32
    }
  }
  %v, %t7 = nv_tileaa.load weak %a : !nv_tileaa.ptr<f32> -> f32
  %t8 = nv_tileaa.store weak %p, %v token %t7 : !nv_tileaa.ptr<f32>, f32
  %w, %t9 = nv_tileaa.load weak %b token %t8 : !nv_tileaa.ptr<f32> -> f32
  %t10 = nv_tileaa.store weak %p, %w token %t9 : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// The loop is unrolled, which makes the places constant.
// CHECK-LABEL: @unrolled(
//  CHECK-SAME:   %[[X:.*]]: i32, %[[P:.*]]: !nv_tileaa.ptr<i32>)
//   CHECK-NOT:   alloca
//   CHECK-NOT:   scf.for
//       CHECK:   %[[Y:.*]] = arith.addi %[[X]], %{{.*}} : i32
//       CHECK:   nv_tileaa.store weak %[[P]], %[[Y]]
// SHORT-LABEL: @unrolled(
//       SHORT:   alloca
//       SHORT:   scf.for
nv_tileaa.func kernel @unrolled(%x: i32, %p: !nv_tileaa.ptr<i32>) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %0 = nv_tileaa.alloca 4 align 4 : !nv_tileaa.ptr<i32>
  scf.for %i = %c0 to %c4 step %c1 : i32 {
    %q = nv_tileaa.addptr %0, %i : !nv_tileaa.ptr<i32>, i32
    %y = arith.addi %x, %i : i32
    %t1 = nv_tileaa.store weak %q, %y : !nv_tileaa.ptr<i32>, i32
  }
  %c3 = arith.constant 3 : i32
  %r = nv_tileaa.addptr %0, %c3 : !nv_tileaa.ptr<i32>, i32
  %v, %t2 = nv_tileaa.load weak %r : !nv_tileaa.ptr<i32> -> i32
  %t3 = nv_tileaa.store weak %p, %v token %t2 : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}

// Stays: an index that is no constant; accesses that overlap; an address that goes elsewhere; shared with other tile blocks.
// CHECK-LABEL: @stays(
// CHECK-COUNT-4: nv_tileaa.alloca
nv_tileaa.func kernel @stays(%n: i32, %p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i64>) {
  %c2 = arith.constant 2 : i64
  %0 = nv_tileaa.alloca 4 align 4 : !nv_tileaa.ptr<i32>
  %a0 = nv_tileaa.addptr %0, %n : !nv_tileaa.ptr<i32>, i32
  %v0, %t0 = nv_tileaa.load weak %a0 : !nv_tileaa.ptr<i32> -> i32
  %s0 = nv_tileaa.store weak %p, %v0 token %t0 : !nv_tileaa.ptr<i32>, i32
  %1 = nv_tileaa.alloca 8 align 4 : !nv_tileaa.ptr<i8>
  %a1 = nv_tileaa.addptr %1, %c2 : !nv_tileaa.ptr<i8>, i64
  %b1 = nv_tileaa.bitcast %1 : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<i32>
  %b2 = nv_tileaa.bitcast %a1 : !nv_tileaa.ptr<i8> -> !nv_tileaa.ptr<i32>
  %s1 = nv_tileaa.store weak %b1, %n : !nv_tileaa.ptr<i32>, i32
  %v1, %t1 = nv_tileaa.load weak %b2 token %s1 : !nv_tileaa.ptr<i32> -> i32
  %s2 = nv_tileaa.store weak %p, %v1 token %t1 : !nv_tileaa.ptr<i32>, i32
  %2 = nv_tileaa.alloca 1 align 4 : !nv_tileaa.ptr<i32>
  %i2 = nv_tileaa.ptr_to_int %2 : !nv_tileaa.ptr<i32> -> i64
  %s3 = nv_tileaa.store weak %q, %i2 : !nv_tileaa.ptr<i64>, i64
  %3 = nv_tileaa.alloca 1 align 4 shareable : !nv_tileaa.ptr<i32>
  %v3, %t3 = nv_tileaa.load weak %3 : !nv_tileaa.ptr<i32> -> i32
  %s4 = nv_tileaa.store weak %p, %v3 token %t3 : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}

// A local array without reads goes, wherever it is written.
// CHECK-LABEL: @unread(
//  CHECK-NEXT:   nv_tileaa.return
nv_tileaa.func kernel @unread(%n: i32) {
  %0 = nv_tileaa.alloca 4 align 4 : !nv_tileaa.ptr<i32>
  %a = nv_tileaa.addptr %0, %n : !nv_tileaa.ptr<i32>, i32
  %t = nv_tileaa.store weak %a, %n : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}

}
