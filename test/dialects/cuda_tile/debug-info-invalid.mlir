// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --split-input-file 2>&1 | FileCheck %s

// CHECK: a:1:1: error: 'cuda_tile.entry' op invalid function debug info location: loc(callsite("a":1:1 at "b":2:2)). Function location must not be a CallSiteLoc.{{$}}
#file = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "e", compileUnit = #cu>
#other = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "f", compileUnit = #cu>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 5>
cuda_tile.module @m {
  entry @e() {
  } loc(callsite("a":1:1 at "b":2:2))
}

// -----

// CHECK: k.py:1:1: error: 'cuda_tile.entry' op invalid function debug info scope: #cuda_tile.di_lexical_block<scope = #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "add", linkageName = "e", compileUnit = <file = <"k.py" in "/src">>>, file = <"k.py" in "/src">, line = 5>. Function location must have cuda_tile.di_subprogram debug info scope.{{$}}
#file = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "e", compileUnit = #cu>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 5>
cuda_tile.module @m {
  entry @e() {
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #block>)
}

// -----

// CHECK: k.py:1:1: error: 'cuda_tile.entry' op invalid function debug info scope: #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "add", linkageName = "f", compileUnit = <file = <"k.py" in "/src">>>. Function name "e" does not match subprogram scope linkage name "f".{{$}}
#file = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #file>
#other = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "f", compileUnit = #cu>
cuda_tile.module @m {
  entry @e() {
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #other>)
}

// -----

// CHECK: k.py:2:1: error: 'cuda_tile.absf' op invalid operation debug info scope: #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "add", linkageName = "e", compileUnit = <file = <"k.py" in "/src">>>. Operation has debug info scope, but function debug info scope is undefined.{{$}}
#file = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "e", compileUnit = #cu>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 5>
cuda_tile.module @m {
  entry @e(%x: tile<f32>) {
    %0 = absf %x : tile<f32> loc(#cuda_tile.di_loc<loc("k.py":2:1) in #block>)
    return
  }
}

// -----

// CHECK: k.py:2:1: error: invalid operation debug info scope: #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "add", linkageName = "f", compileUnit = <file = <"k.py" in "/src">>>. Operation debug info scope does not match function debug info scope: #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "add", linkageName = "e", compileUnit = <file = <"k.py" in "/src">>>.{{$}}
#file = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "e", compileUnit = #cu>
#other = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "f", compileUnit = #cu>
cuda_tile.module @m {
  entry @e(%x: tile<f32>) {
    %0 = absf %x : tile<f32> loc(#cuda_tile.di_loc<loc("k.py":2:1) in #other>)
    return
  } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #sub>)
}

// -----

// CHECK: k.py:1:1: error: 'cuda_tile.global' op invalid operation debug info scope: #cuda_tile.di_loc<loc("k.py":1:1) in #cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 4, name = "add", linkageName = "e", compileUnit = <file = <"k.py" in "/src">>>>. Global variables must not have scope.{{$}}
#file = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "e", compileUnit = #cu>
cuda_tile.module @m {
  global @g <i32: 1> : tile<1xi32> loc(#cuda_tile.di_loc<loc("k.py":1:1) in #sub>)
}
