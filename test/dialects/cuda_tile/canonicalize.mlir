// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --canonicalize --split-input-file | FileCheck %s

//===----------------------------------------------------------------------===//
// addf, assume, constants
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @addf_product(
// CHECK-SAME: %[[A:[^:]+]]: tile<8xf32>, %[[B:[^:]+]]: tile<8xf32>
cuda_tile.testing$func @addf_product(%a: tile<8xf32>, %b: tile<8xf32>) -> (tile<8xf32>, tile<8xf32>, tile<8xf32>) {
  // CHECK: %[[M:.*]] = mulf %[[A]], %[[B]]
  %m = mulf %a, %b : tile<8xf32>
  // CHECK: %[[R:.*]] = addf %[[M]], %[[A]] rounding<zero> flush_to_zero : tile<8xf32>
  %0 = addf %a, %m rounding<zero> flush_to_zero : tile<8xf32>
  // The left side has one already.
  // CHECK: %[[N:.*]] = mulf %[[A]], %[[A]]
  %n = mulf %a, %a : tile<8xf32>
  // CHECK: %[[S:.*]] = addf %[[N]], %[[M]] : tile<8xf32>
  %1 = addf %n, %m : tile<8xf32>
  // CHECK: %[[T:.*]] = addf %[[M]], %[[B]] : tile<8xf32>
  %2 = addf %m, %b : tile<8xf32>
  // CHECK: return %[[R]], %[[S]], %[[T]]
  return %0, %1, %2 : tile<8xf32>, tile<8xf32>, tile<8xf32>
}

// CHECK-LABEL: @assume_twice(
cuda_tile.testing$func @assume_twice(%p: tile<ptr<f32>>) -> (tile<ptr<f32>>, tile<ptr<f32>>) {
  // CHECK: %[[A:.*]] = assume div_by<16>
  %0 = assume div_by<16>, %p : tile<ptr<f32>>
  %1 = assume div_by<16>, %0 : tile<ptr<f32>>
  // CHECK: %[[B:.*]] = assume div_by<32>, %[[A]]
  %2 = assume div_by<32>, %1 : tile<ptr<f32>>
  // CHECK: return %[[A]], %[[B]]
  return %1, %2 : tile<ptr<f32>>, tile<ptr<f32>>
}

// No pattern folds arithmetic, and none removes an unused load.
// CHECK-LABEL: @stays(
cuda_tile.testing$func @stays(%p: tile<ptr<f32>>) -> tile<i32> {
  %0 = constant <i32: 1> : tile<i32>
  %1 = constant <i32: 2> : tile<i32>
  // CHECK: load_ptr_tko
  %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
  // CHECK: assume div_by<16>
  %a = assume div_by<16>, %p : tile<ptr<f32>>
  // CHECK: %[[S:.*]] = addi
  %2 = addi %0, %1 : tile<i32>
  // CHECK: return %[[S]]
  return %2 : tile<i32>
}

// An operation without effect and use goes.
// CHECK-LABEL: @dead(
cuda_tile.testing$func @dead(%a: tile<i32>, %p: tile<ptr<f32>>, %x: tile<8xf32>, %c: tile<i1>) {
  // CHECK-NEXT: return
  %0 = divi %a, %a signed : tile<i32>
  %1 = make_tensor_view %p, shape = [%a], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
  %2 = get_tensor_shape %1 : tensor_view<?xf32, strides=[1]> -> tile<i32>
  %3 = make_partition_view %1 : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>>
  %4 = get_index_space_shape %3 : partition_view<tile=(8), tensor_view<?xf32, strides=[1]>> -> tile<i32>
  %5 = make_token : token
  %6 = join_tokens %5, %5 : token
  %7 = reduce %x dim=0 identities=[0.0 : f32] : tile<8xf32> -> tile<f32>
  (%l: tile<f32>, %r: tile<f32>) {
    %s = addf %l, %r : tile<f32>
    yield %s : tile<f32>
  }
  %8 = if %c -> (tile<i32>) {
    %m = muli %a, %a : tile<i32>
    yield %m : tile<i32>
  } else {
    yield %a : tile<i32>
  }
  return
}

//===----------------------------------------------------------------------===//
// select
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @select_folds(
// CHECK-SAME: %[[C:[^:]+]]: tile<4xi1>, %[[D:[^:]+]]: tile<4xi1>, %[[A:[^:]+]]: tile<4xf32>, %[[B:[^:]+]]: tile<4xf32>, %[[E:[^:]+]]: tile<4xf32>
cuda_tile.testing$func @select_folds(%c: tile<4xi1>, %d: tile<4xi1>, %a: tile<4xf32>, %b: tile<4xf32>, %e: tile<4xf32>) -> (tile<4xf32>, tile<4xf32>, tile<4xf32>, tile<4xi1>, tile<4xf32>, tile<4xf32>, tile<4xf32>) {
  %true = constant <i1: true> : tile<4xi1>
  %false = constant <i1: false> : tile<4xi1>
  // Equal arms, a known condition, the condition itself.
  %0 = select %c, %a, %a : tile<4xi1>, tile<4xf32>
  %1 = select %true, %a, %b : tile<4xi1>, tile<4xf32>
  %2 = select %false, %a, %b : tile<4xi1>, tile<4xf32>
  %3 = select %c, %true, %false : tile<4xi1>, tile<4xi1>
  // A negated condition swaps the arms.
  // CHECK: %[[N:.*]] = select %[[C]], %[[B]], %[[A]]
  %n = xori %c, %true : tile<4xi1>
  %4 = select %n, %a, %b : tile<4xi1>, tile<4xf32>
  // The same condition inside of an arm; the inner selects stay for others.
  %5 = select %d, %a, %b : tile<4xi1>, tile<4xf32>
  // CHECK: %[[T:.*]] = select %[[D]], %[[A]], %[[E]]
  %6 = select %d, %5, %e : tile<4xi1>, tile<4xf32>
  // CHECK: %[[F:.*]] = select %[[D]], %[[E]], %[[B]]
  %7 = select %d, %e, %5 : tile<4xi1>, tile<4xf32>
  // CHECK: return %[[A]], %[[A]], %[[B]], %[[C]], %[[N]], %[[T]], %[[F]]
  return %0, %1, %2, %3, %4, %6, %7 : tile<4xf32>, tile<4xf32>, tile<4xf32>, tile<4xi1>, tile<4xf32>, tile<4xf32>, tile<4xf32>
}

// CHECK-LABEL: @select_of_equality(
// CHECK-SAME: %[[A:[^:]+]]: tile<i32>, %[[B:[^:]+]]: tile<i32>
cuda_tile.testing$func @select_of_equality(%a: tile<i32>, %b: tile<i32>) -> (tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32>) {
  %eq = cmpi equal %a, %b, signed : tile<i32> -> tile<i1>
  %ne = cmpi not_equal %a, %b, signed : tile<i32> -> tile<i1>
  // CHECK: %[[LT:.*]] = cmpi less_than
  %lt = cmpi less_than %a, %b, signed : tile<i32> -> tile<i1>
  %0 = select %eq, %a, %b : tile<i1>, tile<i32>
  %1 = select %eq, %b, %a : tile<i1>, tile<i32>
  %2 = select %ne, %a, %b : tile<i1>, tile<i32>
  %3 = select %ne, %b, %a : tile<i1>, tile<i32>
  // CHECK: %[[S:.*]] = select %[[LT]]
  %4 = select %lt, %a, %b : tile<i1>, tile<i32>
  // CHECK: return %[[B]], %[[A]], %[[A]], %[[B]], %[[S]]
  return %0, %1, %2, %3, %4 : tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32>
}

// CHECK-LABEL: @select_patterns(
// CHECK-SAME: %[[C:[^:]+]]: tile<4xi1>
cuda_tile.testing$func @select_patterns(%c: tile<4xi1>) -> (tile<4xi1>, tile<4xi32>, tile<4xi32>, tile<4xf32>) {
  // CHECK-DAG: %[[TRUE:.*]] = constant <i1: true> : tile<4xi1>
  // CHECK-DAG: %[[ONE:.*]] = constant <f32: 1.000000e+00> : tile<4xf32>
  // CHECK-DAG: %[[ZERO:.*]] = constant <f32: 0.000000e+00> : tile<4xf32>
  %true = constant <i1: true> : tile<4xi1>
  %false = constant <i1: false> : tile<4xi1>
  // CHECK: %[[NOT:.*]] = xori %[[C]], %[[TRUE]] : tile<4xi1>
  %0 = select %c, %false, %true : tile<4xi1>, tile<4xi1>
  %one = constant <i32: 1> : tile<4xi32>
  %zero = constant <i32: 0> : tile<4xi32>
  // CHECK: %[[EXT:.*]] = exti %[[C]] unsigned : tile<4xi1> -> tile<4xi32>
  %1 = select %c, %one, %zero : tile<4xi1>, tile<4xi32>
  // CHECK: %[[NOT2:.*]] = xori %[[C]], %[[TRUE]] : tile<4xi1>
  // CHECK: %[[EXT2:.*]] = exti %[[NOT2]] unsigned : tile<4xi1> -> tile<4xi32>
  %2 = select %c, %zero, %one : tile<4xi1>, tile<4xi32>
  // Only integers.
  %onef = constant <f32: 1.0> : tile<4xf32>
  %zerof = constant <f32: 0.0> : tile<4xf32>
  // CHECK: %[[F:.*]] = select %[[C]], %[[ONE]], %[[ZERO]]
  %3 = select %c, %onef, %zerof : tile<4xi1>, tile<4xf32>
  // CHECK: return %[[NOT]], %[[EXT]], %[[EXT2]], %[[F]]
  return %0, %1, %2, %3 : tile<4xi1>, tile<4xi32>, tile<4xi32>, tile<4xf32>
}

// CHECK-LABEL: @select_constants(
cuda_tile.testing$func @select_constants() -> (tile<4xi32>, tile<2xf16>) {
  %c = constant <i1: [true, false, false, true]> : tile<4xi1>
  %a = constant <i32: [1, 2, 3, 4]> : tile<4xi32>
  %b = constant <i32: -1> : tile<4xi32>
  // CHECK-DAG: %[[I:.*]] = constant <i32: [1, -1, -1, 4]> : tile<4xi32>
  %0 = select %c, %a, %b : tile<4xi1>, tile<4xi32>
  %d = constant <i1: [true, false]> : tile<2xi1>
  %x = constant <f16: 1.5> : tile<2xf16>
  %y = constant <f16: [2.5, 3.5]> : tile<2xf16>
  // CHECK-DAG: %[[F:.*]] = constant <f16: [1.500000e+00, 3.500000e+00]> : tile<2xf16>
  %1 = select %d, %x, %y : tile<2xi1>, tile<2xf16>
  // CHECK: return %[[I]], %[[F]]
  return %0, %1 : tile<4xi32>, tile<2xf16>
}

//===----------------------------------------------------------------------===//
// if: fold, results
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @if_negated(
// CHECK-SAME: %[[C:[^:]+]]: tile<i1>
cuda_tile.testing$func @if_negated(%c: tile<i1>) {
  %true = constant <i1: true> : tile<i1>
  %n = xori %c, %true : tile<i1>
  // CHECK: if %[[C]] {
  // CHECK-NEXT: print_tko "else"
  // CHECK-NEXT: } else {
  // CHECK-NEXT: print_tko "then"
  if %n {
    %0 = print_tko "then" -> token
  } else {
    %0 = print_tko "else" -> token
  }
  return
}

// Without an else region it stays.
// CHECK-LABEL: @if_negated_alone(
cuda_tile.testing$func @if_negated_alone(%c: tile<i1>) {
  %true = constant <i1: true> : tile<i1>
  // CHECK: %[[N:.*]] = xori
  %n = xori %c, %true : tile<i1>
  // CHECK: if %[[N]] {
  if %n {
    %0 = print_tko "alone" -> token
  }
  return
}

// CHECK-LABEL: @if_unused_results(
cuda_tile.testing$func @if_unused_results(%c: tile<i1>, %p: tile<ptr<f32>>) -> token {
  // CHECK: %[[R:.*]] = if %{{.*}} -> (token) {
  // CHECK: %{{.*}}, %[[T:.*]] = load_ptr_tko
  // CHECK: yield %[[T]] : token
  // CHECK: } else {
  // CHECK: yield %{{.*}} : token
  %x, %t = if %c -> (tile<f32>, token) {
    %v, %t0 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    yield %v, %t0 : tile<f32>, token
  } else {
    %v, %t0 = load_ptr_tko relaxed device %p : tile<ptr<f32>> -> tile<f32>, token
    yield %v, %t0 : tile<f32>, token
  }
  // CHECK: return %[[R]] : token
  return %t : token
}

// CHECK-LABEL: @if_same_values(
// CHECK-SAME: %[[C:[^:]+]]: tile<i1>, %[[T:[^:]+]]: token
cuda_tile.testing$func @if_same_values(%c: tile<i1>, %t: token) -> (token, tile<i1>, tile<i1>) {
  // CHECK: %[[TRUE:.*]] = constant <i1: true>
  %true = constant <i1: true> : tile<i1>
  %false = constant <i1: false> : tile<i1>
  // CHECK: %[[N:.*]] = xori %[[C]], %[[TRUE]] : tile<i1>
  // CHECK: if %[[C]] {
  // CHECK-NEXT: print_tko "then"
  %0, %1, %2 = if %c -> (token, tile<i1>, tile<i1>) {
    %p = print_tko "then" -> token
    yield %t, %true, %false : token, tile<i1>, tile<i1>
  } else {
    yield %t, %false, %true : token, tile<i1>, tile<i1>
  }
  // CHECK: return %[[T]], %[[C]], %[[N]]
  return %0, %1, %2 : token, tile<i1>, tile<i1>
}

// CHECK-LABEL: @if_to_select(
// CHECK-SAME: %[[C:[^:]+]]: tile<i1>, %[[A:[^:]+]]: tile<f32>, %[[B:[^:]+]]: tile<f32>, %[[X:[^:]+]]: tile<4x8xf32>, %[[Y:[^:]+]]: tile<4x8xf32>
cuda_tile.testing$func @if_to_select(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>, %x: tile<4x8xf32>, %y: tile<4x8xf32>, %p: tile<ptr<f32>>) -> (tile<f32>, tile<4x8xf32>, tile<f32>) {
  // CHECK: %[[S:.*]] = select %[[C]], %[[A]], %[[B]] : tile<i1>, tile<f32>
  // CHECK: %[[R:.*]] = reshape %[[C]] : tile<i1> -> tile<1x1xi1>
  // CHECK: %[[W:.*]] = broadcast %[[R]] : tile<1x1xi1> -> tile<4x8xi1>
  // CHECK: %[[V:.*]] = select %[[W]], %[[X]], %[[Y]] : tile<4x8xi1>, tile<4x8xf32>
  // CHECK: %[[I:.*]] = if %[[C]] -> (tile<f32>) {
  // CHECK: load_ptr_tko
  // CHECK: } else {
  // CHECK: yield %[[B]] : tile<f32>
  %0, %1, %2 = if %c -> (tile<f32>, tile<4x8xf32>, tile<f32>) {
    %v, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    yield %a, %x, %v : tile<f32>, tile<4x8xf32>, tile<f32>
  } else {
    yield %b, %y, %b : tile<f32>, tile<4x8xf32>, tile<f32>
  }
  // CHECK: return %[[S]], %[[V]], %[[I]]
  return %0, %1, %2 : tile<f32>, tile<4x8xf32>, tile<f32>
}

// No select of 4-bit floats.
// CHECK-LABEL: @if_f4(
cuda_tile.testing$func @if_f4(%c: tile<i1>, %x: tile<4xf4E2M1FN>, %y: tile<4xf4E2M1FN>) -> tile<4xf4E2M1FN> {
  // CHECK: %[[I:.*]] = if
  %0 = if %c -> (tile<4xf4E2M1FN>) {
    yield %x : tile<4xf4E2M1FN>
  } else {
    yield %y : tile<4xf4E2M1FN>
  }
  // CHECK: return %[[I]]
  return %0 : tile<4xf4E2M1FN>
}

// A region that leaves has nothing to say about the result.
// CHECK-LABEL: @if_leaving(
// CHECK-SAME: %[[C:[^:]+]]: tile<i1>, %[[A:[^:]+]]: tile<f32>, %[[B:[^:]+]]: tile<f32>
cuda_tile.testing$func @if_leaving(%c: tile<i1>, %a: tile<f32>, %b: tile<f32>) -> tile<f32> {
  // CHECK-NEXT: if %[[C]] {
  // CHECK-NEXT: return %[[B]] : tile<f32>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[A]] : tile<f32>
  %0 = if %c -> (tile<f32>) {
    return %b : tile<f32>
  } else {
    yield %a : tile<f32>
  }
  return %0 : tile<f32>
}

//===----------------------------------------------------------------------===//
// if: regions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @if_static(
cuda_tile.testing$func @if_static(%a: tile<i32>, %b: tile<i32>) -> (tile<i32>, tile<i32>) {
  %true = constant <i1: true> : tile<i1>
  %false = constant <i1: false> : tile<i1>
  // CHECK-NEXT: print_tko "taken"
  %0 = if %true -> (tile<i32>) {
    %p = print_tko "taken" -> token
    yield %a : tile<i32>
  } else {
    %p = print_tko "dropped" -> token
    yield %b : tile<i32>
  }
  // CHECK-NEXT: print_tko "else"
  %1 = if %false -> (tile<i32>) {
    %p = print_tko "dropped" -> token
    yield %a : tile<i32>
  } else {
    %p = print_tko "else" -> token
    yield %b : tile<i32>
  }
  if %false {
    %p = print_tko "dropped" -> token
  }
  // CHECK-NEXT: return
  return %0, %1 : tile<i32>, tile<i32>
}

// CHECK-LABEL: @if_static_leaving(
cuda_tile.testing$func @if_static_leaving(%a: tile<i32>) -> tile<i32> {
  %true = constant <i1: true> : tile<i1>
  // CHECK-NEXT: print_tko "last"
  if %true {
    %p = print_tko "last" -> token
    return %a : tile<i32>
  }
  // CHECK-NEXT: return
  %q = print_tko "dropped" -> token
  return %a : tile<i32>
}

// CHECK-LABEL: @if_empty_else(
cuda_tile.testing$func @if_empty_else(%c: tile<i1>) {
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: print_tko
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  if %c {
    %p = print_tko "then" -> token
  } else {
  }
  return
}

// CHECK-LABEL: @if_both_leave(
cuda_tile.testing$func @if_both_leave(%c: tile<i1>, %lo: tile<i32>) {
  // CHECK: loop {
  // CHECK-NEXT: if %{{.*}} {
  // CHECK-NEXT: break
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "else"
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  loop {
    if %c {
      break
    } else {
      %p = print_tko "else" -> token
      continue
    }
    %q = print_tko "dropped" -> token
    continue
  }
  return
}

//===----------------------------------------------------------------------===//
// if: pairs
//===----------------------------------------------------------------------===//

// CHECK-LABEL: @if_combined(
cuda_tile.testing$func @if_combined(%c: tile<i1>, %p: tile<ptr<f32>>) -> (tile<f32>, tile<f32>) {
  // CHECK: %[[R:.*]]:2 = if %{{.*}} -> (tile<f32>, tile<f32>) {
  // CHECK-NEXT: %[[X:.*]], %{{.*}} = load_ptr_tko weak
  // CHECK-NEXT: %[[Y:.*]] = absf %[[X]]
  // CHECK-NEXT: print_tko "then"
  // CHECK-NEXT: yield %[[X]], %[[Y]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT: %[[Z:.*]], %{{.*}} = load_ptr_tko relaxed device
  // CHECK-NEXT: %[[W:.*]] = negf %[[Z]]
  // CHECK-NEXT: yield %[[Z]], %[[W]]
  %0 = if %c -> (tile<f32>) {
    %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    yield %x : tile<f32>
  } else {
    %x, %t = load_ptr_tko relaxed device %p : tile<ptr<f32>> -> tile<f32>, token
    yield %x : tile<f32>
  }
  %1 = if %c -> (tile<f32>) {
    %y = absf %0 : tile<f32>
    %q = print_tko "then" -> token
    yield %y : tile<f32>
  } else {
    %y = negf %0 : tile<f32>
    yield %y : tile<f32>
  }
  // CHECK: return %[[R]]#0, %[[R]]#1
  return %0, %1 : tile<f32>, tile<f32>
}

// The second tests the negation.
// CHECK-LABEL: @if_combined_negated(
cuda_tile.testing$func @if_combined_negated(%c: tile<i1>) {
  %true = constant <i1: true> : tile<i1>
  %n = xori %c, %true : tile<i1>
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: print_tko "first"
  // CHECK-NEXT: } else {
  // CHECK-NEXT: print_tko "second"
  // CHECK-NEXT: }
  // CHECK-NEXT: return
  if %c {
    %p = print_tko "first" -> token
  }
  if %n {
    %p = print_tko "second" -> token
  }
  return
}

// CHECK-LABEL: @if_combined_leaving(
cuda_tile.testing$func @if_combined_leaving(%c: tile<i1>) {
  // CHECK: if %{{.*}} {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  // CHECK-NEXT: print_tko "second"
  // CHECK-NEXT: return
  if %c {
    return
  }
  if %c {
    %p = print_tko "never" -> token
  } else {
    %p = print_tko "second" -> token
    return
  }
  return
}

// CHECK-LABEL: @if_nested(
// CHECK-SAME: %[[C:[^:]+]]: tile<i1>, %[[D:[^:]+]]: tile<i1>, %[[A:[^:]+]]: tile<4xf32>, %[[B:[^:]+]]: tile<4xf32>
cuda_tile.testing$func @if_nested(%c: tile<i1>, %d: tile<i1>, %a: tile<4xf32>, %b: tile<4xf32>, %p: tile<ptr<f32>>, %z: tile<f32>) -> (tile<f32>, tile<4xf32>) {
  // CHECK: %[[AND:.*]] = andi %[[C]], %[[D]] : tile<i1>
  // CHECK: if %[[AND]] {
  // CHECK-NEXT: print_tko "inner"
  // CHECK-NEXT: }
  if %c {
    if %d {
      %t = print_tko "inner" -> token
    }
  }
  // CHECK: %[[RS:.*]] = reshape %[[C]] : tile<i1> -> tile<1xi1>
  // CHECK: %[[W:.*]] = broadcast %[[RS]] : tile<1xi1> -> tile<4xi1>
  // CHECK: %[[S:.*]] = select %[[W]], %[[A]], %[[B]]
  // CHECK: %[[AND2:.*]] = andi %[[C]], %[[D]] : tile<i1>
  // CHECK: %[[I:.*]] = if %[[AND2]] -> (tile<f32>) {
  %0, %1 = if %c -> (tile<f32>, tile<4xf32>) {
    %i = if %d -> (tile<f32>) {
      %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
      yield %x : tile<f32>
    } else {
      yield %z : tile<f32>
    }
    yield %i, %a : tile<f32>, tile<4xf32>
  } else {
    yield %z, %b : tile<f32>, tile<4xf32>
  }
  // CHECK: return %[[I]], %[[S]]
  return %0, %1 : tile<f32>, tile<4xf32>
}

// The inner result is another one when only the outer condition holds.
// CHECK-LABEL: @if_nested_other_else(
cuda_tile.testing$func @if_nested_other_else(%c: tile<i1>, %d: tile<i1>, %p: tile<ptr<f32>>, %y: tile<f32>, %z: tile<f32>) -> tile<f32> {
  // CHECK: if %{{.*}} -> (tile<f32>) {
  // CHECK-NEXT: if %{{.*}} -> (tile<f32>) {
  %0 = if %c -> (tile<f32>) {
    %i = if %d -> (tile<f32>) {
      %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
      yield %x : tile<f32>
    } else {
      yield %y : tile<f32>
    }
    yield %i : tile<f32>
  } else {
    yield %z : tile<f32>
  }
  return %0 : tile<f32>
}

// CHECK-LABEL: @if_nested_leaving(
cuda_tile.testing$func @if_nested_leaving(%c: tile<i1>, %d: tile<i1>) {
  // CHECK: %[[AND:.*]] = andi
  // CHECK: if %[[AND]] {
  // CHECK-NEXT: return
  // CHECK-NEXT: }
  if %c {
    if %d {
      return
    }
  }
  %t = print_tko "after" -> token
  return
}
