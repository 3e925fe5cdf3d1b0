// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef PASSES_WARP_SPECIALIZE_TILEASRESOLVEAGENTBOUNDARY_TD
#define PASSES_WARP_SPECIALIZE_TILEASRESOLVEAGENTBOUNDARY_TD

include "mlir/Pass/PassBase.td"

def TileASResolveAgentBoundary
    : Pass<"tileas-resolve-agent-boundary", "::mlir::nv_tileaa::FuncOp"> {
  let summary = "Lets agents share nothing but storage and barrier objects";
  let description = [{
    For the agents of a kernel. A slot that one agent fills and another reads is
    given back by a barrier object (`empty = mbarrier`) in place of a barrier of
    all warps. Barriers of the CTA in an agent become the agent's own. Iterators
    of slots at which an agent does nothing stand still, numbers that it does not
    need are not computed in it, and numbers that it needs behind its loops alone
    are computed there.

    A tile that an agent takes from outside is an error: its registers belong to
    threads of another scope.

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
