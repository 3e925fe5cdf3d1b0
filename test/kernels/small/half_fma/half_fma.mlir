// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fused multiply-adds of halves are rounded once, for tiles and for scalars.
cuda_tile.module @kernels {
  entry @half_fma(%bX: tile<ptr<bf16>>, %bY: tile<ptr<bf16>>, %bC: tile<ptr<bf16>>, %bTile: tile<ptr<bf16>>, %bAlone: tile<ptr<bf16>>, %hX: tile<ptr<f16>>, %hY: tile<ptr<f16>>, %hC: tile<ptr<f16>>, %hTile: tile<ptr<f16>>, %hAlone: tile<ptr<f16>>) {
    %block, %y, %z = get_tile_block_id : tile<i32>
    %bv0 = make_tensor_view %bX, shape = [64], strides = [1] : tensor_view<64xbf16, strides=[1]>
    %bv1 = make_tensor_view %bY, shape = [64], strides = [1] : tensor_view<64xbf16, strides=[1]>
    %bv2 = make_tensor_view %bC, shape = [64], strides = [1] : tensor_view<64xbf16, strides=[1]>
    %bv3 = make_tensor_view %bTile, shape = [64], strides = [1] : tensor_view<64xbf16, strides=[1]>
    %bp0 = make_partition_view %bv0 : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>
    %bp1 = make_partition_view %bv1 : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>
    %bp2 = make_partition_view %bv2 : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>
    %bp3 = make_partition_view %bv3 : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>
    %bx, %bt0 = load_view_tko weak %bp0[%block] : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>, tile<i32> -> tile<8xbf16>, token
    %by, %bt1 = load_view_tko weak %bp1[%block] : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>, tile<i32> -> tile<8xbf16>, token
    %bc, %bt2 = load_view_tko weak %bp2[%block] : partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>, tile<i32> -> tile<8xbf16>, token
    %br = fma %bx, %by, %bc : tile<8xbf16>
    %bt3 = store_view_tko weak %br, %bp3[%block] : tile<8xbf16>, partition_view<tile=(8), tensor_view<64xbf16, strides=[1]>>, tile<i32> -> token
    %bq0 = offset %bX, %block : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %bq1 = offset %bY, %block : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %bq2 = offset %bC, %block : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %bq3 = offset %bAlone, %block : tile<ptr<bf16>>, tile<i32> -> tile<ptr<bf16>>
    %bsx, %bt4 = load_ptr_tko weak %bq0 : tile<ptr<bf16>> -> tile<bf16>, token
    %bsy, %bt5 = load_ptr_tko weak %bq1 : tile<ptr<bf16>> -> tile<bf16>, token
    %bsc, %bt6 = load_ptr_tko weak %bq2 : tile<ptr<bf16>> -> tile<bf16>, token
    %bsr = fma %bsx, %bsy, %bsc : tile<bf16>
    %bt7 = store_ptr_tko weak %bq3, %bsr : tile<ptr<bf16>>, tile<bf16> -> token
    %hv0 = make_tensor_view %hX, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %hv1 = make_tensor_view %hY, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %hv2 = make_tensor_view %hC, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %hv3 = make_tensor_view %hTile, shape = [64], strides = [1] : tensor_view<64xf16, strides=[1]>
    %hp0 = make_partition_view %hv0 : partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>
    %hp1 = make_partition_view %hv1 : partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>
    %hp2 = make_partition_view %hv2 : partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>
    %hp3 = make_partition_view %hv3 : partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>
    %hx, %ht0 = load_view_tko weak %hp0[%block] : partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>, tile<i32> -> tile<8xf16>, token
    %hy, %ht1 = load_view_tko weak %hp1[%block] : partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>, tile<i32> -> tile<8xf16>, token
    %hc, %ht2 = load_view_tko weak %hp2[%block] : partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>, tile<i32> -> tile<8xf16>, token
    %hr = fma %hx, %hy, %hc : tile<8xf16>
    %ht3 = store_view_tko weak %hr, %hp3[%block] : tile<8xf16>, partition_view<tile=(8), tensor_view<64xf16, strides=[1]>>, tile<i32> -> token
    %hq0 = offset %hX, %block : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %hq1 = offset %hY, %block : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %hq2 = offset %hC, %block : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %hq3 = offset %hAlone, %block : tile<ptr<f16>>, tile<i32> -> tile<ptr<f16>>
    %hsx, %ht4 = load_ptr_tko weak %hq0 : tile<ptr<f16>> -> tile<f16>, token
    %hsy, %ht5 = load_ptr_tko weak %hq1 : tile<ptr<f16>> -> tile<f16>, token
    %hsc, %ht6 = load_ptr_tko weak %hq2 : tile<ptr<f16>> -> tile<f16>, token
    %hsr = fma %hsx, %hsy, %hsc : tile<f16>
    %ht7 = store_ptr_tko weak %hq3, %hsr : tile<ptr<f16>>, tile<f16> -> token
    return
  }
}
