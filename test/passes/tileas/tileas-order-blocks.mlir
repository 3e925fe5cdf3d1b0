// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{opt} = %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so
// RUN: %{opt} %s --pass-pipeline='builtin.module(nv_tileaa.func(tileas-order-blocks))' --remark-format=emitRemark --remarks-filter=tileas --verify-diagnostics | FileCheck %s
// RUN: %{opt} %s --pass-pipeline='builtin.module(nv_tileaa.func(tileas-order-blocks{group=16}))' | FileCheck %s --check-prefix=SIXTEEN
// RUN: %{opt} %s -o %t.before
// RUN: %{opt} %s --pass-pipeline='builtin.module(nv_tileaa.func(tileas-order-blocks{group=0}))' -o %t.off && cmp %t.before %t.off

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#a = #nv_tileas.layout<reg, [64, 16], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [16, 64], mma<#atom, b, warps = [4, 1]>>
#c = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
!a = tensor<64x16xf16, #a>
!b = tensor<16x64xf16, #b>
!c = tensor<64x64xf32, #c>
!va = !nv_tileaa.tiled_view<64x16 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>
!vb = !nv_tileaa.tiled_view<16x64 of !nv_tileaa.memref<?x256xf16, strides = [256, 1]>>
!vc = !nv_tileaa.tiled_view<64x64 of !nv_tileaa.memref<?x256xf32, strides = [256, 1]>>
#spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 1, cluster_dim = [1, 1, 1]>

//   CHECK-LABEL: nv_tileaa.func kernel @product(
// SIXTEEN-LABEL: nv_tileaa.func kernel @product(
//   CHECK-DAG: %[[X:.*]] = nv_tileas.get_program_id x
//   CHECK-DAG: %[[NX:.*]] = nv_tileas.get_num_programs x
//   CHECK-DAG: %[[Y:.*]] = nv_tileas.get_program_id y
//   CHECK-DAG: %[[NY:.*]] = nv_tileas.get_num_programs y
//       CHECK: %[[DIFFER:.*]] = arith.xori %[[Y]], %[[NY]] : i32
//   CHECK-DAG: %[[ZEROS:.*]] = math.ctlz %[[DIFFER]] : i32
//   CHECK-DAG: %[[MOST:.*]] = arith.constant 31 : i32
//       CHECK: %[[WHOLE:.*]] = arith.subi %[[MOST]], %[[ZEROS]] : i32
//       CHECK: %[[THREE:.*]] = arith.constant 3 : i32
//       CHECK: %[[BITS:.*]] = arith.minui %[[WHOLE]], %[[THREE]] : i32
//     SIXTEEN: %[[FOUR:.*]] = arith.constant 4 : i32
//     SIXTEEN: arith.minui %{{.*}}, %[[FOUR]] : i32
//       CHECK: %[[ABOVE:.*]] = arith.shli %{{.*}}, %[[BITS]] : i32
//       CHECK: %[[BELOW:.*]] = arith.xori %[[ABOVE]], %{{.*}} : i32
//       CHECK: %[[ROW:.*]] = arith.andi %[[Y]], %[[BELOW]] : i32
//       CHECK: %[[ROWS:.*]] = arith.muli %[[ROW]], %[[NX]] : i32
//       CHECK: %[[PLACE:.*]] = arith.addi %[[ROWS]], %[[X]] : i32
//       CHECK: %[[HIGH:.*]] = arith.andi %[[Y]], %[[ABOVE]] : i32
//       CHECK: %[[LOW:.*]] = arith.andi %[[PLACE]], %[[BELOW]] : i32
//       CHECK: %[[NEWY:.*]] = arith.ori %[[HIGH]], %[[LOW]] : i32
//       CHECK: %[[NEWX:.*]] = arith.shrui %[[PLACE]], %[[BITS]] : i32
//   CHECK-DAG: %[[TOX:.*]] = nv_tileas.assume %[[NEWX]] [#nv_tileaa.bounded<0, 16777214>]
//   CHECK-DAG: %[[TOY:.*]] = nv_tileas.assume %[[NEWY]] [#nv_tileaa.bounded<0, 16777214>]
//   CHECK-NOT: get_program_id
//       CHECK: nv_tileas.tiled_load weak %{{.*}}[%[[TOX]], %{{.*}}]
//       CHECK: nv_tileas.tiled_load weak %{{.*}}[%{{.*}}, %[[TOY]]]
//       CHECK: nv_tileas.tiled_store weak %{{.*}}[%[[TOX]], %[[TOY]]]
// expected-remark @below {{Order="8 of y, x", Remark="blocks run in groups, so that they share tiles in L2"}}
nv_tileaa.func kernel @product(%va: !va, %vb: !vb, %vc: !vc, %n: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %a, %ta = nv_tileas.tiled_load weak %va[%x, %i] : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%i, %y] : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    scf.yield %d : !c
  }
  %t = nv_tileas.tiled_store weak %r, %vc[%x, %y] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// A dimension that moves both operands, here x, varies slowest in a group: by a division.
