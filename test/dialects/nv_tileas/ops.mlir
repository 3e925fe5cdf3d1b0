// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so
// RUN: %{opt} %s | %{opt} | FileCheck %s
// RUN: %{opt} %s --mlir-print-op-generic | %{opt} | FileCheck %s

#f16 = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#fma = #nv_tileas.mma_atom<fma, [1, 1, 1], a = f32, b = f32, c = f32>
#mx = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>
#mxA = #nv_tileas.layout<reg, [32, 64], mma<#mx, a, warps = [1, 1]>>
#mxB = #nv_tileas.layout<reg, [64, 32], mma<#mx, b, warps = [1, 1]>>
#scaleA = #nv_tileas.layout<reg, [32, 2], register = [[0, 1]], lane = [[8, 0], [16, 0], [1, 0], [2, 0], [4, 0]]>
#scaleB = #nv_tileas.layout<reg, [2, 32], register = [[1, 0]], lane = [[0, 8], [0, 16], [0, 1], [0, 2], [0, 4]]>
#row = #nv_tileas.layout<reg, [64], blocked<per_thread = [2], lanes = [32], warps = [1], order = [0]>>
#half = #nv_tileas.layout<reg, [32], lane = [[1], [2], [4], [8], [16]]>
#both = #nv_tileas.layout<reg, [64], lane = [[1], [2], [4], [8], [16]], register = [[32]]>
#bytes = #nv_tileas.layout<reg, [256], blocked<per_thread = [8], lanes = [32], warps = [1], order = [0]>>
#mat = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
#matT = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [4, 1], lanes = [8, 4], warps = [1, 1], order = [0, 1]>>
#rows = #nv_tileas.layout<reg, [32], slice<1, #mat>>
#part = #nv_tileas.layout<reg, [8, 32], register = [[0, 1], [0, 2], [4, 0]], lane = [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]]>
#acc = #nv_tileas.layout<reg, [32, 32], mma<#f16, acc, warps = [1, 1]>>
#opA = #nv_tileas.layout<reg, [32, 32], mma<#f16, a, warps = [1, 1]>>
#opB = #nv_tileas.layout<reg, [32, 32], mma<#f16, b, warps = [1, 1]>>
#smem = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>

!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
!g = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>

