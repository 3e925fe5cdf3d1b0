// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so %s --split-input-file --verify-diagnostics

func.func @mbarrier_stages() {
  // expected-error @below {{stages must be positive, got 0}}
  %0 = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier<[0]>
  return
}

// -----

func.func @mbarrier_alloc_one() {
  // expected-error @below {{'nv_tileas.mbarrier.alloc' op result #0 must be array of mbarriers, but got '!nv_tileas.mbarrier'}}
  %0 = nv_tileas.mbarrier.alloc : !nv_tileas.mbarrier
  return
}

// -----

func.func @mbarrier_alloc_c1() {
  // expected-error @below {{'nv_tileas.mbarrier.alloc' op 'smem_offset' must be a multiple of 8, got 4}}
  %0 = nv_tileas.mbarrier.alloc {smem_offset = 4 : i32} : !nv_tileas.mbarrier<[1]>
  return
}

// -----

func.func @mbarrier_init_c1(%m: !nv_tileas.mbarrier<[2]>) {
  // expected-error @below {{'nv_tileas.mbarrier.init' op 'count' must be from 1 to 1048575, got 0}}
  nv_tileas.mbarrier.init %m {count = 0 : i32} : !nv_tileas.mbarrier<[2]>
  return
}

// -----

func.func @mbarrier_arrive_c1(%b: !nv_tileas.mbarrier, %c: i1) {
  // expected-error @below {{'nv_tileas.mbarrier.arrive' op 'cp_async' arrives without a condition}}
  nv_tileas.mbarrier.arrive %b if %c {by = cp_async}
  return
}

// -----

func.func @mbarrier_arrive_word(%b: !nv_tileas.mbarrier) {
  // expected-error @below {{unknown arrival kind 'block'}}
  nv_tileas.mbarrier.arrive %b {by = block}
  return
}

// -----

func.func @mbarrier_arrive_expect_tx_c1(%b: !nv_tileas.mbarrier) {
  // expected-error @below {{'nv_tileas.mbarrier.arrive_expect_tx' op 'bytes' must be from 0 to 1048575, got 1048576}}
  nv_tileas.mbarrier.arrive_expect_tx %b, 1048576
  return
}

// -----

// expected-error @below {{a tensor map has 1 to 5 dimensions, got 6}}
func.func private @desc_rank(!nv_tileas.tma_desc<1x1x1x1x1x64xbf16, order = [5, 4, 3, 2, 1, 0], swizzle = none>)

// -----

// expected-error @below {{extents of a box are from 1 to 256, got 512}}
func.func private @desc_extent(!nv_tileas.tma_desc<512x64xbf16, order = [1, 0], swizzle = b128>)

// -----

// expected-error @below {{'order' is not a permutation of the dimensions}}
func.func private @desc_order(!nv_tileas.tma_desc<64x64xbf16, order = [1, 1], swizzle = b128>)

// -----

// expected-error @below {{'order' is not a permutation of the dimensions}}
func.func private @desc_order_short(!nv_tileas.tma_desc<64x64xbf16, order = [1], swizzle = b128>)

// -----

// expected-error @below {{a line of a box has a multiple of 16 bytes, got 8}}
func.func private @desc_line(!nv_tileas.tma_desc<64x4xbf16, order = [1, 0], swizzle = none>)

// -----

// expected-error @below {{a line of a box with this swizzle has 128 bytes, got 64}}
func.func private @desc_span(!nv_tileas.tma_desc<64x32xbf16, order = [1, 0], swizzle = b128>)

// -----

// expected-error @below {{invalid element type 'f4E2M1FN'}}
func.func private @desc_element(!nv_tileas.tma_desc<64x64xf4E2M1FN, order = [1, 0], swizzle = none>)

// -----

// expected-error @below {{unknown swizzle 'b256'}}
func.func private @desc_swizzle(!nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b256>)

// -----

!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>
func.func @make_c1(%v: !v) {
  // expected-error @below {{'nv_tileas.make_tiled_tma_desc' op expects one memory dimension for each of the 2 dimensions of the map, of elements 'bf16', but got '!nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>>'}}
  %d = nv_tileas.make_tiled_tma_desc %v : !v -> !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
  return
}

// -----

!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>>
func.func @make_c2(%v: !v) {
  // expected-error @below {{'nv_tileas.make_tiled_tma_desc' op a box extent of 128 does not divide the tile extent 64}}
  %d = nv_tileas.make_tiled_tma_desc %v : !v -> !nv_tileas.tma_desc<128x64xbf16, order = [1, 0], swizzle = b128>
  return
}

