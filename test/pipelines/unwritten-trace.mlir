// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace of the schedules that no pass writes has a remark; other options without effect stay silent.
// DEFINE: %{options} = unset
// DEFINE: %{opt} = %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{compute-capability=sm_90 %{options}})' --remark-format=emitRemark --remarks-filter-missed=tileas_schedule -o /dev/null 2>&1
// REDEFINE: %{options} = opt-level=3 pipeline-strategy=unspecialize v2-opt-level=0 rrt-size-threshold=7 enable-random-delay schedule-trace-file=%t.json
// RUN: %{opt} | FileCheck %s --check-prefix=EFFORT
// REDEFINE: %{options} = opt-level=3 pipeline-strategy=none schedule-trace-file=%t.json
// RUN: %{opt} | FileCheck %s --check-prefix=STRATEGY
// REDEFINE: %{options} = opt-level=1 pipeline-strategy=unspecialize v2-opt-level=2 schedule-trace-file=%t.json
// RUN: %{opt} | FileCheck %s --check-prefix=TIER
// RUN: not ls %t.json
// REDEFINE: %{options} = opt-level=3 pipeline-strategy=unspecialize v2-opt-level=0 rrt-size-threshold=7 enable-random-delay
// RUN: %{opt} | count 0
// REDEFINE: %{options} = opt-level=3 pipeline-strategy=unspecialize v2-opt-level=1 schedule-trace-file=%t.json
// RUN: %{opt} | FileCheck %s --check-prefix=WRITTEN --allow-empty
// RUN: ls %t.json

//   EFFORT: remark: [Missed] FileNotWritten | Category:tileas_schedule{{.*}}Reason="no pass writes it with v2-opt-level=0", Remark="'{{.*}}.json' is not written"
// STRATEGY: Reason="no pass writes it with pipeline-strategy=none"
//     TIER: Reason="no pass writes it with opt-level=1"
// WRITTEN-NOT: FileNotWritten
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %view = make_tensor_view %p, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %tiles = make_partition_view %view : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    for %i in (%zero to %n, step %one) : tile<i32> {
      %x, %t = load_view_tko weak %tiles[%i] : partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
      %y = mulf %x, %x : tile<128xf32>
      %u = store_view_tko weak %y, %tiles[%i] : tile<128xf32>, partition_view<tile=(128), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
      continue
    }
    return
  }
}
