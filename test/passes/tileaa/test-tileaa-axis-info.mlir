// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileAAPasses.so --load-pass-plugin=%libTileAAPasses.so --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(test-tileaa-axis-info)))' -o /dev/null

gpu.module @m {
  // Row-major offsets of a 64x32 tile with a leading dimension divisible by 16.
  nv_tileaa.func kernel @row_major(%p: !nv_tileaa.ptr<f16> {nv_tileaa.div_by = 16 : i64}, %ld: i32 {nv_tileaa.div_by = 16 : i64}) {
    // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1]}}
    %0 = nv_tileaa.make_range 0 to 64 : tensor<64xi32>
    // expected-remark @below {{contiguity = [64, 1], divisibility = [4611686018427387904, 1], constancy = [1, 1]}}
    %1 = nv_tileaa.expand_dims %0 axes = [1] : tensor<64xi32> -> tensor<64x1xi32>
    // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [64, 1]}}
    %2 = nv_tileaa.splat %ld : i32 -> tensor<64x1xi32>
    // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 1]}}
    %3 = arith.muli %1, %2 : tensor<64x1xi32>
    // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [1, 32]}}
    %4 = nv_tileaa.broadcast %3 : tensor<64x1xi32> -> tensor<64x32xi32>
    // expected-remark @below {{contiguity = [32], divisibility = [4611686018427387904], constancy = [1]}}
    %5 = nv_tileaa.make_range 0 to 32 : tensor<32xi32>
    // expected-remark @below {{contiguity = [1, 32], divisibility = [1, 4611686018427387904], constancy = [1, 1]}}
    %6 = nv_tileaa.expand_dims %5 axes = [0] : tensor<32xi32> -> tensor<1x32xi32>
    // expected-remark @below {{contiguity = [1, 32], divisibility = [1, 4611686018427387904], constancy = [64, 1]}}
    %7 = nv_tileaa.broadcast %6 : tensor<1x32xi32> -> tensor<64x32xi32>
    // expected-remark @below {{contiguity = [1, 32], divisibility = [1, 16], constancy = [1, 1]}}
    %8 = arith.addi %4, %7 : tensor<64x32xi32>
    // expected-remark @below {{contiguity = [1, 1], divisibility = [16, 16], constancy = [64, 32]}}
    %9 = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<64x32x!nv_tileaa.ptr<f16>>
    // expected-remark @below {{contiguity = [1, 16], divisibility = [2, 16], constancy = [1, 1]}}
    %10 = nv_tileaa.addptr %9, %8 : tensor<64x32x!nv_tileaa.ptr<f16>>, tensor<64x32xi32>
    // expected-remark @below {{vector elements = 8}}
    %v, %t = nv_tileaa.load weak %10 : tensor<64x32x!nv_tileaa.ptr<f16>> -> tensor<64x32xf16>
    // expected-remark @below {{contiguity = [16, 1], divisibility = [16, 2], constancy = [1, 1]}}
    %11 = nv_tileaa.permute %10 [1, 0] : tensor<64x32x!nv_tileaa.ptr<f16>> -> tensor<32x64x!nv_tileaa.ptr<f16>>
    // expected-remark @below {{vector elements = 1}}
    %w, %u = nv_tileaa.load weak %11 : tensor<32x64x!nv_tileaa.ptr<f16>> -> tensor<32x64xf16>
    nv_tileaa.return
  }

  // A tail mask allows vectors as long as the bound is divisible.
  nv_tileaa.func kernel @masks(%p: !nv_tileaa.ptr<f32> {nv_tileaa.div_by = 16 : i64}, %n: i32, %pid: i32) {
    // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1], constant = 128}}
    %c128 = arith.constant 128 : i32
    // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [1]}}
    %0 = arith.muli %pid, %c128 : i32
    // expected-remark @below {{contiguity = [128], divisibility = [4611686018427387904], constancy = [1]}}
    %1 = nv_tileaa.make_range 0 to 128 : tensor<128xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [128], constancy = [128]}}
    %2 = nv_tileaa.splat %0 : i32 -> tensor<128xi32>
    // expected-remark @below {{contiguity = [128], divisibility = [128], constancy = [1]}}
    %3 = arith.addi %2, %1 : tensor<128xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [1]}}
    %4 = nv_tileaa.assume %n [#nv_tileaa.div_by<2>] : i32
    // expected-remark @below {{contiguity = [1], divisibility = [2], constancy = [128]}}
    %5 = nv_tileaa.splat %4 : i32 -> tensor<128xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [2]}}
    %6 = arith.cmpi slt, %3, %5 : tensor<128xi32>
    // `<=` may change inside of a run.
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [1]}}
    %7 = arith.cmpi sle, %3, %5 : tensor<128xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [2]}}
    %8 = arith.cmpi sgt, %5, %3 : tensor<128xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [128]}}
    %9 = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> tensor<128x!nv_tileaa.ptr<f32>>
    // expected-remark @below {{contiguity = [128], divisibility = [16], constancy = [1]}}
    %10 = nv_tileaa.addptr %9, %3 : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
    // expected-remark @below {{vector elements = 2}}
    %v, %t = nv_tileaa.load weak %10 mask %6 : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
    // expected-remark @below {{vector elements = 1}}
    %w, %u = nv_tileaa.load weak %10 mask %7 : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
    // An odd start keeps the run but not its alignment.
    // expected-remark @below {{contiguity = [128], divisibility = [1], constancy = [1]}}
    %11 = nv_tileaa.make_range 1 to 129 : tensor<128xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [1]}}
    %12 = nv_tileaa.addptr %9, %11 : tensor<128x!nv_tileaa.ptr<f32>>, tensor<128xi32>
    // expected-remark @below {{vector elements = 1}}
    %x, %y = nv_tileaa.load weak %12 : tensor<128x!nv_tileaa.ptr<f32>> -> tensor<128xf32>
    nv_tileaa.return
  }

  // A sum of a run and of constant groups restarts in every group.
  nv_tileaa.func kernel @groups(%g: tensor<64xi32>) {
    // expected-remark @below {{contiguity = [64], divisibility = [4611686018427387904], constancy = [1]}}
    %0 = nv_tileaa.make_range 0 to 64 : tensor<64xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [8]}}
    %1 = nv_tileaa.assume %g [#nv_tileaa.same_elements<[8]>, #nv_tileaa.div_by<16>] : tensor<64xi32>
    // expected-remark @below {{contiguity = [8], divisibility = [8], constancy = [1]}}
    %2 = arith.addi %0, %1 : tensor<64xi32>
    // expected-remark @below {{contiguity = [4], divisibility = [16], constancy = [8]}}
    %3 = nv_tileaa.assume %1 [#nv_tileaa.div_by<16, every 4 along 0>] : tensor<64xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [4], constancy = [64], constant = 4}}
    %c4 = arith.constant dense<4> : tensor<64xi32>
    // expected-remark @below {{contiguity = [4], divisibility = [4611686018427387904], constancy = [1]}}
    %4 = arith.remui %0, %c4 : tensor<64xi32>
    // expected-remark @below {{contiguity = [1], divisibility = [1], constancy = [4]}}
    %5 = arith.divui %0, %c4 : tensor<64xi32>
    // expected-remark @below {{contiguity = [1, 16], divisibility = [1, 16], constancy = [1, 1]}}
    %6 = nv_tileaa.view %0 : tensor<64xi32> -> tensor<4x16xi32>
    nv_tileaa.return
  }

  // Pointers that advance in a loop keep what start and step have in common.
  nv_tileaa.func kernel @loops(%p: tensor<64x!nv_tileaa.ptr<f32>>, %n: i32) {
    // expected-remark @below {{contiguity = [1], divisibility = [4611686018427387904], constancy = [1], constant = 0}}
    %c0 = arith.constant 0 : i32
    // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1], constant = 8}}
    %c8 = arith.constant 8 : i32
    // expected-remark @below {{contiguity = [64], divisibility = [64], constancy = [1]}}
    %0 = nv_tileaa.assume %p [#nv_tileaa.div_by<64, every 64 along 0>] : tensor<64x!nv_tileaa.ptr<f32>>
    // expected-remark @below {{contiguity = [64], divisibility = [32], constancy = [1]}}
    %r = scf.for %i = %c0 to %n step %c8 iter_args(%q = %0) -> (tensor<64x!nv_tileaa.ptr<f32>>) : i32 {
      // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [1]}}
      %1 = arith.addi %i, %i : i32
      // expected-remark @below {{contiguity = [1], divisibility = [8], constancy = [64], constant = 8}}
      %step = arith.constant dense<8> : tensor<64xi32>
      // expected-remark @below {{contiguity = [64], divisibility = [32], constancy = [1]}}
      %2 = nv_tileaa.addptr %q, %step : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xi32>
      // expected-remark @below {{vector elements = 4}}
      %v, %t = nv_tileaa.load weak %q : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
      scf.yield %2 : tensor<64x!nv_tileaa.ptr<f32>>
    }
    nv_tileaa.return
  }

  nv_tileaa.func kernel @views(%p: !nv_tileaa.ptr<f16>, %n: i64, %x: i32) {
    // expected-remark @below {{contiguity = [1], divisibility = [16], constancy = [1]}}
    %0 = nv_tileaa.assume %p [#nv_tileaa.div_by<16>] : !nv_tileaa.ptr<f16>
    %1 = nv_tileaa.make_memref %0 sizes[%n] : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?xf16, strides = [1]>
    %2 = nv_tileaa.block_tile %1 : !nv_tileaa.memref<?xf16, strides = [1]> -> !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf16, strides = [1]>>
    // expected-remark @below {{base alignment = 16}}
    %v, %t = nv_tileaa.tiled_load weak %2[%x] : !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf16, strides = [1]>>[i32] -> tensor<64xf16>
    nv_tileaa.return
  }
}
