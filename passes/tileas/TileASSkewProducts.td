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

    The first product of all stands before the loop. The last iteration, which
    starts no product for a next one, stands behind it; with the loop it is made
    only if there are iterations at all. Copies for later iterations go to the end
    of the body, where both slots that the body read are free but one.

    Where the unit beside tensor memory makes both (sm_100 and its kin), there are
    two results in tensor memory: the first product of the next iteration starts
    before threads read the one of this iteration. What begins and ends the sum
    moves into the branch.

    A loop stays as it is, with a remark, when its operands do not come by tensor
    maps at least two iterations ahead, when the first product depends on what the
    loop carries, when something else reads its factors, when the sum of the
    second one is needed in the iteration that starts it, or when another loop
    goes on with its rings.

    Input:

    ```mlir
    %r = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %zero, …) {
      %k = nv_tileas.pipeline.wait %p[%ki] …
      %s = nv_tileas.async.dot %q, %k, %zeros …
      %t = nv_tileas.dot_wait %s {pending = 0}
      … %f of %t, %x of %t and %acc …
      %v = nv_tileas.pipeline.wait %w[%vi] …
      %o = nv_tileas.async.dot %f, %v, %x …
      %d = nv_tileas.dot_wait %o {pending = 0}
      scf.yield %d, …
    ```

    Output:

    ```mlir
    %r = scf.if %any {
      %t0 = first product of %lb
      %m = scf.for %i = %lb to %last step %c1 iter_args(%acc = %zero, %t = %t0, …) {
        first product of %i + 1: %s
        … %f of %t …
        %a = nv_tileas.dot_wait %acc {pending = 0}
        %n = nv_tileas.dot_wait %s {pending = 0}
        … %x of %a …
        %o = nv_tileas.async.dot %f, %v, %x …
        scf.yield %o, %n, …
      }
      the iteration of %last without a first product
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect",
    "::mlir::nv_tileas::TileASDialect",
    "::mlir::scf::SCFDialect",
  ];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Loops whose products are skewed">,
  ];
}

#endif // PASSES_TILEAS_TILEASSKEWPRODUCTS_TD
