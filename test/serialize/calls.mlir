// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf becomes vprintf with a C structure (S-180, S-182); kernels are selected by name and number (S-262); the gates
// parse with their defaults and change nothing (S-260).
// RUN: %tileir-serialize %s --emit=llvm -O0 -o - | FileCheck %s
// RUN: %tileir-serialize %s --emit=ptx -o - > %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: %tileir-serialize %s --emit=ptx -o - -basic-dbe=0 -do-scev-cgp=2 -do-scev-cgp-aggresively=1 --enable-fma-to-ffma2=0 -scev-cgp-inst-limit=500 -opt-unsafe-algebra=1 -process-restrict=1 -do-clone-for-ip-msp=-1 --select-kernel-list= | cmp - %t.ptx
// RUN: %tileir-serialize %s --emit=ptx -o - --select-kernel-list=b | FileCheck %s --check-prefix=ONLYB
// RUN: %tileir-serialize %s --emit=ptx -o - --select-kernel-range=1-7 | FileCheck %s --check-prefix=ONLYB
// RUN: %tileir-serialize %s --emit=ptx -o - --select-kernel-range=0 --select-kernel-list=nope 2>&1 | FileCheck %s --check-prefix=ONLYA
// RUN: not %tileir-serialize %s --emit=ptx -o %t.none --select-kernel-range=9 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not %tileir-serialize %s --emit=ptx -o %t.none --select-kernel-range=x 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not %tileir-serialize %s --emit=ptx -o %t.none --nvvm-lower-printf=0 2>&1 | FileCheck %s --check-prefix=RAW
// RUN: %tileir-serialize --help-hidden | FileCheck %s --check-prefix=HELP
// RUN: not ls %t.none

// CHECK:     define ptx_kernel void @a(
// CHECK:     %vprintfBuffer.local = alloca { i32, double, i32, i64, double }
// CHECK:     fpext float {{.*}} to double
// CHECK:     sext i8 {{.*}} to i32
// CHECK:     call i32 @vprintf(ptr {{.*}}, ptr %{{.*}})
// CHECK:     define ptx_kernel void @b(
// CHECK:     call i32 @vprintf(ptr {{.*}}, ptr null)
// PTX-DAG:   .visible .entry a(
// PTX-DAG:   .visible .entry b(
// ONLYB-NOT: .entry a(
// ONLYB:     .entry b(
// ONLYA:     warning: there is no kernel named 'nope'
// ONLYA:     .entry a(
// ONLYA-NOT: .entry b(
// NONE: error: no kernel selected
// RANGE: error: invalid kernel range 'x'
// RAW: error: undefined device function 'printf'
// HELP: --do-scev-cgp-aggresively
// HELP: --track-indir-load
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.mlir.global internal constant @format("%d %f %d %ld %f\0A\00") {addr_space = 0 : i32}
  llvm.mlir.global internal constant @bare("hello\0A\00") {addr_space = 0 : i32}
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @a(%i: i32, %f: f32, %c: i8, %l: i64, %d: f64) attributes {nvvm.kernel} {
    %p = llvm.mlir.addressof @format : !llvm.ptr
    %r = llvm.call @printf(%p, %i, %f, %c, %l, %d) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32, f32, i8, i64, f64) -> i32
    llvm.return
  }
  llvm.func @b() attributes {nvvm.kernel} {
    %p = llvm.mlir.addressof @bare : !llvm.ptr
    %r = llvm.call @printf(%p) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr) -> i32
    llvm.return
  }
}
