// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threshold of a branch: on it, on the loop, on the function, from the option.
// DEFINE: %{threshold} = 1
// DEFINE: %{split} = %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so %s --pass-pipeline='builtin.module(cuda_tile.module(any(loop-split{split-threshold=%{threshold}})))'
// RUN: %{split} | FileCheck %s --check-prefixes=CHECK,ONE
// REDEFINE: %{threshold} = 0
// RUN: %{split} | FileCheck %s --check-prefixes=CHECK,NEVER
// REDEFINE: %{threshold} = 3
// RUN: %{split} | FileCheck %s --check-prefixes=CHECK,THREE

cuda_tile.module @m {

// CHECK-LABEL: testing$func @small(
//         ONE:   mini
//   NEVER-NOT:   mini
//   THREE-NOT:   mini
//       CHECK:   return
testing$func @small(%hi: tile<i32>, %k: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %p {
      %s = addi %i, %i : tile<i32>
      print_tko "%d", %s : tile<i32> -> token
    }
  }
  return
}

// CHECK-LABEL: testing$func @three_in_the_else_branch(
//         ONE:   mini
//   NEVER-NOT:   mini
//       THREE:   mini
//       CHECK:   return
testing$func @three_in_the_else_branch(%hi: tile<i32>, %k: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "" -> token
    } else {
      %s = addi %i, %i : tile<i32>
      %t = addi %s, %i : tile<i32>
      print_tko "%d", %t : tile<i32> -> token
    }
  }
  return
}

// One load is worth it, but not in a branch of a branch... which is itself worth it.
// CHECK-LABEL: testing$func @heavy(
//         ONE:   mini
//   NEVER-NOT:   mini
//       THREE:   mini
//       CHECK:   return
testing$func @heavy(%hi: tile<i32>, %k: tile<i32>, %p: tile<ptr<f32>>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %early = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %early {
      %x, %t = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    }
  }
  return
}

// One user that is worth it is enough; the other is resolved with it.
// CHECK-LABEL: testing$func @one_of_two(
//         ONE:   mini
//   NEVER-NOT:   mini
//       THREE:   mini
//   THREE-NOT:   if
//       CHECK:   return
testing$func @one_of_two(%hi: tile<i32>, %k: tile<i32>, %a: tile<2x2xf32>, %b: tile<2x2xf32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %early = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %early {
      print_tko "" -> token
    }
    if %early {
      %x = mmaf %a, %b, %a : tile<2x2xf32>, tile<2x2xf32>, tile<2x2xf32>
    }
  }
  return
}

// CHECK-LABEL: testing$func @on_the_branch(
//       CHECK:   mini
//       CHECK:   return
testing$func @on_the_branch(%hi: tile<i32>, %k: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "" -> token
    } {cuda_tile.loop_split = 1 : i64}
  } {cuda_tile.loop_split = 0 : i64}
  return
} {cuda_tile.loop_split = 0 : i64}

// CHECK-LABEL: testing$func @on_the_loop(
//   CHECK-NOT:   mini
//       CHECK:   return
testing$func @on_the_loop(%hi: tile<i32>, %k: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "" -> token
    }
  } {cuda_tile.loop_split = 0 : i64}
  return
} {cuda_tile.loop_split = 1 : i64}

// CHECK-LABEL: testing$func @on_the_function(
//       CHECK:   mini
//       CHECK:   return
testing$func @on_the_function(%hi: tile<i32>, %k: tile<i32>) {
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  for %i in (%c0 to %hi, step %c1) : tile<i32> {
    %p = cmpi less_than %i, %k, signed : tile<i32> -> tile<i1>
    if %p {
      print_tko "" -> token
    }
  }
  return
} {cuda_tile.loop_split = 1 : i64}
}
