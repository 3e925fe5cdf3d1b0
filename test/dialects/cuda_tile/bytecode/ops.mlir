// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One module for each operation, and the oldest bytecode version that has it.
// Nothing else in a module is younger; where something is as young and comes
// first, the refusal that it gets is stated.

// -----

// case: absf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = absf %0 : tile<16xf32>
    return
  }
}

// -----

// case: ceil 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = ceil %0 : tile<16xf32>
    return
  }
}

// -----

// case: cos 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = cos %0 : tile<16xf32>
    return
  }
}

// -----

// case: cosh 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = cosh %0 : tile<16xf32>
    return
  }
}

// -----

// case: exp 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = exp %0 : tile<16xf32>
    return
  }
}

// -----

// case: exp2 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = exp2 %0 : tile<16xf32>
    return
  }
}

// -----

// case: floor 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = floor %0 : tile<16xf32>
    return
  }
}

// -----

// case: log 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = log %0 : tile<16xf32>
    return
  }
}

// -----

// case: log2 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = log2 %0 : tile<16xf32>
    return
  }
}

// -----

// case: negf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = negf %0 : tile<16xf32>
    return
  }
}

// -----

// case: rsqrt 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = rsqrt %0 : tile<16xf32>
    return
  }
}

// -----

// case: sin 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = sin %0 : tile<16xf32>
    return
  }
}

// -----

// case: sinh 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = sinh %0 : tile<16xf32>
    return
  }
}

// -----

// case: sqrt 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = sqrt %0 : tile<16xf32>
    return
  }
}

// -----

// case: tan 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = tan %0 : tile<16xf32>
    return
  }
}

// -----

// case: tanh 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = tanh %0 : tile<16xf32>
    return
  }
}

// -----

// case: addf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = addf %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: divf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = divf %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: maxf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = maxf %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: minf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = minf %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: mulf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = mulf %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: pow 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = pow %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: remf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = remf %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: subf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = subf %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: atan2 13.2
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = atan2 %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: fma 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = fma %0, %0, %0 : tile<16xf32>
    return
  }
}

// -----

// case: absi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = absi %0 : tile<16xi32>
    return
  }
}

// -----

// case: negi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = negi %0 : tile<16xi32>
    return
  }
}

// -----

// case: addi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = addi %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: andi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = andi %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: muli 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = muli %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: mulhii 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = mulhii %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: ori 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = ori %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: shli 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = shli %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: subi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = subi %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: xori 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = xori %0, %0 : tile<16xi32>
    return
  }
}

// -----

// case: divi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = divi %0, %0 signed : tile<16xi32>
    return
  }
}

// -----

// case: maxi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = maxi %0, %0 signed : tile<16xi32>
    return
  }
}

// -----

// case: mini 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = mini %0, %0 signed : tile<16xi32>
    return
  }
}

// -----

// case: remi 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = remi %0, %0 signed : tile<16xi32>
    return
  }
}

// -----

// case: shri 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = shri %0, %0 signed : tile<16xi32>
    return
  }
}

// -----

// case: fpowi 13.4
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f32: 2.5> : tile<16xf32>
    %1 = iota : tile<16xi32>
    %2 = fpowi %0, %1 : tile<16xf32>, tile<16xi32>
    return
  }
}

// -----

// case: assert 13.1
cuda_tile.module @kernels {
  entry @k(%c: tile<i1>) {
    assert %c, "message" : tile<i1>
    return
  }
}

// -----

// case: assume 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = assume div_by<16>, %x : tile<i32>
    return
  }
}

// -----

// case: atomic_cas_tko 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<i32>>, %x: tile<i32>) {
    %0, %1 = atomic_cas_tko relaxed device %p, %x, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
}

// -----

// case: atomic_rmw_tko 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<i32>>, %x: tile<i32>) {
    %0, %1 = atomic_rmw_tko acq_rel sys %p, add, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    return
  }
}

// -----

// case: bitcast 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = bitcast %x : tile<f32> -> tile<i32>
    return
  }
}

// -----

// case: break 13.1
cuda_tile.module @kernels {
  entry @k() {
    loop {
      break
    }
    return
  }
}

// -----

// case: broadcast 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = reshape %x : tile<f32> -> tile<1xf32>
    %1 = broadcast %0 : tile<1xf32> -> tile<8xf32>
    return
  }
}

