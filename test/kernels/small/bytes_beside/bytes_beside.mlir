// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats become bytes, two to a word: one that fits in no byte must leave those beside it alone. What it becomes is open, so
// zeros go there afterwards. A boolean says of each number whether it is another one than zero.
cuda_tile.module @kernels {
  entry @bytes_beside(%x: tile<ptr<f32>>, %u: tile<ptr<i8>>, %s: tile<ptr<i8>>, %b: tile<ptr<i8>>) {
    %i, %j, %k0 = get_tile_block_id : tile<i32>
    %xa = assume div_by<16>, %x : tile<ptr<f32>>
    %ua16 = assume div_by<16>, %u : tile<ptr<i8>>
    %sa16 = assume div_by<16>, %s : tile<ptr<i8>>
    %xv = make_tensor_view %xa, shape = [256], strides = [1] : tensor_view<256xf32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>
    %uv = make_tensor_view %ua16, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %up = make_partition_view %uv : partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>
    %sv = make_tensor_view %sa16, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %sp = make_partition_view %sv : partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>
    %bv = make_tensor_view %b, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %bp = make_partition_view %bv : partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>
    %t, %k = load_view_tko weak %xp[%i] : partition_view<tile=(64), tensor_view<256xf32, strides=[1]>>, tile<i32> -> tile<64xf32>, token

    %unsigned = ftoi %t unsigned : tile<64xf32> -> tile<64xi8>
    %signed = ftoi %t signed : tile<64xf32> -> tile<64xi8>
    %uk = store_view_tko weak %unsigned, %up[%i] : tile<64xi8>, partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token
    %sk = store_view_tko weak %signed, %sp[%i] : tile<64xi8>, partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token

    %zeros = constant <i8: 0> : tile<64xi8>
    %low = constant <f32: -1.0> : tile<64xf32>
    %high = constant <f32: 256.0> : tile<64xf32>
    %u0 = cmpf greater_than ordered %t, %low : tile<64xf32> -> tile<64xi1>
    %u1 = cmpf less_than ordered %t, %high : tile<64xf32> -> tile<64xi1>
    %u2 = andi %u0, %u1 : tile<64xi1>
    %um, %ul = load_view_tko weak %up[%i] token = %uk : partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %uc = select %u2, %um, %zeros : tile<64xi1>, tile<64xi8>
    %ut = store_view_tko weak %uc, %up[%i] token = %ul : tile<64xi8>, partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token

    %least = constant <f32: -129.0> : tile<64xf32>
    %most = constant <f32: 128.0> : tile<64xf32>
    %s0 = cmpf greater_than ordered %t, %least : tile<64xf32> -> tile<64xi1>
    %s1 = cmpf less_than ordered %t, %most : tile<64xf32> -> tile<64xi1>
    %s2 = andi %s0, %s1 : tile<64xi1>
    %sm, %sl = load_view_tko weak %sp[%i] token = %sk : partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>, tile<i32> -> tile<64xi8>, token
    %sc = select %s2, %sm, %zeros : tile<64xi1>, tile<64xi8>
    %st = store_view_tko weak %sc, %sp[%i] token = %sl : tile<64xi8>, partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token

    %flags = ftoi %t unsigned : tile<64xf32> -> tile<64xi1>
    %wide = exti %flags unsigned : tile<64xi1> -> tile<64xi8>
    %bk = store_view_tko weak %wide, %bp[%i] : tile<64xi8>, partition_view<tile=(64), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token
    return
  }
}
