// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libNVTileASDialect.so %s --split-input-file --verify-diagnostics

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
func.func @pipeline_depth() {
  // expected-error @+1 {{a pipeline has at least one slot, got 0}}
  %0 = ub.poison : !nv_tileas.pipeline<0, ()>
  return
}

// -----

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
func.func @create_c1(%a: !nv_tileas.buffer<[2] 32x32xf32, #s>) {
  // expected-error @below {{'nv_tileas.pipeline.create' op expects buffers of 3 stages, but got '!nv_tileas.buffer<[2] 32x32xf32, #nv_tileas.layout<smem, [32, 32], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 0], [8, 0], [16, 0]]>>'}}
  %p = nv_tileas.pipeline.create %a {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !nv_tileas.buffer<[2] 32x32xf32, #s> -> !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
  return
}

// -----

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
func.func @create_c1_payload(%a: !nv_tileas.buffer<[2] 32x32xf32, #s>) {
  // expected-error @below {{'nv_tileas.pipeline.create' op payloads must be the stages of the buffers, but got '!nv_tileas.pipeline<2, ()>'}}
  %p = nv_tileas.pipeline.create %a {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !nv_tileas.buffer<[2] 32x32xf32, #s> -> !nv_tileas.pipeline<2, ()>
  return
}

// -----

func.func @create_c2() {
  // expected-error @below {{'nv_tileas.pipeline.create' op 'group' is for the producer 'cp_async', but got 'tma'}}
  %p = nv_tileas.pipeline.create {producer = tma, consumers = [generic], sync = group, empty = barrier} : -> !nv_tileas.pipeline<2, ()>
  return
}

// -----

func.func @create_c3() {
  // expected-error @below {{'nv_tileas.pipeline.create' op 'consumers' names each kind of consumer once}}
  %p = nv_tileas.pipeline.create {producer = tma, consumers = [generic, generic], sync = mbarrier, empty = barrier} : -> !nv_tileas.pipeline<2, ()>
  return
}

// -----

func.func @create_c3_none() {
  // expected-error @below {{'nv_tileas.pipeline.create' op expects at least one consumer}}
  %p = nv_tileas.pipeline.create {producer = tma, consumers = [], sync = mbarrier, empty = barrier} : -> !nv_tileas.pipeline<2, ()>
  return
}

// -----

func.func @create_word() {
  // expected-error @below {{unknown producer 'magic'}}
  %p = nv_tileas.pipeline.create {producer = magic, consumers = [generic], sync = mbarrier, empty = barrier} : -> !nv_tileas.pipeline<2, ()>
  return
}

// -----

func.func @iterator_c1(%p: !nv_tileas.pipeline<2, ()>) {
  // expected-error @below {{'nv_tileas.pipeline.iterator' op expects iterators of depth 2, but got '!nv_tileas.pipeline_iterator<3>'}}
  %i = nv_tileas.pipeline.iterator %p consumer : !nv_tileas.pipeline<2, ()> -> !nv_tileas.pipeline_iterator<3>
  return
}

// -----

func.func @commit_c1(%p: !nv_tileas.pipeline<2, ()>, %i: !nv_tileas.pipeline_iterator<3>) {
  // expected-error @below {{'nv_tileas.pipeline.commit' op expects an iterator of depth 2, but got '!nv_tileas.pipeline_iterator<3>'}}
  "nv_tileas.pipeline.commit"(%p, %i) : (!nv_tileas.pipeline<2, ()>, !nv_tileas.pipeline_iterator<3>) -> ()
  return
}

// -----

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
func.func @acquire_c2(%p: !nv_tileas.pipeline<2, ()>, %i: !nv_tileas.pipeline_iterator<2>) {
  // expected-error @below {{'nv_tileas.pipeline.acquire' op results must be the payloads of '!nv_tileas.pipeline<2, ()>'}}
  %s = nv_tileas.pipeline.acquire %p[%i] : !nv_tileas.pipeline<2, ()> -> !nv_tileas.buffer<32x32xf32, #s>
  return
}

// -----

func.func @wait_c3(%p: !nv_tileas.pipeline<2, ()>, %i: !nv_tileas.pipeline_iterator<2>) {
  // expected-error @below {{'nv_tileas.pipeline.wait' op 'pending' must not be negative}}
  nv_tileas.pipeline.wait %p[%i] {pending = -1 : i32} : !nv_tileas.pipeline<2, ()>
  return
}

// -----

func.func @wait_group_c1() {
  // expected-error @below {{'nv_tileas.async.wait_group' op 'pending' must not be negative}}
  nv_tileas.async.wait_group {pending = -1 : i32}
  return
}

// -----

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 16], blocked<per_thread = [1, 4], lanes = [8, 4], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @copy_c2(%v: !v, %s: !nv_tileas.buffer<32x32xf32, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.copy' op 'via' must be a register layout of the buffer's shape}}
  %0 = nv_tileas.async.copy %v[%i, %i] into %s {via = #l} : !v[i32, i32] -> !nv_tileas.buffer<32x32xf32, #s>
  return
}

// -----

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
func.func @copy_c3(%v: !v, %s: !nv_tileas.buffer<32x32xf32, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.copy' op expects 2 coordinates, but got 1}}
  %0 = nv_tileas.async.copy %v[%i] into %s {via = #l} : !v[i32] -> !nv_tileas.buffer<32x32xf32, #s>
  return
}

// -----

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = nan>
func.func @copy_c3_padding(%v: !v, %s: !nv_tileas.buffer<32x32xf32, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.copy' op writes zero where the view has other padding}}
  %0 = nv_tileas.async.copy %v[%i, %i] into %s {via = #l} : !v[i32, i32] -> !nv_tileas.buffer<32x32xf32, #s>
  return
}

// -----

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [1, 1], order = [1, 0]>>
func.func @copy_c4(%q: tensor<32x32x!nv_tileaa.ptr<f32>, #l>, %s: !nv_tileas.buffer<32x32xf32, #s>, %i: i32) {
  // expected-error @below {{'nv_tileas.async.copy' op coordinates and 'in_bounds' are for views}}
  %0 = nv_tileas.async.copy %q[%i, %i] into %s {via = #l} : tensor<32x32x!nv_tileaa.ptr<f32>, #l>[i32, i32] -> !nv_tileas.buffer<32x32xf32, #s>
  return
}

// -----

func.func @freed_elsewhere() {
  // expected-error @below {{'nv_tileas.freed_by_waits' expects a unit attribute of a pipeline}}
  %0 = arith.constant {nv_tileas.freed_by_waits} 0 : i32
  return
}
