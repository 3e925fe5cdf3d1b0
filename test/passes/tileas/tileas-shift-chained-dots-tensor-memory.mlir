// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s --check-prefix=CHAIN
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators,unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots)))' | FileCheck %s
// The result expands: the states of the slots are right.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators,unspecialized-pipeline{num-stages=3},tileas-shift-chained-dots,tileas-expand-pipelines)))' | FileCheck %s --check-prefix=EXPAND
// Copies that run one iteration ahead fetch the operand of the next one if they depend on its index alone.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators,unspecialized-pipeline{num-stages=2},tileas-shift-chained-dots)))' --remark-format=emitRemark --remarks-filter-missed=tileas 2>&1 | FileCheck %s --check-prefix=NEAR
// With flushed subnormals, scaling the accumulator by one changes it.
// RUN: sed 's/"sm_100a"/"sm_100a", nv_tileaa.ftz/' %s | %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-stage-operands,tileas-materialize-mma,tileas-place-accumulators)))' | FileCheck %s --check-prefix=FLUSH

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
!m = !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>
!v = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x?xbf16, strides = [?, 1]>, padding = zero>
#rows = #nv_tileas.layout<reg, [64, 1], register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]>
#row = #nv_tileas.layout<reg, [64], register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]]>
!acc = tensor<64x64xf32, #acc>
!row = tensor<64x1xf32, #rows>
!t = tensor<64x64xbf16, #l>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_100a"} {
  // The loop-invariant operand is stored once, the other one in each iteration; two results of the first dot fit.
  // CHAIN-LABEL: nv_tileaa.func kernel @attention
  // CHAIN: %[[S:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[2] 64x64xf32, #
  // CHAIN: %[[RS:.*]] = nv_tileas.pipeline.create %[[S]] {producer = umma,
  // CHAIN: %[[O:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<[1] 64x64xf32, #
  // CHAIN: %[[RO:.*]] = nv_tileas.pipeline.create %[[O]] {producer = umma,
  // CHAIN: %[[Q:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xbf16
  // CHAIN: nv_tileas.copy %{{.*}}, %[[Q]]
  // CHAIN: nv_tileas.fence proxy_async_shared
  // CHAIN: nv_tileas.barrier agent
  // CHAIN: %[[O0:.*]] = nv_tileas.pipeline.acquire %[[RO]]
  // CHAIN: nv_tileas.copy %{{.*}}, %[[O0]]
  // CHAIN: nv_tileas.pipeline.commit %[[RO]]
  // CHAIN: %[[F:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xbf16
  // CHAIN: scf.for
  // CHAIN: %[[S0:.*]] = nv_tileas.pipeline.acquire %[[RS]]
  // CHAIN: nv_tileas.async.dot_into %[[Q]], %{{.*}} into %[[S0]] use_acc %false
  // CHAIN: %[[S1:.*]] = nv_tileas.pipeline.wait %[[RS]]
  // CHAIN-NEXT: nv_tileas.copy %[[S1]]
  // The threads wait for the MMA before they overwrite its operand.
  // CHAIN: %[[O1:.*]] = nv_tileas.pipeline.wait %[[RO]]
  // CHAIN: nv_tileas.copy %{{.*}}, %[[F]]
  // CHAIN: %[[T:.*]] = nv_tileas.copy %[[O1]]
  // CHAIN: %[[X:.*]] = arith.mulf %[[T]],
  // CHAIN: nv_tileas.copy %[[X]], %[[O1]]
  // CHAIN: nv_tileas.pipeline.release %[[RO]]
  // CHAIN: nv_tileas.fence tcgen05_before
  // CHAIN-NEXT: nv_tileas.barrier agent
  // CHAIN-NEXT: nv_tileas.fence tcgen05_after
  // CHAIN: nv_tileas.async.dot_into %[[F]], %{{.*}} into %{{.*}} use_acc %true
  // CHAIN: nv_tileas.pipeline.wait %[[RO]]

  // CHECK-LABEL: nv_tileaa.func kernel @attention
  // CHECK: %[[RS:.*]] = nv_tileas.pipeline.create %{{.*}} {producer = umma,
  // CHECK: %[[RO:.*]] = nv_tileas.pipeline.create %{{.*}} {producer = umma,
  // CHECK: scf.if
  // CHECK: nv_tileas.pipeline.acquire %[[RO]]
  // The prologue's first dot, after the copy of one operand more than an iteration takes.
  // CHECK: nv_tileas.pipeline.acquire %[[RK:[0-9]+]][%
  // CHECK: nv_tileas.async.tma_load
  // CHECK: nv_tileas.pipeline.acquire %[[RS]]
  // CHECK: nv_tileas.async.dot_into
  // CHECK: nv_tileas.pipeline.commit %[[RS]]
  // CHECK-NOT: nv_tileas.pipeline.wait %[[RS]]
  // The next one, before this one is read.
  // CHECK: scf.for
  // CHECK: nv_tileas.async.dot_into
  // CHECK: nv_tileas.pipeline.commit %[[RS]]
  // CHECK: nv_tileas.pipeline.wait %[[RS]]
  // Its MMA no longer reads the slot.
  // CHECK: nv_tileas.pipeline.acquire %[[RK]][%
  // CHECK: nv_tileas.async.tma_load
  // CHECK: nv_tileas.async.dot_into
  // CHECK: nv_tileas.async.tma_load
  // CHECK: scf.yield
  // The last iteration copies nothing and has one dot.
  // CHECK: nv_tileas.pipeline.wait %[[RS]]
  // CHECK-NOT: nv_tileas.async.tma_load
  // CHECK: nv_tileas.async.dot_into
  // CHECK-NOT: nv_tileas.async.dot_into
  // CHECK: nv_tileas.pipeline.wait %[[RO]]
  // CHECK: } else {
  // CHECK-NOT: nv_tileas.pipeline
  // CHECK: nv_tileaa.return

  // One barrier of the loop serves all. Threads have waited for the first MMA
  // when they overwrite its slot: one pipeline has no mbarriers for this.
  // EXPAND-LABEL: nv_tileaa.func kernel @attention
  // EXPAND-COUNT-5: nv_tileas.mbarrier.alloc
  // EXPAND-NOT: nv_tileas.mbarrier.alloc
  // EXPAND: scf.for
  // EXPAND-NOT: nv_tileas.barrier
  // EXPAND: nv_tileas.fence tcgen05_before
  // EXPAND-NEXT: nv_tileas.barrier agent
  // EXPAND-NOT: nv_tileas.barrier
  // EXPAND: scf.yield

  // NEAR-NOT: Function=attention | Reason
  // NEAR: Function=counted | Reason="copies run less than two iterations ahead
  // NEAR-NOT: Function=attention | Reason
  nv_tileaa.func kernel @attention(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %q: tensor<64x64xbf16, #a>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %height = arith.extui %r32 : i32 to i64
    %width = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%height, %width] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> (!acc) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %v[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %k = nv_tileas.convert_layout %x : !t -> tensor<64x64xbf16, #b>
      %s = nv_tileas.dot %q, %k, %zero {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      %e = math.exp2 %s : !acc
      %f = arith.truncf %e : !acc to tensor<64x64xbf16, #acc>
      %g = nv_tileas.convert_layout %f : tensor<64x64xbf16, #acc> -> tensor<64x64xbf16, #a>
      %y, %ty = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %w = nv_tileas.convert_layout %y : !t -> tensor<64x64xbf16, #b>
      %z = arith.mulf %sum, %e : !acc
      %d = nv_tileas.dot %g, %w, %z {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileas.optimization_barrier %r : !acc
    nv_tileaa.return
  }

  // An operand at a position that iterations count is not copied further ahead.
  nv_tileaa.func kernel @counted(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %q: tensor<64x64xbf16, #a>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %height = arith.extui %r32 : i32 to i64
    %width = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%height, %width] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %at = %c0) -> (!acc, i32) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %v[%c0, %at] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %k = nv_tileas.convert_layout %x : !t -> tensor<64x64xbf16, #b>
      %s = nv_tileas.dot %q, %k, %zero {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      %e = math.exp2 %s : !acc
      %f = arith.truncf %e : !acc to tensor<64x64xbf16, #acc>
      %g = nv_tileas.convert_layout %f : tensor<64x64xbf16, #acc> -> tensor<64x64xbf16, #a>
      %y, %ty = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %w = nv_tileas.convert_layout %y : !t -> tensor<64x64xbf16, #b>
      %z = arith.mulf %sum, %e : !acc
      %d = nv_tileas.dot %g, %w, %z {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      %next = arith.addi %at, %i : i32
      scf.yield %d, %next : !acc, i32
    }
    nv_tileas.optimization_barrier %r#0 : !acc
    nv_tileaa.return
  }

  // An accumulator that is scaled by one factor per row stays in tensor memory. The rescaling
  // is placed before the wait for the elements of the operand, and their sum after the dot.
  // CHAIN-LABEL: nv_tileaa.func kernel @rows
  // CHAIN: scf.for
  // CHAIN: %[[FEW:.*]] = math.exp2 %{{.*}} : tensor<64x1xf32
  // CHAIN: %[[MANY:.*]] = nv_tileas.broadcast %[[FEW]]
  // CHAIN: %[[S2:.*]] = nv_tileas.copy
  // CHAIN: %[[E:.*]] = math.exp2 %[[S2]]
  // CHAIN: %[[O2:.*]] = nv_tileas.pipeline.wait
  // CHAIN-NEXT: nv_tileas.tensor_rescale %[[O2]] by %[[MANY]]
  // CHAIN: %[[T2:.*]] = arith.truncf %[[E]]
  // CHAIN-NOT: nv_tileas.reduce
  // CHAIN: nv_tileas.copy %[[T2]],
  // CHAIN-NOT: nv_tileas.copy
  // CHAIN: nv_tileas.async.dot_into
  // CHAIN: nv_tileas.pipeline.commit
  // CHAIN: nv_tileas.reduce %[[E]]
  // CHAIN-NOT: arith.mulf
  // CHAIN: scf.yield

  // FLUSH-LABEL: nv_tileaa.func kernel @rows
  // FLUSH-NOT: nv_tileas.tensor_rescale
  // FLUSH: arith.mulf
  // FLUSH-NOT: nv_tileas.tensor_rescale
  nv_tileaa.func kernel @rows(%p: !nv_tileaa.ptr<bf16>, %rows: i32, %cols: i32, %ld: i64, %q: tensor<64x64xbf16, #a>, %n: i32, %low: !row) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r32 = nv_tileas.assume %rows [#nv_tileaa.bounded<0, ?>] : i32
    %k32 = nv_tileas.assume %cols [#nv_tileaa.bounded<0, ?>] : i32
    %height = arith.extui %r32 : i32 to i64
    %width = arith.extui %k32 : i32 to i64
    %m = nv_tileas.make_memref %p sizes[%height, %width] strides[%ld] : !nv_tileaa.ptr<bf16> -> !m
    %v = nv_tileas.block_tile %m : !m -> !v
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero, %top = %low) -> (!acc, !row) : i32 {
      %x, %tx = nv_tileas.tiled_load weak %v[%c0, %i] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %k = nv_tileas.convert_layout %x : !t -> tensor<64x64xbf16, #b>
      %s = nv_tileas.dot %q, %k, %zero {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      %e = math.exp2 %s : !acc
      %f = arith.truncf %e : !acc to tensor<64x64xbf16, #acc>
      %g = nv_tileas.convert_layout %f : tensor<64x64xbf16, #acc> -> tensor<64x64xbf16, #a>
      %y, %ty = nv_tileas.tiled_load weak %v[%i, %c0] {nv_tileas.align = 16 : i32, nv_tileas.contiguous = array<i32: 1, 16>, nv_tileas.tma = "ok"} : !v[i32, i32] -> !t
      %w = nv_tileas.convert_layout %y : !t -> tensor<64x64xbf16, #b>
      %l = nv_tileas.reduce %e axis = 1 identities = [0.0 : f32] {atom = #nv_tileas.reduce_atom<fadd, impl = auto>} : !acc -> tensor<64xf32, #row> {
      ^bb0(%a0: f32, %a1: f32):
        %a = arith.addf %a0, %a1 : f32
        nv_tileas.yield %a : f32
      }
      %total = nv_tileas.expand_dims %l {axis = 1 : i32} : tensor<64xf32, #row> -> !row
      %few = math.exp2 %top : !row
      %many = nv_tileas.broadcast %few : !row -> !acc
      %z = arith.mulf %many, %sum : !acc
      %d = nv_tileas.dot %g, %w, %z {atom = #atom} : tensor<64x64xbf16, #a>, tensor<64x64xbf16, #b>, !acc -> !acc
      scf.yield %d, %total : !acc, !row
    }
    nv_tileas.optimization_barrier %r#0 : !acc
    nv_tileaa.return
  }
}
