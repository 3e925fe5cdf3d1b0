// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libNVTileAADialect.so
// RUN: %{opt} %s | %{opt} | FileCheck %s
// RUN: %{opt} %s --mlir-print-op-generic | %{opt} | FileCheck %s

gpu.module @math {
  // CHECK-LABEL: nv_tileaa.func @math(
  nv_tileaa.func @math(%a: tensor<64xf32>, %b: tensor<64xf32>, %i: tensor<64xi32>, %s: f16) {
    // CHECK-NEXT: nv_tileaa.addf %{{.*}}, %{{.*}} rounding<zero> : tensor<64xf32>
    %0 = nv_tileaa.addf %a, %b rounding<zero> : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.subf %{{.*}}, %{{.*}} rounding<negative_inf> ftz : tensor<64xf32>
    %1 = nv_tileaa.subf %0, %b rounding<negative_inf> ftz : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.mulf %{{.*}}, %{{.*}} ftz : tensor<64xf32>
    %2 = nv_tileaa.mulf %1, %b ftz : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.divf %{{.*}}, %{{.*}} rounding<full> : tensor<64xf32>
    %3 = nv_tileaa.divf %2, %b rounding<full> : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.fma %{{.*}}, %{{.*}}, %{{.*}} rounding<positive_inf> : tensor<64xf32>
    %4 = nv_tileaa.fma %a, %b, %3 rounding<positive_inf> : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.sqrt %{{.*}} rounding<approx> ftz : tensor<64xf32>
    %5 = nv_tileaa.sqrt %4 rounding<approx> ftz : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.rsqrt %{{.*}} ftz : tensor<64xf32>
    %6 = nv_tileaa.rsqrt %5 ftz : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.exp2 %{{.*}} : f16
    %7 = nv_tileaa.exp2 %s : f16
    // CHECK-NEXT: nv_tileaa.maxf %{{.*}}, %{{.*}} propagate_nan ftz : tensor<64xf32>
    %8 = nv_tileaa.maxf %6, %a propagate_nan ftz : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.minf %{{.*}}, %{{.*}} ftz : tensor<64xf32>
    %9 = nv_tileaa.minf %8, %b ftz : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.clampf %{{.*}}, %{{.*}}, %{{.*}} : tensor<64xf32>
    %10 = nv_tileaa.clampf %9, %a, %b : tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.mulhiui %{{.*}}, %{{.*}} : tensor<64xi32>
    %11 = nv_tileaa.mulhiui %i, %i : tensor<64xi32>
    // CHECK-NEXT: nv_tileaa.fp_to_fp %{{.*}} rounding<zero> : f16 -> bf16
    %12 = nv_tileaa.fp_to_fp %s rounding<zero> : f16 -> bf16
    // CHECK-NEXT: nv_tileaa.fp_to_fp %{{.*}} saturate : tensor<64xf32> -> tensor<64xf8E4M3FN>
    %13 = nv_tileaa.fp_to_fp %10 saturate : tensor<64xf32> -> tensor<64xf8E4M3FN>
    // CHECK-NEXT: nv_tileaa.fp_to_fp %{{.*}} rounding<positive_inf> : tensor<64xf32> -> tensor<64xf8E8M0FNU>
    %14 = nv_tileaa.fp_to_fp %10 rounding<positive_inf> : tensor<64xf32> -> tensor<64xf8E8M0FNU>
    // CHECK-NEXT: nv_tileaa.extern_elementwise "f" (%{{.*}}) pure = true : (tensor<64xf32>) -> tensor<64xf32>
    %15 = nv_tileaa.extern_elementwise "f" (%a) pure = true : (tensor<64xf32>) -> tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.elementwise_inline_asm "mov.b32 $0, $1;" "=r,r" (%{{.*}}) pure = false packed = 2 : (tensor<64xi32>) -> tensor<64xi32>
    %16 = nv_tileaa.elementwise_inline_asm "mov.b32 $0, $1;" "=r,r" (%i) pure = false packed = 2 : (tensor<64xi32>) -> tensor<64xi32>
    // CHECK-NEXT: nv_tileaa.call_elementwise_intrinsic "llvm.nvvm.lg2.approx.f" (%{{.*}}) pure = true
    %17 = nv_tileaa.call_elementwise_intrinsic "llvm.nvvm.lg2.approx.f" (%a) pure = true : (tensor<64xf32>) -> tensor<64xf32>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @dot(
  nv_tileaa.func @dot(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>, %c: tensor<64x128xf32>, %p: tensor<2x16x64xi8>,
                      %q: tensor<2x64x16xi8>, %r: tensor<2x16x16xi32>, %x: tensor<16x64xf8E4M3FN>,
                      %y: tensor<64x16xf8E5M2>, %z: tensor<16x16xf32>, %sx: tensor<16x2xf8E8M0FNU>,
                      %sy: tensor<2x16xf8E8M0FNU>, %f: tensor<16x16xf32>) {
    // CHECK-NEXT: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32>
    %0 = nv_tileaa.dot %a, %b, %c : tensor<64x32xf16>, tensor<32x128xf16>, tensor<64x128xf32>
    // CHECK-NEXT: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} signs(signed, unsigned) : tensor<2x16x64xi8>
    %1 = nv_tileaa.dot %p, %q, %r signs(signed, unsigned) : tensor<2x16x64xi8>, tensor<2x64x16xi8>, tensor<2x16x16xi32>
    // CHECK-NEXT: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} scales(%{{.*}}, %{{.*}}) : {{.*}} scales(tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU>)
    %2 = nv_tileaa.dot %x, %y, %z scales(%sx, %sy) : tensor<16x64xf8E4M3FN>, tensor<64x16xf8E5M2>, tensor<16x16xf32> scales(tensor<16x2xf8E8M0FNU>, tensor<2x16xf8E8M0FNU>)
    // CHECK-NEXT: nv_tileaa.dot %{{.*}}, %{{.*}}, %{{.*}} {input_precision = #nv_tileaa.input_precision<tf32x3>} : tensor<16x16xf32>
    %3 = nv_tileaa.dot %f, %f, %f {input_precision = #nv_tileaa.input_precision<tf32x3>} : tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @reductions(
  nv_tileaa.func @reductions(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %h: tensor<256xi32>) {
    // CHECK-NEXT: nv_tileaa.reduce %{{.*}}, %{{.*}} axis = 1 identities = [0xFF800000 : f32, 0 : i32] : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4xf32>, tensor<4xi32> {
    // CHECK-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: f32, %{{.*}}: i32, %{{.*}}: i32):
    %0:2 = nv_tileaa.reduce %x, %i axis = 1 identities = [0xFF800000 : f32, 0 : i32] : tensor<4x8xf32>, tensor<4x8xi32> -> tensor<4xf32>, tensor<4xi32> {
    ^bb0(%e: f32, %a: f32, %ei: i32, %ai: i32):
      %c = arith.cmpf ogt, %e, %a : f32
      %m = arith.select %c, %e, %a : f32
      %k = arith.select %c, %ei, %ai : i32
      // CHECK: nv_tileaa.yield %{{.*}}, %{{.*}} : f32, i32
      nv_tileaa.yield %m, %k : f32, i32
    }
    // CHECK: nv_tileaa.reduce %{{.*}} axis = 0 identities = [0.000000e+00 : f32] : tensor<4xf32> -> f32 {
    %1 = nv_tileaa.reduce %0#0 axis = 0 identities = [0.0 : f32] : tensor<4xf32> -> f32 {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileaa.yield %s : f32
    }
    // CHECK: nv_tileaa.scan %{{.*}} axis = 1 reverse identities = [0.000000e+00 : f32] : tensor<4x8xf32> -> tensor<4x8xf32> {
    %2 = nv_tileaa.scan %x axis = 1 reverse identities = [0.0 : f32] : tensor<4x8xf32> -> tensor<4x8xf32> {
    ^bb0(%e: f32, %a: f32):
      %s = arith.addf %e, %a : f32
      nv_tileaa.yield %s : f32
    }
    // CHECK: nv_tileaa.histogram %{{.*}} : tensor<256xi32> -> tensor<16xi32>
    %3 = nv_tileaa.histogram %h : tensor<256xi32> -> tensor<16xi32>
    nv_tileaa.return
  }
}

gpu.module @shape {
  // CHECK-LABEL: nv_tileaa.func @shape(
  nv_tileaa.func @shape(%s: f16, %t: tensor<8x16xf16>, %p: tensor<8x!nv_tileaa.ptr<f16>>, %i: i32) {
    // CHECK-NEXT: nv_tileaa.splat %{{.*}} : f16 -> tensor<1x16xf16>
    %0 = nv_tileaa.splat %s : f16 -> tensor<1x16xf16>
    // CHECK-NEXT: nv_tileaa.broadcast %{{.*}} : tensor<1x16xf16> -> tensor<8x16xf16>
    %1 = nv_tileaa.broadcast %0 : tensor<1x16xf16> -> tensor<8x16xf16>
    // CHECK-NEXT: nv_tileaa.expand_dims %{{.*}} axes = [1, 3] : tensor<8x16xf16> -> tensor<8x1x16x1xf16>
    %2 = nv_tileaa.expand_dims %1 axes = [1, 3] : tensor<8x16xf16> -> tensor<8x1x16x1xf16>
    // CHECK-NEXT: nv_tileaa.view %{{.*}} : tensor<8x1x16x1xf16> -> tensor<128xf16>
    %3 = nv_tileaa.view %2 : tensor<8x1x16x1xf16> -> tensor<128xf16>
    // CHECK-NEXT: nv_tileaa.permute %{{.*}} [1, 0] : tensor<8x16xf16> -> tensor<16x8xf16>
    %4 = nv_tileaa.permute %1 [1, 0] : tensor<8x16xf16> -> tensor<16x8xf16>
    // CHECK-NEXT: nv_tileaa.cat %{{.*}}, %{{.*}} axis = 0 : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<16x16xf16>
    %5 = nv_tileaa.cat %1, %t axis = 0 : tensor<8x16xf16>, tensor<8x16xf16> -> tensor<16x16xf16>
    // CHECK-NEXT: nv_tileaa.extract %{{.*}}[%{{.*}}, %{{.*}}] : tensor<16x16xf16> -> f16
    %6 = nv_tileaa.extract %5[%i, %i] : tensor<16x16xf16> -> f16
    // CHECK-NEXT: nv_tileaa.extract_slice %{{.*}}[%{{.*}}, %{{.*}}] : tensor<16x16xf16> -> tensor<8x4xf16>
    %7 = nv_tileaa.extract_slice %5[%i, %i] : tensor<16x16xf16> -> tensor<8x4xf16>
    // CHECK-NEXT: nv_tileaa.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}] : tensor<8x4xf16> into tensor<16x16xf16>
    %12 = nv_tileaa.insert_slice %7 into %5[%i, %i] : tensor<8x4xf16> into tensor<16x16xf16>
    // CHECK-NEXT: nv_tileaa.make_range -8 to 56 : tensor<64xi32>
    %8 = nv_tileaa.make_range -8 to 56 : tensor<64xi32>
    // CHECK-NEXT: nv_tileaa.bitcast %{{.*}} : tensor<8x!nv_tileaa.ptr<f16>> -> tensor<8x!nv_tileaa.ptr<i16>>
    %9 = nv_tileaa.bitcast %p : tensor<8x!nv_tileaa.ptr<f16>> -> tensor<8x!nv_tileaa.ptr<i16>>
    // CHECK-NEXT: nv_tileaa.bitcast %{{.*}} : tensor<128xf16> -> tensor<512xf4E2M1FN>
    %10 = nv_tileaa.bitcast %3 : tensor<128xf16> -> tensor<512xf4E2M1FN>
    // CHECK-NEXT: nv_tileaa.generate %{{.*}} : f16 -> tensor<32xf16> {
    %11 = nv_tileaa.generate %s : f16 -> tensor<32xf16> {
    ^bb0(%d: index):
      nv_tileaa.yield %s : f16
    }
    nv_tileaa.return
  }

  // CHECK: nv_tileaa.global "private" constant @lut align 128 = dense<[0.000000e+00, 5.000000e-01]> : tensor<2xf32>
  nv_tileaa.global "private" constant @lut align 128 = dense<[0.0, 0.5]> : tensor<2xf32>

  // CHECK-LABEL: nv_tileaa.func @addresses(
  nv_tileaa.func @addresses(%p: !nv_tileaa.ptr<f16>, %m: i64, %off: tensor<8xi32>) {
    %0 = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> tensor<8x!nv_tileaa.ptr<f16>>
    // CHECK: nv_tileaa.addptr %{{.*}}, %{{.*}} : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xi32>
    %1 = nv_tileaa.addptr %0, %off : tensor<8x!nv_tileaa.ptr<f16>>, tensor<8xi32>
    // CHECK-NEXT: nv_tileaa.ptr_to_int %{{.*}} : tensor<8x!nv_tileaa.ptr<f16>> -> tensor<8xi64>
    %2 = nv_tileaa.ptr_to_int %1 : tensor<8x!nv_tileaa.ptr<f16>> -> tensor<8xi64>
    // CHECK-NEXT: nv_tileaa.int_to_ptr %{{.*}} : i64 -> !nv_tileaa.ptr<f32>
    %3 = nv_tileaa.int_to_ptr %m : i64 -> !nv_tileaa.ptr<f32>
    // CHECK-NEXT: nv_tileaa.make_memref %{{.*}} sizes[%{{.*}}] strides[%{{.*}}] scope 1 : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x64xf16, strides = [?, 1], scope = 1>
    %4 = nv_tileaa.make_memref %p sizes[%m] strides[%m] scope 1 : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<?x64xf16, strides = [?, 1], scope = 1>
    // CHECK-NEXT: nv_tileaa.make_memref %{{.*}} : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<f16, strides = []>
    %5 = nv_tileaa.make_memref %p : !nv_tileaa.ptr<f16> -> !nv_tileaa.memref<f16, strides = []>
    // CHECK-NEXT: nv_tileaa.block_tile %{{.*}} -> !nv_tileaa.tiled_view<32x16 of !nv_tileaa.memref<?x64xf16, strides = [?, 1], scope = 1>, dims = [1, 0], steps = [8, 16], padding = neg_inf>
    %6 = nv_tileaa.block_tile %4 : !nv_tileaa.memref<?x64xf16, strides = [?, 1], scope = 1>
         -> !nv_tileaa.tiled_view<32x16 of !nv_tileaa.memref<?x64xf16, strides = [?, 1], scope = 1>, dims = [1, 0], steps = [8, 16], padding = neg_inf>
    // CHECK-NEXT: nv_tileaa.get_dim_size %{{.*}} dim = 0 : !nv_tileaa.memref<
    %7 = nv_tileaa.get_dim_size %4 dim = 0 : !nv_tileaa.memref<?x64xf16, strides = [?, 1], scope = 1>
    // CHECK-NEXT: nv_tileaa.get_global @lut : !nv_tileaa.ptr<f32>
    %8 = nv_tileaa.get_global @lut : !nv_tileaa.ptr<f32>
    // CHECK-NEXT: nv_tileaa.alloca 64 align 16 shareable : !nv_tileaa.ptr<f32>
    %9 = nv_tileaa.alloca 64 align 16 shareable : !nv_tileaa.ptr<f32>
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @types(
  // CHECK-SAME: !nv_tileaa.ptr<f32, 3>
  // CHECK-SAME: !nv_tileaa.memref<?xi8, strides = [1], space = 3, scope = 2>
  // CHECK-SAME: !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 1]>, dims = {{\[}}[0, 1], [2]]>
  // CHECK-SAME: !nv_tileaa.tiled_view<8x32 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, sparse = 0>
  // CHECK-SAME: !nv_tileaa.queue<tensor<8xf16>, i32, isolated = true>
  nv_tileaa.func @types(%0: !nv_tileaa.ptr<f32, 3>, %1: !nv_tileaa.memref<?xi8, strides = [1], space = 3, scope = 2>,
                        %2: !nv_tileaa.tiled_view<64x32 of !nv_tileaa.memref<?x?x?xf16, strides = [?, ?, 1]>, dims = [[0, 1], [2]]>,
                        %3: !nv_tileaa.tiled_view<8x32 of !nv_tileaa.memref<?x?xf16, strides = [?, 1]>, dims = [0, 1], steps = [8, 32], sparse = 0>,
                        %4: !nv_tileaa.queue<tensor<8xf16>, i32, isolated = true>) {
    nv_tileaa.return
  }
}

!dense = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>
!sparse = !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>, sparse = 0>

gpu.module @memory {
  // CHECK-LABEL: nv_tileaa.func @accesses(
  nv_tileaa.func @accesses(%p: tensor<64x!nv_tileaa.ptr<f32>>, %pi: !nv_tileaa.ptr<i32>, %m: tensor<64xi1>, %z: tensor<64xf32>,
                           %x: i32, %rows: tensor<32xi64>, %v: !dense, %g: !sparse) {
    // CHECK-NEXT: nv_tileaa.create_mem_token
    %t0 = nv_tileaa.create_mem_token
    // CHECK-NEXT: %[[LD:.*]], %[[T1:.*]] = nv_tileaa.load weak %{{.*}} mask %{{.*}} other %{{.*}} token %{{.*}} {latency = 4 : i32} : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
    %a, %t1 = nv_tileaa.load weak %p mask %m other %z token %t0 {latency = 4 : i32} : tensor<64x!nv_tileaa.ptr<f32>> -> tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.load acquire gpu %{{.*}} {cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<last>, is_volatile} : !nv_tileaa.ptr<i32> -> i32
    %b, %t2 = nv_tileaa.load acquire gpu %pi {cache_modifier = #nv_tileaa.cache_modifier<cg>, eviction_policy = #nv_tileaa.eviction_policy<last>, is_volatile} : !nv_tileaa.ptr<i32> -> i32
    // CHECK-NEXT: nv_tileaa.store release sys %{{.*}}, %[[LD]] mask %{{.*}} token %[[T1]] : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32>
    %t3 = nv_tileaa.store release sys %p, %a mask %m token %t1 : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.atomic_rmw addf relaxed gpu %{{.*}}, %[[LD]] mask %{{.*}} : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32>
    %o, %t4 = nv_tileaa.atomic_rmw addf relaxed gpu %p, %a mask %m : tensor<64x!nv_tileaa.ptr<f32>>, tensor<64xf32>
    // CHECK-NEXT: nv_tileaa.atomic_cas acq_rel cluster %{{.*}}, %{{.*}}, %{{.*}} token %{{.*}} : !nv_tileaa.ptr<i32>, i32
    %c, %t5 = nv_tileaa.atomic_cas acq_rel cluster %pi, %x, %x token %t4 : !nv_tileaa.ptr<i32>, i32
    // CHECK-NEXT: nv_tileaa.tiled_load weak %{{.*}}[%{{.*}}, %{{.*}}] offsets[%{{.*}}, %{{.*}}] token %{{.*}} in_bounds = [false, true] {allow_tma = true} : !nv_tileaa.tiled_view<32x64 of !nv_tileaa.memref<?x64xf32, strides = [64, 1]>>[i32, i32] -> tensor<32x64xf32>
    %d, %t6 = nv_tileaa.tiled_load weak %v[%x, %x] offsets[%x, %x] token %t1 in_bounds = [false, true] {allow_tma = true} : !dense[i32, i32] -> tensor<32x64xf32>
    // CHECK-NEXT: nv_tileaa.tiled_store relaxed tl_blk %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} : tensor<32x64xf32>, !nv_tileaa.tiled_view<{{.*}}>[i32, i32]
    %t7 = nv_tileaa.tiled_store relaxed tl_blk %d, %v[%x, %x] token %t6 : tensor<32x64xf32>, !dense[i32, i32]
    // CHECK-NEXT: nv_tileaa.tiled_atomic_rmw add relaxed gpu %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} token %{{.*}} : !nv_tileaa.tiled_view<{{.*}}>[i32, i32], tensor<32x64xf32>
    %t8 = nv_tileaa.tiled_atomic_rmw add relaxed gpu %v[%x, %x], %d token %t7 : !dense[i32, i32], tensor<32x64xf32>
    // CHECK-NEXT: nv_tileaa.tiled_atomic_rmw max relaxed tl_blk {{.*}} tensor<32x64xf32> -> tensor<32x64xf32>
    %o2, %t9 = nv_tileaa.tiled_atomic_rmw max relaxed tl_blk %v[%x, %x], %d : !dense[i32, i32], tensor<32x64xf32> -> tensor<32x64xf32>
    // CHECK-NEXT: nv_tileaa.gather_load weak %{{.*}}[%{{.*}}, %{{.*}}] : !nv_tileaa.tiled_view<{{.*}}, sparse = 0>[tensor<32xi64>, i32] -> tensor<32x64xf32>
    %e, %t10 = nv_tileaa.gather_load weak %g[%rows, %x] : !sparse[tensor<32xi64>, i32] -> tensor<32x64xf32>
    // CHECK-NEXT: nv_tileaa.scatter_store weak %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] token %{{.*}} : tensor<32x64xf32>, !nv_tileaa.tiled_view<{{.*}}, sparse = 0>[tensor<32xi64>, i32]
    %t11 = nv_tileaa.scatter_store weak %e, %g[%rows, %x] token %t10 : tensor<32x64xf32>, !sparse[tensor<32xi64>, i32]
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @facts(
  nv_tileaa.func @facts(%n: i32, %t: tensor<8x32xi32>, %f: f32, %q: !nv_tileaa.queue<tensor<8xf16>>) {
    %0 = nv_tileaa.create_mem_token
    // CHECK: nv_tileaa.assume %{{.*}} [#nv_tileaa.div_by<8>, #nv_tileaa.bounded<1, ?>, #nv_tileaa.bounded<?, -1>] : i32
    %1 = nv_tileaa.assume %n [#nv_tileaa.div_by<8>, #nv_tileaa.bounded<1, ?>, #nv_tileaa.bounded<?, -1>] : i32
    // CHECK-NEXT: nv_tileaa.assume %{{.*}} [#nv_tileaa.div_by<4, every 4 along 1>, #nv_tileaa.same_elements<[8, 1]>] : tensor<8x32xi32>
    %2 = nv_tileaa.assume %t [#nv_tileaa.div_by<4, every 4 along 1>, #nv_tileaa.same_elements<[8, 1]>] : tensor<8x32xi32>
    %3 = arith.cmpi sgt, %1, %n : i32
    // CHECK: nv_tileaa.assert %{{.*}}, "positive" : i1
    nv_tileaa.assert %3, "positive" : i1
    // CHECK-NEXT: nv_tileaa.print "n=%5d f=%f%%\0A", %{{.*}}, %{{.*}} : i32, f32 token %{{.*}}
    %4 = nv_tileaa.print "n=%5d f=%f%%\0A", %n, %f : i32, f32 token %0
    // CHECK-NEXT: nv_tileaa.print "done"
    %5 = nv_tileaa.print "done"
    // CHECK-NEXT: nv_tileaa.join_mem_token %{{.*}}, %{{.*}}
    %6 = nv_tileaa.join_mem_token %0, %4
    // CHECK-NEXT: nv_tileaa.join_mem_token ()
    %7 = nv_tileaa.join_mem_token ()
    // CHECK-NEXT: nv_tileaa.alias_fence token %{{.*}}
    %10 = nv_tileaa.alias_fence token %7
    // CHECK-NEXT: nv_tileaa.optimization_barrier %{{.*}} : f32 -> f32
    %8 = nv_tileaa.optimization_barrier %f : f32 -> f32
    // CHECK-NEXT: nv_tileaa.pragma {unroll = 4 : i32} -> (f32) {
    %9 = nv_tileaa.pragma {unroll = 4 : i32} -> (f32) {
      nv_tileaa.yield %8 : f32
    }
    // CHECK: nv_tileaa.message "4 warps"
    nv_tileaa.message "4 warps"
    // CHECK-NEXT: nv_tileaa.mark_for_reuse %{{.*}} : !nv_tileaa.queue<tensor<8xf16>>
    nv_tileaa.mark_for_reuse %q : !nv_tileaa.queue<tensor<8xf16>>
    nv_tileaa.return
  }
}

// CHECK-LABEL: gpu.module @structure
// CHECK-SAME: nv_tileaa.compute_capability = 90 : i32
gpu.module @structure attributes {nv_tileaa.approx, nv_tileaa.compute_capability = 90 : i32, nv_tileaa.ftz,
    nv_tileaa.num_ctas = 1 : i32, nv_tileaa.num_warps = 4 : i32, nv_tileaa.producer = "p", nv_tileaa.target_spec = "sm_90a"} {
  // CHECK: nv_tileaa.func private @helper(%{{.*}}: i32) -> i32 {
  nv_tileaa.func private @helper(%x: i32) -> i32 {
    nv_tileaa.return %x : i32
  }
  // CHECK: nv_tileaa.func kernel @k(%{{.*}}: !nv_tileaa.ptr<f32> {nv_tileaa.div_by = 16 : i64, nv_tileaa.noalias, nv_tileaa.readonly}, %{{.*}}: i32 {nv_tileaa.grid_constant})
  // CHECK-SAME: attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 2, cluster_dim = [2, 1, 1], occupancy = 2, max_regs = 168>} {
  nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<f32> {nv_tileaa.div_by = 16 : i64, nv_tileaa.noalias, nv_tileaa.readonly},
                           %n: i32 {nv_tileaa.grid_constant})
      attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 2, cluster_dim = [2, 1, 1], occupancy = 2, max_regs = 168>} {
    // CHECK-NEXT: nv_tileaa.call @helper(%{{.*}}) : (i32) -> i32
    %0 = nv_tileaa.call @helper(%n) : (i32) -> i32
    // CHECK-NEXT: nv_tileaa.execute warps = 4 max_regs = 232 (%{{.*}} : i32) -> (i32) {
    %1 = nv_tileaa.execute warps = 4 max_regs = 232 (%0 : i32) -> (i32) {
    ^bb0(%a: i32):
      nv_tileaa.yield %a : i32
    }
    // CHECK: nv_tileaa.execute warps = 1 {
    nv_tileaa.execute warps = 1 {
    }
    // CHECK: nv_tileaa.plugin "f"(%{{.*}}) {max_regs = 64 : i32} : (i32) -> i32
    %2 = nv_tileaa.plugin "f"(%1) {max_regs = 64 : i32} : (i32) -> i32
    // CHECK: nv_tileaa.inject_ir "llvm" "text"(%{{.*}}) : (i32) -> i32
    %3 = nv_tileaa.inject_ir "llvm" "text"(%2) : (i32) -> i32
    nv_tileaa.return
  }

  // CHECK-LABEL: nv_tileaa.func @grid(
  nv_tileaa.func @grid(%v: tensor<64x32xf16>) {
    // CHECK-NEXT: nv_tileaa.get_program_id x
    %0 = nv_tileaa.get_program_id x
    // CHECK-NEXT: nv_tileaa.get_num_programs y
    %1 = nv_tileaa.get_num_programs y
    // CHECK-NEXT: %[[PID:.*]], %{{.*}} = nv_tileaa.cancel_next_program_id
    %pid, %t = nv_tileaa.cancel_next_program_id
    // CHECK-NEXT: nv_tileaa.is_valid_program_id %[[PID]]
    %2 = nv_tileaa.is_valid_program_id %pid
    // CHECK-NEXT: nv_tileaa.get_program_id z of %[[PID]]
    %3 = nv_tileaa.get_program_id z of %pid
    // CHECK-NEXT: %[[WAIT:.*]] = nv_tileaa.grid_dependency wait
    %4 = nv_tileaa.grid_dependency wait
    // CHECK-NEXT: nv_tileaa.grid_dependency launch_dependents token %[[WAIT]]
    %5 = nv_tileaa.grid_dependency launch_dependents token %4
    // CHECK-NEXT: nv_tileaa.create_queue depth = 3 : !nv_tileaa.queue<tensor<64x32xf16>>
    %q = nv_tileaa.create_queue depth = 3 : !nv_tileaa.queue<tensor<64x32xf16>>
    // CHECK-NEXT: nv_tileaa.queue.put %{{.*}} : !nv_tileaa.queue<tensor<64x32xf16>> {
    nv_tileaa.queue.put %q : !nv_tileaa.queue<tensor<64x32xf16>> {
      // CHECK-NEXT: nv_tileaa.queue.yield %{{.*}} : tensor<64x32xf16>
      nv_tileaa.queue.yield %v : tensor<64x32xf16>
    }
    // CHECK: nv_tileaa.queue.get %{{.*}} consumer 1 : !nv_tileaa.queue<tensor<64x32xf16>> -> tensor<64x32xf16> {
    %r = nv_tileaa.queue.get %q consumer 1 : !nv_tileaa.queue<tensor<64x32xf16>> -> tensor<64x32xf16> {
    ^bb0(%a: tensor<64x32xf16>):
      nv_tileaa.queue.yield %a : tensor<64x32xf16>
    }
    nv_tileaa.return
  }
}

// CHECK-LABEL: func.func @host(
func.func @host(%x: i32, %p: i64) {
  // CHECK-NEXT: nv_tileaa.launch_func @structure::@k grid(%{{.*}}, %{{.*}}, %{{.*}}) args(%{{.*}} : i64)
  nv_tileaa.launch_func @structure::@k grid(%x, %x, %x) args(%p : i64)
  return
}
