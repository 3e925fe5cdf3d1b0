// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
gpu.module @kernels [#nvvm.target<chip = "sm_90">] {
  llvm.func @__nv_sqrtf(f32) -> f32
  llvm.func @__nv_sinf(f32) -> f32
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %s = llvm.call @__nv_sinf(%x) : (f32) -> f32
    %r = llvm.call @__nv_sqrtf(%s) : (f32) -> f32
    llvm.store %r, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
