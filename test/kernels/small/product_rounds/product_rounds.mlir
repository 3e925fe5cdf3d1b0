// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with dots, in a loop that ends by a condition, and under a condition of a loop:
// each iteration of the outer loop begins with pipelines that the previous one has used.
cuda_tile.module @m {
  entry @product_rounds(%x: tile<ptr<f16>>, %y: tile<ptr<f16>>, %all: tile<ptr<f32>>, %some: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %c5 = constant <i32: 5> : tile<i32>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %xa = assume div_by<16>, %x : tile<ptr<f16>>
    %ya = assume div_by<16>, %y : tile<ptr<f16>>
    %block, %by, %bz = get_tile_block_id : tile<i32>
    %xt = make_tensor_view %xa, shape = [128, 192], strides = [192, 1] : tensor_view<128x192xf16, strides=[192,1]>
    %yt = make_tensor_view %ya, shape = [192, 320], strides = [320, 1] : tensor_view<192x320xf16, strides=[320,1]>
    %xv = make_partition_view %xt : partition_view<tile=(64x64), padding_value = zero, tensor_view<128x192xf16, strides=[192,1]>>
    %yv = make_partition_view %yt : partition_view<tile=(64x64), padding_value = zero, tensor_view<192x320xf16, strides=[320,1]>>
    %allt = make_tensor_view %all, shape = [128, 320], strides = [320, 1] : tensor_view<128x320xf32, strides=[320,1]>
    %somet = make_tensor_view %some, shape = [128, 320], strides = [320, 1] : tensor_view<128x320xf32, strides=[320,1]>
    %allv = make_partition_view %allt : partition_view<tile=(64x64), tensor_view<128x320xf32, strides=[320,1]>>
    %somev = make_partition_view %somet : partition_view<tile=(64x64), tensor_view<128x320xf32, strides=[320,1]>>
    loop iter_values(%column = %c0) : tile<i32> {
      %sum = for %k in (%c0 to %c3, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
        %a, %t0 = load_view_tko weak %xv[%block, %k] : partition_view<tile=(64x64), padding_value = zero, tensor_view<128x192xf16, strides=[192,1]>>, tile<i32> -> tile<64x64xf16>, token
        %b, %t1 = load_view_tko weak %yv[%k, %column] : partition_view<tile=(64x64), padding_value = zero, tensor_view<192x320xf16, strides=[320,1]>>, tile<i32> -> tile<64x64xf16>, token
        %next = mmaf %a, %b, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
        continue %next : tile<64x64xf32>
      }
      %t2 = store_view_tko weak %sum, %allv[%block, %column] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<128x320xf32, strides=[320,1]>>, tile<i32> -> token
      %following = addi %column, %c1 : tile<i32>
      %isEnd = cmpi greater_than_or_equal %following, %c5, signed : tile<i32> -> tile<i1>
      if %isEnd {
        break
      }
      continue %following : tile<i32>
    }
    for %column in (%c0 to %c5, step %c1) : tile<i32> {
      %bit = andi %column, %c1 : tile<i32>
      %isOdd = cmpi equal %bit, %c1, signed : tile<i32> -> tile<i1>
      if %isOdd {
        %sum = for %k in (%c0 to %c3, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
          %a, %t0 = load_view_tko weak %xv[%block, %k] : partition_view<tile=(64x64), padding_value = zero, tensor_view<128x192xf16, strides=[192,1]>>, tile<i32> -> tile<64x64xf16>, token
          %b, %t1 = load_view_tko weak %yv[%k, %column] : partition_view<tile=(64x64), padding_value = zero, tensor_view<192x320xf16, strides=[320,1]>>, tile<i32> -> tile<64x64xf16>, token
          %next = mmaf %a, %b, %acc : tile<64x64xf16>, tile<64x64xf16>, tile<64x64xf32>
          continue %next : tile<64x64xf32>
        }
        %t3 = store_view_tko weak %sum, %somev[%block, %column] : tile<64x64xf32>, partition_view<tile=(64x64), tensor_view<128x320xf32, strides=[320,1]>>, tile<i32> -> token
      }
    }
    return
  }
}
