// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over rows with at most one nonzero element.
cuda_tile.module @kernels {
  entry @picked_element(%x: tile<ptr<bf16>>, %y: tile<ptr<i32>>, %at: tile<ptr<i32>>, %m: tile<ptr<f32>>, %n: tile<ptr<f32>>, %halves: tile<ptr<f32>>, %ints: tile<ptr<i32>>, %before: tile<ptr<f32>>, %after: tile<ptr<f32>>, %columns: tile<i32>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %av = make_tensor_view %at, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %ap = make_partition_view %av : partition_view<tile=(1), tensor_view<16xi32, strides=[1]>>
    %iota = iota : tile<256xi32>
    %index = reshape %iota : tile<256xi32> -> tile<1x256xi32>
    %zero = constant <f32: 0.0> : tile<f32>
    %zero2 = reshape %zero : tile<f32> -> tile<1x1xf32>
    %zeros = broadcast %zero2 : tile<1x1xf32> -> tile<1x256xf32>
    %ones = constant <f32: 1.0> : tile<1x256xf32>

    // A ragged row, whose padding is no zero.
    %xv = make_tensor_view %x, shape = [16, %columns], strides = [256, 1] : tile<i32> -> tensor_view<16x?xbf16, strides=[256,1]>
    %xp = make_partition_view %xv : partition_view<tile=(1x256), padding_value = neg_inf, tensor_view<16x?xbf16, strides=[256,1]>>
    %x0, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x256), padding_value = neg_inf, tensor_view<16x?xbf16, strides=[256,1]>>, tile<i32> -> tile<1x256xbf16>, token
    %x1 = ftof %x0 : tile<1x256xbf16> -> tile<1x256xf32>
    %i0, %t1 = load_view_tko weak %ap[%b] : partition_view<tile=(1), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %i1 = reshape %i0 : tile<1xi32> -> tile<1x1xi32>
    %i2 = broadcast %i1 : tile<1x1xi32> -> tile<1x256xi32>
    %is = cmpi equal %index, %i2, signed : tile<1x256xi32> -> tile<1x256xi1>
    %x2 = select %is, %x1, %zeros : tile<1x256xi1>, tile<1x256xf32>
    %xs = reduce %x2 dim=1 identities=[0.0 : f32] : tile<1x256xf32> -> tile<1xf32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %hv = make_tensor_view %halves, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %hp = make_partition_view %hv : partition_view<tile=(1), tensor_view<16xf32, strides=[1]>>
    %t2 = store_view_tko weak %xs, %hp[%b] : tile<1xf32>, partition_view<tile=(1), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token

    // Integers, in a tile of one dimension.
    %yv = make_tensor_view %y, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xi32, strides=[256,1]>
    %yp = make_partition_view %yv : partition_view<tile=(1x256), tensor_view<16x256xi32, strides=[256,1]>>
    %y0, %t3 = load_view_tko weak %yp[%b, %c0] : partition_view<tile=(1x256), tensor_view<16x256xi32, strides=[256,1]>>, tile<i32> -> tile<1x256xi32>, token
    %y1 = reshape %y0 : tile<1x256xi32> -> tile<256xi32>
    %j = broadcast %i0 : tile<1xi32> -> tile<256xi32>
    %js = cmpi equal %j, %iota, unsigned : tile<256xi32> -> tile<256xi1>
    %none = constant <i32: 0> : tile<256xi32>
    %y2 = select %js, %y1, %none : tile<256xi1>, tile<256xi32>
    %ys = reduce %y2 dim=0 identities=[0 : i32] : tile<256xi32> -> tile<i32>
    (%new: tile<i32>, %all: tile<i32>) {
      %more = addi %all, %new : tile<i32>
      yield %more : tile<i32>
    }
    %q = offset %ints, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t4 = store_ptr_tko weak %q, %ys : tile<ptr<i32>>, tile<i32> -> token

    // The row is overwritten: the selected element is the one from before.
    %mv = make_tensor_view %m, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xf32, strides=[256,1]>
    %mp = make_partition_view %mv : partition_view<tile=(1x256), tensor_view<16x256xf32, strides=[256,1]>>
    %m0, %t5 = load_view_tko weak %mp[%b, %c0] : partition_view<tile=(1x256), tensor_view<16x256xf32, strides=[256,1]>>, tile<i32> -> tile<1x256xf32>, token
    %m1 = addf %m0, %ones : tile<1x256xf32>
    %t6 = store_view_tko weak %m1, %mp[%b, %c0] token = %t5 : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<16x256xf32, strides=[256,1]>>, tile<i32> -> token
    %m2 = select %is, %m0, %zeros : tile<1x256xi1>, tile<1x256xf32>
    %ms = reduce %m2 dim=1 identities=[0.0 : f32] : tile<1x256xf32> -> tile<1xf32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %bv = make_tensor_view %before, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %bp = make_partition_view %bv : partition_view<tile=(1), tensor_view<16xf32, strides=[1]>>
    %t7 = store_view_tko weak %ms, %bp[%b] : tile<1xf32>, partition_view<tile=(1), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token

    // The same, but the index is known when the row has been stored over.
    %nv = make_tensor_view %n, shape = [16, 256], strides = [256, 1] : tensor_view<16x256xf32, strides=[256,1]>
    %np = make_partition_view %nv : partition_view<tile=(1x256), tensor_view<16x256xf32, strides=[256,1]>>
    %n0, %t8 = load_view_tko weak %np[%b, %c0] : partition_view<tile=(1x256), tensor_view<16x256xf32, strides=[256,1]>>, tile<i32> -> tile<1x256xf32>, token
    %n1 = addf %n0, %ones : tile<1x256xf32>
    %t9 = store_view_tko weak %n1, %np[%b, %c0] token = %t8 : tile<1x256xf32>, partition_view<tile=(1x256), tensor_view<16x256xf32, strides=[256,1]>>, tile<i32> -> token
    %k0, %t10 = load_view_tko weak %ap[%b] token = %t9 : partition_view<tile=(1), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<1xi32>, token
    %k1 = reshape %k0 : tile<1xi32> -> tile<1x1xi32>
    %k2 = broadcast %k1 : tile<1x1xi32> -> tile<1x256xi32>
    %ks = cmpi equal %index, %k2, signed : tile<1x256xi32> -> tile<1x256xi1>
    %n2 = select %ks, %n0, %zeros : tile<1x256xi1>, tile<1x256xf32>
    %ns = reduce %n2 dim=1 identities=[0.0 : f32] : tile<1x256xf32> -> tile<1xf32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %ev = make_tensor_view %after, shape = [16], strides = [1] : tensor_view<16xf32, strides=[1]>
    %ep = make_partition_view %ev : partition_view<tile=(1), tensor_view<16xf32, strides=[1]>>
    %t11 = store_view_tko weak %ns, %ep[%b] : tile<1xf32>, partition_view<tile=(1), tensor_view<16xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
