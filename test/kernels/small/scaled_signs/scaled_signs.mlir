// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks whose f8E4M3FN scales have signs, in dots too small for block-scaled instructions.
cuda_tile.module @kernels {
  entry @scaled_signs(%a0: tile<ptr<f4E2M1FN>>, %b0: tile<ptr<f4E2M1FN>>, %sa0: tile<ptr<f8E4M3FN>>, %sb0: tile<ptr<f8E4M3FN>>, %d0: tile<ptr<f32>>, %a1: tile<ptr<f4E2M1FN>>, %b1: tile<ptr<f4E2M1FN>>, %sa1: tile<ptr<f8E4M3FN>>, %sb1: tile<ptr<f8E4M3FN>>, %d1: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %la0v = make_tensor_view %a0, shape = [16, 64], strides = [64, 1] : tensor_view<16x64xf4E2M1FN, strides=[64,1]>
    %la0p = make_partition_view %la0v : partition_view<tile=(16x64), tensor_view<16x64xf4E2M1FN, strides=[64,1]>>
    %la0, %tla0 = load_view_tko weak %la0p[%c0, %c0] : partition_view<tile=(16x64), tensor_view<16x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<16x64xf4E2M1FN>, token
    %lb0v = make_tensor_view %b0, shape = [64, 16], strides = [16, 1] : tensor_view<64x16xf4E2M1FN, strides=[16,1]>
    %lb0p = make_partition_view %lb0v : partition_view<tile=(64x16), tensor_view<64x16xf4E2M1FN, strides=[16,1]>>
    %lb0, %tlb0 = load_view_tko weak %lb0p[%c0, %c0] : partition_view<tile=(64x16), tensor_view<64x16xf4E2M1FN, strides=[16,1]>>, tile<i32> -> tile<64x16xf4E2M1FN>, token
    %lsa0v = make_tensor_view %sa0, shape = [16, 4], strides = [4, 1] : tensor_view<16x4xf8E4M3FN, strides=[4,1]>
    %lsa0p = make_partition_view %lsa0v : partition_view<tile=(16x4), tensor_view<16x4xf8E4M3FN, strides=[4,1]>>
    %lsa0, %tlsa0 = load_view_tko weak %lsa0p[%c0, %c0] : partition_view<tile=(16x4), tensor_view<16x4xf8E4M3FN, strides=[4,1]>>, tile<i32> -> tile<16x4xf8E4M3FN>, token
    %lsb0v = make_tensor_view %sb0, shape = [4, 16], strides = [16, 1] : tensor_view<4x16xf8E4M3FN, strides=[16,1]>
    %lsb0p = make_partition_view %lsb0v : partition_view<tile=(4x16), tensor_view<4x16xf8E4M3FN, strides=[16,1]>>
    %lsb0, %tlsb0 = load_view_tko weak %lsb0p[%c0, %c0] : partition_view<tile=(4x16), tensor_view<4x16xf8E4M3FN, strides=[16,1]>>, tile<i32> -> tile<4x16xf8E4M3FN>, token
    %z0 = constant <f32: 0.0> : tile<16x16xf32>
    %r0 = mmaf_scaled %la0, %lb0, %z0, %lsa0, %lsb0 : tile<16x64xf4E2M1FN>, tile<64x16xf4E2M1FN>, tile<16x16xf32>, tile<16x4xf8E4M3FN>, tile<4x16xf8E4M3FN>
    %o0v = make_tensor_view %d0, shape = [16, 16], strides = [16, 1] : tensor_view<16x16xf32, strides=[16,1]>
    %o0p = make_partition_view %o0v : partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>
    %to0 = store_view_tko weak %r0, %o0p[%c0, %c0] : tile<16x16xf32>, partition_view<tile=(16x16), tensor_view<16x16xf32, strides=[16,1]>>, tile<i32> -> token
    %la1v = make_tensor_view %a1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf4E2M1FN, strides=[64,1]>
    %la1p = make_partition_view %la1v : partition_view<tile=(32x64), tensor_view<32x64xf4E2M1FN, strides=[64,1]>>
    %la1, %tla1 = load_view_tko weak %la1p[%c0, %c0] : partition_view<tile=(32x64), tensor_view<32x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<32x64xf4E2M1FN>, token
    %lb1v = make_tensor_view %b1, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xf4E2M1FN, strides=[64,1]>
    %lb1p = make_partition_view %lb1v : partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>
    %lb1, %tlb1 = load_view_tko weak %lb1p[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xf4E2M1FN, strides=[64,1]>>, tile<i32> -> tile<64x64xf4E2M1FN>, token
    %lsa1v = make_tensor_view %sa1, shape = [32, 4], strides = [4, 1] : tensor_view<32x4xf8E4M3FN, strides=[4,1]>
    %lsa1p = make_partition_view %lsa1v : partition_view<tile=(32x4), tensor_view<32x4xf8E4M3FN, strides=[4,1]>>
    %lsa1, %tlsa1 = load_view_tko weak %lsa1p[%c0, %c0] : partition_view<tile=(32x4), tensor_view<32x4xf8E4M3FN, strides=[4,1]>>, tile<i32> -> tile<32x4xf8E4M3FN>, token
    %lsb1v = make_tensor_view %sb1, shape = [4, 64], strides = [64, 1] : tensor_view<4x64xf8E4M3FN, strides=[64,1]>
    %lsb1p = make_partition_view %lsb1v : partition_view<tile=(4x64), tensor_view<4x64xf8E4M3FN, strides=[64,1]>>
    %lsb1, %tlsb1 = load_view_tko weak %lsb1p[%c0, %c0] : partition_view<tile=(4x64), tensor_view<4x64xf8E4M3FN, strides=[64,1]>>, tile<i32> -> tile<4x64xf8E4M3FN>, token
    %z1 = constant <f32: 0.0> : tile<32x64xf32>
    %r1 = mmaf_scaled %la1, %lb1, %z1, %lsa1, %lsb1 : tile<32x64xf4E2M1FN>, tile<64x64xf4E2M1FN>, tile<32x64xf32>, tile<32x4xf8E4M3FN>, tile<4x64xf8E4M3FN>
    %o1v = make_tensor_view %d1, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %o1p = make_partition_view %o1v : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %to1 = store_view_tko weak %r1, %o1p[%c0, %c0] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
