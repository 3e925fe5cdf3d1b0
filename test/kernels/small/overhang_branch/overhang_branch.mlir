// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views that are made under a condition, of an array of constant extents.
cuda_tile.module @m {
  entry @overhang_branch(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>) {
    %xa = assume div_by<16>, %x : tile<ptr<f16>>
    %ya = assume div_by<16>, %y : tile<ptr<f16>>
    %i, %j, %z = get_tile_block_id : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %0 = constant <i32: 0> : tile<i32>
    %isOdd = cmpi equal %j, %1, signed : tile<i32> -> tile<i1>
    if %isOdd {
      %xt = make_tensor_view %xa, shape = [11, 24], strides = [24, 1] : tensor_view<11x24xf16, strides=[24,1]>
      %yt = make_tensor_view %ya, shape = [11, 24], strides = [24, 1] : tensor_view<11x24xf16, strides=[24,1]>
      %xv = make_partition_view %xt : partition_view<tile=(8x16), tensor_view<11x24xf16, strides=[24,1]>>
      %yv = make_partition_view %yt : partition_view<tile=(8x16), tensor_view<11x24xf16, strides=[24,1]>>
      %a, %t0 = load_view_tko weak %xv[%i, %1] inbounds = [true, true] : partition_view<tile=(8x16), tensor_view<11x24xf16, strides=[24,1]>>, tile<i32> -> tile<8x16xf16>, token
      %b = addf %a, %a rounding<nearest_even> : tile<8x16xf16>
      %t1 = store_view_tko weak %b, %yv[%i, %1] inbounds = [true, true] : tile<8x16xf16>, partition_view<tile=(8x16), tensor_view<11x24xf16, strides=[24,1]>>, tile<i32> -> token
    }
    return
  }
}
