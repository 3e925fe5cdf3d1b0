// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes between the generation of constraints and their use: what the IR says decides, not who ran.
// DEFINE: %{load} = --load-dialect-plugin=%libTileASSchedulePasses.so --load-pass-plugin=%libTileASSchedulePasses.so
// DEFINE: %{between} =
// DEFINE: %{opt} = %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,%{between}tileas-materialize-schedule)))'

// Cleanup leaves the result as it is without: no function but @glue has something to clean up, and there only glue.
// RUN: %{opt} > %t.plain
// RUN: FileCheck %s --input-file=%t.plain
// REDEFINE: %{between} = canonicalize,
// RUN: %{opt} > %t.canonicalize
// REDEFINE: %{between} = cse,
// RUN: %{opt} > %t.cse
// REDEFINE: %{between} = canonicalize,cse,tileas-check-schedule{after=cse},
// RUN: %{opt} > %t.both
// RUN: grep -o 'nv_tile.aws[^}]*' %t.plain > %t.plain.attributes
// RUN: grep -o 'nv_tile.aws[^}]*' %t.canonicalize | diff %t.plain.attributes -
// RUN: grep -o 'nv_tile.aws[^}]*' %t.cse | diff %t.plain.attributes -
// RUN: grep -o 'nv_tile.aws[^}]*' %t.both | diff %t.plain.attributes -
// REDEFINE: %{between} = tileas-schedule-canonicalize,tileas-schedule-cse,
// RUN: %{opt} | diff %t.both -

// Glue that moves out of the loop changes nothing; it does move.
// REDEFINE: %{between} = loop-invariant-code-motion,
// RUN: %{opt} > %t.licm
// RUN: grep -o 'nv_tile.aws[^}]*' %t.licm | diff %t.plain.attributes -
// RUN: not diff -q %t.plain %t.licm

// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints)))' -o %t.stamped

// Marks without the analysis: an analysis that was thrown away, or text that was read. Never built again in silence.
// RUN: not %mlir-opt %{load} %t.stamped --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=E1
// RUN: not %mlir-opt %{load} %t.stamped --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-check-schedule{after=foreign})))' 2>&1 | FileCheck %s --check-prefixes=E1,AFTER
// A pass of an outer operation in between throws the analyses of functions away.
// RUN: not %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints),strip-debuginfo,nv_tileaa.func(tileas-materialize-schedule)))' 2>&1 | FileCheck %s --check-prefix=E1
// E1: error: cleanup pass invalidated ScheduleAnalysis; rerun constraint generation or remove the pass
// AFTER: note: after pass 'foreign'

// Generated again, everything is well.
// RUN: %mlir-opt %{load} %t.stamped --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule)))' | grep -o 'nv_tile.aws[^}]*' | diff %t.plain.attributes -

// First use: no pass has generated constraints.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-schedule)))' 2> %t.first -o - | grep -o 'nv_tile.aws[^}]*' | diff %t.plain.attributes -
// RUN: FileCheck %s --input-file=%t.first --check-prefix=FIRST
// FIRST: remark: schedule constraints built on demand

// On any root, with one thread or many, the same comes out.
// RUN: %mlir-opt %{load} %s --pass-pipeline='builtin.module(tileas-generate-schedule,tileas-materialize-schedule)' | diff %t.plain -
// RUN: %mlir-opt %{load} %s --mlir-disable-threading --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-generate-schedule-constraints,tileas-materialize-schedule)))' | diff %t.plain -

#s = #nv_tileas.layout<smem, [32, 32], linear<order = [1, 0]>>
#l = #nv_tileas.layout<reg, [32, 32], blocked<per_thread = [1, 4], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
!m = !nv_tileaa.memref<?x64xf32, strides = [64, 1]>
!v = !nv_tileaa.tiled_view<32x32 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, padding = zero>
!ring = !nv_tileas.buffer<[3] 32x32xf32, #s>
!slot = !nv_tileas.buffer<32x32xf32, #s>
!p = !nv_tileas.pipeline<3, (buffer<32x32xf32, #s>)>
!i = !nv_tileas.pipeline_iterator<3>
!t = tensor<32x32xf32, #l>
gpu.module @m attributes {nv_tileaa.target_spec = "sm_80"} {

  // Copies run ahead of the rest, which is of one stage; nothing is left of the marks.
  // CHECK-LABEL: nv_tileaa.func kernel @ring
  // CHECK-NOT: tileas.schedule.fingerprint
  // CHECK: scf.for
  // CHECK: nv_tileas.pipeline.acquire {{.*}}{nv_tile.aws.order = [[O:[0-9]+]] : i32, nv_tile.aws.stage = 0 : i32, tileas.schedule.cycle = {{[0-9]+}} : i32}
  // CHECK: nv_tileas.async.copy {{.*}}nv_tile.aws.stage = 0 : i32
  // CHECK: nv_tileas.pipeline.commit {{.*}}nv_tile.aws.stage = 0 : i32
  // CHECK: nv_tileas.pipeline.wait {{.*}}nv_tile.aws.order = 0 : i32, nv_tile.aws.stage = [[S:[1-9]]] : i32
  // CHECK: nv_tileas.copy {{.*}}nv_tile.aws.stage = [[S]] : i32
  // CHECK: nv_tileas.tiled_store {{.*}}nv_tile.aws.stage = [[S]] : i32
  // CHECK: nv_tileas.pipeline.release {{.*}}nv_tile.aws.stage = [[S]] : i32
  // CHECK-NOT: tileas.schedule.node
  // CHECK: } {tileas.schedule.generator = "{{.*}}", tileas.schedule.ii = {{[0-9]+}} : i32, tileas.schedule.mii = {{[0-9]+}} : i32, tileas.schedule.model_version = 1 : i32, tileas.schedule.num_stages = {{[2-9]}} : i32}
  nv_tileaa.func kernel @ring(%v: !v, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %b = nv_tileas.alloc_tensor : !ring
    %p = nv_tileas.pipeline.create %b {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !ring -> !p
    %j0 = nv_tileas.pipeline.iterator %p producer : !p -> !i
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%j = %j0, %k = %k0) -> (!i, !i) : i32 {
      %w = nv_tileas.pipeline.acquire %p[%j] : !p -> !slot
      %t = nv_tileas.async.copy %v[%i, %c0] into %w {via = #l} : !v[i32, i32] -> !slot
      nv_tileas.pipeline.commit %p[%j] : !p
      %j1 = nv_tileas.pipeline.advance %j : !i
      %s = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !slot
      %x = nv_tileas.copy %s : !slot -> !t
      %u = nv_tileas.tiled_store weak %x, %v[%i, %c0] : !t, !v[i32, i32]
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %j1, %k1 : !i, !i
    }
    nv_tileaa.return
  }

  // Scalars, a constant and a value that is computed twice: glue, without numbers.
  // CHECK-LABEL: nv_tileaa.func kernel @glue
  // CHECK: nv_tileas.tiled_load {{.*}}nv_tile.aws.order
  nv_tileaa.func kernel @glue(%v: !v, %n: i32, %f: f32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      %g = arith.mulf %f, %f : f32
      %h = arith.mulf %f, %f : f32
      %a = nv_tileas.splat %g : f32 -> !t
      %b = nv_tileas.splat %h : f32 -> !t
      %x, %t = nv_tileas.tiled_load weak %v[%i, %c0] : !v[i32, i32] -> !t
      %y = arith.mulf %x, %a : !t
      %z = arith.addf %y, %b : !t
      %u = nv_tileas.tiled_store weak %z, %v[%i, %c0] : !t, !v[i32, i32]
    }
    nv_tileaa.return
  }
}
