// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-interp %s --entry views --arg 'x:f32[3,5]=iota' --arg n:i32=5 --arg 'y:f32[3,5]=zeros,output' \
// RUN:   --out=%t.views | FileCheck %s --check-prefix=VIEWS
// RUN: %tileir-interp %s --entry gather --arg 'x:i32[6]=iota' | FileCheck %s --check-prefix=GATHER
// RUN: %tileir-interp %s --entry atomics --arg 'x:i32[4]=ones' --grid 8 | FileCheck %s --check-prefix=ATOMICS
// RUN: %tileir-interp %s --entry lock --arg 'x:i32[2]=zeros,output' --grid 5,2 --weak-memory=1 --out=%t.lock
// RUN: od -An -j128 -td4 %t.lock/x.npy | FileCheck %s --check-prefix=LOCK

cuda_tile.module @m {
  // The last tiles stick out of the tensor: padding on loads, nothing on stores.
  // VIEWS: shape 3 5 tiles 2 2 strided 5
  // VIEWS-NEXT: {{\[\[}}14, -inf, -inf, -inf], [-inf, -inf, -inf, -inf{{\]\]}}
  // VIEWS-NEXT: {{\[\[}}14, -inf], [-inf, -inf], [-inf, -inf], [-inf, -inf{{\]\]}}
  // VIEWS-NEXT: {{\[\[}}3, 4], [8, 9{{\]\]}}
  entry @views(%x: tile<ptr<f32>>, %n: tile<i32>, %y: tile<ptr<f32>>) {
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %tv = make_tensor_view %x, shape = [3, %n], strides = [%n, 1] : tile<i32> -> tensor_view<3x?xf32, strides=[?,1]>
    %pv = make_partition_view %tv : partition_view<tile=(2x4), padding_value = neg_inf, tensor_view<3x?xf32, strides=[?,1]>>
    %d0, %d1 = get_tensor_shape %tv : tensor_view<3x?xf32, strides=[?,1]> -> tile<i32>
    %s0, %s1 = get_index_space_shape %pv : partition_view<tile=(2x4), padding_value = neg_inf, tensor_view<3x?xf32, strides=[?,1]>> -> tile<i32>
    %sv = make_strided_view %tv : strided_view<tile=(2x2), traversal_strides=[1,1], tensor_view<3x?xf32, strides=[?,1]>>
    %t0, %t1 = get_index_space_shape %sv : strided_view<tile=(2x2), traversal_strides=[1,1], tensor_view<3x?xf32, strides=[?,1]>> -> tile<i32>
    print_tko "shape %d %d tiles %d %d strided %d\0A", %d0, %d1, %s0, %s1, %t1 : tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
    %a, %ta = load_view_tko weak %pv[%one, %one] : partition_view<tile=(2x4), padding_value = neg_inf, tensor_view<3x?xf32, strides=[?,1]>>, tile<i32> -> tile<2x4xf32>, token
    print_tko "%g\0A", %a : tile<2x4xf32> -> token
    // The first dimension of the tile walks the second of the tensor.
    %mv = make_partition_view %tv : partition_view<tile=(4x2), padding_value = neg_inf, tensor_view<3x?xf32, strides=[?,1]>, dim_map=[1, 0]>
    %b, %tb = load_view_tko weak %mv[%one, %one] : partition_view<tile=(4x2), padding_value = neg_inf, tensor_view<3x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x2xf32>, token
    print_tko "%g\0A", %b : tile<4x2xf32> -> token
    %c, %tc = load_view_tko weak %sv[%zero, %three] : strided_view<tile=(2x2), traversal_strides=[1,1], tensor_view<3x?xf32, strides=[?,1]>>, tile<i32> -> tile<2x2xf32>, token
    print_tko "%g\0A", %c : tile<2x2xf32> -> token
    %yv = make_tensor_view %y, shape = [3, %n], strides = [%n, 1] : tile<i32> -> tensor_view<3x?xf32, strides=[?,1]>
    %yp = make_partition_view %yv : partition_view<tile=(2x4), tensor_view<3x?xf32, strides=[?,1]>>
    %ts = store_view_tko weak %a, %yp[%one, %one] : tile<2x4xf32>, partition_view<tile=(2x4), tensor_view<3x?xf32, strides=[?,1]>>, tile<i32> -> token
    return
  }

  // GATHER: gather {{\[\[}}4], [1{{\]\]}} masked [0, -7, 2, -7]
  entry @gather(%x: tile<ptr<i32>>) {
    %rows = constant <i32: [4, 1]> : tile<2xi32>
    %zero = constant <i32: 0> : tile<i32>
    %tv = make_tensor_view %x, shape = [6, 1], strides = [1, 1] : tensor_view<6x1xi32, strides=[1,1]>
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(2x1), tensor_view<6x1xi32, strides=[1,1]>, sparse_dim=0>
    %g, %t0 = load_view_tko weak %gv[%rows, %zero] : gather_scatter_view<tile=(2x1), tensor_view<6x1xi32, strides=[1,1]>, sparse_dim=0>, tile<2xi32>, tile<i32> -> tile<2x1xi32>, token
    %i = iota : tile<4xi32>
    %pp = reshape %x : tile<ptr<i32>> -> tile<1xptr<i32>>
    %pb = broadcast %pp : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %ps = offset %pb, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %mask = constant <i1: [true, false, true, false]> : tile<4xi1>
    %pad = constant <i32: -7> : tile<4xi32>
    %m, %t1 = load_ptr_tko weak %ps, %mask, %pad : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> tile<4xi32>, token
    print_tko "gather %d masked %d\0A", %g, %m : tile<2x1xi32>, tile<4xi32> -> token
    return
  }

  // Every block adds one to the first element and to all; the last one sees all.
  // ATOMICS: last [17, 9, 9, 9] swapped 5
  entry @atomics(%x: tile<ptr<i32>>) {
    %one = constant <i32: 1> : tile<i32>
    %ones = constant <i32: 1> : tile<4xi32>
    %tv = make_tensor_view %x, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>
    %pv = make_partition_view %tv : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>
    %zero = constant <i32: 0> : tile<i32>
    %t0 = atomic_red_view_tko relaxed device %pv[%zero], add, %ones : tile<4xi32>, partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> token
    %old, %t1 = atomic_rmw_tko acq_rel device %x, add, %one token=%t0 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    // 8 blocks add two each to the initial one: the last add finds at least 9.
    %sixteen = constant <i32: 16> : tile<i32>
    %last = cmpi equal %old, %sixteen, signed : tile<i32> -> tile<i1>
    if %last {
      %v, %t2 = load_view_tko acquire device %pv[%zero] token = %t1 : partition_view<tile=(4), tensor_view<4xi32, strides=[1]>>, tile<i32> -> tile<4xi32>, token
      %seventeen = constant <i32: 17> : tile<i32>
      %five = constant <i32: 5> : tile<i32>
      %found, %t3 = atomic_cas_tko acq_rel device %x, %seventeen, %five token=%t2 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %now, %t4 = load_ptr_tko relaxed device %x token=%t3 : tile<ptr<i32>> -> tile<i32>, token
      print_tko "last %d swapped %d\0A", %v, %now : tile<4xi32>, tile<i32> -> token
    }
    return
  }

  // A lock protects a plain counter; blocks wait for each other.
  // LOCK: 0 10
  entry @lock(%x: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %start = make_token : token
    %locked = loop iter_values(%t = %start) : token -> token {
      %old, %t1 = atomic_cas_tko acquire device %x, %zero, %one token=%t : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
      %free = cmpi equal %old, %zero, signed : tile<i32> -> tile<i1>
      if %free {
        break %t1 : token
      }
      continue %t1 : token
    }
    %p = offset %x, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %n, %t2 = load_ptr_tko weak %p token=%locked : tile<ptr<i32>> -> tile<i32>, token
    %m = addi %n, %one : tile<i32>
    %t3 = store_ptr_tko weak %p, %m token=%t2 : tile<ptr<i32>>, tile<i32> -> token
    %t4 = store_ptr_tko release device %x, %zero token=%t3 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
