// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of row kernels: extrema of halves, quotients of exponentials, pairs of f32,
// loops.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#eight = #nv_tileas.layout<reg, [256], blocked<per_thread = [8], lanes = [32], warps = [1], order = [0]>>
#two = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
!v256 = !nv_tileaa.tiled_view<256 of !nv_tileaa.memref<?xf32, strides = [1]>>
!v64 = !nv_tileaa.tiled_view<64 of !nv_tileaa.memref<?xf32, strides = [1]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a", nv_tileaa.num_warps = 1 : i32} {
  // Neighbours that a comparison answers alike are compared once.
  // CHECK-LABEL: llvm.func @mask_of_runs(
  // CHECK-COUNT-1:   {{arith.cmpi|llvm.icmp}} {{"?}}slt
  //   CHECK-NOT:   {{arith.cmpi|llvm.icmp}}
  //       CHECK:   llvm.return
  nv_tileaa.func @mask_of_runs(%x: tensor<256xi32, #eight>, %n: i32) -> tensor<256xi1, #eight> {
    %s = nv_tileas.splat %n : i32 -> tensor<256xi32, #eight>
    %m = arith.cmpi slt, %x, %s {nv_tileas.contiguous = array<i32: 16>} : tensor<256xi32, #eight>
    nv_tileaa.return %m : tensor<256xi1, #eight>
  }

  // CHECK-LABEL: llvm.func @mask_of_short_runs(
  // CHECK-COUNT-4:   {{arith.cmpi|llvm.icmp}} {{"?}}slt
  //   CHECK-NOT:   {{arith.cmpi|llvm.icmp}}
  //       CHECK:   llvm.return
  nv_tileaa.func @mask_of_short_runs(%x: tensor<256xi32, #eight>, %n: i32) -> tensor<256xi1, #eight> {
    %s = nv_tileas.splat %n : i32 -> tensor<256xi32, #eight>
    %m = arith.cmpi slt, %x, %s {nv_tileas.contiguous = array<i32: 2>} : tensor<256xi32, #eight>
    nv_tileaa.return %m : tensor<256xi1, #eight>
  }

  // Words of two bf16 are combined as they are; the last one is unpacked.
  // CHECK-LABEL: llvm.func @largest_half(
  // CHECK-COUNT-3:   llvm.intr.maxnum(%{{.*}}, %{{.*}}) : (vector<2xbf16>, vector<2xbf16>)
  //       CHECK:   llvm.call @__nv_fmaxf
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @largest_half(%x: tensor<256xbf16, #eight>) -> f32 {
    %w = arith.extf %x : tensor<256xbf16, #eight> to tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %w axis = 0 identities = [0xFF800000 : f32] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.maxnumf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // The same of f16, where NaN wins.
  // CHECK-LABEL: llvm.func @smallest_half(
  // CHECK-COUNT-3:   llvm.intr.minimum(%{{.*}}, %{{.*}}) : (vector<2xf16>, vector<2xf16>)
  // CHECK-COUNT-2:   llvm.fpext
  //       CHECK:   llvm.intr.minimum(%{{.*}}, %{{.*}}) : (f32, f32)
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @smallest_half(%x: tensor<256xf16, #eight>) -> f32 {
    %w = arith.extf %x : tensor<256xf16, #eight> to tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %w axis = 0 identities = [0x7F800000 : f32] {atom = #nv_tileas.reduce_atom<fmin, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.minimumf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // Sums are in f32: halves cannot represent them.
  // CHECK-LABEL: llvm.func @sum_of_halves(
  //   CHECK-NOT:   vector<2xbf16>, vector<2xbf16>
  // CHECK-COUNT-7:   llvm.fadd %{{.*}}, %{{.*}} : f32
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @sum_of_halves(%x: tensor<256xbf16, #eight>) -> f32 {
    %w = arith.extf %x : tensor<256xbf16, #eight> to tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %w axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // Products of halves are exact: one instruction multiplies and adds.
  // CHECK-LABEL: llvm.func @sum_of_squares(
  // CHECK-COUNT-4:   llvm.intr.fma(%{{.*}}, %{{.*}}, %{{.*}}) : (f32, f32, f32) -> f32
  // CHECK-COUNT-3:   llvm.fadd %{{.*}}, %{{.*}} : f32
  //   CHECK-NOT:   llvm.fadd
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @sum_of_squares(%x: tensor<256xf16, #eight>) -> f32 {
    %w = arith.extf %x : tensor<256xf16, #eight> to tensor<256xf32, #eight>
    %p = arith.mulf %w, %w : tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // Those of other numbers are rounded.
  // CHECK-LABEL: llvm.func @sum_of_rounded(
  //   CHECK-NOT:   llvm.intr.fma
  // CHECK-COUNT-7:   llvm.fadd %{{.*}}, %{{.*}} : f32
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @sum_of_rounded(%w: tensor<256xf32, #eight>) -> f32 {
    %p = arith.mulf %w, %w : tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // Products of two bf16 numbers may be infinite, of either sign.
  // CHECK-LABEL: llvm.func @sum_of_signed(
  //   CHECK-NOT:   llvm.intr.fma
  // CHECK-COUNT-7:   llvm.fadd %{{.*}}, %{{.*}} : f32
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @sum_of_signed(%x: tensor<256xbf16, #eight>, %y: tensor<256xbf16, #eight>) -> f32 {
    %w = arith.extf %x : tensor<256xbf16, #eight> to tensor<256xf32, #eight>
    %z = arith.extf %y : tensor<256xbf16, #eight> to tensor<256xf32, #eight>
    %p = arith.mulf %w, %z : tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // The maximum minus itself is 0, so the sum is at least 1. Exponentials
  // and sum have no other use: a quotient is one multiplication.
  // CHECK-LABEL: llvm.func @softmax(
  //   CHECK-NOT:   llvm.nvvm.saturate
  //       CHECK:   llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  // CHECK-COUNT-2:   llvm.intr.fma
  //   CHECK-NOT:   llvm.intr.fma
  //   CHECK-NOT:   llvm.cond_br
  //   CHECK-NOT:   llvm.inline_asm
  // CHECK-COUNT-8:   llvm.fmul
  //   CHECK-NOT:   llvm.fmul
  //       CHECK:   llvm.return
  nv_tileaa.func @softmax(%x: tensor<256xf32, #eight>) -> tensor<256xf32, #eight> {
    %m = nv_tileas.reduce %x axis = 0 identities = [0xFF800000 : f32] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.maxnumf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    %ms = nv_tileas.splat %m : f32 -> tensor<256xf32, #eight>
    %d = arith.subf %x, %ms : tensor<256xf32, #eight>
    %p = math.exp %d : tensor<256xf32, #eight>
    %s = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    %ss = nv_tileas.splat %s : f32 -> tensor<256xf32, #eight>
    %q = arith.divf %p, %ss : tensor<256xf32, #eight>
    nv_tileaa.return %q : tensor<256xf32, #eight>
  }

  // Where 16 bits are left of it, both are 2^96 times as large: powers of two are
  // added to the bits of numbers.
  // CHECK-LABEL: llvm.func @narrow_softmax(
  // CHECK-COUNT-8:   llvm.call_intrinsic "llvm.nvvm.saturate.f"
  // CHECK-COUNT-8:   llvm.add %{{.*}}, %{{.*}} : i32
  //       CHECK:   llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  // CHECK-COUNT-8:   llvm.fmul
  //   CHECK-NOT:   llvm.fmul
  //       CHECK:   llvm.return
  nv_tileaa.func @narrow_softmax(%x: tensor<256xf32, #eight>) -> tensor<256xbf16, #eight> {
    %m = nv_tileas.reduce %x axis = 0 identities = [0xFF800000 : f32] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.maxnumf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    %ms = nv_tileas.splat %m : f32 -> tensor<256xf32, #eight>
    %d = arith.subf %x, %ms : tensor<256xf32, #eight>
    %p = math.exp %d : tensor<256xf32, #eight>
    %s = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    %ss = nv_tileas.splat %s : f32 -> tensor<256xf32, #eight>
    %q = arith.divf %p, %ss : tensor<256xf32, #eight>
    %h = arith.truncf %q : tensor<256xf32, #eight> to tensor<256xbf16, #eight>
    nv_tileaa.return %h : tensor<256xbf16, #eight>
  }

  // A sum with another use is exact: a multiplication and an fma
  // for each quotient, still without a test and a slow path.
  // CHECK-LABEL: llvm.func @sum_that_shows(
  //   CHECK-NOT:   llvm.nvvm.saturate
  //       CHECK:   llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  //   CHECK-NOT:   llvm.cond_br
  //   CHECK-NOT:   llvm.inline_asm
  // CHECK-COUNT-11:   llvm.intr.fma
  //       CHECK:   llvm.return
  nv_tileaa.func @sum_that_shows(%x: tensor<256xf32, #eight>) -> (tensor<256xf32, #eight>, f32) {
    %m = nv_tileas.reduce %x axis = 0 identities = [0xFF800000 : f32] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.maxnumf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    %ms = nv_tileas.splat %m : f32 -> tensor<256xf32, #eight>
    %d = arith.subf %x, %ms : tensor<256xf32, #eight>
    %p = math.exp %d : tensor<256xf32, #eight>
    %s = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    %ss = nv_tileas.splat %s : f32 -> tensor<256xf32, #eight>
    %q = arith.divf %p, %ss : tensor<256xf32, #eight>
    nv_tileaa.return %q, %s : tensor<256xf32, #eight>, f32
  }

  // Without the maximum the sum may be anything, and
  // another reader keeps the correctly rounded quotient.
  // CHECK-LABEL: llvm.func @exponentials_that_show(
  //       CHECK:   llvm.cond_br
  //       CHECK:   llvm.inline_asm
  nv_tileaa.func @exponentials_that_show(%x: tensor<256xf32, #eight>) -> (tensor<256xf32, #eight>, tensor<256xf32, #eight>) {
    %p = math.exp %x : tensor<256xf32, #eight>
    %s = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    %ss = nv_tileas.splat %s : f32 -> tensor<256xf32, #eight>
    %q = arith.divf %p, %ss : tensor<256xf32, #eight>
    nv_tileaa.return %q, %p : tensor<256xf32, #eight>, tensor<256xf32, #eight>
  }

  // 16 bytes a thread and trip are enough in flight: one copy of the body. Less
  // is not.
  // CHECK-LABEL: llvm.func @wide_trips(
  //       CHECK:   llvm.br ^{{.*}} {loop_annotation = #[[ROLLED:.*]]}
  nv_tileaa.func @wide_trips(%a: !v256, %n: i32) -> tensor<256xf32, #eight> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant dense<0.0> : tensor<256xf32, #eight>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<256xf32, #eight>) : i32 {
      %x, %t = nv_tileas.tiled_load weak %a[%i] : !v256[i32] -> tensor<256xf32, #eight>
      %y = arith.addf %s, %x : tensor<256xf32, #eight>
      scf.yield %y : tensor<256xf32, #eight>
    }
    nv_tileaa.return %r : tensor<256xf32, #eight>
  }
  // CHECK-LABEL: llvm.func @narrow_trips(
  //   CHECK-NOT:   loop_annotation
  //       CHECK:   llvm.return
  nv_tileaa.func @narrow_trips(%a: !v64, %n: i32) -> tensor<64xf32, #two> {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %z = arith.constant dense<0.0> : tensor<64xf32, #two>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (tensor<64xf32, #two>) : i32 {
      %x, %t = nv_tileas.tiled_load weak %a[%i] : !v64[i32] -> tensor<64xf32, #two>
      %y = arith.addf %s, %x : tensor<64xf32, #two>
      scf.yield %y : tensor<64xf32, #two>
    }
    nv_tileaa.return %r : tensor<64xf32, #two>
  }
}

gpu.module @blackwell attributes {nv_tileaa.target_spec = "sm_100a", nv_tileaa.num_warps = 1 : i32} {
  // Two numbers at once; what is subtracted from all is negated once.
  // CHECK-LABEL: llvm.func @pairs(
  //   CHECK-NOT:   llvm.fmul %{{.*}}, %{{.*}} : f32
  // CHECK-COUNT-4:   llvm.fmul %{{.*}}, %{{.*}} : vector<2xf32>
  //       CHECK:   llvm.fneg %{{.*}} : f32
  // CHECK-COUNT-4:   llvm.fadd %{{.*}}, %{{.*}} : vector<2xf32>
  //   CHECK-NOT:   llvm.fsub
  //       CHECK:   llvm.return
  nv_tileaa.func @pairs(%x: tensor<256xf32, #eight>, %y: tensor<256xf32, #eight>, %s: f32) -> tensor<256xf32, #eight> {
    %p = arith.mulf %x, %y : tensor<256xf32, #eight>
    %ss = nv_tileas.splat %s : f32 -> tensor<256xf32, #eight>
    %d = arith.subf %p, %ss : tensor<256xf32, #eight>
    nv_tileaa.return %d : tensor<256xf32, #eight>
  }

  // Differences of two tiles stay as they are.
  // CHECK-LABEL: llvm.func @differences(
  // CHECK-COUNT-8:   llvm.fsub %{{.*}}, %{{.*}} : f32
  nv_tileaa.func @differences(%x: tensor<256xf32, #eight>, %y: tensor<256xf32, #eight>) -> tensor<256xf32, #eight> {
    %d = arith.subf %x, %y : tensor<256xf32, #eight>
    nv_tileaa.return %d : tensor<256xf32, #eight>
  }

  // CHECK-LABEL: llvm.func @sum_of_pairs(
  // CHECK-COUNT-3:   llvm.fadd %{{.*}}, %{{.*}} : vector<2xf32>
  //       CHECK:   llvm.fadd %{{.*}}, %{{.*}} : f32
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @sum_of_pairs(%x: tensor<256xf32, #eight>) -> f32 {
    %0 = nv_tileas.reduce %x axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // CHECK-LABEL: llvm.func @sum_of_paired_squares(
  // CHECK-COUNT-2:   llvm.intr.fma(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
  //       CHECK:   llvm.fadd %{{.*}}, %{{.*}} : vector<2xf32>
  //       CHECK:   llvm.fadd %{{.*}}, %{{.*}} : f32
  //   CHECK-NOT:   llvm.fadd
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @sum_of_paired_squares(%x: tensor<256xf16, #eight>) -> f32 {
    %w = arith.extf %x : tensor<256xf16, #eight> to tensor<256xf32, #eight>
    %p = arith.mulf %w, %w : tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }
}
