// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s \
// RUN:   --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' \
// RUN:   --remark-format=emitRemark --remarks-filter-analyse=tileas 2>&1 | FileCheck %s

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !m, padding = zero>
!t = tensor<64x64xbf16, #l>
!acc = tensor<64x64xf32, #acc>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  // Nothing bounds the sizes. Rows are numbered by the grid's x, which may be large: the kernel stops if there are too many.
  // Columns are numbered by a signed counter of 32 bits and by the grid's y.
  // CHECK: remark: {{.*}}the kernel stops where a size of the view is 2^31 or more: no tensor map reaches further
  // CHECK-LABEL: nv_tileaa.func kernel @gemm
  // CHECK: %[[R:.*]] = arith.extui %arg1 : i32 to i64
  // CHECK: nv_tileas.make_memref
  // CHECK-DAG: %[[LIMIT:.*]] = arith.constant 2147483648 : i64
  // CHECK-DAG: %[[FEW:.*]] = arith.cmpi ult, %[[R]], %[[LIMIT]] : i64
  // CHECK: nv_tileas.assert %[[FEW]], "" : i1
  // CHECK-NOT: nv_tileas.assert
  // CHECK: nv_tileas.async.tma_load
  // CHECK: nv_tileas.async.tma_load
  nv_tileaa.func kernel @gemm(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %x = nv_tileas.get_program_id x
    %y = nv_tileas.get_program_id y
    %r = arith.extui %rows : i32 to i64
    %k = arith.extui %cols : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%r, %k] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %n = arith.ceildivsi %cols, %c64 : i32
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %e, %te = nv_tileas.tiled_load weak %v[%x, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %f, %tf = nv_tileas.tiled_load weak %v[%i, %y] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %a = nv_tileas.convert_layout %e : !t -> tensor<64x64xbf16, #a>
      %b = nv_tileas.convert_layout %f : !t -> tensor<64x64xbf16, #b>
      %d = nv_tileas.dot %a, %b, %acc {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }
}
