// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so \
// RUN:   --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileaa-merge-masked-loops)))' | FileCheck %s

!t = tensor<16x16xf32>
!h = tensor<16x16xf16>
gpu.module @m {
  // cuTile's form: two loops, of which the second one masks.
  // CHECK-LABEL: nv_tileaa.func @two_loops(
  // CHECK-SAME: %[[N:.*]]: i32, %[[CUT:.*]]: i32, %[[A:.*]]: tensor<16x16xf16>, %[[M:.*]]: tensor<16x16xf32>
  nv_tileaa.func @two_loops(%n: i32, %cut: i32, %a: !h, %mask: !t) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !t
    %end = arith.minsi %cut, %n : i32
    %begin = arith.maxsi %cut, %c0 : i32
    // CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %[[N]] step %c1{{.*}} iter_args(%[[X:.*]] = %{{.*}})
    // CHECK-NEXT: %[[EARLY:.*]] = arith.cmpi slt, %[[I]], %[[CUT]] : i32
    // CHECK-NEXT: %[[S:.*]] = nv_tileaa.dot %[[A]], %[[A]], %[[X]]
    // CHECK-NEXT: %[[MASKED:.*]] = arith.addf %[[S]], %[[M]]
    // CHECK-NEXT: %[[ALL:.*]] = nv_tileaa.splat %[[EARLY]] : i1 -> tensor<16x16xi1>
    // CHECK-NEXT: %[[P:.*]] = arith.select %[[ALL]], %[[S]], %[[MASKED]]
    // CHECK-NEXT: %[[E:.*]] = math.exp2 %[[P]]
    // CHECK-NEXT: scf.yield %[[E]]
    // CHECK-NOT: scf.for
    %0 = scf.for %i = %c0 to %end step %c1 iter_args(%x = %zero) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      %e = math.exp2 %s : !t
      scf.yield %e : !t
    }
    %1 = scf.for %i = %begin to %n step %c1 iter_args(%x = %0) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      %m = arith.addf %s, %mask : !t
      %e = math.exp2 %m : !t
      scf.yield %e : !t
    }
    nv_tileaa.print "%f", %1 : !t
    nv_tileaa.return
  }

  // The second loop may begin before the first one ends: iterations would be lost.
  // CHECK-LABEL: nv_tileaa.func @other_cut(
  // CHECK-COUNT-2: scf.for
  nv_tileaa.func @other_cut(%n: i32, %cut: i32, %late: i32, %a: !h, %mask: !t) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !t
    %end = arith.minsi %cut, %n : i32
    %begin = arith.maxsi %late, %c0 : i32
    %0 = scf.for %i = %c0 to %end step %c1 iter_args(%x = %zero) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      scf.yield %s : !t
    }
    %1 = scf.for %i = %begin to %n step %c1 iter_args(%x = %0) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      %m = arith.addf %s, %mask : !t
      scf.yield %m : !t
    }
    nv_tileaa.print "%f", %1 : !t
    nv_tileaa.return
  }

  // Prints of the second loop alone would happen in all iterations.
  // CHECK-LABEL: nv_tileaa.func @effect_in_second(
  // CHECK-COUNT-2: scf.for
  nv_tileaa.func @effect_in_second(%n: i32, %cut: i32, %a: !h) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !t
    %end = arith.minsi %n, %cut : i32
    %begin = arith.maxsi %c0, %cut : i32
    %0 = scf.for %i = %c0 to %end step %c1 iter_args(%x = %zero) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      scf.yield %s : !t
    }
    %1 = scf.for %i = %begin to %n step %c1 iter_args(%x = %0) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      nv_tileaa.print "%d", %i : i32
      scf.yield %s : !t
    }
    nv_tileaa.print "%f", %1 : !t
    nv_tileaa.return
  }

  // The first loop does more than the second one: no later pass cuts off that part.
  // CHECK-LABEL: nv_tileaa.func @masked_first(
  // CHECK-COUNT-2: scf.for
  nv_tileaa.func @masked_first(%n: i32, %cut: i32, %a: !h, %mask: !t) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !t
    %end = arith.minsi %cut, %n : i32
    %begin = arith.maxsi %cut, %c0 : i32
    %0 = scf.for %i = %c0 to %end step %c1 iter_args(%x = %zero) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      %m = arith.addf %s, %mask : !t
      scf.yield %m : !t
    }
    %1 = scf.for %i = %begin to %n step %c1 iter_args(%x = %0) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      scf.yield %s : !t
    }
    nv_tileaa.print "%f", %1 : !t
    nv_tileaa.return
  }

  // C++'s form: a branch, here under a condition that the loop does not change, too.
  // CHECK-LABEL: nv_tileaa.func @uniform_branch(
  // CHECK-SAME: %[[N:.*]]: i32, %[[CUT:.*]]: i32, %[[IS:.*]]: i1,
  // CHECK: %[[NEVER:.*]] = arith.constant 2147483647 : i32
  // CHECK: %[[AT:.*]] = arith.select %[[IS]], %[[CUT]], %[[NEVER]] : i32
  // CHECK: scf.for %[[I:[a-z0-9]+]] =
  // CHECK: arith.cmpi slt, %[[I]], %[[AT]] : i32
  // CHECK-NOT: scf.if
  // CHECK: arith.select %{{.*}} : tensor<16x16xi1>, tensor<16x16xf32>
  nv_tileaa.func @uniform_branch(%n: i32, %cut: i32, %is: i1, %a: !h, %mask: !t) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !t
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      %late = arith.cmpi sle, %cut, %i : i32
      %both = arith.andi %is, %late : i1
      %m = scf.if %both -> (!t) {
        %y = arith.addf %s, %mask : !t
        scf.yield %y : !t
      } else {
        scf.yield %s : !t
      }
      scf.yield %m : !t
    }
    nv_tileaa.print "%f", %r : !t
    nv_tileaa.return
  }

  // True in the first iterations: what follows would keep its mask.
  // CHECK-LABEL: nv_tileaa.func @early_branch(
  // CHECK: scf.if
  nv_tileaa.func @early_branch(%n: i32, %cut: i32, %a: !h, %mask: !t) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !t
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      %early = arith.cmpi slt, %i, %cut : i32
      %m = scf.if %early -> (!t) {
        %y = arith.addf %s, %mask : !t
        scf.yield %y : !t
      } else {
        scf.yield %s : !t
      }
      scf.yield %m : !t
    }
    nv_tileaa.print "%f", %r : !t
    nv_tileaa.return
  }

  // A dot under the branch is too much for every iteration.
  // CHECK-LABEL: nv_tileaa.func @heavy_branch(
  // CHECK: scf.if
  nv_tileaa.func @heavy_branch(%n: i32, %cut: i32, %a: !h) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !t
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> (!t) : i32 {
      %s = nv_tileaa.dot %a, %a, %x : !h, !h, !t
      %late = arith.cmpi sge, %i, %cut : i32
      %m = scf.if %late -> (!t) {
        %y = nv_tileaa.dot %a, %a, %s : !h, !h, !t
        scf.yield %y : !t
      } else {
        scf.yield %s : !t
      }
      scf.yield %m : !t
    }
    nv_tileaa.print "%f", %r : !t
    nv_tileaa.return
  }
}
