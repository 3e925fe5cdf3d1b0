// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several blocks print tiles: a line is one block's, also where it takes several calls.
cuda_tile.module @kernels {
  entry @print_rows(%x: tile<ptr<i32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %t0 = make_token : token
    %av = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %ap = make_partition_view %av : partition_view<tile=(8), tensor_view<256xi32, strides=[1]>>
    %a, %ta = load_view_tko weak %ap[%b] : partition_view<tile=(8), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<8xi32>, token
    %lv = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %lp = make_partition_view %lv : partition_view<tile=(64), tensor_view<256xi32, strides=[1]>>
    %l, %tl = load_view_tko weak %lp[%b] : partition_view<tile=(64), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<64xi32>, token
    %mv = make_tensor_view %x, shape = [32, 8], strides = [8, 1] : tensor_view<32x8xi32, strides=[8,1]>
    %mp = make_partition_view %mv : partition_view<tile=(8x8), tensor_view<32x8xi32, strides=[8,1]>>
    %m, %tm = load_view_tko weak %mp[%b, %c0] : partition_view<tile=(8x8), tensor_view<32x8xi32, strides=[8,1]>>, tile<i32> -> tile<8x8xi32>, token
    %t1 = print_tko "block %d: %d end\0A", %b, %a token=%t0 : tile<i32>, tile<8xi32> -> token
    %t2 = print_tko "long %d: %d and %d end\0A", %b, %l, %a token=%t1 : tile<i32>, tile<64xi32>, tile<8xi32> -> token
    %t3 = print_tko "rows %d: %d end\0A", %b, %m token=%t2 : tile<i32>, tile<8x8xi32> -> token
    return
  }
}
