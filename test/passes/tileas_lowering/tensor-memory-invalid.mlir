// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-buffers)))' --split-input-file --verify-diagnostics

#d = #nv_tileas.layout<tmem, [128, 512], tmem_acc<m = 128, bits = 32>>
#e = #nv_tileas.layout<tmem, [64, 64], tmem_acc<m = 64, bits = 32>>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // expected-error @below {{fails to assign tmem buffer}}
  // expected-note @below {{the kernel needs 576 columns of tensor memory, 'sm_100a' has 512; use smaller tiles}}
  nv_tileaa.func kernel @wide() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    // expected-note @below {{64 columns for this operation}}
    %e = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xf32, #e>
    // expected-note @below {{512 columns for this operation}}
    %d = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x512xf32, #d>
    nv_tileaa.return
  }
}
