// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-assign-mma)))'
// RUN: %{opt} | FileCheck %s
// RUN: %{opt} --remark-format=emitRemark --remarks-filter-passed=tileas -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// One decision for each dot: the kinds of each target, where operands come from, and why no better kind is taken.

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#f8 = #nv_tileas.mma_atom<mma_sync, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32>
#fma = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#tf32 = #nv_tileas.mma_atom<mma_sync, [16, 8, 8], a = tf32, b = tf32, c = f32>
#at = #nv_tileas.layout<reg, [64, 64], mma<#tf32, a, warps = [4, 1]>>
#bt = #nv_tileas.layout<reg, [64, 64], mma<#tf32, b, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#f16, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#f16, b, warps = [4, 1]>>
#c = #nv_tileas.layout<reg, [64, 64], mma<#f16, acc, warps = [4, 1]>>
#a32 = #nv_tileas.layout<reg, [32, 64], mma<#f16, a, warps = [2, 2]>>
#b32 = #nv_tileas.layout<reg, [64, 64], mma<#f16, b, warps = [2, 2]>>
#c32 = #nv_tileas.layout<reg, [32, 64], mma<#f16, acc, warps = [2, 2]>>
#a8 = #nv_tileas.layout<reg, [64, 64], mma<#f8, a, warps = [4, 1]>>
#b8 = #nv_tileas.layout<reg, [64, 64], mma<#f8, b, warps = [4, 1]>>
#cf = #nv_tileas.layout<reg, [32, 32], register = [[0, 1], [0, 2], [4, 0], [8, 0], [16, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#af = #nv_tileas.layout<reg, [32, 2], register = [[0, 1], [4, 0], [8, 0], [16, 0]], lane = [[0, 0], [0, 0], [0, 0], [1, 0], [2, 0]]>
#bf = #nv_tileas.layout<reg, [2, 32], register = [[1, 0], [0, 1], [0, 2]], lane = [[0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>
#am = #nv_tileas.layout<reg, [32, 64], mma<#mx, a, warps = [1, 1]>>
#bm = #nv_tileas.layout<reg, [64, 32], mma<#mx, b, warps = [1, 1]>>
#cm = #nv_tileas.layout<reg, [32, 32], mma<#mx, acc, warps = [1, 1]>>
#sa = #nv_tileas.layout<reg, [32, 2], register = [[0, 1]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]]>
#sb = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>
#row = #nv_tileas.layout<reg, [64], slice<1, #c>>
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>
#spec1 = #nv_tileaa.kernel_spec<num_warps = 1, num_ctas = 1, cluster_dim = [1, 1, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, padding = zero>
!v32 = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, padding = zero>
!vf = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xf32, strides = [?, 1]>, padding = zero>
!v8 = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xf8E4M3FN, strides = [?, 1]>, padding = zero>
!t = tensor<64x64xf16, #a>
!u = tensor<64x64xf16, #b>
!c = tensor<64x64xf32, #c>
!c32 = tensor<32x64xf32, #c32>

gpu.module @ampere attributes {nv_tileaa.target_spec = "sm_80"} {
  // CHECK-LABEL: nv_tileaa.func kernel @mma_sync
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>
  // REMARK: AssignMma{{.*}}Function=mma_sync{{.*}}Remark="an MMA is assigned to the dot"
  nv_tileaa.func kernel @mma_sync(%va: !v, %vb: !v, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] : !v[i32, i32] -> !t
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] : !v[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // Threads round the tile that a pipeline copies.
  // CHECK-LABEL: nv_tileaa.func kernel @converted
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 8], a = shared<restaged>, b = shared<restaged>, acc = registers>
  nv_tileaa.func kernel @converted(%va: !vf, %vb: !vf, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] : !vf[i32, i32] -> tensor<64x64xf32, #at>
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] : !vf[i32, i32] -> tensor<64x64xf32, #bt>
      %a = nv_tileas.fp_to_fp %x : tensor<64x64xf32, #at> -> tensor<64x64xtf32, #at>
      %b = nv_tileas.fp_to_fp %y : tensor<64x64xf32, #bt> -> tensor<64x64xtf32, #bt>
      %d = nv_tileas.dot %a, %b, %acc {atom = #tf32} : tensor<64x64xtf32, #at>, tensor<64x64xtf32, #bt>, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func kernel @fma
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = fma, shape = [1, 1, 1], a = registers, b = registers, acc = registers>
  nv_tileaa.func kernel @fma(%a: tensor<32x2xf32, #af>, %b: tensor<2x32xf32, #bf>, %c: tensor<32x32xf32, #cf>) attributes {kernel_spec = #spec1} {
    %d = nv_tileas.dot %a, %b, %c {atom = #fma} : tensor<32x2xf32, #af>, tensor<2x32xf32, #bf>, tensor<32x32xf32, #cf> -> tensor<32x32xf32, #cf>
    nv_tileaa.return
  }
}

gpu.module @hopper attributes {nv_tileaa.target_spec = "sm_90a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @wgmma
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>
  nv_tileaa.func kernel @wgmma(%va: !v, %vb: !v, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] : !v[i32, i32] -> !t
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] : !v[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // All iterations read the same A.
  // CHECK-LABEL: nv_tileaa.func kernel @invariant
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], a = shared<invariant>, b = shared<pipeline>, acc = registers>
  nv_tileaa.func kernel @invariant(%va: !v, %vb: !v, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %a, %ta = nv_tileas.tiled_load weak %va[%c0, %c0] : !v[i32, i32] -> !t
    scf.for %i = %c0 to %n step %c1 : i32 {
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] : !v[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %zero {atom = #f16} : !t, !u, !c -> !c
      %o = nv_tileas.optimization_barrier %d : !c
    }
    nv_tileaa.return
  }

  // 8-bit floats add to few bits, and have K contiguous in shared memory.
  // CHECK-LABEL: nv_tileaa.func kernel @promoted
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 32], a = shared<pipeline>, b = shared<restaged>, acc = registers, promote = 128>
  nv_tileaa.func kernel @promoted(%va: !v8, %vb: !v8, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] : !v8[i32, i32] -> tensor<64x64xf8E4M3FN, #a8>
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] : !v8[i32, i32] -> tensor<64x64xf8E4M3FN, #b8>
      %d = nv_tileas.dot %a, %b, %acc {atom = #f8} : tensor<64x64xf8E4M3FN, #a8>, tensor<64x64xf8E4M3FN, #b8>, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // REMARK: AssignMma{{.*}}Function=few_rows{{.*}}Kind=mma_sync{{.*}}Refused="wgmma: no wgmma has its types and extents"
  // CHECK-LABEL: nv_tileaa.func kernel @few_rows
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>
  nv_tileaa.func kernel @few_rows(%va: !v32, %vb: !v, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c32) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] : !v32[i32, i32] -> tensor<32x64xf16, #a32>
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] : !v[i32, i32] -> tensor<64x64xf16, #b32>
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : tensor<32x64xf16, #a32>, tensor<64x64xf16, #b32>, !c32 -> !c32
      scf.yield %d : !c32
    }
    nv_tileaa.return
  }
}

