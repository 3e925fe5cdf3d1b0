// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The maximum, the minimum and the sum of rows that many warps share.
cuda_tile.module @kernels {
  entry @warp_extrema(%x: tile<ptr<bf16>>, %h: tile<ptr<f16>>, %n: tile<ptr<f16>>, %xTop: tile<ptr<f32>>, %xLow: tile<ptr<f32>>, %hTop: tile<ptr<f32>>, %hLow: tile<ptr<f32>>, %sum: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xp = assume div_by<16>, %x : tile<ptr<bf16>>
    %xt = make_tensor_view %xp, shape = [6, 16384], strides = [512, 1] : tensor_view<6x16384xbf16, strides=[512,1]>
    %xv = make_partition_view %xt : partition_view<tile=(1x16384), tensor_view<6x16384xbf16, strides=[512,1]>>
    %xl, %xk = load_view_tko weak %xv[%b, %c0] : partition_view<tile=(1x16384), tensor_view<6x16384xbf16, strides=[512,1]>>, tile<i32> -> tile<1x16384xbf16>, token
    %xr = reshape %xl : tile<1x16384xbf16> -> tile<16384xbf16>
    %xw = ftof %xr : tile<16384xbf16> -> tile<16384xf32>
    %xa = reduce %xw dim=0 identities=[0xFF800000 : f32] : tile<16384xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = maxf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %xaq = offset %xTop, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %xas = store_ptr_tko weak %xaq, %xa : tile<ptr<f32>>, tile<f32> -> token
    %xb = reduce %xw dim=0 identities=[0x7F800000 : f32] : tile<16384xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = minf %new, %all propagate_nan : tile<f32>
      yield %more : tile<f32>
    }
    %xbq = offset %xLow, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %xbs = store_ptr_tko weak %xbq, %xb : tile<ptr<f32>>, tile<f32> -> token
    %hp = assume div_by<16>, %h : tile<ptr<f16>>
    %ht = make_tensor_view %hp, shape = [6, 16384], strides = [512, 1] : tensor_view<6x16384xf16, strides=[512,1]>
    %hv = make_partition_view %ht : partition_view<tile=(1x16384), tensor_view<6x16384xf16, strides=[512,1]>>
    %hl, %hk = load_view_tko weak %hv[%b, %c0] : partition_view<tile=(1x16384), tensor_view<6x16384xf16, strides=[512,1]>>, tile<i32> -> tile<1x16384xf16>, token
    %hr = reshape %hl : tile<1x16384xf16> -> tile<16384xf16>
    %hw = ftof %hr : tile<16384xf16> -> tile<16384xf32>
    %ha = reduce %hw dim=0 identities=[0xFF800000 : f32] : tile<16384xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = maxf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %haq = offset %hTop, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %has = store_ptr_tko weak %haq, %ha : tile<ptr<f32>>, tile<f32> -> token
    %hb = reduce %hw dim=0 identities=[0x7F800000 : f32] : tile<16384xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = minf %new, %all propagate_nan : tile<f32>
      yield %more : tile<f32>
    }
    %hbq = offset %hLow, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %hbs = store_ptr_tko weak %hbq, %hb : tile<ptr<f32>>, tile<f32> -> token
    %np = assume div_by<16>, %n : tile<ptr<f16>>
    %nt = make_tensor_view %np, shape = [6, 16384], strides = [512, 1] : tensor_view<6x16384xf16, strides=[512,1]>
    %nv = make_partition_view %nt : partition_view<tile=(1x16384), tensor_view<6x16384xf16, strides=[512,1]>>
    %nl, %nk = load_view_tko weak %nv[%b, %c0] : partition_view<tile=(1x16384), tensor_view<6x16384xf16, strides=[512,1]>>, tile<i32> -> tile<1x16384xf16>, token
    %nr = reshape %nl : tile<1x16384xf16> -> tile<16384xf16>
    %nw = ftof %nr : tile<16384xf16> -> tile<16384xf32>
    %na = reduce %nw dim=0 identities=[0.000000e+00 : f32] : tile<16384xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %naq = offset %sum, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %nas = store_ptr_tko weak %naq, %na : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
