// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_TILEASRESOLVEAGENTBOUNDARY_TD
#define PASSES_WARP_SPECIALIZE_TILEASRESOLVEAGENTBOUNDARY_TD

include "mlir/Pass/PassBase.td"

def TileASResolveAgentBoundary
    : Pass<"tileas-resolve-agent-boundary", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Restricts shared state of agents to storage and mbarriers";
  let description = [{
    Synchronizes agents through mbarriers alone. A pipeline that one agent fills
    and another reads gets empty mbarriers (`empty = mbarrier`) in place of a
    barrier of all warps. CTA barriers inside an agent become barriers of the
    agent. Iterators of pipelines that an agent does not access are no longer
    advanced in it, unused numbers are erased, and numbers that an agent uses
    only after its loops are computed there.

    A tile from outside an agent is an error: its registers belong to threads of
    another scope.

    Input:

    ```mlir
    nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<i32>, %x: i32, %c: i1) {
      scf.if %c {
        nv_tileas.barrier cta
        %t = nv_tileas.store weak %p, %x : !nv_tileaa.ptr<i32>, i32
      } {nv_tileas.agent = {num_warps = 4 : i32}}
      nv_tileaa.return
    }
    ```

    Output:

    ```mlir
    nv_tileaa.func kernel @k(%p: !nv_tileaa.ptr<i32>, %x: i32, %c: i1) {
      scf.if %c {
        nv_tileas.barrier agent
        %t = nv_tileas.store weak %p, %x : !nv_tileaa.ptr<i32>, i32
      } {nv_tileas.agent = {num_warps = 4 : i32}}
      nv_tileaa.return
    }
    ```
  }];
  let statistics = [
    Statistic<"numAgents", "num-agents", "Agents with a boundary">,
  ];
}

#endif // PASSES_WARP_SPECIALIZE_TILEASRESOLVEAGENTBOUNDARY_TD
