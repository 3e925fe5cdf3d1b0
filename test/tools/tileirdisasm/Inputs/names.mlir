// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cuda_tile.module @m {
  entry @k() {
    %0 = constant <fnv8E5M3FNU: 1.0> : tile<fnv8E5M3FNU>
    %1 = constant <fnv8E5M3FNU: 114688.0> : tile<4xfnv8E5M3FNU>
    %2 = constant <fnv8E5M3FNU: 0xFF> : tile<fnv8E5M3FNU>
    %3 = constant <fnv8E5M3FNU: 1.125> : tile<fnv8E5M3FNU>
    %4 = constant <fnv8E5M3FNU: [1.0, 2.0]> : tile<2xfnv8E5M3FNU>
    %5 = constant <f32: 3.0> : tile<f32>
    %6 = constant <f16: 0x7E00> : tile<f16>
    %7 = constant <f64: -1.0> : tile<f64>
    %8 = constant <i32: -1> : tile<i32>
    %9 = constant <i1: true> : tile<i1>
    return
  }
}
