// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that ask for clusters: one whose tile block CTAs divide, which reads its place in the grid and in the cluster, and one that stays in a
// CTA, says so at its place, and what that leaves idle.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_90 num-ctas=2})' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=OPTION --implicit-check-not=warning
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_90})' -o /dev/null 2>&1 | FileCheck %s --check-prefix=HINT --implicit-check-not=warning
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_80})' -o /dev/null 2>&1 | count 0

cuda_tile.module @kernels {
  // OPTION: clusters.mlir:[[#@LINE+2]]:3: warning: num_ctas = 2 (option 'num-ctas', hint 'num_cta_in_cga') has no effect: a tile block runs in one CTA, and 1 of the 2 SMs of a cluster (50 %) stay idle
  // HINT-NOT: [[#@LINE+1]]:3: warning
  entry @option(%p: tile<ptr<i32>>) {
    return
  }
  // OPTION: clusters.mlir:[[#@LINE+2]]:3: warning: num_ctas = 4 (option 'num-ctas', hint 'num_cta_in_cga') has no effect: a tile block runs in one CTA, and 3 of the 4 SMs of a cluster (75 %) stay idle
  //   HINT: clusters.mlir:[[#@LINE+1]]:3: warning: num_ctas = 4
  entry @hint(%p: tile<ptr<i32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 4}> {
    return
  }
  // CHECK-LABEL: llvm.func @divided(
  //  CHECK-SAME:   nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 2, 1, 1>
  //   CHECK-DAG:   nvvm.read.ptx.sreg.clusterid.x
  //   CHECK-DAG:   nvvm.read.ptx.sreg.cluster.ctaid.x
  entry @divided(%p: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %t = make_tensor_view %p, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %v = make_partition_view %t : partition_view<tile=(256), tensor_view<4096xi32, strides=[1]>>
    %x, %t0 = load_view_tko weak %v[%b] : partition_view<tile=(256), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %y = addi %x, %x : tile<256xi32>
    %t1 = store_view_tko weak %y, %v[%b] token = %t0 : tile<256xi32>, partition_view<tile=(256), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