//   CHECK-LABEL: nv_tileaa.func kernel @batched(
//   CHECK-DAG: %[[X:.*]] = nv_tileas.get_program_id x
//   CHECK-DAG: %[[NX:.*]] = nv_tileas.get_num_programs x
//   CHECK-DAG: %[[Y:.*]] = nv_tileas.get_program_id y
//   CHECK-DAG: %[[NY:.*]] = nv_tileas.get_num_programs y
//   CHECK-DAG: %[[Z:.*]] = nv_tileas.get_program_id z
//   CHECK-DAG: %[[NZ:.*]] = nv_tileas.get_num_programs z
//       CHECK: arith.xori %[[Z]], %[[NZ]] : i32
//       CHECK: %[[LINES:.*]] = arith.muli %{{.*}}, %[[NY]] : i32
//       CHECK: %[[LINE:.*]] = arith.addi %[[LINES]], %[[Y]] : i32
//       CHECK: %[[FAR:.*]] = arith.muli %[[LINE]], %[[NX]] : i32
//       CHECK: %[[PLACE:.*]] = arith.addi %[[FAR]], %[[X]] : i32
//       CHECK: %[[REST:.*]] = arith.shrui %[[PLACE]], %{{.*}} : i32
//   CHECK-DAG: %[[WIDEX:.*]] = arith.extui %[[NX]] : i32 to i64
//   CHECK-DAG: %[[WIDEY:.*]] = arith.extui %[[NY]] : i32 to i64
//       CHECK: %[[ROWS:.*]] = arith.muli %[[WIDEY]], %[[WIDEX]] : i64
//       CHECK: %[[LIMIT:.*]] = arith.constant 536870912 : i64
//       CHECK: %[[FITS:.*]] = arith.cmpi ult, %[[ROWS]], %[[LIMIT]] : i64
//       CHECK: %[[TURN:.*]] = arith.divui %[[REST]], %[[NY]] : i32
//       CHECK: %[[DONE:.*]] = arith.muli %[[TURN]], %[[NY]] : i32
//       CHECK: %[[WALK:.*]] = arith.subi %[[REST]], %[[DONE]] : i32
//   CHECK-DAG: %[[NEWX:.*]] = arith.select %[[FITS]], %[[TURN]], %[[X]] : i32
//   CHECK-DAG: %[[NEWY:.*]] = arith.select %[[FITS]], %[[WALK]], %[[Y]] : i32
//   CHECK-DAG: %[[NEWZ:.*]] = arith.select %[[FITS]], %{{.*}}, %[[Z]] : i32
//   CHECK-DAG: %[[TOX:.*]] = nv_tileas.assume %[[NEWX]]
//   CHECK-DAG: %[[TOY:.*]] = nv_tileas.assume %[[NEWY]]
//   CHECK-DAG: %[[TOZ:.*]] = nv_tileas.assume %[[NEWZ]]
//       CHECK: %[[FIRST:.*]] = arith.muli %[[TOX]], %{{.*}} : i32
//       CHECK: arith.addi %[[FIRST]], %[[TOY]] : i32
//       CHECK: nv_tileas.tiled_load weak %{{.*}}[%{{.*}}, %[[TOZ]]]
// expected-remark @below {{Order="8 of z, y, x"}}
nv_tileaa.func kernel @batched(%va: !va, %vb: !vb, %vc: !vc, %n: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %zero = arith.constant dense<0.0> : !c
  %batch = nv_tileas.get_program_id x
  %m = nv_tileas.get_program_id y
  %k = nv_tileas.get_program_id z
  %rows = arith.muli %batch, %c16 : i32
  %row = arith.addi %rows, %m : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %line = arith.addi %rows, %i : i32
    %a, %ta = nv_tileas.tiled_load weak %va[%row, %i] : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%line, %k] : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    scf.yield %d : !c
  }
  %t = nv_tileas.tiled_store weak %r, %vc[%row, %k] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// Iter-arg indices, rows from a table, and a select. The slowest dimension stays: z begins the loop.
