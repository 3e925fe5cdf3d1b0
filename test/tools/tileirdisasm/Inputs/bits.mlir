// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cuda_tile.module @m {
  entry @k() {
    %0 = constant <i1: "0x05000000000000000000000000000080"> : tile<128xi1>
    return
  }
}