// -----

// case: cat 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = cat %0, %0 dim = 0 : tile<16xi32>, tile<16xi32> -> tile<32xi32>
    return
  }
}

// -----

// case: cmpf 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = cmpf less_than ordered %x, %x : tile<f32> -> tile<i1>
    return
  }
}

// -----

// case: cmpi 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = cmpi greater_than %x, %x, unsigned : tile<i32> -> tile<i1>
    return
  }
}

// -----

// case: constant 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <i16: [1, -2]> : tile<2xi16>
    return
  }
}

// -----

// case: continue 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    for %i in (%x to %x, step %x) : tile<i32> {
      continue
    }
    return
  }
}

// -----

// case: exti 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i8>) {
    %0 = exti %x signed : tile<i8> -> tile<i32>
    return
  }
}

// -----

// case: extract 13.1
cuda_tile.module @kernels {
  entry @k(%i: tile<i32>) {
    %0 = iota : tile<16xi32>
    %1 = extract %0[%i] : tile<16xi32> -> tile<4xi32>
    return
  }
}

// -----

// case: for 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = for %i in (%x to %x, step %x) : tile<i32> iter_values(%a = %x) -> (tile<i32>) {
      %1 = addi %a, %i : tile<i32>
      continue %1 : tile<i32>
    }
    return
  }
}

// -----

// case: ftof 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = ftof %x : tile<f32> -> tile<f64>
    return
  }
}

// -----

// case: ftoi 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) {
    %0 = ftoi %x signed : tile<f32> -> tile<i32>
    return
  }
}

// -----

// case: itof 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = itof %x unsigned : tile<i32> -> tile<f32>
    return
  }
}

// -----

// case: trunci 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = trunci %x : tile<i32> -> tile<i8>
    return
  }
}

// -----

// case: int_to_ptr 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i64>) {
    %0 = int_to_ptr %x : tile<i64> -> tile<ptr<f32>>
    return
  }
}

// -----

// case: ptr_to_int 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>) {
    %0 = ptr_to_int %p : tile<ptr<f32>> -> tile<i64>
    return
  }
}

// -----

// case: ptr_to_ptr 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>) {
    %0 = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i8>>
    return
  }
}

// -----

// case: get_global 13.1
cuda_tile.module @kernels {
  global @g <f32: [1.0, 2.0]> : tile<2xf32>
  entry @k() {
    %0 = get_global @g : tile<ptr<f32>>
    return
  }
}

// -----

// case: global 13.1
cuda_tile.module @kernels {
  global @g alignment = 32 <i32: [1, 2, 3, 4]> : tile<4xi32>
  entry @k() {
    return
  }
}

// -----

// case: get_index_space_shape 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    %0:2 = get_index_space_shape %pv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>> -> tile<i32>
    return
  }
}

// -----

// case: get_tensor_shape 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %0:2 = get_tensor_shape %tv : tensor_view<?x64xf32, strides=[64,1]> -> tile<i64>
    return
  }
}

// -----

// case: get_num_tile_blocks 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0, %1, %2 = get_num_tile_blocks : tile<i32>
    return
  }
}

// -----

// case: get_tile_block_id 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0, %1, %2 = get_tile_block_id : tile<i32>
    return
  }
}

// -----

// case: if 13.1
cuda_tile.module @kernels {
  entry @k(%c: tile<i1>, %x: tile<i32>) {
    %0 = if %c -> (tile<i32>) {
      yield %x : tile<i32>
    } else {
      %1 = addi %x, %x : tile<i32>
      yield %1 : tile<i32>
    }
    return
  }
}

// -----

// case: iota 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<128xi8>
    return
  }
}

// -----

// case: join_tokens 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = make_token : token
    %1 = join_tokens %0, %0 : token
    return
  }
}

// -----

// case: make_token 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = make_token : token
    return
  }
}

// -----

// case: load_ptr_tko 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>) {
    %0, %1 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    return
  }
}

// -----

// case: store_ptr_tko 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %x: tile<f32>) {
    %0 = store_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}

// -----

// case: load_view_tko 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    %0, %1 = load_view_tko weak %pv[%n, %n] : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x16xf32>, token
    return
  }
}

// -----

