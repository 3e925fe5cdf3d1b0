// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileAADialect.so --load-pass-plugin=%libFramePasses.so --mlir-print-debuginfo
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-insert-debug-scope))' | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-insert-debug-scope{emission-kind=full producer=me}))' | FileCheck %s --check-prefix=FULL
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-insert-debug-scope))' -o %t.once
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-insert-debug-scope,tileir-insert-debug-scope))' -o %t.twice
// RUN: diff %t.once %t.twice
// RUN: not %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-insert-debug-scope{emission-kind=all}))' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: emission-kind is 'all'; expected 'line-tables-only' or 'full'
// FULL: #llvm.di_compile_unit<{{.*}}producer = "me", isOptimized = true, emissionKind = Full>

gpu.module @m {
  // CHECK: nv_tileaa.func kernel @k(
  nv_tileaa.func kernel @k(%a: i32) {
    // CHECK: arith.addi {{.*}} loc(#[[OP:.*]])
    %0 = arith.addi %a, %a : i32 loc("named"("/src/k.py":5:3))
    // CHECK: arith.muli {{.*}} loc(#[[CALL:.*]])
    %1 = arith.muli %a, %a : i32 loc(callsite("/src/h.py":9:3 at "/src/k.py":5:3))
    // An unknown location gets the line of the function.
    // CHECK: arith.subi {{.*}} loc(#[[FUNC:.*]])
    %2 = arith.subi %a, %a : i32 loc(unknown)
    // CHECK: nv_tileaa.return loc(#[[OP]])
    nv_tileaa.return loc("/src/k.py":5:3)
  // CHECK: } loc(#[[FUNC]])
  } loc("/src/k.py":4:1)
}

// CHECK-DAG: #[[FILE:.*]] = #llvm.di_file<"k.py" in "/src">
// CHECK-DAG: #[[L4:.*]] = loc("/src/k.py":4:1)
// CHECK-DAG: #[[L5:.*]] = loc("/src/k.py":5:3)
// CHECK-DAG: #[[L9:.*]] = loc("/src/h.py":9:3)
// CHECK-DAG: #[[UNIT:.*]] = #llvm.di_compile_unit<{{.*}}file = #[[FILE]], producer = "tileir", isOptimized = true, emissionKind = LineTablesOnly>
// CHECK-DAG: #[[K:.*]] = #llvm.di_subprogram<{{.*}}compileUnit = #[[UNIT]], scope = #[[FILE]], name = "k", linkageName = "k", file = #[[FILE]], line = 4
// CHECK-DAG: #[[FUNC]] = loc(fused<#[[K]]>[#[[L4]]])
// CHECK-DAG: #[[OP]] = loc(fused<#[[K]]>[#[[L5]]])
// CHECK-DAG: #[[CALLEE:.*]] = loc(fused<#[[K]]>[#[[L9]]])
// CHECK-DAG: #[[CALL]] = loc(callsite(#[[CALLEE]] at #[[OP]]))
