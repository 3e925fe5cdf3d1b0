// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-debuginfo | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so --mlir-print-op-generic --mlir-print-debuginfo \
// RUN:   | %mlir-opt --load-dialect-plugin=%libCudaTileDialect.so --verify-roundtrip --mlir-print-debuginfo | FileCheck %s

#file = #cuda_tile.di_file<"k.py" in "/src">
#cu = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "debug", compileUnit = #cu>
#block = #cuda_tile.di_lexical_block<scope = #sub, file = #file, line = 5, column = 2>

// CHECK-DAG: #di_file = #cuda_tile.di_file<"k.py" in "/src">
// CHECK-DAG: #di_compile_unit = #cuda_tile.di_compile_unit<file = #di_file>
// CHECK-DAG: #di_subprogram = #cuda_tile.di_subprogram<file = #di_file, line = 4, name = "add", linkageName = "declared", compileUnit = #di_compile_unit, scopeLine = 5, flags = declaration>
// CHECK-LABEL: func.func @enums
func.func @enums() attributes {
  // CHECK-SAME: x.a = #cuda_tile.signedness<unsigned>, x.b = #cuda_tile.overflow<no_wrap>, x.c = #cuda_tile.rounding<nearest_int_to_zero>
  x.a = #cuda_tile.signedness<unsigned>, x.b = #cuda_tile.overflow<no_wrap>, x.c = #cuda_tile.rounding<nearest_int_to_zero>,
  // CHECK-SAME: x.d = #cuda_tile.comparison_ordering<unordered>, x.e = #cuda_tile.comparison_predicate<greater_than_or_equal>
  x.d = #cuda_tile.comparison_ordering<unordered>, x.e = #cuda_tile.comparison_predicate<greater_than_or_equal>,
  // CHECK-SAME: x.f = #cuda_tile.symbol_visibility<private>, x.g = #cuda_tile.bytecode_test_priority<high>, x.h = #cuda_tile.bytecode_test_value<-7>
  x.f = #cuda_tile.symbol_visibility<private>, x.g = #cuda_tile.bytecode_test_priority<high>, x.h = #cuda_tile.bytecode_test_value<-7>,
  // CHECK-SAME: x.i = #cuda_tile.div_by<4, every 8 along 1>, x.j = #cuda_tile.same_elements<[1, 64]>, x.k = #cuda_tile.bounded<-3, ?>
  x.i = #cuda_tile.div_by<4, every 8 along 1>, x.j = #cuda_tile.same_elements<[1, 64]>, x.k = #cuda_tile.bounded<-3, ?>,
  // CHECK-SAME: x.l = #cuda_tile.optimization_hints<default = {latency = 4}, sm_90 = {allow_tma = true, occupancy = 2}>
  x.l = #cuda_tile.optimization_hints<sm_90 = {occupancy = 2, allow_tma = true}, "default" = {latency = 4 : i32}>,
  // CHECK-SAME: x.m = #cuda_tile.optimization_hints<>
  x.m = #cuda_tile.optimization_hints<>,
  // CHECK-SAME: x.n = #cuda_tile.ptr_attr<none>, x.o = #cuda_tile.multimem_reduction_kind<umin>, x.p = #cuda_tile.rounding<nearest_away>
  x.n = #cuda_tile.ptr_attr<none>, x.o = #cuda_tile.multimem_reduction_kind<umin>, x.p = #cuda_tile.rounding<nearest_away>,
  // CHECK-SAME: x.q = #di_subprogram}
  x.q = #cuda_tile.di_subprogram<file = #file, line = 4, name = "add", linkageName = "declared", compileUnit = #cu, scopeLine = 5, flags = declaration>} {
  return
}

cuda_tile.module @kernels {
  // CHECK-LABEL: entry @debug(
  entry @debug(%x: tile<f32>) {
    // CHECK: addf %{{.*}}, %{{.*}} : tile<f32> loc(#[[ADD:.*]])
    %0 = addf %x, %x : tile<f32> loc(#cuda_tile.di_loc<loc("k.py":5:3) in #block>)
    // CHECK: mulf %{{.*}}, %{{.*}} : tile<f32> loc(#[[CALL:.*]])
    %1 = mulf %0, %x : tile<f32> loc(callsite("inlined.py":1:2 at #cuda_tile.di_loc<loc("k.py":6:1) in #sub>))
    return
  } loc(#cuda_tile.di_loc<loc("k.py":4:1) in #sub>)
}
// CHECK-DAG: #di_subprogram1 = #cuda_tile.di_subprogram<file = #di_file, line = 4, name = "add", linkageName = "debug", compileUnit = #di_compile_unit>
// CHECK-DAG: #di_lexical_block = #cuda_tile.di_lexical_block<scope = #di_subprogram1, file = #di_file, line = 5, column = 2>
// CHECK-DAG: #[[ADD]] = #cuda_tile.di_loc<#{{.*}} in #di_lexical_block>
// CHECK-DAG: #[[CALL]] = loc(callsite(#{{.*}} at #{{.*}}))
