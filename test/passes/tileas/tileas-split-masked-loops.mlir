// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-split-masked-loops)))' | FileCheck %s
// A mask that is not worth a cut.
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(tileas-split-masked-loops{min-elements=8193})))' | FileCheck %s --check-prefix=SMALL

#l = #nv_tileas.layout<reg, [128, 64], register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#r1 = #nv_tileas.layout<reg, [128, 1], register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0], [64, 0]]>
#r = #nv_tileas.layout<reg, [128], register = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32], [64]]>
#c1 = #nv_tileas.layout<reg, [1, 64], register = [[0, 1], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [0, 0], [0, 0], [0, 0]], warp = [[0, 0], [0, 0], [0, 0]]>
#c = #nv_tileas.layout<reg, [64], register = [[1], [8], [16], [32]], lane = [[2], [4], [0], [0], [0]], warp = [[0], [0], [0]]>
#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = bf16, b = bf16, c = f32>
#acc = #nv_tileas.layout<reg, [128, 64], mma<#atom, acc, warps = [8, 1]>>
#fa = #nv_tileas.layout<reg, [128, 16], mma<#atom, a, warps = [8, 1]>>
#fb = #nv_tileas.layout<reg, [16, 64], mma<#atom, b, warps = [8, 1]>>
!acc = tensor<128x64xf32, #acc>
!fa = tensor<128x16xbf16, #fa>
!fb = tensor<16x64xbf16, #fb>
!t = tensor<128x64xf32, #l>
!m = tensor<128x64xi1, #l>
gpu.module @m {
  // Keys up to the query, and up to the end: the smaller distance of both limits
  // the last key of a block, 63 after its first, and 64 further in each iteration.
  // CHECK-LABEL: nv_tileaa.func kernel @causal
  // CHECK-SAME: (%[[X:.*]]: tensor<128x64xf32, {{.*}}>, %[[ROW:.*]]: i32, %[[END:.*]]: i32, %[[N:.*]]: i32)
  // CHECK: %[[LOWER:.*]] = arith.extsi %c0_i32 : i32 to i64
  // CHECK: %[[UPPER:.*]] = arith.extsi %[[N]] : i32 to i64
  // CHECK: %[[E:.*]] = arith.extsi %[[END]] : i32 to i64
  // CHECK: %[[SLACK:.*]] = arith.constant -64 : i64
  // CHECK: %[[ROOM:.*]] = arith.addi %{{.*}}, %[[SLACK]] : i64
  // CHECK: %[[STEP:.*]] = arith.constant 64 : i64
  // CHECK: arith.floordivsi %[[ROOM]], %[[STEP]] : i64
  // CHECK: arith.minsi %[[UPPER]], %{{.*}} : i64
  // CHECK: arith.extsi %[[ROW]] : i32 to i64
  // CHECK: arith.constant -63 : i64
  // CHECK: arith.floordivsi
  // CHECK: arith.minsi
  // CHECK: arith.maxsi %{{.*}}, %[[LOWER]] : i64
  // Only where no position wraps.
  // CHECK: arith.constant -2147483648 : i64
  // CHECK: arith.constant 2147483647 : i64
  // CHECK: %[[FIT:.*]] = arith.select %{{.*}}, %{{.*}}, %[[LOWER]] : i64
  // CHECK: %[[CUT:.*]] = arith.trunci %[[FIT]] : i64 to i32
  // CHECK: %[[A:.*]] = scf.for %{{.*}} = %c0_i32 to %[[CUT]] step %c1_i32 iter_args(%[[ARG:.*]] = %[[X]])
  // CHECK-NOT: cmpi
  // CHECK-NOT: select
  // CHECK: %[[NEXT:.*]] = arith.addf %[[ARG]], %[[X]]
  // CHECK-NEXT: scf.yield %[[NEXT]]
  // CHECK: scf.for %{{.*}} = %[[CUT]] to %[[N]] step %c1_i32 iter_args(%{{.*}} = %[[A]])
  // CHECK: arith.cmpi slt
  // CHECK: arith.cmpi sge
  // CHECK: arith.select
  // SMALL-LABEL: nv_tileaa.func kernel @causal
  // SMALL: scf.for
  // SMALL: arith.select
  // SMALL-NOT: scf.for
  // SMALL: nv_tileaa.return
  nv_tileaa.func kernel @causal(%x: !t, %row: i32, %end: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %low = arith.constant dense<0.0> : !t
    %rows = nv_tileas.make_range 0 to 128 : tensor<128xi32, #r>
    %rows1 = nv_tileas.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #r> -> tensor<128x1xi32, #r1>
    %first = nv_tileas.splat %row : i32 -> tensor<128x1xi32, #r1>
    %queries = arith.addi %first, %rows1 : tensor<128x1xi32, #r1>
    %q = nv_tileas.broadcast %queries : tensor<128x1xi32, #r1> -> tensor<128x64xi32, #l>
    %columns = nv_tileas.make_range 0 to 64 : tensor<64xi32, #c>
    %columns1 = nv_tileas.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #c1>
    %ends = nv_tileas.splat %end : i32 -> tensor<1x64xi32, #c1>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!t) : i32 {
      %k0 = arith.muli %i, %c64 : i32
      %k1 = nv_tileas.splat %k0 : i32 -> tensor<1x64xi32, #c1>
      %keys = arith.addi %k1, %columns1 : tensor<1x64xi32, #c1>
      %in = arith.cmpi slt, %keys, %ends : tensor<1x64xi32, #c1>
      %k = nv_tileas.broadcast %keys : tensor<1x64xi32, #c1> -> tensor<128x64xi32, #l>
      %before = arith.cmpi sge, %q, %k : tensor<128x64xi32, #l>
      %inside = nv_tileas.broadcast %in : tensor<1x64xi1, #c1> -> !m
      %mask = arith.andi %inside, %before : !m
      %s = arith.select %mask, %x, %low : !m, !t
      %b = arith.addf %a, %s : !t
      scf.yield %b : !t
    }
    nv_tileaa.return
  }

  // Scalars say from which iteration on masks are looked at: no mask of the
  // second part moves the cut.
  // CHECK-LABEL: nv_tileaa.func kernel @late
  // CHECK-SAME: (%[[X:.*]]: tensor<128x64xf32, {{.*}}>, %{{.*}}: i32, %[[AT:.*]]: i32, %[[N:.*]]: i32)
  // CHECK: %[[WIDE:.*]] = arith.extsi %[[AT]] : i32 to i64
  // CHECK-NOT: floordivsi %{{.*}}, %c64
  // CHECK: %[[CUT:.*]] = arith.trunci
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[CUT]] step
  // CHECK-NOT: arith.cmpi
  // CHECK-NOT: arith.select
  // CHECK: arith.addf %{{.*}}, %[[X]]
  // CHECK-NEXT: scf.yield
  // CHECK: scf.for %[[I:.*]] = %[[CUT]] to %[[N]] step
  // CHECK: arith.cmpi slt, %[[I]], %[[AT]] : i32
  // CHECK: arith.select
  // CHECK: arith.select
  nv_tileaa.func kernel @late(%x: !t, %end: i32, %at: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %low = arith.constant dense<0.0> : !t
    %columns = nv_tileas.make_range 0 to 64 : tensor<64xi32, #c>
    %columns1 = nv_tileas.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #c1>
    %ends = nv_tileas.splat %end : i32 -> tensor<1x64xi32, #c1>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!t) : i32 {
      %early = arith.cmpi slt, %i, %at : i32
      %k0 = arith.muli %i, %c64 : i32
      %k1 = nv_tileas.splat %k0 : i32 -> tensor<1x64xi32, #c1>
      %keys = arith.addi %k1, %columns1 : tensor<1x64xi32, #c1>
      %in = arith.cmpi slt, %keys, %ends : tensor<1x64xi32, #c1>
      %mask = nv_tileas.broadcast %in : tensor<1x64xi1, #c1> -> !m
      %s = arith.select %mask, %x, %low : !m, !t
      %all = nv_tileas.splat %early : i1 -> !m
      %p = arith.select %all, %x, %s : !m, !t
      %b = arith.addf %a, %p : !t
      scf.yield %b : !t
    }
    nv_tileaa.return
  }

  // Rows are the same in all iterations: all of them without the mask, or none.
  // CHECK-LABEL: nv_tileaa.func kernel @rows
  // CHECK: %[[LOWER:.*]] = arith.extsi %c0_i32
  // CHECK: %[[UPPER:.*]] = arith.extsi %{{.*}} : i32 to i64
  // CHECK: %[[ALL:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i64
  // CHECK: arith.select %[[ALL]], %[[UPPER]], %[[LOWER]] : i64
  // CHECK: scf.for
  // CHECK-NOT: arith.select
  // CHECK: scf.for
  // CHECK: arith.select
  nv_tileaa.func kernel @rows(%x: !t, %end: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %low = arith.constant dense<0.0> : !t
    %rows = nv_tileas.make_range 0 to 128 : tensor<128xi32, #r>
    %rows1 = nv_tileas.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #r> -> tensor<128x1xi32, #r1>
    %ends = nv_tileas.splat %end : i32 -> tensor<128x1xi32, #r1>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!t) : i32 {
      %in = arith.cmpi slt, %rows1, %ends : tensor<128x1xi32, #r1>
      %mask = nv_tileas.broadcast %in : tensor<128x1xi1, #r1> -> !m
      %s = arith.select %mask, %a, %low : !m, !t
      %b = arith.addf %s, %x : !t
      scf.yield %b : !t
    }
    nv_tileaa.return
  }

  // Masks that become true later, that compare unsigned numbers, that the loop
  // computes and what a loop around repeats stays.
  // CHECK-LABEL: nv_tileaa.func kernel @kept
  // CHECK-COUNT-3: scf.for
  // CHECK-NOT: scf.for
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @kept(%x: !t, %end: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %low = arith.constant dense<0.0> : !t
    %columns = nv_tileas.make_range 0 to 64 : tensor<64xi32, #c>
    %columns1 = nv_tileas.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #c1>
    %ends = nv_tileas.splat %end : i32 -> tensor<1x64xi32, #c1>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %p = %c0) -> (!t, i32) : i32 {
      %k0 = arith.muli %i, %c64 : i32
      %k1 = nv_tileas.splat %k0 : i32 -> tensor<1x64xi32, #c1>
      %keys = arith.addi %k1, %columns1 : tensor<1x64xi32, #c1>
      %later = arith.cmpi sgt, %keys, %ends : tensor<1x64xi32, #c1>
      %unsigned = arith.cmpi ult, %keys, %ends : tensor<1x64xi32, #c1>
      %p1 = nv_tileas.splat %p : i32 -> tensor<1x64xi32, #c1>
      %carried = arith.cmpi slt, %p1, %ends : tensor<1x64xi32, #c1>
      %m0 = arith.andi %later, %unsigned : tensor<1x64xi1, #c1>
      %m1 = arith.andi %m0, %carried : tensor<1x64xi1, #c1>
      %mask = nv_tileas.broadcast %m1 : tensor<1x64xi1, #c1> -> !m
      %s = arith.select %mask, %a, %low : !m, !t
      %next = arith.addi %p, %end : i32
      scf.yield %s, %next : !t, i32
    }
    %o = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (!t) : i32 {
      %k1 = nv_tileas.splat %i : i32 -> tensor<1x64xi32, #c1>
      %in = arith.cmpi slt, %k1, %ends : tensor<1x64xi32, #c1>
      %mask = nv_tileas.broadcast %in : tensor<1x64xi1, #c1> -> !m
      %s = arith.select %mask, %a, %low : !m, !t
      %b = scf.for %j = %c0 to %n step %c1 iter_args(%d = %s) -> (!t) : i32 {
        %e = arith.addf %d, %x : !t
        scf.yield %e : !t
      }
      scf.yield %b : !t
    }
    nv_tileaa.return
  }

  // Six slices of one dot share the registers of one accumulator.
  // CHECK-LABEL: nv_tileaa.func kernel @parts
  // CHECK-COUNT-2: scf.for
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @parts(%x: !t, %z: !acc, %a: !fa, %b: !fb, %end: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %low = arith.constant dense<0.0> : !t
    %columns = nv_tileas.make_range 0 to 64 : tensor<64xi32, #c>
    %columns1 = nv_tileas.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #c1>
    %ends = nv_tileas.splat %end : i32 -> tensor<1x64xi32, #c1>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %d0 = %z) -> (!t, !acc) : i32 {
      %k0 = arith.muli %i, %c64 : i32
      %k1 = nv_tileas.splat %k0 : i32 -> tensor<1x64xi32, #c1>
      %keys = arith.addi %k1, %columns1 : tensor<1x64xi32, #c1>
      %in = arith.cmpi slt, %keys, %ends : tensor<1x64xi32, #c1>
      %mask = nv_tileas.broadcast %in : tensor<1x64xi1, #c1> -> !m
      %s = arith.select %mask, %t, %low : !m, !t
      %d1 = nv_tileas.dot %a, %b, %d0 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d2 = nv_tileas.dot %a, %b, %d1 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d3 = nv_tileas.dot %a, %b, %d2 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d4 = nv_tileas.dot %a, %b, %d3 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d5 = nv_tileas.dot %a, %b, %d4 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d6 = nv_tileas.dot %a, %b, %d5 {atom = #atom} : !fa, !fb, !acc -> !acc
      scf.yield %s, %d6 : !t, !acc
    }
    nv_tileaa.return
  }

  // Six dots with an accumulator each leave none.
  // CHECK-LABEL: nv_tileaa.func kernel @full
  // CHECK-COUNT-1: scf.for
  // CHECK-NOT: scf.for
  // CHECK: nv_tileaa.return
  nv_tileaa.func kernel @full(%x: !t, %z: !acc, %a: !fa, %b: !fb, %end: i32, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c64 = arith.constant 64 : i32
    %low = arith.constant dense<0.0> : !t
    %columns = nv_tileas.make_range 0 to 64 : tensor<64xi32, #c>
    %columns1 = nv_tileas.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #c> -> tensor<1x64xi32, #c1>
    %ends = nv_tileas.splat %end : i32 -> tensor<1x64xi32, #c1>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %d0 = %z) -> (!t, !acc) : i32 {
      %k0 = arith.muli %i, %c64 : i32
      %k1 = nv_tileas.splat %k0 : i32 -> tensor<1x64xi32, #c1>
      %keys = arith.addi %k1, %columns1 : tensor<1x64xi32, #c1>
      %in = arith.cmpi slt, %keys, %ends : tensor<1x64xi32, #c1>
      %mask = nv_tileas.broadcast %in : tensor<1x64xi1, #c1> -> !m
      %s = arith.select %mask, %t, %low : !m, !t
      %d1 = nv_tileas.dot %a, %b, %d0 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d2 = nv_tileas.dot %a, %b, %d0 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d3 = nv_tileas.dot %a, %b, %d0 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d4 = nv_tileas.dot %a, %b, %d0 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d5 = nv_tileas.dot %a, %b, %d0 {atom = #atom} : !fa, !fb, !acc -> !acc
      %d6 = nv_tileas.dot %a, %b, %d0 {atom = #atom} : !fa, !fb, !acc -> !acc
      %e2 = arith.addf %d1, %d2 : !acc
      %e3 = arith.addf %e2, %d3 : !acc
      %e4 = arith.addf %e3, %d4 : !acc
      %e5 = arith.addf %e4, %d5 : !acc
      %e6 = arith.addf %e5, %d6 : !acc
      scf.yield %s, %e6 : !t, !acc
    }
    nv_tileaa.return
  }
}
