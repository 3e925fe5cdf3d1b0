// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands that exceed shared memory; K is contiguous in one operand and strided or contiguous in the other.
cuda_tile.module @m {
  entry @slab_product(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %z: tile<ptr<f32>>, %across: tile<ptr<f32>>, %along: tile<ptr<f32>>) {
    %0 = constant <i32: 0> : tile<i32>
    %zero = constant <f32: 0.0> : tile<32x32xf32>
    %xt = make_tensor_view %x, shape = [32, 1024], strides = [1024, 1] : tensor_view<32x1024xf32, strides=[1024,1]>
    %yt = make_tensor_view %y, shape = [1024, 32], strides = [32, 1] : tensor_view<1024x32xf32, strides=[32,1]>
    %zt = make_tensor_view %z, shape = [32, 1024], strides = [1024, 1] : tensor_view<32x1024xf32, strides=[1024,1]>
    %xv = make_partition_view %xt : partition_view<tile=(32x1024), tensor_view<32x1024xf32, strides=[1024,1]>>
    %yv = make_partition_view %yt : partition_view<tile=(1024x32), tensor_view<1024x32xf32, strides=[32,1]>>
    %zv = make_partition_view %zt : partition_view<tile=(1024x32), tensor_view<32x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>
    %a, %t0 = load_view_tko weak %xv[%0, %0] : partition_view<tile=(32x1024), tensor_view<32x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<32x1024xf32>, token
    %b, %t1 = load_view_tko weak %yv[%0, %0] : partition_view<tile=(1024x32), tensor_view<1024x32xf32, strides=[32,1]>>, tile<i32> -> tile<1024x32xf32>, token
    %c, %t2 = load_view_tko weak %zv[%0, %0] : partition_view<tile=(1024x32), tensor_view<32x1024xf32, strides=[1024,1]>, dim_map=[1, 0]>, tile<i32> -> tile<1024x32xf32>, token
    %d = mmaf %a, %b, %zero : tile<32x1024xf32>, tile<1024x32xf32>, tile<32x32xf32>
    %e = mmaf %a, %c, %d : tile<32x1024xf32>, tile<1024x32xf32>, tile<32x32xf32>
    %dt = make_tensor_view %across, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %et = make_tensor_view %along, shape = [32, 32], strides = [32, 1] : tensor_view<32x32xf32, strides=[32,1]>
    %dv = make_partition_view %dt : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %ev = make_partition_view %et : partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>
    %t3 = store_view_tko weak %d, %dv[%0, %0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    %t4 = store_view_tko weak %e, %ev[%0, %0] : tile<32x32xf32>, partition_view<tile=(32x32), tensor_view<32x32xf32, strides=[32,1]>>, tile<i32> -> token
    return
  }
}
