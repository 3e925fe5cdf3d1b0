// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MMAs of 32-bit elements with rows contiguous, and of 4-bit elements, two to a byte.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

#words = #nv_tileas.mma_atom<umma, [128, 64, 8], a = tf32, b = tf32, c = f32>
#wide_a = #nv_tileas.layout<smem, [128, 16], swizzled<b128_wide, major = 0, bits = 32>>
#wide_b = #nv_tileas.layout<smem, [16, 64], swizzled<b128_wide, major = 1, bits = 32>>
#wide_d = #nv_tileas.layout<tmem, [128, 64], tmem_acc<m = 128, bits = 32>>

#nibbles = #nv_tileas.mma_atom<umma, [128, 128, 64], a = f4E2M1FN, b = f4E2M1FN, c = f32>
#a = #nv_tileas.layout<smem, [128, 64], swizzled<b64, major = 1, bits = 8>>
#b = #nv_tileas.layout<smem, [64, 128], swizzled<b64, major = 0, bits = 8>>
#d = #nv_tileas.layout<tmem, [128, 128], tmem_acc<m = 128, bits = 32>>
// Scales of 16 elements: the four of an MMA of K 64 are a word.
#fine_a = #nv_tileas.layout<tmem, [128, 8], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0], [0, 4]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
#fine_b = #nv_tileas.layout<tmem, [8, 128], sub = [[1, 0], [2, 0]], col = [[0, 32], [0, 64], [4, 0]], row = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>
// Of 32: two MMAs share a word.
#coarse_a = #nv_tileas.layout<tmem, [128, 4], sub = [[0, 1], [0, 2]], col = [[32, 0], [64, 0]], row = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 0], [0, 0]]>
#coarse_b = #nv_tileas.layout<tmem, [4, 128], sub = [[1, 0], [2, 0]], col = [[0, 32], [0, 64]], row = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 0], [0, 0]]>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // 0x08118910: both operands with rows contiguous.
  // CHECK-LABEL: llvm.func @rows_of_words(
  //       CHECK:   llvm.mlir.constant(135366928 : i32)
  // CHECK-COUNT-2: tcgen05.mma.cta_group::1.kind::tf32 [$0], $1, $2, $3, $4;
  nv_tileaa.func kernel @rows_of_words(%more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %x = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x16xtf32, #wide_a>
    %y = nv_tileas.alloc_tensor : !nv_tileas.buffer<16x64xtf32, #wide_b>
    %d = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x64xf32, #wide_d>
    nv_tileas.async.dot_into %x, %y into %d use_acc %more {atom = #words} : !nv_tileas.buffer<128x16xtf32, #wide_a>, !nv_tileas.buffer<16x64xtf32, #wide_b> -> !nv_tileas.buffer<128x64xf32, #wide_d>
    nv_tileas.dealloc %d : !nv_tileas.buffer<128x64xf32, #wide_d>
    nv_tileaa.return
  }

  // 0x08200480 in both steps of K; the scales of the second one stand four columns on.
  // CHECK-LABEL: llvm.func @scales_of_16(
  //       CHECK:   llvm.mlir.constant(136316032 : i32)
  // CHECK-COUNT-2: tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16 [$0]
  nv_tileaa.func kernel @scales_of_16(%more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %x = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x64xi8, #a>
    %y = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x128xi8, #b>
    %d = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x128xf32, #d>
    %s = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x8xf8E4M3FN, #fine_a>
    %t = nv_tileas.alloc_tensor : !nv_tileas.buffer<8x128xf8E4M3FN, #fine_b>
    nv_tileas.async.dot_into %x, %y into %d use_acc %more scales %s, %t {atom = #nibbles} : !nv_tileas.buffer<128x64xi8, #a>, !nv_tileas.buffer<64x128xi8, #b> scales !nv_tileas.buffer<128x8xf8E4M3FN, #fine_a>, !nv_tileas.buffer<8x128xf8E4M3FN, #fine_b> -> !nv_tileas.buffer<128x128xf32, #d>
    nv_tileas.dealloc %d : !nv_tileas.buffer<128x128xf32, #d>
    nv_tileas.dealloc %s : !nv_tileas.buffer<128x8xf8E4M3FN, #fine_a>
    nv_tileas.dealloc %t : !nv_tileas.buffer<8x128xf8E4M3FN, #fine_b>
    nv_tileaa.return
  }

  // 0x08A00480 and 0x48A004A0: the second step reads bytes 2 and 3.
  // CHECK-LABEL: llvm.func @scales_of_32(
  //       CHECK:   llvm.mlir.constant(144704640 : i32)
  //       CHECK:   tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32
  //       CHECK:   llvm.mlir.constant(1218446496 : i32)
  //       CHECK:   tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32
  nv_tileaa.func kernel @scales_of_32(%more: i1) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %x = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x64xi8, #a>
    %y = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x128xi8, #b>
    %d = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x128xf32, #d>
    %s = nv_tileas.alloc_tensor : !nv_tileas.buffer<128x4xf8E8M0FNU, #coarse_a>
    %t = nv_tileas.alloc_tensor : !nv_tileas.buffer<4x128xf8E8M0FNU, #coarse_b>
    nv_tileas.async.dot_into %x, %y into %d use_acc %more scales %s, %t {atom = #nibbles} : !nv_tileas.buffer<128x64xi8, #a>, !nv_tileas.buffer<64x128xi8, #b> scales !nv_tileas.buffer<128x4xf8E8M0FNU, #coarse_a>, !nv_tileas.buffer<4x128xf8E8M0FNU, #coarse_b> -> !nv_tileas.buffer<128x128xf32, #d>
    nv_tileas.dealloc %d : !nv_tileas.buffer<128x128xf32, #d>
    nv_tileas.dealloc %s : !nv_tileas.buffer<128x4xf8E8M0FNU, #coarse_a>
    nv_tileas.dealloc %t : !nv_tileas.buffer<4x128xf8E8M0FNU, #coarse_b>
    nv_tileaa.return
  }
}
