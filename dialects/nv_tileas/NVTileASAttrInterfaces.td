// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef DIALECTS_NV_TILEAS_NVTILEASATTRINTERFACES_TD
#define DIALECTS_NV_TILEAS_NVTILEASATTRINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAS_AtomAttrInterface : AttrInterface<"AtomAttrInterface"> {
  let cppNamespace = "::mlir::nv_tileas";
  let description = [{
    A hardware primitive: which target it needs and how it completes.
  }];
  let methods = [
    InterfaceMethod<"First target that has the primitive, major*10 + minor.",
                    "int", "getMinSM">,
    InterfaceMethod<"Whether results are valid only after a wait.",
                    "bool", "isAsync">,
  ];
}

#endif // DIALECTS_NV_TILEAS_NVTILEASATTRINTERFACES_TD
