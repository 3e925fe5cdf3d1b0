// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so %s --pass-pipeline='builtin.module(cuda_tile.module(synthesize-debug-info-scopes))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// Nothing is left to do for a second run.
// RUN: %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so %s --pass-pipeline='builtin.module(cuda_tile.module(synthesize-debug-info-scopes))' --mlir-print-debuginfo -o %t.once
// RUN: %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so %t.once --pass-pipeline='builtin.module(cuda_tile.module(synthesize-debug-info-scopes))' --mlir-print-debuginfo | diff %t.once -

// The compile unit is the module's file, the subprogram the function's.
// CHECK-LABEL: cuda_tile.module @files
cuda_tile.module @files {
  // CHECK: global @g {{.*}} loc("g.py":1:1)
  global @g <i32: [1, 2]> : tile<2xi32> loc("g.py":1:1)
  // CHECK: entry @k(%{{.*}}: tile<i32>
  entry @k(%n: tile<i32>) {
    // CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":5:3) in #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "k", linkageName = "k", compileUnit = <file = <"top.py" in "dir">>, scopeLine = 4>>)
    %a = addi %n, %n : tile<i32> loc("/src/k.py":5:3)
    // Without a file location: the function's.
    // CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":4:1) in #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4,
    %b = addi %a, %n : tile<i32> loc(unknown)
    // Names show their child, fused locations their first file, calls the caller.
    // CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":6:1) in
    %c = addi %b, %n : tile<i32> loc("c"("/src/k.py":6:1))
    // CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":7:1) in
    %d = addi %c, %n : tile<i32> loc(fused["name", "/src/k.py":7:1, "/src/k.py":8:1])
    // CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":9:1) in
    %e = addi %d, %n : tile<i32> loc(callsite("/lib/h.py":1:1 at "/src/k.py":9:1))
    // Only direct children of a fused location count.
    // CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":4:1) in
    %f = addi %e, %n : tile<i32> loc(fused["f"("/src/k.py":10:1), "g"("/src/k.py":10:2)])
    // Nested operations, too.
    // CHECK: for
    // CHECK:   print_tko {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":12:7) in
    for %i in (%n to %f, step %n) : tile<i32> {
      print_tko "" -> token loc("/src/k.py":12:7)
    } loc("/src/k.py":11:3)
    // CHECK: } loc(#cuda_tile.di_loc<loc("/src/k.py":11:3) in
    return loc("/src/k.py":13:3)
  } loc("/src/k.py":4:1)
  // CHECK: } loc(#cuda_tile.di_loc<loc("/src/k.py":4:1) in #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "k", linkageName = "k", compileUnit = <file = <"top.py" in "dir">>, scopeLine = 4>>)

  // A function without a file: that of the compile unit, line 1.
  // CHECK: testing$func @nowhere(
  testing$func @nowhere(%n: tile<i32>) {
    // CHECK: addi {{.*}} loc(#cuda_tile.di_loc<loc("/src/k.py":20:3) in #cuda_tile.di_subprogram<file = <"top.py" in "dir">, line = 1, name = "nowhere", linkageName = "nowhere", compileUnit = <file = <"top.py" in "dir">>, scopeLine = 1>>)
    %a = addi %n, %n : tile<i32> loc("/src/k.py":20:3)
    // CHECK: return loc(#cuda_tile.di_loc<loc("top.py":1:1) in
    return loc(unknown)
  } loc(unknown)
} loc(callsite("callee.py":1:1 at "dir/top.py":2:1))

// No file anywhere.
// CHECK-LABEL: cuda_tile.module @nothing
cuda_tile.module @nothing {
  // CHECK: return loc(#cuda_tile.di_loc<loc("<unknown>":1:1) in #cuda_tile.di_subprogram<file = <"<unknown>" in "">, line = 1, name = "k", linkageName = "k", compileUnit = <file = <"<unknown>" in "">>, scopeLine = 1>>)
  entry @k() {
    return loc(unknown)
  } loc(unknown)
} loc(unknown)

// A function that has debug information keeps it, with the operations that have none.
#file = #cuda_tile.di_file<"own.py" in "/own">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 7, name = "kernel", linkageName = "k", compileUnit = #unit>
// CHECK-LABEL: cuda_tile.module @own
cuda_tile.module @own {
  entry @k(%n: tile<i32>) {
    // CHECK: addi {{.*}} loc("other.py":1:1)
    %a = addi %n, %n : tile<i32> loc("other.py":1:1)
    return loc(unknown)
  } loc(fused[#cuda_tile.di_loc<loc("own.py":7:1) in #sub>, "x.py":1:1])
  // CHECK: } loc(fused[#cuda_tile.di_loc<loc("own.py":7:1) in #cuda_tile.di_subprogram<file = <"own.py" in "/own">, line = 7, name = "kernel", linkageName = "k", compileUnit = <file = <"own.py" in "/own">>>>, "x.py":1:1])
} loc("m.py":1:1)
