// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = softmax of each row of x, 1024 numbers a row, one row a tile block.
cuda_tile.module @softmax {
  entry @softmax(%x: tile<ptr<f32>>, %y: tile<ptr<f32>>, %rows: tile<i32>) {
    %start = make_token : token
    %xv = make_tensor_view %x, shape = [%rows, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %yv = make_tensor_view %y, shape = [%rows, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %xs = make_partition_view %xv : partition_view<tile=(1x1024), tensor_view<?x1024xf32, strides=[1024,1]>>
    %ys = make_partition_view %yv : partition_view<tile=(1x1024), tensor_view<?x1024xf32, strides=[1024,1]>>
    %row, %by, %bz = get_tile_block_id : tile<i32>
    %first = constant <i32: 0> : tile<i32>
    %xt, %t0 = load_view_tko weak %xs[%row, %first] token = %start : partition_view<tile=(1x1024), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<1x1024xf32>, token
    %max = reduce %xt dim=1 identities=[0xFF800000 : f32] : tile<1x1024xf32> -> tile<1xf32>
    (%l: tile<f32>, %r: tile<f32>) {
      %m = maxf %l, %r : tile<f32>
      yield %m : tile<f32>
    }
    %max2 = reshape %max : tile<1xf32> -> tile<1x1xf32>
    %maxes = broadcast %max2 : tile<1x1xf32> -> tile<1x1024xf32>
    %below = subf %xt, %maxes : tile<1x1024xf32>
    %e = exp %below : tile<1x1024xf32>
    %sum = reduce %e dim=1 identities=[0.0 : f32] : tile<1x1024xf32> -> tile<1xf32>
    (%l: tile<f32>, %r: tile<f32>) {
      %s = addf %l, %r : tile<f32>
      yield %s : tile<f32>
    }
    %sum2 = reshape %sum : tile<1xf32> -> tile<1x1xf32>
    %sums = broadcast %sum2 : tile<1x1xf32> -> tile<1x1024xf32>
    %yt = divf %e, %sums : tile<1x1024xf32>
    %t1 = store_view_tko weak %yt, %ys[%row, %first] token = %start : tile<1x1024xf32>, partition_view<tile=(1x1024), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token
    return
  }
}
