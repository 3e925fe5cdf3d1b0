// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(cuda_tile.module(any(loop-split)))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(cuda_tile.module(any(loop-split)))' --remark-format=emitRemark --remarks-filter=cuda_tile 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK-DAG: remark: [Passed] LoopSplit | Category:cuda_tile | Reason="split where the comparison at {{.*}} changes"
// REMARK-DAG: remark: [Missed] LoopSplit | Category:cuda_tile | Reason="the comparison is with the largest index, after which there is none to split at"

cuda_tile.module @m {

// The second loop takes the branch.
// CHECK-LABEL: testing$func @greater_equal(
//  CHECK-SAME:   %[[LO:.*]]: tile<i32>, %[[HI:.*]]: tile<i32>, %[[K:.*]]: tile<i32>)
//       CHECK:   %[[ONE:.*]] = constant <i32: 1> : tile<i32>
//  CHECK-NEXT:   %[[END:.*]] = mini %[[K]], %[[HI]] signed : tile<i32>
//  CHECK-NEXT:   %[[BEGIN:.*]] = maxi %[[K]], %[[LO]] signed : tile<i32>
//  CHECK-NEXT:   for %{{.*}} in (%[[LO]] to %[[END]], step %[[ONE]]) : tile<i32> {
//  CHECK-NEXT:   }
//  CHECK-NEXT:   for %[[I:.*]] in (%[[BEGIN]] to %[[HI]], step %[[ONE]]) : tile<i32> {
//  CHECK-NEXT:     print_tko "%d", %[[I]] : tile<i32> -> token
//  CHECK-NEXT:   }
//  CHECK-NEXT:   return
testing$func @greater_equal(%lo: tile<i32>, %hi: tile<i32>, %k: tile<i32>) {
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%lo to %hi, step %c1) : tile<i32> {
    %late = cmpi greater_than_or_equal %i, %k, signed : tile<i32> -> tile<i1>
    if %late {
      print_tko "%d", %i : tile<i32> -> token
    }
  } {cuda_tile.loop_split = 1 : i64}
  return
}

// The split point is after the bound.
// CHECK-LABEL: testing$func @greater(
//  CHECK-SAME:   %[[LO:.*]]: tile<i32>, %[[HI:.*]]: tile<i32>, %[[K:.*]]: tile<i32>)
//       CHECK:   %[[STEP:.*]] = constant <i32: 1> : tile<i32>
//       CHECK:   %[[ONE:.*]] = constant <i32: 1> : tile<i32>
//  CHECK-NEXT:   %[[P:.*]] = addi %[[K]], %[[ONE]] : tile<i32>
//  CHECK-NEXT:   %[[END:.*]] = mini %[[P]], %[[HI]] signed : tile<i32>
//  CHECK-NEXT:   %[[BEGIN:.*]] = maxi %[[P]], %[[LO]] signed : tile<i32>
//  CHECK-NEXT:   for %{{.*}} in (%[[LO]] to %[[END]], step %[[STEP]]) : tile<i32> {
//  CHECK-NEXT:     print_tko "else"
//  CHECK-NEXT:   }
//  CHECK-NEXT:   for %{{.*}} in (%[[BEGIN]] to %[[HI]], step %[[STEP]]) : tile<i32> {
//  CHECK-NEXT:     print_tko "then"
//  CHECK-NEXT:   }
testing$func @greater(%lo: tile<i32>, %hi: tile<i32>, %k: tile<i32>) {
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%lo to %hi, step %c1) : tile<i32> {
    %late = cmpi greater_than %i, %k, signed : tile<i32> -> tile<i1>
    if %late {
      print_tko "then" -> token
    } else {
      print_tko "else" -> token
    }
  }
  return
}

