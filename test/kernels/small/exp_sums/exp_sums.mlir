// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of exponentials without any other use.
cuda_tile.module @kernels {
  entry @exp_sums(%x: tile<ptr<f32>>, %single: tile<ptr<f32>>, %special: tile<ptr<f32>>, %sums: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [160, 512], strides = [512, 1] : tensor_view<160x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<160x512xf32, strides=[512,1]>>
    %x2, %t1 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<160x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %xv = reshape %x2 : tile<1x512xf32> -> tile<512xf32>
    %e = exp %xv : tile<512xf32>
    %s = reduce %e dim=0 identities=[0.0 : f32] : tile<512xf32> -> tile<f32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    // Three arrays, because they are compared in three ways.
    %n1 = constant <i32: 128> : tile<i32>
    %n2 = constant <i32: 144> : tile<i32>
    %is1 = cmpi less_than %b, %n1, signed : tile<i32> -> tile<i1>
    %is3 = cmpi greater_than_or_equal %b, %n2, signed : tile<i32> -> tile<i1>
    if %is1 {
      %p = offset %single, %b : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
      %t = store_ptr_tko weak %p, %s : tile<ptr<f32>>, tile<f32> -> token
    } else {
      if %is3 {
        %i = subi %b, %n2 : tile<i32>
        %p = offset %sums, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %t = store_ptr_tko weak %p, %s : tile<ptr<f32>>, tile<f32> -> token
      } else {
        %i = subi %b, %n1 : tile<i32>
        %p = offset %special, %i : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
        %t = store_ptr_tko weak %p, %s : tile<ptr<f32>>, tile<f32> -> token
      }
    }
    return
  }
}
