// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-finalize-llvm-kernel))'
// The gate lifts the cap whatever its value is.
// RUN: env TILE_AS_DEBUG_UNLIMITED_SMEM=0 %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-finalize-llvm-kernel))' | FileCheck %s
// CHECK: gpu.module @shared
// CHECK: llvm.func @k()

gpu.module @shared attributes {nv_tileaa.target_spec = "sm_120a"} {
  llvm.mlir.global internal @a() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<100000 x i8>
  llvm.mlir.global internal @b() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<2000 x i8>
  llvm.func @helper() {
    %0 = llvm.mlir.addressof @b : !llvm.ptr<3>
    llvm.return
  }
  // expected-note @below {{Entry function 'k' uses too much shared data (0x18e70 bytes, 0x18c00 max)}}
  // expected-error @below {{kernel 'k' needs 102000 bytes of shared memory, target 'sm_120a' has 101376; use smaller tiles or fewer stages}}
  llvm.func @k() attributes {nvvm.kernel} {
    %0 = llvm.mlir.addressof @a : !llvm.ptr<3>
    llvm.call @helper() : () -> ()
    llvm.return
  }
}