// The first loop takes the branch; unsigned all through.
// CHECK-LABEL: testing$func @less_unsigned(
//  CHECK-SAME:   %[[LO:.*]]: tile<i64>, %[[HI:.*]]: tile<i64>, %[[K:.*]]: tile<i64>)
//       CHECK:   %[[END:.*]] = mini %[[K]], %[[HI]] unsigned : tile<i64>
//  CHECK-NEXT:   %[[BEGIN:.*]] = maxi %[[K]], %[[LO]] unsigned : tile<i64>
//  CHECK-NEXT:   for unsigned %{{.*}} in (%[[LO]] to %[[END]], step
//  CHECK-NEXT:     print_tko "then"
//       CHECK:   for unsigned %{{.*}} in (%[[BEGIN]] to %[[HI]], step
//  CHECK-NEXT:     print_tko "else"
testing$func @less_unsigned(%lo: tile<i64>, %hi: tile<i64>, %k: tile<i64>) {
  %c1 = constant <i64: 1> : tile<i64>
  for unsigned %i in (%lo to %hi, step %c1) : tile<i64> {
    %early = cmpi less_than %i, %k, unsigned : tile<i64> -> tile<i1>
    if %early {
      print_tko "then" -> token
    } else {
      print_tko "else" -> token
    }
  }
  return
}

// The index on the right: k <= i asks for i >= k. Values are carried through both loops.
// CHECK-LABEL: testing$func @mirrored_and_carried(
//  CHECK-SAME:   %[[HI:.*]]: tile<i32>, %[[K:.*]]: tile<i32>, %[[X:.*]]: tile<f32>)
//       CHECK:   %[[END:.*]] = mini %[[K]], %[[HI]] signed
//       CHECK:   %[[BEGIN:.*]] = maxi %[[K]],
//       CHECK:   %[[FIRST:.*]] = for %{{.*}} in (%{{.*}} to %[[END]], {{.*}} iter_values(%[[A:.*]] = %[[X]]) -> (tile<f32>) {
//  CHECK-NEXT:     %[[R:.*]] = mulf %[[A]], %[[A]]
//  CHECK-NEXT:     %[[S:.*]] = negf %[[R]]
//  CHECK-NEXT:     continue %[[S]]
//       CHECK:   %[[SECOND:.*]] = for %{{.*}} in (%[[BEGIN]] to %[[HI]], {{.*}} iter_values(%[[A:.*]] = %[[FIRST]]) -> (tile<f32>) {
//  CHECK-NEXT:     %[[S:.*]] = negf %[[A]]
//  CHECK-NEXT:     continue %[[S]]
//       CHECK:   return %[[SECOND]]
testing$func @mirrored_and_carried(%hi: tile<i32>, %k: tile<i32>, %x: tile<f32>) -> tile<f32> {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %r = for %i in (%c0 to %hi, step %c1) : tile<i32> iter_values(%acc = %x) -> (tile<f32>) {
    %late = cmpi less_than_or_equal %k, %i, signed : tile<i32> -> tile<i1>
    %v = if %late -> (tile<f32>) {
      yield %acc : tile<f32>
    } else {
      %sq = mulf %acc, %acc : tile<f32>
      yield %sq : tile<f32>
    }
    %n = negf %v : tile<f32>
    continue %n : tile<f32>
  }
  return %r : tile<f32>
}

// Another step: the second loop begins at a multiple of it.
// CHECK-LABEL: testing$func @step(
//  CHECK-SAME:   %[[LO:.*]]: tile<i32>, %[[HI:.*]]: tile<i32>, %[[STEP:.*]]: tile<i32>, %[[K:.*]]: tile<i32>)
//       CHECK:   %[[ONE:.*]] = constant <i32: 1> : tile<i32>
//  CHECK-NEXT:   %[[P:.*]] = addi %[[K]], %[[ONE]] : tile<i32>
//  CHECK-NEXT:   %[[D:.*]] = subi %[[P]], %[[LO]] : tile<i32>
//  CHECK-NEXT:   %[[Q:.*]] = divi %[[D]], %[[STEP]] signed rounding<positive_inf> : tile<i32>
//  CHECK-NEXT:   %[[M:.*]] = muli %[[Q]], %[[STEP]] : tile<i32>
//  CHECK-NEXT:   %[[A:.*]] = addi %[[LO]], %[[M]] : tile<i32>
//  CHECK-NEXT:   mini %[[A]], %[[HI]] signed
//  CHECK-NEXT:   maxi %[[A]], %[[LO]] signed
testing$func @step(%lo: tile<i32>, %hi: tile<i32>, %step: tile<i32>, %k: tile<i32>) {
  for %i in (%lo to %hi, step %step) : tile<i32> {
    %early = cmpi less_than_or_equal %i, %k, signed : tile<i32> -> tile<i1>
    if %early {
      print_tko "%d", %i : tile<i32> -> token
    }
  }
  return
}

