// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With full debug information each value that a variable names gets a register of its own
// after an opaque copy, aggregates leaf by leaf (S-176); without it nothing is added.
// RUN: %tileir-serialize %s --emit=llvm -o - -O0 --device-debug | FileCheck %s
// RUN: %tileir-serialize %s --emit=llvm -o - -O0 --lineinfo | FileCheck %s --check-prefix=LINE
// RUN: %tileir-serialize %s --emit=ptx -o - -O0 --device-debug | FileCheck %s --check-prefix=PTX
// RUN: %if ptxas %{ %tileir-serialize %s --emit=cubin -o %t.cubin -O0 --device-debug %}

// CHECK-LABEL: define ptx_kernel void @k(
// CHECK:       [[X:%.*]] = call float asm sideeffect "mov.b32 $0, $1;", "=f,f"(float
// CHECK:       #dbg_value(float [[X]],
// CHECK:       [[A:%.*]] = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32
// CHECK:       [[B:%.*]] = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64
// CHECK-DAG:   #dbg_value(i32 [[A]], {{.*}}!DIExpression(DW_OP_LLVM_fragment, 0, 32)
// CHECK-DAG:   #dbg_value(i64 [[B]], {{.*}}!DIExpression(DW_OP_LLVM_fragment, 64, 64)
// LINE-NOT:    asm
// PTX:         begin inline asm
#file = #llvm.di_file<"k.py" in "/src">
#unit = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, isOptimized = false, emissionKind = Full>
#f32 = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "float", sizeInBits = 32, encoding = DW_ATE_float>
#pair = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "pair", sizeInBits = 128, encoding = DW_ATE_unsigned>
#type = #llvm.di_subroutine_type<callingConvention = DW_CC_normal>
#scope = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #unit, scope = #file, name = "k", linkageName = "k", file = #file, line = 2, scopeLine = 2, subprogramFlags = Definition, type = #type>
#x = #llvm.di_local_variable<scope = #scope, name = "x", file = #file, line = 3, type = #f32>
#p = #llvm.di_local_variable<scope = #scope, name = "p", file = #file, line = 4, type = #pair>
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32, %i: i32, %l: i64) attributes {nvvm.kernel} {
    %y = llvm.fadd %x, %x : f32 loc(#three)
    llvm.intr.dbg.value #x = %y : f32 loc(#three)
    %u = llvm.mlir.undef : !llvm.struct<(i32, i64)> loc(#four)
    %v = llvm.insertvalue %i, %u[0] : !llvm.struct<(i32, i64)> loc(#four)
    %w = llvm.insertvalue %l, %v[1] : !llvm.struct<(i32, i64)> loc(#four)
    llvm.intr.dbg.value #p = %w : !llvm.struct<(i32, i64)> loc(#four)
    llvm.store %y, %p : f32, !llvm.ptr<1> loc(#four)
    llvm.return loc(#four)
  } loc(#start)
}
#start = loc(fused<#scope>["k.py":2:1])
#three = loc(fused<#scope>["k.py":3:5])
#four = loc(fused<#scope>["k.py":4:5])
