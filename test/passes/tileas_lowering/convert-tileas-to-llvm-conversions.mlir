// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions that NVPTX gets wrong, or that not every GPU has.
// RUN: %tileir-opt %s --pass-pipeline='builtin.module(gpu.module(convert-tileas-to-llvm))' | FileCheck %s

gpu.module @m attributes {nv_tileaa.target_spec = "sm_80", nv_tileaa.num_warps = 1 : i32} {
  // CHECK-LABEL: llvm.func @to_booleans(
  //  CHECK-SAME:   %[[X:.*]]: f32, %[[D:.*]]: f64)
  nv_tileaa.func @to_booleans(%x: f32, %d: f64) -> (i1, i1) {
    // CHECK: %[[MINUS:.*]] = llvm.mlir.constant(-1.000000e+00 : f32)
    // CHECK: llvm.fcmp "ole" %[[X]], %[[MINUS]] : f32
    %0 = arith.fptosi %x : f32 to i1
    // CHECK: %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : f64)
    // CHECK: llvm.fcmp "oge" %[[D]], %[[ONE]] : f64
    %1 = arith.fptoui %d : f64 to i1
    nv_tileaa.return %0, %1 : i1, i1
  }

  // One rounding: what the first step cuts off stays known in the last bit.
  // CHECK-LABEL: llvm.func @long_integers(
  //  CHECK-SAME:   %[[I:.*]]: i32, %[[L:.*]]: i64, %[[S:.*]]: i16)
  nv_tileaa.func @long_integers(%i: i32, %l: i64, %s: i16) -> (bf16, tf32, bf16) {
    // CHECK: %[[CUT:.*]] = llvm.call_intrinsic "llvm.nvvm.i2f.rz"(%[[I]])
    // CHECK: %[[BACK:.*]] = llvm.fptosi %[[CUT]] : f32 to i32
    // CHECK: %[[LOST:.*]] = llvm.icmp "ne" %[[BACK]], %[[I]]
    // CHECK: %[[BIT:.*]] = llvm.zext %[[LOST]] : i1 to i32
    // CHECK: llvm.or %{{.*}}, %[[BIT]]
    // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
    %0 = arith.sitofp %i : i32 to bf16
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ull2f.rz"(%[[L]])
    // CHECK-NOT: llvm.fptrunc
    %1 = arith.uitofp %l : i64 to tf32
    // CHECK: llvm.sitofp %[[S]] : i16 to bf16
    %2 = arith.sitofp %s : i16 to bf16
    nv_tileaa.return %0, %1, %2 : bf16, tf32, bf16
  }

  // CHECK-LABEL: llvm.func @cut_off_twice(
  nv_tileaa.func @cut_off_twice(%d: f64) -> bf16 {
    // CHECK: llvm.inline_asm "cvt.rz.f32.f64 $0, $1;"
    // CHECK: llvm.inline_asm "cvt.rz.bf16.f32 $0, $1;"
    %0 = nv_tileas.fp_to_fp %d rounding<zero> : f64 -> bf16
    nv_tileaa.return %0 : bf16
  }

  // CHECK-LABEL: llvm.func @directed(
  nv_tileaa.func @directed(%d: f64) -> (f32, f32) {
    // CHECK: llvm.inline_asm "cvt.rm.f32.f64 $0, $1;"
    %0 = nv_tileas.fp_to_fp %d rounding<negative_inf> : f64 -> f32
    // CHECK: llvm.inline_asm "cvt.rp.f32.f64 $0, $1;"
    %1 = nv_tileas.fp_to_fp %d rounding<positive_inf> : f64 -> f32
    nv_tileaa.return %0, %1 : f32, f32
  }
}

// From sm_89 on 8-bit floats become f16 in pairs, and everything else from there.
gpu.module @pairs attributes {nv_tileaa.target_spec = "sm_89", nv_tileaa.num_warps = 1 : i32} {
  // CHECK-LABEL: llvm.func @of_a_pair(
  nv_tileaa.func @of_a_pair(%x: f8E5M2) -> f32 {
    // CHECK: %[[PAIR:.*]] = nvvm.convert.f8x2.to.f16x2 %{{.*}} : vector<2xi8>(f8E5M2) -> vector<2xf16>
    // CHECK: %[[LOW:.*]] = llvm.extractelement %[[PAIR]]
    // CHECK: llvm.fpext %[[LOW]] : f16 to f32
    %0 = nv_tileas.fp_to_fp %x : f8E5M2 -> f32
    nv_tileaa.return %0 : f32
  }
}
