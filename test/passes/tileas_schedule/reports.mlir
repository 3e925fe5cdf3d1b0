// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Traces, random delays, constraints that do not fit, and loops that stay serial.
// DEFINE: %{load} = --load-dialect-plugin=%libTileASSchedulePasses.so --load-pass-plugin=%libTileASSchedulePasses.so

// The trace is JSON, whole, the same with one thread or many; its interval is the one of the loop.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule{schedule-trace-file=%t.json})))' -o %t.mlir
// RUN: %mlir-opt %{load} %s --mlir-disable-threading --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule{schedule-trace-file=%t.single.json})))' -o /dev/null
// RUN: diff %t.json %t.single.json
// RUN: python3 -c "import json,re,sys; events=json.load(open('%t.json'))['traceEvents']; ii=[e['args']['II'] for e in events if e['name']=='region']; told=[int(n) for n in re.findall(r'schedule.ii = (\d+)', open('%t.mlir').read())]; print(ii, told); sys.exit(ii!=told or len(ii)!=3)"
// RUN: FileCheck %s --input-file=%t.json --check-prefix=TRACE
//      TRACE: "target":"sm_80"
//      TRACE: "args":{"name":"ring"}
//      TRACE: "name":"nv_tileas.async.copy"
// A page of the same.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule{schedule-trace-file=%t.html})))' -o /dev/null
// RUN: FileCheck %s --input-file=%t.html --check-prefix=PAGE
//      PAGE: <html
// RUN: not %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule{schedule-trace-file=/nowhere/at/all})))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOWHERE
//      NOWHERE: error: could not open schedule trace file '/nowhere/at/all': No such file or directory{{$}}
// A device is written, not replaced.
// RUN: not %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule{schedule-trace-file=/dev/full})))' -o /dev/null 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: test -c /dev/full
//       DEVICE: error: could not open schedule trace file '/dev/full': No space left on device

// A seed gives one schedule, on any number of threads; another seed gives another.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{enable-random-delay random-delay-seed=1},tileas-materialize-schedule)))' -o %t.seed1
// RUN: %mlir-opt %{load} %s --mlir-disable-threading --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{enable-random-delay random-delay-seed=1},canonicalize,cse,tileas-materialize-schedule)))' | grep -o 'tileas.schedule.cycle = [0-9]*\|schedule.ii = [0-9]*' > %t.again
// RUN: grep -o 'tileas.schedule.cycle = [0-9]*\|schedule.ii = [0-9]*' %t.seed1 | diff %t.again -
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{enable-random-delay random-delay-seed=2},tileas-materialize-schedule)))' | grep -o 'tileas.schedule.cycle = [0-9]*\|schedule.ii = [0-9]*' | not diff -q %t.again -
// RUN: FileCheck %s --input-file=%t.seed1 --check-prefix=SEED
//      SEED: tileas.schedule.random_seed = 1 : i64

// Pipelines that exceed shared memory, without a search for smaller ones.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{max-constraint-iterations=0},tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=FULL
//      FULL: remark: resource constraints did not converge after 0 iterations; falling back to serial execution
//      FULL: tileas.schedule.generator = "serial"
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{max-schedulable-ops=3},tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=MANY
//      MANY: remark: loop has 7 anchors, more than max-schedulable-ops = 3; falling back to serial execution
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{scheduler=serial},tileas-materialize-schedule)))' | FileCheck %s --check-prefix=SERIAL
// SERIAL-COUNT-3: tileas.schedule.generator = "serial"
// Any size of the table, any effort.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{rrt-size-threshold=1 v2-opt-level=1},tileas-materialize-schedule)))' -o /dev/null
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{rrt-size-threshold=1 v2-opt-level=3},tileas-materialize-schedule)))' -o /dev/null
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{rrt-size-threshold=64 v2-opt-level=2},tileas-materialize-schedule)))' -o /dev/null
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{rrt-size-threshold=256 v2-opt-level=3},tileas-materialize-schedule)))' -o /dev/null
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints{rrt-size-threshold=4096 v2-opt-level=1},tileas-materialize-schedule)))' -o /dev/null

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {
  nv_tileaa.func kernel @ring(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32, #s>
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !nv_tileas.buffer<[3] 32x32xf32, #s> -> !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
    %j0 = nv_tileas.pipeline.iterator %p producer : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !nv_tileas.pipeline_iterator<3>
    %k0 = nv_tileas.pipeline.iterator %p consumer : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !nv_tileas.pipeline_iterator<3>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!nv_tileas.pipeline_iterator<3>, !nv_tileas.pipeline_iterator<3>) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !slot
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
      %j1 = nv_tileas.pipeline.advance %j : !nv_tileas.pipeline_iterator<3>
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
      %k1 = nv_tileas.pipeline.advance %k : !nv_tileas.pipeline_iterator<3>
      scf.yield %j1, %k1 : !nv_tileas.pipeline_iterator<3>, !nv_tileas.pipeline_iterator<3>
    }
    nv_tileaa.return
  }

  nv_tileaa.func kernel @rows(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
      %y = arith.mulf %x, %x : !t
      %u = nv_tileas.tiled_store weak %y, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }

  // 64 slots of 4 KiB are more than an SM has.
  nv_tileaa.func kernel @deep(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %full = nv_tileas.alloc_tensor : !nv_tileas.buffer<[64] 32x32xf32, #s>
    %b = nv_tileas.alloc_tensor : !nv_tileas.buffer<[3] 32x32xf32, #s>
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !nv_tileas.buffer<[3] 32x32xf32, #s> -> !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
    %j0 = nv_tileas.pipeline.iterator %p producer : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !nv_tileas.pipeline_iterator<3>
    %k0 = nv_tileas.pipeline.iterator %p consumer : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !nv_tileas.pipeline_iterator<3>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!nv_tileas.pipeline_iterator<3>, !nv_tileas.pipeline_iterator<3>) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !slot
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
      %j1 = nv_tileas.pipeline.advance %j : !nv_tileas.pipeline_iterator<3>
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)> -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
      %k1 = nv_tileas.pipeline.advance %k : !nv_tileas.pipeline_iterator<3>
      scf.yield %j1, %k1 : !nv_tileas.pipeline_iterator<3>, !nv_tileas.pipeline_iterator<3>
    }
    nv_tileas.dealloc %full : !nv_tileas.buffer<[64] 32x32xf32, #s>
    nv_tileaa.return
  }
}
