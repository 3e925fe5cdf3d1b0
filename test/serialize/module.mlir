// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of a serializable module, and which target it is for.
// RUN: rm -rf %t && split-file %s %t
// RUN: not %tileir-serialize %t/targets.mlir -o %t/none 2>&1 | FileCheck %t/targets.mlir
// RUN: not %tileir-serialize %t/kernels.mlir --module=linkage -o %t/none 2>&1 | FileCheck %t/kernels.mlir --check-prefix=LINKAGE
// RUN: not %tileir-serialize %t/kernels.mlir --module=result -o %t/none 2>&1 | FileCheck %t/kernels.mlir --check-prefix=RESULT
// RUN: not %tileir-serialize %t/kernels.mlir --module=body -o %t/none 2>&1 | FileCheck %t/kernels.mlir --check-prefix=BODY
// RUN: not %tileir-serialize %t/kernels.mlir --module=name -o %t/none 2>&1 | FileCheck %t/kernels.mlir --check-prefix=NAME
// RUN: not %tileir-serialize %t/kernels.mlir --module=control -o %t/none 2>&1 | FileCheck %t/kernels.mlir --check-prefix=CONTROL
// RUN: %tileir-serialize %t/kernels.mlir --module=good -o - --emit=ptx | FileCheck %t/kernels.mlir --check-prefix=GOOD
// RUN: %tileir-serialize %t/kernels.mlir --module=good -o - --emit=ptx --relocatable-device-code | FileCheck %t/kernels.mlir --check-prefix=RDC
// RUN: %tileir-serialize %t/bare.mlir -o - --emit=ptx | FileCheck %t/bare.mlir
// RUN: %tileir-serialize %t/bare.mlir -o - --emit=ptx --gpu-name=sm_90a | FileCheck %t/bare.mlir --check-prefix=NAMED
// RUN: %tileir-serialize %t/attributes.mlir -o - --emit=ptx 2>&1 | FileCheck %t/attributes.mlir
// RUN: %tileir-serialize %t/suffix.mlir -o - --emit=ptx --module=plain | FileCheck %t/suffix.mlir --check-prefix=KEEP
// RUN: %tileir-serialize %t/suffix.mlir -o - --emit=ptx --module=plain --arch-suffix=minimal | FileCheck %t/suffix.mlir --check-prefix=KEEP
// RUN: %tileir-serialize %t/suffix.mlir -o - --emit=ptx --module=plain --arch-suffix=accelerated | FileCheck %t/suffix.mlir --check-prefix=A
// RUN: %tileir-serialize %t/suffix.mlir -o - --emit=ptx --module=needs --arch-suffix=minimal | FileCheck %t/suffix.mlir --check-prefix=A
// RUN: %tileir-serialize %t/suffix.mlir -o - --emit=ptx --module=plain --gpu-name=sm_100f --arch-suffix=minimal | FileCheck %t/suffix.mlir --check-prefix=F
// RUN: %tileir-serialize %t/suffix.mlir -o - --emit=ptx --module=old --arch-suffix=accelerated | FileCheck %t/suffix.mlir --check-prefix=OLD
// RUN: %tileir-serialize %t/suffix.mlir -o - --emit=llvm --module=needs --arch-suffix=minimal | FileCheck %t/suffix.mlir --check-prefix=LLVM
// RUN: not %tileir-serialize %t/suffix.mlir -o %t/none --module=plain --gpu-name=sm_103 2>&1 | FileCheck %t/suffix.mlir --check-prefix=OTHER
// RUN: not %tileir-serialize %t/suffix.mlir -o %t/none --module=plain --ptx-version=8.5 2>&1 | FileCheck %t/suffix.mlir --check-prefix=FLOOR
// RUN: not %tileir-serialize %t/suffix.mlir -o %t/none --module=plain --ptx-version=9.1 2>&1 | FileCheck %t/suffix.mlir --check-prefix=CEILING
// RUN: not %tileir-serialize %t/suffix.mlir -o %t/none --module=low 2>&1 | FileCheck %t/suffix.mlir --check-prefix=LOW
// RUN: not ls %t/none