gpu.module @blackwell attributes {nv_tileaa.target_spec = "sm_100a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @umma
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>
  nv_tileaa.func kernel @umma(%va: !v, %vb: !v, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> !t
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !v[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // Of single elements no copy is made.
  // CHECK-LABEL: nv_tileaa.func kernel @restaged
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = shared<restaged>, b = shared<restaged>, acc = tmem<slots = 1>>
  nv_tileaa.func kernel @restaged(%va: !v, %vb: !v, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%c0, %i] : !v[i32, i32] -> !t
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %c0] : !v[i32, i32] -> !u
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // The next result of the first dot is made while threads read the last one.
  // CHECK-LABEL: nv_tileaa.func kernel @chain
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = shared<restaged>, b = shared<pipeline>, acc = tmem<slots = 2>>
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = shared<restaged>, b = shared<pipeline>, acc = tmem<slots = 1>>
  nv_tileaa.func kernel @chain(%q: !t, %vk: !v, %vv: !v, %n: i32, %s: tensor<64x64xf32, #c>) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %k, %tk = nv_tileas.tiled_load weak %vk[%i, %c0] : !v[i32, i32] -> !u
      %x = nv_tileas.dot %q, %k, %zero {atom = #f16} : !t, !u, !c -> !c
      %h = arith.truncf %x : !c to tensor<64x64xf16, #c>
      %p = nv_tileas.convert_layout %h : tensor<64x64xf16, #c> -> !t
      %y, %ty = nv_tileas.tiled_load weak %vv[%i, %c0] : !v[i32, i32] -> !u
      %scaled = arith.mulf %acc, %s : !c
      %d = nv_tileas.dot %p, %y, %scaled {atom = #f16} : !t, !u, !c -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }

  // REMARK: AssignMma{{.*}}Function=other_sum{{.*}}Kind=mma_sync{{.*}}Refused="umma: no loop carries its accumulator alone"
  // CHECK-LABEL: nv_tileaa.func kernel @other_sum
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = registers, b = registers, acc = registers>
  nv_tileaa.func kernel @other_sum(%a: !t, %b: !u, %n: i32) attributes {kernel_spec = #spec} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !c
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!c) : i32 {
      %d = nv_tileas.dot %a, %b, %acc {atom = #f16} : !t, !u, !c -> !c
      %e = arith.addf %d, %acc : !c
      scf.yield %e : !c
    }
    nv_tileaa.return
  }
}

gpu.module @geforce attributes {nv_tileaa.target_spec = "sm_120a"} {
  // CHECK-LABEL: nv_tileaa.func kernel @mma_bs
  // CHECK: nv_tileas.dot {{.*}}mma = #nv_tileas.mma<kind = mma_bs, shape = [16, 8, 32], a = registers, b = registers, scales = registers, acc = registers>
  nv_tileaa.func kernel @mma_bs(%a: tensor<32x64xf8E4M3FN, #am>, %b: tensor<64x32xf8E4M3FN, #bm>, %c: tensor<32x32xf32, #cm>, %sa: tensor<32x2xf8E8M0FNU, #sa>, %sb: tensor<2x32xf8E8M0FNU, #sb>) attributes {kernel_spec = #spec1} {
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #mx} : tensor<32x64xf8E4M3FN, #am>, tensor<64x32xf8E4M3FN, #bm>, tensor<32x32xf32, #cm> scales tensor<32x2xf8E8M0FNU, #sa>, tensor<2x32xf8E8M0FNU, #sb> -> tensor<32x32xf32, #cm>
    nv_tileaa.return
  }
}