// An unsigned distance does not go below zero.
// CHECK-LABEL: testing$func @unsigned_step(
//  CHECK-SAME:   %[[LO:.*]]: tile<i32>, %[[HI:.*]]: tile<i32>, %[[K:.*]]: tile<i32>)
//       CHECK:   %[[P:.*]] = maxi %[[K]], %[[LO]] unsigned
//  CHECK-NEXT:   %[[D:.*]] = subi %[[P]], %[[LO]]
//  CHECK-NEXT:   divi %[[D]], %{{.*}} unsigned rounding<positive_inf>
testing$func @unsigned_step(%lo: tile<i32>, %hi: tile<i32>, %k: tile<i32>) {
  %c3 = constant <i32: 3> : tile<i32>
  for unsigned %i in (%lo to %hi, step %c3) : tile<i32> {
    %early = cmpi less_than %i, %k, unsigned : tile<i32> -> tile<i1>
    if %early {
      print_tko "%d", %i : tile<i32> -> token
    }
  }
  return
}

// A region that continues ends the copy of the body.
// CHECK-LABEL: testing$func @continues(
//       CHECK:   for %[[I:.*]] in {{.*}} iter_values(%[[A:.*]] = %{{.*}}) -> (tile<i32>) {
//  CHECK-NEXT:     continue %[[I]]
//  CHECK-NEXT:   }
//       CHECK:   for %[[I:.*]] in {{.*}} iter_values(%[[A:.*]] = %{{.*}}) -> (tile<i32>) {
//  CHECK-NEXT:     %[[N:.*]] = addi %[[A]], %[[I]]
//  CHECK-NEXT:     continue %[[N]]
testing$func @continues(%hi: tile<i32>, %k: tile<i32>) -> tile<i32> {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %r = for %i in (%c0 to %hi, step %c1) : tile<i32> iter_values(%acc = %c0) -> (tile<i32>) {
    %early = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %early {
      continue %i : tile<i32>
    }
    %n = addi %acc, %i : tile<i32>
    continue %n : tile<i32>
  }
  return %r : tile<i32>
}

// Two branches on one comparison; a third inside of another branch, and a select, keep it as a constant.
// CHECK-LABEL: testing$func @other_users(
//       CHECK:   for
//  CHECK-NEXT:     %[[F:.*]] = constant <i1: false> : tile<i1>
//  CHECK-NEXT:     print_tko "b"
//  CHECK-NEXT:     if %[[OTHER:.*]] {
//  CHECK-NEXT:       if %[[F]] {
//       CHECK:     select %[[F]]
//       CHECK:   for
//  CHECK-NEXT:     %[[T:.*]] = constant <i1: true> : tile<i1>
//  CHECK-NEXT:     print_tko "a"
//  CHECK-NEXT:     if %[[OTHER]] {
//  CHECK-NEXT:       if %[[T]] {
//       CHECK:     select %[[T]]
testing$func @other_users(%hi: tile<i32>, %k: tile<i32>, %other: tile<i1>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %late = cmpi greater_than %i, %k, signed : tile<i32> -> tile<i1>
    if %late {
      print_tko "a" -> token
    }
    if %late {
    } else {
      print_tko "b" -> token
    }
    if %other {
      if %late {
        print_tko "c" -> token
      }
    }
    %v = select %late, %i, %k : tile<i1>, tile<i32>
    print_tko "%d", %v : tile<i32> -> token
  }
  return
}

