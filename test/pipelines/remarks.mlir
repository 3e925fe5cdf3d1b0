// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks of the lowering about a kernel in stock mlir-opt.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_80})' --remark-format=emitRemark --remarks-filter='.*' -o %t.mlir 2>&1 | FileCheck %s
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_80})' --remark-format=emitRemark --remarks-filter-passed='Tensor-core' -o %t.mlir 2>&1 | FileCheck %s --check-prefix=MMA --implicit-check-not=Memory
// Nothing unasked, and the same code.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_80})' -o %t.silent.mlir 2>&1 | count 0
// RUN: cmp %t.mlir %t.silent.mlir

// CHECK-DAG: remark: [Passed] RemarkHint | Category:Hints | Function=product | Remark="OptimizationHint used num_worker_warps_per_cta"
// CHECK-DAG: remark: [Passed] RemarkHintDefault | Category:Hints | Function=product | Remark="OptimizationHint used default occupancy"
// CHECK-DAG: remark: [Missed] RemarkTensorViewIndexTypeNarrowing | Category:Memory | Function=product | Remark="Could not narrow tensor_view indexing to i32: index computations may require 38 bits"
// CHECK-DAG: remark: [Missed] HintUnused | Category:Hints | Function=product | Remark="OptimizationHint latency has no effect: the access is not pipelined"
// CHECK-DAG: remark: [Passed] RemarkMemoryLoadInstructionSelected | Category:Memory | Function=product | Instruction="Global-memory load instruction", Remark="Load instruction selected"
// CHECK-DAG: remark: [Passed] RemarkTensorCoreMMA | Category:Tensor-core | Function=product | Instruction="Tensor-core SM80", Remark="MMA operation successfully optimized to use Tensor Cores", Shape="[16, 8, 16]"
// CHECK-DAG: remark: [Analysis] AccessWidth | Category:tileas_lowering | Function=product | Accesses={{[0-9]+}}, Align=2, Bits=16, Remark="{{[0-9]+}} accesses of 16 bits per thread, limited by elements of a thread that are not adjacent"
// CHECK-DAG: remark: [Analysis] LayoutConversion | Category:tileas_lowering | Function=product | Elements=256, Remark="the tile changes its layout through shared memory", Way="shared memory"
//       MMA: remark: [Passed] RemarkTensorCoreMMA
cuda_tile.module @kernels {
  entry @product(%p: tile<ptr<f16>>, %q: tile<ptr<f32>>, %n: tile<i32>) optimization_hints=<default = {occupancy = 2}, sm_80 = {num_worker_warps_per_cta = 4}> {
    %in = make_tensor_view %p, shape = [%n, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16xf16, strides=[16,1]>
    %out = make_tensor_view %q, shape = [%n, 16], strides = [16, 1] : tile<i32> -> tensor_view<?x16xf32, strides=[16,1]>
    %pin = make_partition_view %in : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>>
    %pout = make_partition_view %out : partition_view<tile=(16x16), tensor_view<?x16xf32, strides=[16,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %zero = constant <f32: 0.0> : tile<16x16xf32>
    %a, %t = load_view_tko weak %pin[%x, %c0] optimization_hints = <default = {latency = 3}> : partition_view<tile=(16x16), padding_value = zero, tensor_view<?x16xf16, strides=[16,1]>>, tile<i32> -> tile<16x16xf16>, token
    %m = mmaf %a, %a, %zero : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
    %s = store_view_tko weak %m, %pout[%x, %c0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<?x16xf32, strides=[16,1]>>, tile<i32> -> token
    return
  }
}
