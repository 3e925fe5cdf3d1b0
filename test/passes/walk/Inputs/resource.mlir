// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @m attributes {nv_tileaa.target_spec = "sm_90"} {
  nv_tileaa.func kernel @k() {
    %0 = arith.constant dense_resource<blob> : tensor<64xf32>
    %1 = arith.addf %0, %0 : tensor<64xf32>
    nv_tileaa.return
  }
}
