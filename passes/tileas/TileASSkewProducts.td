// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAS_TILEASSKEWPRODUCTS_TD
#define PASSES_TILEAS_TILEASSKEWPRODUCTS_TD

include "mlir/Pass/PassBase.td"

def TileASSkewProducts
    : Pass<"tileas-skew-products", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Starts the first of two chained products an iteration ahead";
  let description = [{
    In a loop with two products of warpgroups, where the second one multiplies
    what is computed from the first one's result (attention), neither runs while
    threads compute: each iteration starts the first product and waits for it.
    This pass starts the product of iteration i + 1 in iteration i, as soon as
    nothing needs the registers of the one before. The second product goes on into
    the next iteration, until something needs its sum; there threads wait for
    both. So both are under way while threads compute.

    A sum that is multiplied by one number for each row, as attention does when a
    maximum moved, is multiplied only where a warp has another number than one
    (`async.rescale`). Else nothing waits for all products: the second one is
    waited for while the first one of the next iteration is under way, and that
    one while the second one of this iteration is. Where products with one flush
    denormals, or each element has a number of its own, threads multiply in every
    iteration.

    The first product of all stands before the loop. The last iteration, which
    starts no product for a next one, stands behind it; with the loop it is made
    only if there are iterations at all. Copies for later iterations go to the end
    of the body, where both slots that the body read are free but one.
    Those for the first product go one iteration further: what is copied at the end
    of a trip would be waited for early in the next one.

    Where a thread has no registers for two results of the first product, the next
    one takes those of this one. It starts when the factor of the second product is
    ready, between two halves of that: the first half is added to a sum that may
    still be under way, and when one group is left, the registers of the factor of
    the iteration before are free for the rest of this one. Then come the first
    product of iteration i + 1 and the other half, which alone is under way while
    threads compute. This needs a sum that is multiplied where it has to be, and
    half of a factor in the form that the product takes.

    Skewed or not, what the second product does not need comes behind its start:
    threads add up the numbers of a row while products run, as long as they have
    registers for both. The few numbers that the sum is multiplied by are
    computed before the many others that the same units make.

    Where the unit beside tensor memory makes both (sm_100 and its kin), there are
    two results in tensor memory: the first product of the next iteration starts
    before threads read the one of this iteration. What begins and ends the sum
    moves into the branch. The copy of the first product's factor goes behind the
    wait for the result of this iteration, which says that its slot is free: so it
    has a whole trip, two slots are enough, and no commit has to free them.

    A loop stays as it is, with a remark, when its operands do not come by tensor
    maps at least two iterations ahead (so one, where a copy is made earlier), when the first product depends on what the
    loop carries, when something else reads its factors, when a thread has registers
    for neither form, when the sum of the second one is needed in the iteration that
    starts it, or when another loop goes on with its rings.

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
        // … %v of its ring, %x of %a
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
    Statistic<"numLoops", "num-loops", "Loops whose products are skewed">,
    Statistic<"numOrdered", "num-ordered",
              "Loops whose second product starts before the rest">,
  ];
}

#endif // PASSES_TILEAS_TILEASSKEWPRODUCTS_TD
