// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A search that returns from within two loops: where the key of the block is, or -1.
cuda_tile.module @kernels {
  entry @return_in_loop(%x: tile<ptr<i32>>, %k: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %none = constant <i32: -1> : tile<i32>
    %pk = offset %k, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %key, %t0 = load_ptr_tko weak %pk : tile<ptr<i32>> -> tile<i32>, token
    %py = offset %y, %bx : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %rows = loop iter_values(%r = %c0) : tile<i32> -> tile<i32> {
      %last = cmpi equal %r, %c4, signed : tile<i32> -> tile<i1>
      if %last {
        break %r : tile<i32>
      }
      %first = muli %r, %c8 : tile<i32>
      %next = loop iter_values(%c = %c0) : tile<i32> -> tile<i32> {
        %end = cmpi equal %c, %c8, signed : tile<i32> -> tile<i1>
        if %end {
          break %r : tile<i32>
        }
        %at = addi %first, %c : tile<i32>
        %px = offset %x, %at : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %v, %t1 = load_ptr_tko weak %px : tile<ptr<i32>> -> tile<i32>, token
        %hit = cmpi equal %v, %key, signed : tile<i32> -> tile<i1>
        if %hit {
          %t2 = store_ptr_tko weak %py, %at : tile<ptr<i32>>, tile<i32> -> token
          return
        }
        %c2 = addi %c, %c1 : tile<i32>
        continue %c2 : tile<i32>
      }
      %r2 = addi %next, %c1 : tile<i32>
      continue %r2 : tile<i32>
    }
    %t3 = store_ptr_tko weak %py, %none : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
