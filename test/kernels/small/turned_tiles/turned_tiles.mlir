// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposed tiles, whole and cut off at the end of the array: with whole sectors both ways
// no element leaves its thread. Words, halves and bytes, sums in between, a third dimension.
cuda_tile.module @kernels {
  entry @turned_tiles(
      %words: tile<ptr<f32>>, %words_out: tile<ptr<f32>>,
      %halves: tile<ptr<f16>>, %halves_out: tile<ptr<f16>>,
      %bytes: tile<ptr<i8>>, %bytes_out: tile<ptr<i8>>,
      %longs: tile<ptr<i64>>, %longs_out: tile<ptr<i64>>,
      %batch: tile<ptr<f32>>, %batch_out: tile<ptr<f32>>,
      %ends: tile<ptr<f16>>, %ends_out: tile<ptr<f16>>,
      %wide: tile<ptr<f32>>, %narrow: tile<ptr<f16>>, %mixed: tile<ptr<f32>>,
      %named: tile<ptr<f32>>, %named_out: tile<ptr<f32>>) {
    %b, %by, %bz = get_tile_block_id : tile<i32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c2 = constant <i32: 2> : tile<i32>
    %i = shri %b, %c1 unsigned : tile<i32>
    %j = andi %b, %c1 : tile<i32>
    // f32, extents 100x72.
    %words_p = assume div_by<16>, %words : tile<ptr<f32>>
    %words_q = assume div_by<16>, %words_out : tile<ptr<f32>>
    %wordsi_t = make_tensor_view %words_p, shape = [100, 72], strides = [72, 1] : tensor_view<100x72xf32, strides=[72,1]>
    %wordsi_v = make_partition_view %wordsi_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>>
    %wordso_t = make_tensor_view %words_q, shape = [72, 100], strides = [100, 1] : tensor_view<72x100xf32, strides=[100,1]>
    %wordso_v = make_partition_view %wordso_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<72x100xf32, strides=[100,1]>>
    %words_x, %words_k = load_view_tko weak %wordsi_v[%i, %j] : partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>>, tile<i32> -> tile<64x64xf32>, token
    %words_y = permute %words_x [1, 0] : tile<64x64xf32> -> tile<64x64xf32>
    %words_s = store_view_tko weak %words_y, %wordso_v[%j, %i] : tile<64x64xf32>, partition_view<tile=(64x64), padding_value = zero, tensor_view<72x100xf32, strides=[100,1]>>, tile<i32> -> token
    // f16, extents 104x72.
    %halves_p = assume div_by<16>, %halves : tile<ptr<f16>>
    %halves_q = assume div_by<16>, %halves_out : tile<ptr<f16>>
    %halvesi_t = make_tensor_view %halves_p, shape = [104, 72], strides = [72, 1] : tensor_view<104x72xf16, strides=[72,1]>
    %halvesi_v = make_partition_view %halvesi_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<104x72xf16, strides=[72,1]>>
    %halveso_t = make_tensor_view %halves_q, shape = [72, 104], strides = [104, 1] : tensor_view<72x104xf16, strides=[104,1]>
    %halveso_v = make_partition_view %halveso_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<72x104xf16, strides=[104,1]>>
    %halves_x, %halves_k = load_view_tko weak %halvesi_v[%i, %j] : partition_view<tile=(64x64), padding_value = zero, tensor_view<104x72xf16, strides=[72,1]>>, tile<i32> -> tile<64x64xf16>, token
    %halves_y = permute %halves_x [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
    %halves_e = addf %halves_y, %halves_y : tile<64x64xf16>
    %halves_s = store_view_tko weak %halves_e, %halveso_v[%j, %i] : tile<64x64xf16>, partition_view<tile=(64x64), padding_value = zero, tensor_view<72x104xf16, strides=[104,1]>>, tile<i32> -> token
    // i8, extents 112x80.
    %bytes_p = assume div_by<16>, %bytes : tile<ptr<i8>>
    %bytes_q = assume div_by<16>, %bytes_out : tile<ptr<i8>>
    %bytesi_t = make_tensor_view %bytes_p, shape = [112, 80], strides = [80, 1] : tensor_view<112x80xi8, strides=[80,1]>
    %bytesi_v = make_partition_view %bytesi_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<112x80xi8, strides=[80,1]>>
    %byteso_t = make_tensor_view %bytes_q, shape = [80, 112], strides = [112, 1] : tensor_view<80x112xi8, strides=[112,1]>
    %byteso_v = make_partition_view %byteso_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<80x112xi8, strides=[112,1]>>
    %bytes_x, %bytes_k = load_view_tko weak %bytesi_v[%i, %j] : partition_view<tile=(64x64), padding_value = zero, tensor_view<112x80xi8, strides=[80,1]>>, tile<i32> -> tile<64x64xi8>, token
    %bytes_d = addi %bytes_x, %bytes_x : tile<64x64xi8>
    %bytes_y = permute %bytes_d [1, 0] : tile<64x64xi8> -> tile<64x64xi8>
    %bytes_s = store_view_tko weak %bytes_y, %byteso_v[%j, %i] : tile<64x64xi8>, partition_view<tile=(64x64), padding_value = zero, tensor_view<80x112xi8, strides=[112,1]>>, tile<i32> -> token
    // i64, extents 70x66.
    %longs_p = assume div_by<16>, %longs : tile<ptr<i64>>
    %longs_q = assume div_by<16>, %longs_out : tile<ptr<i64>>
    %longsi_t = make_tensor_view %longs_p, shape = [70, 66], strides = [66, 1] : tensor_view<70x66xi64, strides=[66,1]>
    %longsi_v = make_partition_view %longsi_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<70x66xi64, strides=[66,1]>>
    %longso_t = make_tensor_view %longs_q, shape = [66, 70], strides = [70, 1] : tensor_view<66x70xi64, strides=[70,1]>
    %longso_v = make_partition_view %longso_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<66x70xi64, strides=[70,1]>>
    %longs_x, %longs_k = load_view_tko weak %longsi_v[%i, %j] : partition_view<tile=(64x64), padding_value = zero, tensor_view<70x66xi64, strides=[66,1]>>, tile<i32> -> tile<64x64xi64>, token
    %longs_y = permute %longs_x [1, 0] : tile<64x64xi64> -> tile<64x64xi64>
    %longs_s = store_view_tko weak %longs_y, %longso_v[%j, %i] : tile<64x64xi64>, partition_view<tile=(64x64), padding_value = zero, tensor_view<66x70xi64, strides=[70,1]>>, tile<i32> -> token
    // f32, extents 3x100x72.
    %batch_p = assume div_by<16>, %batch : tile<ptr<f32>>
    %batch_q = assume div_by<16>, %batch_out : tile<ptr<f32>>
    %batchi_t = make_tensor_view %batch_p, shape = [3, 100, 72], strides = [7200, 72, 1] : tensor_view<3x100x72xf32, strides=[7200,72,1]>
    %batchi_v = make_partition_view %batchi_t : partition_view<tile=(2x64x64), padding_value = zero, tensor_view<3x100x72xf32, strides=[7200,72,1]>>
    %batcho_t = make_tensor_view %batch_q, shape = [3, 72, 100], strides = [7200, 100, 1] : tensor_view<3x72x100xf32, strides=[7200,100,1]>
    %batcho_v = make_partition_view %batcho_t : partition_view<tile=(2x64x64), padding_value = zero, tensor_view<3x72x100xf32, strides=[7200,100,1]>>
    %batch_x, %batch_k = load_view_tko weak %batchi_v[%c0, %i, %j] : partition_view<tile=(2x64x64), padding_value = zero, tensor_view<3x100x72xf32, strides=[7200,72,1]>>, tile<i32> -> tile<2x64x64xf32>, token
    %batch_d = addf %batch_x, %batch_x : tile<2x64x64xf32>
    %batch_y = permute %batch_d [0, 2, 1] : tile<2x64x64xf32> -> tile<2x64x64xf32>
    %batch_s = store_view_tko weak %batch_y, %batcho_v[%c0, %j, %i] : tile<2x64x64xf32>, partition_view<tile=(2x64x64), padding_value = zero, tensor_view<3x72x100xf32, strides=[7200,100,1]>>, tile<i32> -> token
    // f16, extents 8x72x104.
    %ends_p = assume div_by<16>, %ends : tile<ptr<f16>>
    %ends_q = assume div_by<16>, %ends_out : tile<ptr<f16>>
    %endsi_t = make_tensor_view %ends_p, shape = [8, 72, 104], strides = [7488, 104, 1] : tensor_view<8x72x104xf16, strides=[7488,104,1]>
    %endsi_v = make_partition_view %endsi_t : partition_view<tile=(8x64x64), padding_value = zero, tensor_view<8x72x104xf16, strides=[7488,104,1]>>
    %endso_t = make_tensor_view %ends_q, shape = [104, 72, 8], strides = [576, 8, 1] : tensor_view<104x72x8xf16, strides=[576,8,1]>
    %endso_v = make_partition_view %endso_t : partition_view<tile=(64x64x8), padding_value = zero, tensor_view<104x72x8xf16, strides=[576,8,1]>>
    %ends_x, %ends_k = load_view_tko weak %endsi_v[%c0, %i, %j] : partition_view<tile=(8x64x64), padding_value = zero, tensor_view<8x72x104xf16, strides=[7488,104,1]>>, tile<i32> -> tile<8x64x64xf16>, token
    %ends_y = permute %ends_x [2, 1, 0] : tile<8x64x64xf16> -> tile<64x64x8xf16>
    %ends_e = addf %ends_y, %ends_y : tile<64x64x8xf16>
    %ends_s = store_view_tko weak %ends_e, %endso_v[%j, %i, %c0] : tile<64x64x8xf16>, partition_view<tile=(64x64x8), padding_value = zero, tensor_view<104x72x8xf16, strides=[576,8,1]>>, tile<i32> -> token
    // The sum of an array and of another one, transposed and converted, over two iterations of a loop.
    %wide_p = assume div_by<16>, %wide : tile<ptr<f32>>
    %narrow_p = assume div_by<16>, %narrow : tile<ptr<f16>>
    %mixed_p = assume div_by<16>, %mixed : tile<ptr<f32>>
    %w_t = make_tensor_view %wide_p, shape = [100, 72], strides = [72, 1] : tensor_view<100x72xf32, strides=[72,1]>
    %w_v = make_partition_view %w_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>>
    %n_t = make_tensor_view %narrow_p, shape = [72, 104], strides = [104, 1] : tensor_view<72x104xf16, strides=[104,1]>
    %n_v = make_partition_view %n_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<72x104xf16, strides=[104,1]>>
    %m_t = make_tensor_view %mixed_p, shape = [100, 72], strides = [72, 1] : tensor_view<100x72xf32, strides=[72,1]>
    %m_v = make_partition_view %m_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>>
    %zero = constant <f32: 0.0> : tile<64x64xf32>
    %sum = for %trip in (%c0 to %c2, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<64x64xf32>) {
      %wx, %wk = load_view_tko weak %w_v[%i, %j] : partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>>, tile<i32> -> tile<64x64xf32>, token
      %nx, %nk = load_view_tko weak %n_v[%j, %i] : partition_view<tile=(64x64), padding_value = zero, tensor_view<72x104xf16, strides=[104,1]>>, tile<i32> -> tile<64x64xf16>, token
      %ny = permute %nx [1, 0] : tile<64x64xf16> -> tile<64x64xf16>
      %nf = ftof %ny : tile<64x64xf16> -> tile<64x64xf32>
      %s1 = addf %acc, %wx : tile<64x64xf32>
      %s2 = addf %s1, %nf : tile<64x64xf32>
      continue %s2 : tile<64x64xf32>
    }
    %ms = store_view_tko weak %sum, %m_v[%i, %j] : tile<64x64xf32>, partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>>, tile<i32> -> token
    // f32, read through a view that names the dimensions in another order.
    %named_p = assume div_by<16>, %named : tile<ptr<f32>>
    %named_q = assume div_by<16>, %named_out : tile<ptr<f32>>
    %ni_t = make_tensor_view %named_p, shape = [100, 72], strides = [72, 1] : tensor_view<100x72xf32, strides=[72,1]>
    %ni_v = make_partition_view %ni_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>, dim_map=[1, 0]>
    %no_t = make_tensor_view %named_q, shape = [72, 100], strides = [100, 1] : tensor_view<72x100xf32, strides=[100,1]>
    %no_v = make_partition_view %no_t : partition_view<tile=(64x64), padding_value = zero, tensor_view<72x100xf32, strides=[100,1]>>
    %named_x, %named_k = load_view_tko weak %ni_v[%j, %i] : partition_view<tile=(64x64), padding_value = zero, tensor_view<100x72xf32, strides=[72,1]>, dim_map=[1, 0]>, tile<i32> -> tile<64x64xf32>, token
    %named_s = store_view_tko weak %named_x, %no_v[%j, %i] : tile<64x64xf32>, partition_view<tile=(64x64), padding_value = zero, tensor_view<72x100xf32, strides=[100,1]>>, tile<i32> -> token
    return
  }
}