// CHECK-LABEL: nv_tileaa.func kernel @indirect(
//       CHECK: nv_tileas.get_num_programs x
//   CHECK-NOT: get_num_programs z
//   CHECK-NOT: arith.divui
//       CHECK: nv_tileas.assume
//       CHECK: nv_tileas.get_program_id z
// expected-remark @below {{Order="8 of y, x"}}
nv_tileaa.func kernel @indirect(%va: !va, %vb: !vb, %vc: !vc, %table: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %z = nv_tileas.get_program_id z
  %at = nv_tileas.addptr %table, %y : !nv_tileaa.ptr<i32>, i32
  %row, %tr = nv_tileas.load weak %at : !nv_tileaa.ptr<i32> -> i32
  %isFirst = arith.cmpi eq, %x, %c0 : i32
  %column = scf.if %isFirst -> (i32) {
    scf.yield %c4 : i32
  } else {
    scf.yield %c1 : i32
  }
  %begin = arith.muli %z, %c4 : i32
  %end = arith.addi %begin, %n : i32
  %r:2 = scf.for %i = %begin to %end step %c1 iter_args(%s = %zero, %j = %begin) -> (!c, i32) : i32 {
    %a, %ta = nv_tileas.tiled_load weak %va[%row, %i] token %tr : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%j, %column] token %tr : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    %next = arith.addi %j, %c1 : i32
    scf.yield %d, %next : !c, i32
  }
  %o = arith.addi %row, %z : i32
  %t = nv_tileas.tiled_store weak %r#0, %vc[%o, %x] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// One dimension that the kernel divides by itself.
// CHECK-LABEL: nv_tileaa.func kernel @own_order(
//   CHECK-NOT: arith.xori
//       CHECK: nv_tileaa.return
// expected-remark @below {{Reason="no two dimensions of the grid select one operand each", Remark="blocks run as the grid numbers them"}}
nv_tileaa.func kernel @own_order(%va: !va, %vb: !vb, %vc: !vc, %n: i32, %total: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %zero = arith.constant dense<0.0> : !c
  %first = nv_tileas.get_program_id x
  %blocks = nv_tileas.get_num_programs x
  scf.for %tile = %first to %total step %blocks : i32 {
    %m = arith.divui %tile, %c8 : i32
    %k = arith.remui %tile, %c8 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
      %a, %ta = nv_tileas.tiled_load weak %va[%m, %i] : !va[i32, i32] -> !a
      %b, %tb = nv_tileas.tiled_load weak %vb[%i, %k] : !vb[i32, i32] -> !b
      %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
      scf.yield %d : !c
    }
    %t = nv_tileas.tiled_store weak %r, %vc[%m, %k] : !c, !vc[i32, i32]
  }
  nv_tileaa.return
}

