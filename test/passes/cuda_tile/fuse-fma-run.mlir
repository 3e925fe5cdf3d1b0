// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle runs the kernel before and after: what two roundings lose is there with one.
// RUN: %tileir-interp %s | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: %mlir-opt --load-dialect-plugin=%libCudaTilePasses.so --load-pass-plugin=%libCudaTilePasses.so %s --pass-pipeline='builtin.module(cuda_tile.module(cuda_tile.entry(fuse-fma)))' -o %t.mlir
// RUN: FileCheck %s --check-prefix=FUSED --input-file=%t.mlir --implicit-check-not=mulf
// RUN: %tileir-interp %t.mlir | FileCheck %s --check-prefixes=CHECK,ONE
// FUSED-COUNT-4: fma

cuda_tile.module @m {
  entry @run() {
    // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24.
    %a = constant <f32: 1.000244140625> : tile<f32>
    %b = constant <f32: 1.00048828125> : tile<f32>
    %m0 = mulf %a, %a : tile<f32>
    %sub = subf %m0, %b : tile<f32>
    // TWO: sub 0
    // ONE: sub 5.96046e-08
    print_tko "sub %g\0A", %sub : tile<f32> -> token

    // The result is exact if the product is exact, and signs are right.
    %x = constant <f32: [3.0, -3.0, 0.0, 0x7F800000]> : tile<4xf32>
    %y = constant <f32: [0.5, 0.5, -1.0, 2.0]> : tile<4xf32>
    %z = constant <f32: [1.0, 1.0, 0.0, 1.0]> : tile<4xf32>
    %m1 = mulf %x, %y : tile<4xf32>
    %add = addf %z, %m1 : tile<4xf32>
    // CHECK: add [2.5, -0.5, 0, inf]
    print_tko "add %g\0A", %add : tile<4xf32> -> token
    %m2 = mulf %x, %y : tile<4xf32>
    %dif = subf %m2, %z : tile<4xf32>
    // CHECK: dif [0.5, -2.5, -0, inf]
    print_tko "dif %g\0A", %dif : tile<4xf32> -> token

    // Rounding towards zero: 1/3 * 3 is below one, by less than the last place.
    %third = constant <f32: 0x3EAAAAAA> : tile<f32>
    %three = constant <f32: 3.0> : tile<f32>
    %zero = constant <f32: 0.0> : tile<f32>
    %m3 = mulf %third, %three rounding<zero> : tile<f32>
    %down = addf %m3, %zero rounding<zero> : tile<f32>
    // CHECK: down 0x3f7fffff
    print_tko "down %#x\0A", %down : tile<f32> -> token
    return
  }
}
