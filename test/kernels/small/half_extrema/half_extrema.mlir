// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest and the smallest number of rows of halves.
cuda_tile.module @kernels {
  entry @half_extrema(%x: tile<ptr<bf16>>, %h: tile<ptr<f16>>, %wideTop: tile<ptr<f32>>, %wideLow: tile<ptr<f32>>, %halfTop: tile<ptr<f32>>, %halfLow: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xbf16, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<16x512xbf16, strides=[512,1]>>
    %xh, %xt0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<16x512xbf16, strides=[512,1]>>, tile<i32> -> tile<1x512xbf16>, token
    %xr = reshape %xh : tile<1x512xbf16> -> tile<512xbf16>
    %xw = ftof %xr : tile<512xbf16> -> tile<512xf32>
    %xtop = reduce %xw dim=0 identities=[0xFF800000 : f32] : tile<512xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = maxf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %xlow = reduce %xw dim=0 identities=[0x7F800000 : f32] : tile<512xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = minf %new, %all propagate_nan : tile<f32>
      yield %more : tile<f32>
    }
    %xq = offset %wideTop, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %xt1 = store_ptr_tko weak %xq, %xtop : tile<ptr<f32>>, tile<f32> -> token
    %xl = offset %wideLow, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %xt2 = store_ptr_tko weak %xl, %xlow : tile<ptr<f32>>, tile<f32> -> token
    %ht = make_tensor_view %h, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf16, strides=[512,1]>
    %hp = make_partition_view %ht : partition_view<tile=(1x512), tensor_view<16x512xf16, strides=[512,1]>>
    %hh, %ht0 = load_view_tko weak %hp[%b, %c0] : partition_view<tile=(1x512), tensor_view<16x512xf16, strides=[512,1]>>, tile<i32> -> tile<1x512xf16>, token
    %hr = reshape %hh : tile<1x512xf16> -> tile<512xf16>
    %hw = ftof %hr : tile<512xf16> -> tile<512xf32>
    %htop = reduce %hw dim=0 identities=[0xFF800000 : f32] : tile<512xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = maxf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %hlow = reduce %hw dim=0 identities=[0x7F800000 : f32] : tile<512xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = minf %new, %all propagate_nan : tile<f32>
      yield %more : tile<f32>
    }
    %hq = offset %halfTop, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %ht1 = store_ptr_tko weak %hq, %htop : tile<ptr<f32>>, tile<f32> -> token
    %hl = offset %halfLow, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %ht2 = store_ptr_tko weak %hl, %hlow : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
