// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVVMFinalizePasses.so --load-pass-plugin=%libNVVMFinalizePasses.so
// RUN: %{opt} %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(tileir-gpu-module-prepare))'

// expected-error @below {{missing compute capability for NVVM target}}
gpu.module @no_target {
}

// -----

// expected-error @below {{unknown target 'sm_101'; expected one of sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_107, sm_110, sm_120, sm_121}}
gpu.module @unknown attributes {nv_tileaa.target_spec = "sm_101"} {
}

// -----

// expected-error @below {{target 'sm_75' has no tile lowering; expected one of sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_103, sm_107, sm_110, sm_120, sm_121}}
gpu.module @old [#nvvm.target<chip = "sm_75">] {
}

// -----

gpu.module @no_clusters attributes {nv_tileaa.target_spec = "sm_89"} {
  // expected-error @below {{num-ctas = 2 needs sm_90 or later, target is 'sm_89'; compile with num-ctas = 1}}
  nv_tileaa.func kernel @tile() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>} {
    nv_tileaa.return
  }
  // expected-error @below {{num-ctas = 4 needs sm_90 or later, target is 'sm_89'; compile with num-ctas = 1}}
  llvm.func @lowered() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 2, 2, 1>} { llvm.return }
}

// -----

gpu.module @too_many attributes {nv_tileaa.target_spec = "sm_90"} {
  // expected-error @below {{num-ctas = 32 exceeds 16; use fewer}}
  llvm.func @k() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 32, 1, 1>} { llvm.return }
}

// -----

// expected-error @below {{'tileir.launch_abi' expects 'tile' or 'plain', got "tiled"}}
gpu.module @form attributes {nv_tileaa.target_spec = "sm_90", tileir.launch_abi = "tiled"} {
}
