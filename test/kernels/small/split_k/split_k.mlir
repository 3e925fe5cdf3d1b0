// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A split-K matmul: each block adds its slice to one result, by a view with relaxed
// atomic adds, and by pointers with the memory order that a frontend requests.
cuda_tile.module @kernels {
  entry @split_k(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>, %ordered: tile<ptr<f32>>,
                 %released: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %k, %ky, %kz = get_tile_block_id : tile<i32>
    %aa = assume div_by<16>, %a : tile<ptr<f16>>
    %ba = assume div_by<16>, %b : tile<ptr<f16>>
    %ca = assume div_by<16>, %c : tile<ptr<f32>>
    %oa = assume div_by<16>, %ordered : tile<ptr<f32>>
    %ra = assume div_by<16>, %released : tile<ptr<f32>>
    %at = make_tensor_view %aa, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf16, strides=[128,1]>
    %bt = make_tensor_view %ba, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf16, strides=[64,1]>
    %ct = make_tensor_view %ca, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf32, strides=[64,1]>
    %ap = make_partition_view %at : partition_view<tile=(64x32), tensor_view<64x128xf16, strides=[128,1]>>
    %bp = make_partition_view %bt : partition_view<tile=(32x64), tensor_view<128x64xf16, strides=[64,1]>>
    %cp = make_partition_view %ct : partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>
    %x, %t0 = load_view_tko weak %ap[%c0, %k] : partition_view<tile=(64x32), tensor_view<64x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x32xf16>, token
    %y, %t1 = load_view_tko weak %bp[%k, %c0] : partition_view<tile=(32x64), tensor_view<128x64xf16, strides=[64,1]>>, tile<i32> -> tile<32x64xf16>, token
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %p = mmaf %x, %y, %zero : tile<64x32xf16>, tile<32x64xf16>, tile<64x64xf32>
    %t2 = atomic_red_view_tko relaxed device %cp[%c0, %c0], addf, %p : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<64x64xf32, strides=[64,1]>>, tile<i32> -> token

    %iota = iota : tile<64xi32>
    %row1 = reshape %iota : tile<64xi32> -> tile<64x1xi32>
    %rows = broadcast %row1 : tile<64x1xi32> -> tile<64x64xi32>
    %column1 = reshape %iota : tile<64xi32> -> tile<1x64xi32>
    %columns = broadcast %column1 : tile<1x64xi32> -> tile<64x64xi32>
    %c64 = constant <i32: 64> : tile<64x64xi32>
    %starts = muli %rows, %c64 : tile<64x64xi32>
    %places = addi %starts, %columns : tile<64x64xi32>
    %o1 = reshape %oa : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %os = broadcast %o1 : tile<1x1xptr<f32>> -> tile<64x64xptr<f32>>
    %op = offset %os, %places : tile<64x64xptr<f32>>, tile<64x64xi32> -> tile<64x64xptr<f32>>
    %old0, %t3 = atomic_rmw_tko acq_rel device %op, addf, %p : tile<64x64xptr<f32>>, tile<64x64xf32> -> tile<64x64xf32>, token
    %r1 = reshape %ra : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %rs = broadcast %r1 : tile<1x1xptr<f32>> -> tile<64x64xptr<f32>>
    %rp = offset %rs, %places : tile<64x64xptr<f32>>, tile<64x64xi32> -> tile<64x64xptr<f32>>
    %old1, %t4 = atomic_rmw_tko release device %rp, addf, %p : tile<64x64xptr<f32>>, tile<64x64xf32> -> tile<64x64xf32>, token
    return
  }
}
