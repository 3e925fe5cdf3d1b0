// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Multiplications by constants whose words ptxas splits incorrectly; only a GPU shows it.
cuda_tile.module @m {
  entry @constant_factors(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %left: tile<ptr<f32>>, %right: tile<ptr<f32>>, %both: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %zero = constant <f32: 0.0> : tile<16x8xf32>
    %tall = constant <f16: -14.0> : tile<16x8xf16>
    %few = constant <f16: -14.0> : tile<8x8xf16>
    %xt = make_tensor_view %x, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf16, strides=[8,1]>
    %xv = make_partition_view %xt : partition_view<tile=(16x8), tensor_view<16x8xf16, strides=[8,1]>>
    %a, %t = load_view_tko weak %xv[%0, %0] : partition_view<tile=(16x8), tensor_view<16x8xf16, strides=[8,1]>>, tile<i32> -> tile<16x8xf16>, token
    %yt = make_tensor_view %y, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xf16, strides=[8,1]>
    %yv = make_partition_view %yt : partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>
    %b, %s = load_view_tko weak %yv[%0, %0] : partition_view<tile=(8x8), tensor_view<8x8xf16, strides=[8,1]>>, tile<i32> -> tile<8x8xf16>, token
    %leftp = mmaf %tall, %b, %zero : tile<16x8xf16>, tile<8x8xf16>, tile<16x8xf32>
    %leftt = make_tensor_view %left, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %leftv = make_partition_view %leftt : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %leftk = store_view_tko weak %leftp, %leftv[%0, %0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
    %rightp = mmaf %a, %few, %zero : tile<16x8xf16>, tile<8x8xf16>, tile<16x8xf32>
    %rightt = make_tensor_view %right, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %rightv = make_partition_view %rightt : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %rightk = store_view_tko weak %rightp, %rightv[%0, %0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
    %bothp = mmaf %tall, %few, %zero : tile<16x8xf16>, tile<8x8xf16>, tile<16x8xf32>
    %botht = make_tensor_view %both, shape = [16, 8], strides = [8, 1] : tensor_view<16x8xf32, strides=[8,1]>
    %bothv = make_partition_view %botht : partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>
    %bothk = store_view_tko weak %bothp, %bothv[%0, %0] : tile<16x8xf32>, partition_view<tile=(16x8), tensor_view<16x8xf32, strides=[8,1]>>, tile<i32> -> token
    return
  }
}
