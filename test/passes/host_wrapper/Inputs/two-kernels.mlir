// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @m attributes {tileir.launch_abi = "tile"} {
  llvm.func @first(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} { llvm.return }
  llvm.func @second(%x: f16, %y: i1, %z: f64) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} { llvm.return }
}
