// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_PIPELINE_TILEASSHIFTCHAINEDDOTS_TD
#define PASSES_TILEAS_PIPELINE_TILEASSHIFTCHAINEDDOTS_TD

include "mlir/Pass/PassBase.td"

def TileASShiftChainedDots
    : Pass<"tileas-shift-chained-dots", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Starts the first of two chained dots an iteration ahead";
  let description = [{
    Software-pipelines a loop with two `wgmma` dots, the second of which reads
    values computed from the result of the first (attention). Without this pass
    neither runs while threads compute: each iteration starts the first dot and
    waits for it. The pass starts the first dot of iteration i + 1 in iteration
    i, as soon as the registers of the previous result are free. The second dot
    stays in flight until an operation of the next iteration needs its
    accumulator; there threads wait for both. So both dots are in flight while
    threads compute.

    An accumulator that is rescaled by one factor for each row, as attention
    rescales it when a maximum has changed, is multiplied only if a warp has a
    factor other than one (`async.rescale`). Otherwise no operation waits for
    all dots: the wait for the second dot leaves the first dot of the next
    iteration in flight, and the wait for that one leaves the second dot of this
    iteration in flight. If multiplications by one flush denormals, or each
    element has its own factor, threads multiply in every iteration.

    The very first dot moves before the loop. The last iteration, which starts
    no next dot, moves after the loop; both exist only if the loop has an
    iteration. Copies for later iterations move to the end of the body, where
    all slots that the body read are free but one. Copies for the first dot run
    one iteration further ahead: a copy issued at the end of an iteration would
    be waited for early in the next one.

    If a thread has no registers for two results of the first dot, the next
    result takes the registers of this one. The next dot starts when the operand
    of the second dot is ready, between two halves of the second dot: the first
    half is added to an accumulator that may still be in flight, and when one
    group is left, the registers of the previous operand are free for the rest
    of this one. Then follow the first dot of iteration i + 1 and the other
    half, which alone is in flight while threads compute. This form needs an
    accumulator that is rescaled on demand, and half of an operand in a legal
    layout.

    With or without software pipelining, work that the second dot does not need
    moves after its start: threads compute row sums while the dots run, as long
    as they have registers for both. The few rescale factors are computed before
    the many elements that need the same functional units.

    If `tcgen05.mma` computes both dots (sm_100 family), tensor memory holds two
    results: the first dot of the next iteration starts before threads read the
    result of this one. The initialization and the read-out of the accumulator
    move into the branch. The copy of an operand of the first dot moves after
    the wait for the result of this iteration, which proves that its slot is
    free: it has a whole iteration of time, two slots suffice, and no commit has
    to release them.

    A loop stays as it is, with a remark, if TMA does not copy its operands at
    least two iterations ahead (one, if a copy runs earlier), if the first dot
    depends on an iter-arg, if its operands have other readers, if a thread has
    registers for neither form, if an operation of the same iteration needs the
    accumulator of the second dot, or if another loop continues with its
    pipelines.

    Input, abridged:

    ```mlir
    #atom = #nv_tileas.mma_atom<wgmma, [64, 64, 16], a = bf16, b = bf16, c = f32>
    #c = #nv_tileas.layout<reg, [64, 64], mma<#atom, acc, warps = [4, 1]>>
    !future = !nv_tileas.future<tensor<64x64xf32, #c>>
    !p = !nv_tileas.pipeline<3, (buffer<64x64xbf16, #nv_tileas.layout<smem, [64, 64], linear<order = [1, 0]>>>)>
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %zero) -> (tensor<64x64xf32, #c>) : i32 {
      %k = nv_tileas.pipeline.wait %p[%ki] {consumer = 0 : i32, pending = 0 : i32} : !p -> !nv_tileas.buffer<64x64xbf16, #s>
      %s = nv_tileas.async.dot %q, %k, %zeros {atom = #atom} : tensor<64x64xbf16, #a>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #c> -> !future
      %t = nv_tileas.dot_wait %s {pending = 0 : i32} : !future -> tensor<64x64xf32, #c>
      // … %f of %t, %x of %t and %acc
      %v = nv_tileas.pipeline.wait %w[%vi] {consumer = 0 : i32, pending = 0 : i32} : !p -> !nv_tileas.buffer<64x64xbf16, #s>
      %o = nv_tileas.async.dot %f, %v, %x {atom = #atom} : tensor<64x64xbf16, #a>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #c> -> !future
      %d = nv_tileas.dot_wait %o {pending = 0 : i32} : !future -> tensor<64x64xf32, #c>
      scf.yield %d : tensor<64x64xf32, #c>
    }
    ```

    Output, abridged:

    ```mlir
    %r = scf.if %any -> (tensor<64x64xf32, #c>) {
      // … the first product of %lb: %t0
      %m:2 = scf.for %i = %lb to %last step %c1 iter_args(%acc = %o0, %t = %t0) -> (!future, tensor<64x64xf32, #c>) : i32 {
        // … the first product of %i + 1: %s, and %f of %t
        %a = nv_tileas.dot_wait %acc {pending = 0 : i32} : !future -> tensor<64x64xf32, #c>
        %n = nv_tileas.dot_wait %s {pending = 0 : i32} : !future -> tensor<64x64xf32, #c>
        // … %v of its pipeline, %x of %a
        %o = nv_tileas.async.dot %f, %v, %x {atom = #atom} : tensor<64x64xbf16, #a>, !nv_tileas.buffer<64x64xbf16, #s>, tensor<64x64xf32, #c> -> !future
        scf.yield %o, %n : !future, tensor<64x64xf32, #c>
      }
      // … the iteration of %last without a first product: %d
      scf.yield %d : tensor<64x64xf32, #c>
    } else {
      scf.yield %zero : tensor<64x64xf32, #c>
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
    "::mlir::scf::SCFDialect",
  ];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Loops whose first dot starts an iteration ahead">,
    Statistic<"numOrdered", "num-ordered",
              "Loops whose second dot starts before the rest">,
  ];
}

#endif // PASSES_TILEAS_PIPELINE_TILEASSHIFTCHAINEDDOTS_TD
