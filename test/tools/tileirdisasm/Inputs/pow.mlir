// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cuda_tile.module @m attributes {producer = "a = pow b"} {
  entry @k(%x: tile<f32>) {
    %0 = pow %x, %x : tile<f32>
    %c = constant <i1: true> : tile<i1>
    assert %c, "1 = pow 2" : tile<i1>
    return
  }
}
