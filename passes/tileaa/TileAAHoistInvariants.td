// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_TILEAA_TILEAAHOISTINVARIANTS_TD
#define PASSES_TILEAA_TILEAAHOISTINVARIANTS_TD

include "mlir/Pass/PassBase.td"

def TileAAHoistInvariants
    : Pass<"tileaa-hoist-invariants", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Hoists views and address arithmetic to the entry or out of loops";
  let description = [{
    Moves to the entry block each `make_memref` and `block_tile` whose operands
    come from values of the entry block by operations without effects that can
    be speculated. Then hoists other such operations on scalars, pointers and
    views out of the loops in which they are invariant. A C++ front end makes a
    view next to its access, also inside of loops and branches, together with
    the arithmetic on extents and strides. A tensor map is built at the entry of
    the kernel, from values that are known there.

    Operations on tiles stay: a tile that is live through a loop takes registers.
    An integer division (the key head of a query head) gets the divisor one where
    it is undefined, so that it can be executed before a loop without iterations.
    Equal operations at the entry are merged.

    No moved operation can fail or have an effect: a false `assume` gives an
    undefined result, and the result has the same users as before.

    Input:

    ```mlir
    gpu.module @m {
      nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %n: i32, %c: i1) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        scf.if %c {
          scf.for %i = %c0 to %n step %c1 : i32 {
            %size = arith.extui %n : i32 to i64
            %m = nv_tileaa.make_memref %p sizes[%size] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
            %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]>
                 -> !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<?xf32, strides = [1]>>
            %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<8xf32>
            nv_tileaa.print "%f", %x : tensor<8xf32>
          }
        }
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    gpu.module @m {
      nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %n: i32, %c: i1) {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %size = arith.extui %n : i32 to i64
        %m = nv_tileaa.make_memref %p sizes[%size] : !nv_tileaa.ptr<f32> -> !nv_tileaa.memref<?xf32, strides = [1]>
        %v = nv_tileaa.block_tile %m : !nv_tileaa.memref<?xf32, strides = [1]>
             -> !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<?xf32, strides = [1]>>
        scf.if %c {
          scf.for %i = %c0 to %n step %c1 : i32 {
            %x, %t = nv_tileaa.tiled_load weak %v[%i] : !nv_tileaa.tiled_view<8 of !nv_tileaa.memref<?xf32, strides = [1]>>[i32] -> tensor<8xf32>
            nv_tileaa.print "%f", %x : tensor<8xf32>
          }
        }
        nv_tileaa.return
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numToEntry", "num-to-entry",
              "Operations that were moved to the entry for a view">,
    Statistic<"numOutOfLoops", "num-out-of-loops",
              "Operations that were moved before a loop">,
    Statistic<"numMerged", "num-merged",
              "Operations that were replaced by an equal one at the entry">,
  ];
}

#endif // PASSES_TILEAA_TILEAAHOISTINVARIANTS_TD
