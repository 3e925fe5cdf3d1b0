// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gates of experts: what they do, and that variables of the same name do nothing (S-107, S-260, S-261).
// RUN: %tileir-serialize %s --emit=ptx -o %t.ptx && FileCheck %s --input-file=%t.ptx
// RUN: %tileir-serialize %s --emit=ptx -o - --basic-dbe | FileCheck %s --check-prefix=DBE
// RUN: %tileir-serialize %s --emit=ptx -o - --lsa-opt=0 | FileCheck %s --check-prefix=LSA
// RUN: %tileir-serialize %s --emit=ptx -o %t.same -dump-ir-before-memory-space-opt --dump-ir-after-memory-space-opt 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: cmp %t.ptx %t.same
// RUN: env BASIC_DBE=1 basic_dbe=1 LSA_OPT=0 NVVM_LOWER_PRINTF=0 SELECT_KERNEL_LIST=nope OPT_UNSAFE_ALGEBRA=0 DUMP_IR_BEFORE_MEMORY_SPACE_OPT=1 TILEIR_BASIC_DBE=1 %tileir-serialize %s --emit=ptx -o %t.same 2>&1 | count 0
// RUN: cmp %t.ptx %t.same
// RUN: %tileir-serialize %s --emit=ptx -o %t.same -opt-unsafe-algebra=1 -basic-dbe=0 -do-scev-cgp=2 -do-function-scev-cgp=2 -do-scev-cgp-aggresively=1 -scev-cgp-inst-limit=500 -scev-cgp-control=-1 -do-base-address-strength-reduce=4 -dump-base-address-strength-reduce=0 -enable-fma-to-ffma2=0 -do-clone-for-ip-msp=-1 -dump-ip-msp=0 -lsa-opt=1 -track-indir-load=1 -dump-ir-before-memory-space-opt=0 -dump-ir-after-memory-space-opt=0 -param-always-point-to-global=1 -process-restrict=1 -dump-process-restrict=0 -nvvm-lower-printf=1 --select-kernel-range= --select-kernel-list= 2>&1 | count 0
// RUN: cmp %t.ptx %t.same
// RUN: %tileir-serialize --help-hidden > %t.help && FileCheck %s --check-prefix=HELP --input-file=%t.help

// CHECK-LABEL:   .visible .entry barriers(
// CHECK-COUNT-3: bar.sync 0;
// DBE-LABEL:     .visible .entry barriers(
// DBE:           bar.sync 0;
// DBE-NOT:       bar.sync
// DBE:           st.global
// DBE:           bar.sync 0;
// DBE-NOT:       bar.sync
// DBE:           ret;
// CHECK-LABEL:   .visible .entry copies(
// CHECK-NOT:     .local
// LSA-LABEL:     .visible .entry copies(
// LSA:           .local
// DUMP:          ; module before memory-space optimization
// DUMP:          define ptx_kernel void @barriers(
// DUMP:          ; module after memory-space optimization
// HELP-DAG: --basic-dbe
// HELP-DAG: --do-clone-for-ip-msp
// HELP-DAG: --opt-unsafe-algebra
// HELP-DAG: --scev-cgp-inst-limit
// HELP-DAG: --select-kernel-list
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  llvm.func @barriers(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    nvvm.barrier0
    nvvm.barrier0
    llvm.store %x, %p : f32, !llvm.ptr<1>
    nvvm.barrier0
    llvm.return
  }
  llvm.func @copies(%p: !llvm.ptr<1>, %i: i32, %s: !llvm.ptr {llvm.byval = !llvm.array<16 x f32>, llvm.align = 4 : i64}) attributes {nvvm.kernel} {
    %q = llvm.getelementptr %s[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %x = llvm.load %q : !llvm.ptr -> f32
    llvm.store %x, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
