// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic adds without used old values: adjacent elements in one instruction, each of them atomic. The shorter views
// end between the vectors of a tile, the shortest inside of one; the mask of the pointers changes between vectors.
cuda_tile.module @kernels {
  entry @vector_red(%x: tile<ptr<f32>>, %h: tile<ptr<f16>>, %g: tile<ptr<bf16>>, %full: tile<ptr<f32>>,
                    %cut: tile<ptr<f32>>, %odd: tile<ptr<f32>>, %halves: tile<ptr<f16>>, %cutHalves: tile<ptr<f16>>,
                    %brains: tile<ptr<bf16>>, %oddBrains: tile<ptr<bf16>>, %masked: tile<ptr<f32>>,
                    %maskedHalves: tile<ptr<f16>>, %released: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xa = assume div_by<16>, %x : tile<ptr<f32>>
    %ha = assume div_by<16>, %h : tile<ptr<f16>>
    %ga = assume div_by<16>, %g : tile<ptr<bf16>>
    %xt = make_tensor_view %xa, shape = [4, 512], strides = [512, 1] : tensor_view<4x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<4x512xf32, strides=[512,1]>>
    %x2, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<4x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %xv = reshape %x2 : tile<1x512xf32> -> tile<512xf32>
    %ht = make_tensor_view %ha, shape = [4, 512], strides = [512, 1] : tensor_view<4x512xf16, strides=[512,1]>
    %hp = make_partition_view %ht : partition_view<tile=(1x512), tensor_view<4x512xf16, strides=[512,1]>>
    %h2, %t1 = load_view_tko weak %hp[%b, %c0] : partition_view<tile=(1x512), tensor_view<4x512xf16, strides=[512,1]>>, tile<i32> -> tile<1x512xf16>, token
    %hv = reshape %h2 : tile<1x512xf16> -> tile<512xf16>
    %gt = make_tensor_view %ga, shape = [4, 512], strides = [512, 1] : tensor_view<4x512xbf16, strides=[512,1]>
    %gp = make_partition_view %gt : partition_view<tile=(1x512), tensor_view<4x512xbf16, strides=[512,1]>>
    %g2, %t2 = load_view_tko weak %gp[%b, %c0] : partition_view<tile=(1x512), tensor_view<4x512xbf16, strides=[512,1]>>, tile<i32> -> tile<1x512xbf16>, token
    %gv = reshape %g2 : tile<1x512xbf16> -> tile<512xbf16>

    %fa = assume div_by<16>, %full : tile<ptr<f32>>
    %ft = make_tensor_view %fa, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %fp = make_partition_view %ft : partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>
    %t3 = atomic_red_view_tko relaxed device %fp[%c0], addf, %xv : tile<512xf32>, partition_view<tile=(512), tensor_view<512xf32, strides=[1]>>, tile<i32> -> token
    %ca = assume div_by<16>, %cut : tile<ptr<f32>>
    %ct = make_tensor_view %ca, shape = [444], strides = [1] : tensor_view<444xf32, strides=[1]>
    %cp = make_partition_view %ct : partition_view<tile=(512), tensor_view<444xf32, strides=[1]>>
    %t4 = atomic_red_view_tko relaxed device %cp[%c0], addf, %xv : tile<512xf32>, partition_view<tile=(512), tensor_view<444xf32, strides=[1]>>, tile<i32> -> token
    // A tile of its own, whose elements are better one beside the other in lanes.
    %y2, %t20 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<4x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %yv = reshape %y2 : tile<1x512xf32> -> tile<512xf32>
    %oa = assume div_by<16>, %odd : tile<ptr<f32>>
    %ot = make_tensor_view %oa, shape = [301], strides = [1] : tensor_view<301xf32, strides=[1]>
    %op = make_partition_view %ot : partition_view<tile=(512), tensor_view<301xf32, strides=[1]>>
    %t5 = atomic_red_view_tko relaxed device %op[%c0], addf, %yv : tile<512xf32>, partition_view<tile=(512), tensor_view<301xf32, strides=[1]>>, tile<i32> -> token

    %ia = assume div_by<16>, %halves : tile<ptr<f16>>
    %it = make_tensor_view %ia, shape = [512], strides = [1] : tensor_view<512xf16, strides=[1]>
    %ip = make_partition_view %it : partition_view<tile=(512), tensor_view<512xf16, strides=[1]>>
    %t6 = atomic_red_view_tko relaxed device %ip[%c0], addf, %hv : tile<512xf16>, partition_view<tile=(512), tensor_view<512xf16, strides=[1]>>, tile<i32> -> token
    %ja = assume div_by<16>, %cutHalves : tile<ptr<f16>>
    %jt = make_tensor_view %ja, shape = [302], strides = [1] : tensor_view<302xf16, strides=[1]>
    %jp = make_partition_view %jt : partition_view<tile=(512), tensor_view<302xf16, strides=[1]>>
    %t7 = atomic_red_view_tko relaxed device %jp[%c0], addf, %hv : tile<512xf16>, partition_view<tile=(512), tensor_view<302xf16, strides=[1]>>, tile<i32> -> token

    %ba = assume div_by<16>, %brains : tile<ptr<bf16>>
    %bt = make_tensor_view %ba, shape = [512], strides = [1] : tensor_view<512xbf16, strides=[1]>
    %bp = make_partition_view %bt : partition_view<tile=(512), tensor_view<512xbf16, strides=[1]>>
    %t8 = atomic_red_view_tko relaxed device %bp[%c0], addf, %gv : tile<512xbf16>, partition_view<tile=(512), tensor_view<512xbf16, strides=[1]>>, tile<i32> -> token
    %z2, %t21 = load_view_tko weak %gp[%b, %c0] : partition_view<tile=(1x512), tensor_view<4x512xbf16, strides=[512,1]>>, tile<i32> -> tile<1x512xbf16>, token
    %zv = reshape %z2 : tile<1x512xbf16> -> tile<512xbf16>
    %ka = assume div_by<4>, %oddBrains : tile<ptr<bf16>>
    %kt = make_tensor_view %ka, shape = [333], strides = [1] : tensor_view<333xbf16, strides=[1]>
    %kp = make_partition_view %kt : partition_view<tile=(512), tensor_view<333xbf16, strides=[1]>>
    %t9 = atomic_red_view_tko relaxed device %kp[%c0], addf, %zv : tile<512xbf16>, partition_view<tile=(512), tensor_view<333xbf16, strides=[1]>>, tile<i32> -> token

    %n = iota : tile<512xi32>
    %end = constant <i32: 312> : tile<512xi32>
    %in = cmpi less_than %n, %end, signed : tile<512xi32> -> tile<512xi1>
    %ma = assume div_by<16>, %masked : tile<ptr<f32>>
    %m1 = reshape %ma : tile<ptr<f32>> -> tile<1xptr<f32>>
    %m2 = broadcast %m1 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %m3 = offset %m2, %n : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %old, %t10 = atomic_rmw_tko relaxed device %m3, addf, %xv, %in : tile<512xptr<f32>>, tile<512xf32>, tile<512xi1> -> tile<512xf32>, token
    %la = assume div_by<16>, %maskedHalves : tile<ptr<f16>>
    %l1 = reshape %la : tile<ptr<f16>> -> tile<1xptr<f16>>
    %l2 = broadcast %l1 : tile<1xptr<f16>> -> tile<512xptr<f16>>
    %l3 = offset %l2, %n : tile<512xptr<f16>>, tile<512xi32> -> tile<512xptr<f16>>
    %old1, %t11 = atomic_rmw_tko release device %l3, addf, %hv, %in : tile<512xptr<f16>>, tile<512xf16>, tile<512xi1> -> tile<512xf16>, token
    // A reduction that acquires stays scalar.
    %ra = assume div_by<16>, %released : tile<ptr<f32>>
    %r1 = reshape %ra : tile<ptr<f32>> -> tile<1xptr<f32>>
    %r2 = broadcast %r1 : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %r3 = offset %r2, %n : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %old2, %t12 = atomic_rmw_tko acq_rel device %r3, addf, %xv : tile<512xptr<f32>>, tile<512xf32> -> tile<512xf32>, token
    return
  }
}
