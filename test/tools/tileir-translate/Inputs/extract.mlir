// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %i = constant <i32: 9> : tile<i32>
    %1 = extract %0[%i] : tile<16xi32> -> tile<4xi32>
    return
  }
}
