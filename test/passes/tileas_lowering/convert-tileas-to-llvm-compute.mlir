// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s --check-prefix=LIB

#lanes = #nv_tileas.layout<reg, [2, 64], blocked<per_thread = [1, 2], lanes = [1, 32], warps = [2, 1], order = [1, 0]>>
#lanesr = #nv_tileas.layout<reg, [2], slice<1, #nv_tileas.layout<reg, [2, 64], blocked<per_thread = [1, 2], lanes = [1, 32], warps = [2, 1], order = [1, 0]>>>>
#single = #nv_tileas.layout<reg, [2, 32], blocked<per_thread = [1, 1], lanes = [1, 32], warps = [2, 1], order = [1, 0]>>
#line = #nv_tileas.layout<reg, [128], blocked<per_thread = [2], lanes = [32], warps = [2], order = [0]>>
#eight = #nv_tileas.layout<reg, [256], blocked<per_thread = [8], lanes = [32], warps = [2], order = [0]>>
#acc = #nv_tileas.layout<reg, [32, 8], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>, acc, warps = [2, 1]>>
#opa = #nv_tileas.layout<reg, [32, 32], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>, a, warps = [2, 1]>>
#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#mxacc = #nv_tileas.layout<reg, [32, 32], mma<#mx, acc, warps = [1, 2]>>
#mxa = #nv_tileas.layout<reg, [32, 32], mma<#mx, a, warps = [1, 2]>>
#mxb = #nv_tileas.layout<reg, [32, 32], mma<#mx, b, warps = [1, 2]>>
#scalea = #nv_tileas.layout<reg, [32, 4], register = [[0, 1], [0, 2]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]], warp = [[0, 0]]>
#scaleb = #nv_tileas.layout<reg, [4, 32], register = [[1, 0], [2, 0]], lane = [[0, 16], [0, 0], [0, 1], [0, 2], [0, 4]], warp = [[0, 8]]>
#opb = #nv_tileas.layout<reg, [32, 8], mma<#nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>, b, warps = [2, 1]>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 2 : i32} {
  // The axis lies in registers and lanes: one addition, five shuffles, no
  // barrier.
  // CHECK-LABEL: llvm.func @sum_in_the_warp(
  //  CHECK-SAME:   %[[X:.*]]: f32, %[[Y:.*]]: f32)
  //       CHECK:   llvm.fadd %[[Y]], %[[X]] : f32
  // CHECK-COUNT-5: nvvm.shfl.sync bfly
  //   CHECK-NOT:   {{shfl|barrier}}
  //       CHECK:   llvm.return
  nv_tileaa.func @sum_in_the_warp(%x: tensor<2x64xf32, #lanes>) -> tensor<2xf32, #lanesr> {
    %0 = nv_tileas.reduce %x axis = 1 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<2x64xf32, #lanes> -> tensor<2xf32, #lanesr> {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : tensor<2xf32, #lanesr>
  }

  // One instruction for the lanes of integers; of narrow ones the low bits do.
  // CHECK-LABEL: llvm.func @integers_in_the_warp(
  //   CHECK-NOT:   shfl
  //       CHECK:   nvvm.redux.sync umin %{{.*}}, %{{.*}} : i32 -> i32
  //   CHECK-NOT:   shfl
  //       CHECK:   llvm.sext %{{.*}} : i8 to i32
  //       CHECK:   nvvm.redux.sync max
  //       CHECK:   llvm.trunc %{{.*}} : i32 to i8
  //   CHECK-NOT:   {{shfl|barrier}}
  //       CHECK:   llvm.return
  nv_tileaa.func @integers_in_the_warp(%x: tensor<2x64xi32, #lanes>, %y: tensor<2x64xi8, #lanes>) -> (tensor<2xi32, #lanesr>, tensor<2xi8, #lanesr>) {
    %0 = nv_tileas.reduce %x axis = 1 identities = [-1 : i32] {atom = #nv_tileas.reduce_atom<umin, impl = auto>} : tensor<2x64xi32, #lanes> -> tensor<2xi32, #lanesr> {
    ^bb0(%e: i32, %a: i32):
      %s = arith.minui %e, %a : i32
      nv_tileas.yield %s : i32
    }
    %1 = nv_tileas.reduce %y axis = 1 identities = [-128 : i8] {atom = #nv_tileas.reduce_atom<max, impl = auto>} : tensor<2x64xi8, #lanes> -> tensor<2xi8, #lanesr> {
    ^bb0(%e: i8, %a: i8):
      %s = arith.maxsi %e, %a : i8
      nv_tileas.yield %s : i8
    }
    nv_tileaa.return %0, %1 : tensor<2xi32, #lanesr>, tensor<2xi8, #lanesr>
  }

  // Of numbers that are zero but for one the bits of the index choose: three
  // bits of the register, then whether it is in this thread at all.
  // CHECK-LABEL: llvm.func @picked(
  //       CHECK:   %[[AT:.*]] = llvm.sub %{{.*}}, %{{.*}} : i32
  // CHECK-COUNT-7:   llvm.select %{{.*}} : i1, f32
  //       CHECK:   llvm.icmp "eq"
  //       CHECK:   %[[ONE:.*]] = llvm.select
  //       CHECK:   llvm.fadd %[[ONE]]
  //   CHECK-NOT:   llvm.fadd
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @picked(%x: tensor<256xf32, #eight>, %t: i32) -> f32 {
    %r = nv_tileas.make_range 0 to 256 : tensor<256xi32, #eight>
    %i = nv_tileas.splat %t : i32 -> tensor<256xi32, #eight>
    %c = arith.cmpi eq, %r, %i : tensor<256xi32, #eight>
    %z = arith.constant dense<0.0> : tensor<256xf32, #eight>
    %s = arith.select %c, %x, %z : tensor<256xi1, #eight>, tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %s axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    nv_tileaa.return %0 : f32
  }

  // A negative zero is none.
  // CHECK-LABEL: llvm.func @not_picked(
  // CHECK-COUNT-7:   llvm.fadd
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @not_picked(%x: tensor<256xf32, #eight>, %t: i32) -> f32 {
    %r = nv_tileas.make_range 0 to 256 : tensor<256xi32, #eight>
    %i = nv_tileas.splat %t : i32 -> tensor<256xi32, #eight>
    %c = arith.cmpi eq, %r, %i : tensor<256xi32, #eight>
    %z = arith.constant dense<-0.0> : tensor<256xf32, #eight>
    %s = arith.select %c, %x, %z : tensor<256xi1, #eight>, tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %s axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    nv_tileaa.return %0 : f32
  }

  // The last multiplication of an exponential fuses with
  // the addition, unless the exponential has another use.
  // CHECK-LABEL: llvm.func @exponentials(
  // CHECK-COUNT-4:   llvm.fmul
  //   CHECK-NOT:   llvm.fmul
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @exponentials(%x: tensor<256xf32, #eight>) -> f32 {
    %p = math.exp %x : tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    nv_tileaa.return %0 : f32
  }
  // CHECK-LABEL: llvm.func @exponentials_and_more(
  // CHECK-COUNT-8:   llvm.call @__nv_expf
  //   CHECK-NOT:   llvm.fmul
  // CHECK-COUNT-7:   llvm.fadd
  //       CHECK:   nvvm.shfl.sync bfly
  nv_tileaa.func @exponentials_and_more(%x: tensor<256xf32, #eight>) -> (f32, tensor<256xf32, #eight>) {
    %p = math.exp %x : tensor<256xf32, #eight>
    %0 = nv_tileas.reduce %p axis = 0 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : tensor<256xf32, #eight> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %y = arith.addf %e, %a : f32
      nv_tileas.yield %y : f32
    }
    nv_tileaa.return %0, %p : f32, tensor<256xf32, #eight>
  }

  // 1 + e^x has no use but the division: one comparison for all tells whether
  // the short exponential and the short reciprocal do; else a loop has both.
  // CHECK-LABEL: llvm.func @logistic(
  // CHECK-COUNT-8:   llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
  //   CHECK-NOT:   __nv_expf
  //       CHECK:   llvm.icmp "ule"
  // CHECK-COUNT-8:   llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  //       CHECK:   llvm.inline_asm {{.*}}fma.rn.sat.f32{{.*}}ex2.approx.ftz.f32{{.*}}rcp.approx.ftz.f64
  nv_tileaa.func @logistic(%x: tensor<256xf32, #eight>) -> tensor<256xf32, #eight> {
    %one = arith.constant dense<1.0> : tensor<256xf32, #eight>
    %p = math.exp %x : tensor<256xf32, #eight>
    %d = arith.addf %one, %p : tensor<256xf32, #eight>
    %q = arith.divf %one, %d : tensor<256xf32, #eight>
    nv_tileaa.return %q : tensor<256xf32, #eight>
  }

  // The loop negates the exponents itself, so that no other code has to.
  // CHECK-LABEL: llvm.func @logistic_of_negated(
  //       CHECK:   llvm.icmp "ule"
  //       CHECK:   llvm.inline_asm {{.*}}neg.f32 quotient, $0{{.*}}fma.rn.sat.f32 clamped, quotient
  nv_tileaa.func @logistic_of_negated(%x: tensor<256xf32, #eight>) -> tensor<256xf32, #eight> {
    %one = arith.constant dense<1.0> : tensor<256xf32, #eight>
    %n = arith.negf %x : tensor<256xf32, #eight>
    %p = math.exp %n : tensor<256xf32, #eight>
    %d = arith.addf %one, %p : tensor<256xf32, #eight>
    %q = arith.divf %one, %d : tensor<256xf32, #eight>
    nv_tileaa.return %q : tensor<256xf32, #eight>
  }

  // The only user of the quotients multiplies them by x: both ways do it.
  // CHECK-LABEL: llvm.func @gate(
  //       CHECK:   llvm.icmp "ule"
  // CHECK-COUNT-8:   llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  // CHECK-COUNT-8:   llvm.fmul
  //       CHECK:   llvm.inline_asm {{.*}}neg.f32 quotient, $0{{.*}}mul.rn.f32 quotient, quotient, $0
  //   CHECK-NOT:   llvm.fmul
  //       CHECK:   llvm.return
  nv_tileaa.func @gate(%x: tensor<256xf32, #eight>) -> tensor<256xf32, #eight> {
    %one = arith.constant dense<1.0> : tensor<256xf32, #eight>
    %n = arith.negf %x : tensor<256xf32, #eight>
    %p = math.exp %n : tensor<256xf32, #eight>
    %d = arith.addf %one, %p : tensor<256xf32, #eight>
    %q = arith.divf %one, %d : tensor<256xf32, #eight>
    %s = arith.mulf %q, %x : tensor<256xf32, #eight>
    nv_tileaa.return %s : tensor<256xf32, #eight>
  }

  // A polynomial for each, and one exponential and one reciprocal.
  // CHECK-LABEL: llvm.func @tangents(
  //   CHECK-NOT:   __nv_tanhf
  // CHECK-COUNT-40:   llvm.intr.fma
  // CHECK-COUNT-8:   llvm.call_intrinsic "llvm.copysign"
  //   CHECK-NOT:   __nv_tanhf
  //       CHECK:   llvm.return
  nv_tileaa.func @tangents(%x: tensor<256xf32, #eight>) -> tensor<256xf32, #eight> {
    %h = math.tanh %x : tensor<256xf32, #eight>
    nv_tileaa.return %h : tensor<256xf32, #eight>
  }
  // Approximated ones are the library's affair.
  // CHECK-LABEL: llvm.func @fast_tangents(
  //       CHECK:   __nv_
  nv_tileaa.func @fast_tangents(%x: tensor<256xf32, #eight>) -> tensor<256xf32, #eight> {
    %h = math.tanh %x fastmath<afn> : tensor<256xf32, #eight>
    nv_tileaa.return %h : tensor<256xf32, #eight>
  }

  // Two warps: their partial results are combined in shared
  // memory, every thread gets the scalar.
  // CHECK-LABEL: llvm.func @max_over_warps(
  // CHECK-COUNT-5: nvvm.shfl.sync bfly
  //   CHECK-NOT:   llvm.cond_br
  //       CHECK:   "@$2 st.shared.b32 [$0], $1;", "l,f,b,~{memory}"
  //   CHECK-NOT:   llvm.cond_br
  //       CHECK:   nvvm.barrier0
  // CHECK-COUNT-2: llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  //       CHECK:   llvm.intr.maximum
  //       CHECK:   llvm.return %{{.*}} : f32
  nv_tileaa.func @max_over_warps(%x: tensor<128xf32, #line>) -> f32 {
    %0 = nv_tileas.reduce %x axis = 0 identities = [0xFF800000 : f32] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<128xf32, #line> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.maximumf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : f32
  }

  // A combiner that may not commute: both lanes of a pair compute the same.
  // CHECK-LABEL: llvm.func @first_maximum(
  //       CHECK:   %[[UPPER:.*]] = llvm.icmp "ne"
  //       CHECK:   llvm.select %[[UPPER]]
  //       CHECK:   llvm.select %[[UPPER]]
  nv_tileaa.func @first_maximum(%x: tensor<2x64xf32, #lanes>, %i: tensor<2x64xi32, #lanes>) -> (tensor<2xf32, #lanesr>, tensor<2xi32, #lanesr>) {
    %0:2 = nv_tileas.reduce %x, %i axis = 1 identities = [0xFF800000 : f32, 0 : i32] : tensor<2x64xf32, #lanes>, tensor<2x64xi32, #lanes> -> tensor<2xf32, #lanesr>, tensor<2xi32, #lanesr> {
    ^bb0(%e: f32, %a: f32, %ei: i32, %ai: i32):
      %c = arith.cmpf ogt, %e, %a : f32
      %s = arith.select %c, %e, %a : f32
      %si = arith.select %c, %ei, %ai : i32
      nv_tileas.yield %s, %si : f32, i32
    }
    nv_tileaa.return %0#0, %0#1 : tensor<2xf32, #lanesr>, tensor<2xi32, #lanesr>
  }

  // CHECK-LABEL: llvm.func @prefix_sum(
  // CHECK-COUNT-6: nvvm.shfl.sync up
  //       CHECK:   nvvm.barrier0
  nv_tileaa.func @prefix_sum(%x: tensor<128xf32, #line>) -> tensor<128xf32, #line> {
    %0 = nv_tileas.scan %x axis = 0 identities = [0.0 : f32] : tensor<128xf32, #line> -> tensor<128xf32, #line> {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : tensor<128xf32, #line>
  }

  // One element per lane: the sum of all lanes up to it is the result, without another exchange.
  // CHECK-LABEL: llvm.func @prefix_sum_of_lanes(
  // CHECK-COUNT-5: nvvm.shfl.sync up
  //   CHECK-NOT:   nvvm.shfl.sync
  //       CHECK:   llvm.return
  nv_tileaa.func @prefix_sum_of_lanes(%x: tensor<2x32xf32, #single>) -> tensor<2x32xf32, #single> {
    %0 = nv_tileas.scan %x axis = 1 identities = [0.0 : f32] : tensor<2x32xf32, #single> -> tensor<2x32xf32, #single> {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0 : tensor<2x32xf32, #single>
  }

  // K = 32 takes two instructions, which share the accumulator.
  // CHECK-LABEL: llvm.func @product(
  //       CHECK:   %[[D:.*]]:4 = nv_tileas.atom.mma_sync[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}]
  //       CHECK:   nv_tileas.atom.mma_sync[{{.*}}] [{{.*}}] [%[[D]]#0, %[[D]]#1, %[[D]]#2, %[[D]]#3]
  //   CHECK-NOT:   nv_tileas.atom.mma_sync
  //       CHECK:   llvm.return
  nv_tileaa.func @product(%a: tensor<32x32xf16, #opa>, %b: tensor<32x8xf16, #opb>, %c: tensor<32x8xf32, #acc>) -> tensor<32x8xf32, #acc> {
    %0 = nv_tileas.dot %a, %b, %c {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>}
      : tensor<32x32xf16, #opa>, tensor<32x8xf16, #opb>, tensor<32x8xf32, #acc> -> tensor<32x8xf32, #acc>
    nv_tileaa.return %0 : tensor<32x8xf32, #acc>
  }

  // The second step of K, whose scales are bytes 1 of the lanes' words: for the second block
  // of rows those of the following lanes, for each block of columns those of another lane.
  // CHECK-LABEL: llvm.func @scaled_product(
  //       CHECK:   nv_tileas.atom.mma_bs[{{.*}}] [{{.*}}] [{{.*}}] scales %[[SA:.*]], %[[SB:.*]] {{.*}}byte_a = 1 : i32, byte_b = 1 : i32, thread_a = 0 : i32, thread_b = 0 : i32}
  //       CHECK:   nv_tileas.atom.mma_bs[{{.*}}] [{{.*}}] [{{.*}}] scales %[[SA]], %[[SB]] {{.*}}byte_a = 1 : i32, byte_b = 1 : i32, thread_a = 0 : i32, thread_b = 1 : i32}
  //       CHECK:   nv_tileas.atom.mma_bs[{{.*}}] [{{.*}}] [{{.*}}] scales %[[SA]], %[[SB]] {{.*}}byte_a = 1 : i32, byte_b = 1 : i32, thread_a = 1 : i32, thread_b = 1 : i32}
  //       CHECK:   nv_tileas.atom.mma_bs[{{.*}}] [{{.*}}] [{{.*}}] scales %[[SA]], %[[SB]] {{.*}}byte_a = 1 : i32, byte_b = 1 : i32, thread_a = 1 : i32, thread_b = 0 : i32}
  //   CHECK-NOT:   nv_tileas.atom.mma_bs
  //       CHECK:   llvm.return
  nv_tileaa.func @scaled_product(%a: tensor<32x32xf8E4M3FN, #mxa>, %b: tensor<32x32xf8E4M3FN, #mxb>, %c: tensor<32x32xf32, #mxacc>, %sa: tensor<32x4xf8E8M0FNU, #scalea>, %sb: tensor<4x32xf8E8M0FNU, #scaleb>) -> tensor<32x32xf32, #mxacc> {
    %0 = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #mx, first_scale = 1 : i64}
      : tensor<32x32xf8E4M3FN, #mxa>, tensor<32x32xf8E4M3FN, #mxb>, tensor<32x32xf32, #mxacc> scales tensor<32x4xf8E8M0FNU, #scalea>, tensor<4x32xf8E8M0FNU, #scaleb> -> tensor<32x32xf32, #mxacc>
    nv_tileaa.return %0 : tensor<32x32xf32, #mxacc>
  }

  // Halves stay in pairs; conversions go pair by pair.
  // CHECK-LABEL: llvm.func @pairs(
  //  CHECK-SAME:   %[[X:.*]]: vector<2xf16>, %[[A:.*]]: f32, %[[B:.*]]: f32)
  //       CHECK:   %[[W:.*]] = llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xf16>
  //       CHECK:   llvm.fadd %[[X]], %[[W]] : vector<2xf16>
  nv_tileaa.func @pairs(%x: tensor<128xf16, #line>, %y: tensor<128xf32, #line>) -> tensor<128xf16, #line> {
    %0 = arith.truncf %y : tensor<128xf32, #line> to tensor<128xf16, #line>
    %1 = arith.addf %x, %0 : tensor<128xf16, #line>
    nv_tileaa.return %1 : tensor<128xf16, #line>
  }

  // LIB-LABEL: llvm.func @library(
  //       LIB:   llvm.call @__nv_expf
  nv_tileaa.func @library(%x: f32) -> f32 {
    %0 = math.exp %x : f32
    nv_tileaa.return %0 : f32
  }
}

