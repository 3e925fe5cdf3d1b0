// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize))'
// RUN: not %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-post-nvvm-finalize{debuginfo-level=some}))' 2>&1 | FileCheck %s
// CHECK: error: invalid value 'some' for option 'debuginfo-level'; expected one of 'none', 'full', 'line-tables', 'debug-directives'

// expected-error @below {{chip 'sm_90' lacks the suffix that the kernels need; run convert-target-to-nvvm}}
gpu.module @suffix [#nvvm.target<chip = "sm_90", features = "+ptx90">] attributes {nv_tileas.needs_accelerated_arch} {}

// -----

// expected-error @below {{target features '+ptx80' are below PTX 8.8, needed by 'sm_103a'; run convert-target-to-nvvm}}
gpu.module @chip [#nvvm.target<chip = "sm_103a", features = "+ptx80">] {}

// -----

// expected-error @below {{target features '+ptx86' are below PTX 9.0, needed by the cluster launch of kernel 'k'; run convert-target-to-nvvm}}
gpu.module @cluster [#nvvm.target<chip = "sm_100a", features = "+ptx86">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.cluster_dim = array<i32: 2, 1, 1>} { llvm.return }
}

// -----

// expected-error @below {{target features '+ptx86' are below PTX 8.8, needed by the hidden parameters of kernel 'k'; run convert-target-to-nvvm}}
gpu.module @hidden [#nvvm.target<chip = "sm_100a", features = "+ptx86">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k(%w: !llvm.ptr<1> {tileir.hidden = "workspace"}) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} { llvm.return }
}

// -----

// expected-error @below {{gpu.module 'several' carries 2 targets}}
gpu.module @several [#nvvm.target<chip = "sm_80">, #nvvm.target<chip = "sm_90">] {}

// -----

// expected-error @below {{gpu.module 'none' has no target attribute}}
gpu.module @none attributes {nv_tileaa.target_spec = "sm_80"} {}

// -----

gpu.module @leftover [#nvvm.target<chip = "sm_80">] {
  llvm.func @k() attributes {nvvm.kernel} {
    // expected-error @below {{operation 'gpu.barrier' cannot be serialized; run the full tileir pipeline}}
    gpu.barrier
    llvm.return
  }
}
