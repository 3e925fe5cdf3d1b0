// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#a = #nv_tileas.layout<reg, [64], blocked<per_thread = [1], lanes = [32], warps = [2], order = [0]>>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90", nv_tileaa.num_warps = 2 : i32} {
  nv_tileaa.func kernel @k() {
    %0 = arith.constant dense<0.0> : tensor<64xf32, #a>
    nv_tileaa.return
  }
}
