// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s
// RUN: %{opt} --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-decompose-dot-scaled)))' | FileCheck %s
// A dot keeps its scales only for an MMA that takes them.

#bf16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#l = #nv_tileas.layout<reg, [128, 128], blocked<per_thread = [1, 16], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#s = #nv_tileas.layout<reg, [128, 4], blocked<per_thread = [1, 4], lanes = [32, 1], warps = [4, 1], order = [1, 0]>>
#t = #nv_tileas.layout<reg, [4, 128], blocked<per_thread = [1, 1], lanes = [1, 32], warps = [1, 4], order = [1, 0]>>
#c = #nv_tileas.layout<reg, [128, 128], mma<#bf16, acc, warps = [4, 1]>>
#am = #nv_tileas.layout<reg, [32, 64], mma<#mx, a, warps = [1, 1]>>
#bm = #nv_tileas.layout<reg, [64, 32], mma<#mx, b, warps = [1, 1]>>
#cm = #nv_tileas.layout<reg, [32, 32], mma<#mx, acc, warps = [1, 1]>>
#sa = #nv_tileas.layout<reg, [32, 2], register = [[0, 1]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]]>
#sb = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>
#umma = #nv_tileas.mma<kind = umma, shape = [128, 128, 32], a = shared<pipeline>, b = shared<pipeline>, scales = tmem<pipeline>, acc = tmem<slots = 1>>
#warps = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = registers, b = registers, acc = registers>

gpu.module @kernels {
  // CHECK-LABEL: nv_tileaa.func @undecided(
  //  CHECK-SAME:   %[[A:[^:]*]]: tensor<128x128xf8E4M3FN, #[[L:[^>]*]]>, %[[B:[^:]*]]: tensor<128x128xf8E4M3FN, #[[L]]>, %[[C:[^:]*]]: tensor<128x128xf32, #[[ACC:[^>]*]]>, %[[SA:[^:]*]]: tensor<128x4xf8E8M0FNU, #{{.*}}>, %[[SB:[^:]*]]: tensor<4x128xf8E8M0FNU, #{{.*}}>)
  //       CHECK:   %[[A0:.*]] = nv_tileas.convert_layout %[[A]] {{.*}} -> tensor<128x128xf8E4M3FN, #[[FA:[^>]*]]>
  //       CHECK:   %[[A1:.*]] = nv_tileas.fp_to_fp %[[A0]] {{.*}} -> tensor<128x128xbf16, #[[FA]]>
  //       CHECK:   %[[SA1:.*]] = nv_tileas.fp_to_fp %[[SA]]
  //       CHECK:   %[[SA2:.*]] = nv_tileas.convert_layout %[[SA1]]
  //       CHECK:   %[[SA3:.*]] = nv_tileas.expand_dims %[[SA2]] {axis = 2 : i32} {{.*}} -> tensor<128x4x1xbf16, #{{.*}}>
  //       CHECK:   %[[SA4:.*]] = nv_tileas.broadcast %[[SA3]] {{.*}} -> tensor<128x4x32xbf16, #{{.*}}>
  //       CHECK:   %[[SA5:.*]] = nv_tileas.view %[[SA4]] {{.*}} -> tensor<128x128xbf16, #[[FA]]>
  //       CHECK:   %[[X:.*]] = arith.mulf %[[A1]], %[[SA5]] : tensor<128x128xbf16, #[[FA]]>
  //       CHECK:   %[[B0:.*]] = nv_tileas.convert_layout %[[B]] {{.*}} -> tensor<128x128xf8E4M3FN, #[[FB:[^>]*]]>
  //       CHECK:   nv_tileas.broadcast {{.*}} -> tensor<4x32x128xbf16, #{{.*}}>
  //       CHECK:   %[[Y:.*]] = arith.mulf {{.*}} : tensor<128x128xbf16, #[[FB]]>
  //       CHECK:   nv_tileas.dot %[[X]], %[[Y]], %[[C]] {atom = #{{.*}}} : tensor<128x128xbf16, #[[FA]]>, tensor<128x128xbf16, #[[FB]]>
  nv_tileaa.func @undecided(%a: tensor<128x128xf8E4M3FN, #l>, %b: tensor<128x128xf8E4M3FN, #l>, %c: tensor<128x128xf32, #c>, %sa: tensor<128x4xf8E8M0FNU, #s>, %sb: tensor<4x128xf8E8M0FNU, #t>) {
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #bf16} : tensor<128x128xf8E4M3FN, #l>, tensor<128x128xf8E4M3FN, #l>, tensor<128x128xf32, #c> scales tensor<128x4xf8E8M0FNU, #s>, tensor<4x128xf8E8M0FNU, #t> -> tensor<128x128xf32, #c>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @by_warps(
  //   CHECK-NOT:   scales
  //       CHECK:   nv_tileas.dot {{.*}}kind = mma_sync
  nv_tileaa.func @by_warps(%a: tensor<128x128xf8E4M3FN, #l>, %b: tensor<128x128xf8E4M3FN, #l>, %c: tensor<128x128xf32, #c>, %sa: tensor<128x4xf8E8M0FNU, #s>, %sb: tensor<4x128xf8E8M0FNU, #t>) {
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #bf16, mma = #warps} : tensor<128x128xf8E4M3FN, #l>, tensor<128x128xf8E4M3FN, #l>, tensor<128x128xf32, #c> scales tensor<128x4xf8E8M0FNU, #s>, tensor<4x128xf8E8M0FNU, #t> -> tensor<128x128xf32, #c>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @tensor_memory(
  //   CHECK-NOT:   arith.mulf
  //       CHECK:   nv_tileas.dot {{.*}} scales
  nv_tileaa.func @tensor_memory(%a: tensor<128x128xf8E4M3FN, #l>, %b: tensor<128x128xf8E4M3FN, #l>, %c: tensor<128x128xf32, #c>, %sa: tensor<128x4xf8E8M0FNU, #s>, %sb: tensor<4x128xf8E8M0FNU, #t>) {
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #bf16, mma = #umma} : tensor<128x128xf8E4M3FN, #l>, tensor<128x128xf8E4M3FN, #l>, tensor<128x128xf32, #c> scales tensor<128x4xf8E8M0FNU, #s>, tensor<4x128xf8E8M0FNU, #t> -> tensor<128x128xf32, #c>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @atom_with_scales(
  //   CHECK-NOT:   arith.mulf
  //       CHECK:   nv_tileas.dot {{.*}} scales
  nv_tileaa.func @atom_with_scales(%a: tensor<32x64xf8E4M3FN, #am>, %b: tensor<64x32xf8E4M3FN, #bm>, %c: tensor<32x32xf32, #cm>, %sa: tensor<32x2xf8E8M0FNU, #sa>, %sb: tensor<2x32xf8E8M0FNU, #sb>) {
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #mx} : tensor<32x64xf8E4M3FN, #am>, tensor<64x32xf8E4M3FN, #bm>, tensor<32x32xf32, #cm> scales tensor<32x2xf8E8M0FNU, #sa>, tensor<2x32xf8E8M0FNU, #sb> -> tensor<32x32xf32, #cm>
    nv_tileaa.return
  }
}
