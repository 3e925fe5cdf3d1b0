// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module @prog attributes {gpu.container_module} {
  gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_100", features = "+ptx86", flags = {"-Xopt"}>] {
    llvm.func @axpy(%x: !llvm.ptr<1> {llvm.align = 1 : i64}, %y: !llvm.ptr<1>, %a: f32, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>, nvvm.minctasm = 1 : i32} {
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %cta = nvvm.read.ptx.sreg.clusterid.x : i32
      %c128 = llvm.mlir.constant(128 : i32) : i32
      %b = llvm.mul %cta, %c128 : i32
      %i = llvm.add %b, %tid : i32
      %in = llvm.icmp "slt" %i, %n : i32
      llvm.cond_br %in, ^body, ^exit
    ^body:
      %px = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %py = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
      %vx = llvm.load %px : !llvm.ptr<1> -> f32
      %vy = llvm.load %py : !llvm.ptr<1> -> f32
      %m = llvm.fmul %vx, %a : f32
      %s = llvm.fadd %m, %vy : f32
      llvm.store %s, %py : f32, !llvm.ptr<1>
      llvm.br ^exit
    ^exit:
      llvm.return
    }
  }
}
