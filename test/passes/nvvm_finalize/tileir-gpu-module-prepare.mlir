// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-gpu-module-prepare))' | FileCheck %s
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-gpu-module-prepare,tileir-gpu-module-prepare))' -o /dev/null

// CHECK-LABEL: gpu.module @form_by_default
//  CHECK-SAME:   tileir.launch_abi = "tile"
gpu.module @form_by_default attributes {nv_tileaa.target_spec = "sm_80"} {
  // CHECK: llvm.func @k
  llvm.func @k() attributes {nvvm.kernel} { llvm.return }
}

// -----

// CHECK-LABEL: gpu.module @form_stays
//  CHECK-SAME:   tileir.launch_abi = "plain"
gpu.module @form_stays attributes {nv_tileaa.target_spec = "sm_80", tileir.launch_abi = "plain"} {
}

// -----

// CHECK-LABEL: gpu.module @cluster
gpu.module @cluster attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_ctas = 2 : i32} {
  nv_tileaa.func kernel @from_spec() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 8, cluster_dim = [8, 1, 1]>} {
    nv_tileaa.return
  }
  nv_tileaa.func kernel @from_module() {
    nv_tileaa.return
  }
  // expected-warning @below {{cluster of 16 CTAs is not portable}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 4, 4, 1>} { llvm.return }
}