// -----

!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>>
func.func @make_c3(%v: !v) {
  // expected-error @below {{'nv_tileas.make_tiled_tma_desc' op 'order' begins with dimension 0, whose stride is not 1}}
  %d = nv_tileas.make_tiled_tma_desc %v : !v -> !nv_tileas.tma_desc<64x64xbf16, order = [0, 1], swizzle = b128>
  return
}

// -----

!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [100, 1]>>
func.func @make_c3_stride(%v: !v) {
  // expected-error @below {{'nv_tileas.make_tiled_tma_desc' op a stride of 100 elements is not a multiple of 16 bytes}}
  %d = nv_tileas.make_tiled_tma_desc %v : !v -> !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
  return
}

// -----

!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = nan>
func.func @make_c4(%v: !v) {
  // expected-error @below {{'nv_tileas.make_tiled_tma_desc' op reads zero where the view has other padding}}
  %d = nv_tileas.make_tiled_tma_desc %v : !v -> !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
func.func @load_c1(%d: !d, %s: !nv_tileas.buffer<64x64xbf16, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.tma_load' op expects 2 coordinates, but got 1}}
  %t = nv_tileas.async.tma_load %d[%i] into %s : !d -> !nv_tileas.buffer<64x64xbf16, #s>
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
func.func @load_c4(%d: !d, %s: !nv_tileas.buffer<64x64xbf16, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.tma_load' op 'cta_group' must be 1 or 2, got 4}}
  %t = nv_tileas.async.tma_load %d[%i, %i] into %s {cta_group = 4 : i32} : !d -> !nv_tileas.buffer<64x64xbf16, #s>
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
func.func @load_c2(%d: !d, %s: !nv_tileas.buffer<64x64xf16, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.tma_load' op expects a whole unstaged buffer of 'bf16' in shared memory, but got}}
  %t = nv_tileas.async.tma_load %d[%i, %i] into %s : !d -> !nv_tileas.buffer<64x64xf16, #s>
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 0, bits = 16>>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
func.func @load_c3(%d: !d, %s: !nv_tileas.buffer<64x64xbf16, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.tma_load' op tensor copies cannot fill the buffer: its addresses are not those of a tensor copy}}
  %t = nv_tileas.async.tma_load %d[%i, %i] into %s : !d -> !nv_tileas.buffer<64x64xbf16, #s>
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], swizzled<b64, major = 1, bits = 16>>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
func.func @load_c3_swizzle(%d: !d, %s: !nv_tileas.buffer<64x64xbf16, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.tma_load' op the map's boxes are not those of the buffer, '!nv_tileas.tma_desc<64x32xbf16, order = [1, 0], swizzle = b64>'}}
  %t = nv_tileas.async.tma_load %d[%i, %i] into %s : !d -> !nv_tileas.buffer<64x64xbf16, #s>
  return
}

// -----

#long = #nv_tileas.layout<smem, [8], linear<order = [0]>>
func.func @answer_of_32_bytes(%s: !nv_tileas.buffer<8xi32, #long>, %b: !nv_tileas.mbarrier) {
  // expected-error @below {{expects a whole unstaged buffer of 16 bytes in shared memory, but got '!nv_tileas.buffer<8xi32}}
  nv_tileas.clc_try_cancel %s signal %b : !nv_tileas.buffer<8xi32, #long>
  return
}

// -----

#answer = #nv_tileas.layout<smem, [4], linear<order = [0]>>
func.func @answers(%s: !nv_tileas.buffer<[2] 4xi32, #answer>) {
  // expected-error @below {{expects a whole unstaged buffer of 16 bytes in shared memory, but got '!nv_tileas.buffer<[2] 4xi32}}
  %p = nv_tileas.clc_query %s : !nv_tileas.buffer<[2] 4xi32, #answer>
  return
}

// -----

#s = #nv_tileas.layout<smem, [64, 64], swizzled<b128, major = 1, bits = 16>>
!d = !nv_tileas.tma_desc<64x64xbf16, order = [1, 0], swizzle = b128>
func.func @store_c1(%d: !d, %s: !nv_tileas.buffer<64x64xbf16, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.tma_store' op expects 2 coordinates, but got 1}}
  %t = nv_tileas.async.tma_store %s to %d[%i] : !nv_tileas.buffer<64x64xbf16, #s> -> !d
  return
}

// -----

func.func @bulk_wait_c1() {
  // expected-error @below {{'nv_tileas.async.bulk_wait' op 'pending' must not be negative}}
  nv_tileas.async.bulk_wait {pending = -1 : i32}
  return
}
