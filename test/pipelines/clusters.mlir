// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that asks for clusters says at its place that it gets none, and what that leaves idle; the code is that of one CTA.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_90 num-ctas=2})' -o %t.two.mlir 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_90})' -o %t.one.mlir 2>&1 | FileCheck %s --check-prefix=HINT --implicit-check-not=warning
// RUN: cmp %t.one.mlir %t.two.mlir
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_80})' -o /dev/null 2>&1 | count 0

cuda_tile.module @kernels {
  //      CHECK: clusters.mlir:[[#@LINE+2]]:3: warning: num_ctas = 2 (option 'num-ctas', hint 'num_cta_in_cga') has no effect: a tile block runs in one CTA, and 1 of the 2 SMs of a cluster (50 %) stay idle
  // HINT-NOT: [[#@LINE+1]]:3: warning
  entry @option(%p: tile<ptr<i32>>) {
    return
  }
  // CHECK: clusters.mlir:[[#@LINE+2]]:3: warning: num_ctas = 4 (option 'num-ctas', hint 'num_cta_in_cga') has no effect: a tile block runs in one CTA, and 3 of the 4 SMs of a cluster (75 %) stay idle
  //  HINT: clusters.mlir:[[#@LINE+1]]:3: warning: num_ctas = 4
  entry @hint(%p: tile<ptr<i32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 4}> {
    return
  }
}
