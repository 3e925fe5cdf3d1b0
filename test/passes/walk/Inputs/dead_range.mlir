// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @m attributes {nv_tileaa.compute_capability = 90 : i32, nv_tileaa.num_warps = 4 : i32} {
  nv_tileaa.func kernel @k() attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c = nv_tileaa.make_range 0 to 64 : tensor<64xi32>
    nv_tileaa.return
  }
}
