// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels: a copy of a row, and a matmul that fits no tensor core instruction.
cuda_tile.module @kernels {
  entry @copy(%from: tile<ptr<f32>>, %to: tile<ptr<f32>>, %n: tile<i32>) {
    %t = make_token : token
    %in = make_tensor_view %from, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %out = make_tensor_view %to, shape = [%n], strides = [1] : tile<i32> -> tensor_view<?xf32, strides=[1]>
    %pin = make_partition_view %in : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %pout = make_partition_view %out : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %v, %r = load_view_tko weak %pin[%x] token = %t : partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> tile<256xf32>, token
    %s = store_view_tko weak %v, %pout[%x] token = %r : tile<256xf32>, partition_view<tile=(256), tensor_view<?xf32, strides=[1]>>, tile<i32> -> token
    return
  }
  entry @product(%from: tile<ptr<f64>>, %to: tile<ptr<f64>>) {
    %in = make_tensor_view %from, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf64, strides=[4,1]>
    %out = make_tensor_view %to, shape = [4, 4], strides = [4, 1] : tensor_view<4x4xf64, strides=[4,1]>
    %pin = make_partition_view %in : partition_view<tile=(4x4), tensor_view<4x4xf64, strides=[4,1]>>
    %pout = make_partition_view %out : partition_view<tile=(4x4), tensor_view<4x4xf64, strides=[4,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %a, %r = load_view_tko weak %pin[%c0, %c0] : partition_view<tile=(4x4), tensor_view<4x4xf64, strides=[4,1]>>, tile<i32> -> tile<4x4xf64>, token
    %m = mmaf %a, %a, %a : tile<4x4xf64>, tile<4x4xf64>, tile<4x4xf64>
    %s = store_view_tko weak %m, %pout[%c0, %c0] token = %r : tile<4x4xf64>, partition_view<tile=(4x4), tensor_view<4x4xf64, strides=[4,1]>>, tile<i32> -> token
    return
  }
}
