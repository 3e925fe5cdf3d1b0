// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#l = #nv_tileas.layout<reg, [128], blocked<per_thread = [1], lanes = [32], warps = [4], order = [0]>>
module attributes {gpu.container_module} {
  gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a", tileir.launch_abi = "tile"} {
    nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32>, %x: f32) {
      %t = nv_tileas.splat %x : f32 -> tensor<128xf32, #l>
      nv_tileaa.return
    }
  }
}
