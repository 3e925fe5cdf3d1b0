// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_OPS_CLUSTEROPS_TD
#define DIALECTS_NV_TILEAS_OPS_CLUSTEROPS_TD

include "dialects/nv_tileas/NVTileASInterfaces.td"
include "dialects/nv_tileas/NVTileASTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileAS_ClusterGatherOp : Op<TileAS_Dialect, "cluster_gather", [
    Pure, DeclareOpInterfaceMethods<TileAS_ScratchOpInterface>]> {
  let summary = "Joins the tiles of the CTAs of a cluster along a dimension";
  let description = [{
    Has the semantics of the `nv_tileaa` operation. Each CTA writes its tile to
    its scratch memory, waits at a barrier of the cluster, and reads the scratch
    memory of the others; a second barrier frees it. All threads of the cluster
    execute the operation, so no agent has it. Source and result have any
    layouts.

    Constraints: (C1) `axes` names at least one of four bits; (C2) the result
    has the element type and the shape of the source, but for `dim`, whose
    extent is multiplied by the number of CTAs.

    ```mlir
    %r = nv_tileas.cluster_gather %x dim = 0 axes = 1 : tensor<1x64xf32, #a> -> tensor<2x64xf32, #b>
    ```
  }];
  let arguments = (ins TileAS_Tile:$source, I32Attr:$dim, I32Attr:$axes);
  let results = (outs TileAS_Tile:$result);
  let assemblyFormat = [{
    $source `dim` `=` $dim `axes` `=` $axes attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAS_OPS_CLUSTEROPS_TD