// CHECK-LABEL: func.func @tiles(
func.func @tiles(%x: tensor<64xf32, #row>, %y: tensor<32x32xf32, #mat>, %h: tensor<32xf32, #half>, %i: i32, %s: f32) {
  // CHECK: nv_tileas.alloc_tensor : tensor<64xf32, #{{.*}}>
  %0 = nv_tileas.alloc_tensor : tensor<64xf32, #row>
  // CHECK: nv_tileas.alloc_tensor {alignment = 128 : i32, smem_offset = 256 : i32} : !nv_tileas.buffer<32x32xf16, #{{.*}}>
  %1 = nv_tileas.alloc_tensor {alignment = 128 : i32, smem_offset = 256 : i32} : !nv_tileas.buffer<32x32xf16, #smem>
  // CHECK: nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf16, #{{.*}}>
  %2 = nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf16, #smem>
  // CHECK: nv_tileas.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] : tensor<32x32xf32, #{{.*}}> -> tensor<8x32xf32, #{{.*}}>
  %3 = nv_tileas.extract_slice %y[%i, %i] : tensor<32x32xf32, #mat> -> tensor<8x32xf32, #part>
  // CHECK: nv_tileas.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x32xf32, #{{.*}}> into tensor<32x32xf32, #{{.*}}>
  %4 = nv_tileas.insert_slice %3 into %y[%i, %i] : tensor<8x32xf32, #part> into tensor<32x32xf32, #mat>
  // CHECK: nv_tileas.view %{{.*}} : tensor<64xf32, #{{.*}}> -> tensor<8x8xf32, #{{.*}}>
  %5 = nv_tileas.view %x : tensor<64xf32, #row> -> tensor<8x8xf32, #nv_tileas.layout<reg, [8, 8], register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]>>
  // CHECK: nv_tileas.view %{{.*}}[%{{.*}}] : !nv_tileas.buffer<[3] 32x32xf16, #{{.*}}> -> !nv_tileas.buffer<32x32xf16, #{{.*}}>
  %6 = nv_tileas.view %2[%i] : !nv_tileas.buffer<[3] 32x32xf16, #smem> -> !nv_tileas.buffer<32x32xf16, #smem>
  // CHECK: nv_tileas.view %{{.*}}[%{{.*}}] {ring} : !nv_tileas.buffer<[3] 32x32xf16, #{{.*}}> -> !nv_tileas.buffer<32x32xf16, #{{.*}}>
  %ring = nv_tileas.view %2[%i] {ring} : !nv_tileas.buffer<[3] 32x32xf16, #smem> -> !nv_tileas.buffer<32x32xf16, #smem>
  // CHECK: nv_tileas.view %{{.*}} : !nv_tileas.buffer<32x32xf16, #{{.*}}> -> !nv_tileas.buffer<1024xf16, #{{.*}}>
  %7 = nv_tileas.view %1 : !nv_tileas.buffer<32x32xf16, #smem> -> !nv_tileas.buffer<1024xf16, #nv_tileas.layout<smem, [1024], linear<order = [0]>>>
  // CHECK: nv_tileas.subview %{{.*}}[0, 16] : !nv_tileas.buffer<32x32xf16, #{{.*}}> -> !nv_tileas.buffer<32x16xf16, #{{.*}}>
  %half = nv_tileas.subview %6[0, 16] : !nv_tileas.buffer<32x32xf16, #smem> -> !nv_tileas.buffer<32x16xf16, #smem>
  // CHECK: nv_tileas.subview %{{.*}}[8, %{{.*}}] : !nv_tileas.buffer<32x16xf16, #{{.*}}> -> !nv_tileas.buffer<8x8xf16, #{{.*}}>
  %quarter = nv_tileas.subview %half[8, %i] : !nv_tileas.buffer<32x16xf16, #smem> -> !nv_tileas.buffer<8x8xf16, #smem>
  // CHECK: nv_tileas.permute %{{.*}} [1, 0] : !nv_tileas.buffer<32x32xf16, #{{.*}}> -> !nv_tileas.buffer<32x32xf16, #{{.*}}>
  %turned = nv_tileas.permute %1 [1, 0] : !nv_tileas.buffer<32x32xf16, #smem> -> !nv_tileas.buffer<32x32xf16, #nv_tileas.layout<smem, [32, 32], linear<order = [0, 1]>>>
  // CHECK: nv_tileas.dealloc %{{.*}} : !nv_tileas.buffer<[3] 32x32xf16, #{{.*}}>
  nv_tileas.dealloc %2 : !nv_tileas.buffer<[3] 32x32xf16, #smem>
  // CHECK: nv_tileas.expand_dims %{{.*}} {axis = 1 : i32} : tensor<64xf32, #{{.*}}> -> tensor<64x1xf32, #{{.*}}>
  %8 = nv_tileas.expand_dims %x {axis = 1 : i32} : tensor<64xf32, #row> -> tensor<64x1xf32, #nv_tileas.layout<reg, [64, 1], blocked<per_thread = [2, 1], lanes = [32, 1], warps = [1, 1], order = [0, 1]>>>
  // CHECK: nv_tileas.broadcast %{{.*}} : tensor<64x1xf32, #{{.*}}> -> tensor<64x2xf32, #{{.*}}>
  %9 = nv_tileas.broadcast %8 : tensor<64x1xf32, #nv_tileas.layout<reg, [64, 1], blocked<per_thread = [2, 1], lanes = [32, 1], warps = [1, 1], order = [0, 1]>>> -> tensor<64x2xf32, #nv_tileas.layout<reg, [64, 2], register = [[1, 0], [0, 1]], lane = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]]>>
  // CHECK: nv_tileas.permute %{{.*}} [1, 0] : tensor<32x32xf32, #{{.*}}> -> tensor<32x32xf32, #{{.*}}>
  %10 = nv_tileas.permute %y [1, 0] : tensor<32x32xf32, #mat> -> tensor<32x32xf32, #matT>
  // CHECK: nv_tileas.cat %{{.*}}, %{{.*}} {axis = 0 : i32} : tensor<32xf32, #{{.*}}>, tensor<32xf32, #{{.*}}> -> tensor<64xf32, #{{.*}}>
  %11 = nv_tileas.cat %h, %h {axis = 0 : i32} : tensor<32xf32, #half>, tensor<32xf32, #half> -> tensor<64xf32, #both>
  // CHECK: nv_tileas.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<32x32xf32, #{{.*}}> -> f32
  %12 = nv_tileas.extract %y[%i, %i] : tensor<32x32xf32, #mat> -> f32
  // CHECK: nv_tileas.splat %{{.*}} : f32 -> tensor<64xf32, #{{.*}}>
  %13 = nv_tileas.splat %s : f32 -> tensor<64xf32, #row>
  // CHECK: nv_tileas.make_range 16 to 80 : tensor<64xi32, #{{.*}}>
  %14 = nv_tileas.make_range 16 to 80 : tensor<64xi32, #row>
  // CHECK: nv_tileas.bitcast %{{.*}} : tensor<64xf32, #{{.*}}> -> tensor<256xi8, #{{.*}}>
  %15 = nv_tileas.bitcast %x : tensor<64xf32, #row> -> tensor<256xi8, #bytes>
  // CHECK: nv_tileas.bitcast %{{.*}} : tensor<64xf32, #{{.*}}> -> tensor<64xi32, #{{.*}}>
  %16 = nv_tileas.bitcast %x : tensor<64xf32, #row> -> tensor<64xi32, #row>
  // CHECK: nv_tileas.convert_layout %{{.*}} : tensor<64xf32, #{{.*}}> -> tensor<64xf32, #{{.*}}>
  %17 = nv_tileas.convert_layout %x : tensor<64xf32, #row> -> tensor<64xf32, #both>
  // CHECK: nv_tileas.convert_layout %{{.*}} via %{{.*}} : !nv_tileas.buffer<32x32xf16, #{{.*}}> : tensor<64xf32, #{{.*}}> -> tensor<64xf32, #{{.*}}>
  %18 = nv_tileas.convert_layout %x via %1 : !nv_tileas.buffer<32x32xf16, #smem> : tensor<64xf32, #row> -> tensor<64xf32, #both>
  // CHECK: nv_tileas.fp_to_fp %{{.*}} : tensor<64xf32, #{{.*}}> -> tensor<64xf8E4M3FN, #{{.*}}>
  %19 = nv_tileas.fp_to_fp %x : tensor<64xf32, #row> -> tensor<64xf8E4M3FN, #row>
  // CHECK: nv_tileas.fp_to_fp %{{.*}} rounding<zero> saturate : f32 -> f16
  %20 = nv_tileas.fp_to_fp %s rounding<zero> saturate : f32 -> f16
  return
}