// case: store_view_tko 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    %0 = constant <f32: 0.0> : tile<8x16xf32>
    %1 = store_view_tko weak %0, %pv[%n, %n] : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}

// -----

// case: atomic_red_view_tko 13.3
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    %0 = constant <f32: 0.0> : tile<8x16xf32>
    %1 = atomic_red_view_tko relaxed device %pv[%n, %n], addf, %0 : tile<8x16xf32>, partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}

// -----

// case: loop 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = loop iter_values(%a = %x) : tile<i32> -> tile<i32> {
      break %a : tile<i32>
    }
    return
  }
}

// -----

// case: make_partition_view 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %pv = make_partition_view %tv : partition_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>>
    return
  }
}

// -----

// case: make_tensor_view 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    return
  }
}

// -----

// case: make_gather_scatter_view 13.3
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %0 = make_gather_scatter_view %tv : gather_scatter_view<tile=(8x16), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    return
  }
}

// -----

// case: make_strided_view 13.3
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %0 = make_strided_view %tv : strided_view<tile=(8x16), traversal_strides=[4,16], tensor_view<?x64xf32, strides=[64,1]>>
    return
  }
}

// -----

// case: mmaf 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f16: 1.0> : tile<16x16xf16>
    %1 = constant <f32: 0.0> : tile<16x16xf32>
    %2 = mmaf %0, %0, %1 : tile<16x16xf16>, tile<16x16xf16>, tile<16x16xf32>
    return
  }
}

// -----

// case: mmai 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <i8: 1> : tile<16x16xi8>
    %1 = constant <i32: 0> : tile<16x16xi32>
    %2 = mmai %0, %0, %1 signed unsigned : tile<16x16xi8>, tile<16x16xi8>, tile<16x16xi32>
    return
  }
}

// -----

// case: mmaf_scaled 13.3
// below 13.2: type 'Float8E8M0FNU' requires bytecode version 13.2+, targeting {V}
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <f8E4M3FN: 1.0> : tile<16x64xf8E4M3FN>
    %1 = constant <f8E4M3FN: 1.0> : tile<64x16xf8E4M3FN>
    %2 = constant <f32: 0.0> : tile<16x16xf32>
    %3 = constant <f8E8M0FNU: 1.0> : tile<16x2xf8E8M0FNU>
    %4 = constant <f8E8M0FNU: 1.0> : tile<2x16xf8E8M0FNU>
    %5 = mmaf_scaled %0, %1, %2, %3, %4 : tile<16x64xf8E4M3FN>, tile<64x16xf8E4M3FN>, tile<16x16xf32>, tile<16x2xf8E8M0FNU>, tile<2x16xf8E8M0FNU>
    return
  }
}

// -----

// case: offset 13.1
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = offset %p, %n : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    return
  }
}

// -----

// case: permute 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <i32: 0> : tile<4x8xi32>
    %1 = permute %0 [1, 0] : tile<4x8xi32> -> tile<8x4xi32>
    return
  }
}

// -----

// case: print_tko 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = print_tko "%d\0A", %x : tile<i32> -> token
    return
  }
}

// -----

// case: reduce 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = reduce %0 dim=0 identities=[0 : i32] : tile<16xi32> -> tile<i32>
    (%a: tile<i32>, %b: tile<i32>) {
      %2 = addi %a, %b : tile<i32>
      yield %2 : tile<i32>
    }
    return
  }
}

// -----

// case: scan 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = scan %0 dim=0 reverse=true identities=[1 : i32] : tile<16xi32> -> tile<16xi32>
    (%a: tile<i32>, %b: tile<i32>) {
      %2 = muli %a, %b : tile<i32>
      yield %2 : tile<i32>
    }
    return
  }
}

// -----

// case: reshape 13.1
cuda_tile.module @kernels {
  entry @k() {
    %0 = iota : tile<16xi32>
    %1 = reshape %0 : tile<16xi32> -> tile<4x4xi32>
    return
  }
}

// -----

// case: return 13.1
cuda_tile.module @kernels {
  entry @k(%c: tile<i1>) {
    if %c {
      return
    }
    return
  }
}

// -----

// case: select 13.1
cuda_tile.module @kernels {
  entry @k(%c: tile<i1>, %x: tile<f32>) {
    %0 = select %c, %x, %x : tile<i1>, tile<f32>
    return
  }
}

// -----

