// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(cudatile-simplify-loops)' | FileCheck %s

cuda_tile.module @m {

// The flag of the first trip goes, its test and the addition, too; a token that nothing waits for is not carried.
// CHECK-LABEL: entry @counts_up(
//  CHECK-SAME:   %[[P:.*]]: tile<ptr<i32>>, %[[N:.*]]: tile<i32>)
//       CHECK:   %[[ZERO:.*]] = constant <i32: 0>
//   CHECK-NOT:   loop
//       CHECK:   %[[FOR:.*]] = for %[[I:.*]] in (%[[ZERO]] to %[[N]], step %{{.*}}) : tile<i32> iter_values(%[[S:.*]] = %[[ZERO]]) -> (tile<i32>) {
//  CHECK-NEXT:     %[[A:.*]] = offset %[[P]], %[[I]]
//  CHECK-NEXT:     %[[V:.*]], %{{.*}} = load_ptr_tko weak %[[A]]
//  CHECK-NEXT:     %[[NEGATIVE:.*]] = cmpi less_than %[[V]], %[[ZERO]]
//  CHECK-NEXT:     if %[[NEGATIVE]] {
//  CHECK-NEXT:       continue %[[S]]
//       CHECK:     %[[T:.*]] = addi %[[S]], %[[V]]
//  CHECK-NEXT:     continue %[[T]]
//  CHECK-NEXT:   }
//  CHECK-NEXT:   store_ptr_tko weak %[[P]], %[[FOR]]
entry @counts_up(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %t0 = make_token : token
  %r:4 = loop iter_values(%i0 = %zero, %first = %one, %s = %zero, %t = %t0) : tile<i32>, tile<i32>, tile<i32>, token -> tile<i32>, tile<i32>, tile<i32>, token {
    %flag = cmpi not_equal %first, %zero, signed : tile<i32> -> tile<i1>
    %i = if %flag -> (tile<i32>) {
      yield %i0 : tile<i32>
    } else {
      %next = addi %i0, %one overflow<no_signed_wrap> : tile<i32>
      yield %next : tile<i32>
    }
    %more = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    %wide = exti %more unsigned : tile<i1> -> tile<i32>
    %cond = cmpi not_equal %wide, %zero, signed : tile<i32> -> tile<i1>
    if %cond {
      %a = offset %p, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %v, %u = load_ptr_tko weak %a : tile<ptr<i32>> -> tile<i32>, token
      %j = join_tokens %t, %u : token
      %negative = cmpi less_than %v, %zero, signed : tile<i32> -> tile<i1>
      if %negative {
        continue %i, %zero, %s, %j : tile<i32>, tile<i32>, tile<i32>, token
      }
      %x = addi %s, %v : tile<i32>
      continue %i, %zero, %x, %j : tile<i32>, tile<i32>, tile<i32>, token
    }
    break %i, %zero, %s, %t : tile<i32>, tile<i32>, tile<i32>, token
  }
  %w = store_ptr_tko weak %p, %r#2 : tile<ptr<i32>>, tile<i32> -> token
  return
}

// Down to a last value: -1 - index goes up. The index after the loop is carried.
// CHECK-LABEL: entry @counts_down(
//  CHECK-SAME:   %[[P:.*]]: tile<ptr<i32>>, %[[N:.*]]: tile<i32>, %[[LAST:.*]]: tile<i32>)
//       CHECK:   %[[ONES:.*]] = constant <i32: -1>
//       CHECK:   %[[LOW:.*]] = subi %[[ONES]], %[[N]]
//       CHECK:   %[[END:.*]] = subi %[[ONES]], %[[LAST]]
//       CHECK:   %[[HIGH:.*]] = addi %[[END]], %{{.*}}
//       CHECK:   %[[FOR:.*]] = for %[[K:.*]] in (%[[LOW]] to %[[HIGH]], step %{{.*}}) : tile<i32> iter_values(%{{.*}} = %[[N]]) -> (tile<i32>) {
//       CHECK:     %[[I:.*]] = subi %[[ONES]], %[[K]]
//       CHECK:     store_ptr_tko weak %[[P]], %[[I]]
//       CHECK:     %[[NEXT:.*]] = addi %[[I]], %{{.*}} overflow<no_signed_wrap>
//  CHECK-NEXT:     continue %[[NEXT]]
//       CHECK:   store_ptr_tko weak %[[P]], %[[FOR]]
entry @counts_down(%p: tile<ptr<i32>>, %n: tile<i32>, %last: tile<i32>) {
  %minus = constant <i32: -2> : tile<i32>
  %r = loop iter_values(%i = %n) : tile<i32> -> tile<i32> {
    %done = cmpi less_than %i, %last, signed : tile<i32> -> tile<i1>
    if %done {
      break %i : tile<i32>
    }
    %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
    %next = addi %i, %minus overflow<no_signed_wrap> : tile<i32>
    continue %next : tile<i32>
  }
  %w = store_ptr_tko weak %p, %r : tile<ptr<i32>>, tile<i32> -> token
  return
}

// The distance is the number of trips, whatever wraps.
// CHECK-LABEL: entry @counts_to(
//  CHECK-SAME:   %[[P:.*]]: tile<ptr<i64>>, %[[FROM:.*]]: tile<i64>, %[[TO:.*]]: tile<i64>)
//       CHECK:   %[[TRIPS:.*]] = subi %[[TO]], %[[FROM]]
//       CHECK:   for unsigned %[[K:.*]] in (%{{.*}} to %[[TRIPS]], step %{{.*}}) : tile<i64> {
//  CHECK-NEXT:     %[[I:.*]] = addi %[[FROM]], %[[K]]
//  CHECK-NEXT:     store_ptr_tko weak %[[P]], %[[I]]
entry @counts_to(%p: tile<ptr<i64>>, %from: tile<i64>, %to: tile<i64>) {
  %one = constant <i64: 1> : tile<i64>
  loop iter_values(%i = %from) : tile<i64> {
    %more = cmpi not_equal %i, %to, unsigned : tile<i64> -> tile<i1>
    if %more {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i64>>, tile<i64> -> token
      %next = addi %i, %one : tile<i64>
      continue %next : tile<i64>
    }
    break
  }
  return
}

// An index that may pass the bound by wrapping, a second way out, a bound that changes, steps that differ.
// CHECK-LABEL: entry @stays(
//   CHECK-NOT:   for
//       CHECK:   return
entry @stays(%p: tile<ptr<i32>>, %n: tile<i32>) {
  %zero = constant <i32: 0> : tile<i32>
  %one = constant <i32: 1> : tile<i32>
  %three = constant <i32: 3> : tile<i32>
  loop iter_values(%i = %zero) : tile<i32> {
    %more = cmpi less_than %i, %n, unsigned : tile<i32> -> tile<i1>
    if %more {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      %next = addi %i, %three overflow<no_signed_wrap> : tile<i32>
      continue %next : tile<i32>
    }
    break
  }
  loop iter_values(%i = %zero) : tile<i32> {
    %more = cmpi less_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
    if %more {
      %t = store_ptr_tko weak %p, %i : tile<ptr<i32>>, tile<i32> -> token
      %next = addi %i, %one : tile<i32>
      continue %next : tile<i32>
    }
    break
  }
  loop iter_values(%i = %zero) : tile<i32> {
    %more = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %more {
      %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      %stop = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
      if %stop {
        break
      }
      %next = addi %i, %one : tile<i32>
      continue %next : tile<i32>
    }
    break
  }
  loop iter_values(%i = %zero, %m = %n) : tile<i32>, tile<i32> {
    %more = cmpi less_than %i, %m, signed : tile<i32> -> tile<i1>
    if %more {
      %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      %next = addi %i, %one : tile<i32>
      continue %next, %v : tile<i32>, tile<i32>
    }
    break
  }
  loop iter_values(%i = %zero) : tile<i32> {
    %more = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
    if %more {
      %v, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      %odd = cmpi equal %v, %zero, signed : tile<i32> -> tile<i1>
      if %odd {
        %far = addi %i, %three overflow<no_signed_wrap> : tile<i32>
        continue %far : tile<i32>
      }
      %next = addi %i, %one overflow<no_signed_wrap> : tile<i32>
      continue %next : tile<i32>
    }
    break
  }
  return
}

}
