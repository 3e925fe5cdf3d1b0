// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure of three members, which C passes in two registers, and an array, which it cannot pass. FORM is an attribute list.
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {FORM} {
  llvm.func @simple(%p: !llvm.ptr<1>, %s: !llvm.struct<"100%s", (i32, i32, i64)>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    llvm.return
  }
  llvm.func @map(%a: !llvm.ptr<1> {llvm.align = 16 : i64}, %s: !llvm.array<3 x i32>, %n: i32,
      %m: !llvm.ptr {tileir.hidden = "tensormap", llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
        tileir.tensormap = {element = "u8", base = "arg0", extents = ["arg2"], strides = [], box = array<i64: 64>}})
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 256, 1, 1>} {
    %v = llvm.ptrtoint %m : !llvm.ptr to i64
    llvm.store %v, %a : i64, !llvm.ptr<1>
    llvm.return
  }
}
