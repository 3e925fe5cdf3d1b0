// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-place-accumulators)))' | FileCheck %s

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#l = #nv_tileas.layout<reg, [64, 64], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
#wgmma = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
#umma = #nv_tileas.mma<kind = umma, shape = [64, 64, 16], a = shared<pipeline>, b = shared<pipeline>, acc = tmem<slots = 1>>
#warps = #nv_tileas.mma<kind = mma_sync, shape = [16, 8, 16], a = shared<pipeline>, b = shared<pipeline>, acc = registers>
!acc = tensor<64x64xf32, #acc>
!future = !nv_tileas.future<tensor<64x64xf32, #acc>>
!ta = tensor<64x64xbf16, #a>
!tb = tensor<64x64xbf16, #b>
!s = !nv_tileas.buffer<64x64xbf16, #s>
!two = !nv_tileas.buffer<[2] 64x64xbf16, #s>
!p = !nv_tileas.pipeline<2, (buffer<64x64xbf16, #s>, buffer<64x64xbf16, #s>)>
!i = !nv_tileas.pipeline_iterator<2>

gpu.module @sm90 attributes {nv_tileaa.target_spec = "sm_90a"} {
  // An accumulator that the loop only carries is a future: the MMA is in flight when the next iteration begins.
  // CHECK-LABEL: @future
  // CHECK: %[[INIT:.*]] = nv_tileas.async.to_async
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[INIT]]) -> (!nv_tileas.future<
  // CHECK: %[[F:.*]] = nv_tileas.async.dot %{{.*}}, %{{.*}}, %[[ACC]]
  // CHECK-NEXT: %[[W:.*]] = nv_tileas.dot_wait %[[F]] {pending = 1 : i32}
  // CHECK-NEXT: scf.yield %[[W]]
  // CHECK: nv_tileas.dot_wait %[[R]] {pending = 0 : i32}
  nv_tileaa.func kernel @future(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %s = nv_tileas.alloc_tensor : !s
    %t = nv_tileas.alloc_tensor : !s
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %f = nv_tileas.async.dot %s, %t, %acc {atom = #wgmma} : !s, !s, !acc -> !future
      %d = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !acc
      scf.yield %d : !acc
    }
    nv_tileaa.return
  }

  // Threads read it in every iteration: they wait.
  // CHECK-LABEL: @read_in_loop
  // CHECK-NOT: to_async
  // CHECK: nv_tileas.dot_wait {{.*}} {pending = 0 : i32}
  nv_tileaa.func kernel @read_in_loop(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %s = nv_tileas.alloc_tensor : !s
    %t = nv_tileas.alloc_tensor : !s
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : !acc
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!acc) : i32 {
      %f = nv_tileas.async.dot %s, %t, %acc {atom = #wgmma} : !s, !s, !acc -> !future
      %d = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !acc
      %e = arith.addf %d, %d : !acc
      scf.yield %e : !acc
    }
    nv_tileaa.return
  }
}

gpu.module @sm100 attributes {nv_tileaa.target_spec = "sm_100a"} {
  // The accumulator is the slot of a pipeline that the MMAs of the whole loop fill; its commits release the operands.
  // CHECK-LABEL: @tensor_memory
  // CHECK: nv_tileas.pipeline.create {{.*}} {producer = cp_async, consumers = [umma], sync = group, empty = mbarrier}
  // CHECK: %[[P:.*]] = nv_tileas.pipeline.create {{.*}} {producer = umma, consumers = [generic], sync = mbarrier, empty = barrier}
  // CHECK: %[[S:.*]] = nv_tileas.pipeline.acquire %[[P]]
  // CHECK: scf.for %[[I:.*]] = %[[FIRST:.*]] to
  // CHECK: %[[X:.*]]:2 = nv_tileas.pipeline.wait
  // CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[I]], %[[FIRST]]
  // CHECK-NEXT: nv_tileas.async.dot_into %[[X]]#0, %[[X]]#1 into %[[S]] use_acc %[[MORE]]
  // CHECK: nv_tileas.pipeline.commit %[[P]]
  // CHECK: nv_tileas.pipeline.wait %[[P]]
  nv_tileaa.func kernel @tensor_memory(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
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

  // The initial tile of the loop is written first, between fences.
  // CHECK-LABEL: @begins_with_tile
  // CHECK: %[[S:.*]] = nv_tileas.pipeline.acquire
  // CHECK-NEXT: nv_tileas.copy %{{.*}}, %[[S]]
  // CHECK-NEXT: nv_tileas.fence tcgen05_before
  // CHECK-NEXT: nv_tileas.barrier agent
  // CHECK-NEXT: nv_tileas.fence tcgen05_after
  // CHECK: nv_tileas.async.dot_into
  nv_tileaa.func kernel @begins_with_tile(%n: i32, %zero: !acc) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
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

  // Accumulators of warps stay in registers.
  // CHECK-LABEL: @registers
  // CHECK: nv_tileas.dot
  // CHECK-NOT: alloc_tensor
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @registers(%n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
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
      %d = nv_tileas.dot %a, %b, %c {atom = #atom, mma = #warps} : !ta, !tb, !acc -> !acc
      nv_tileas.pipeline.release %p[%k] {consumer = 0 : i32, pending = 0 : i32} : !p
      %k1 = nv_tileas.pipeline.advance %k : !i
      scf.yield %d, %k1 : !acc, !i
    }
    nv_tileaa.return
  }
}

#rows64 = #nv_tileas.layout<reg, [64, 128], blocked<per_thread = [1, 16], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#rows128 = #nv_tileas.layout<reg, [128, 128], blocked<per_thread = [1, 16], lanes = [4, 8], warps = [4, 1], order = [1, 0]>>
#acc64 = #nv_tileas.layout<reg, [64, 128], mma<#atom, acc, warps = [4, 1]>>
#scales64 = #nv_tileas.layout<reg, [64, 4], blocked<per_thread = [1, 2], lanes = [16, 2], warps = [4, 1], order = [1, 0]>>
#scales128 = #nv_tileas.layout<reg, [4, 128], blocked<per_thread = [1, 1], lanes = [1, 32], warps = [1, 4], order = [1, 0]>>
#scaled = #nv_tileas.mma<kind = umma, shape = [128, 128, 32], a = shared<restaged>, b = shared<restaged>, scales = tmem<restaged>, acc = tmem<slots = 1>>

gpu.module @scaled attributes {nv_tileaa.target_spec = "sm_100a"} {
  // A block-scaled MMA has 128 rows, no fewer.
  // CHECK-LABEL: @few_scaled_rows
  // CHECK-NOT: async.dot_into
  // CHECK: nv_tileas.dot {{.*}}kind = mma_sync
  nv_tileaa.func kernel @few_scaled_rows(%a: tensor<64x128xf8E4M3FN, #rows64>, %b: tensor<128x128xf8E4M3FN, #rows128>, %c: tensor<64x128xf32, #acc64>, %sa: tensor<64x4xf8E8M0FNU, #scales64>, %sb: tensor<4x128xf8E8M0FNU, #scales128>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %d = nv_tileas.dot %a, %b, %c scales %sa, %sb {atom = #atom, mma = #scaled} : tensor<64x128xf8E4M3FN, #rows64>, tensor<128x128xf8E4M3FN, #rows128>, tensor<64x128xf32, #acc64> scales tensor<64x4xf8E8M0FNU, #scales64>, tensor<4x128xf8E8M0FNU, #scales128> -> tensor<64x128xf32, #acc64>
    nv_tileaa.return
  }
}
