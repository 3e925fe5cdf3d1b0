// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass after the stage of a module changes nothing, with a warning.
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(convert-tileas-to-llvm)' 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: %mlir-opt %s --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm,convert-tileaa-to-tileas),convert-tileaa-to-tileas)' 2>&1 | FileCheck %s --check-prefix=TILEAS
// RUN: echo 'module {}' | %mlir-opt --load-dialect-plugin=%libTileIR.so --load-pass-plugin=%libTileIR.so --pass-pipeline='builtin.module(convert-tileaa-to-tileas,convert-tileas-to-llvm)' 2>&1 | FileCheck %s --check-prefix=EMPTY

// LLVM: warning: convert-tileas-to-llvm: found no operation of nv_tileas; run the passes before it on cuda_tile
// TILEAS: warning: convert-tileaa-to-tileas: found no operation of nv_tileaa; run convert-cudatile-to-tileaa first
// EMPTY-NOT: warning
cuda_tile.module @m {
  entry @k() {
    return
  }
}
