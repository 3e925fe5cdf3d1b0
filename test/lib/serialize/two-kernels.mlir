//--- one.mlir
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @one [#nvvm.target<chip = "sm_90">] {
  llvm.func @axpy(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    llvm.store %x, %p : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @scale(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %y = llvm.fmul %x, %x : f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
//--- two.mlir
gpu.module @two [#nvvm.target<chip = "sm_90">] {
  llvm.func @copy(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %x = llvm.load %q : !llvm.ptr<1> -> f32
    llvm.store %x, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
