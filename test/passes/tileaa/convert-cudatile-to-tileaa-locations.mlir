// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug scopes of cuda_tile become those of LLVM; the line of the tile text that a driver notes becomes a discriminator.
// RUN: %mlir-opt --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so --load-pass-plugin=%libFramePasses.so %s --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa,tileir-insert-debug-scope))' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

#file = #cuda_tile.di_file<"k.py" in "/src">
#lib = #cuda_tile.di_file<"lib.py" in "/lib">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 4, name = "kernel", linkageName = "k", compileUnit = #unit>
#helper = #cuda_tile.di_subprogram<file = #lib, line = 1, name = "helper", linkageName = "helper@1", compileUnit = #unit>
#block = #cuda_tile.di_lexical_block<scope = #k, file = #file, line = 6, column = 2>
#at = #cuda_tile.di_loc<loc("/src/k.py":5:3) in #k>
#inner = #cuda_tile.di_loc<loc("/src/k.py":7:3) in #block>
#callee = #cuda_tile.di_loc<loc("/lib/lib.py":2:1) in #helper>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} {
  cuda_tile.module @m {
    // CHECK: nv_tileaa.func kernel @k(
    entry @k(%n: tile<i32>, %p: tile<ptr<i32>>) {
      // CHECK: arith.addi {{.*}} loc(fused<#llvm.di_subprogram<{{.*}}name = "kernel", linkageName = "k"{{.*}}>["/src/k.py":5:3])
      %a = addi %n, %n : tile<i32> loc(#at)
      // CHECK: arith.addi {{.*}} loc(fused<#llvm.di_lexical_block_file<scope = #llvm.di_subprogram<{{.*}}name = "kernel"{{.*}}, file = <"k.py" in "/src">, discriminator = 7>>["/src/k.py":5:3])
      %b = addi %a, %n : tile<i32> loc(fused<{tileir.text_line = 7 : i32}>[#at])
      // CHECK: arith.addi {{.*}} loc(fused<#llvm.di_lexical_block_file<scope = #llvm.di_lexical_block<scope = #llvm.di_subprogram<{{.*}}line = 6, column = 2>, file = <"k.py" in "/src">, discriminator = 8>>["/src/k.py":7:3])
      %c = addi %b, %n : tile<i32> loc(fused<{tileir.text_line = 8 : i32}>[#inner])
      // The callee has the line; the call keeps its own scope.
      // CHECK: arith.addi {{.*}} loc(callsite(fused<#llvm.di_lexical_block_file<scope = #llvm.di_subprogram<{{.*}}name = "helper"{{.*}}, discriminator = 9>>["/lib/lib.py":2:1] at fused<#llvm.di_subprogram<{{.*}}name = "kernel"{{.*}}>["/src/k.py":5:3]))
      %d = addi %c, %n : tile<i32> loc(fused<{tileir.text_line = 9 : i32}>[callsite(#callee at #at)])
      // Without a scope there is nothing to say it with; the function's is enough.
      // CHECK: arith.addi {{.*}} loc(fused<#llvm.di_subprogram<{{.*}}name = "kernel"{{.*}}>["/src/k.py":9:1])
      %e = addi %d, %n : tile<i32> loc(fused<{tileir.text_line = 10 : i32}>["/src/k.py":9:1])
      %t = store_ptr_tko weak %p, %e : tile<ptr<i32>>, tile<i32> -> token loc(#at)
      return loc(#at)
    } loc(#cuda_tile.di_loc<loc("/src/k.py":4:1) in #k>)
  }
}
