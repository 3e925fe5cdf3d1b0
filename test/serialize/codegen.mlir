// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From LLVM IR to PTX: roundings, switches of the back end, errors of LLVM, what is and is not in the text.
// RUN: rm -rf %t && split-file %s %t
// RUN: %tileir-serialize %t/math.mlir --emit=ptx -o %t/math.ptx && FileCheck %t/math.mlir --input-file=%t/math.ptx
// RUN: %tileir-serialize %t/math.mlir --emit=ptx -o - -nvptx-prec-sqrtf32=0 | FileCheck %t/math.mlir --check-prefix=APPROX
// RUN: %tileir-serialize %t/math.mlir --emit=ptx -o - --opt-unsafe-algebra=0 | FileCheck %t/math.mlir --check-prefix=STRICT
// RUN: not %tileir-serialize %t/externals.mlir --emit=ptx -o %t/none --module=unknown 2>&1 | FileCheck %t/externals.mlir --check-prefix=UNKNOWN
// RUN: not %tileir-serialize %t/externals.mlir --emit=ptx -o %t/none --module=launches 2>&1 | FileCheck %t/externals.mlir --check-prefix=LAUNCHES
// RUN: %tileir-serialize %t/externals.mlir --emit=ptx -o - --module=unknown --relocatable-device-code | FileCheck %t/externals.mlir --check-prefix=RDC
// RUN: %tileir-serialize %t/externals.mlir --emit=ptx -o - --module=runtime | FileCheck %t/externals.mlir --check-prefix=RUNTIME
// RUN: not %tileir-serialize %t/reflect.mlir --emit=ptx -o %t/none --nvvm-reflect-enable=false 2>&1 | FileCheck %t/reflect.mlir --check-prefix=UNRESOLVED
// RUN: %tileir-serialize %t/reflect.mlir --emit=ptx -o - --nvvm-reflect-add=mine=7 | FileCheck %t/reflect.mlir
// RUN: python3 %lib/serialize/exit-code.py 5 %tileir-serialize %t/fatal.mlir --emit=ptx -o %t/none 2> %t/fatal.err
// RUN: FileCheck %t/fatal.mlir --input-file=%t/fatal.err --implicit-check-not=PLEASE --implicit-check-not="Stack dump"
// RUN: not %tileir-serialize %t/ascii.mlir --emit=ptx -o %t/none 2>&1 | FileCheck %t/ascii.mlir
// RUN: env -u TILEIR_PTXAS_PATH PATH=%t TMPDIR=%t/nowhere %tileir-serialize %t/math.mlir --emit=llvm -o - | FileCheck %t/math.mlir --check-prefix=IR
// RUN: env -u TILEIR_PTXAS_PATH PATH=%t TMPDIR=%t/nowhere %tileir-serialize %t/math.mlir --emit=bc -o %t/math.bc && llvm-dis %t/math.bc -o - | FileCheck %t/math.mlir --check-prefix=IR
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_PTX=%t/given.ptx not %tileir-serialize %t/math.mlir -o %t/none
// RUN: cmp %t/math.ptx %t/given.ptx
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_VERSION=13.5 %tileir-serialize %lib/serialize/axpy-tile.mlir --emit=ptx -o %t/tile.ptx
// RUN: env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_VERSION=13.5 STANDIN_PTX=%t/given.ptx not %tileir-serialize %lib/serialize/axpy-tile.mlir -o %t/none
// RUN: cmp %t/tile.ptx %t/given.ptx
// RUN: not ls %t/none

//--- math.mlir
// Every operation says how it rounds, so that no option of ptxas decides (S-144); products and sums meet only where the IR
// allows it; switches of LLVM are the user's (S-134). No tool is needed for text (S-058, S-147), which is what ptxas gets
// (S-148, S-149: nothing but instructions and directives).
// CHECK-LABEL: .visible .entry k(
// CHECK-NOT:   {{mul|add}}.f32
// CHECK-DAG:   mul.rn.f32
// CHECK-DAG:   add.rn.f32
// CHECK-DAG:   fma.rn.f32
// CHECK-DAG:   sqrt.rn.f32
// CHECK-NOT:   {{mul|add}}.f32
// CHECK:       ret;
// APPROX: sqrt.approx.f32
// STRICT-NOT: fma.rn.f32
// IR: define ptx_kernel void @k(
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: f32, %y: f32) attributes {nvvm.kernel} {
    %a = llvm.fmul %x, %y : f32
    %b = llvm.fadd %a, %x : f32
    %s = llvm.intr.sqrt(%b) : (f32) -> f32
    llvm.store %s, %p : f32, !llvm.ptr<1>
    %c = llvm.fmul %x, %x {fastmathFlags = #llvm.fastmath<contract>} : f32
    %d = llvm.fadd %c, %y {fastmathFlags = #llvm.fastmath<contract>} : f32
    llvm.store %d, %q : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- externals.mlir
// Functions that may stay undefined (S-142, S-181); the device runtime's launches are none.
// UNKNOWN: error: undefined device function 'elsewhere'
// LAUNCHES: error: undefined device function 'cudaGetParameterBufferV2'
// RDC: .extern .func elsewhere
// RUNTIME: __assertfail
gpu.module @unknown [#nvvm.target<chip = "sm_90">] {
  llvm.func @elsewhere()
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.call @elsewhere() : () -> ()
    llvm.return
  }
}
gpu.module @launches [#nvvm.target<chip = "sm_90">] {
  llvm.func @cudaGetParameterBufferV2()
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.call @cudaGetParameterBufferV2() : () -> ()
    llvm.return
  }
}
gpu.module @runtime [#nvvm.target<chip = "sm_90">] {
  llvm.func @__assertfail(!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64)
  llvm.func @k(%p: !llvm.ptr, %i: i32, %n: i64) attributes {nvvm.kernel} {
    llvm.call @__assertfail(%p, %p, %i, %p, %n) : (!llvm.ptr, !llvm.ptr, i32, !llvm.ptr, i64) -> ()
    llvm.return
  }
}

//--- reflect.mlir
// An unknown key is 0, the command line beats everything (S-141); without the step the calls are undefined (S-263).
// CHECK: st.global.{{b32|u32}} [{{.*}}], 7;
// UNRESOLVED: error: undefined device function '__nvvm_reflect'
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.mlir.global internal constant @mine("mine\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @other("other\00") {addr_space = 0 : i32}
  llvm.func @__nvvm_reflect(!llvm.ptr) -> i32
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %a = llvm.mlir.addressof @mine : !llvm.ptr
    %b = llvm.mlir.addressof @other : !llvm.ptr
    %x = llvm.call @__nvvm_reflect(%a) : (!llvm.ptr) -> i32
    %y = llvm.call @__nvvm_reflect(%b) : (!llvm.ptr) -> i32
    %z = llvm.add %x, %y : i32
    llvm.store %z, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}

//--- fatal.mlir
// A fatal error of LLVM ends as one error line (S-145).
// CHECK: {{^}}error: {{.+}}
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %a = llvm.load %p : !llvm.ptr<1> -> f80
    %b = llvm.fadd %a, %a : f80
    llvm.store %b, %p : f80, !llvm.ptr<1>
    llvm.return
  }
}

//--- ascii.mlir
// Text that ptxas would refuse never reaches it (S-146).
// CHECK: error: PTX holds byte 0xC3 at line {{[0-9]+}}
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.inline_asm has_side_effects "// \C3\A4", "" : () -> ()
    llvm.return
  }
}
