// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAA_OPS_CLUSTER_TD
#define DIALECTS_NV_TILEAA_OPS_CLUSTER_TD

include "dialects/nv_tileaa/NVTileAATypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TileAA_ClusterGatherOp : TileAA_Op<"cluster_gather", [Pure]> {
  let summary = "Joins the tiles of the CTAs of a cluster along a dimension";
  let description = [{
    `axes` are bits of the CTA's rank in its cluster. The CTAs that differ in
    these bits alone exchange their tiles: each gets all of them, side by side
    along `dim`, in the order of these bits. All CTAs of the cluster execute the
    operation, in the same order of such operations.

    (C1) `axes` names at least one of four bits; (C2) the result has the element
    type and the shape of the source, but for `dim`, whose extent is multiplied
    by the number of CTAs.

    ```mlir
    %0 = nv_tileaa.cluster_gather %t dim = 1 axes = 3 : tensor<8x16xf32> -> tensor<8x64xf32>
    ```
  }];
  let arguments = (ins TileAA_Tensor:$source, I32Attr:$dim, I32Attr:$axes);
  let results = (outs TileAA_Tensor:$result);
  let assemblyFormat = [{
    $source `dim` `=` $dim `axes` `=` $axes attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif // DIALECTS_NV_TILEAA_OPS_CLUSTER_TD
