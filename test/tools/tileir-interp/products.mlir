// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-interp %s --entry products | FileCheck %s --check-prefix=PRODUCTS
// RUN: %tileir-interp %s --entry scaled | FileCheck %s --check-prefix=SCALED
// RUN: %tileir-interp %s --entry grid --grid 2,1,3 --block-order=ascending | FileCheck %s --check-prefix=GRID

cuda_tile.module @m {
  // Every combination of element types: [[1, 2], [3, 4]] . [[5, 6], [7, 8]] + 1.
  entry @products() {
    // PRODUCTS: f8E4M3FN f16 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a0 = constant <f8E4M3FN: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf8E4M3FN>
    %b0 = constant <f8E4M3FN: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf8E4M3FN>
    %c0 = constant <f16: 1.0> : tile<2x2xf16>
    %d0 = mmaf %a0, %b0, %c0 : tile<2x2xf8E4M3FN>, tile<2x2xf8E4M3FN>, tile<2x2xf16>
    print_tko "f8E4M3FN f16 %g\0A", %d0 : tile<2x2xf16> -> token
    // PRODUCTS-NEXT: f8E4M3FN f32 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a1 = constant <f8E4M3FN: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf8E4M3FN>
    %b1 = constant <f8E4M3FN: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf8E4M3FN>
    %c1 = constant <f32: 1.0> : tile<2x2xf32>
    %d1 = mmaf %a1, %b1, %c1 : tile<2x2xf8E4M3FN>, tile<2x2xf8E4M3FN>, tile<2x2xf32>
    print_tko "f8E4M3FN f32 %g\0A", %d1 : tile<2x2xf32> -> token
    // PRODUCTS-NEXT: f8E5M2 f16 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a2 = constant <f8E5M2: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf8E5M2>
    %b2 = constant <f8E5M2: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf8E5M2>
    %c2 = constant <f16: 1.0> : tile<2x2xf16>
    %d2 = mmaf %a2, %b2, %c2 : tile<2x2xf8E5M2>, tile<2x2xf8E5M2>, tile<2x2xf16>
    print_tko "f8E5M2 f16 %g\0A", %d2 : tile<2x2xf16> -> token
    // PRODUCTS-NEXT: f8E5M2 f32 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a3 = constant <f8E5M2: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf8E5M2>
    %b3 = constant <f8E5M2: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf8E5M2>
    %c3 = constant <f32: 1.0> : tile<2x2xf32>
    %d3 = mmaf %a3, %b3, %c3 : tile<2x2xf8E5M2>, tile<2x2xf8E5M2>, tile<2x2xf32>
    print_tko "f8E5M2 f32 %g\0A", %d3 : tile<2x2xf32> -> token
    // PRODUCTS-NEXT: f16 f16 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a4 = constant <f16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf16>
    %b4 = constant <f16: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf16>
    %c4 = constant <f16: 1.0> : tile<2x2xf16>
    %d4 = mmaf %a4, %b4, %c4 : tile<2x2xf16>, tile<2x2xf16>, tile<2x2xf16>
    print_tko "f16 f16 %g\0A", %d4 : tile<2x2xf16> -> token
    // PRODUCTS-NEXT: f16 f32 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a5 = constant <f16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf16>
    %b5 = constant <f16: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf16>
    %c5 = constant <f32: 1.0> : tile<2x2xf32>
    %d5 = mmaf %a5, %b5, %c5 : tile<2x2xf16>, tile<2x2xf16>, tile<2x2xf32>
    print_tko "f16 f32 %g\0A", %d5 : tile<2x2xf32> -> token
    // PRODUCTS-NEXT: bf16 f32 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a6 = constant <bf16: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xbf16>
    %b6 = constant <bf16: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xbf16>
    %c6 = constant <f32: 1.0> : tile<2x2xf32>
    %d6 = mmaf %a6, %b6, %c6 : tile<2x2xbf16>, tile<2x2xbf16>, tile<2x2xf32>
    print_tko "bf16 f32 %g\0A", %d6 : tile<2x2xf32> -> token
    // PRODUCTS-NEXT: tf32 f32 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a7 = constant <tf32: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xtf32>
    %b7 = constant <tf32: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xtf32>
    %c7 = constant <f32: 1.0> : tile<2x2xf32>
    %d7 = mmaf %a7, %b7, %c7 : tile<2x2xtf32>, tile<2x2xtf32>, tile<2x2xf32>
    print_tko "tf32 f32 %g\0A", %d7 : tile<2x2xf32> -> token
    // PRODUCTS-NEXT: f32 f32 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a8 = constant <f32: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf32>
    %b8 = constant <f32: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf32>
    %c8 = constant <f32: 1.0> : tile<2x2xf32>
    %d8 = mmaf %a8, %b8, %c8 : tile<2x2xf32>, tile<2x2xf32>, tile<2x2xf32>
    print_tko "f32 f32 %g\0A", %d8 : tile<2x2xf32> -> token
    // PRODUCTS-NEXT: f64 f64 {{\[\[}}20, 23], [44, 51{{\]\]}}
    %a9 = constant <f64: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf64>
    %b9 = constant <f64: [[5.0, 6.0], [7.0, 8.0]]> : tile<2x2xf64>
    %c9 = constant <f64: 1.0> : tile<2x2xf64>
    %d9 = mmaf %a9, %b9, %c9 : tile<2x2xf64>, tile<2x2xf64>, tile<2x2xf64>
    print_tko "f64 f64 %g\0A", %d9 : tile<2x2xf64> -> token
    // Two batches.
    // PRODUCTS-NEXT: batches {{\[\[\[}}2]], {{\[\[}}12{{\]\]\]}}
    %l = constant <f32: [[[1.0, 2.0]], [[3.0, 4.0]]]> : tile<2x1x2xf32>
    %r = constant <f32: [[[0.0], [1.0]], [[4.0], [0.0]]]> : tile<2x2x1xf32>
    %z = constant <f32: 0.0> : tile<2x1x1xf32>
    %p = mmaf %l, %r, %z : tile<2x1x2xf32>, tile<2x2x1xf32>, tile<2x1x1xf32>
    print_tko "batches %g\0A", %p : tile<2x1x1xf32> -> token
    // PRODUCTS-NEXT: product [6, 0.5]
    %x = constant <f32: [2.0, -0.5]> : tile<2xf32>
    %y = constant <f32: [3.0, -1.0]> : tile<2xf32>
    %xy = mulf %x, %y : tile<2xf32>
    print_tko "product %g\0A", %xy : tile<2xf32> -> token
    return
  }

  // k times 1 or 1.5 times 2, with a scale per row and a scale per column.
  entry @scaled() {
    %acc = constant <f32: 1.0> : tile<2x2xf32>
    // SCALED: f8E4M3FN f8E8M0FNU {{\[\[}}129, 65], [257, 129{{\]\]}}
    %a0 = constant <f8E4M3FN: 1.0> : tile<2x32xf8E4M3FN>
    %b0 = constant <f8E4M3FN: 2.0> : tile<32x2xf8E4M3FN>
    %la0 = constant <f8E8M0FNU: [[2.0], [4.0]]> : tile<2x1xf8E8M0FNU>
    %lb0 = constant <f8E8M0FNU: [[1.0, 0.5]]> : tile<1x2xf8E8M0FNU>
    %d0 = mmaf_scaled %a0, %b0, %acc, %la0, %lb0 : tile<2x32xf8E4M3FN>, tile<32x2xf8E4M3FN>, tile<2x2xf32>, tile<2x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
    print_tko "f8E4M3FN f8E8M0FNU %g\0A", %d0 : tile<2x2xf32> -> token
    // SCALED-NEXT: f8E5M2 f8E8M0FNU {{\[\[}}129, 65], [257, 129{{\]\]}}
    %a1 = constant <f8E5M2: 1.0> : tile<2x32xf8E5M2>
    %b1 = constant <f8E5M2: 2.0> : tile<32x2xf8E5M2>
    %la1 = constant <f8E8M0FNU: [[2.0], [4.0]]> : tile<2x1xf8E8M0FNU>
    %lb1 = constant <f8E8M0FNU: [[1.0, 0.5]]> : tile<1x2xf8E8M0FNU>
    %d1 = mmaf_scaled %a1, %b1, %acc, %la1, %lb1 : tile<2x32xf8E5M2>, tile<32x2xf8E5M2>, tile<2x2xf32>, tile<2x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
    print_tko "f8E5M2 f8E8M0FNU %g\0A", %d1 : tile<2x2xf32> -> token
    // SCALED-NEXT: f4E2M1FN f8E8M0FNU {{\[\[}}129, 65], [257, 129{{\]\]}}
    %a2 = constant <f4E2M1FN: 1.0> : tile<2x32xf4E2M1FN>
    %b2 = constant <f4E2M1FN: 2.0> : tile<32x2xf4E2M1FN>
    %la2 = constant <f8E8M0FNU: [[2.0], [4.0]]> : tile<2x1xf8E8M0FNU>
    %lb2 = constant <f8E8M0FNU: [[1.0, 0.5]]> : tile<1x2xf8E8M0FNU>
    %d2 = mmaf_scaled %a2, %b2, %acc, %la2, %lb2 : tile<2x32xf4E2M1FN>, tile<32x2xf4E2M1FN>, tile<2x2xf32>, tile<2x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
    print_tko "f4E2M1FN f8E8M0FNU %g\0A", %d2 : tile<2x2xf32> -> token
    // SCALED-NEXT: f4E2M1FN f8E8M0FNU {{\[\[}}97, 49], [193, 97{{\]\]}}
    %a3 = constant <f4E2M1FN: 1.5> : tile<2x16xf4E2M1FN>
    %b3 = constant <f4E2M1FN: 2.0> : tile<16x2xf4E2M1FN>
    %la3 = constant <f8E8M0FNU: [[2.0], [4.0]]> : tile<2x1xf8E8M0FNU>
    %lb3 = constant <f8E8M0FNU: [[1.0, 0.5]]> : tile<1x2xf8E8M0FNU>
    %d3 = mmaf_scaled %a3, %b3, %acc, %la3, %lb3 : tile<2x16xf4E2M1FN>, tile<16x2xf4E2M1FN>, tile<2x2xf32>, tile<2x1xf8E8M0FNU>, tile<1x2xf8E8M0FNU>
    print_tko "f4E2M1FN f8E8M0FNU %g\0A", %d3 : tile<2x2xf32> -> token
    // SCALED-NEXT: f4E2M1FN f8E4M3FN {{\[\[}}73, 145], [97, 193{{\]\]}}
    %a4 = constant <f4E2M1FN: 1.5> : tile<2x16xf4E2M1FN>
    %b4 = constant <f4E2M1FN: 2.0> : tile<16x2xf4E2M1FN>
    %la4 = constant <f8E4M3FN: [[1.5], [2.0]]> : tile<2x1xf8E4M3FN>
    %lb4 = constant <f8E4M3FN: [[1.0, 2.0]]> : tile<1x2xf8E4M3FN>
    %d4 = mmaf_scaled %a4, %b4, %acc, %la4, %lb4 : tile<2x16xf4E2M1FN>, tile<16x2xf4E2M1FN>, tile<2x2xf32>, tile<2x1xf8E4M3FN>, tile<1x2xf8E4M3FN>
    print_tko "f4E2M1FN f8E4M3FN %g\0A", %d4 : tile<2x2xf32> -> token
    // SCALED-NEXT: f4E2M1FN fnv8E5M3FNU {{\[\[}}73, 145], [97, 193{{\]\]}}
    %a5 = constant <f4E2M1FN: 1.5> : tile<2x16xf4E2M1FN>
    %b5 = constant <f4E2M1FN: 2.0> : tile<16x2xf4E2M1FN>
    %la5 = constant <fnv8E5M3FNU: [[1.5], [2.0]]> : tile<2x1xfnv8E5M3FNU>
    %lb5 = constant <fnv8E5M3FNU: [[1.0, 2.0]]> : tile<1x2xfnv8E5M3FNU>
    %d5 = mmaf_scaled %a5, %b5, %acc, %la5, %lb5 : tile<2x16xf4E2M1FN>, tile<16x2xf4E2M1FN>, tile<2x2xf32>, tile<2x1xfnv8E5M3FNU>, tile<1x2xfnv8E5M3FNU>
    print_tko "f4E2M1FN fnv8E5M3FNU %g\0A", %d5 : tile<2x2xf32> -> token
    return
  }

  // GRID: block 0 0 0 of 2 1 3 has 0
  // GRID: block 1 0 0 of 2 1 3 has 1
  // GRID: block 0 0 1 of 2 1 3 has 0
  // GRID: block 1 0 2 of 2 1 3 has 1
  entry @grid() {
    %x, %y, %z = get_tile_block_id : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    // Memory of this tile block alone.
    %p = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>
    %t0 = store_ptr_tko weak %p, %x : tile<ptr<i32>>, tile<i32> -> token
    %v, %t1 = load_ptr_tko weak %p token=%t0 : tile<ptr<i32>> -> tile<i32>, token
    print_tko "block %d %d %d of %d %d %d has %d\0A", %x, %y, %z, %gx, %gy, %gz, %v : tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32>, tile<i32> -> token
    return
  }
}
