// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_TILEASCHECKREGISTERBUDGET_TD
#define PASSES_WARP_SPECIALIZE_TILEASCHECKREGISTERBUDGET_TD

include "mlir/Pass/PassBase.td"

def TileASCheckRegisterBudget
    : Pass<"tileas-check-register-budget", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Shares the registers of an SM out to agents";
  let description = [{
    For kernels of two agents of which one holds no tile. Where an equal share of
    the registers of an SM is too little for the threads that compute, those that
    copy give up what they do not need: both agents get `max_regs`, and
    `optimize-execution-unit-mapping` lets whole groups of four warps change
    their registers together. Targets without `setmaxnreg` share equally.

    A thread that needs more registers than its share is a warning at its agent.

    Input:

    ```mlir
    #l = #nv_tileas.layout<reg, [256, 128], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>
    !t = tensor<256x128xf32, #l>
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
      nv_tileaa.func kernel @k(%c: i1, %n: i32, %x: f32, %p: tensor<256x128x!nv_tileaa.ptr<f32>, #l>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
        scf.if %c {
        } {nv_tileas.agent = {num_warps = 1 : i32}}
        scf.if %c {
          %c0 = arith.constant 0 : i32
          %c1 = arith.constant 1 : i32
          %s = nv_tileas.splat %x : f32 -> !t
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!t) : i32 {
            %u = math.exp %t : !t
            scf.yield %u : !t
          }
          %e = math.exp %r : !t
        } {nv_tileas.agent = {num_warps = 8 : i32}}
        nv_tileaa.return
      }
    }
    ```

    Output:

    ```mlir
    #l = #nv_tileas.layout<reg, [256, 128], blocked<per_thread = [1, 8], lanes = [4, 8], warps = [8, 1], order = [1, 0]>>
    !t = tensor<256x128xf32, #l>
    gpu.module @m attributes {nv_tileaa.target_spec = "sm_90a"} {
      nv_tileaa.func kernel @k(%c: i1, %n: i32, %x: f32, %p: tensor<256x128x!nv_tileaa.ptr<f32>, #l>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 8, num_ctas = 1, cluster_dim = [1, 1, 1]>} {
        scf.if %c {
        } {nv_tileas.agent = {max_regs = 24 : i32, num_warps = 1 : i32}}
        scf.if %c {
          %c0 = arith.constant 0 : i32
          %c1 = arith.constant 1 : i32
          %s = nv_tileas.splat %x : f32 -> !t
          %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!t) : i32 {
            %u = math.exp %t : !t
            scf.yield %u : !t
          }
          %e = math.exp %r : !t
        } {nv_tileas.agent = {max_regs = 240 : i32, num_warps = 8 : i32}}
        nv_tileaa.return
      }
    }
    ```
  }];
  let statistics = [
    Statistic<"numShared", "num-shared",
              "Kernels whose agents have different shares">,
  ];
}

#endif // PASSES_WARP_SPECIALIZE_TILEASCHECKREGISTERBUDGET_TD
