// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of whole tiles, whose sizes are known.
cuda_tile.module @kernels {
  entry @copy(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %sum: tile<ptr<i32>>) {
    %i, %j, %k = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(128), padding_value = nan, tensor_view<512xf32, strides=[1]>>
    %yv = make_tensor_view %y, shape = [512], strides = [1] : tensor_view<512xf32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(128), tensor_view<512xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %xp[%i] : partition_view<tile=(128), padding_value = nan, tensor_view<512xf32, strides=[1]>>, tile<i32> -> tile<128xf32>, token
    %t1 = store_view_tko weak %a, %yp[%i] : tile<128xf32>, partition_view<tile=(128), tensor_view<512xf32, strides=[1]>>, tile<i32> -> token
    %one = constant <i32: 1> : tile<128xi32>
    %sv = make_tensor_view %sum, shape = [512], strides = [1] : tensor_view<512xi32, strides=[1]>
    %sp = make_partition_view %sv : partition_view<tile=(128), tensor_view<512xi32, strides=[1]>>
    %t2 = atomic_red_view_tko relaxed device %sp[%i], add, %one : tile<128xi32>, partition_view<tile=(128), tensor_view<512xi32, strides=[1]>>, tile<i32> -> token
    // Elements outside are what the view pads with.
    %zero = constant <i32: 0> : tile<i32>
    %b = extract %a[%zero] : tile<128xf32> -> tile<1xf32>
    %c = reshape %b : tile<1xf32> -> tile<f32>
    %nan = cmpf not_equal unordered %c, %c : tile<f32> -> tile<i1>
    %four = constant <i32: 4> : tile<i32>
    %out = cmpi greater_than_or_equal %i, %four, signed : tile<i32> -> tile<i1>
    %differ = xori %nan, %out : tile<i1>
    %true = constant <i1: true> : tile<i1>
    %same = xori %differ, %true : tile<i1>
    assert %same, "padding outside, numbers inside" : tile<i1>
    return
  }

  entry @turn(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>) {
    %i, %j, %k = get_tile_block_id : tile<i32>
    %xv = make_tensor_view %x, shape = [64, 32], strides = [32, 1] : tensor_view<64x32xf16, strides=[32,1]>
    %xp = make_partition_view %xv : partition_view<tile=(16x32), tensor_view<64x32xf16, strides=[32,1]>, dim_map=[1, 0]>
    %yv = make_tensor_view %y, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf16, strides=[64,1]>
    %yp = make_partition_view %yv : partition_view<tile=(16x32), tensor_view<32x64xf16, strides=[64,1]>>
    %a, %t0 = load_view_tko weak %xp[%i, %j] : partition_view<tile=(16x32), tensor_view<64x32xf16, strides=[32,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf16>, token
    %t1 = store_view_tko weak %a, %yp[%i, %j] : tile<16x32xf16>, partition_view<tile=(16x32), tensor_view<32x64xf16, strides=[64,1]>>, tile<i32> -> token
    return
  }

  // Several CTAs are asked for; the blocks of the launch are tile blocks all the same.
  entry @pair(%y: tile<ptr<i32>>) optimization_hints=<sm_90 = {num_cta_in_cga = 2}, sm_100 = {num_cta_in_cga = 4}> {
    %i, %j, %k = get_tile_block_id : tile<i32>
    %n, %m, %l = get_num_tile_blocks : tile<i32>
    %yv = make_tensor_view %y, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(64), tensor_view<256xi32, strides=[1]>>
    %ten = constant <i32: 10> : tile<i32>
    %t = muli %n, %ten : tile<i32>
    %v = addi %t, %i : tile<i32>
    %v1 = reshape %v : tile<i32> -> tile<1xi32>
    %vs = broadcast %v1 : tile<1xi32> -> tile<64xi32>
    %t1 = store_view_tko weak %vs, %yp[%i] : tile<64xi32>, partition_view<tile=(64), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
