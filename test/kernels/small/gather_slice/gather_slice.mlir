// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalar indices of gather/scatter views are coordinates: slices begin anywhere.
cuda_tile.module @kernels {
  entry @gather_slice(%x: tile<ptr<f32>>, %rows: tile<ptr<i32>>, %start: tile<i32>, %aligned: tile<i64>, %columns: tile<ptr<i64>>, %codes: tile<ptr<f4E2M1FN>>, %picked: tile<ptr<i32>>, %even: tile<i8>, %outside: tile<i32>, %second: tile<ptr<f32>>, %unaligned: tile<ptr<f32>>, %tail: tile<ptr<f32>>, %turned: tile<ptr<f32>>, %none: tile<ptr<f32>>, %scattered: tile<ptr<i32>>, %across: tile<ptr<i32>>, %half: tile<ptr<f4E2M1FN>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %rows_tv = make_tensor_view %rows, shape = [16], strides = [1] : tensor_view<16xi32, strides=[1]>
    %rows_pv = make_partition_view %rows_tv : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>
    %rows_v, %rows_t = load_view_tko weak %rows_pv[%zero] : partition_view<tile=(16), tensor_view<16xi32, strides=[1]>>, tile<i32> -> tile<16xi32>, token
    %columns_tv = make_tensor_view %columns, shape = [4], strides = [1] : tensor_view<4xi64, strides=[1]>
    %columns_pv = make_partition_view %columns_tv : partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>
    %columns_v, %columns_t = load_view_tko weak %columns_pv[%zero] : partition_view<tile=(4), tensor_view<4xi64, strides=[1]>>, tile<i32> -> tile<4xi64>, token
    %picked_tv = make_tensor_view %picked, shape = [8], strides = [1] : tensor_view<8xi32, strides=[1]>
    %picked_pv = make_partition_view %picked_tv : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>
    %picked_v, %picked_t = load_view_tko weak %picked_pv[%zero] : partition_view<tile=(8), tensor_view<8xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %x16 = assume div_by<16>, %x : tile<ptr<f32>>
    %a8 = assume div_by<8>, %aligned : tile<i64>
    %xt = make_tensor_view %x16, shape = [57, 64], strides = [64, 1] : tensor_view<57x64xf32, strides=[64,1]>
    %xr = make_gather_scatter_view %xt : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<57x64xf32, strides=[64,1]>, sparse_dim=0>
    %xc = make_gather_scatter_view %xt : gather_scatter_view<tile=(16x4), padding_value = zero, tensor_view<57x64xf32, strides=[64,1]>, sparse_dim=1>
    %c32 = constant <i32: 32> : tile<i32>
    %v1, %v1_t = load_view_tko weak %xr[%rows_v, %c32] : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<57x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
    %second_tv = make_tensor_view %second, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %second_pv = make_partition_view %second_tv : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %second_t = store_view_tko weak %v1, %second_pv[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> token
    %v2, %v2_t = load_view_tko weak %xr[%rows_v, %start] : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<57x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
    %unaligned_tv = make_tensor_view %unaligned, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %unaligned_pv = make_partition_view %unaligned_tv : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %unaligned_t = store_view_tko weak %v2, %unaligned_pv[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> token
    %v3, %v3_t = load_view_tko weak %xr[%rows_v, %a8] : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<57x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i64> -> tile<16x32xf32>, token
    %tail_tv = make_tensor_view %tail, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %tail_pv = make_partition_view %tail_tv : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %tail_t = store_view_tko weak %v3, %tail_pv[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> token
    %c50 = constant <i32: 50> : tile<i32>
    %v4, %v4_t = load_view_tko weak %xc[%c50, %columns_v] : gather_scatter_view<tile=(16x4), padding_value = zero, tensor_view<57x64xf32, strides=[64,1]>, sparse_dim=1>, tile<i32>, tile<4xi64> -> tile<16x4xf32>, token
    %turned_tv = make_tensor_view %turned, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf32, strides=[4,1]>
    %turned_pv = make_partition_view %turned_tv : partition_view<tile=(16x4), tensor_view<16x4xf32, strides=[4,1]>>
    %turned_t = store_view_tko weak %v4, %turned_pv[%zero, %zero] : tile<16x4xf32>, partition_view<tile=(16x4), tensor_view<16x4xf32, strides=[4,1]>>, tile<i32> -> token
    %v5, %v5_t = load_view_tko weak %xr[%rows_v, %outside] : gather_scatter_view<tile=(16x32), padding_value = zero, tensor_view<57x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x32xf32>, token
    %none_tv = make_tensor_view %none, shape = [16, 32], strides = [32, 1] : tensor_view<16x32xf32, strides=[32,1]>
    %none_pv = make_partition_view %none_tv : partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>
    %none_t = store_view_tko weak %v5, %none_pv[%zero, %zero] : tile<16x32xf32>, partition_view<tile=(16x32), tensor_view<16x32xf32, strides=[32,1]>>, tile<i32> -> token
    %iota = iota : tile<256xi32>
    %ids = reshape %iota : tile<256xi32> -> tile<16x16xi32>
    %seven = constant <i32: 7> : tile<64x64xi32>
    %scattered_tv = make_tensor_view %scattered, shape = [57, 64], strides = [64, 1] : tensor_view<57x64xi32, strides=[64,1]>
    %scattered_pv = make_partition_view %scattered_tv : partition_view<tile=(64x64), tensor_view<57x64xi32, strides=[64,1]>>
    %scattered_f = store_view_tko weak %seven, %scattered_pv[%zero, %zero] : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<57x64xi32, strides=[64,1]>>, tile<i32> -> token
    %c51 = constant <i32: 51> : tile<i32>
    %sv = make_gather_scatter_view %scattered_tv : gather_scatter_view<tile=(16x16), tensor_view<57x64xi32, strides=[64,1]>, sparse_dim=0>
    %s1 = store_view_tko weak %ids, %sv[%rows_v, %c51] token = %scattered_f : tile<16x16xi32>, gather_scatter_view<tile=(16x16), tensor_view<57x64xi32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> token
    %across_tv = make_tensor_view %across, shape = [57, 64], strides = [64, 1] : tensor_view<57x64xi32, strides=[64,1]>
    %across_pv = make_partition_view %across_tv : partition_view<tile=(64x64), tensor_view<57x64xi32, strides=[64,1]>>
    %across_f = store_view_tko weak %seven, %across_pv[%zero, %zero] : tile<64x64xi32>, partition_view<tile=(64x64), tensor_view<57x64xi32, strides=[64,1]>>, tile<i32> -> token
    %c19 = constant <i16: 19> : tile<i16>
    %first = extract %ids[%zero, %zero] : tile<16x16xi32> -> tile<16x4xi32>
    %av = make_gather_scatter_view %across_tv : gather_scatter_view<tile=(16x4), tensor_view<57x64xi32, strides=[64,1]>, sparse_dim=1>
    %s2 = store_view_tko weak %first, %av[%c19, %columns_v] token = %across_f : tile<16x4xi32>, gather_scatter_view<tile=(16x4), tensor_view<57x64xi32, strides=[64,1]>, sparse_dim=1>, tile<i16>, tile<4xi64> -> token
    %ct = make_tensor_view %codes, shape = [24, 64], strides = [64, 1] : tensor_view<24x64xf4E2M1FN, strides=[64,1]>
    %cv = make_gather_scatter_view %ct : gather_scatter_view<tile=(8x16), padding_value = zero, tensor_view<24x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>
    %v6, %v6_t = load_view_tko weak %cv[%picked_v, %even] : gather_scatter_view<tile=(8x16), padding_value = zero, tensor_view<24x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i8> -> tile<8x16xf4E2M1FN>, token
    %nothing = constant <i8: 0> : tile<1024xi8>
    %blank = unpack %nothing : tile<1024xi8> -> tile<2048xf4E2M1FN>
    %blanks = reshape %blank : tile<2048xf4E2M1FN> -> tile<32x64xf4E2M1FN>
    %ht = make_tensor_view %half, shape = [24, 64], strides = [64, 1] : tensor_view<24x64xf4E2M1FN, strides=[64,1]>
    %hp = make_partition_view %ht : partition_view<tile=(32x64), tensor_view<24x64xf4E2M1FN, strides=[64,1]>>
    %hf = store_view_tko weak %blanks, %hp[%zero, %zero] : tile<32x64xf4E2M1FN>, partition_view<tile=(32x64), tensor_view<24x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> token
    %hv = make_gather_scatter_view %ht : gather_scatter_view<tile=(8x16), tensor_view<24x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>
    %i8 = iota : tile<8xi32>
    %threes = constant <i32: 3> : tile<8xi32>
    %every = muli %i8, %threes : tile<8xi32>
    %c22 = constant <i32: 22> : tile<i32>
    %s3 = store_view_tko weak %v6, %hv[%every, %c22] token = %hf : tile<8x16xf4E2M1FN>, gather_scatter_view<tile=(8x16), tensor_view<24x64xf4E2M1FN, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> token
    return
  }
}
