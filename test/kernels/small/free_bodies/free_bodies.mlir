// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of reductions with a branch and with a division, which only the newest release allows.
cuda_tile.module @kernels {
  entry @free_bodies(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>, %z: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [8, 16], strides = [16, 1] : tensor_view<8x16xi32, strides=[16,1]>
    %xp = make_partition_view %xv : partition_view<tile=(8x16), tensor_view<8x16xi32, strides=[16,1]>>
    %a, %t0 = load_view_tko weak %xp[%c0, %c0] : partition_view<tile=(8x16), tensor_view<8x16xi32, strides=[16,1]>>, tile<i32> -> tile<8x16xi32>, token
    %m = reduce %a dim=1 identities=[-2147483648 : i32] : tile<8x16xi32> -> tile<8xi32>
    (%e: tile<i32>, %acc: tile<i32>) {
      %more = cmpi greater_than %e, %acc, signed : tile<i32> -> tile<i1>
      %r = if %more -> (tile<i32>) {
        yield %e : tile<i32>
      } else {
        yield %acc : tile<i32>
      }
      yield %r : tile<i32>
    }
    // Of the signs, 1 or -1, the least.
    %zero = constant <i32: 0> : tile<8x16xi32>
    %one = constant <i32: 1> : tile<8x16xi32>
    %minus = constant <i32: -1> : tile<8x16xi32>
    %neg = cmpi less_than %a, %zero, signed : tile<8x16xi32> -> tile<8x16xi1>
    %sign = select %neg, %minus, %one : tile<8x16xi1>, tile<8x16xi32>
    %s = reduce %sign dim=1 identities=[1 : i32] : tile<8x16xi32> -> tile<8xi32>
    (%e: tile<i32>, %acc: tile<i32>) {
      %c1 = constant <i32: 1> : tile<i32>
      %q = divi %e, %c1 signed : tile<i32>
      %r = mini %q, %acc signed : tile<i32>
      yield %r : tile<i32>
    }
    %yv = make_tensor_view %y, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %t1 = store_view_tko weak %m, %yp[%c0] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    %zv = make_tensor_view %z, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %zp = make_partition_view %zv : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %t2 = store_view_tko weak %s, %zp[%c0] : tile<8xi32>, partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
