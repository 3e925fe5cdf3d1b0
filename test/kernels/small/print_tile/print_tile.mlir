// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile prints as one string: row-major, in nested brackets.
cuda_tile.module @kernels {
  entry @print_tile(%n: tile<i32>) {
    %t0 = make_token : token
    %iota = iota : tile<8xi32>
    %cube = reshape %iota : tile<8xi32> -> tile<2x2x2xi32>
    %t1 = print_tko "n %d, cube %d: 100%%\0A", %n, %cube token=%t0 : tile<i32>, tile<2x2x2xi32> -> token
    %half = constant <f16: [0.5, -2.0]> : tile<2xf16>
    %t2 = print_tko "%g and %04x\0A", %half, %iota token=%t1 : tile<2xf16>, tile<8xi32> -> token
    %many = iota : tile<1024xi16>
    %t3 = print_tko "%d\0A", %many token=%t2 : tile<1024xi16> -> token
    %zero = constant <i32: 0> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %t4 = for %i in (%zero to %two, step %one) : tile<i32> iter_values(%t = %t3) -> (token) {
      %next = print_tko "round %d %d\0A", %i, %iota token=%t : tile<i32>, tile<8xi32> -> token
      continue %next : token
    }
    return
  }
}
