// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matmul of tiles 65 elements apart, not a multiple of 16 bytes, at which TMA faults; and 72 apart.
cuda_tile.module @m {
  entry @strided_steps(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %odd: tile<ptr<f32>>, %even: tile<ptr<f32>>, %n: tile<i32>) {
    %0 = constant <i32: 0> : tile<i32>
    %1 = constant <i32: 1> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %xa = assume div_by<16>, %x : tile<ptr<f16>>
    %ya = assume div_by<16>, %y : tile<ptr<f16>>
    %xt = make_tensor_view %xa, shape = [64, 480], strides = [480, 1] : tensor_view<64x480xf16, strides=[480,1]>
    %yt = make_tensor_view %ya, shape = [384, 64], strides = [64, 1] : tensor_view<384x64xf16, strides=[64,1]>
    %yv = make_partition_view %yt : partition_view<tile=(64x64), tensor_view<384x64xf16, strides=[64,1]>>
    %oddv = make_strided_view %xt : strided_view<tile=(64x64), traversal_strides=[64,65], tensor_view<64x480xf16, strides=[480,1]>>
    %odds = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %a, %ta = load_view_tko weak %oddv[%0, %i] : strided_view<tile=(64x64), traversal_strides=[64,65], tensor_view<64x480xf16, strides=[480,1]>>, tile<i32> -> tile<64x64xf16>, token
      %b, %tb = load_view_tko weak %yv[%i, %0] : partition_view<tile=(64x64), tensor_view<384x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %a, %b, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %oddt = make_tensor_view %odd, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %oddw = make_partition_view %oddt : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %oddk = store_view_tko weak %odds, %oddw[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    %evenv = make_strided_view %xt : strided_view<tile=(64x64), traversal_strides=[64,72], tensor_view<64x480xf16, strides=[480,1]>>
    %evens = for %i in (%0 to %n, step %1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %a, %ta = load_view_tko weak %evenv[%0, %i] : strided_view<tile=(64x64), traversal_strides=[64,72], tensor_view<64x480xf16, strides=[480,1]>>, tile<i32> -> tile<64x64xf16>, token
      %b, %tb = load_view_tko weak %yv[%i, %0] : partition_view<tile=(64x64), tensor_view<384x64xf16, strides=[64,1]>>, tile<i32> -> tile<64x64xf16>, token
      %d = mmaf %a, %b, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
      continue %d : tile<64x64xf32>
    }
    %event = make_tensor_view %even, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %evenw = make_partition_view %event : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %evenk = store_view_tko weak %evens, %evenw[%0, %0] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
