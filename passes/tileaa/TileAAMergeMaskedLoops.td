// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_TILEAAMERGEMASKEDLOOPS_TD
#define PASSES_TILEAA_TILEAAMERGEMASKEDLOOPS_TD

include "mlir/Pass/PassBase.td"

def TileAAMergeMaskedLoops
    : Pass<"tileaa-merge-masked-loops", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Turns loops that mask in their last iterations only into one "
                "loop with a select";
  let description = [{
    Attention kernels mask scores only where a mask can be false: in the last
    iterations. They say so by an `if` on the induction variable between two
    dots; cuTile's front end cuts such a loop in two, of which the second one
    masks. Two loops fill their pipelines twice, share the tensor memory and the
    registers of a CTA, and an `if` between two dots keeps them from overlapping.

    The pass makes one loop of both forms, in which a `select` by `i < cut` takes
    the value without or with the mask. `tileas-split-masked-loops` cuts that
    loop again behind the passes that fill pipelines, where the first part has
    neither select nor mask and both parts share one pipeline.

    Two loops are merged where the results of the first one are the initial
    values of the second, the first one goes from L to `min(cut, U)`, the second
    one from `max(cut, L)` to U by steps of 1, and each operation of the first
    body has its like, in the same order, in the second one. What the second body
    has beside that is executed in all iterations, so it must have no effect.

    An `if` becomes selects where its condition is false up to some iteration,
    its then-region has no effect and nothing of weight (dots, reductions,
    loops), and its else-region nothing at all. A condition may be and-ed with
    one that the loop does not change.

    Only innermost loops with a dot change.

    Input:

    ```mlir
    gpu.module @m {
      nv_tileaa.func @f(%n: i32, %cut: i32, %a: tensor<16x16xf16>, %mask: tensor<16x16xf32>) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %zero = arith.constant dense<0.0> : tensor<16x16xf32>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
          %s = nv_tileaa.dot %a, %a, %acc : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
          %late = arith.cmpi sge, %i, %cut : i32
          %m = scf.if %late -> (tensor<16x16xf32>) {
            %x = arith.addf %s, %mask : tensor<16x16xf32>
            scf.yield %x : tensor<16x16xf32>
          } else {
            scf.yield %s : tensor<16x16xf32>
          }
          scf.yield %m : tensor<16x16xf32>
        }
        nv_tileaa.print "%f", %r : tensor<16x16xf32>
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    gpu.module @m {
      nv_tileaa.func @f(%n: i32, %cut: i32, %a: tensor<16x16xf16>, %mask: tensor<16x16xf32>) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %zero = arith.constant dense<0.0> : tensor<16x16xf32>
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i32 {
          %s = nv_tileaa.dot %a, %a, %acc : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf32>
          %early = arith.cmpi slt, %i, %cut : i32
          %x = arith.addf %s, %mask : tensor<16x16xf32>
          %earlies = nv_tileaa.splat %early : i1 -> tensor<16x16xi1>
          %m = arith.select %earlies, %s, %x : tensor<16x16xi1>, tensor<16x16xf32>
          scf.yield %m : tensor<16x16xf32>
        }
        nv_tileaa.print "%f", %r : tensor<16x16xf32>
        nv_tileaa.return
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
  ];
  let statistics = [
    Statistic<"numLoops", "num-loops", "Pairs of loops that became one">,
    Statistic<"numBranches", "num-branches", "Branches that became selects">,
  ];
}

#endif // PASSES_TILEAA_TILEAAMERGEMASKEDLOOPS_TD