// CHECK-LABEL: func.func @pointers(
func.func @pointers(%p: !nv_tileaa.ptr<f32>, %pt: tensor<64x!nv_tileaa.ptr<f32>, #row>, %o: tensor<64xi32, #row>, %n: i64) {
  // CHECK: nv_tileas.addptr %{{.*}}, %{{.*}} : tensor<64x!nv_tileaa.ptr<f32>, #{{.*}}>, tensor<64xi32, #{{.*}}>
  %0 = nv_tileas.addptr %pt, %o : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xi32, #row>
  // CHECK: nv_tileas.addptr %{{.*}}, %{{.*}} : !nv_tileaa.ptr<f32>, i64
  %1 = nv_tileas.addptr %p, %n : !nv_tileaa.ptr<f32>, i64
  // CHECK: nv_tileas.ptr_to_int %{{.*}} : !nv_tileaa.ptr<f32> -> i64
  %2 = nv_tileas.ptr_to_int %p : !nv_tileaa.ptr<f32> -> i64
  // CHECK: nv_tileas.int_to_ptr %{{.*}} : i64 -> !nv_tileaa.ptr<f32>
  %3 = nv_tileas.int_to_ptr %2 : i64 -> !nv_tileaa.ptr<f32>
  // CHECK: nv_tileas.make_memref %{{.*}} sizes[%{{.*}}] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
  %4 = nv_tileas.make_memref %p sizes[%n] : !nv_tileaa.ptr<f32> -> !m
  // CHECK: nv_tileas.make_memref %{{.*}} strides[%{{.*}}] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<8x64xf32, strides = [?, 1]>
  %5 = nv_tileas.make_memref %p strides[%n] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<8x64xf32, strides = [?, 1]>
  // CHECK: nv_tileas.block_tile %{{.*}} : !nv_tileaa.memref<{{.*}}> -> !nv_tileaa.tiled_view<32x32 of
  %6 = nv_tileas.block_tile %4 : !m -> !v
  // CHECK: nv_tileas.get_dim_size %{{.*}} dim = 0 : !nv_tileaa.memref
  %7 = nv_tileas.get_dim_size %4 dim = 0 : !m
  // CHECK: nv_tileas.alloca 64 align 16 shareable : !nv_tileaa.ptr<f32>
  %8 = nv_tileas.alloca 64 align 16 shareable : !nv_tileaa.ptr<f32>
  return
}

