// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-interp %s --grid=1 | FileCheck %s

cuda_tile.module @m {
  global private constant @table <i16: [10, -20, 30, 40]> : tile<4xi16>

  entry @core() {
    %iota = iota : tile<8xi32>
    // CHECK: {{\[\[}}0, 1, 2, 3], [4, 5, 6, 7{{\]\]}}
    %m = reshape %iota : tile<8xi32> -> tile<2x4xi32>
    print_tko "%d\0A", %m : tile<2x4xi32> -> token
    // CHECK-NEXT: {{\[\[}}0, 4], [1, 5], [2, 6], [3, 7{{\]\]}}
    %t = permute %m [1, 0] : tile<2x4xi32> -> tile<4x2xi32>
    print_tko "%d\0A", %t : tile<4x2xi32> -> token
    %one = constant <i32: 1> : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    // The piece in row 0, column 1 of a grid of 1x2 pieces.
    // CHECK-NEXT: {{\[\[}}2, 3], [6, 7{{\]\]}}
    %e = extract %m[%zero, %one] : tile<2x4xi32> -> tile<2x2xi32>
    print_tko "%d\0A", %e : tile<2x2xi32> -> token
    // CHECK-NEXT: {{\[\[}}2, 3, 2, 3], [6, 7, 6, 7{{\]\]}}
    %c = cat %e, %e dim = 1 : tile<2x2xi32>, tile<2x2xi32> -> tile<2x4xi32>
    print_tko "%d\0A", %c : tile<2x4xi32> -> token
    %row = reshape %iota : tile<8xi32> -> tile<1x8xi32>
    // CHECK-NEXT: [28, 28]
    %b = broadcast %row : tile<1x8xi32> -> tile<2x8xi32>
    %sum = reduce %b dim=1 identities=[0 : i32] : tile<2x8xi32> -> tile<2xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %s = addi %x, %acc : tile<i32>
      yield %s : tile<i32>
    }
    print_tko "%d\0A", %sum : tile<2xi32> -> token
    // Two operands: the largest and where it is.
    // CHECK-NEXT: [7, 7] [7, 7]
    %largest, %where = reduce %b, %b dim=1 identities=[-1 : i32, -1 : i32] : tile<2x8xi32>, tile<2x8xi32> -> tile<2xi32>, tile<2xi32>
    (%x0: tile<i32>, %a0: tile<i32>, %x1: tile<i32>, %a1: tile<i32>) {
      %gt = cmpi greater_than %x0, %a0, signed : tile<i32> -> tile<i1>
      %v = select %gt, %x0, %a0 : tile<i1>, tile<i32>
      %w = select %gt, %x1, %a1 : tile<i1>, tile<i32>
      yield %v, %w : tile<i32>, tile<i32>
    }
    print_tko "%d %d\0A", %largest, %where : tile<2xi32>, tile<2xi32> -> token
    // CHECK-NEXT: {{\[\[}}0, 1, 3, 6], [4, 9, 15, 22{{\]\]}} {{\[\[}}6, 6, 5, 3], [22, 18, 13, 7{{\]\]}}
    %prefix = scan %m dim=1 reverse=false identities=[0 : i32] : tile<2x4xi32> -> tile<2x4xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %s = addi %x, %acc : tile<i32>
      yield %s : tile<i32>
    }
    %suffix = scan %m dim=1 reverse=true identities=[0 : i32] : tile<2x4xi32> -> tile<2x4xi32>
    (%x: tile<i32>, %acc: tile<i32>) {
      %s = addi %x, %acc : tile<i32>
      yield %s : tile<i32>
    }
    print_tko "%d %d\0A", %prefix, %suffix : tile<2x4xi32>, tile<2x4xi32> -> token

    // Loops: 0 + 2 + 4, then doubling until above 100, then a branch.
    // CHECK-NEXT: for 6 loop 128 if 1
    %two = constant <i32: 2> : tile<i32>
    %six = constant <i32: 6> : tile<i32>
    %hundred = constant <i32: 100> : tile<i32>
    %for = for %i in (%zero to %six, step %two) : tile<i32> iter_values(%k = %zero) -> (tile<i32>) {
      %n = addi %k, %i : tile<i32>
      continue %n : tile<i32>
    }
    %loop = loop iter_values(%k = %one) : tile<i32> -> tile<i32> {
      %done = cmpi greater_than %k, %hundred, signed : tile<i32> -> tile<i1>
      if %done {
        break %k : tile<i32>
      }
      %n = addi %k, %k : tile<i32>
      continue %n : tile<i32>
    }
    %gt = cmpi greater_than %loop, %for, signed : tile<i32> -> tile<i1>
    %if = if %gt -> (tile<i32>) {
      yield %one : tile<i32>
    } else {
      yield %two : tile<i32>
    }
    print_tko "for %d loop %d if %d\0A", %for, %loop, %if : tile<i32>, tile<i32>, tile<i32> -> token

    // CHECK-NEXT: global -20 100%
    %p = get_global @table : tile<ptr<i16>>
    %q = offset %p, %one : tile<ptr<i16>>, tile<i32> -> tile<ptr<i16>>
    %g, %tok = load_ptr_tko weak %q : tile<ptr<i16>> -> tile<i16>, token
    print_tko "global %d 100%%\0A", %g : tile<i16> -> token
    return
  }
}
