// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordinary kernel: the launcher chooses shared memory, the block is the upper bound that the kernel names.
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] {
  llvm.func @types(%p: !llvm.ptr<1>, %n: i32, %h: f16, %b: i8, %d: f64, %f: f32, %s: i16, %l: i64) attributes {nvvm.kernel,
      nvvm.maxntid = array<i32: 64, 2, 1>, tileir.dynamic_smem_bytes = 4096 : i32} {
    llvm.store %n, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
