// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dot of 128 rows and columns whose operands have a scale for every block of 32 elements.
cuda_tile.module @kernels {
  entry @scaled(%a: tile<ptr<f8E4M3FN>>, %b: tile<ptr<f8E4M3FN>>, %sa: tile<ptr<f8E8M0FNU>>, %sb: tile<ptr<f8E8M0FNU>>, %c: tile<ptr<f32>>, %n: tile<i32>) {
    %av = make_tensor_view %a, shape = [%n, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf8E4M3FN, strides=[1024,1]>
    %ap = make_partition_view %av : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x1024xf8E4M3FN, strides=[1024,1]>>
    %bv = make_tensor_view %b, shape = [1024, 1024], strides = [1024, 1] : tensor_view<1024x1024xf8E4M3FN, strides=[1024,1]>
    %bp = make_partition_view %bv : partition_view<tile=(128x128), tensor_view<1024x1024xf8E4M3FN, strides=[1024,1]>>
    %sav = make_tensor_view %sa, shape = [%n, 32], strides = [32, 1] : tile<i32> -> tensor_view<?x32xf8E8M0FNU, strides=[32,1]>
    %sap = make_partition_view %sav : partition_view<tile=(128x4), tensor_view<?x32xf8E8M0FNU, strides=[32,1]>>
    %sbv = make_tensor_view %sb, shape = [32, 1024], strides = [1024, 1] : tensor_view<32x1024xf8E8M0FNU, strides=[1024,1]>
    %sbp = make_partition_view %sbv : partition_view<tile=(4x128), tensor_view<32x1024xf8E8M0FNU, strides=[1024,1]>>
    %cv = make_tensor_view %c, shape = [%n, 1024], strides = [1024, 1] : tile<i32> -> tensor_view<?x1024xf32, strides=[1024,1]>
    %cp = make_partition_view %cv : partition_view<tile=(128x128), tensor_view<?x1024xf32, strides=[1024,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %steps = constant <i32: 8> : tile<i32>
    %none = constant <f32: 0.0> : tile<128x128xf32>
    %r = for %k in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<128x128xf32>) {
      %p, %tp = load_view_tko weak %ap[%x, %k] : partition_view<tile=(128x128), padding_value = zero, tensor_view<?x1024xf8E4M3FN, strides=[1024,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %q, %tq = load_view_tko weak %bp[%k, %y] : partition_view<tile=(128x128), tensor_view<1024x1024xf8E4M3FN, strides=[1024,1]>>, tile<i32> -> tile<128x128xf8E4M3FN>, token
      %s, %ts = load_view_tko weak %sap[%x, %k] : partition_view<tile=(128x4), tensor_view<?x32xf8E8M0FNU, strides=[32,1]>>, tile<i32> -> tile<128x4xf8E8M0FNU>, token
      %t, %tt = load_view_tko weak %sbp[%k, %y] : partition_view<tile=(4x128), tensor_view<32x1024xf8E8M0FNU, strides=[1024,1]>>, tile<i32> -> tile<4x128xf8E8M0FNU>, token
      %d = mmaf_scaled %p, %q, %acc, %s, %t : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      continue %d : tile<128x128xf32>
    }
    %tr = store_view_tko weak %r, %cp[%x, %y] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<?x1024xf32, strides=[1024,1]>>, tile<i32> -> token
    return
  }
}
