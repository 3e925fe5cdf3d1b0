// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_TILEAAMERGEMASKEDLOOPS_TD
#define PASSES_TILEAA_TILEAAMERGEMASKEDLOOPS_TD

include "mlir/Pass/PassBase.td"

def TileAAMergeMaskedLoops
    : Pass<"tileaa-merge-masked-loops", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Merges loops that mask only in their last iterations into one loop with a select";
  let description = [{
    Merges a loop without and a loop with a mask into one loop, in which a
    `select` by `i < cut` takes the value of either. Attention kernels mask
    scores only where a mask can be false: in the last iterations. They use an
    `if` on the induction variable between two dots; cuTile's front end splits
    such a loop in two, of which the second one masks. Two loops fill their
    pipelines twice and share the tensor memory and the registers of a CTA, and
    an `if` between two dots keeps the dots from overlapping.

    `tileas-split-masked-loops` splits the merged loop again after the passes
    that build pipelines. The first half then has neither select nor mask, and
    both halves share one pipeline.

    The pass merges two loops where the results of the first one are the initial
    values of the second, the first one goes from L to `min(cut, U)`, the second
    one from `max(cut, L)` to U by steps of 1, and each operation of the first
    body matches one of the second, in the same order. Further operations of the
    second body are executed in all iterations, so they must have no effect.

    An `if` becomes selects where its condition is false up to some iteration,
    its then-region has no effect and no expensive operation (dots, reductions,
    loops), and its else-region is empty. The condition may be and-ed with a
    loop-invariant one.

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
