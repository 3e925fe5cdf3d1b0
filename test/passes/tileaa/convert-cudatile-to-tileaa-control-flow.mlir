// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{compute-capability=sm_90},canonicalize))' | FileCheck %s

gpu.module @m {
  cuda_tile.module @inner {
    // CHECK-LABEL: nv_tileaa.func kernel @if_else(
    // CHECK-SAME: %[[C:.*]]: i1, %[[P:.*]]: !nv_tileaa.ptr<i32>, %[[A:.*]]: i32, %[[B:.*]]: i32)
    entry @if_else(%c: tile<i1>, %p: tile<ptr<i32>>, %a: tile<i32>, %b: tile<i32>) {
      // CHECK: %[[R:.*]] = scf.if %[[C]] -> (i32) {
      // CHECK-NEXT: arith.addi
      // CHECK-NEXT: scf.yield
      // CHECK-NEXT: } else {
      // CHECK-NEXT: scf.yield %[[B]] : i32
      %r = if %c -> (tile<i32>) {
        %0 = addi %a, %b : tile<i32>
        yield %0 : tile<i32>
      } else {
        yield %b : tile<i32>
      }
      // CHECK: nv_tileaa.store weak %[[P]], %[[R]]
      %t = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @for_loop(
    // CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32>, %[[N:.*]]: i32, %[[X:.*]]: f32)
    entry @for_loop(%p: tile<ptr<f32>>, %n: tile<i32>, %x: tile<f32>) {
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      // CHECK: scf.for unsigned %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[S:.*]] = %[[X]]) -> (f32) : i32 {
      // CHECK-NEXT: %[[Y:.*]] = arith.addf %[[S]], %[[X]] : f32
      // CHECK-NEXT: scf.yield %[[Y]] : f32
      %r = for unsigned %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %x) -> (tile<f32>) {
        %y = addf %s, %x : tile<f32>
        continue %y : tile<f32>
      }
      %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
      return
    }

    // An early continue makes the rest of the body conditional.
    // CHECK-LABEL: nv_tileaa.func kernel @for_continue(
    // CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32>, %[[N:.*]]: i32, %[[X:.*]]: f32)
    entry @for_continue(%p: tile<ptr<f32>>, %n: tile<i32>, %x: tile<f32>) {
      %c0 = constant <i32: 0> : tile<i32>
      %c1 = constant <i32: 1> : tile<i32>
      // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[S:.*]] = %[[X]]) -> (f32) : i32 {
      // CHECK-NEXT: %[[C:.*]] = arith.cmpi eq, %[[I]], %{{.*}} : i32
      // CHECK-NEXT: %[[R:.*]] = scf.if %[[C]] -> (f32) {
      // CHECK-NEXT: scf.yield %[[S]] : f32
      // CHECK-NEXT: } else {
      // CHECK-NEXT: %[[Y:.*]] = arith.addf %[[S]], %[[X]] : f32
      // CHECK-NEXT: scf.yield %[[Y]] : f32
      // CHECK-NEXT: }
      // CHECK-NEXT: scf.yield %[[R]] : f32
      %r = for %i in (%c0 to %n, step %c1) : tile<i32> iter_values(%s = %x) -> (tile<f32>) {
        %c = cmpi equal %i, %c1, signed : tile<i32> -> tile<i1>
        if %c {
          continue %s : tile<f32>
        }
        %y = addf %s, %x : tile<f32>
        continue %y : tile<f32>
      }
      %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @loop_break(
    // CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<f32>, %[[K:.*]]: f32, %[[N:.*]]: f32)
    entry @loop_break(%p: tile<ptr<f32>>, %k: tile<f32>, %n: tile<f32>) {
      // CHECK: %[[R:.*]]:2 = scf.while (%[[S:.*]] = %[[K]]) : (f32) -> (f32, f32) {
      // CHECK-NEXT: %[[M:.*]] = arith.mulf %[[S]], %[[K]] : f32
      // CHECK-NEXT: %[[D:.*]] = arith.cmpf oge, %[[M]], %[[N]] : f32
      // CHECK: scf.condition(%{{.*}}) %{{.*}}, %{{.*}} : f32, f32
      // CHECK-NEXT: } do {
      // CHECK-NEXT: ^bb0(%[[NEXT:.*]]: f32, %{{.*}}: f32):
      // CHECK-NEXT: scf.yield %[[NEXT]] : f32
      // CHECK-NEXT: }
      %r = loop iter_values(%s = %k) : tile<f32> -> tile<f32> {
        %s1 = mulf %s, %k : tile<f32>
        %done = cmpf greater_than_or_equal ordered %s1, %n : tile<f32> -> tile<i1>
        if %done {
          break %s1 : tile<f32>
        }
        continue %s1 : tile<f32>
      }
      // CHECK-NEXT: nv_tileaa.store weak %[[P]], %[[R]]#1
      %t = store_ptr_tko weak %p, %r : tile<ptr<f32>>, tile<f32> -> token
      return
    }

    // The exit two levels deep needs a test after the outer `if`.
    // CHECK-LABEL: nv_tileaa.func kernel @loop_nested(
    entry @loop_nested(%p: tile<ptr<i32>>, %a: tile<i1>, %b: tile<i1>, %n: tile<i32>) {
      %c1 = constant <i32: 1> : tile<i32>
      // CHECK: scf.while (%[[I:.*]] = %{{.*}}) : (i32) -> i32 {
      // CHECK-NEXT: %[[EXIT:.*]] = arith.select
      // CHECK-NEXT: %[[V:.*]] = scf.if %{{.*}} -> (i32) {
      // CHECK: arith.addi %[[I]]
      // CHECK: scf.if %[[EXIT]] {
      // CHECK-NEXT: } else {
      // CHECK-NEXT: nv_tileaa.store weak %{{.*}}, %[[V]]
      // CHECK: scf.condition(
      loop iter_values(%i = %n) : tile<i32> {
        %v = if %a -> (tile<i32>) {
          if %b {
            break
          }
          %u = addi %i, %c1 : tile<i32>
          yield %u : tile<i32>
        } else {
          yield %i : tile<i32>
        }
        %t = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token
        continue %v : tile<i32>
      }
      return
    }

    // CHECK-LABEL: nv_tileaa.func kernel @early_return(
    // CHECK-SAME: %[[P:.*]]: !nv_tileaa.ptr<i32>, %[[C:.*]]: i1, %[[N:.*]]: i32)
    entry @early_return(%p: tile<ptr<i32>>, %c: tile<i1>, %n: tile<i32>) {
      // CHECK-NEXT: scf.if %[[C]] {
      // CHECK-NEXT: } else {
      // CHECK-NEXT: nv_tileaa.store weak %[[P]], %[[N]]
      // CHECK-NEXT: }
      // CHECK-NEXT: nv_tileaa.return
      if %c {
        return
      }
      %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
      return
    }

    // Every path leaves: what follows is never reached.
    // CHECK-LABEL: nv_tileaa.func kernel @all_paths_return(
    entry @all_paths_return(%p: tile<ptr<i32>>, %c: tile<i1>, %n: tile<i32>) {
      // CHECK-NOT: nv_tileaa.store
      // CHECK: nv_tileaa.return
      if %c {
        return
      } else {
        return
      }
      %t = store_ptr_tko weak %p, %n : tile<ptr<i32>>, tile<i32> -> token
      return
    }

    // A token is an iter-arg; the token of the path that leaves is unused.
    // CHECK-LABEL: nv_tileaa.func kernel @loop_token(
    entry @loop_token(%p: tile<ptr<i32>>, %n: tile<i32>, %e: tile<i32>) {
      %t0 = make_token : token
      // CHECK: scf.while (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : (i32, !nv_tileaa.mem_token) -> (i32, !nv_tileaa.mem_token, !nv_tileaa.mem_token) {
      // CHECK: nv_tileaa.store weak
      // CHECK: scf.condition(
      %r = loop iter_values(%i = %n, %t = %t0) : tile<i32>, token -> token {
        %t1 = store_ptr_tko weak %p, %i token=%t : tile<ptr<i32>>, tile<i32> -> token
        %c = cmpi equal %i, %e, signed : tile<i32> -> tile<i1>
        if %c {
          break %t1 : token
        }
        %i1 = addi %i, %n : tile<i32>
        continue %i1, %t1 : tile<i32>, token
      }
      // CHECK: nv_tileaa.store weak %{{.*}}, %{{.*}} token %{{.*}}#2
      %t2 = store_ptr_tko weak %p, %n token=%r : tile<ptr<i32>>, tile<i32> -> token
      return
    }
  }
}
