// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-interp %s | FileCheck %s

cuda_tile.module @m {
  entry @integers() {
    %a = constant <i8: [100, -100, 7, -128]> : tile<4xi8>
    %b = constant <i8: [100, 3, -2, 2]> : tile<4xi8>
    // CHECK: [-56, -97, 5, -126] [0, -103, 9, 126] [16, -44, -14, 0]
    %add = addi %a, %b : tile<4xi8>
    %sub = subi %a, %b : tile<4xi8>
    %mul = muli %a, %b : tile<4xi8>
    print_tko "%d %d %d\0A", %add, %sub, %mul : tile<4xi8>, tile<4xi8>, tile<4xi8> -> token
    // The high half of an unsigned product.
    // CHECK-NEXT: mulhii [39, 1, 6, 1] absi [100, 100, 7, 128] negi [-100, 100, -7, -128]
    %hi = mulhii %a, %b : tile<4xi8>
    %abs = absi %a : tile<4xi8>
    %neg = negi %a : tile<4xi8>
    print_tko "mulhii %d absi %u negi %d\0A", %hi, %abs, %neg : tile<4xi8>, tile<4xi8>, tile<4xi8> -> token
    // Truncation, floor and ceiling.
    // CHECK-NEXT: divi [1, -33, -3, -64] [1, -34, -4, -64] [1, -33, -3, -64] [1, 52, 1, 64]
    %div = divi %a, %b signed : tile<4xi8>
    %floor = divi %a, %b signed rounding<negative_inf> : tile<4xi8>
    %ceil = divi %a, %b signed rounding<positive_inf> : tile<4xi8>
    %udiv = divi %a, %b unsigned rounding<positive_inf> : tile<4xi8>
    print_tko "divi %d %d %d %d\0A", %div, %floor, %ceil, %udiv : tile<4xi8>, tile<4xi8>, tile<4xi8>, tile<4xi8> -> token
    // CHECK-NEXT: remi [0, -1, 1, 0] [0, 0, 7, 0]
    %rem = remi %a, %b signed : tile<4xi8>
    %urem = remi %a, %b unsigned : tile<4xi8>
    print_tko "remi %d %d\0A", %rem, %urem : tile<4xi8>, tile<4xi8> -> token
    %n = constant <i8: 2> : tile<4xi8>
    // CHECK-NEXT: shifts [-112, 112, 28, 0] [25, 39, 1, 32] [25, -25, 1, -32]
    %shl = shli %a, %n : tile<4xi8>
    %shr = shri %a, %n unsigned : tile<4xi8>
    %sar = shri %a, %n signed : tile<4xi8>
    print_tko "shifts %d %d %d\0A", %shl, %shr, %sar : tile<4xi8>, tile<4xi8>, tile<4xi8> -> token
    // CHECK-NEXT: maxi [100, 3, 7, 2] [100, -100, -2, -128] mini [100, -100, -2, -128] [100, 3, 7, 2]
    %max = maxi %a, %b signed : tile<4xi8>
    %umax = maxi %a, %b unsigned : tile<4xi8>
    %min = mini %a, %b signed : tile<4xi8>
    %umin = mini %a, %b unsigned : tile<4xi8>
    print_tko "maxi %d %d mini %d %d\0A", %max, %umax, %min, %umin : tile<4xi8>, tile<4xi8>, tile<4xi8>, tile<4xi8> -> token
    // CHECK-NEXT: bits [100, 0, 6, 0] [100, -97, -1, -126] [0, -97, -7, -126]
    %and = andi %a, %b : tile<4xi8>
    %or = ori %a, %b : tile<4xi8>
    %xor = xori %a, %b : tile<4xi8>
    print_tko "bits %d %d %d\0A", %and, %or, %xor : tile<4xi8>, tile<4xi8>, tile<4xi8> -> token
    // A signed i1 that is true is -1, so it is below false.
    // CHECK-NEXT: cmpi [0, 1, 0, 1] [0, 0, 1, 0] 1
    %lt = cmpi less_than %a, %b, signed : tile<4xi8> -> tile<4xi1>
    %ult = cmpi less_than %a, %b, unsigned : tile<4xi8> -> tile<4xi1>
    %true = constant <i1: true> : tile<i1>
    %false = constant <i1: false> : tile<i1>
    %i1 = cmpi less_than %true, %false, signed : tile<i1> -> tile<i1>
    print_tko "cmpi %d %d %d\0A", %lt, %ult, %i1 : tile<4xi1>, tile<4xi1>, tile<i1> -> token

    // CHECK-NEXT: mmai {{\[\[}}101, 769], [99, -255{{\]\]}}
    %l = constant <i8: [[1, -1], [0, 1]]> : tile<2x2xi8>
    %r = constant <i8: [[2, 3], [1, 1]]> : tile<2x2xi8>
    %c = constant <i32: [[-156, 511], [98, -256]]> : tile<2x2xi32>
    %mma = mmai %l, %r, %c unsigned signed : tile<2x2xi8>, tile<2x2xi8>, tile<2x2xi32>
    print_tko "mmai %d\0A", %mma : tile<2x2xi32> -> token
    return
  }
}
