// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Debug information travels in the PTX, not among the arguments (S-170), and only when it was asked for (S-173).
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_ARGV=%t.none.argv not %tileir-serialize %s -o %t.none -O0
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_ARGV=%t.line.argv not %tileir-serialize %s -o %t.none -O0 --lineinfo
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_ARGV=%t.debug.argv not %tileir-serialize %s -o %t.none -O0 --device-debug --lineinfo
// RUN: cmp %t.none.argv %t.line.argv && cmp %t.none.argv %t.debug.argv
// RUN: %tileir-serialize %s --emit=ptx -o - | FileCheck %s --check-prefix=NONE
// RUN: %tileir-serialize %s --emit=ptx -o - --lineinfo | FileCheck %s --check-prefix=LINE
// RUN: %tileir-serialize %s --emit=ptx -o - -O0 --device-debug | FileCheck %s --check-prefix=DEBUG
// RUN: %tileir-serialize %s --emit=ptx -o - -O0 --device-debug --lineinfo | FileCheck %s --check-prefix=DEBUG
// Unit and function say whether they were optimized; the input's own word does not count.
// RUN: %tileir-serialize %s --emit=llvm -o - -O0 --device-debug | FileCheck %s --check-prefix=UNOPTIMIZED
// RUN: %tileir-serialize %s --emit=llvm -o - -O2 --lineinfo | FileCheck %s --check-prefix=OPTIMIZED
// Real ptxas takes line tables at every level (S-171) and full information at level 0 (S-172).
// RUN: %if ptxas %{ %tileir-serialize %s -o %t.cubin --lineinfo -O3 && llvm-readelf -S %t.cubin | FileCheck %s --check-prefix=TABLE %}
// RUN: %if ptxas %{ %tileir-serialize %s -o %t.cubin --device-debug -O0 && llvm-readelf -S %t.cubin | FileCheck %s --check-prefix=INFO %}
// RUN: %if ptxas %{ %tileir-serialize %s -o %t.cubin && llvm-readelf -S %t.cubin | FileCheck %s --check-prefix=EMPTY %}

// NONE-NOT:  .loc
// NONE-NOT:  .file
// NONE-NOT:  debug
// LINE:      .target sm_90{{$}}
// LINE:      .loc 1 3 {{[0-9]+}}
// LINE:      .loc 1 4 {{[0-9]+}}
// A name outside of ASCII becomes escapes (S-175).
// LINE:      .file 1 "/src/k\303\244rn.py"
// LINE-NOT:  .debug_info
// DEBUG:     .target sm_90, debug
// DEBUG:     .loc 1 3
// DEBUG:     .section .debug_info
// TABLE:     .debug_line
// TABLE-NOT: .debug_info
// INFO-DAG:  .debug_info
// INFO-DAG:  .debug_line
// EMPTY-NOT: .debug_line
// UNOPTIMIZED-NOT: DISPFlagOptimized
// UNOPTIMIZED: !DICompileUnit({{.*}}isOptimized: false
// UNOPTIMIZED-NOT: DISPFlagOptimized
// OPTIMIZED: !DICompileUnit({{.*}}isOptimized: true
// OPTIMIZED: DISPFlagOptimized
#file = #llvm.di_file<"kärn.py" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = true, emissionKind = Full>
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
#scope = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "k", linkageName = "k", file = #file, line = 2, scopeLine = 2, subprogramFlags = Definition, type = #type>
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %y = llvm.fadd %x, %x : f32 loc(#three)
    llvm.store %y, %p : f32, !llvm.ptr<1> loc(#four)
    llvm.return loc(#four)
  } loc(#start)
}
#start = loc(fused<#scope>["kärn.py":2:1])
#three = loc(fused<#scope>["kärn.py":3:5])
#four = loc(fused<#scope>["kärn.py":4:5])
