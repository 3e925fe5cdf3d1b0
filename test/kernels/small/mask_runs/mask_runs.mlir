// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masks along a row against an end that is a multiple of 8, of every kind and side, and against ends between: neighbours
// have one answer only where both sides are known to be multiples.
cuda_tile.module @kernels {
  entry @mask_runs(%x: tile<ptr<f32>>, %ends: tile<ptr<i32>>, %y: tile<ptr<f32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %ep = offset %ends, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %e0, %t0 = load_ptr_tko weak %ep : tile<ptr<i32>> -> tile<i32>, token
    %e = assume div_by<8>, %e0 : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %u0 = addi %e, %c3 : tile<i32>
    %e1 = reshape %e : tile<i32> -> tile<1x1xi32>
    %es = broadcast %e1 : tile<1x1xi32> -> tile<1x512xi32>
    %u1 = reshape %u0 : tile<i32> -> tile<1x1xi32>
    %us = broadcast %u1 : tile<1x1xi32> -> tile<1x512xi32>
    %i0 = iota : tile<512xi32>
    %iota = reshape %i0 : tile<512xi32> -> tile<1x512xi32>
    %four = constant <i32: 4> : tile<1x512xi32>
    %late = addi %iota, %four : tile<1x512xi32>
    %xa = assume div_by<16>, %x : tile<ptr<f32>>
    %xt = make_tensor_view %xa, shape = [8, 512], strides = [512, 1] : tensor_view<8x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<8x512xf32, strides=[512,1]>>
    %v, %t1 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<8x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %z = constant <f32: 0.0> : tile<1x512xf32>
    %ya = assume div_by<16>, %y : tile<ptr<f32>>
    %yt = make_tensor_view %ya, shape = [80, 512], strides = [512, 1] : tensor_view<80x512xf32, strides=[512,1]>
    %yp = make_partition_view %yt : partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>
    %ten = constant <i32: 10> : tile<i32>
    %first = muli %b, %ten : tile<i32>
    %m0 = cmpi less_than %iota, %es, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s0 = select %m0, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k0 = constant <i32: 0> : tile<i32>
    %r0 = addi %first, %k0 : tile<i32>
    %w0 = store_view_tko weak %s0, %yp[%r0, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m1 = cmpi greater_than_or_equal %iota, %es, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s1 = select %m1, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k1 = constant <i32: 1> : tile<i32>
    %r1 = addi %first, %k1 : tile<i32>
    %w1 = store_view_tko weak %s1, %yp[%r1, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m2 = cmpi greater_than %es, %iota, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s2 = select %m2, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k2 = constant <i32: 2> : tile<i32>
    %r2 = addi %first, %k2 : tile<i32>
    %w2 = store_view_tko weak %s2, %yp[%r2, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m3 = cmpi less_than_or_equal %es, %iota, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s3 = select %m3, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k3 = constant <i32: 3> : tile<i32>
    %r3 = addi %first, %k3 : tile<i32>
    %w3 = store_view_tko weak %s3, %yp[%r3, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m4 = cmpi less_than %iota, %es, unsigned : tile<1x512xi32> -> tile<1x512xi1>
    %s4 = select %m4, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k4 = constant <i32: 4> : tile<i32>
    %r4 = addi %first, %k4 : tile<i32>
    %w4 = store_view_tko weak %s4, %yp[%r4, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m5 = cmpi less_than_or_equal %iota, %es, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s5 = select %m5, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k5 = constant <i32: 5> : tile<i32>
    %r5 = addi %first, %k5 : tile<i32>
    %w5 = store_view_tko weak %s5, %yp[%r5, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m6 = cmpi less_than %late, %es, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s6 = select %m6, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k6 = constant <i32: 6> : tile<i32>
    %r6 = addi %first, %k6 : tile<i32>
    %w6 = store_view_tko weak %s6, %yp[%r6, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m7 = cmpi less_than %iota, %us, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s7 = select %m7, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k7 = constant <i32: 7> : tile<i32>
    %r7 = addi %first, %k7 : tile<i32>
    %w7 = store_view_tko weak %s7, %yp[%r7, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m8 = cmpi equal %iota, %es, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s8 = select %m8, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k8 = constant <i32: 8> : tile<i32>
    %r8 = addi %first, %k8 : tile<i32>
    %w8 = store_view_tko weak %s8, %yp[%r8, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    %m9 = cmpi greater_than %iota, %es, signed : tile<1x512xi32> -> tile<1x512xi1>
    %s9 = select %m9, %v, %z : tile<1x512xi1>, tile<1x512xf32>
    %k9 = constant <i32: 9> : tile<i32>
    %r9 = addi %first, %k9 : tile<i32>
    %w9 = store_view_tko weak %s9, %yp[%r9, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<80x512xf32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
