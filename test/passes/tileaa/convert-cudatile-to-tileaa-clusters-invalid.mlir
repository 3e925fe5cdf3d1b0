// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters on a target without them, with the message of tileir-gpu-module-prepare.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so --verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-cudatile-to-tileaa{num-ctas=2}))'

gpu.module @clusters attributes {nv_tileaa.target_spec = "sm_89"} {
  cuda_tile.module @m {
    // expected-error @below {{num-ctas = 2 needs sm_90 or later, target is 'sm_89'; compile with num-ctas = 1}}
    entry @k() {
      return
    }
  }
}
