// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// i4 and flags in bytes.
cuda_tile.module @kernels {
  entry @int_nibble(%x: tile<ptr<i32>>, %bytes: tile<ptr<i8>>, %signed: tile<ptr<i32>>, %unsigned: tile<ptr<i8>>, %flags: tile<ptr<i8>>, %again: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %xv = make_tensor_view %x, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %xp = make_partition_view %xv : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %a, %t0 = load_view_tko weak %xp[%zero] : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> tile<256xi32>, token
    %b = trunci %a : tile<256xi32> -> tile<256xi4>
    %c = pack %b : tile<256xi4> -> tile<128xi8>
    %bv = make_tensor_view %bytes, shape = [128], strides = [1] : tensor_view<128xi8, strides=[1]>
    %bp = make_partition_view %bv : partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>
    %t1 = store_view_tko weak %c, %bp[%zero] : tile<128xi8>, partition_view<tile=(128), tensor_view<128xi8, strides=[1]>>, tile<i32> -> token
    %d = reshape %b : tile<256xi4> -> tile<16x16xi4>
    %e = permute %d [1, 0] : tile<16x16xi4> -> tile<16x16xi4>
    %f = exti %e signed : tile<16x16xi4> -> tile<16x16xi32>
    %sv = make_tensor_view %signed, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xi32, strides=[16,1]>
    %sp = make_partition_view %sv : partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>
    %t2 = store_view_tko weak %f, %sp[%zero, %zero] : tile<16x16xi32>, partition_view<tile=(16x16), tensor_view<16x16xi32, strides=[16,1]>>, tile<i32> -> token
    %g = exti %b unsigned : tile<256xi4> -> tile<256xi8>
    %uv = make_tensor_view %unsigned, shape = [256], strides = [1] : tensor_view<256xi8, strides=[1]>
    %up = make_partition_view %uv : partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>
    %t3 = store_view_tko weak %g, %up[%zero] : tile<256xi8>, partition_view<tile=(256), tensor_view<256xi8, strides=[1]>>, tile<i32> -> token
    %h = trunci %a : tile<256xi32> -> tile<256xi1>
    %i = pack %h : tile<256xi1> -> tile<32xi8>
    %fv = make_tensor_view %flags, shape = [32], strides = [1] : tensor_view<32xi8, strides=[1]>
    %fp = make_partition_view %fv : partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>
    %t4 = store_view_tko weak %i, %fp[%zero] : tile<32xi8>, partition_view<tile=(32), tensor_view<32xi8, strides=[1]>>, tile<i32> -> token
    %j = unpack %i : tile<32xi8> -> tile<256xi1>
    %k = exti %j unsigned : tile<256xi1> -> tile<256xi32>
    %av = make_tensor_view %again, shape = [256], strides = [1] : tensor_view<256xi32, strides=[1]>
    %ap = make_partition_view %av : partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>
    %t5 = store_view_tko weak %k, %ap[%zero] : tile<256xi32>, partition_view<tile=(256), tensor_view<256xi32, strides=[1]>>, tile<i32> -> token
    return
  }
}
