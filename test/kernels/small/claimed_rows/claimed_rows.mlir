// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows that a block claims by compare-and-swap: others are skipped, and after its share it stops (issue #42). Tiles of several
// warps and of one.
cuda_tile.module @kernels {
  entry @claimed_rows(%claims: tile<ptr<i32>>, %small: tile<ptr<i64>>, %x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c4 = constant <i32: 4> : tile<i32>
    %c8 = constant <i32: 8> : tile<i32>
    %l0 = constant <i64: 0> : tile<i64>
    %l1 = constant <i64: 1> : tile<i64>
    %xt = make_tensor_view %x, shape = [8, 1024], strides = [1024, 1] : tensor_view<8x1024xf32, strides=[1024,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x1024), tensor_view<8x1024xf32, strides=[1024,1]>>
    %yt = make_tensor_view %y, shape = [8, 1024], strides = [1024, 1] : tensor_view<8x1024xf32, strides=[1024,1]>
    %yp = make_partition_view %yt : partition_view<tile=(1x1024), tensor_view<8x1024xf32, strides=[1024,1]>>
    %taken:2 = loop iter_values(%r = %c0, %mine = %c0) : tile<i32>, tile<i32> -> tile<i32>, tile<i32> {
      %end = cmpi equal %r, %c8, signed : tile<i32> -> tile<i1>
      if %end {
        break %r, %mine : tile<i32>, tile<i32>
      }
      %p = offset %claims, %r : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
      %old, %t0 = atomic_cas_tko relaxed device %p, %c0, %c1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %next = addi %r, %c1 : tile<i32>
      %isTaken = cmpi not_equal %old, %c0, signed : tile<i32> -> tile<i1>
      if %isTaken {
        continue %next, %mine : tile<i32>, tile<i32>
      }
      %v, %t1 = load_view_tko weak %xp[%r, %c0] : partition_view<tile=(1x1024), tensor_view<8x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<1x1024xf32>, token
      %w = addf %v, %v : tile<1x1024xf32>
      %t2 = store_view_tko weak %w, %yp[%r, %c0] : tile<1x1024xf32>, partition_view<tile=(1x1024), tensor_view<8x1024xf32, strides=[1024,1]>>, tile<i32> -> token
      %more = addi %mine, %c1 : tile<i32>
      %isEnough = cmpi equal %more, %c4, signed : tile<i32> -> tile<i1>
      if %isEnough {
        break %next, %more : tile<i32>, tile<i32>
      }
      continue %next, %more : tile<i32>, tile<i32>
    }
    %xs = make_partition_view %xt : partition_view<tile=(1x32), tensor_view<8x1024xf32, strides=[1024,1]>>
    %zt = make_tensor_view %z, shape = [8, 32], strides = [32, 1] : tensor_view<8x32xf32, strides=[32,1]>
    %zp = make_partition_view %zt : partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>
    for %r in (%c0 to %c8, step %c1) : tile<i32> {
      %p = offset %small, %r : tile<ptr<i64>>, tile<i32> -> tile<ptr<i64>>
      %old, %t0 = atomic_cas_tko relaxed device %p, %l0, %l1 : tile<ptr<i64>>, tile<i64> -> tile<i64>, token
      %isMine = cmpi equal %old, %l0, signed : tile<i64> -> tile<i1>
      if %isMine {
        %v, %t1 = load_view_tko weak %xs[%r, %c1] : partition_view<tile=(1x32), tensor_view<8x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<1x32xf32>, token
        %t2 = store_view_tko weak %v, %zp[%r, %c0] : tile<1x32xf32>, partition_view<tile=(1x32), tensor_view<8x32xf32, strides=[32,1]>>, tile<i32> -> token
      }
    }
    return
  }
}
