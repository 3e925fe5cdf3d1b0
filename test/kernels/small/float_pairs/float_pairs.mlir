// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of f32 tiles.
cuda_tile.module @kernels {
  entry @float_pairs(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %s: tile<f32>, %total: tile<ptr<f32>>, %less: tile<ptr<f32>>, %gap: tile<ptr<f32>>, %product: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %s1 = reshape %s : tile<f32> -> tile<1xf32>
    %sb = broadcast %s1 : tile<1xf32> -> tile<1024xf32>
    %xv = make_tensor_view %x, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %xa, %xt = load_view_tko weak %xp[%c0] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %yv = make_tensor_view %y, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %ya, %yt = load_view_tko weak %yp[%c0] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %totala = addf %xa, %ya : tile<1024xf32>
    %totalv = make_tensor_view %total, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %totalp = make_partition_view %totalv : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %totalt = store_view_tko weak %totala, %totalp[%c0] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %lessa = subf %xa, %sb : tile<1024xf32>
    %lessv = make_tensor_view %less, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %lessp = make_partition_view %lessv : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %lesst = store_view_tko weak %lessa, %lessp[%c0] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %gapa = subf %xa, %ya : tile<1024xf32>
    %gapv = make_tensor_view %gap, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %gapp = make_partition_view %gapv : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %gapt = store_view_tko weak %gapa, %gapp[%c0] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %producta = mulf %xa, %ya : tile<1024xf32>
    %productv = make_tensor_view %product, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %productp = make_partition_view %productv : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %productt = store_view_tko weak %producta, %productp[%c0] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
