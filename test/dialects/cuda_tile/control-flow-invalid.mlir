// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file --verify-diagnostics

cuda_tile.testing$func @if_c1_nothing(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.if' op has return type of '!cuda_tile.tile<i32>' but then branch does not yield anything}}
  %r = if %c -> (tile<i32>) {
  } else {
    yield %a : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @if_c1_else(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.if' op has return type of '!cuda_tile.tile<i32>' but else branch does not yield anything}}
  %r = if %c -> (tile<i32>) {
    yield %a : tile<i32>
  } else {
  }
  return
}

// -----

cuda_tile.testing$func @if_c1_extra(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.if' op does not return a value, but then branch yields '!cuda_tile.tile<i32>'}}
  if %c {
    yield %a : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @if_c1_type(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.if' op type does not match yield type, else branch yields '!cuda_tile.tile<f32>' but op result type is '!cuda_tile.tile<i32>'}}
  %r = if %c -> (tile<i32>) {
    yield %a : tile<i32>
  } else {
    yield %x : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @if_c2(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.if' op has non-empty return type, must define else branch}}
  %r = if %c -> (tile<i32>) {
    yield %a : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @if_c3_tensor(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.if' op result type 0 is a tensor_view, which is not supported}}
  %r = if %c -> (tensor_view<?xf32, strides=[1]>) {
    yield %v : tensor_view<?xf32, strides=[1]>
  } else {
    yield %v : tensor_view<?xf32, strides=[1]>
  }
  return
}

// -----

cuda_tile.testing$func @if_c3_view(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.if' op result type 1 is a tile view, which is not supported}}
  %r, %s = if %c -> (tile<i32>, partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
    yield %a, %w : tile<i32>, partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
  } else {
    yield %a, %w : tile<i32>, partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
  }
  return
}

// -----

cuda_tile.testing$func @if_condition(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-note @above {{prior use here}}
  // expected-error @below {{use of value '%a' expects different type than prior uses: '!cuda_tile.tile<i1>' vs '!cuda_tile.tile<i32>'}}
  if %a {
  }
  return
}

// -----

cuda_tile.testing$func @for_parse_count(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{mismatch in number of loop-carried values and defined values}}
  %r = for %i in (%a to %a, step %a) : tile<i32> iter_values(%k = %a) -> (tile<i32>, tile<i32>) {
    continue %k : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @for_c1(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.for' op expected at least one block argument for induction variable}}
  "cuda_tile.for"(%a, %a, %a) ({
  ^bb0:
    "cuda_tile.continue"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  return
}

// -----

cuda_tile.testing$func @for_induction(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.for' op expected induction variable to be same type as bounds and step: '!cuda_tile.tile<f32>' vs '!cuda_tile.tile<i32>'}}
  "cuda_tile.for"(%a, %a, %a) ({
  ^bb0(%i: !cuda_tile.tile<f32>):
    "cuda_tile.continue"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
  return
}

// -----

cuda_tile.testing$func @for_bounds(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  %l = exti %a signed : tile<i32> -> tile<i64>
  // expected-error @below {{'cuda_tile.for' op failed to verify that all of {lowerBound, upperBound, step} have same type}}
  "cuda_tile.for"(%a, %a, %l) ({
  ^bb0(%i: !cuda_tile.tile<i32>):
    "cuda_tile.continue"() : () -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i64>) -> ()
  return
}

// -----

cuda_tile.testing$func @for_c2_count(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.for' op mismatch in number of region iterator values and loop iterator inits: 0 vs 1}}
  %r = "cuda_tile.for"(%a, %a, %a, %x) ({
  ^bb0(%i: !cuda_tile.tile<i32>):
    "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  return
}

// -----

cuda_tile.testing$func @for_c2_type(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.for' op init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f32>' != '!cuda_tile.tile<i32>'}}
  %r = "cuda_tile.for"(%a, %a, %a, %x) ({
  ^bb0(%i: !cuda_tile.tile<i32>, %k: !cuda_tile.tile<i32>):
    "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<f32>
  return
}

// -----

cuda_tile.testing$func @for_c2_results(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.for' op failed to verify that all of {initValues, resultValues} have same type}}
  %r = "cuda_tile.for"(%a, %a, %a, %x) ({
  ^bb0(%i: !cuda_tile.tile<i32>, %k: !cuda_tile.tile<f32>):
    "cuda_tile.continue"(%k) : (!cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> !cuda_tile.tile<i32>
  return
}

// -----

cuda_tile.testing$func @for_c2_result_count(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.for' op failed to verify that all of {initValues, resultValues} have same type}}
  "cuda_tile.for"(%a, %a, %a, %x) ({
  ^bb0(%i: !cuda_tile.tile<i32>, %k: !cuda_tile.tile<f32>):
    "cuda_tile.continue"(%k) : (!cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<f32>) -> ()
  return
}

// -----

cuda_tile.testing$func @for_c3_tensor(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.for' op loop-carried value 0 is a tensor_view, which is not supported}}
  %r = for %i in (%a to %a, step %a) : tile<i32> iter_values(%k = %v) -> (tensor_view<?xf32, strides=[1]>) {
    continue %k : tensor_view<?xf32, strides=[1]>
  }
  return
}

// -----

cuda_tile.testing$func @loop_parse_count(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{found different number of iter_values and types}}
  loop iter_values(%k = %a) : tile<i32>, tile<i32> {
  }
  return
}

// -----

cuda_tile.testing$func @loop_c1(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.loop' op init value 0 and region iter_value 0 have different type: '!cuda_tile.tile<f32>' != '!cuda_tile.tile<i32>'}}
  "cuda_tile.loop"(%x) ({
  ^bb0(%k: !cuda_tile.tile<i32>):
    "cuda_tile.continue"(%x) : (!cuda_tile.tile<f32>) -> ()
  }) : (!cuda_tile.tile<f32>) -> ()
  return
}

// -----

cuda_tile.testing$func @loop_c2_view(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.loop' op loop-carried value 0 is a tile view, which is not supported}}
  loop iter_values(%k = %w) : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>> {
    continue %k : partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>
  }
  return
}

// -----

cuda_tile.testing$func @loop_c2_result(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.loop' op result type 0 is a tensor_view, which is not supported}}
  %r = loop : tensor_view<?xf32, strides=[1]> {
    break %v : tensor_view<?xf32, strides=[1]>
  }
  return
}

// -----

cuda_tile.testing$func @break_parent(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-note @below {{see unexpected ancestor operation}}
  for %i in (%a to %a, step %a) : tile<i32> {
    if %c {
      // expected-error @below {{'cuda_tile.break' op can only be nested within a ancestor chain of 'cuda_tile.loop', 'cuda_tile.if' operations}}
      break
    }
  }
  return
}

// -----

cuda_tile.testing$func @break_direct(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  for %i in (%a to %a, step %a) : tile<i32> {
    // expected-error @below {{'cuda_tile.break' op expects parent op to be one of 'cuda_tile.if, cuda_tile.loop'}}
    break
  }
  return
}

// -----

cuda_tile.testing$func @break_c2(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  %r = loop : tile<i32> {
    // expected-error @below {{'cuda_tile.break' op operand types must correspond to the parent loop result types: ('!cuda_tile.tile<f32>') vs ('!cuda_tile.tile<i32>')}}
    break %x : tile<f32>
  }
  return
}

// -----

// expected-note @below {{see unexpected ancestor operation}}
cuda_tile.testing$func @continue_c1(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  if %c {
    // expected-error @below {{'cuda_tile.continue' op can only be nested within a ancestor chain of 'cuda_tile.for', 'cuda_tile.loop', 'cuda_tile.if' operations}}
    continue
  }
  return
}

// -----

cuda_tile.testing$func @continue_c2_loop(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  loop iter_values(%k = %a) : tile<i32> {
    // expected-error @below {{`loop` is missing a valid terminator. `continue` op should have operand types that match the parent loop iter_values: ('!cuda_tile.tile<i32>'), but found: ('!cuda_tile.tile<f32>')}}
    continue %x : tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @continue_c2_for(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  %r = for %i in (%a to %a, step %a) : tile<i32> iter_values(%k = %a) -> (tile<i32>) {
    // expected-error @below {{`for` is missing a valid terminator. `continue` op should have operand types that match the parent loop return types: ('!cuda_tile.tile<i32>'), but found: ()}}
    continue
  }
  return
}

// -----

cuda_tile.testing$func @return_c1(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  loop {
    if %c {
      // expected-error @below {{'cuda_tile.return' op must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation}}
      return
    }
  }
  return
}

// -----

cuda_tile.testing$func @return_c2_count(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  if %c {
    // expected-error @below {{'cuda_tile.return' op has 1 operands, but enclosing function (@return_c2_count) returns 0}}
    return %a : tile<i32>
  }
  return
}

// -----

cuda_tile.testing$func @return_c2_type(%x: tile<f32>) -> tile<i32> {
  // expected-error @below {{type of return operand 0 ('!cuda_tile.tile<f32>') doesn't match function result type ('!cuda_tile.tile<i32>') in function @return_c2_type}}
  return %x : tile<f32>
}

// -----

cuda_tile.testing$func @yield_parent(%c: tile<i1>, %a: tile<i32>, %x: tile<f32>, %v: tensor_view<?xf32, strides=[1]>, %w: partition_view<tile=(4), tensor_view<?xf32, strides=[1]>>) {
  // expected-error @below {{'cuda_tile.yield' op expects parent op to be one of 'cuda_tile.if, cuda_tile.reduce, cuda_tile.scan'}}
  "cuda_tile.yield"() : () -> ()
}

// -----

// All of what is yielded is told.
cuda_tile.testing$func @if_c1_fewer(%c: tile<i1>, %a: tile<i32>, %b: tile<f32>) {
  // expected-error @below {{'cuda_tile.if' op type does not match yield type, then branch yields '!cuda_tile.tile<i32>' but op result type is '!cuda_tile.tile<i32>', '!cuda_tile.tile<f32>'}}
  %r:2 = if %c -> (tile<i32>, tile<f32>) {
    yield %a : tile<i32>
  } else {
    yield %a, %b : tile<i32>, tile<f32>
  }
  return
}

// -----

cuda_tile.testing$func @if_c1_none(%c: tile<i1>, %a: tile<i32>, %b: tile<f32>) {
  // expected-error @below {{'cuda_tile.if' op has return type of '!cuda_tile.tile<i32>', '!cuda_tile.tile<f32>' but else branch does not yield anything}}
  %r:2 = if %c -> (tile<i32>, tile<f32>) {
    yield %a, %b : tile<i32>, tile<f32>
  } else {
  }
  return
}

// -----

cuda_tile.testing$func @if_c1_two(%c: tile<i1>, %a: tile<i32>, %b: tile<f32>) {
  // expected-error @below {{'cuda_tile.if' op does not return a value, but then branch yields '!cuda_tile.tile<i32>', '!cuda_tile.tile<f32>'}}
  if %c {
    yield %a, %b : tile<i32>, tile<f32>
  }
  return
}

// -----

// At the operation, whatever line the types are in.
cuda_tile.testing$func @for_values(%a: tile<i32>) {
  // expected-error @below {{mismatch in number of loop-carried values and defined values}}
  for %i in (%a to %a, step %a) : tile<i32>
      iter_values(%x = %a) -> (tile<i32>, tile<i32>) {
    continue %x : tile<i32>
  }
  return
}

// -----

// Only the newest release returns from loops.
cuda_tile.testing$func @return_in_loop() {
  loop {
    // expected-error @below {{'cuda_tile.return' op expects parent op to be one of 'cuda_tile.entry, cuda_tile.if, cuda_tile.testing$func'}}
    return
  }
  return
}

// -----

cuda_tile.testing$func @return_in_if_in_loop(%c: tile<i1>) {
  loop {
    if %c {
      // expected-error @below {{'cuda_tile.return' op must be used within a cuda_tile.testing$func, cuda_tile.entry, or cuda_tile.if operation}}
      return
    }
  }
  return
}
