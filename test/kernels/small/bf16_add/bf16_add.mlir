// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic adds of bf16: below sm_90 by compare-and-swap.
cuda_tile.module @kernels {
  entry @bf16_add(%x: tile<ptr<bf16>>, %part: tile<ptr<bf16>>, %sums: tile<ptr<bf16>>, %total: tile<ptr<bf16>>) {
    %zero = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xbf16, strides=[64,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x64), tensor_view<4x64xbf16, strides=[64,1]>>
    %v, %t0 = load_view_tko weak %xp[%b, %zero] : partition_view<tile=(1x64), tensor_view<4x64xbf16, strides=[64,1]>>, tile<i32> -> tile<1x64xbf16>, token
    %w = reshape %v : tile<1x64xbf16> -> tile<64xbf16>
    %i = iota : tile<64xi32>
    %seven = constant <i32: 7> : tile<64xi32>
    %place = andi %i, %seven : tile<64xi32>
    %one = reshape %sums : tile<ptr<bf16>> -> tile<1xptr<bf16>>
    %all = broadcast %one : tile<1xptr<bf16>> -> tile<64xptr<bf16>>
    %ptrs = offset %all, %place : tile<64xptr<bf16>>, tile<64xi32> -> tile<64xptr<bf16>>
    %old, %t1 = atomic_rmw_tko relaxed device %ptrs, addf, %w : tile<64xptr<bf16>>, tile<64xbf16> -> tile<64xbf16>, token
    // The view is shorter than its tile.
    %tt = make_tensor_view %total, shape = [48], strides = [1] : tensor_view<48xbf16, strides=[1]>
    %tp = make_partition_view %tt : partition_view<tile=(64), tensor_view<48xbf16, strides=[1]>>
    %ramp = itof %i signed : tile<64xi32> -> tile<64xbf16>
    %t2 = atomic_red_view_tko relaxed device %tp[%zero], addf, %ramp : tile<64xbf16>, partition_view<tile=(64), tensor_view<48xbf16, strides=[1]>>, tile<i32> -> token
    %pt = make_tensor_view %part, shape = [48], strides = [1] : tensor_view<48xbf16, strides=[1]>
    %pp = make_partition_view %pt : partition_view<tile=(64), padding_value = zero, tensor_view<48xbf16, strides=[1]>>
    %p, %t3 = load_view_tko weak %pp[%zero] : partition_view<tile=(64), padding_value = zero, tensor_view<48xbf16, strides=[1]>>, tile<i32> -> tile<64xbf16>, token
    %none = constant <bf16: 0.0> : tile<64xbf16>
    %first = cmpi equal %b, %zero, signed : tile<i32> -> tile<i1>
    %f1 = reshape %first : tile<i1> -> tile<1xi1>
    %f64 = broadcast %f1 : tile<1xi1> -> tile<64xi1>
    %q = select %f64, %p, %none : tile<64xi1>, tile<64xbf16>
    %t4 = atomic_red_view_tko relaxed device %tp[%zero], addf, %q : tile<64xbf16>, partition_view<tile=(64), tensor_view<48xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
