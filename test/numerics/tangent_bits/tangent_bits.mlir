// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tanh x where CUDA's tanhf is a polynomial: each step rounds once.
cuda_tile.module @kernels {
  entry @tangent_bits(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %av = make_tensor_view %x, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %ap = make_partition_view %av : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>
    %a, %ta = load_view_tko weak %ap[%b] : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %h = tanh %a : tile<1024xf32>
    %ov = make_tensor_view %y, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %op = make_partition_view %ov : partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>
    %to = store_view_tko weak %h, %op[%b] : tile<1024xf32>, partition_view<tile=(1024), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
