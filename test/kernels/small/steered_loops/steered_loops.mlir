// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and branches that depend on a sum, a maximum or an element of a tile
// (issue #42): of one warp and of several, before the loop and at its end.
cuda_tile.module @kernels {
  entry @steered_loops(%x: tile<ptr<f32>>, %k: tile<ptr<i32>>, %halved: tile<ptr<f32>>, %few: tile<ptr<f32>>, %counts: tile<ptr<i32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c9 = constant <i32: 9> : tile<i32>
    %one = constant <f32: 1.0> : tile<f32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [4, 2048], strides = [2048, 1] : tensor_view<4x2048xf32, strides=[2048,1]>
    %ht = make_tensor_view %halved, shape = [4, 2048], strides = [2048, 1] : tensor_view<4x2048xf32, strides=[2048,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x2048), tensor_view<4x2048xf32, strides=[2048,1]>>
    %hp = make_partition_view %ht : partition_view<tile=(1x2048), tensor_view<4x2048xf32, strides=[2048,1]>>
    %x2, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x2048), tensor_view<4x2048xf32, strides=[2048,1]>>, tile<i32> -> tile<1x2048xf32>, token
    %v0 = reshape %x2 : tile<1x2048xf32> -> tile<2048xf32>
    %half = constant <f32: 0.5> : tile<2048xf32>
    // Halves the tile until its maximum is at most 1.
    %m0 = reduce %v0 dim=0 identities=[0xFF800000 : f32] : tile<2048xf32> -> tile<f32>
    (%a: tile<f32>, %c: tile<f32>) {
      %r = maxf %a, %c : tile<f32>
      yield %r : tile<f32>
    }
    %wide:3 = loop iter_values(%v = %v0, %m = %m0, %n = %c0) : tile<2048xf32>, tile<f32>, tile<i32> -> tile<2048xf32>, tile<f32>, tile<i32> {
      %done = cmpf less_than_or_equal ordered %m, %one : tile<f32> -> tile<i1>
      if %done {
        break %v, %m, %n : tile<2048xf32>, tile<f32>, tile<i32>
      }
      %w = mulf %v, %half : tile<2048xf32>
      %n1 = addi %n, %c1 : tile<i32>
      %m1 = reduce %w dim=0 identities=[0xFF800000 : f32] : tile<2048xf32> -> tile<f32>
      (%a: tile<f32>, %c: tile<f32>) {
        %r = maxf %a, %c : tile<f32>
        yield %r : tile<f32>
      }
      continue %w, %m1, %n1 : tile<2048xf32>, tile<f32>, tile<i32>
    }
    %h2 = reshape %wide#0 : tile<2048xf32> -> tile<1x2048xf32>
    %t1 = store_view_tko weak %h2, %hp[%b, %c0] : tile<1x2048xf32>, partition_view<tile=(1x2048), tensor_view<4x2048xf32, strides=[2048,1]>>, tile<i32> -> token
    // The same with one warp, by a sum; an element limits the iterations and selects those that do nothing.
    %xs = make_partition_view %xt : partition_view<tile=(1x64), tensor_view<4x2048xf32, strides=[2048,1]>>
    %ft = make_tensor_view %few, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xf32, strides=[64,1]>
    %fp = make_partition_view %ft : partition_view<tile=(1x64), tensor_view<4x64xf32, strides=[64,1]>>
    %y2, %t2 = load_view_tko weak %xs[%b, %c0] : partition_view<tile=(1x64), tensor_view<4x2048xf32, strides=[2048,1]>>, tile<i32> -> tile<1x64xf32>, token
    %y0 = reshape %y2 : tile<1x64xf32> -> tile<64xf32>
    %quarter = constant <f32: 0.25> : tile<64xf32>
    %kt = make_tensor_view %k, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %kp = make_partition_view %kt : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %kv, %t3 = load_view_tko weak %kp[%c0] : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
    %most1 = extract %kv[%b] : tile<16xi32> -> tile<1xi32>
    %most = reshape %most1 : tile<1xi32> -> tile<i32>
    %narrow:2 = for %i in (%c0 to %most, step %c1) : tile<i32> iter_values(%y = %y0, %n = %c0) -> (tile<64xf32>, tile<i32>) {
      %at = addi %i, %c3 : tile<i32>
      %skip1 = extract %kv[%at] : tile<16xi32> -> tile<1xi32>
      %skip = reshape %skip1 : tile<1xi32> -> tile<i32>
      %skips = cmpi equal %skip, %c9, signed : tile<i32> -> tile<i1>
      if %skips {
        continue %y, %n : tile<64xf32>, tile<i32>
      }
      %s = reduce %y dim=0 identities=[0.0 : f32] : tile<64xf32> -> tile<f32>
      (%a: tile<f32>, %c: tile<f32>) {
        %r = addf %a, %c : tile<f32>
        yield %r : tile<f32>
      }
      %small = cmpf less_than ordered %s, %one : tile<f32> -> tile<i1>
      %z, %d = if %small -> (tile<64xf32>, tile<i32>) {
        yield %y, %c2 : tile<64xf32>, tile<i32>
      } else {
        %w = mulf %y, %quarter : tile<64xf32>
        yield %w, %c1 : tile<64xf32>, tile<i32>
      }
      %n1 = addi %n, %d : tile<i32>
      continue %z, %n1 : tile<64xf32>, tile<i32>
    }
    %f2 = reshape %narrow#0 : tile<64xf32> -> tile<1x64xf32>
    %t4 = store_view_tko weak %f2, %fp[%b, %c0] : tile<1x64xf32>, partition_view<tile=(1x64), tensor_view<4x64xf32, strides=[64,1]>>, tile<i32> -> token
    %c100 = constant <i32: 100> : tile<i32>
    %hundreds = muli %wide#2, %c100 : tile<i32>
    %both = addi %hundreds, %narrow#1 : tile<i32>
    %pc = offset %counts, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t5 = store_ptr_tko weak %pc, %both : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
