// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program itself multiplies blocks by scales: those have signs, and products that overflow bf16 are infinite.
cuda_tile.module @kernels {
  entry @scaled_by_hand(%a0: tile<ptr<i8>>, %b0: tile<ptr<i8>>, %sa0: tile<ptr<f8E4M3FN>>, %sb0: tile<ptr<f8E4M3FN>>, %d0: tile<ptr<f32>>, %a1: tile<ptr<f8E5M2>>, %b1: tile<ptr<f8E5M2>>, %sa1: tile<ptr<f8E8M0FNU>>, %sb1: tile<ptr<f8E8M0FNU>>, %d1: tile<ptr<f32>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va0 = make_tensor_view %a0, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xi8, strides=[32,1]>
    %pa0 = make_partition_view %va0 : partition_view<tile=(128x32), tensor_view<128x32xi8, strides=[32,1]>>
    %la0, %ta0 = load_view_tko weak %pa0[%c0, %c0] : partition_view<tile=(128x32), tensor_view<128x32xi8, strides=[32,1]>>, tile<i32> -> tile<128x32xi8>, token
    %fa0 = reshape %la0 : tile<128x32xi8> -> tile<4096xi8>
    %ua0 = unpack %fa0 : tile<4096xi8> -> tile<8192xf4E2M1FN>
    %na0 = reshape %ua0 : tile<8192xf4E2M1FN> -> tile<128x64xf4E2M1FN>
    %vb0 = make_tensor_view %b0, shape = [128, 32], strides = [32, 1] : tensor_view<128x32xi8, strides=[32,1]>
    %pb0 = make_partition_view %vb0 : partition_view<tile=(128x32), tensor_view<128x32xi8, strides=[32,1]>>
    %lb0, %tb0 = load_view_tko weak %pb0[%c0, %c0] : partition_view<tile=(128x32), tensor_view<128x32xi8, strides=[32,1]>>, tile<i32> -> tile<128x32xi8>, token
    %fb0 = reshape %lb0 : tile<128x32xi8> -> tile<4096xi8>
    %ub0 = unpack %fb0 : tile<4096xi8> -> tile<8192xf4E2M1FN>
    %nb0 = reshape %ub0 : tile<8192xf4E2M1FN> -> tile<128x64xf4E2M1FN>
    %tb = permute %nb0 [1, 0] : tile<128x64xf4E2M1FN> -> tile<64x128xf4E2M1FN>
    %wa0 = ftof %na0 : tile<128x64xf4E2M1FN> -> tile<128x64xbf16>
    %wb0 = ftof %tb : tile<64x128xf4E2M1FN> -> tile<64x128xbf16>
    %vsa0 = make_tensor_view %sa0, shape = [128, 4], strides = [4, 1] : tensor_view<128x4xf8E4M3FN, strides=[4,1]>
    %psa0 = make_partition_view %vsa0 : partition_view<tile=(128x4), tensor_view<128x4xf8E4M3FN, strides=[4,1]>>
    %lsa0, %tsa0 = load_view_tko weak %psa0[%c0, %c0] : partition_view<tile=(128x4), tensor_view<128x4xf8E4M3FN, strides=[4,1]>>, tile<i32> -> tile<128x4xf8E4M3FN>, token
    %vsb0 = make_tensor_view %sb0, shape = [4, 128], strides = [128, 1] : tensor_view<4x128xf8E4M3FN, strides=[128,1]>
    %psb0 = make_partition_view %vsb0 : partition_view<tile=(4x128), tensor_view<4x128xf8E4M3FN, strides=[128,1]>>
    %lsb0, %tsb0 = load_view_tko weak %psb0[%c0, %c0] : partition_view<tile=(4x128), tensor_view<4x128xf8E4M3FN, strides=[128,1]>>, tile<i32> -> tile<4x128xf8E4M3FN>, token
    %wsa0 = ftof %lsa0 : tile<128x4xf8E4M3FN> -> tile<128x4xbf16>
    %rsa0 = reshape %wsa0 : tile<128x4xbf16> -> tile<128x4x1xbf16>
    %bsa0 = broadcast %rsa0 : tile<128x4x1xbf16> -> tile<128x4x16xbf16>
    %fsa0 = reshape %bsa0 : tile<128x4x16xbf16> -> tile<128x64xbf16>
    %wsb0 = ftof %lsb0 : tile<4x128xf8E4M3FN> -> tile<4x128xbf16>
    %rsb0 = reshape %wsb0 : tile<4x128xbf16> -> tile<4x1x128xbf16>
    %bsb0 = broadcast %rsb0 : tile<4x1x128xbf16> -> tile<4x16x128xbf16>
    %fsb0 = reshape %bsb0 : tile<4x16x128xbf16> -> tile<64x128xbf16>
    %ma0 = mulf %wa0, %fsa0 rounding<nearest_even> : tile<128x64xbf16>
    %mb0 = mulf %wb0, %fsb0 rounding<nearest_even> : tile<64x128xbf16>
    %z0 = constant <f32: 0.0> : tile<128x128xf32>
    %r0 = mmaf %ma0, %mb0, %z0 : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
    %vd0 = make_tensor_view %d0, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %pd0 = make_partition_view %vd0 : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %to0 = store_view_tko weak %r0, %pd0[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    %va1 = make_tensor_view %a1, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf8E5M2, strides=[64,1]>
    %pa1 = make_partition_view %va1 : partition_view<tile=(128x64), tensor_view<128x64xf8E5M2, strides=[64,1]>>
    %la1, %ta1 = load_view_tko weak %pa1[%c0, %c0] : partition_view<tile=(128x64), tensor_view<128x64xf8E5M2, strides=[64,1]>>, tile<i32> -> tile<128x64xf8E5M2>, token
    %vb1 = make_tensor_view %b1, shape = [64, 128], strides = [128, 1] : tensor_view<64x128xf8E5M2, strides=[128,1]>
    %pb1 = make_partition_view %vb1 : partition_view<tile=(64x128), tensor_view<64x128xf8E5M2, strides=[128,1]>>
    %lb1, %tb1 = load_view_tko weak %pb1[%c0, %c0] : partition_view<tile=(64x128), tensor_view<64x128xf8E5M2, strides=[128,1]>>, tile<i32> -> tile<64x128xf8E5M2>, token
    %wa1 = ftof %la1 : tile<128x64xf8E5M2> -> tile<128x64xbf16>
    %wb1 = ftof %lb1 : tile<64x128xf8E5M2> -> tile<64x128xbf16>
    %vsa1 = make_tensor_view %sa1, shape = [128, 2], strides = [2, 1] : tensor_view<128x2xf8E8M0FNU, strides=[2,1]>
    %psa1 = make_partition_view %vsa1 : partition_view<tile=(128x2), tensor_view<128x2xf8E8M0FNU, strides=[2,1]>>
    %lsa1, %tsa1 = load_view_tko weak %psa1[%c0, %c0] : partition_view<tile=(128x2), tensor_view<128x2xf8E8M0FNU, strides=[2,1]>>, tile<i32> -> tile<128x2xf8E8M0FNU>, token
    %vsb1 = make_tensor_view %sb1, shape = [2, 128], strides = [128, 1] : tensor_view<2x128xf8E8M0FNU, strides=[128,1]>
    %psb1 = make_partition_view %vsb1 : partition_view<tile=(2x128), tensor_view<2x128xf8E8M0FNU, strides=[128,1]>>
    %lsb1, %tsb1 = load_view_tko weak %psb1[%c0, %c0] : partition_view<tile=(2x128), tensor_view<2x128xf8E8M0FNU, strides=[128,1]>>, tile<i32> -> tile<2x128xf8E8M0FNU>, token
    %wsa1 = ftof %lsa1 : tile<128x2xf8E8M0FNU> -> tile<128x2xbf16>
    %rsa1 = reshape %wsa1 : tile<128x2xbf16> -> tile<128x2x1xbf16>
    %bsa1 = broadcast %rsa1 : tile<128x2x1xbf16> -> tile<128x2x32xbf16>
    %fsa1 = reshape %bsa1 : tile<128x2x32xbf16> -> tile<128x64xbf16>
    %wsb1 = ftof %lsb1 : tile<2x128xf8E8M0FNU> -> tile<2x128xbf16>
    %rsb1 = reshape %wsb1 : tile<2x128xbf16> -> tile<2x1x128xbf16>
    %bsb1 = broadcast %rsb1 : tile<2x1x128xbf16> -> tile<2x32x128xbf16>
    %fsb1 = reshape %bsb1 : tile<2x32x128xbf16> -> tile<64x128xbf16>
    %ma1 = mulf %wa1, %fsa1 rounding<nearest_even> : tile<128x64xbf16>
    %mb1 = mulf %wb1, %fsb1 rounding<nearest_even> : tile<64x128xbf16>
    %z1 = constant <f32: 0.0> : tile<128x128xf32>
    %r1 = mmaf %ma1, %mb1, %z1 : tile<128x64xbf16>, tile<64x128xbf16>, tile<128x128xf32>
    %vd1 = make_tensor_view %d1, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %pd1 = make_partition_view %vd1 : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %to1 = store_view_tko weak %r1, %pd1[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
}
