// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remarks on block-scaled dots without a native instruction.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_100 pipeline-strategy=unspecialize})' --remark-format=emitRemark --remarks-filter-missed=tileas -o %t.mlir 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_107 pipeline-strategy=unspecialize})' --remark-format=emitRemark --remarks-filter-missed=tileas -o %t.mlir 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_120 pipeline-strategy=unspecialize})' --remark-format=emitRemark --remarks-filter-missed=tileas -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(tileir{opt-level=3 compute-capability=sm_90 pipeline-strategy=unspecialize})' --remark-format=emitRemark --remarks-filter-missed=tileas -o %t.mlir 2>&1 | FileCheck %s --check-prefix=NEITHER --allow-empty

// UNIT: Function=unsigned_scales | {{.*}}Reason="no instruction of PTX 9.0 takes scales of fnv8E5M3FNU"{{.*}}threads multiply blocks by their scales
// UNIT: Function=short_rows | {{.*}}Reason="an instruction does not pay for so few rows or columns"{{.*}}threads multiply blocks by their scales
// UNIT-NOT: Function=few_scales | {{.*}}threads multiply blocks
// UNIT: Function=in_branch | {{.*}}Reason="it stands in other control flow than loops"{{.*}}threads multiply blocks by their scales

// WARPS: Function=short_rows | {{.*}}Reason="an instruction does not pay for so few rows or columns"{{.*}}threads multiply blocks by their scales
// WARPS: Function=unsigned_scales | {{.*}}Reason="no instruction of PTX 9.0 takes scales of fnv8E5M3FNU"
// WARPS: Function=fine_blocks | {{.*}}Reason="mma.sync takes powers of two for 16 elements from PTX 9.1 on"
// NEITHER-NOT: threads multiply blocks
cuda_tile.module @m {
  entry @short_rows(%p: tile<ptr<f32>>) {
    %a = constant <f8E4M3FN: 1.0> : tile<32x128xf8E4M3FN>
    %b = constant <f8E4M3FN: 1.0> : tile<128x64xf8E4M3FN>
    %sa = constant <f8E8M0FNU: 2.0> : tile<32x4xf8E8M0FNU>
    %sb = constant <f8E8M0FNU: 2.0> : tile<4x64xf8E8M0FNU>
    %zero = constant <f32: 0.0> : tile<32x64xf32>
    %d = mmaf_scaled %a, %b, %zero, %sa, %sb : tile<32x128xf8E4M3FN>, tile<128x64xf8E4M3FN>, tile<32x64xf32>, tile<32x4xf8E8M0FNU>, tile<4x64xf8E8M0FNU>
    %v = make_tensor_view %p, shape = [32, 64], strides = [64, 1] : tensor_view<32x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %t = store_view_tko weak %d, %w[%c0, %c0] : tile<32x64xf32>, partition_view<tile=(32x64), tensor_view<32x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
  entry @few_scales(%p: tile<ptr<f32>>) {
    %a = constant <f8E4M3FN: 1.0> : tile<128x64xf8E4M3FN>
    %b = constant <f8E4M3FN: 1.0> : tile<64x128xf8E4M3FN>
    %sa = constant <f8E8M0FNU: 2.0> : tile<128x2xf8E8M0FNU>
    %sb = constant <f8E8M0FNU: 2.0> : tile<2x128xf8E8M0FNU>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %d = mmaf_scaled %a, %b, %zero, %sa, %sb : tile<128x64xf8E4M3FN>, tile<64x128xf8E4M3FN>, tile<128x128xf32>, tile<128x2xf8E8M0FNU>, tile<2x128xf8E8M0FNU>
    %v = make_tensor_view %p, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %w = make_partition_view %v : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %t = store_view_tko weak %d, %w[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @unsigned_scales(%p: tile<ptr<f32>>) {
    %a = constant <f4E2M1FN: 1.0> : tile<128x64xf4E2M1FN>
    %b = constant <f4E2M1FN: 1.0> : tile<64x128xf4E2M1FN>
    %sa = constant <fnv8E5M3FNU: 2.0> : tile<128x4xfnv8E5M3FNU>
    %sb = constant <fnv8E5M3FNU: 2.0> : tile<4x128xfnv8E5M3FNU>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %d = mmaf_scaled %a, %b, %zero, %sa, %sb : tile<128x64xf4E2M1FN>, tile<64x128xf4E2M1FN>, tile<128x128xf32>, tile<128x4xfnv8E5M3FNU>, tile<4x128xfnv8E5M3FNU>
    %v = make_tensor_view %p, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %w = make_partition_view %v : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %t = store_view_tko weak %d, %w[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @in_branch(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %a = constant <f8E4M3FN: 1.0> : tile<128x128xf8E4M3FN>
    %b = constant <f8E4M3FN: 1.0> : tile<128x128xf8E4M3FN>
    %sa = constant <f8E8M0FNU: 2.0> : tile<128x4xf8E8M0FNU>
    %sb = constant <f8E8M0FNU: 2.0> : tile<4x128xf8E8M0FNU>
    %zero = constant <f32: 0.0> : tile<128x128xf32>
    %c0 = constant <i32: 0> : tile<i32>
    %more = cmpi greater_than %n, %c0, signed : tile<i32> -> tile<i1>
    %d = if %more -> (tile<128x128xf32>) {
      %e = mmaf_scaled %a, %b, %zero, %sa, %sb : tile<128x128xf8E4M3FN>, tile<128x128xf8E4M3FN>, tile<128x128xf32>, tile<128x4xf8E8M0FNU>, tile<4x128xf8E8M0FNU>
      yield %e : tile<128x128xf32>
    } else {
      yield %zero : tile<128x128xf32>
    }
    %v = make_tensor_view %p, shape = [128, 128], strides = [128, 1] : tensor_view<128x128xf32, strides=[128,1]>
    %w = make_partition_view %v : partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>
    %t = store_view_tko weak %d, %w[%c0, %c0] : tile<128x128xf32>, partition_view<tile=(128x128), tensor_view<128x128xf32, strides=[128,1]>>, tile<i32> -> token
    return
  }
  entry @fine_blocks(%p: tile<ptr<f32>>, %q: tile<ptr<i8>>) {
    %c0 = constant <i32: 0> : tile<i32>
    %va = make_tensor_view %q, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xi8, strides=[64,1]>
    %wa = make_partition_view %va : partition_view<tile=(128x64), tensor_view<128x64xi8, strides=[64,1]>>
    %la, %ta = load_view_tko weak %wa[%c0, %c0] : partition_view<tile=(128x64), tensor_view<128x64xi8, strides=[64,1]>>, tile<i32> -> tile<128x64xi8>, token
    %fa = reshape %la : tile<128x64xi8> -> tile<8192xi8>
    %ua = unpack %fa : tile<8192xi8> -> tile<16384xf4E2M1FN>
    %a = reshape %ua : tile<16384xf4E2M1FN> -> tile<128x128xf4E2M1FN>
    %vb = make_tensor_view %q, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi8, strides=[64,1]>
    %wb = make_partition_view %vb : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>
    %lb, %tb = load_view_tko weak %wb[%c0, %c0] : partition_view<tile=(64x64), tensor_view<64x64xi8, strides=[64,1]>>, tile<i32> -> tile<64x64xi8>, token
    %fb = reshape %lb : tile<64x64xi8> -> tile<4096xi8>
    %ub = unpack %fb : tile<4096xi8> -> tile<8192xf4E2M1FN>
    %nb = reshape %ub : tile<8192xf4E2M1FN> -> tile<64x128xf4E2M1FN>
    %b = permute %nb [1, 0] : tile<64x128xf4E2M1FN> -> tile<128x64xf4E2M1FN>
    %sa = constant <f8E8M0FNU: 2.0> : tile<128x8xf8E8M0FNU>
    %sb = constant <f8E8M0FNU: 2.0> : tile<8x64xf8E8M0FNU>
    %zero = constant <f32: 0.0> : tile<128x64xf32>
    %d = mmaf_scaled %a, %b, %zero, %sa, %sb : tile<128x128xf4E2M1FN>, tile<128x64xf4E2M1FN>, tile<128x64xf32>, tile<128x8xf8E8M0FNU>, tile<8x64xf8E8M0FNU>
    %v = make_tensor_view %p, shape = [128, 64], strides = [64, 1] : tensor_view<128x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>
    %t = store_view_tko weak %d, %w[%c0, %c0] : tile<128x64xf32>, partition_view<tile=(128x64), tensor_view<128x64xf32, strides=[64,1]>>, tile<i32> -> token
    return
  }
}
