// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
cuda_tile.module @m {
  // The gradient goes over a part of its input, which it comes from: no token leads from the load to the store.
  entry @gradient(%x: tile<ptr<f32>>, %g: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %gt = make_tensor_view %g, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %gp = make_partition_view %gt : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %v, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %d = mulf %v, %v rounding<nearest_even> : tile<1024xf32>
    %t1 = store_view_tko weak %d, %gp[%zero] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // The same with the token of the load.
  entry @chained(%x: tile<ptr<f32>>, %g: tile<ptr<f32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xt = make_tensor_view %x, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %gt = make_tensor_view %g, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %xp = make_partition_view %xt : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %gp = make_partition_view %gt : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %v, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %d = mulf %v, %v rounding<nearest_even> : tile<1024xf32>
    %t1 = store_view_tko weak %d, %gp[%zero] token = %t0 : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
