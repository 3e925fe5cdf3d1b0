// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Demands of a form on ptxas, on LLVM's back ends and on the text.
// REQUIRES: ptxas, fallback-ptxas
// DEFINE: %{pass} = %mlir-opt --load-dialect-plugin=%libHostWrapperPasses.so --load-pass-plugin=%libHostWrapperPasses.so
// RUN: split-file %s %t

// LA-5, LA-6: the tile form always lifts the limit of shared memory, the plain form above 48 KiB; no other private option.
// RUN: %{pass} %t/tile.mlir -o %t/tile.low.mlir --pass-pipeline='builtin.module(tileir-emit-host-wrapper)'
// RUN: %tileir-serialize %t/tile.low.mlir -o %t/none --emit=cubin '-###' 2>&1 | FileCheck %s --check-prefix=TILE
// TILE: --enable-extended-smem=true '--nv-host=
// TILE-NOT: uumn
// RUN: sed -e 's/= "tile"/= "plain"/' %t/tile.mlir > %t/plain.mlir
// RUN: %tileir-serialize %t/plain.mlir -o %t/none --emit=cubin '-###' 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: ptxas -arch sm_90a --opt-level 3 --input-as-string
// PLAIN-NOT: {{extended|nv-host|uumn}}
// RUN: sed -e 's/array<1024 x f32>/array<12289 x f32>/' %t/plain.mlir > %t/large.mlir
// RUN: %tileir-serialize %t/large.mlir -o %t/none --emit=cubin '-###' 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: --enable-extended-smem=true{{$}}
// RUN: %tileir-serialize %t/large.mlir -o %t/large.cubin

// LA-53: the attribute stands on the LLVM argument, and --emit=llvm keeps it; LA-52: the text pass hides from the back.
// RUN: %tileir-serialize %t/tile.low.mlir -o %t/tile.ll --emit=llvm && FileCheck %s --check-prefix=IR --input-file=%t/tile.ll
// IR: define ptx_kernel void @k(ptr addrspace(1) {{.*}}%0, i32 %1, ptr byval([128 x i8]) align 64 "nvvm.grid_constant" "tileir.hidden"="tensormap" %2)
// RUN: %tileir-serialize %t/tile.low.mlir -o %t/tile.ptx && FileCheck %s --check-prefix=PTX --input-file=%t/tile.ptx
// PTX: .visible .entry k(
// PTX-NEXT: {{^.}}.param .u64 .ptr .global .align 1 k_param_0,
// PTX-NEXT: {{^.}}.param .u32 k_param_1,
// PTX-NEXT: {{^.}}.hidden .param .align 64 .b8 k_param_2[128]
// PTX-NEXT: )
// LA-12: its own address, no copy.
// PTX: mov.b64 %[[P:rd[0-9]+]], k_param_2;
// PTX: cvta.param.u64 %{{rd[0-9]+}}, %[[P]];
// PTX-NOT: .local
// LA-60: visible in the plain form, in the same place.
// RUN: %tileir-serialize %t/plain.mlir -o %t/plain.ptx && FileCheck %s --check-prefix=PLAINPTX --input-file=%t/plain.ptx
// PLAINPTX: {{^.}}.param .align 64 .b8 k_param_2[128]
// PLAINPTX-NEXT: )

// LA-8: hidden parameters count. 32636 + 128 bytes are one too many on sm_90, where the map begins at 0x...f0.
// RUN: not %tileir-serialize %t/full.mlir -o %t/none 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: Formal parameter space overflowed (32816 bytes required, max 32764 bytes allowed) in function k

// LA-50: without `.language` and the symbol for an assembler that has neither; the cubin has the same shape.
// RUN: sh -c 'TILEIR_PTXAS_PATH=$TILEIR_FALLBACK_PTXAS_PATH exec "$@"' sh %tileir-serialize %t/tile.low.mlir -o %t/old.cubin --print-summary | FileCheck %s --check-prefix=OLD
// OLD: target sm_90a, PTX 9.0
// OLD: 176 bytes of parameters (2 visible), {{[0-9]+}} blocks on an SM{{$}}
// OLD: .nv.host
// RUN: %tileir-serialize %t/tile.low.mlir -o %t/new.cubin --print-summary | FileCheck %s --check-prefix=NEW
// NEW: target sm_90a, PTX 9.2
// NEW: 176 bytes of parameters (2 visible), language 7
// LA-15: 64 bytes without initial value beside `.language`.
// RUN: llvm-readelf -sW %t/new.cubin | FileCheck %s --check-prefix=META
// META: 64 OBJECT GLOBAL DEFAULT {{.*}} ___NV_TILE_LAUNCH_META_DATA___

