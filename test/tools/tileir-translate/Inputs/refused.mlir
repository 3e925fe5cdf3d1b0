// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    // expected-error @below {{operation 'cuda_tile.atan2' is not available in bytecode version 13.1}}
    %0 = atan2 %x, %x : tile<f32>
    return
  }
}

// -----

cuda_tile.module @kernels {
  // expected-error @below {{global `g` uses non-public symbol visibility, which cannot be encoded in bytecode version 13.1 (requires bytecode 13.3+)}}
  global private @g <f32: [1.0, 2.0]> : tile<2xf32>
}
