// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of memory that no thread writes while the kernel runs, and everything that may write it or synchronize with a write.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so --pass-pipeline='builtin.module(gpu.module(convert-tileaa-to-tileas{compute-capability=sm_90}))' | FileCheck %s

gpu.module @kernels {

nv_tileaa.global "private" constant @table = dense<[1.0, 2.0]> : tensor<2xf32>
nv_tileaa.global "private" @state = dense<[1.0, 2.0]> : tensor<2xf32>

// CHECK-LABEL: nv_tileaa.func kernel @read_only(
// CHECK-COUNT-2:   nv_tileas.load weak %{{.*}} {invariant, {{.*}} -> f32
//       CHECK:   nv_tileas.store
nv_tileaa.func kernel @read_only(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}, %q: !nv_tileaa.ptr<f32> {nv_tileaa.noalias, nv_tileaa.readonly}, %out: !nv_tileaa.ptr<f32>) {
  %x, %t0 = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> f32
  %y, %t1 = nv_tileaa.load weak %q : !nv_tileaa.ptr<f32> -> f32
  %z = arith.addf %x, %y : f32
  %t2 = nv_tileaa.store weak %out, %z : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Nothing says that the pointers differ, or only that of another argument.
// CHECK-LABEL: nv_tileaa.func kernel @may_alias(
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @may_alias(%p: !nv_tileaa.ptr<f32>, %r: !nv_tileaa.ptr<f32> {nv_tileaa.readonly}, %out: !nv_tileaa.ptr<f32>) {
  %x, %t0 = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> f32
  %y, %t1 = nv_tileaa.load weak %r : !nv_tileaa.ptr<f32> -> f32
  %z = arith.addf %x, %y : f32
  %t2 = nv_tileaa.store weak %out, %z : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Memory that is `readonly` beside a store whose pointer has no other name.
// CHECK-LABEL: nv_tileaa.func kernel @stored_alone(
//       CHECK:   nv_tileas.load weak %{{.*}} {invariant, {{.*}} -> f32
//       CHECK:   nv_tileas.store
nv_tileaa.func kernel @stored_alone(%r: !nv_tileaa.ptr<f32> {nv_tileaa.readonly}, %out: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}) {
  %x, %t0 = nv_tileaa.load weak %r : !nv_tileaa.ptr<f32> -> f32
  %t1 = nv_tileaa.store weak %out, %x : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// The kernel writes through the same pointer: after the load, before it, by an atomic access.
// CHECK-LABEL: nv_tileaa.func kernel @written(
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @written(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}, %q: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}, %n: !nv_tileaa.ptr<i32> {nv_tileaa.noalias}) {
  %x, %t0 = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> f32
  %t1 = nv_tileaa.store weak %p, %x : !nv_tileaa.ptr<f32>, f32
  %t2 = nv_tileaa.store weak %q, %x : !nv_tileaa.ptr<f32>, f32
  %y, %t3 = nv_tileaa.load weak %q token %t2 : !nv_tileaa.ptr<f32> -> f32
  %c = arith.constant 1 : i32
  %old, %t4 = nv_tileaa.atomic_rmw add relaxed gpu %n, %c : !nv_tileaa.ptr<i32>, i32
  %m, %t5 = nv_tileaa.load weak %n token %t4 : !nv_tileaa.ptr<i32> -> i32
  nv_tileaa.return
}

// An address that no pointer of the kernel leads to may be any.
// CHECK-LABEL: nv_tileaa.func kernel @written_anywhere(
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @written_anywhere(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}, %a: i64) {
  %x, %t0 = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> f32
  %q = nv_tileaa.int_to_ptr %a : i64 -> !nv_tileaa.ptr<f32>
  %t1 = nv_tileaa.store weak %q, %x : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Others may have written what an acquiring load tells of; loads that are not weak are no candidates.
// CHECK-LABEL: nv_tileaa.func kernel @acquires(
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @acquires(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias, nv_tileaa.readonly}, %flag: !nv_tileaa.ptr<i32>) {
  %f, %t0 = nv_tileaa.load acquire gpu %flag : !nv_tileaa.ptr<i32> -> i32
  %x, %t1 = nv_tileaa.load weak %p token %t0 : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @kinds(
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @kinds(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}) {
  %x, %t0 = nv_tileaa.load relaxed gpu %p : !nv_tileaa.ptr<f32> -> f32
  %y, %t1 = nv_tileaa.load weak %p {is_volatile} : !nv_tileaa.ptr<f32> -> f32
  %z, %t2 = nv_tileaa.load weak %p {cache_modifier = #nv_tileaa.cache_modifier<cv>} : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// The grid before this one may still write until it is waited for.
// CHECK-LABEL: nv_tileaa.func kernel @dependent(
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @dependent(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}) {
  %t0 = nv_tileaa.grid_dependency wait
  %x, %t1 = nv_tileaa.load weak %p token %t0 : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

// No thread writes a constant, whatever else a kernel does; any thread may write a variable.
// CHECK-LABEL: nv_tileaa.func kernel @globals(
//       CHECK:   %[[T:.*]] = nv_tileas.get_global @table
//       CHECK:   nv_tileas.load weak %[[T]] {{.*}}invariant
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func kernel @globals(%out: !nv_tileaa.ptr<f32>, %flag: !nv_tileaa.ptr<i32>) {
  %f, %t0 = nv_tileaa.load acquire gpu %flag : !nv_tileaa.ptr<i32> -> i32
  %g = nv_tileaa.get_global @table : !nv_tileaa.ptr<f32>
  %x, %t1 = nv_tileaa.load weak %g token %t0 : !nv_tileaa.ptr<f32> -> f32
  %s = nv_tileaa.get_global @state : !nv_tileaa.ptr<f32>
  %y, %t2 = nv_tileaa.load weak %s token %t0 : !nv_tileaa.ptr<f32> -> f32
  %t3 = nv_tileaa.store weak %out, %x : !nv_tileaa.ptr<f32>, f32
  nv_tileaa.return
}

// Callers know what the pointers of a function are, and what it is called by.
// CHECK-LABEL: nv_tileaa.func @callee(
//   CHECK-NOT:   invariant
//       CHECK:   nv_tileaa.return
nv_tileaa.func @callee(%p: !nv_tileaa.ptr<f32> {nv_tileaa.noalias}) {
  %x, %t0 = nv_tileaa.load weak %p : !nv_tileaa.ptr<f32> -> f32
  nv_tileaa.return
}

}
