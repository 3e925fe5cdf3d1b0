// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row that shared memory cannot hold: what goes from the layout of loads to that of the scan goes in slabs.
cuda_tile.module @kernels {
  entry @scan_long(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %from = make_tensor_view %x, shape = [65536], strides = [1] : tensor_view<65536xi32, strides=[1]>
    %parts = make_partition_view %from : partition_view<tile=(65536), tensor_view<65536xi32, strides=[1]>>
    %row, %read = load_view_tko weak %parts[%zero] : partition_view<tile=(65536), tensor_view<65536xi32, strides=[1]>>, tile<i32> -> tile<65536xi32>, token
    %sums = scan %row dim=0 reverse=false identities=[0 : i32] : tile<65536xi32> -> tile<65536xi32>
    (%next: tile<i32>, %before: tile<i32>) {
      %sum = addi %next, %before : tile<i32>
      yield %sum : tile<i32>
    }
    %to = make_tensor_view %y, shape = [65536], strides = [1] : tensor_view<65536xi32, strides=[1]>
    %places = make_partition_view %to : partition_view<tile=(65536), tensor_view<65536xi32, strides=[1]>>
    %written = store_view_tko weak %sums, %places[%zero] : tile<65536xi32>, partition_view<tile=(65536), tensor_view<65536xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
