// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chains of dots (MM-9).
// RUN: %mlir-opt --load-dialect-plugin=%libTileASPasses.so --load-pass-plugin=%libTileASPasses.so %s --verify-diagnostics \
// RUN:   --pass-pipeline='builtin.module(gpu.module(nv_tileaa.func(test-tileas-mma-chain)))' -o /dev/null

#atom = #nv_tileas.mma_atom<mma_sync, [16, 8, 16], a = f16, b = f16, c = f32>
#wgmma = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = f16, b = f16, c = f32>
#a = #nv_tileas.layout<reg, [64, 64], mma<#atom, a, warps = [4, 1]>>
#b = #nv_tileas.layout<reg, [64, 64], mma<#atom, b, warps = [4, 1]>>
#c = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
#s = #nv_tileas.layout<smem, [64, 64], offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]>
!a = tensor<64x64xf16, #a>
!b = tensor<64x64xf16, #b>
!c = tensor<64x64xf32, #c>
!h = tensor<64x64xf16, #c>
!slot = !nv_tileas.buffer<64x64xf16, #s>
!future = !nv_tileas.future<tensor<64x64xf32, #c>>

gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
  nv_tileaa.func @gemm(%x: !a, %y: !b, %zero: !c, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (!c) : i32 {
      // expected-remark @below {{dot 0 adds to iter-arg 0, carried}}
      %d = nv_tileas.dot %x, %y, %s {atom = #atom} : !a, !b, !c -> !c
      scf.yield %d : !c
    }
    // No loop is around this one.
    %e = nv_tileas.dot %x, %y, %r {atom = #atom} : !a, !b, !c -> !c
    nv_tileaa.return
  }

  // The scale may be the first operand; two dots in one iteration feed each other through what stands in regions, too.
  nv_tileaa.func @attention(%q: !a, %k: !b, %v: !b, %zero: !c, %flag: i1, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%m = %zero, %o = %zero) -> (!c, !c) : i32 {
      // expected-remark @below {{dot 0 adds to a tile from outside}}
      %s = nv_tileas.dot %q, %k, %zero {atom = #atom} : !a, !b, !c -> !c
      %masked = scf.if %flag -> (!c) {
        %z = arith.subf %s, %m : !c
        scf.yield %z : !c
      } else {
        scf.yield %m : !c
      }
      %e = math.exp2 %masked : !c
      %scale = arith.addf %m, %m : !c
      %t = arith.truncf %e : !c to !h
      %p = nv_tileas.convert_layout %t : !h -> !a
      %y = arith.mulf %scale, %o : !c
      // expected-remark @below {{dot 1 adds to iter-arg 1, rescaled, carried; A from dot 0 through scf.if, math.exp2, arith.truncf, nv_tileas.convert_layout}}
      %d = nv_tileas.dot %p, %v, %y {atom = #atom} : !a, !b, !c -> !c
      scf.yield %e, %d : !c, !c
    }
    nv_tileaa.return
  }

  // A dot that is an iter-arg of the next iteration feeds no dot of this one.
  nv_tileaa.func @next_iteration(%q: !a, %k: !b, %v: !b, %zero: !c, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%last = %zero, %o = %zero) -> (!c, !c) : i32 {
      // expected-remark @below {{dot 0 adds to a tile from outside}}
      %s = nv_tileas.dot %q, %k, %zero {atom = #atom} : !a, !b, !c -> !c
      %t = arith.truncf %last : !c to !h
      %p = nv_tileas.convert_layout %t : !h -> !a
      // expected-remark-re @below {{dot 1 adds to iter-arg 1{{$}}}}
      %d = nv_tileas.dot %p, %v, %o {atom = #atom} : !a, !b, !c -> !c
      // Two readers: the accumulator is an iter-arg and has another use.
      %more = arith.addf %d, %s : !c
      scf.yield %more, %d : !c, !c
    }
    nv_tileaa.return
  }

  // Of dots of warpgroups the wait gives the result.
  nv_tileaa.func @warpgroups(%q: !h, %k: !slot, %v: !slot, %zero: !c, %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %zero) -> (!c) : i32 {
      // expected-remark @below {{dot 0 adds to a tile from outside}}
      %f = nv_tileas.async.dot %q, %k, %zero {atom = #wgmma} : !h, !slot, !c -> !future
      %s = nv_tileas.dot_wait %f {pending = 0 : i32} : !future -> !c
      %t = arith.truncf %s : !c to !h
      %y = arith.mulf %o, %s : !c
      // expected-remark @below {{dot 1 adds to iter-arg 0, rescaled, carried; A from dot 0 through arith.truncf}}
      %g = nv_tileas.async.dot %t, %v, %y {atom = #wgmma} : !h, !slot, !c -> !future
      %d = nv_tileas.dot_wait %g {pending = 0 : i32} : !future -> !c
      scf.yield %d : !c
    }
    nv_tileaa.return
  }
}
