// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients and reciprocals of which a thread has one; one number of all threads by an integer.
cuda_tile.module @kernels {
  entry @lone_quotients(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %counts: tile<ptr<i32>>, %z: tile<ptr<f32>>, %r: tile<ptr<f32>>, %mean: tile<ptr<f32>>) {
    %one = constant <f32: 1.0> : tile<32xf32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>
    %yv = make_tensor_view %y, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>
    %zv = make_tensor_view %z, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %zp = make_partition_view %zv : partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>
    %rv = make_tensor_view %r, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %rp = make_partition_view %rv : partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>
    %cv = make_tensor_view %counts, shape = [64], strides = [1] : tensor_view<64xi32, strides=[1]>
    %cp = make_partition_view %cv : partition_view<tile=(1), tensor_view<64xi32, strides=[1]>>
    %mv = make_tensor_view %mean, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %mp = make_partition_view %mv : partition_view<tile=(1), tensor_view<64xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %xp[%bx] : partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %b, %t1 = load_view_tko weak %yp[%bx] : partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> tile<32xf32>, token
    %n, %t2 = load_view_tko weak %cp[%bx] : partition_view<tile=(1), tensor_view<64xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %q = divf %a, %b : tile<32xf32>
    %t3 = store_view_tko weak %q, %zp[%bx] : tile<32xf32>, partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> token
    %i = divf %one, %b : tile<32xf32>
    %t4 = store_view_tko weak %i, %rp[%bx] : tile<32xf32>, partition_view<tile=(32), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> token
    // An extremum is the same in any order.
    %top = reduce %a dim=0 identities=[0xFF800000 : f32] : tile<32xf32> -> tile<f32>
    (%l: tile<f32>, %h: tile<f32>) {
      %larger = maxf %l, %h : tile<f32>
      yield %larger : tile<f32>
    }
    %count = itof %n signed : tile<1xi32> -> tile<1xf32>
    %total = reshape %top : tile<f32> -> tile<1xf32>
    %m = divf %total, %count : tile<1xf32>
    %t5 = store_view_tko weak %m, %mp[%bx] : tile<1xf32>, partition_view<tile=(1), tensor_view<64xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