// A branch in an inner loop asks about the outer index: the outer loop splits.
// CHECK-LABEL: testing$func @asked_inside(
//       CHECK:   for %[[I:.*]] in (%{{.*}} to %{{.*}}, step
//       CHECK:     constant <i1: true>
//       CHECK:     for
//       CHECK:   for %[[I:.*]] in (%{{.*}} to %{{.*}}, step
//       CHECK:     constant <i1: false>
//       CHECK:     for
testing$func @asked_inside(%hi: tile<i32>, %k: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %early = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    for %j in (%c0 to %hi, step %c1) : tile<i32> {
      if %early {
        print_tko "%d", %j : tile<i32> -> token
      }
    }
  }
  return
}

// Both loops of a nest split; the copies are not looked at again.
// CHECK-LABEL: testing$func @nest(
// CHECK-COUNT-6: for %{{.*}} in
//   CHECK-NOT: for %
testing$func @nest(%hi: tile<i32>, %k: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %early = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %early {
      print_tko "i" -> token
    }
    for %j in (%c0 to %hi, step %c1) : tile<i32> {
      %late = cmpi greater_than_or_equal %j, %i, signed : tile<i32> -> tile<i1>
      if %late {
        print_tko "j" -> token
      }
    }
  }
  return
}

// Loops that are not split.
// CHECK-LABEL: testing$func @kept(
//   CHECK-NOT: mini
//       CHECK: return
testing$func @kept(%hi: tile<i32>, %k: tile<i32>, %c: tile<i1>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %max = constant <i32: 2147483647> : tile<i32>
  // No comparison.
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    if %c {
      print_tko "a" -> token
    }
  }
  // Another signedness than the loop's.
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than %i, %k, unsigned : tile<i32> -> tile<i1>
    if %p {
      print_tko "b" -> token
    }
  }
  // No ordering, on either side.
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi equal %i, %k, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "c" -> token
    }
    %q = cmpi not_equal %k, %i, signed : tile<i32> -> tile<i1>
    if %q {
      print_tko "c" -> token
    }
  }
  // Not the index.
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %t = addi %i, %c1 : tile<i32>
    %p = cmpi less_than %t, %k, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "d" -> token
    }
  }
  // A bound that changes: computed in the body, carried, the index itself.
  %carried = for %i in (%c0 to %hi, step %c1) : tile<i32> iter_values(%b = %k) -> (tile<i32>) {
    %t = addi %i, %k : tile<i32>
    %p = cmpi less_than %i, %t, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "e" -> token
    }
    %q = cmpi less_than %i, %b, signed : tile<i32> -> tile<i1>
    if %q {
      print_tko "e" -> token
    }
    %r = cmpi less_than %i, %i, signed : tile<i32> -> tile<i1>
    if %r {
      print_tko "e" -> token
    }
    continue %t : tile<i32>
  }
  // The comparison is not directly in the body.
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    if %c {
      %p = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
      if %p {
        print_tko "f" -> token
      }
    }
  }
  // No index follows the largest one.
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than_or_equal %i, %max, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "g" -> token
    }
    %q = cmpi less_than %max, %i, signed : tile<i32> -> tile<i1>
    if %q {
      print_tko "g" -> token
    }
  }
  return
}

// An unsigned loop goes past the largest signed index; `less_than` splits at that index, not after it.
// CHECK-LABEL: testing$func @split_all_the_same(
// CHECK-COUNT-2: mini
testing$func @split_all_the_same(%hi: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %max = constant <i32: 2147483647> : tile<i32>
  for unsigned %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than_or_equal %i, %max, unsigned : tile<i32> -> tile<i1>
    if %p {
      print_tko "a" -> token
    }
  }
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than %i, %max, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "b" -> token
    }
  }
  return
}
}
