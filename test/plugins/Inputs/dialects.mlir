// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module {
  cuda_tile.module @kernels {
    entry @k(%n: tile<i32>) {
      return
    }
  }
}
