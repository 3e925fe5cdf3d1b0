// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chain of places, each taken out of memory by an exchange: the next place steers a loop with several ends, and a minimum in
// memory which places count (issue #42). Ordered loads steer an inner loop.
cuda_tile.module @kernels {
  entry @exchanged_places(%next: tile<ptr<i32>>, %turns: tile<ptr<i32>>, %least: tile<ptr<i32>>, %order: tile<ptr<i32>>, %sums: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c12 = constant <i32: 12> : tile<i32>
    %none = constant <i32: -1> : tile<i32>
    %st = make_tensor_view %sums, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xi32, strides=[512,1]>
    %sp = make_partition_view %st : partition_view<tile=(1x512), tensor_view<16x512xi32, strides=[512,1]>>
    %iota = iota : tile<512xi32>
    %first, %t0 = atomic_rmw_tko relaxed device %next, xchg, %none : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %last:2 = loop iter_values(%i = %first, %count = %c0) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {
      %end = cmpi less_than %i, %c0, signed : tile<i32> -> tile<i1>
      if %end {
        break %i, %count : tile<i32>, tile<i32>
      }
      %po = offset %order, %count : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %t1 = store_ptr_tko weak %po, %i : tile<ptr<i32>>, tile<i32> -> token
      %more = addi %count, %c1 : tile<i32>
      %p = offset %next, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %to, %t2 = atomic_rmw_tko relaxed device %p, xchg, %none : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %old, %t3 = atomic_rmw_tko relaxed device %least, min, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %isLarger = cmpi less_than %old, %i, signed : tile<i32> -> tile<i1>
      if %isLarger {
        continue %to, %more : tile<i32>, tile<i32>
      }
      %pt = offset %turns, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %n, %t4 = load_ptr_tko relaxed device %pt : tile<ptr<i32>> -> tile<i32>, token
      %zero = constant <i32: 0> : tile<512xi32>
      %sum = for %k in (%c0 to %n, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<512xi32>) {
        %pk = offset %turns, %k : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %m, %t5 = load_ptr_tko acquire device %pk : tile<ptr<i32>> -> tile<i32>, token
        %isOdd = andi %m, %c1 : tile<i32>
        %odd = cmpi equal %isOdd, %c1, signed : tile<i32> -> tile<i1>
        if %odd {
          continue %acc : tile<512xi32>
        }
        %r = reshape %m : tile<i32> -> tile<1xi32>
        %b = broadcast %r : tile<1xi32> -> tile<512xi32>
        %scaled = muli %iota, %b : tile<512xi32>
        %longer = addi %acc, %scaled : tile<512xi32>
        continue %longer : tile<512xi32>
      }
      %row = reshape %sum : tile<512xi32> -> tile<1x512xi32>
      %t6 = store_view_tko weak %row, %sp[%i, %c0] : tile<1x512xi32>, partition_view<tile=(1x512), tensor_view<16x512xi32, strides=[512,1]>>, tile<i32> -> token
      %isEnough = cmpi equal %more, %c12, signed : tile<i32> -> tile<i1>
      if %isEnough {
        break %to, %more : tile<i32>, tile<i32>
      }
      continue %to, %more : tile<i32>, tile<i32>
    }
    return
  }
}
