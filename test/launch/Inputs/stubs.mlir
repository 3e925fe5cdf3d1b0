// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels of every parameter type, one with a workspace and a tensor map. FORM is an attribute list.
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {FORM} {
  llvm.func @types(%p: !llvm.ptr<1>, %n: i32, %h: f16, %b: i8, %d: f64, %f: f32, %s: i16, %l: i64) attributes {nvvm.kernel,
      nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>} {
    llvm.store %n, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @map(%a: !llvm.ptr<1> {llvm.align = 16 : i64}, %n: i32, %w: !llvm.ptr<1> {tileir.hidden = "workspace"},
      %m: !llvm.ptr {tileir.hidden = "tensormap", llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
        tileir.tensormap = {element = "u8", base = "arg0", extents = ["arg1"], strides = [], box = array<i64: 64>}})
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>, tileir.device_maps = 1 : i32} {
    %v = llvm.ptrtoint %m : !llvm.ptr to i64
    llvm.store %v, %w : i64, !llvm.ptr<1>
    llvm.return
  }
}
