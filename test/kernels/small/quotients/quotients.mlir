// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients of tiles with a divisor for each element.
cuda_tile.module @kernels {
  entry @quotients(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %yv = make_tensor_view %y, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %yp = make_partition_view %yv : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %a, %t0 = load_view_tko weak %xp[%c0] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %b, %t1 = load_view_tko weak %yp[%c0] : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %q = divf %a, %b : tile<256xf32>
    %zv = make_tensor_view %z, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %zp = make_partition_view %zv : partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>
    %t2 = store_view_tko weak %q, %zp[%c0] : tile<256xf32>, partition_view<tile=(256), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