gpu.module @blackwell attributes {nv_tileaa.target_spec = "sm_100a", nv_tileaa.num_warps = 2 : i32} {
  // There one of f32 has one, too; the combiner says what becomes of NaN.
  // CHECK-LABEL: llvm.func @floats_in_the_warp(
  //   CHECK-NOT:   shfl
  //       CHECK:   nvvm.redux.sync fmax %{{.*}} {nan = true} : f32 -> f32
  //       CHECK:   nvvm.redux.sync fmin %{{.*}} : f32 -> f32
  //       CHECK:   llvm.return
  nv_tileaa.func @floats_in_the_warp(%x: tensor<2x64xf32, #lanes>) -> (tensor<2xf32, #lanesr>, tensor<2xf32, #lanesr>) {
    %0 = nv_tileas.reduce %x axis = 1 identities = [0xFF800000 : f32] {atom = #nv_tileas.reduce_atom<fmax, impl = auto>} : tensor<2x64xf32, #lanes> -> tensor<2xf32, #lanesr> {
    ^bb0(%e: f32, %a: f32):
      %s = arith.maximumf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    %1 = nv_tileas.reduce %x axis = 1 identities = [0x7F800000 : f32] {atom = #nv_tileas.reduce_atom<fmin, impl = auto>} : tensor<2x64xf32, #lanes> -> tensor<2xf32, #lanesr> {
    ^bb0(%e: f32, %a: f32):
      %s = arith.minnumf %e, %a : f32
      nv_tileas.yield %s : f32
    }
    nv_tileaa.return %0, %1 : tensor<2xf32, #lanesr>, tensor<2xf32, #lanesr>
  }
}