// Keys of a head, selected by y, are read by all blocks of x: these are adjacent already.
// CHECK-LABEL: nv_tileaa.func kernel @heads(
//   CHECK-NOT: arith.xori
//       CHECK: nv_tileaa.return
// expected-remark @below {{Reason="no two dimensions of the grid select one operand each"}}
nv_tileaa.func kernel @heads(%va: !va, %vb: !vb, %vc: !vc, %n: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %q, %tq = nv_tileas.tiled_load weak %va[%x, %y] : !va[i32, i32] -> !a
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %k, %tk = nv_tileas.tiled_load weak %vb[%y, %i] : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %q, %k, %s {atom = #atom} : !a, !b, !c -> !c
    scf.yield %d : !c
  }
  %t = nv_tileas.tiled_store weak %r, %vc[%x, %y] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @two_ways(
//   CHECK-NOT: arith.xori
//       CHECK: nv_tileaa.return
// expected-remark @below {{Reason="dots select their operands by different dimensions of the grid"}}
nv_tileaa.func kernel @two_ways(%va: !va, %vb: !vb, %vc: !vc, %n: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %z = nv_tileas.get_program_id z
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %a, %ta = nv_tileas.tiled_load weak %va[%x, %i] : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%i, %y] : !vb[i32, i32] -> !b
    %e, %te = nv_tileas.tiled_load weak %vb[%i, %z] : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    %f = nv_tileas.dot %a, %e, %d {atom = #atom} : !a, !b, !c -> !c
    scf.yield %f : !c
  }
  %t = nv_tileas.tiled_store weak %r, %vc[%x, %y] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// The last block of a sum over blocks completes it: a block may wait for another.
// CHECK-LABEL: nv_tileaa.func kernel @counts(
//   CHECK-NOT: arith.xori
//       CHECK: nv_tileaa.return
// expected-remark @below {{Reason="blocks may wait for each other by 'nv_tileas.atomic_rmw'"}}
nv_tileaa.func kernel @counts(%va: !va, %vb: !vb, %vc: !vc, %n: i32, %count: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %a, %ta = nv_tileas.tiled_load weak %va[%x, %i] : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%i, %y] : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    scf.yield %d : !c
  }
  %t = nv_tileas.tiled_store weak %r, %vc[%x, %y] : !c, !vc[i32, i32]
  %old, %u = nv_tileas.atomic_rmw add acq_rel gpu %count, %c1 token %t : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @takes_in(
//   CHECK-NOT: arith.xori
//       CHECK: nv_tileaa.return
// expected-remark @below {{Reason="blocks may wait for each other by 'nv_tileas.load'"}}
nv_tileaa.func kernel @takes_in(%va: !va, %vb: !vb, %vc: !vc, %flag: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %n, %t = nv_tileas.load acquire gpu %flag : !nv_tileaa.ptr<i32> -> i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %a, %ta = nv_tileas.tiled_load weak %va[%x, %i] token %t : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%i, %y] token %t : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    scf.yield %d : !c
  }
  %u = nv_tileas.tiled_store weak %r, %vc[%x, %y] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// CHECK-LABEL: nv_tileaa.func kernel @signals(
//   CHECK-NOT: arith.xori
//       CHECK: nv_tileaa.return
// expected-remark @below {{Reason="blocks may wait for each other by 'nv_tileas.tiled_store'"}}
nv_tileaa.func kernel @signals(%va: !va, %vb: !vb, %vc: !vc, %n: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %a, %ta = nv_tileas.tiled_load weak %va[%x, %i] : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%i, %y] : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    scf.yield %d : !c
  }
  %u = nv_tileas.tiled_store relaxed gpu %r, %vc[%x, %y] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// All CTAs of a cluster have the id of their block.
// CHECK-LABEL: nv_tileaa.func kernel @clustered(
//       CHECK: arith.xori
//       CHECK: nv_tileaa.return
// expected-remark @below {{Order="8 of y, x"}}
nv_tileaa.func kernel @clustered(%va: !va, %vb: !vb, %vc: !vc, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4, num_ctas = 2, cluster_dim = [2, 1, 1]>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
    %a, %ta = nv_tileas.tiled_load weak %va[%x, %i] : !va[i32, i32] -> !a
    %b, %tb = nv_tileas.tiled_load weak %vb[%i, %y] : !vb[i32, i32] -> !b
    %d = nv_tileas.dot %a, %b, %s {atom = #atom} : !a, !b, !c -> !c
    scf.yield %d : !c
  }
  %t = nv_tileas.tiled_store weak %r, %vc[%x, %y] : !c, !vc[i32, i32]
  nv_tileaa.return
}

// No gain and no remark: no dot in a loop.
// CHECK-LABEL: nv_tileaa.func kernel @once(
//   CHECK-NOT: arith.xori
//       CHECK: nv_tileaa.return
nv_tileaa.func kernel @once(%va: !va, %vb: !vb, %vc: !vc) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : !c
  %x = nv_tileas.get_program_id x
  %y = nv_tileas.get_program_id y
  %a, %ta = nv_tileas.tiled_load weak %va[%x, %c0] : !va[i32, i32] -> !a
  %b, %tb = nv_tileas.tiled_load weak %vb[%c0, %y] : !vb[i32, i32] -> !b
  %d = nv_tileas.dot %a, %b, %zero {atom = #atom} : !a, !b, !c -> !c
  %t = nv_tileas.tiled_store weak %d, %vc[%x, %y] : !c, !vc[i32, i32]
  nv_tileaa.return
}
