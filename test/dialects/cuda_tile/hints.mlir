// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Silent unless asked for.
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so 2>&1 | FileCheck %s --check-prefix=SILENT
// RUN: %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so -Wunsupported-hints 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so -Wunsupported-hints -Werr-hints 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// The environment says the same; only 1 counts.
// RUN: env TILEIR_WARN_HINTS=1 %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not env TILEIR_WARN_HINTS=1 TILEIR_ERR_HINTS=1 %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ERROR
// RUN: env TILEIR_WARN_HINTS=true TILEIR_ERR_HINTS=1 %mlir-opt %s --load-dialect-plugin=%libCudaTileDialect.so 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SILENT

// SILENT-NOT: warning
// SILENT: entry @hints(

// WARN-DAG: warning: integer value expected for default.occupancy
// WARN-DAG: warning: unknown hint key sm_100a
// WARN-DAG: warning: latency is not known hint for current Operation
// WARN-DAG: warning: expected 1 for sm_80.num_cta_in_cga
// WARN-DAG: warning: expected power-of-two ≤ 16 for sm_90.num_cta_in_cga
// WARN-DAG: warning: expected power-of-two ≤ 32 for sm_90.num_worker_warps_per_cta
// WARN-DAG: warning: integer value in the range [1, 32] is expected for sm_90.occupancy
// WARN-DAG: warning: integer value in the range [1, 10] is expected for sm_90.latency
// WARN-DAG: warning: boolean value expected for sm_100.allow_tma
// WARN: entry @hints(

// ERROR: error: 'cuda_tile.entry' op Optimization hints verification failed
cuda_tile.module @m {
  entry @hints(%p: tile<ptr<f32>>, %i: tile<i32>) optimization_hints=<sm_100a = {occupancy = 99}, sm_80 = {num_cta_in_cga = 2, latency = 3}, sm_90 = {num_cta_in_cga = 3, occupancy = 33, num_worker_warps_per_cta = 64}, default = {occupancy = true}> {
    %v = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %w = make_partition_view %v : partition_view<tile=(4), tensor_view<64xf32, strides=[1]>>
    %0, %1 = load_view_tko weak %w[%i] optimization_hints = <sm_90 = {latency = 11}, sm_100 = {allow_tma = 1}> : partition_view<tile=(4), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<4xf32>, token
    return
  }
}
