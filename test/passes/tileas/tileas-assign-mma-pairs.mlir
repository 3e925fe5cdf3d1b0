// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-mma)))'
// RUN: %{opt} | FileCheck %s
// RUN: %{opt} --remark-format=emitRemark --remarks-filter=tileas -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// The two CTAs of a pair compute a dot together if both need the same operand B.

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#a = #nv_tileas.layout<reg, [128, 64], mma<#f16, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 128], mma<#f16, b, warps = [4, 1]>>
#c = #nv_tileas.layout<reg, [128, 128], mma<#f16, acc, warps = [4, 1]>>
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>
!v = !nv_tileaa.tiled_view<128x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, padding = zero>
!w = !nv_tileaa.tiled_view<64x128 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, padding = zero>
!t = tensor<128x64xf16, #a>
!u = tensor<64x128xf16, #b>
!c = tensor<128x128xf32, #c>

gpu.module @pairs attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @pair
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = umma, shape = [256, 128, 16], cta_group = 2, a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>
  // REMARK: CtaPair{{.*}}Function=pair{{.*}}Columns=128{{.*}}two CTAs multiply together{{.*}}Rows=256
  nv_tileaa.func kernel @pair(%va: !v, %vb: !w, %n: i32, %tiles: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    scf.for %j = %c0 to %tiles step %c1 : i32 {
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
        %a, %ta = nv_tileas.tiled_load weak %va[%j, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 64>} : !v[i32, i32] -> !t
        %b, %tb = nv_tileas.tiled_load weak %vb[%i, %j] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 128>, tileir.shared_axes = 1 : i32} : !w[i32, i32] -> !u
        %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
        scf.yield %d : !c
      }
    }
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func kernel @other_columns
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = umma, shape = [128, 128, 16], a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>
  // REMARK: CtaPair{{.*}}Function=other_columns{{.*}}operand B is no load that both CTAs need, and nothing else{{.*}}each CTA of the cluster multiplies alone
  nv_tileaa.func kernel @other_columns(%va: !v, %vb: !w, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 64>, tileir.shared_axes = 1 : i32} : !v[i32, i32] -> !t
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 128>, tileir.shared_axes = 2 : i32} : !w[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func kernel @other_init
  // CHECK-NOT: cta_group
  // REMARK: CtaPair{{.*}}Function=other_init{{.*}}its accumulator does not start with zeros before its loop
  nv_tileaa.func kernel @other_init(%va: !v, %vb: !w, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %one = arith.constant dense<1.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %one) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 64>} : !v[i32, i32] -> !t
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 128>, tileir.shared_axes = 1 : i32} : !w[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // A scalar that other threads may change could send the CTAs different ways.
  // CHECK-LABEL: nv_tileaa.func kernel @varying
  // CHECK-NOT: cta_group
  // REMARK: CtaPair{{.*}}Function=varying{{.*}}the kernel acquires memory that others write while it runs
  nv_tileaa.func kernel @varying(%va: !v, %vb: !w, %p: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %n, %tn = nv_tileas.load relaxed gpu %p : !nv_tileaa.ptr<i32> -> i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 64>} : !v[i32, i32] -> !t
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 128>, tileir.shared_axes = 1 : i32} : !w[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }
}
