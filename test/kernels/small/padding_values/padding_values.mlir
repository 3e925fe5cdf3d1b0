// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Padding values, some of which their type does not have.
cuda_tile.module @kernels {
  entry @padding_values(%x8e4m: tile<ptr<f8E4M3FN>>, %zero_8e4m: tile<ptr<f8E4M3FN>>, %neg_zero_8e4m: tile<ptr<f8E4M3FN>>, %nan_8e4m: tile<ptr<f8E4M3FN>>, %pos_inf_8e4m: tile<ptr<f8E4M3FN>>, %neg_inf_8e4m: tile<ptr<f8E4M3FN>>, %x8e5m: tile<ptr<f8E5M2>>, %zero_8e5m: tile<ptr<f8E5M2>>, %neg_zero_8e5m: tile<ptr<f8E5M2>>, %nan_8e5m: tile<ptr<f8E5M2>>, %pos_inf_8e5m: tile<ptr<f8E5M2>>, %neg_inf_8e5m: tile<ptr<f8E5M2>>, %x8e8m: tile<ptr<f8E8M0FNU>>, %zero_8e8m: tile<ptr<f8E8M0FNU>>, %neg_zero_8e8m: tile<ptr<f8E8M0FNU>>, %nan_8e8m: tile<ptr<f8E8M0FNU>>, %pos_inf_8e8m: tile<ptr<f8E8M0FNU>>, %neg_inf_8e8m: tile<ptr<f8E8M0FNU>>, %x4e2m: tile<ptr<f4E2M1FN>>, %zero_4e2m: tile<ptr<f4E2M1FN>>, %neg_zero_4e2m: tile<ptr<f4E2M1FN>>, %nan_4e2m: tile<ptr<f4E2M1FN>>, %pos_inf_4e2m: tile<ptr<f4E2M1FN>>, %neg_inf_4e2m: tile<ptr<f4E2M1FN>>) {
    %zero = constant <i32: 0> : tile<i32>
    %t8e4m = make_tensor_view %x8e4m, shape = [16], strides = [1] : tensor_view<16xf8E4M3FN, strides=[1]>
    %zero_8e4m_i = make_partition_view %t8e4m : partition_view<tile=(32), padding_value = zero, tensor_view<16xf8E4M3FN, strides=[1]>>
    %zero_8e4m_v, %zero_8e4m_a = load_view_tko weak %zero_8e4m_i[%zero] : partition_view<tile=(32), padding_value = zero, tensor_view<16xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %zero_8e4m_o = make_tensor_view %zero_8e4m, shape = [32], strides = [1] : tensor_view<32xf8E4M3FN, strides=[1]>
    %zero_8e4m_p = make_partition_view %zero_8e4m_o : partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>
    %zero_8e4m_b = store_view_tko weak %zero_8e4m_v, %zero_8e4m_p[%zero] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %neg_zero_8e4m_i = make_partition_view %t8e4m : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf8E4M3FN, strides=[1]>>
    %neg_zero_8e4m_v, %neg_zero_8e4m_a = load_view_tko weak %neg_zero_8e4m_i[%zero] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %neg_zero_8e4m_o = make_tensor_view %neg_zero_8e4m, shape = [32], strides = [1] : tensor_view<32xf8E4M3FN, strides=[1]>
    %neg_zero_8e4m_p = make_partition_view %neg_zero_8e4m_o : partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>
    %neg_zero_8e4m_b = store_view_tko weak %neg_zero_8e4m_v, %neg_zero_8e4m_p[%zero] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %nan_8e4m_i = make_partition_view %t8e4m : partition_view<tile=(32), padding_value = nan, tensor_view<16xf8E4M3FN, strides=[1]>>
    %nan_8e4m_v, %nan_8e4m_a = load_view_tko weak %nan_8e4m_i[%zero] : partition_view<tile=(32), padding_value = nan, tensor_view<16xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %nan_8e4m_o = make_tensor_view %nan_8e4m, shape = [32], strides = [1] : tensor_view<32xf8E4M3FN, strides=[1]>
    %nan_8e4m_p = make_partition_view %nan_8e4m_o : partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>
    %nan_8e4m_b = store_view_tko weak %nan_8e4m_v, %nan_8e4m_p[%zero] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %pos_inf_8e4m_i = make_partition_view %t8e4m : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf8E4M3FN, strides=[1]>>
    %pos_inf_8e4m_v, %pos_inf_8e4m_a = load_view_tko weak %pos_inf_8e4m_i[%zero] : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %pos_inf_8e4m_o = make_tensor_view %pos_inf_8e4m, shape = [32], strides = [1] : tensor_view<32xf8E4M3FN, strides=[1]>
    %pos_inf_8e4m_p = make_partition_view %pos_inf_8e4m_o : partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>
    %pos_inf_8e4m_b = store_view_tko weak %pos_inf_8e4m_v, %pos_inf_8e4m_p[%zero] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %neg_inf_8e4m_i = make_partition_view %t8e4m : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf8E4M3FN, strides=[1]>>
    %neg_inf_8e4m_v, %neg_inf_8e4m_a = load_view_tko weak %neg_inf_8e4m_i[%zero] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<32xf8E4M3FN>, token
    %neg_inf_8e4m_o = make_tensor_view %neg_inf_8e4m, shape = [32], strides = [1] : tensor_view<32xf8E4M3FN, strides=[1]>
    %neg_inf_8e4m_p = make_partition_view %neg_inf_8e4m_o : partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>
    %neg_inf_8e4m_b = store_view_tko weak %neg_inf_8e4m_v, %neg_inf_8e4m_p[%zero] : tile<32xf8E4M3FN>, partition_view<tile=(32), tensor_view<32xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %t8e5m = make_tensor_view %x8e5m, shape = [16], strides = [1] : tensor_view<16xf8E5M2, strides=[1]>
    %zero_8e5m_i = make_partition_view %t8e5m : partition_view<tile=(32), padding_value = zero, tensor_view<16xf8E5M2, strides=[1]>>
    %zero_8e5m_v, %zero_8e5m_a = load_view_tko weak %zero_8e5m_i[%zero] : partition_view<tile=(32), padding_value = zero, tensor_view<16xf8E5M2, strides=[1]>>, tile<i32> -> tile<32xf8E5M2>, token
    %zero_8e5m_o = make_tensor_view %zero_8e5m, shape = [32], strides = [1] : tensor_view<32xf8E5M2, strides=[1]>
    %zero_8e5m_p = make_partition_view %zero_8e5m_o : partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>
    %zero_8e5m_b = store_view_tko weak %zero_8e5m_v, %zero_8e5m_p[%zero] : tile<32xf8E5M2>, partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>, tile<i32> -> token
    %neg_zero_8e5m_i = make_partition_view %t8e5m : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf8E5M2, strides=[1]>>
    %neg_zero_8e5m_v, %neg_zero_8e5m_a = load_view_tko weak %neg_zero_8e5m_i[%zero] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf8E5M2, strides=[1]>>, tile<i32> -> tile<32xf8E5M2>, token
    %neg_zero_8e5m_o = make_tensor_view %neg_zero_8e5m, shape = [32], strides = [1] : tensor_view<32xf8E5M2, strides=[1]>
    %neg_zero_8e5m_p = make_partition_view %neg_zero_8e5m_o : partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>
    %neg_zero_8e5m_b = store_view_tko weak %neg_zero_8e5m_v, %neg_zero_8e5m_p[%zero] : tile<32xf8E5M2>, partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>, tile<i32> -> token
    %nan_8e5m_i = make_partition_view %t8e5m : partition_view<tile=(32), padding_value = nan, tensor_view<16xf8E5M2, strides=[1]>>
    %nan_8e5m_v, %nan_8e5m_a = load_view_tko weak %nan_8e5m_i[%zero] : partition_view<tile=(32), padding_value = nan, tensor_view<16xf8E5M2, strides=[1]>>, tile<i32> -> tile<32xf8E5M2>, token
    %nan_8e5m_o = make_tensor_view %nan_8e5m, shape = [32], strides = [1] : tensor_view<32xf8E5M2, strides=[1]>
    %nan_8e5m_p = make_partition_view %nan_8e5m_o : partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>
    %nan_8e5m_b = store_view_tko weak %nan_8e5m_v, %nan_8e5m_p[%zero] : tile<32xf8E5M2>, partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>, tile<i32> -> token
    %pos_inf_8e5m_i = make_partition_view %t8e5m : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf8E5M2, strides=[1]>>
    %pos_inf_8e5m_v, %pos_inf_8e5m_a = load_view_tko weak %pos_inf_8e5m_i[%zero] : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf8E5M2, strides=[1]>>, tile<i32> -> tile<32xf8E5M2>, token
    %pos_inf_8e5m_o = make_tensor_view %pos_inf_8e5m, shape = [32], strides = [1] : tensor_view<32xf8E5M2, strides=[1]>
    %pos_inf_8e5m_p = make_partition_view %pos_inf_8e5m_o : partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>
    %pos_inf_8e5m_b = store_view_tko weak %pos_inf_8e5m_v, %pos_inf_8e5m_p[%zero] : tile<32xf8E5M2>, partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>, tile<i32> -> token
    %neg_inf_8e5m_i = make_partition_view %t8e5m : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf8E5M2, strides=[1]>>
    %neg_inf_8e5m_v, %neg_inf_8e5m_a = load_view_tko weak %neg_inf_8e5m_i[%zero] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf8E5M2, strides=[1]>>, tile<i32> -> tile<32xf8E5M2>, token
    %neg_inf_8e5m_o = make_tensor_view %neg_inf_8e5m, shape = [32], strides = [1] : tensor_view<32xf8E5M2, strides=[1]>
    %neg_inf_8e5m_p = make_partition_view %neg_inf_8e5m_o : partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>
    %neg_inf_8e5m_b = store_view_tko weak %neg_inf_8e5m_v, %neg_inf_8e5m_p[%zero] : tile<32xf8E5M2>, partition_view<tile=(32), tensor_view<32xf8E5M2, strides=[1]>>, tile<i32> -> token
    %t8e8m = make_tensor_view %x8e8m, shape = [16], strides = [1] : tensor_view<16xf8E8M0FNU, strides=[1]>
    %zero_8e8m_i = make_partition_view %t8e8m : partition_view<tile=(32), padding_value = zero, tensor_view<16xf8E8M0FNU, strides=[1]>>
    %zero_8e8m_v, %zero_8e8m_a = load_view_tko weak %zero_8e8m_i[%zero] : partition_view<tile=(32), padding_value = zero, tensor_view<16xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<32xf8E8M0FNU>, token
    %zero_8e8m_o = make_tensor_view %zero_8e8m, shape = [32], strides = [1] : tensor_view<32xf8E8M0FNU, strides=[1]>
    %zero_8e8m_p = make_partition_view %zero_8e8m_o : partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>
    %zero_8e8m_b = store_view_tko weak %zero_8e8m_v, %zero_8e8m_p[%zero] : tile<32xf8E8M0FNU>, partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    %neg_zero_8e8m_i = make_partition_view %t8e8m : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf8E8M0FNU, strides=[1]>>
    %neg_zero_8e8m_v, %neg_zero_8e8m_a = load_view_tko weak %neg_zero_8e8m_i[%zero] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<32xf8E8M0FNU>, token
    %neg_zero_8e8m_o = make_tensor_view %neg_zero_8e8m, shape = [32], strides = [1] : tensor_view<32xf8E8M0FNU, strides=[1]>
    %neg_zero_8e8m_p = make_partition_view %neg_zero_8e8m_o : partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>
    %neg_zero_8e8m_b = store_view_tko weak %neg_zero_8e8m_v, %neg_zero_8e8m_p[%zero] : tile<32xf8E8M0FNU>, partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    %nan_8e8m_i = make_partition_view %t8e8m : partition_view<tile=(32), padding_value = nan, tensor_view<16xf8E8M0FNU, strides=[1]>>
    %nan_8e8m_v, %nan_8e8m_a = load_view_tko weak %nan_8e8m_i[%zero] : partition_view<tile=(32), padding_value = nan, tensor_view<16xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<32xf8E8M0FNU>, token
    %nan_8e8m_o = make_tensor_view %nan_8e8m, shape = [32], strides = [1] : tensor_view<32xf8E8M0FNU, strides=[1]>
    %nan_8e8m_p = make_partition_view %nan_8e8m_o : partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>
    %nan_8e8m_b = store_view_tko weak %nan_8e8m_v, %nan_8e8m_p[%zero] : tile<32xf8E8M0FNU>, partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    %pos_inf_8e8m_i = make_partition_view %t8e8m : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf8E8M0FNU, strides=[1]>>
    %pos_inf_8e8m_v, %pos_inf_8e8m_a = load_view_tko weak %pos_inf_8e8m_i[%zero] : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<32xf8E8M0FNU>, token
    %pos_inf_8e8m_o = make_tensor_view %pos_inf_8e8m, shape = [32], strides = [1] : tensor_view<32xf8E8M0FNU, strides=[1]>
    %pos_inf_8e8m_p = make_partition_view %pos_inf_8e8m_o : partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>
    %pos_inf_8e8m_b = store_view_tko weak %pos_inf_8e8m_v, %pos_inf_8e8m_p[%zero] : tile<32xf8E8M0FNU>, partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    %neg_inf_8e8m_i = make_partition_view %t8e8m : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf8E8M0FNU, strides=[1]>>
    %neg_inf_8e8m_v, %neg_inf_8e8m_a = load_view_tko weak %neg_inf_8e8m_i[%zero] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf8E8M0FNU, strides=[1]>>, tile<i32> -> tile<32xf8E8M0FNU>, token
    %neg_inf_8e8m_o = make_tensor_view %neg_inf_8e8m, shape = [32], strides = [1] : tensor_view<32xf8E8M0FNU, strides=[1]>
    %neg_inf_8e8m_p = make_partition_view %neg_inf_8e8m_o : partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>
    %neg_inf_8e8m_b = store_view_tko weak %neg_inf_8e8m_v, %neg_inf_8e8m_p[%zero] : tile<32xf8E8M0FNU>, partition_view<tile=(32), tensor_view<32xf8E8M0FNU, strides=[1]>>, tile<i32> -> token
    %t4e2m = make_tensor_view %x4e2m, shape = [16], strides = [1] : tensor_view<16xf4E2M1FN, strides=[1]>
    %zero_4e2m_i = make_partition_view %t4e2m : partition_view<tile=(32), padding_value = zero, tensor_view<16xf4E2M1FN, strides=[1]>>
    %zero_4e2m_v, %zero_4e2m_a = load_view_tko weak %zero_4e2m_i[%zero] : partition_view<tile=(32), padding_value = zero, tensor_view<16xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<32xf4E2M1FN>, token
    %zero_4e2m_o = make_tensor_view %zero_4e2m, shape = [32], strides = [1] : tensor_view<32xf4E2M1FN, strides=[1]>
    %zero_4e2m_p = make_partition_view %zero_4e2m_o : partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>
    %zero_4e2m_b = store_view_tko weak %zero_4e2m_v, %zero_4e2m_p[%zero] : tile<32xf4E2M1FN>, partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    %neg_zero_4e2m_i = make_partition_view %t4e2m : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf4E2M1FN, strides=[1]>>
    %neg_zero_4e2m_v, %neg_zero_4e2m_a = load_view_tko weak %neg_zero_4e2m_i[%zero] : partition_view<tile=(32), padding_value = neg_zero, tensor_view<16xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<32xf4E2M1FN>, token
    %neg_zero_4e2m_o = make_tensor_view %neg_zero_4e2m, shape = [32], strides = [1] : tensor_view<32xf4E2M1FN, strides=[1]>
    %neg_zero_4e2m_p = make_partition_view %neg_zero_4e2m_o : partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>
    %neg_zero_4e2m_b = store_view_tko weak %neg_zero_4e2m_v, %neg_zero_4e2m_p[%zero] : tile<32xf4E2M1FN>, partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    %nan_4e2m_i = make_partition_view %t4e2m : partition_view<tile=(32), padding_value = nan, tensor_view<16xf4E2M1FN, strides=[1]>>
    %nan_4e2m_v, %nan_4e2m_a = load_view_tko weak %nan_4e2m_i[%zero] : partition_view<tile=(32), padding_value = nan, tensor_view<16xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<32xf4E2M1FN>, token
    %nan_4e2m_o = make_tensor_view %nan_4e2m, shape = [32], strides = [1] : tensor_view<32xf4E2M1FN, strides=[1]>
    %nan_4e2m_p = make_partition_view %nan_4e2m_o : partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>
    %nan_4e2m_b = store_view_tko weak %nan_4e2m_v, %nan_4e2m_p[%zero] : tile<32xf4E2M1FN>, partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    %pos_inf_4e2m_i = make_partition_view %t4e2m : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf4E2M1FN, strides=[1]>>
    %pos_inf_4e2m_v, %pos_inf_4e2m_a = load_view_tko weak %pos_inf_4e2m_i[%zero] : partition_view<tile=(32), padding_value = pos_inf, tensor_view<16xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<32xf4E2M1FN>, token
    %pos_inf_4e2m_o = make_tensor_view %pos_inf_4e2m, shape = [32], strides = [1] : tensor_view<32xf4E2M1FN, strides=[1]>
    %pos_inf_4e2m_p = make_partition_view %pos_inf_4e2m_o : partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>
    %pos_inf_4e2m_b = store_view_tko weak %pos_inf_4e2m_v, %pos_inf_4e2m_p[%zero] : tile<32xf4E2M1FN>, partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    %neg_inf_4e2m_i = make_partition_view %t4e2m : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf4E2M1FN, strides=[1]>>
    %neg_inf_4e2m_v, %neg_inf_4e2m_a = load_view_tko weak %neg_inf_4e2m_i[%zero] : partition_view<tile=(32), padding_value = neg_inf, tensor_view<16xf4E2M1FN, strides=[1]>>, tile<i32> -> tile<32xf4E2M1FN>, token
    %neg_inf_4e2m_o = make_tensor_view %neg_inf_4e2m, shape = [32], strides = [1] : tensor_view<32xf4E2M1FN, strides=[1]>
    %neg_inf_4e2m_p = make_partition_view %neg_inf_4e2m_o : partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>
    %neg_inf_4e2m_b = store_view_tko weak %neg_inf_4e2m_v, %neg_inf_4e2m_p[%zero] : tile<32xf4E2M1FN>, partition_view<tile=(32), tensor_view<32xf4E2M1FN, strides=[1]>>, tile<i32> -> token
    return
  }
}
