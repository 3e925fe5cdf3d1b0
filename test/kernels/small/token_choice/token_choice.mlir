// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose exit and whose next iteration have tokens of their own: the select becomes a join.
cuda_tile.module @kernels {
  entry @token_choice(%turns: tile<ptr<i32>>) {
    %none = make_token : token
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %last, %t = loop iter_values(%i = %zero, %before = %none) : tile<i32>, token -> tile<i32>, token {
      %own = make_token : token
      %done = cmpi greater_than_or_equal %i, %two, signed : tile<i32> -> tile<i1>
      if %done {
        break %i, %own : tile<i32>, token
      }
      %fenced = memory_fence_alias_tko %own
      %next = addi %i, %one : tile<i32>
      continue %next, %fenced : tile<i32>, token
    }
    %tv = make_tensor_view %turns, shape = [1], strides = [1] : tensor_view<1xi32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>
    %row = reshape %last : tile<i32> -> tile<1xi32>
    %s = store_view_tko weak %row, %pv[%zero] token = %t : tile<1xi32>, partition_view<tile=(1), tensor_view<1xi32, strides=[1]>>, tile<i32> -> token
  }
}
