// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows from a counter in memory, which every block asks before its loop and at the end of each iteration (issue #42): rows of
// many warps and of one.
cuda_tile.module @kernels {
  entry @stolen_rows(%wides: tile<ptr<i32>>, %narrows: tile<ptr<i32>>, %n: tile<i32>, %wide: tile<ptr<i32>>, %narrow: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %wt = make_tensor_view %wide, shape = [5, 4096], strides = [4096, 1] : tensor_view<5x4096xi32, strides=[4096,1]>
    %wp = make_partition_view %wt : partition_view<tile=(1x4096), tensor_view<5x4096xi32, strides=[4096,1]>>
    %iw = iota : tile<4096xi32>
    %w0, %t0 = atomic_rmw_tko relaxed device %wides, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %w = loop iter_values(%i = %w0) : tile<i32> -> tile<i32> {
      %more = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      if %more {
      } else {
        break %i : tile<i32>
      }
      %r = reshape %i : tile<i32> -> tile<1xi32>
      %b = broadcast %r : tile<1xi32> -> tile<4096xi32>
      %v = muli %iw, %b : tile<4096xi32>
      %row = reshape %v : tile<4096xi32> -> tile<1x4096xi32>
      %s = store_view_tko weak %row, %wp[%i, %c0] : tile<1x4096xi32>, partition_view<tile=(1x4096), tensor_view<5x4096xi32, strides=[4096,1]>>, tile<i32> -> token
      %next, %t1 = atomic_rmw_tko relaxed device %wides, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      continue %next : tile<i32>
    }
    %nt = make_tensor_view %narrow, shape = [5, 32], strides = [32, 1] : tensor_view<5x32xi32, strides=[32,1]>
    %np = make_partition_view %nt : partition_view<tile=(1x32), tensor_view<5x32xi32, strides=[32,1]>>
    %in = iota : tile<32xi32>
    %n0, %t2 = atomic_rmw_tko relaxed device %narrows, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %m = loop iter_values(%i = %n0) : tile<i32> -> tile<i32> {
      %end = cmpi greater_than_or_equal %i, %n, signed : tile<i32> -> tile<i1>
      if %end {
        break %i : tile<i32>
      }
      %r = reshape %i : tile<i32> -> tile<1xi32>
      %b = broadcast %r : tile<1xi32> -> tile<32xi32>
      %v = addi %in, %b : tile<32xi32>
      %row = reshape %v : tile<32xi32> -> tile<1x32xi32>
      %s = store_view_tko weak %row, %np[%i, %c0] : tile<1x32xi32>, partition_view<tile=(1x32), tensor_view<5x32xi32, strides=[32,1]>>, tile<i32> -> token
      %next, %t3 = atomic_rmw_tko relaxed device %narrows, add, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      continue %next : tile<i32>
    }
    return
  }
}
