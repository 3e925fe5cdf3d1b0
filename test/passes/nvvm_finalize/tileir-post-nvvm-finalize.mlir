// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize))' -o %t.once
// RUN: FileCheck %s --input-file=%t.once
// RUN: %{opt} %t.once --split-input-file --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize))' | diff %t.once -
// RUN: %{opt} %s --split-input-file --mlir-print-debuginfo --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize))' | FileCheck %s --check-prefix=KEEP
// RUN: %{opt} %s --split-input-file --mlir-print-debuginfo --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize{debuginfo-level=full}))' | FileCheck %s --check-prefix=FULL
// RUN: %{opt} %s --split-input-file --mlir-print-debuginfo --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize{debuginfo-level=debug-directives}))' | FileCheck %s --check-prefix=LINES
// RUN: %{opt} %s --split-input-file --mlir-print-debuginfo --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize{debuginfo-level=line-tables}))' | FileCheck %s --check-prefix=TABLES

// CHECK-LABEL: gpu.module @attributes
//  CHECK-SAME:   attributes {nv_tileaa.approx, nv_tileaa.ftz, nv_tileaa.libnvvm_use_nvgpucomp, tileir.launch_abi = "tile"}
gpu.module @attributes [#nvvm.target<chip = "sm_90a", features = "+ptx90">] attributes {
    nv_tileaa.approx, nv_tileaa.ftz, nv_tileaa.libnvvm_use_nvgpucomp, nv_tileaa.num_warps = 4 : i32,
    nv_tileaa.target_spec = "sm_90", nv_tileas.needs_accelerated_arch, tileir.launch_abi = "tile"} {
  // CHECK-NEXT: llvm.func @k(%{{.*}}: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>}
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
    // CHECK-NEXT: llvm.mlir.constant(0 : i32) : i32
    %0 = llvm.mlir.constant(0 : i32) {nv_tileas.align = 4 : i32} : i32
    llvm.return
  }
}

// -----

//   KEEP: emissionKind = LineTablesOnly
//   FULL: emissionKind = Full
//  LINES: emissionKind = DebugDirectivesOnly
// TABLES: emissionKind = LineTablesOnly
#file = #llvm.di_file<"k.py" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = LineTablesOnly>
#type = #llvm.di_subroutine_type<types = #llvm.di_null_type>
#sub = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "k", file = #file, line = 3, scopeLine = 3, subprogramFlags = "Definition|Optimized", type = #type>
gpu.module @debug [#nvvm.target<chip = "sm_80">] {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return loc(#op)
  } loc(#fn)
}
#fn = loc(fused<#sub>["k.py":3:1])
#op = loc(fused<#sub>["k.py":4:1])
