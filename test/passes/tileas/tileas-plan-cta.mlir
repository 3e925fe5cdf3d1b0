// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-plan-cta))' --remark-format=emitRemark --remarks-filter='tileas|Hints' -o %t.once 2> %t.remarks
// RUN: FileCheck %s < %t.once
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// The layouts that it wrote do not change what it counts.
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas,tileas-plan-cta,tileas-plan-cta))' -o %t.twice
// RUN: diff %t.once %t.twice

#clustered = #nv_tileas.layout<reg, [16384], blocked<per_thread = [4], lanes = [32], warps = [4], order = [0]>>
!m = !nv_tileaa.memref<?x1024xf16, strides = [1024, 1]>
!l = !nv_tileaa.memref<?xf32, strides = [1]>

gpu.module @kernels attributes {nv_tileaa.target_spec = "sm_80"} {

// The accumulators decide: at most 128 registers of a thread. The operands stay in shared memory.
// CHECK-LABEL: nv_tileaa.func kernel @gemm_64x64(
//  CHECK-SAME:   num_warps = 4,
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @gemm_64x64(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x64 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x64 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<64x64xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<64x64 of !m>[i32, i32] -> tensor<64x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x64 of !m>[i32, i32] -> tensor<64x64xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<64x64xf32> -> tensor<64x64xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<64x64xf16>, !nv_tileaa.tiled_view<64x64 of !m>[i32, i32]
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @gemm_16x32(
//  CHECK-SAME:   num_warps = 1,
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @gemm_16x32(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<16x16 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<16x32 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<16x32 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<16x32xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<16x32xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<16x16 of !m>[i32, i32] -> tensor<16x16xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<16x32 of !m>[i32, i32] -> tensor<16x32xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<16x16xf16>, tensor<16x32xf16>, tensor<16x32xf32>
    scf.yield %d : tensor<16x32xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<16x32xf32> -> tensor<16x32xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<16x32xf16>, !nv_tileaa.tiled_view<16x32 of !m>[i32, i32]
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @gemm_128x128(
//  CHECK-SAME:   num_warps = 4,
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @gemm_128x128(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x128 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x128 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<128x128xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<128x64 of !m>[i32, i32] -> tensor<128x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x128 of !m>[i32, i32] -> tensor<64x128xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %d : tensor<128x128xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<128x128xf32> -> tensor<128x128xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<128x128xf16>, !nv_tileaa.tiled_view<128x128 of !m>[i32, i32]
  nv_tileaa.return
}

// REMARK: [Passed] NumWarps | Category:tileas | Function=gemm_128x256 | {{.*}}Accumulators=32768, {{.*}}LoadedOperands=12288, {{.*}}Registers=216, Remark="warps by accumulators", Warps=8
// CHECK-LABEL: nv_tileaa.func kernel @gemm_128x256(
//  CHECK-SAME:   num_warps = 8,
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @gemm_128x256(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x256 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x256 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<128x256xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<128x64 of !m>[i32, i32] -> tensor<128x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x256 of !m>[i32, i32] -> tensor<64x256xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<128x256xf32> -> tensor<128x256xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<128x256xf16>, !nv_tileaa.tiled_view<128x256 of !m>[i32, i32]
  nv_tileaa.return
}

// As many registers as the SM has: no number of warps suffices, but halves do (tileas-plan-cta-split.mlir).
// REMARK: [Passed] NumWarps | Category:tileas | Function=gemm_256x256 | {{.*}}Remark="warps by accumulators", Warps=8
// CHECK-LABEL: nv_tileaa.func kernel @gemm_256x256(
//  CHECK-SAME:   num_warps = 8,
//       CHECK:   nv_tileas.dot
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @gemm_256x256(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<256x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x256 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<256x256 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<256x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<256x256xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<256x64 of !m>[i32, i32] -> tensor<256x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x256 of !m>[i32, i32] -> tensor<64x256xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<256x64xf16>, tensor<64x256xf16>, tensor<256x256xf32>
    scf.yield %d : tensor<256x256xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<256x256xf32> -> tensor<256x256xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<256x256xf16>, !nv_tileaa.tiled_view<256x256 of !m>[i32, i32]
  nv_tileaa.return
}

// A requested number of warps is kept
// REMARK: [Passed] NumWarps | Category:tileas | Function=asked | {{.*}}Remark="warps as asked for", Warps=16
// CHECK-LABEL: nv_tileaa.func kernel @asked(
//  CHECK-SAME:   num_warps = 16,
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @asked(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 16, num_ctas = 1, cluster_dim = [1, 1, 1]>, nv_tileaa.fixed_warps} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x256 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x256 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<128x256xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<128x64 of !m>[i32, i32] -> tensor<128x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x256 of !m>[i32, i32] -> tensor<64x256xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<128x256xf32> -> tensor<128x256xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<128x256xf16>, !nv_tileaa.tiled_view<128x256 of !m>[i32, i32]
  nv_tileaa.return
}

// unless a thread would have to hold more accumulators than registers.
// REMARK: [Missed] WarpsReplaced | Category:tileas | Function=asked_too_few | Reason="a thread of 2 warps would hold 512 registers of accumulators, 224 are available"
// CHECK-LABEL: nv_tileaa.func kernel @asked_too_few(
//  CHECK-SAME:   num_warps = 8,
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @asked_too_few(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 2, num_ctas = 1, cluster_dim = [1, 1, 1]>, nv_tileaa.fixed_warps} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %va = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x64 of !m>
  %vb = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x256 of !m>
  %v = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x256 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<128x256xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<128x256xf32>) : i32 {
    %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %l] : !nv_tileaa.tiled_view<128x64 of !m>[i32, i32] -> tensor<128x64xf16>
    %y, %t2 = nv_tileaa.tiled_load weak %vb[%l, %i] : !nv_tileaa.tiled_view<64x256 of !m>[i32, i32] -> tensor<64x256xf16>
    %d = nv_tileaa.dot %x, %y, %c : tensor<128x64xf16>, tensor<64x256xf16>, tensor<128x256xf32>
    scf.yield %d : tensor<128x256xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<128x256xf32> -> tensor<128x256xf16>
  %t3 = nv_tileaa.tiled_store weak %h, %v[%i, %i] : tensor<128x256xf16>, !nv_tileaa.tiled_view<128x256 of !m>[i32, i32]
  nv_tileaa.return
}

// Two dots in a loop: both accumulators are live at once, and the operand computed between them is in registers.
// CHECK-LABEL: nv_tileaa.func kernel @attention(
//  CHECK-SAME:   num_warps = 8,
nv_tileaa.func kernel @attention(%p: !nv_tileaa.ptr<f16>, %n: i64, %k: i32) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f16> -> !m
  %vq = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x128 of !m>
  %vk = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<128x64 of !m>
  %vv = nv_tileaa.block_tile %m : !m -> !nv_tileaa.tiled_view<64x128 of !m>
  %i = nv_tileaa.get_program_id x
  %z = arith.constant dense<0.0> : tensor<128x128xf32>
  %zs = arith.constant dense<0.0> : tensor<128x64xf32>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %q, %t1 = nv_tileaa.tiled_load weak %vq[%i, %i] : !nv_tileaa.tiled_view<128x128 of !m>[i32, i32] -> tensor<128x128xf16>
  %r = scf.for %l = %c0 to %k step %c1 iter_args(%c = %z) -> (tensor<128x128xf32>) : i32 {
    %x, %t2 = nv_tileaa.tiled_load weak %vk[%i, %l] : !nv_tileaa.tiled_view<128x64 of !m>[i32, i32] -> tensor<128x64xf16>
    %s = nv_tileaa.dot %q, %x, %zs : tensor<128x128xf16>, tensor<128x64xf16>, tensor<128x64xf32>
    %e = nv_tileaa.reduce %s axis = 1 identities = [0xFF800000 : f32] : tensor<128x64xf32> -> tensor<128xf32> {
    ^bb0(%b: f32, %a: f32):
      %o = arith.maxnumf %b, %a : f32
      nv_tileaa.yield %o : f32
    }
    %f = nv_tileaa.expand_dims %e axes = [1] : tensor<128xf32> -> tensor<128x1xf32>
    %g = nv_tileaa.broadcast %f : tensor<128x1xf32> -> tensor<128x64xf32>
    %d = arith.subf %s, %g : tensor<128x64xf32>
    %h = nv_tileaa.fp_to_fp %d : tensor<128x64xf32> -> tensor<128x64xf16>
    %y, %t3 = nv_tileaa.tiled_load weak %vv[%l, %i] : !nv_tileaa.tiled_view<64x128 of !m>[i32, i32] -> tensor<64x128xf16>
    %w = nv_tileaa.dot %h, %y, %c : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %w : tensor<128x128xf32>
  }
  %h = nv_tileaa.fp_to_fp %r : tensor<128x128xf32> -> tensor<128x128xf16>
  %t4 = nv_tileaa.tiled_store weak %h, %vq[%i, %i] : tensor<128x128xf16>, !nv_tileaa.tiled_view<128x128 of !m>[i32, i32]
  nv_tileaa.return
}

// 16 elements per thread of a reduction while four CTAs fit an SM, then 32.
// CHECK-LABEL: nv_tileaa.func kernel @row_sum_256(
//  CHECK-SAME:   num_warps = 1,
nv_tileaa.func kernel @row_sum_256(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !l
  %v = nv_tileaa.block_tile %m : !l -> !nv_tileaa.tiled_view<256 of !l>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<256 of !l>[i32] -> tensor<256xf32>
  %y = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : tensor<256xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %r = arith.addf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  %s = nv_tileaa.store weak %q, %y : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Two warps would suffice, but exchange as much as four.
// CHECK-LABEL: nv_tileaa.func kernel @row_sum_1024(
//  CHECK-SAME:   num_warps = 4,
nv_tileaa.func kernel @row_sum_1024(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !l
  %v = nv_tileaa.block_tile %m : !l -> !nv_tileaa.tiled_view<1024 of !l>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<1024 of !l>[i32] -> tensor<1024xf32>
  %y = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : tensor<1024xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %r = arith.addf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  %s = nv_tileaa.store weak %q, %y : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @row_sum_4096(
//  CHECK-SAME:   num_warps = 8,
nv_tileaa.func kernel @row_sum_4096(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !l
  %v = nv_tileaa.block_tile %m : !l -> !nv_tileaa.tiled_view<4096 of !l>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<4096 of !l>[i32] -> tensor<4096xf32>
  %y = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : tensor<4096xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %r = arith.addf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  %s = nv_tileaa.store weak %q, %y : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @row_sum_16384(
//  CHECK-SAME:   num_warps = 16,
nv_tileaa.func kernel @row_sum_16384(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !l
  %v = nv_tileaa.block_tile %m : !l -> !nv_tileaa.tiled_view<16384 of !l>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<16384 of !l>[i32] -> tensor<16384xf32>
  %y = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : tensor<16384xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %r = arith.addf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  %s = nv_tileaa.store weak %q, %y : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @row_sum_65536(
//  CHECK-SAME:   num_warps = 16,
nv_tileaa.func kernel @row_sum_65536(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !l
  %v = nv_tileaa.block_tile %m : !l -> !nv_tileaa.tiled_view<65536 of !l>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<65536 of !l>[i32] -> tensor<65536xf32>
  %y = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : tensor<65536xf32> -> f32 {
  ^bb0(%e: f32, %a: f32):
    %r = arith.addf %e, %a : f32
    nv_tileaa.yield %r : f32
  }
  %s = nv_tileaa.store weak %q, %y : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Two vectors of 16 bytes a thread.
// CHECK-LABEL: nv_tileaa.func kernel @add_f32_64(
//  CHECK-SAME:   num_warps = 1,
nv_tileaa.func kernel @add_f32_64(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]> -> !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf32, strides = [1]>>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<64xf32>
  %y = arith.addf %x, %x : tensor<64xf32>
  %s = nv_tileaa.tiled_store weak %y, %v[%i] : tensor<64xf32>, !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @add_f32_1024(
//  CHECK-SAME:   num_warps = 4,
nv_tileaa.func kernel @add_f32_1024(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]> -> !nv_tileaa.tiled_view<1024 of !nv_tileaa.memref<?xf32, strides = [1]>>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<1024 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<1024xf32>
  %y = arith.addf %x, %x : tensor<1024xf32>
  %s = nv_tileaa.tiled_store weak %y, %v[%i] : tensor<1024xf32>, !nv_tileaa.tiled_view<1024 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @add_f32_4096(
//  CHECK-SAME:   num_warps = 8,
nv_tileaa.func kernel @add_f32_4096(%p: !nv_tileaa.ptr<f32>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]> -> !nv_tileaa.tiled_view<4096 of !nv_tileaa.memref<?xf32, strides = [1]>>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<4096 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<4096xf32>
  %y = arith.addf %x, %x : tensor<4096xf32>
  %s = nv_tileaa.tiled_store weak %y, %v[%i] : tensor<4096xf32>, !nv_tileaa.tiled_view<4096 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32]
  nv_tileaa.return
}

// If two such vectors leave sub-cores of the SM without a warp, one.
// CHECK-LABEL: nv_tileaa.func kernel @add_bf16_1024(
//  CHECK-SAME:   num_warps = 4,
nv_tileaa.func kernel @add_bf16_1024(%p: !nv_tileaa.ptr<bf16>, %n: i64) {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<bf16> -> !nv_tileaa.memref<?xbf16, strides = [1]>
  %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xbf16, strides = [1]> -> !nv_tileaa.tiled_view<1024 of !nv_tileaa.memref<?xbf16, strides = [1]>>
  %i = nv_tileaa.get_program_id x
  %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<1024 of !nv_tileaa.memref<?xbf16, strides = [1]>>[i32] -> tensor<1024xbf16>
  %y = arith.addf %x, %x : tensor<1024xbf16>
  %s = nv_tileaa.tiled_store weak %y, %v[%i] : tensor<1024xbf16>, !nv_tileaa.tiled_view<1024 of !nv_tileaa.memref<?xbf16, strides = [1]>>[i32]
  nv_tileaa.return
}

// One thread would do.
// CHECK-LABEL: nv_tileaa.func kernel @scalar(
//  CHECK-SAME:   num_warps = 1,
nv_tileaa.func kernel @scalar(%p: !nv_tileaa.ptr<f32>, %x: f32) {
  %s = nv_tileaa.store weak %p, %x : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Outside of loops no copy runs ahead: both operands pass through registers
// on their way to the dot, and a warp would have 320 registers of them.
// REMARK: [Passed] NumWarps | Category:tileas | Function=rows_f64 | {{.*}}LoadedOperands=10240, {{.*}}Remark="warps by accumulators", Warps=4
// CHECK-LABEL: nv_tileaa.func kernel @rows_f64(
//  CHECK-SAME:   num_warps = 4,
//       CHECK:   nv_tileas.dot
nv_tileaa.func kernel @rows_f64(%p: !nv_tileaa.ptr<f64>, %n: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f64> -> !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>
  %va = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]> -> !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>>
  %vb = nv_tileaa.block_tile %m : !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]> -> !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>>
  %i = nv_tileaa.get_program_id x
  %c = arith.constant dense<0.0> : tensor<16x64xf64>
  %x, %t1 = nv_tileaa.tiled_load weak %va[%i, %i] : !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>>[i32, i32] -> tensor<16x64xf64>
  %y, %t2 = nv_tileaa.tiled_load weak %vb[%i, %i] : !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>>[i32, i32] -> tensor<64x64xf64>
  %d = nv_tileaa.dot %x, %y, %c : tensor<16x64xf64>, tensor<64x64xf64>, tensor<16x64xf64>
  %t3 = nv_tileaa.tiled_store weak %d, %va[%i, %i] : tensor<16x64xf64>, !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x1024xf64, strides = [1024, 1]>>[i32, i32]
  nv_tileaa.return
}

// A hint for occupancy: 16 elements a thread rather than 32.
// CHECK-LABEL: nv_tileaa.func kernel @hinted(
//  CHECK-SAME:   num_warps = 8,
//  CHECK-SAME:   occupancy = 4>
nv_tileaa.func kernel @hinted(%p: !nv_tileaa.ptr<f32>, %n: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 4>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !l
  %v = nv_tileaa.block_tile %m : !l -> !nv_tileaa.tiled_view<4096 of !l>
  %i = nv_tileaa.get_program_id x
  %j = arith.constant 1 : i32
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<4096 of !l>[i32] -> tensor<4096xf32>
  %y, %t2 = nv_tileaa.tiled_load weak %v[%j] : !nv_tileaa.tiled_view<4096 of !l>[i32] -> tensor<4096xf32>
  %s = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : tensor<4096xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %a = arith.addf %l, %r : f32
    nv_tileaa.yield %a : f32
  }
  %w = nv_tileaa.splat %s : f32 -> tensor<4096xf32>
  %q = arith.mulf %x, %y : tensor<4096xf32>
  %z = arith.addf %q, %w : tensor<4096xf32>
  %t3 = nv_tileaa.tiled_store weak %z, %v[%i] : tensor<4096xf32>, !nv_tileaa.tiled_view<4096 of !l>[i32]
  nv_tileaa.return
}

// Another number of warps, and a lower hint, in a CTA of a cluster.
// REMARK: HintClamped | Category:Hints | Function=clustered | Remark="OptimizationHint occupancy = 9 becomes 8:
// CHECK-LABEL: nv_tileaa.func kernel @clustered(
//  CHECK-SAME:   num_warps = 8, num_ctas = 2, cluster_dim = [1, 2, 1], occupancy = 8>
nv_tileaa.func kernel @clustered(%v: !nv_tileaa.tiled_view<16384 of !l>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [1, 2, 1], occupancy = 9>} {
  %x, %t = nv_tileas.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<16384 of !l>[i32] -> tensor<16384xf32, #clustered>
  %e = math.exp %x : tensor<16384xf32, #clustered>
  %t1 = nv_tileas.tiled_store weak %e, %v[%i] : tensor<16384xf32, #clustered>, !nv_tileaa.tiled_view<16384 of !l>[i32]
  nv_tileaa.return
}

// Eight CTAs on an SM cannot hold two such tiles each.
// REMARK: HintClamped | Category:Hints | Function=hinted_too_high | Remark="OptimizationHint occupancy = 8 becomes 4: an SM holds CTAs of 256 threads with 56 registers or more each"
// CHECK-LABEL: nv_tileaa.func kernel @hinted_too_high(
//  CHECK-SAME:   num_warps = 8,
//  CHECK-SAME:   occupancy = 4>
nv_tileaa.func kernel @hinted_too_high(%p: !nv_tileaa.ptr<f32>, %n: i64) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1], occupancy = 8>} {
  %m = nv_tileaa.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !l
  %v = nv_tileaa.block_tile %m : !l -> !nv_tileaa.tiled_view<4096 of !l>
  %i = nv_tileaa.get_program_id x
  %j = arith.constant 1 : i32
  %x, %t1 = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<4096 of !l>[i32] -> tensor<4096xf32>
  %y, %t2 = nv_tileaa.tiled_load weak %v[%j] : !nv_tileaa.tiled_view<4096 of !l>[i32] -> tensor<4096xf32>
  %s = nv_tileaa.reduce %x axis = 0 identities = [0.0 : f32] : tensor<4096xf32> -> f32 {
  ^bb0(%l: f32, %r: f32):
    %a = arith.addf %l, %r : f32
    nv_tileaa.yield %a : f32
  }
  %w = nv_tileaa.splat %s : f32 -> tensor<4096xf32>
  %q = arith.mulf %x, %y : tensor<4096xf32>
  %z = arith.addf %q, %w : tensor<4096xf32>
  %t3 = nv_tileaa.tiled_store weak %z, %v[%i] : tensor<4096xf32>, !nv_tileaa.tiled_view<4096 of !l>[i32]
  nv_tileaa.return
}

// The caller has the warps of its callee.
// CHECK-LABEL: nv_tileaa.func @callee(
// CHECK-LABEL: nv_tileaa.func kernel @caller(
//  CHECK-SAME:   num_warps = 4,
//      REMARK: [Passed] NumWarps | Category:tileas | Function=caller | {{.*}}Remark="warps as in the functions that it calls", Warps=4
nv_tileaa.func @callee(%p: !nv_tileaa.ptr<f32>, %x: f32) {
  %s = nv_tileaa.store weak %p, %x : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}
nv_tileaa.func kernel @caller(%p: !nv_tileaa.ptr<f32>, %x: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
  nv_tileaa.call @callee(%p, %x) : (!nv_tileaa.ptr<f32>, f32) -> ()
  nv_tileaa.return
}

}
