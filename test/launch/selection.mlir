// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LA-54 under --select-kernel-list: the host object knows the kernels that are in the cubin, in their order, and no others; its
// workspace is theirs (LA-36). Launcher stubs, too.
// REQUIRES: ptxas
// RUN: %mlir-opt %s -o %t.mlir --load-dialect-plugin=%libHostWrapperPasses.so --load-pass-plugin=%libHostWrapperPasses.so --pass-pipeline='builtin.module(tileir-emit-host-wrapper{launcher-stubs host-triple=x86_64-unknown-linux-gnu})'
// RUN: %tileir-serialize %t.mlir -o %t.cubin --select-kernel-list=d,b
// RUN: %host-object-check %t.cubin 32 | FileCheck %s --check-prefix=TWO
// TWO: {{^}}table: 2 0 3670016 0 64 __CUDA_TILEIR_FUNC_CALLBACKS 2 2 __CUDA_TILEIR_ON_PRE_LOAD
// TWO: pre-load version 1: result 0, 1 calls
// TWO-NEXT: table: 2 0 2162688 0 64 __CUDA_TILEIR_FUNC_CALLBACKS 2 2
// TWO: kernel 0 'b': __CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0, result 0, changed [8, 16)
// TWO-NEXT: kernel 1 'd': __CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_1, result 0, changed nothing
// TWO-NOT: kernel
// The workspace of three maps went with its kernel; without any there is none.
// RUN: %tileir-serialize %t.mlir -o %t.cubin --select-kernel-range=0
// RUN: %host-object-check %t.cubin 32 | FileCheck %s --check-prefix=ONE
// ONE: {{^}}table: 2 0 0 0 64 __CUDA_TILEIR_FUNC_CALLBACKS 1 2
// ONE: kernel 0 'a': __CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0, result 0, changed nothing
// ONE-NOT: kernel
// RUN: %tileir-serialize %t.mlir -o %t.o --emit=obj --launcher-stubs --host-arch=x86_64 --select-kernel-list=c
// RUN: llvm-readelf -sW %t.o | FileCheck %s --check-prefix=STUBS
// STUBS-NOT: __tileir_launch_
// STUBS: FUNC GLOBAL DEFAULT {{.*}} __tileir_launch_c{{$}}
// STUBS-NOT: __tileir_launch_
// Everything: the bytes of no selection.
// RUN: %tileir-serialize %t.mlir -o %t.all.cubin && %tileir-serialize %t.mlir -o %t.list.cubin --select-kernel-list=a,b,c,d && cmp %t.all.cubin %t.list.cubin

// A kernel after the host module is not found there.
// RUN: sed -e 's/@a(/@z(/' %t.mlir > %t.late.mlir
// RUN: not %tileir-serialize %t.late.mlir -o %t.none --emit=cubin 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: the host module does not know kernel 'z'; run tileir-emit-host-wrapper last

gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @a(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} { llvm.return }
  llvm.func @b(%p: !llvm.ptr<1>, %w: !llvm.ptr<1> {tileir.hidden = "workspace"}) attributes {nvvm.kernel, tileir.device_maps = 2 : i32, nvvm.reqntid = array<i32: 128, 1, 1>} { llvm.return }
  llvm.func @c(%w: !llvm.ptr<1> {tileir.hidden = "workspace"}) attributes {nvvm.kernel, tileir.device_maps = 3 : i32, nvvm.reqntid = array<i32: 128, 1, 1>} { llvm.return }
  llvm.func @d() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} { llvm.return }
}
