// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block writes a tile and sets a flag; others read the flag once and then in a loop until it is set (issue #42).
cuda_tile.module @kernels {
  entry @flag_twice(%flag: tile<ptr<i32>>, %buffer: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %bt = make_tensor_view %buffer, shape = [4096], strides = [1] : tensor_view<4096xi32, strides=[1]>
    %bp = make_partition_view %bt : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>
    %ot = make_tensor_view %out, shape = [3, 4096], strides = [4096, 1] : tensor_view<3x4096xi32, strides=[4096,1]>
    %op = make_partition_view %ot : partition_view<tile=(1x4096), tensor_view<3x4096xi32, strides=[4096,1]>>
    %iota = iota : tile<4096xi32>
    %isFirst = cmpi equal %b, %c0, signed : tile<i32> -> tile<i1>
    if %isFirst {
      %t0 = store_view_tko weak %iota, %bp[%c0] : tile<4096xi32>, partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> token
      %old, %t1 = atomic_rmw_tko release device %flag, xchg, %c1 token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %row = reshape %iota : tile<4096xi32> -> tile<1x4096xi32>
      %t2 = store_view_tko weak %row, %op[%b, %c0] : tile<1x4096xi32>, partition_view<tile=(1x4096), tensor_view<3x4096xi32, strides=[4096,1]>>, tile<i32> -> token
    } else {
      %f0, %t3 = atomic_rmw_tko acquire device %flag, add, %c0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %f, %t4 = loop iter_values(%f1 = %f0, %before = %t3) : tile<i32>, token -> tile<i32>, token {
        %waits = cmpi equal %f1, %c0, signed : tile<i32> -> tile<i1>
        if %waits {
        } else {
          break %f1, %before : tile<i32>, token
        }
        %f2, %t5 = atomic_rmw_tko acquire device %flag, add, %c0 token=%before : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
        continue %f2, %t5 : tile<i32>, token
      }
      %v, %t6 = load_view_tko weak %bp[%c0] token=%t4 : partition_view<tile=(4096), tensor_view<4096xi32, strides=[1]>>, tile<i32> -> tile<4096xi32>, token
      %r = reshape %b : tile<i32> -> tile<1xi32>
      %bs = broadcast %r : tile<1xi32> -> tile<4096xi32>
      %sum = addi %v, %bs : tile<4096xi32>
      %row = reshape %sum : tile<4096xi32> -> tile<1x4096xi32>
      %t7 = store_view_tko weak %row, %op[%b, %c0] : tile<1x4096xi32>, partition_view<tile=(1x4096), tensor_view<3x4096xi32, strides=[4096,1]>>, tile<i32> -> token
    }
    return
  }
}
