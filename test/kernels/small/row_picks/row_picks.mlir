// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The element of a row at an index, computed as the sum of a one-hot row.
cuda_tile.module @kernels {
  entry @row_picks(%x: tile<ptr<f32>>, %h: tile<ptr<bf16>>, %t: tile<ptr<i32>>, %picked: tile<ptr<f32>>,
                   %pickedHalf: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %tp = offset %t, %b : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %i, %t0 = load_ptr_tko weak %tp : tile<ptr<i32>> -> tile<i32>, token
    %i1 = reshape %i : tile<i32> -> tile<1xi32>
    %index = broadcast %i1 : tile<1xi32> -> tile<512xi32>
    %range = iota : tile<512xi32>
    %is = cmpi equal %range, %index, signed : tile<512xi32> -> tile<512xi1>
    %zero = constant <f32: 0.0> : tile<512xf32>

    %xt = make_tensor_view %x, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>
    %x2, %t1 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<16x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %xv = reshape %x2 : tile<1x512xf32> -> tile<512xf32>
    %x0 = select %is, %xv, %zero : tile<512xi1>, tile<512xf32>
    %xs = reduce %x0 dim=0 identities=[0.0 : f32] : tile<512xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %op = offset %picked, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %t2 = store_ptr_tko weak %op, %xs : tile<ptr<f32>>, tile<f32> -> token

    %ha = assume div_by<16>, %h : tile<ptr<bf16>>
    %ht = make_tensor_view %ha, shape = [16, 512], strides = [512, 1] : tensor_view<16x512xbf16, strides=[512,1]>
    %hp = make_partition_view %ht : partition_view<tile=(1x512), tensor_view<16x512xbf16, strides=[512,1]>>
    %h2, %t3 = load_view_tko weak %hp[%b, %c0] : partition_view<tile=(1x512), tensor_view<16x512xbf16, strides=[512,1]>>, tile<i32> -> tile<1x512xbf16>, token
    %hv = reshape %h2 : tile<1x512xbf16> -> tile<512xbf16>
    %hf = ftof %hv : tile<512xbf16> -> tile<512xf32>
    %h0 = select %is, %hf, %zero : tile<512xi1>, tile<512xf32>
    %hs = reduce %h0 dim=0 identities=[0.0 : f32] : tile<512xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %oh = offset %pickedHalf, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %t4 = store_ptr_tko weak %oh, %hs : tile<ptr<f32>>, tile<f32> -> token
    return
  }
}
