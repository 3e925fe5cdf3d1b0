// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_TILEASCHECKREGISTERBUDGET_TD
#define PASSES_WARP_SPECIALIZE_TILEASCHECKREGISTERBUDGET_TD

include "mlir/Pass/PassBase.td"

def TileASCheckRegisterBudget
    : Pass<"tileas-check-register-budget", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Divides the registers of an SM among agents";
  let description = [{
    Sets `max_regs` on the two agents of a kernel, of which one holds no tile. If
    an equal share of the registers of an SM does not suffice for the computing
    threads, the copying threads release the registers that they do not need.
    `optimize-execution-unit-mapping` then makes whole warpgroups change their
    registers. On targets without `setmaxnreg` the shares stay equal.

    If a thread needs more registers than its share, its agent gets a warning.

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
