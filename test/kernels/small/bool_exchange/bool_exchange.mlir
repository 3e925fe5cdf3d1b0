// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flags read by columns and needed by rows: they change threads as bytes.
cuda_tile.module @kernels {
  entry @bool_exchange(%x: tile<ptr<i1>>, %y: tile<ptr<i64>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xi1, strides=[4,1]>
    %xp = make_partition_view %xv : partition_view<tile=(4x128), tensor_view<128x4xi1, strides=[4,1]>, dim_map=[1, 0]>
    %a, %t0 = load_view_tko weak %xp[%zero, %zero] : partition_view<tile=(4x128), tensor_view<128x4xi1, strides=[4,1]>, dim_map=[1, 0]>, tile<i32> -> tile<4x128xi1>, token
    %b = exti %a unsigned : tile<4x128xi1> -> tile<4x128xi64>
    %yv = make_tensor_view %y, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xi64, strides=[128,1]>
    %yp = make_partition_view %yv : partition_view<tile=(4x128), tensor_view<4x128xi64, strides=[128,1]>>
    %t1 = store_view_tko weak %b, %yp[%zero, %zero] : tile<4x128xi64>, partition_view<tile=(4x128), tensor_view<4x128xi64, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