gpu.module @globals {
  nv_tileaa.global @lut = dense<1.0> : tensor<4xf32>
  nv_tileaa.func @get() {
    // CHECK: nv_tileas.get_global @lut : !nv_tileaa.ptr<f32>
    %0 = nv_tileas.get_global @lut : !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }
}

// CHECK-LABEL: func.func @memory(
func.func @memory(%p: tensor<64x!nv_tileaa.ptr<f32>, #row>, %pi: tensor<64x!nv_tileaa.ptr<i32>, #row>, %sp: !nv_tileaa.ptr<i32>,
                  %m: tensor<64xi1, #row>, %z: tensor<64xf32, #row>, %zi: tensor<64xi32, #row>, %v: !v, %g: !g, %i: i32,
                  %idx: tensor<32xi32, #rows>, %y: tensor<32x32xf32, #mat>, %b: !nv_tileas.buffer<32x32xf32, #smem>) {
  // CHECK: %[[T0:.*]] = nv_tileas.create_mem_token
  %t0 = nv_tileas.create_mem_token
  // CHECK: %[[A:.*]], %[[T1:.*]] = nv_tileas.load weak %{{.*}} mask %{{.*}} other %{{.*}} token %[[T0]] {atom = #nv_tileas.copy_atom<ldg, bits = 64>, invariant, latency = 3 : i32, nv_tileas.align = 8 : i32, nv_tileas.contiguous = array<i32: 2>} : tensor<64x!nv_tileaa.ptr<f32>, #{{.*}}> -> tensor<64xf32, #{{.*}}>
  %a, %t1 = nv_tileas.load weak %p mask %m other %z token %t0 {atom = #nv_tileas.copy_atom<ldg, bits = 64>, invariant, latency = 3 : i32, nv_tileas.align = 8 : i32, nv_tileas.contiguous = array<i32: 2>} : tensor<64x!nv_tileaa.ptr<f32>, #row> -> tensor<64xf32, #row>
  // CHECK: nv_tileas.load acquire gpu %{{.*}} : !nv_tileaa.ptr<i32> -> i32
  %sv, %t2 = nv_tileas.load acquire gpu %sp : !nv_tileaa.ptr<i32> -> i32
  // CHECK: nv_tileas.store release sys %{{.*}}, %[[A]] mask %{{.*}} token %[[T1]] : tensor<64x!nv_tileaa.ptr<f32>, #{{.*}}>, tensor<64xf32, #{{.*}}>
  %t3 = nv_tileas.store release sys %p, %a mask %m token %t1 : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xf32, #row>
  // CHECK: nv_tileas.atomic_rmw addf relaxed gpu %{{.*}}, %{{.*}} mask %{{.*}} : tensor<64x!nv_tileaa.ptr<f32>, #{{.*}}>, tensor<64xf32, #{{.*}}>
  %o, %t4 = nv_tileas.atomic_rmw addf relaxed gpu %p, %a mask %m : tensor<64x!nv_tileaa.ptr<f32>, #row>, tensor<64xf32, #row>
  // CHECK: nv_tileas.atomic_cas acq_rel tl_blk %{{.*}}, %{{.*}}, %{{.*}} token %{{.*}} : tensor<64x!nv_tileaa.ptr<i32>, #{{.*}}>, tensor<64xi32, #{{.*}}>
  %c, %t5 = nv_tileas.atomic_cas acq_rel tl_blk %pi, %zi, %zi token %t4 : tensor<64x!nv_tileaa.ptr<i32>, #row>, tensor<64xi32, #row>
  // CHECK: nv_tileas.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] offsets[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds = [true, false] {allow_tma = true} : !nv_tileaa.tiled_view<{{.*}}>[i32, i32] -> tensor<32x32xf32, #{{.*}}>
  %d, %t6 = nv_tileas.tiled_load weak %v[%i, %i] offsets[%i, %i] token %t5 in_bounds = [true, false] {allow_tma = true} : !v[i32, i32] -> tensor<32x32xf32, #mat>
  // CHECK: nv_tileas.tiled_store weak %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} : tensor<32x32xf32, #{{.*}}>, !nv_tileaa.tiled_view<{{.*}}>[i32, i32]
  %t7 = nv_tileas.tiled_store weak %d, %v[%i, %i] token %t6 : tensor<32x32xf32, #mat>, !v[i32, i32]
  // CHECK: nv_tileas.tiled_atomic_rmw add relaxed gpu %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} token %{{.*}} : !nv_tileaa.tiled_view<{{.*}}>[i32, i32], tensor<32x32xf32, #{{.*}}>
  %t8 = nv_tileas.tiled_atomic_rmw add relaxed gpu %v[%i, %i], %d token %t7 : !v[i32, i32], tensor<32x32xf32, #mat>
  // CHECK: nv_tileas.tiled_atomic_rmw max relaxed tl_blk %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !nv_tileaa.tiled_view<{{.*}}>[i32, i32], tensor<32x32xf32, #{{.*}}> -> tensor<32x32xf32, #{{.*}}>
  %old, %t9 = nv_tileas.tiled_atomic_rmw max relaxed tl_blk %v[%i, %i], %d : !v[i32, i32], tensor<32x32xf32, #mat> -> tensor<32x32xf32, #mat>
  // CHECK: nv_tileas.gather_load weak %{{.*}}[%{{.*}}, %{{.*}}] : !nv_tileaa.tiled_view<{{.*}}sparse = 0>[tensor<32xi32, #{{.*}}>, i32] -> tensor<32x32xf32, #{{.*}}>
  %e, %t10 = nv_tileas.gather_load weak %g[%idx, %i] : !g[tensor<32xi32, #rows>, i32] -> tensor<32x32xf32, #mat>
  // CHECK: nv_tileas.scatter_store weak %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds = [false, true] : tensor<32x32xf32, #{{.*}}>, !nv_tileaa.tiled_view<{{.*}}sparse = 0>[tensor<32xi32, #{{.*}}>, i32]
  %t11 = nv_tileas.scatter_store weak %e, %g[%idx, %i] token %t10 in_bounds = [false, true] : tensor<32x32xf32, #mat>, !g[tensor<32xi32, #rows>, i32]
  // CHECK: nv_tileas.copy %{{.*}}, %{{.*}} {atom = #nv_tileas.copy_atom<sts>} : tensor<32x32xf32, #{{.*}}>, !nv_tileas.buffer<32x32xf32, #{{.*}}>
  nv_tileas.copy %y, %b {atom = #nv_tileas.copy_atom<sts>} : tensor<32x32xf32, #mat>, !nv_tileas.buffer<32x32xf32, #smem>
  // CHECK: nv_tileas.copy %{{.*}} : !nv_tileas.buffer<32x32xf32, #{{.*}}> -> tensor<32x32xf32, #{{.*}}>
  %f = nv_tileas.copy %b : !nv_tileas.buffer<32x32xf32, #smem> -> tensor<32x32xf32, #mat>
  // CHECK: nv_tileas.join_mem_token %{{.*}}, %{{.*}}
  %t12 = nv_tileas.join_mem_token %t8, %t11
  return
}

// CHECK-LABEL: func.func @scaled(
func.func @scaled(%a: tensor<32x64xf8E4M3FN, #mxA>, %b: tensor<64x32xf8E4M3FN, #mxB>, %c: tensor<32x32xf32, #acc>, %sa: tensor<32x2xf8E8M0FNU, #scaleA>, %sb: tensor<2x32xf8E8M0FNU, #scaleB>, %f: f32, %w: i32) {
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} scales %{{.*}}, %{{.*}} {atom = #nv_tileas.mma_atom<mma_bs, [16, 8, 32], a = f8E4M3FN, b = f8E4M3FN, c = f32, scale = f8E8M0FNU>} : tensor<32x64xf8E4M3FN, #{{.*}}>, tensor<64x32xf8E4M3FN, #{{.*}}>, tensor<32x32xf32, #{{.*}}> scales tensor<32x2xf8E8M0FNU, #{{.*}}>, tensor<2x32xf8E8M0FNU, #{{.*}}> -> tensor<32x32xf32, #{{.*}}>
  %0 = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #mx} : tensor<32x64xf8E4M3FN, #mxA>, tensor<64x32xf8E4M3FN, #mxB>, tensor<32x32xf32, #acc> scales tensor<32x2xf8E8M0FNU, #scaleA>, tensor<2x32xf8E8M0FNU, #scaleB> -> tensor<32x32xf32, #acc>
  // CHECK: nv_tileas.atom.mma_bs[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] scales %{{.*}}, %{{.*}} {atom = #nv_tileas.mma_atom<mma_bs, {{.*}}, byte_a = 3 : i32, byte_b = 2 : i32, thread_a = 1 : i32, thread_b = 3 : i32}
  %1:4 = nv_tileas.atom.mma_bs [%w, %w, %w, %w] [%w, %w] [%f, %f, %f, %f] scales %w, %w {atom = #mx, byte_a = 3 : i32, thread_a = 1 : i32, byte_b = 2 : i32, thread_b = 3 : i32} : (i32, i32, i32, i32) (i32, i32) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  return
}

// CHECK-LABEL: func.func @compute(
func.func @compute(%ba: !nv_tileas.buffer<32x32xf16, #smem>, %more: i1, %a: tensor<32x32xf16, #opA>, %b: tensor<32x32xf16, #opB>, %c: tensor<32x32xf32, #acc>, %x: tensor<64xf32, #row>, %y: tensor<32x32xf32, #mat>) {
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>} : tensor<32x32xf16, #{{.*}}>, tensor<32x32xf16, #{{.*}}>, tensor<32x32xf32, #{{.*}}> -> tensor<32x32xf32, #{{.*}}>
  %0 = nv_tileas.dot %a, %b, %c {atom = #f16} : tensor<32x32xf16, #opA>, tensor<32x32xf16, #opB>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} use_acc %{{.*}} {atom = #{{.*}}} : !nv_tileas.buffer<32x32xf16, #{{.*}}>, !nv_tileas.buffer<32x32xf16, #{{.*}}>, tensor<32x32xf32, #{{.*}}> -> tensor<32x32xf32, #{{.*}}>
  %d = nv_tileas.dot %ba, %ba, %c use_acc %more {atom = #f16} : !nv_tileas.buffer<32x32xf16, #smem>, !nv_tileas.buffer<32x32xf16, #smem>, tensor<32x32xf32, #acc> -> tensor<32x32xf32, #acc>
  // CHECK: nv_tileas.reduce %{{.*}} axis = 1 identities = [0.000000e+00 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = shfl>} : tensor<32x32xf32, #{{.*}}> -> tensor<32xf32, #{{.*}}> {
  %1 = nv_tileas.reduce %y axis = 1 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = shfl>} : tensor<32x32xf32, #mat> -> tensor<32xf32, #rows> {
  ^bb0(%elem: f32, %acc: f32):
    %s = arith.addf %elem, %acc : f32
    // CHECK: nv_tileas.yield %{{.*}} : f32
    nv_tileas.yield %s : f32
  }
  // A reduction to a scalar, and of two tiles at once.
  // CHECK: nv_tileas.reduce %{{.*}}, %{{.*}} axis = 0 identities = [0.000000e+00 : f32, 1.000000e+00 : f32] : tensor<64xf32, #{{.*}}>, tensor<64xf32, #{{.*}}> -> f32, f32 {
  %2:2 = nv_tileas.reduce %x, %x axis = 0 identities = [0.0 : f32, 1.0 : f32] : tensor<64xf32, #row>, tensor<64xf32, #row> -> f32, f32 {
  ^bb0(%e0: f32, %a0: f32, %e1: f32, %a1: f32):
    %s = arith.addf %e0, %a0 : f32
    %p = arith.mulf %e1, %a1 : f32
    nv_tileas.yield %s, %p : f32, f32
  }
  // CHECK: nv_tileas.scan %{{.*}} axis = 0 reverse identities = [0.000000e+00 : f32] : tensor<64xf32, #{{.*}}> -> tensor<64xf32, #{{.*}}> {
  %3 = nv_tileas.scan %x axis = 0 reverse identities = [0.0 : f32] : tensor<64xf32, #row> -> tensor<64xf32, #row> {
  ^bb0(%elem: f32, %acc: f32):
    %s = arith.addf %elem, %acc : f32
    nv_tileas.yield %s : f32
  }
  // CHECK: nv_tileas.elementwise intrinsic "llvm.nvvm.add.rz.f"(%{{.*}}, %{{.*}}) {pure} : (tensor<64xf32, #{{.*}}>, tensor<64xf32, #{{.*}}>) -> tensor<64xf32, #{{.*}}>
  %4 = nv_tileas.elementwise intrinsic "llvm.nvvm.add.rz.f" (%x, %x) {pure} : (tensor<64xf32, #row>, tensor<64xf32, #row>) -> tensor<64xf32, #row>
  // CHECK: nv_tileas.elementwise asm "mov.b32 $0, $1;" "=f,f"(%{{.*}}) : (tensor<64xf32, #{{.*}}>) -> tensor<64xf32, #{{.*}}>
  %5 = nv_tileas.elementwise asm "mov.b32 $0, $1;" "=f,f" (%x) : (tensor<64xf32, #row>) -> tensor<64xf32, #row>
  return
}

// CHECK-LABEL: func.func @control(
func.func @control(%m: tensor<64xi1, #row>, %x: tensor<64xf32, #row>, %n: i32) {
  // CHECK: nv_tileas.get_program_id x
  %0 = nv_tileas.get_program_id x
  // CHECK: %[[FIRST:.*]] = nv_tileas.initial_program_id
  %first = nv_tileas.initial_program_id
  // CHECK: nv_tileas.get_program_id y of %[[FIRST]]
  %y = nv_tileas.get_program_id y of %first
  // CHECK: nv_tileas.is_valid_program_id %[[FIRST]]
  %valid = nv_tileas.is_valid_program_id %first
  // CHECK: nv_tileas.get_num_programs z
  %1 = nv_tileas.get_num_programs z
  // CHECK: nv_tileas.assume %{{.*}} [#nv_tileaa.div_by<8>] : i32
  %2 = nv_tileas.assume %n [#nv_tileaa.div_by<8>] : i32
  // CHECK: nv_tileas.assert %{{.*}}, "negative" : tensor<64xi1, #{{.*}}>
  nv_tileas.assert %m, "negative" : tensor<64xi1, #row>
  // CHECK: nv_tileas.print "%d %f\0A", %{{.*}}, %{{.*}} : i32, tensor<64xf32, #{{.*}}>
  %3 = nv_tileas.print "%d %f\n", %n, %x : i32, tensor<64xf32, #row>
  // CHECK: nv_tileas.print "done" token %{{.*}}
  %4 = nv_tileas.print "done" token %3
  // CHECK: nv_tileas.optimization_barrier %{{.*}}, %{{.*}} : tensor<64xf32, #{{.*}}>, i32
  %5:2 = nv_tileas.optimization_barrier %x, %n : tensor<64xf32, #row>, i32
  // CHECK: nv_tileas.barrier agent {barrier_id = 1 : i32}
  nv_tileas.barrier agent {barrier_id = 1 : i32}
  // CHECK: nv_tileas.barrier cluster
  nv_tileas.barrier cluster
  // CHECK: nv_tileas.fence proxy_async_shared
  nv_tileas.fence proxy_async_shared
  // CHECK: nv_tileas.fence scope {mem_scope = #nv_tileaa.mem_scope<gpu>}
  nv_tileas.fence scope {mem_scope = #nv_tileaa.mem_scope<gpu>}
  // CHECK: nv_tileas.fence proxy_alias
  nv_tileas.fence proxy_alias
  // CHECK: %[[WAIT:.*]] = nv_tileas.grid_dependency wait token %{{.*}}
  %6 = nv_tileas.grid_dependency wait token %4
  // CHECK: nv_tileas.grid_dependency launch_dependents
  %7 = nv_tileas.grid_dependency launch_dependents
  return
}

// CHECK-LABEL: llvm.func @atoms(
llvm.func @atoms(%h: vector<2xf16>, %f: f32, %p: !llvm.ptr<3>, %w: i32) {
  // CHECK: nv_tileas.atom.mma_sync[%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}] [%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}] {atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) (vector<2xf16>, vector<2xf16>) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  %0:4 = nv_tileas.atom.mma_sync [%h, %h, %h, %h] [%h, %h] [%f, %f, %f, %f] {atom = #f16} : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>) (vector<2xf16>, vector<2xf16>) (f32, f32, f32, f32) -> (f32, f32, f32, f32)
  // CHECK: nv_tileas.atom.ldmatrix %{{.*}} {num = 2 : i32, trans} : !llvm.ptr<3> -> (i32, i32)
  %1:2 = nv_tileas.atom.ldmatrix %p {num = 2 : i32, trans} : !llvm.ptr<3> -> (i32, i32)
  // CHECK: nv_tileas.atom.stmatrix %{{.*}}, %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32, i32
  nv_tileas.atom.stmatrix %p, %w, %w : !llvm.ptr<3>, i32, i32
  llvm.return
}
