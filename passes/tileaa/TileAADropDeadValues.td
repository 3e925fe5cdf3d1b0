// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_TILEAADROPDEADVALUES_TD
#define PASSES_TILEAA_TILEAADROPDEADVALUES_TD

include "mlir/Pass/PassBase.td"

def TileAADropDeadValues
    : Pass<"tileaa-drop-dead-values", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Erases unused values that loops and branches carry";
  let description = [{
    Erases the iter-args and results of `scf.for`, `scf.while` and `scf.if` on
    which no effect depends, and the operations that compute them. Front ends
    thread a memory token for each array through every loop and every branch.
    Where no access waits for such a token, the loop alone keeps it alive: the
    iteration joins it and yields it. `canonicalize` keeps such a value, since
    each value has a use.

    A value is needed if an operation with an effect depends on it, directly or
    through operations without effects, loops and branches. The pass erases all
    others. A token that no access waits for orders nothing, so the order of
    accesses stays as it is.

    Input:

    ```mlir
    gpu.module @m {
      nv_tileaa.func @f(%n: i32, %x: f32, %v: !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<?xf32, strides = [1]>>) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %t = nv_tileaa.create_mem_token
        %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %t) -> (f32, !nv_tileaa.mem_token) : i32 {
          %1 = nv_tileaa.join_mem_token %b, %t
          %2 = arith.addf %a, %a : f32
          scf.yield %2, %1 : f32, !nv_tileaa.mem_token
        }
        nv_tileaa.print "%f", %0#0 : f32
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    gpu.module @m {
      nv_tileaa.func @f(%n: i32, %x: f32, %v: !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<?xf32, strides = [1]>>) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (f32) : i32 {
          %1 = arith.addf %a, %a : f32
          scf.yield %1 : f32
        }
        nv_tileaa.print "%f", %0 : f32
        nv_tileaa.return
      }
    }
    ```
  }];
  let dependentDialects = [
    "::mlir::scf::SCFDialect",
  ];
  let statistics = [
    Statistic<"numValues", "num-values",
              "Values that loops and branches no longer carry">,
    Statistic<"numOps", "num-ops", "Operations that were erased">,
  ];
}

#endif // PASSES_TILEAA_TILEAADROPDEADVALUES_TD
