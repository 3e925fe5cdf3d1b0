// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-insert-barriers,tileas-check-barriers)))' | FileCheck %s
// An exchange, and a load and a store whose token goes around, inside 48 loops: a walk that looks at each loop twice for each
// look at the loop around it would not end. One barrier serves both.

#a = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 4], lanes = [2, 16], warps = [4, 1], order = [1, 0]>>
#b = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [4, 1], lanes = [16, 2], warps = [1, 4], order = [0, 1]>>
!t = tensor<64x64xf16, #a>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x64xf16, strides = [64, 1]>, padding = zero>
!k = !nv_tileaa.mem_token
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 4 : i32} {
  // CHECK-LABEL: nv_tileaa.func @nest(
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: iter_args
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileas.barrier cta
  // CHECK-NEXT: nv_tileas.tiled_load
  // CHECK-NEXT: nv_tileas.convert_layout
  // CHECK-NEXT: nv_tileas.tiled_store
  // CHECK-NOT: nv_tileas.barrier
  // CHECK: nv_tileaa.return
  nv_tileaa.func @nest(%v: !v, %n: i32) attributes {nv_tileas.smem_bytes = 8192 : i32} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %t0 = nv_tileas.create_mem_token
    %r0 = scf.for %i0 = %c0 to %n step %c1 iter_args(%k0 = %t0) -> (!k) : i32 {
    %r1 = scf.for %i1 = %c0 to %n step %c1 iter_args(%k1 = %k0) -> (!k) : i32 {
    %r2 = scf.for %i2 = %c0 to %n step %c1 iter_args(%k2 = %k1) -> (!k) : i32 {
    %r3 = scf.for %i3 = %c0 to %n step %c1 iter_args(%k3 = %k2) -> (!k) : i32 {
    %r4 = scf.for %i4 = %c0 to %n step %c1 iter_args(%k4 = %k3) -> (!k) : i32 {
    %r5 = scf.for %i5 = %c0 to %n step %c1 iter_args(%k5 = %k4) -> (!k) : i32 {
    %r6 = scf.for %i6 = %c0 to %n step %c1 iter_args(%k6 = %k5) -> (!k) : i32 {
    %r7 = scf.for %i7 = %c0 to %n step %c1 iter_args(%k7 = %k6) -> (!k) : i32 {
    %r8 = scf.for %i8 = %c0 to %n step %c1 iter_args(%k8 = %k7) -> (!k) : i32 {
    %r9 = scf.for %i9 = %c0 to %n step %c1 iter_args(%k9 = %k8) -> (!k) : i32 {
    %r10 = scf.for %i10 = %c0 to %n step %c1 iter_args(%k10 = %k9) -> (!k) : i32 {
    %r11 = scf.for %i11 = %c0 to %n step %c1 iter_args(%k11 = %k10) -> (!k) : i32 {
    %r12 = scf.for %i12 = %c0 to %n step %c1 iter_args(%k12 = %k11) -> (!k) : i32 {
    %r13 = scf.for %i13 = %c0 to %n step %c1 iter_args(%k13 = %k12) -> (!k) : i32 {
    %r14 = scf.for %i14 = %c0 to %n step %c1 iter_args(%k14 = %k13) -> (!k) : i32 {
    %r15 = scf.for %i15 = %c0 to %n step %c1 iter_args(%k15 = %k14) -> (!k) : i32 {
    %r16 = scf.for %i16 = %c0 to %n step %c1 iter_args(%k16 = %k15) -> (!k) : i32 {
    %r17 = scf.for %i17 = %c0 to %n step %c1 iter_args(%k17 = %k16) -> (!k) : i32 {
    %r18 = scf.for %i18 = %c0 to %n step %c1 iter_args(%k18 = %k17) -> (!k) : i32 {
    %r19 = scf.for %i19 = %c0 to %n step %c1 iter_args(%k19 = %k18) -> (!k) : i32 {
    %r20 = scf.for %i20 = %c0 to %n step %c1 iter_args(%k20 = %k19) -> (!k) : i32 {
    %r21 = scf.for %i21 = %c0 to %n step %c1 iter_args(%k21 = %k20) -> (!k) : i32 {
    %r22 = scf.for %i22 = %c0 to %n step %c1 iter_args(%k22 = %k21) -> (!k) : i32 {
    %r23 = scf.for %i23 = %c0 to %n step %c1 iter_args(%k23 = %k22) -> (!k) : i32 {
    %r24 = scf.for %i24 = %c0 to %n step %c1 iter_args(%k24 = %k23) -> (!k) : i32 {
    %r25 = scf.for %i25 = %c0 to %n step %c1 iter_args(%k25 = %k24) -> (!k) : i32 {
    %r26 = scf.for %i26 = %c0 to %n step %c1 iter_args(%k26 = %k25) -> (!k) : i32 {
    %r27 = scf.for %i27 = %c0 to %n step %c1 iter_args(%k27 = %k26) -> (!k) : i32 {
    %r28 = scf.for %i28 = %c0 to %n step %c1 iter_args(%k28 = %k27) -> (!k) : i32 {
    %r29 = scf.for %i29 = %c0 to %n step %c1 iter_args(%k29 = %k28) -> (!k) : i32 {
    %r30 = scf.for %i30 = %c0 to %n step %c1 iter_args(%k30 = %k29) -> (!k) : i32 {
    %r31 = scf.for %i31 = %c0 to %n step %c1 iter_args(%k31 = %k30) -> (!k) : i32 {
    %r32 = scf.for %i32 = %c0 to %n step %c1 iter_args(%k32 = %k31) -> (!k) : i32 {
    %r33 = scf.for %i33 = %c0 to %n step %c1 iter_args(%k33 = %k32) -> (!k) : i32 {
    %r34 = scf.for %i34 = %c0 to %n step %c1 iter_args(%k34 = %k33) -> (!k) : i32 {
    %r35 = scf.for %i35 = %c0 to %n step %c1 iter_args(%k35 = %k34) -> (!k) : i32 {
    %r36 = scf.for %i36 = %c0 to %n step %c1 iter_args(%k36 = %k35) -> (!k) : i32 {
    %r37 = scf.for %i37 = %c0 to %n step %c1 iter_args(%k37 = %k36) -> (!k) : i32 {
    %r38 = scf.for %i38 = %c0 to %n step %c1 iter_args(%k38 = %k37) -> (!k) : i32 {
    %r39 = scf.for %i39 = %c0 to %n step %c1 iter_args(%k39 = %k38) -> (!k) : i32 {
    %r40 = scf.for %i40 = %c0 to %n step %c1 iter_args(%k40 = %k39) -> (!k) : i32 {
    %r41 = scf.for %i41 = %c0 to %n step %c1 iter_args(%k41 = %k40) -> (!k) : i32 {
    %r42 = scf.for %i42 = %c0 to %n step %c1 iter_args(%k42 = %k41) -> (!k) : i32 {
    %r43 = scf.for %i43 = %c0 to %n step %c1 iter_args(%k43 = %k42) -> (!k) : i32 {
    %r44 = scf.for %i44 = %c0 to %n step %c1 iter_args(%k44 = %k43) -> (!k) : i32 {
    %r45 = scf.for %i45 = %c0 to %n step %c1 iter_args(%k45 = %k44) -> (!k) : i32 {
    %r46 = scf.for %i46 = %c0 to %n step %c1 iter_args(%k46 = %k45) -> (!k) : i32 {
    %r47 = scf.for %i47 = %c0 to %n step %c1 iter_args(%k47 = %k46) -> (!k) : i32 {
    %x, %t1 = nv_tileas.tiled_load weak %v[%c0, %c0] token %k47 : !v[i32, i32] -> !t
    %y = nv_tileas.convert_layout %x {nv_tileas.scratch_offset = 0 : i32} : !t -> tensor<64x64xf16, #b>
    %t2 = nv_tileas.tiled_store weak %y, %v[%c0, %c0] token %t1 : tensor<64x64xf16, #b>, !v[i32, i32]
    scf.yield %t2 : !k
    }
    scf.yield %r47 : !k
    }
    scf.yield %r46 : !k
    }
    scf.yield %r45 : !k
    }
    scf.yield %r44 : !k
    }
    scf.yield %r43 : !k
    }
    scf.yield %r42 : !k
    }
    scf.yield %r41 : !k
    }
    scf.yield %r40 : !k
    }
    scf.yield %r39 : !k
    }
    scf.yield %r38 : !k
    }
    scf.yield %r37 : !k
    }
    scf.yield %r36 : !k
    }
    scf.yield %r35 : !k
    }
    scf.yield %r34 : !k
    }
    scf.yield %r33 : !k
    }
    scf.yield %r32 : !k
    }
    scf.yield %r31 : !k
    }
    scf.yield %r30 : !k
    }
    scf.yield %r29 : !k
    }
    scf.yield %r28 : !k
    }
    scf.yield %r27 : !k
    }
    scf.yield %r26 : !k
    }
    scf.yield %r25 : !k
    }
    scf.yield %r24 : !k
    }
    scf.yield %r23 : !k
    }
    scf.yield %r22 : !k
    }
    scf.yield %r21 : !k
    }
    scf.yield %r20 : !k
    }
    scf.yield %r19 : !k
    }
    scf.yield %r18 : !k
    }
    scf.yield %r17 : !k
    }
    scf.yield %r16 : !k
    }
    scf.yield %r15 : !k
    }
    scf.yield %r14 : !k
    }
    scf.yield %r13 : !k
    }
    scf.yield %r12 : !k
    }
    scf.yield %r11 : !k
    }
    scf.yield %r10 : !k
    }
    scf.yield %r9 : !k
    }
    scf.yield %r8 : !k
    }
    scf.yield %r7 : !k
    }
    scf.yield %r6 : !k
    }
    scf.yield %r5 : !k
    }
    scf.yield %r4 : !k
    }
    scf.yield %r3 : !k
    }
    scf.yield %r2 : !k
    }
    scf.yield %r1 : !k
    }
    nv_tileaa.return
  }
}
