// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' --remark-format=emitRemark --remarks-filter-passed=tileas 2>&1 | FileCheck %s --check-prefix=REMARK

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#acc = #nv_tileas.layout<reg, [128, 128], mma<#atom, acc, warps = [2, 2]>>
#a = #nv_tileas.layout<reg, [128, 128], mma<#atom, a, warps = [2, 2]>>
#b = #nv_tileas.layout<reg, [128, 128], mma<#atom, b, warps = [2, 2]>>
#thin_a = #nv_tileas.layout<reg, [128, 32], mma<#atom, a, warps = [2, 2]>>
#thin_b = #nv_tileas.layout<reg, [32, 128], mma<#atom, b, warps = [2, 2]>>
#l = #nv_tileas.layout<reg, [128, 128], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!acc = tensor<128x128xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  // An accumulator of 128 registers and operands of 128 go through shared memory,
  // each as loaded, before a layout conversion. No pipeline has room for them.
  // CHECK-LABEL: nv_tileaa.func kernel @crowded
  //       CHECK: scf.for
  //   CHECK-NOT:   nv_tileas.convert_layout
  //       CHECK:   %[[X:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x128xbf16
  //  CHECK-NEXT:   nv_tileas.copy %{{.*}}, %[[X]] : tensor<128x128xbf16, #
  //  CHECK-NEXT:   %[[Y:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x128xbf16
  //  CHECK-NEXT:   nv_tileas.copy %{{.*}}, %[[Y]]
  //  CHECK-NEXT:   nv_tileas.dot %[[X]], %[[Y]], %{{.*}} {atom = #
  //  CHECK-NEXT:   nv_tileas.dealloc %[[X]]
  //  CHECK-NEXT:   nv_tileas.dealloc %[[Y]]
  //       CHECK:   scf.yield
  // REMARK: Function=crowded | Bytes=65536, Remark="operands are staged in shared memory: they need too many registers"
  nv_tileaa.func kernel @crowded(%x: tensor<128x128xbf16, #l>, %y: tensor<128x128xbf16, #b>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!acc) : i32 {
      %p = nv_tileas.convert_layout %x : tensor<128x128xbf16, #l> -> tensor<128x128xbf16, #a>
      %d = nv_tileas.dot %p, %y, %sum {atom = #atom} : tensor<128x128xbf16, #a>, tensor<128x128xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileas.optimization_barrier %r : !acc
    nv_tileaa.return
  }

  // Fewer stay where they are.
  // CHECK-LABEL: nv_tileaa.func kernel @thin
  //   CHECK-NOT: nv_tileas.alloc_tensor
  //       CHECK: nv_tileaa.return
  // REMARK-NOT: StageProducts{{.*}}Function=thin
  nv_tileaa.func kernel @thin(%x: tensor<128x32xbf16, #thin_a>, %y: tensor<32x128xbf16, #thin_b>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!acc) : i32 {
      %d = nv_tileas.dot %x, %y, %sum {atom = #atom} : tensor<128x32xbf16, #thin_a>, tensor<32x128xbf16, #thin_b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileas.optimization_barrier %r : !acc
    nv_tileaa.return
  }
}