// case: yield 13.1
cuda_tile.module @kernels {
  entry @k(%c: tile<i1>) {
    if %c {
      yield
    }
    return
  }
}

// -----

// case: pack 13.3
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <i16: 7> : tile<4xi16>
    %1 = pack %0 : tile<4xi16> -> tile<8xi8>
    return
  }
}

// -----

// case: unpack 13.3
cuda_tile.module @kernels {
  entry @k() {
    %0 = constant <i8: 7> : tile<8xi8>
    %1 = unpack %0 : tile<8xi8> -> tile<4xi16>
    return
  }
}

// -----

// case: alloca 13.3
cuda_tile.module @kernels {
  entry @k() {
    %0 = alloca num_elem = 256, alignment = 16 : tile<ptr<f32>>
    return
  }
}

// -----

// case: insert 13.4
cuda_tile.module @kernels {
  entry @k(%i: tile<i32>) {
    %0 = iota : tile<16xi32>
    %1 = iota : tile<4xi32>
    %2 = insert %1, %0[%i] : tile<4xi32>, tile<16xi32>
    return
  }
}

// -----

// case: gdc_launch_dependents_tko 13.4
cuda_tile.module @kernels {
  entry @k() {
    %0 = gdc_launch_dependents_tko -> token
    return
  }
}

// -----

// case: gdc_wait_tko 13.4
cuda_tile.module @kernels {
  entry @k() {
    %0 = gdc_wait_tko -> token
    return
  }
}

// -----

// case: memory_fence_alias_tko 13.4
cuda_tile.module @kernels {
  entry @k() {
    %0 = make_token : token
    %1 = memory_fence_alias_tko %0
    return
  }
}

// -----

// case: multimem_load_reduce_view_tko 13.5
// below 13.4: parameter 'ptrAttr' requires bytecode version 13.4+, but targeting {V}
// below 13.5: enum value for attribute 'ptrAttr' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %pv = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %0, %1 = multimem_load_reduce_view_tko relaxed sys %pv[%n] : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<64xf32>, token
    return
  }
}

// -----

// case: multimem_reduce_view_tko 13.5
// below 13.4: parameter 'ptrAttr' requires bytecode version 13.4+, but targeting {V}
// below 13.5: enum value for attribute 'ptrAttr' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %pv = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %0 = constant <f32: 1.0> : tile<64xf32>
    %1 = multimem_reduce_view_tko relaxed sys %pv, %0[%n] : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xf32>, tile<i32> -> token
    return
  }
}

// -----

// case: multimem_store_view_tko 13.5
// below 13.4: parameter 'ptrAttr' requires bytecode version 13.4+, but targeting {V}
// below 13.5: enum value for attribute 'ptrAttr' is not available in bytecode version {V}
cuda_tile.module @kernels {
  entry @k(%p: tile<ptr<f32, <multicast>>>, %n: tile<i32>) {
    %tv = make_tensor_view %p, shape = [%n], strides = [1] : tile<ptr<f32, <multicast>>>, tile<i32> -> tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %pv = make_partition_view %tv : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    %0 = constant <f32: 1.0> : tile<64xf32>
    %1 = multimem_store_view_tko weak %pv, %0[%n] : partition_view<tile=(64), tensor_view<?xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<64xf32>, tile<i32> -> token
    return
  }
}

// -----

// case: entry 13.1
cuda_tile.module @kernels {
  entry @k(%x: tile<f32>) optimization_hints=<sm_90 = {occupancy = 2}> {
    return
  }
}

// -----

// case: module 13.1
cuda_tile.module @kernels {
}

// -----

// case: testing$bytecode_test_new_attribute 250.0
cuda_tile.module @kernels {
  entry @k() {
    testing$bytecode_test_new_attribute
    return
  }
}

// -----

// case: testing$bytecode_test_evolution 250.0
cuda_tile.module @kernels {
  entry @k(%x: tile<i32>) {
    %0 = testing$bytecode_test_evolution(%x : !cuda_tile.tile<i32>) priority = <normal> -> token
    return
  }
}

// -----

// case: testing$func 250.0
cuda_tile.module @kernels {
  testing$func @k(%x: tile<8xf32>) -> tile<8xf32> {
    %0 = addf %x, %x : tile<8xf32>
    return %0 : tile<8xf32>
  }
}

