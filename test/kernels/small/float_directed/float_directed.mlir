// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f64 to f32 in the four IEEE modes.
cuda_tile.module @kernels {
  entry @float_directed(%x: tile<ptr<f64>>, %near: tile<ptr<f32>>, %zero: tile<ptr<f32>>, %down: tile<ptr<f32>>, %up: tile<ptr<f32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %av = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xf64, strides=[1]>
    %ap = make_partition_view %av : partition_view<tile=(64), tensor_view<256xf64, strides=[1]>>
    %a, %ta = load_view_tko weak %ap[%b] : partition_view<tile=(64), tensor_view<256xf64, strides=[1]>>, tile<i32> -> tile<64xf64>, token
    %rnear = ftof %a : tile<64xf64> -> tile<64xf32>
    %onearv = make_tensor_view %near, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %onearp = make_partition_view %onearv : partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>
    %tonear = store_view_tko weak %rnear, %onearp[%b] : tile<64xf32>, partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    %rzero = ftof %a rounding<zero> : tile<64xf64> -> tile<64xf32>
    %ozerov = make_tensor_view %zero, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %ozerop = make_partition_view %ozerov : partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>
    %tozero = store_view_tko weak %rzero, %ozerop[%b] : tile<64xf32>, partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    %rdown = ftof %a rounding<negative_inf> : tile<64xf64> -> tile<64xf32>
    %odownv = make_tensor_view %down, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %odownp = make_partition_view %odownv : partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>
    %todown = store_view_tko weak %rdown, %odownp[%b] : tile<64xf32>, partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    %rup = ftof %a rounding<positive_inf> : tile<64xf64> -> tile<64xf32>
    %oupv = make_tensor_view %up, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %oupp = make_partition_view %oupv : partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>
    %toup = store_view_tko weak %rup, %oupp[%b] : tile<64xf32>, partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
