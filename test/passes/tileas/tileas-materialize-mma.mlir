// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-mma)))' | FileCheck %s
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-materialize-mma)))' --remark-format=emitRemark --remarks-filter-missed=tileas 2>&1 | FileCheck %s --check-prefix=REMARK

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#warps = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = shared<restaged>, b = shared<restaged>, acc = registers>
#half = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = registers, b = shared<restaged>, acc = registers>
#wgmma = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>
#restaged = #nv_tileas.mma<kind = wgmma, shape = [64, 64, 16], a = registers, b = shared<restaged>, acc = registers>
#umma = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>
!acc = tensor<64x64xf32, #acc>
!ta = tensor<64x64xbf16, #a>
!tb = tensor<64x64xbf16, #b>
!s = !nv_tileas.buffer<64x64xbf16, #s>
!two = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!p = !nv_tileas.pipeline<2, (buffer<64x64xbf16, #s>, buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<2>

gpu.module @sm90 attributes {nv_tileaa.target_spec = "sm_90a"} {
  // wgmma reads the buffers of which the operands are copies; threads wait for it.
  // CHECK-LABEL: @wgmma
  // CHECK: %[[S:.*]] = nv_tileas.alloc_tensor
  // CHECK-NEXT: %[[T:.*]] = nv_tileas.alloc_tensor
  // CHECK-NEXT: %[[F:.*]] = nv_tileas.async.dot %[[S]], %[[T]], %{{.*}} {atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>}
  // CHECK-NEXT: nv_tileas.dot_wait %[[F]] {pending = 0 : i32}
  nv_tileaa.func kernel @wgmma(%c: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %s = nv_tileas.alloc_tensor : !s
    %t = nv_tileas.alloc_tensor : !s
    %a = nv_tileas.copy %s : !s -> !ta
    %b = nv_tileas.copy %t : !s -> !tb
    %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #wgmma} : !ta, !tb, !acc -> !acc
    nv_tileaa.return
  }

  // Threads store B, which they have in registers; A stays in them.
  // CHECK-LABEL: @wgmma_restages
  // CHECK: scf.for
  // CHECK: %[[T:.*]] = nv_tileas.alloc_tensor : !nv_tileas.buffer<64x64xbf16,
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[T]]
  // CHECK: nv_tileas.async.dot %{{.*}}, %[[T]], %{{.*}} : tensor<64x64xbf16, #{{.*}}>, !nv_tileas.buffer<64x64xbf16,
  nv_tileaa.func kernel @wgmma_restages(%a: !ta, %b: !tb, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %s = nv_tileas.alloc_tensor : !s
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %u = nv_tileas.copy %s : !s -> !tb
      %e = arith.addf %u, %b : !tb
      %d = nv_tileas.dot %a, %e, %acc {atom = #atom, mma = #restaged} : !ta, !tb, !acc -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // The dots of warps read the buffers, too.
  // CHECK-LABEL: @warps_read_buffers
  // CHECK: nv_tileas.dot %{{.*}}, %{{.*}}, %{{.*}} {atom = #{{.*}}, mma = {{.*}}} : !nv_tileas.buffer<64x64xbf16, #{{.*}}>, !nv_tileas.buffer<64x64xbf16,
  nv_tileaa.func kernel @warps_read_buffers(%c: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %s = nv_tileas.alloc_tensor : !s
    %t = nv_tileas.alloc_tensor : !s
    %a = nv_tileas.copy %s : !s -> !ta
    %b = nv_tileas.copy %t : !s -> !tb
    %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #warps} : !ta, !tb, !acc -> !acc
    nv_tileaa.return
  }

  // With A in registers each step of K is a dot of its own: fragments of one step of B are live at once.
  // CHECK-LABEL: @slices_k
  // CHECK-COUNT-4: nv_tileas.dot %{{.*}} : tensor<64x16xbf16,
  // CHECK-NOT: nv_tileas.dot
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @slices_k(%a: !ta, %c: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %t = nv_tileas.alloc_tensor : !s
    %b = nv_tileas.copy %t : !s -> !tb
    %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #half} : !ta, !tb, !acc -> !acc
    nv_tileaa.return
  }

  // No copy stages an operand of wgmma in shared memory: warps compute the dot, and its attribute says so.
  // CHECK-LABEL: @left_to_warps
  // CHECK: nv_tileas.dot {{.*}} mma = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = registers, b = registers, acc = registers>
  // REMARK: Wgmma {{.*}} Operand=B, Reason="no copy writes it to shared memory"
  nv_tileaa.func kernel @left_to_warps(%a: !ta, %b: !tb, %c: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #restaged} : !ta, !tb, !acc -> !acc
    nv_tileaa.return
  }
}

gpu.module @sm100 attributes {nv_tileaa.target_spec = "sm_100a"} {
  // The accumulator of tcgen05.mma is placed by the next pass: a dot whose operands are slots stays.
  // CHECK-LABEL: @umma_stays
  // CHECK: nv_tileas.dot {{.*}} mma = #nv_tileas.mma<kind = umma,
  nv_tileaa.func kernel @umma_stays(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %s = nv_tileas.alloc_tensor : !two
    %t = nv_tileas.alloc_tensor : !two
    %p = nv_tileas.pipeline.create %s, %t {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !two, !two -> !p
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%c = %zero, %k = %k0) -> (!acc, !i) : i32 {
      %w:2 = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !s, !s
      %a = nv_tileas.copy %w#0 : !s -> !ta
      %b = nv_tileas.copy %w#1 : !s -> !tb
      %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #umma} : !ta, !tb, !acc -> !acc
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %d, %k1 : !acc, !i
    }
    nv_tileaa.return
  }

  // Slots with another reader are not read by tcgen05.mma: warps compute the dot, from the buffers.
  // CHECK-LABEL: @other_reader
  // CHECK: nv_tileas.dot {{.*}} mma = #nv_tileas.mma<kind = mma_sync, {{.*}} : !nv_tileas.buffer<64x64xbf16,
  // REMARK: TensorMemory {{.*}} Reason="another operation reads its operands"
  nv_tileaa.func kernel @other_reader(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %q = nv_tileas.alloc_tensor : !s
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %s = nv_tileas.alloc_tensor : !two
    %t = nv_tileas.alloc_tensor : !two
    %p = nv_tileas.pipeline.create %s, %t {producer = cp_async, consumers = [generic], sync = group, empty = barrier} : !two, !two -> !p
    %k0 = nv_tileas.pipeline.iterator %p consumer : !p -> !i
    %r:2 = scf.for %j = %c0 to %n step %c1 iter_args(%c = %zero, %k = %k0) -> (!acc, !i) : i32 {
      %w:2 = nv_tileas.pipeline.wait %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p -> !s, !s
      %a = nv_tileas.copy %w#0 : !s -> !ta
      %b = nv_tileas.copy %w#1 : !s -> !tb
      nv_tileas.copy %b, %q : !tb, !s
      %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #umma} : !ta, !tb, !acc -> !acc
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %d, %k1 : !acc, !i
    }
    nv_tileaa.return
  }
}
