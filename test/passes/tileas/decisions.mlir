// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Examples of docs/develop/debugging.md: TILEIR_DEBUG prints decisions and their reasons, TILEIR_STATISTICS counts, in a build without
// assertions and in the distribution's mlir-opt.
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// DEFINE: %{run} = %{opt} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands)))' -o /dev/null
// RUN: env TILEIR_DEBUG=tileas-plan-cta,tileas-stage-operands %{run} 2>&1 | FileCheck %s
// RUN: env TILEIR_DEBUG=all %{run} 2>&1 | FileCheck %s
// RUN: env TILEIR_STATISTICS=1 %{run} 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: env TILEIR_DEBUG=tileas-stage TILEIR_STATISTICS=0 %{run} 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: {{.}}

// COUNT: {{^}}[tileas-stage-operands] num-loads: 1 (Loads that became asynchronous copies)
// COUNT-NEXT: {{^}}[tileas-stage-operands] num-pipelines: 1 (Pipelines that were made)
// COUNT-NOT: {{.}}

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [2, 2]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [2, 2]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [2, 2]>>
!va = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = nan>
!vb = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>>
!acc = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @product(%va: !va, %vb: !vb, %n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    // CHECK: {{^}}[tileas-stage-operands] {{.*}}decisions.mlir:[[#@LINE + 5]]:{{[0-9]+}}: nv_tileas.tiled_load stays synchronous: its padding is not zero
    // CHECK-NEXT: {{^}}[tileas-stage-operands] {{.*}}decisions.mlir:[[#@LINE + 3]]:{{[0-9]+}}: 2 loads of the loop feed dots, in 1 groups
    // CHECK-NEXT: {{^}}[tileas-stage-operands] {{.*}}: {{[0-9]+}} bytes of shared memory are free beside {{[0-9]+}} of scratch; the group gets {{[0-9]+}} for 5 stages of
    // CHECK-NEXT: {{^}}[tileas-stage-operands] copies by threads, 8192 bytes a stage, latency 0
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %va[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !va[i32, i32] -> tensor<64x64xbf16, #l>
      // CHECK-NEXT: {{^}}[tileas-stage-operands]   {{.*}}decisions.mlir:[[#@LINE + 1]]:{{[0-9]+}}: !nv_tileas.buffer<64x64xbf16,
      %y, %ty = nv_tileas.tiled_load weak %vb[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>} : !vb[i32, i32] -> tensor<64x64xbf16, #l>
      %a = nv_tileas.convert_layout %x : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %y : tensor<64x64xbf16, #l> -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }
}
