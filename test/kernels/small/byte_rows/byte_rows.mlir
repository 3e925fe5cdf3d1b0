// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of a gather counted in less than 32 bits, without a sign.
cuda_tile.module @kernels {
  entry @byte_rows(%x: tile<ptr<i32>>, %rows: tile<ptr<i8>>, %picked: tile<ptr<i32>>, %put: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %rt = make_tensor_view %rows, shape = [8], strides = [1] : tensor_view<8xi8, strides=[1]>
    %rp = make_partition_view %rt : partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>
    %r, %t0 = load_view_tko weak %rp[%zero] : partition_view<tile=(8), tensor_view<8xi8, strides=[1]>>, tile<i32> -> tile<8xi8>, token
    %xt = make_tensor_view %x, shape = [300, 8], strides = [8, 1] : tensor_view<300x8xi32, strides=[8,1]>
    %xg = make_gather_scatter_view %xt : gather_scatter_view<tile=(8x8), padding_value = zero, tensor_view<300x8xi32, strides=[8,1]>, sparse_dim=0>
    %v, %t1 = load_view_tko weak %xg[%r, %zero] : gather_scatter_view<tile=(8x8), padding_value = zero, tensor_view<300x8xi32, strides=[8,1]>, sparse_dim=0>, tile<8xi8>, tile<i32> -> tile<8x8xi32>, token
    %pt = make_tensor_view %picked, shape = [8, 8], strides = [8, 1] : tensor_view<8x8xi32, strides=[8,1]>
    %pp = make_partition_view %pt : partition_view<tile=(8x8), tensor_view<8x8xi32, strides=[8,1]>>
    %t2 = store_view_tko weak %v, %pp[%zero, %zero] : tile<8x8xi32>, partition_view<tile=(8x8), tensor_view<8x8xi32, strides=[8,1]>>, tile<i32> -> token
    %five = constant <i32: 5> : tile<512x8xi32>
    %yt = make_tensor_view %put, shape = [300, 8], strides = [8, 1] : tensor_view<300x8xi32, strides=[8,1]>
    %yp = make_partition_view %yt : partition_view<tile=(512x8), tensor_view<300x8xi32, strides=[8,1]>>
    %t3 = store_view_tko weak %five, %yp[%zero, %zero] : tile<512x8xi32>, partition_view<tile=(512x8), tensor_view<300x8xi32, strides=[8,1]>>, tile<i32> -> token
    %yg = make_gather_scatter_view %yt : gather_scatter_view<tile=(8x8), tensor_view<300x8xi32, strides=[8,1]>, sparse_dim=0>
    %h = exti %r unsigned : tile<8xi8> -> tile<8xi16>
    %t4 = store_view_tko weak %v, %yg[%h, %zero] token = %t3 : tile<8x8xi32>, gather_scatter_view<tile=(8x8), tensor_view<300x8xi32, strides=[8,1]>, sparse_dim=0>, tile<8xi16>, tile<i32> -> token
    return
  }
}
