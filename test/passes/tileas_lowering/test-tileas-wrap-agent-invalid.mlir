// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(test-tileas-wrap-agent)))' --verify-diagnostics

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // expected-error @below {{an agent of 32 warps does not fit after warp 32; a CTA has at most 32}}
  nv_tileaa.func kernel @whole() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 32, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    nv_tileaa.return
  }
}
