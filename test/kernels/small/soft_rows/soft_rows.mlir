// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of exponentials divided by their sum.
cuda_tile.module @kernels {
  entry @soft_rows(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %x, shape = [64, 512], strides = [512, 1] : tensor_view<64x512xf32, strides=[512,1]>
    %xp = make_partition_view %xt : partition_view<tile=(1x512), tensor_view<64x512xf32, strides=[512,1]>>
    %v, %t0 = load_view_tko weak %xp[%b, %c0] : partition_view<tile=(1x512), tensor_view<64x512xf32, strides=[512,1]>>, tile<i32> -> tile<1x512xf32>, token
    %m = reduce %v dim=1 identities=[0xFF800000 : f32] : tile<1x512xf32> -> tile<1xf32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = maxf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %m2 = reshape %m : tile<1xf32> -> tile<1x1xf32>
    %mb = broadcast %m2 : tile<1x1xf32> -> tile<1x512xf32>
    %d = subf %v, %mb : tile<1x512xf32>
    %e = exp %d : tile<1x512xf32>
    %s = reduce %e dim=1 identities=[0.0 : f32] : tile<1x512xf32> -> tile<1xf32>
    (%new: tile<f32>, %all: tile<f32>) {
      %more = addf %new, %all : tile<f32>
      yield %more : tile<f32>
    }
    %s2 = reshape %s : tile<1xf32> -> tile<1x1xf32>
    %sb = broadcast %s2 : tile<1x1xf32> -> tile<1x512xf32>
    %q = divf %e, %sb : tile<1x512xf32>
    %yt = make_tensor_view %y, shape = [64, 512], strides = [512, 1] : tensor_view<64x512xf32, strides=[512,1]>
    %yp = make_partition_view %yt : partition_view<tile=(1x512), tensor_view<64x512xf32, strides=[512,1]>>
    %t1 = store_view_tko weak %q, %yp[%b, %c0] : tile<1x512xf32>, partition_view<tile=(1x512), tensor_view<64x512xf32, strides=[512,1]>>, tile<i32> -> token
    return
  }
}
