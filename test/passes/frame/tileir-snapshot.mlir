// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing on the way changes nothing (S-174).
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileAADialect.so --load-pass-plugin=%libFramePasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-snapshot{tag=here}))' -o /dev/null 2>&1 | FileCheck %s
// RUN: rm -f %t.txt
// RUN: %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-snapshot{tag=one file=%t.txt},tileir-snapshot{tag=two file=%t.txt}))' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAME --implicit-check-not=snapshot
// RUN: FileCheck %s --check-prefix=FILE --input-file=%t.txt
// RUN: not %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-snapshot{tag=x file=%t.none/x}))' 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: cannot write snapshot '{{.*}}.none/x': No such file or directory
// RUN: not %{opt} %s --pass-pipeline='builtin.module(gpu.module(tileir-snapshot{tag=x file=/dev/full}))' 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: cannot write snapshot '/dev/full': No space left on device

// CHECK: // -----// TileIR snapshot: here //----- //
// CHECK-NEXT: gpu.module @m {
// CHECK: nv_tileaa.return loc("k.py":5:3)
// SAME: gpu.module @m {
// FILE: // -----// TileIR snapshot: one //----- //
// FILE: // -----// TileIR snapshot: two //----- //
gpu.module @m {
  nv_tileaa.func kernel @k() {
    nv_tileaa.return loc("k.py":5:3)
  }
}
