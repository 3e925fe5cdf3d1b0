// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hint for more blocks on an SM than any SM holds of this kernel.
cuda_tile.module @kernels {
  entry @occupancy_most(%a: tile<ptr<f16>>, %b: tile<ptr<f16>>, %c: tile<ptr<f32>>) optimization_hints=<default = {occupancy = 32}> {
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c3 = constant <i32: 3> : tile<i32>
    %av = make_tensor_view %a, shape = [128, 192], strides = [192, 1] : tensor_view<128x192xf16, strides=[192,1]>
    %ap = make_partition_view %av : partition_view<tile=(128x64), tensor_view<128x192xf16, strides=[192,1]>>
    %bv = make_tensor_view %b, shape = [192, 128], strides = [128, 1] : tensor_view<192x128xf16, strides=[128,1]>
    %bp = make_partition_view %bv : partition_view<tile=(64x128), tensor_view<192x128xf16, strides=[128,1]>>
    %cv = make_tensor_view %c, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %cp = make_partition_view %cv : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %sum = for %k in (%c0 to %c3, step %c1) : tile<i32> iter_values(%acc = %zero) -> (tile<128x128xf32>) {
      %x, %tx = load_view_tko weak %ap[%c0, %k] : partition_view<tile=(128x64), tensor_view<128x192xf16, strides=[192,1]>>, tile<i32> -> tile<128x64xf16>, token
      %y, %ty = load_view_tko weak %bp[%k, %c0] : partition_view<tile=(64x128), tensor_view<192x128xf16, strides=[128,1]>>, tile<i32> -> tile<64x128xf16>, token
      %next = mmaf %x, %y, %acc : tile<128x64xf16>, tile<64x128xf16>, tile<128x128xf32>
      continue %next : tile<128x128xf32>
    }
    %t = store_view_tko weak %sum, %cp[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