//--- targets.mlir
// One target, not two (S-120).
// CHECK: error: gpu.module 'm' carries 2 targets
gpu.module @m [#nvvm.target<chip = "sm_90">, #nvvm.target<chip = "sm_100">] {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}

//--- kernels.mlir
// Form of a kernel (S-122), and its names (S-123, S-283).
// LINKAGE: error: kernel 'k' needs external linkage
// RESULT: error: kernel 'k' must not return a value
// BODY: error: kernel 'k' has no body
// NAME: error: kernel symbol name 'k-1' is not a valid PTX identifier
// CONTROL: error: kernel symbol name 'k\x0A\x1B[0m' is not a valid PTX identifier
// GOOD-NOT:  .visible .func
// GOOD:      .func {{.*}}helper_$_2
// GOOD:      .visible .entry k$1(
// GOOD:      .visible .entry _k(
// RDC:       .visible .func {{.*}}helper
gpu.module @linkage [#nvvm.target<chip = "sm_90">] {
  llvm.func internal @k() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @result [#nvvm.target<chip = "sm_90">] {
  llvm.func @k(%i: i32) -> i32 attributes {nvvm.kernel} {
    llvm.return %i : i32
  }
}
gpu.module @body [#nvvm.target<chip = "sm_90">] {
  llvm.func @k() attributes {nvvm.kernel}
}
gpu.module @name [#nvvm.target<chip = "sm_90">] {
  llvm.func @"k-1"() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @control [#nvvm.target<chip = "sm_90">] {
  llvm.func @"k\0A\1B[0m"() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @good [#nvvm.target<chip = "sm_90">] {
  // An inner name that PTX does not take is LLVM's business.
  llvm.func @helper.2(%i: i32) -> i32 attributes {no_inline} {
    %j = llvm.mul %i, %i : i32
    llvm.return %j : i32
  }
  llvm.func @k$1(%p: !llvm.ptr<1>, %i: i32) attributes {nvvm.kernel} {
    %j = llvm.call @helper.2(%i) : (i32) -> i32
    llvm.store %j, %p : i32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func @_k() attributes {nvvm.kernel} {
    llvm.return
  }
}

//--- bare.mlir
// Kernels without a gpu.module (S-126); without any target the newest (S-014).
// CHECK: .target sm_100{{$}}
// NAMED: .target sm_90a{{$}}
// NAMED: .visible .entry k(
llvm.func @k() attributes {nvvm.kernel} {
  llvm.return
}

//--- attributes.mlir
// The discardable form of the target (S-120, S-124), attributes that become flags, and the one that has no code (S-125).
// CHECK: warning: NVGpuComp is not available; using the built-in NVPTX path
// CHECK: .target sm_90a
// CHECK: sqrt.approx.ftz.f32
gpu.module @m attributes {nvvm.target = #nvvm.target<chip = "sm_90a">, nv_tileaa.approx = true, nv_tileaa.ftz = true,
                          nv_tileaa.libnvvm_use_nvgpucomp = true} {
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    %y = llvm.intr.sqrt(%x) : (f32) -> f32
    llvm.store %y, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}

//--- suffix.mlir
// The letter behind the chip (S-130), the chip and the option (S-131), PTX versions (S-132), the target machine (S-133).
// KEEP: .version 8.6
// KEEP: .target sm_100{{$}}
// A: .target sm_100a{{$}}
// F: .version 8.8
// F: .target sm_100f{{$}}
// OLD: .version 8.1
// OLD: .target sm_86{{$}}
// LLVM: target datalayout = "e-{{.*}}"
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: "target-cpu"="sm_100a" "target-features"="+ptx86"
// OTHER: error: --gpu-name=sm_103 conflicts with module target sm_100
// FLOOR: error: PTX version 8.5 is below 8.6, needed by 'sm_100'
// CEILING: error: PTX version 9.1 is above 9.0, the newest that can be generated
// LOW: error: target features '+ptx80' are below PTX 8.6, needed by 'sm_100'; run convert-target-to-nvvm
gpu.module @plain [#nvvm.target<chip = "sm_100">] {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @needs [#nvvm.target<chip = "sm_100">] attributes {nv_tileas.needs_accelerated_arch} {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @old [#nvvm.target<chip = "sm_86">] {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}
gpu.module @low [#nvvm.target<chip = "sm_100", features = "+ptx80">] {
  llvm.func @k() attributes {nvvm.kernel} {
    llvm.return
  }
}