// LA-1: a tile kernel with dynamic shared memory is refused, also when no pass has seen it.
// RUN: not %tileir-serialize %t/dynamic.mlir -o %t/none 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// DYNAMIC: error: kernel 'k' uses dynamic shared memory, which the launch ABI of tile kernels does not have; give 'dyn' a size and internal linkage

// LA-10: a block of another size in what the assembler made is our mistake, and is said to be.
// RUN: not env TILEIR_PTXAS_PATH=%lib/serialize/ptxas STANDIN_OUT=%t/new.cubin %tileir-serialize %t/simple.mlir -o %t/none --emit=cubin 2>&1 | FileCheck %s --check-prefix=INTERNAL
// INTERNAL: error: internal error: kernel 'k' has a parameter block of 176 bytes at 0x210, expected 0 at 0x210

// LA-54: no back end for the host is an error where hidden parameters need it, else a warning.
// RUN: %{pass} %t/tile.mlir -o %t/riscv.mlir --pass-pipeline='builtin.module(tileir-emit-host-wrapper{host-triple=riscv64-unknown-linux-gnu})'
// RUN: not %tileir-serialize %t/riscv.mlir -o %t/none --emit=cubin 2>&1 | FileCheck %s --check-prefix=BACKEND
// BACKEND: error: no host backend for 'riscv64-unknown-linux-gnu'; hidden parameters need host code
// RUN: %{pass} %t/simple.mlir -o %t/riscv2.mlir --pass-pipeline='builtin.module(tileir-emit-host-wrapper{host-triple=riscv64-unknown-linux-gnu})'
// RUN: %tileir-serialize %t/riscv2.mlir -o %t/riscv.cubin 2>&1 | FileCheck %s --check-prefix=WARN
// WARN: warning: no host backend for 'riscv64-unknown-linux-gnu'; host code is not embedded
// RUN: not %tileir-serialize %t/tile.mlir -o %t/none --emit=cubin 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: the module has no host module; run tileir-emit-host-wrapper; hidden parameters need host code

// LA-63: the host module as a shared library, for launchers that fill plain blocks themselves.
// RUN: %{pass} %t/tile.mlir -o /dev/null --pass-pipeline='builtin.module(tileir-emit-host-wrapper{host-triple=x86_64-unknown-linux-gnu dump-host=%t/host.mlir})'
// RUN: mlir-translate --mlir-to-llvmir %t/host.mlir -o %t/host.ll
// RUN: llc -O2 --relocation-model=pic --filetype=obj %t/host.ll -o %t/host.o
// RUN: cc -shared %t/host.o -o %t/libhost.so
// RUN: cc %S/Inputs/load_host.c -ldl -o %t/load && %t/load %t/libhost.so | FileCheck %s --check-prefix=LOAD
// LOAD: kernel k, result 0
// LOAD-NEXT: block 00{{(00)+}}
// LOAD-NEXT: map 00100000007f0000020004000000000000{{0*}}ff0f0000

//--- tile.mlir
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.mlir.global internal @buffer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x f32>
  llvm.func @k(%p: !llvm.ptr<1>, %n: i32,
      %m: !llvm.ptr {tileir.hidden = "tensormap", llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant,
        tileir.tensormap = {element = "u8", base = "arg0", extents = ["arg1"], strides = [], box = array<i64: 64>}})
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %s = llvm.mlir.addressof @buffer : !llvm.ptr<3>
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %q = llvm.getelementptr %s[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %a = llvm.ptrtoint %m : !llvm.ptr to i64
    llvm.store volatile %n, %q : i32, !llvm.ptr<3>
    llvm.store %a, %p : i64, !llvm.ptr<1>
    llvm.return
  }
}

//--- simple.mlir
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} { llvm.return }
}

//--- dynamic.mlir
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.mlir.global external @dyn() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} {
    %s = llvm.mlir.addressof @dyn : !llvm.ptr<3>
    %a = llvm.ptrtoint %s : !llvm.ptr<3> to i64
    llvm.store %a, %p : i64, !llvm.ptr<1>
    llvm.return
  }
}

//--- full.mlir
gpu.module @m [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx90">] attributes {tileir.launch_abi = "tile"} {
  llvm.func @k(%s: !llvm.ptr {llvm.byval = !llvm.array<32636 x i8>, llvm.align = 4 : i64},
      %m: !llvm.ptr {tileir.hidden = "tensormap", llvm.byval = !llvm.array<128 x i8>, llvm.align = 64 : i64, nvvm.grid_constant})
      attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 1, 1>} { llvm.return }
}
