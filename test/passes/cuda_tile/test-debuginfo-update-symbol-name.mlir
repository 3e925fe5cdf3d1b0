// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{options} =
// DEFINE: %{rename} = %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so %s --pass-pipeline="builtin.module(test-debuginfo-update-symbol-name{%{options}})" --mlir-print-debuginfo --mlir-print-local-scope

// Name, linkage name of the function and of the operations in it; the reference only when asked.
// REDEFINE: %{options} = symbol-to-rename=m::k new-name=renamed
// RUN: %{rename} | FileCheck %s --check-prefix=BOTH
// REDEFINE: %{options} = symbol-to-rename=m::k new-name=renamed scope=m
// RUN: %{rename} | FileCheck %s --check-prefix=BOTH
// BOTH: entry @renamed()
// BOTH: return loc(#cuda_tile.di_loc<loc("k.py":5:1) in #cuda_tile.di_subprogram<file = <"k.py" in "/s">, line = 4, name = "kernel", linkageName = "renamed",
// BOTH: } loc(#cuda_tile.di_loc<loc("k.py":4:1) in #cuda_tile.di_subprogram<file = <"k.py" in "/s">, line = 4, name = "kernel", linkageName = "renamed",
// BOTH: entry @other()
// BOTH: linkageName = "other"

// A global has no subprogram; its uses follow.
// REDEFINE: %{options} = symbol-to-rename=m::g new-name=h update-uses=true
// RUN: %{rename} | FileCheck %s --check-prefix=USES
// USES: global @h
// USES: get_global @h :
// REDEFINE: %{options} = symbol-to-rename=m::k new-name=renamed update-uses=true
// RUN: %{rename} | FileCheck %s --check-prefix=BOTH

// A scope that does not enclose the symbol, a name that there is already, a symbol that is not.
// REDEFINE: %{options} = symbol-to-rename=m::k new-name=renamed scope=m::other
// RUN: not %{rename} 2>&1 | FileCheck %s --check-prefix=SCOPE
// SCOPE: k.py:4:1: error: attempted to update symbol names in a scope that did not enclose the symbol itself
// SCOPE: k.py:8:1: note: scope defined here
// REDEFINE: %{options} = symbol-to-rename=m::k new-name=other
// RUN: not %{rename} 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: k.py:4:1: error: cannot be renamed to 'other'
// REDEFINE: %{options} = symbol-to-rename=m::none new-name=other
// RUN: not %{rename} 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: m.py:1:1: error: there is no symbol 'none' here

#file = #cuda_tile.di_file<"k.py" in "/s">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 4, name = "kernel", linkageName = "k", compileUnit = #unit>
#other = #cuda_tile.di_subprogram<file = #file, line = 8, name = "kernel", linkageName = "other", compileUnit = #unit>
cuda_tile.module @m {
  global @g <i32: [1, 2]> : tile<2xi32>
  entry @k() {
    %g = get_global @g : tile<ptr<i32>>
    return loc(#cuda_tile.di_loc<loc("k.py":5:1) in #k>)
  } loc(#cuda_tile.di_loc<loc("k.py":4:1) in #k>)
  entry @other() {
    return loc(#cuda_tile.di_loc<loc("k.py":9:1) in #other>)
  } loc(#cuda_tile.di_loc<loc("k.py":8:1) in #other>)
} loc("m.py":1:1)
