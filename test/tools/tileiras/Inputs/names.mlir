// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files and functions that would end a string of PTX and go on with a kernel.
#quote = #cuda_tile.di_file<"a\22 .visible .entry planted_quote() { ret; } //" in "/src\22 .visible .entry planted_folder() { ret; } //">
#line = #cuda_tile.di_file<"b\0A.visible .entry planted_line() { ret; }\0A//" in "/src">
#slash = #cuda_tile.di_file<"c\5C" in "/src\5C">
#unit = #cuda_tile.di_compile_unit<file = #quote>
#sub = #cuda_tile.di_subprogram<file = #quote, line = 4, name = "k\22\0A.visible .entry planted_name() { ret; } //\5C", linkageName = "k", compileUnit = #unit, scopeLine = 4>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #line, line = 5, column = 1>
#inner = #cuda_tile.di_lexical_block<scope = #block, file = #slash, line = 6, column = 1>
#one = #cuda_tile.di_loc<loc("a\22 .visible .entry planted_quote() { ret; } //":4:1) in #sub>
#two = #cuda_tile.di_loc<loc("b\0A.visible .entry planted_line() { ret; }\0A//":5:1) in #block>
#three = #cuda_tile.di_loc<loc("c\5C":6:1) in #inner>
cuda_tile.module @kernels {
  entry @k(%to: tile<ptr<i32>>) {
    %i = iota : tile<32xi32> loc(#one)
    %r = reshape %to : tile<ptr<i32>> -> tile<1xptr<i32>> loc(#two)
    %b = broadcast %r : tile<1xptr<i32>> -> tile<32xptr<i32>> loc(#two)
    %p = offset %b, %i : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>> loc(#three)
    %t = store_ptr_tko weak %p, %i : tile<32xptr<i32>>, tile<32xi32> -> token loc(#three)
    return loc(#one)
  } loc(#one)
}
